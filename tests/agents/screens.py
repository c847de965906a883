"""What a person sees on an agent's own screen, in a terminal that tmux keeps: typed at, and read as it changes.
Standard library and tmux."""

import shlex
import subprocess
import time

PROMPT = "Tidy up."
WIDTH, HEIGHT = 100, 45
# What an agent says when it waits for a prompt, and where it asks whether a call may run; the keys of a yes and a no.
SIGNS = {
    "claude-code": ("? for shortcuts", "Do you want to proceed?", ["Enter"], ["Escape"]),
    "codex": ("Ask Codex to do anything", None, None, None),
    "gemini-cli": ("Type your message", "Allow execution", ["Enter"], ["Escape"]),
    "opencode": ("Ask anything", None, None, None),
    "pi": ("/ commands", "enter select", ["Enter"], ["Down", "Enter"]),
}
STARTING, ANSWERING = 60, 60


class Screen:
    """An agent at work in a terminal. Keeps each screen that was seen."""

    def __init__(self, name, directory, words, environment):
        self.session = f"behavior-{name}"
        self.seen = []
        self.end()
        told = " ".join(shlex.quote(f"{key}={value}") for key, value in environment.items() if key != "NO_COLOR")
        line = f"cd {shlex.quote(str(directory))} && exec env -i TERM=tmux-256color {told} {shlex.join(words)}"
        # The terminal stays for a last look.
        self.tmux("new-session", "-d", "-s", self.session, "-x", str(WIDTH), "-y", str(HEIGHT), f"{line}; sleep 600")

    @staticmethod
    def tmux(*words):
        done = subprocess.run(["tmux", *words], text=True, capture_output=True)
        return done.stdout if done.returncode == 0 else ""

    def look(self):
        """What is on the screen."""
        screen = self.tmux("capture-pane", "-p", "-t", self.session).rstrip()
        if not self.seen or self.seen[-1] != screen:
            self.seen.append(screen)
        return screen

    def wait_for(self, text, seconds):
        """Waits until a text is on the screen; whether it is."""
        return self.wait_until(lambda: text in self.look(), seconds)

    def wait_until(self, holds, seconds):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.look()
            if holds():
                return True
            time.sleep(0.2)
        return False

    def type(self, text):
        self.tmux("send-keys", "-t", self.session, "-l", text)

    def press(self, *keys):
        for key in keys:
            self.tmux("send-keys", "-t", self.session, key)
            time.sleep(0.3)

    def showed(self, text):
        """Whether a text was to be seen at some time: its first words, since what lies over a screen breaks lines."""
        beginning = " ".join(text.split()[:3])
        return any(beginning in " ".join(line.split()) for screen in self.seen for line in screen.splitlines())

    def end(self):
        self.tmux("kill-session", "-t", self.session)


def work(name, screen, agrees, done):
    """Gives an agent its prompt and answers what it asks, until `done` holds. Returns whether it asked."""
    ready, question, yes, no = SIGNS[name]
    screen.wait_for(ready, STARTING)
    # Some take keys a little later than they say so.
    time.sleep(2)
    screen.type(PROMPT)
    time.sleep(1)
    screen.press("Enter")
    asked = False
    if question is not None:
        asked = screen.wait_for(question, ANSWERING)
        if asked:
            time.sleep(0.5)
            screen.press(*(yes if agrees else no))
    # After a no, some end the turn, and nothing more is told.
    screen.wait_until(done, ANSWERING if agrees else ANSWERING / 4)
    time.sleep(2)
    screen.look()
    return asked
