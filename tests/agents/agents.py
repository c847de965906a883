"""How real agents are set up to run with nobody at them, against a model that is a script: which words start each, its
variables, and the files that it wants in its home. The home lets it run commands unasked, so that it works the same
where it is started by its bare name. Standard library only."""

import json


class Setup:
    """What an agent needs to be started: `words` before the prompt, and `environment`; `at_terminal` are the words
    with which a person starts it, if not its bare name."""

    def __init__(self, words, environment=None, at_terminal=None):
        self.words = words
        self.at_terminal = at_terminal
        self.environment = environment or {}


def claude_code(home, project, model):
    write_json(home / ".claude/settings.json", {"permissions": {"allow": ["Bash", "mcp__behavior"]}})
    # A server of a project is used once somebody has said yes to it.
    write_json(home / ".claude.json", {
        "hasCompletedOnboarding": True,
        "customApiKeyResponses": {"approved": ["none"], "rejected": []},
        "projects": {str(project): {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["behavior"]}},
    })
    environment = {
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        # Its own guard against being run by the administrator: the directory is a scratch one.
        "IS_SANDBOX": "1",
        # All tools are told to the model from the start.
        "ENABLE_TOOL_SEARCH": "false",
    }
    return Setup(["claude", "-p", "--dangerously-skip-permissions"], environment)


def codex(home, project, model):
    write(home / ".codex/config.toml", f"""model = "scripted"
model_provider = "scripted"
sandbox_mode = "danger-full-access"
approval_policy = "never"
[model_providers.scripted]
name = "scripted"
base_url = "{model.url}/v1"
wire_api = "responses"
requires_openai_auth = false
[projects."{project}"]
trust_level = "trusted"
""")
    words = ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    return Setup([*words, "--dangerously-bypass-hook-trust"], at_terminal=["codex", "--dangerously-bypass-hook-trust"])


def gemini_cli(home, project, model):
    write_json(home / ".gemini/settings.json", {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "model": {"name": "gemini-2.5-flash"},
        "tools": {"allowed": ["run_shell_command"]},
    })
    # `--skip-trust` comes too late for it: the hooks of the project are not read then.
    write_json(home / ".gemini/trustedFolders.json", {str(project): "TRUST_FOLDER"})
    environment = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model.url}
    return Setup(["gemini", "--yolo", "-p"], environment)


def opencode(home, project, model):
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": f"{model.url}/v1", "apiKey": "none"},
        "models": {"scripted": {"name": "scripted"}},
    }
    write_json(home / ".config/opencode/opencode.json", {
        "provider": {"scripted": provider},
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "autoupdate": False,
        "share": "disabled",
    })
    environment = {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
    return Setup(["opencode", "run", "--model", "scripted/scripted"], environment)


def pi(home, project, model):
    provider = {
        "baseUrl": f"{model.url}/v1",
        "api": "openai-completions",
        "apiKey": "none",
        "models": [{"id": "scripted"}],
    }
    write_json(home / ".pi/agent/models.json", {"providers": {"scripted": provider}})
    write_json(home / ".pi/agent/settings.json", {"defaultProvider": "scripted", "defaultModel": "scripted"})
    # From 0.79 on it loads extensions only of projects that were approved.
    write_json(home / ".pi/agent/trust.json", {str(project): True})
    words = ["--provider", "scripted", "--model", "scripted"]
    return Setup(["pi", "-p", *words], {"PI_OFFLINE": "1"}, at_terminal=["pi", *words])


AGENTS = {
    "claude-code": claude_code,
    "codex": codex,
    "gemini-cli": gemini_cli,
    "opencode": opencode,
    "pi": pi,
}

# What each is called on the command line.
BINARIES = {
    "claude-code": "claude",
    "codex": "codex",
    "gemini-cli": "gemini",
    "opencode": "opencode",
    "pi": "pi",
}

def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_json(path, value):
    write(path, json.dumps(value))
