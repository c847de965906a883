//! What a run of an agent proves: from what happened to the two calls, from what its model was told, and from what the
//! log of the run says. Looks at facts, and starts and reads nothing.

use serde_json::Value;

use super::stage::RULE;
use super::start::Ended;
use crate::doctor::finding::Finding;
use crate::doctor::live::model::Talk;
use crate::render::one_line;

/// What was seen.
pub struct Facts<'a> {
    pub agent: &'static str,
    /// The program that was started.
    pub program: &'a str,
    /// How long it may take, in seconds.
    pub limit: u64,
    pub ended: Ended,
    /// The end of what it printed.
    pub output: &'a str,
    pub talk: Talk,
    /// Whether the call ran that no rule is against, and the one that is stopped.
    pub twin_ran: bool,
    pub canary_ran: bool,
    pub log: Log,
}

/// What the log of a run says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// How often the hook was called about a call.
    pub calls: usize,
    /// Whether it refused the canary.
    pub has_denial: bool,
    /// The rules that stopped another call.
    pub others: Vec<String>,
    /// What failed in it.
    pub failure: Option<String>,
}

/// Words by which agents say that nobody has logged in.
const LOGIN: [&str; 8] = [
    "log in",
    "login",
    "logged in",
    "sign in",
    "authenticat",
    "api key",
    "unauthorized",
    "auth method",
];

impl Log {
    /// Reads the lines of a log; those that are none are passed over.
    pub fn read(text: &str) -> Self {
        let mut log = Self::default();
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let word = |name: &str| line.get(name).and_then(Value::as_str);
            if let Some(failure) = word("failure") {
                log.failure.get_or_insert_with(|| failure.to_owned());
            }
            if word("event") != Some("tool_call") {
                continue;
            }
            log.calls += 1;
            if matches!(word("verdict"), None | Some("allow")) {
                continue;
            }
            let rules = line.get("rules").and_then(Value::as_array);
            let rules = rules.into_iter().flatten().filter_map(Value::as_str);
            let rules: Vec<String> = rules.map(str::to_owned).collect();
            match rules.iter().any(|rule| rule == RULE) {
                true => log.has_denial = true,
                false => log.others.extend(rules),
            }
        }
        log.others.sort();
        log.others.dedup();
        log
    }
}

impl Facts<'_> {
    /// Returns what is to be said of it.
    pub fn finding(&self) -> Finding {
        if let Ended::NotStarted(reason) = &self.ended {
            let message = format!("`{}` cannot be started: {reason}", self.program);
            return Finding::error("not started", message);
        }
        if self.canary_ran {
            return self.let_through();
        }
        // What the model was to be told may be missing since there was no time for it.
        if self.ended == Ended::TimedOut && !self.talk.was_told {
            return self.too_long();
        }
        if self.log.has_denial {
            return self.stopped();
        }
        match self.talk.asked {
            2 => self.nothing_ran(),
            _ => self.ended_early(),
        }
    }

    /// The canary ran.
    fn let_through(&self) -> Finding {
        let agent = self.agent;
        if self.log.has_denial {
            let message = format!(
                "the hook was called and refused the canary, and {agent} ran it all the same: this version takes answers \
                 otherwise. Look for a newer `behavior`, and until then do not rely on blocks in {agent}"
            );
            return Finding::error("ignored", message);
        }
        if self.log.calls == 0 {
            let message = format!(
                "{agent} ran the canary and did not call the hook{}, or called it with `BEHAVIOR=off`: look at what is said \
                 above of whether it is called, and let `behavior init --agent {agent}` set it anew",
                self.failure()
            );
            return Finding::error("not called", message);
        }
        let message = format!(
            "{agent} called the hook, which let the canary run{}: it goes by other rules than those of the folder that it \
             is called in. Look for `BEHAVIOR=off` and other variables that are set for it",
            self.failure()
        );
        Finding::error("let through", message)
    }

    /// The hook refused the canary, and it did not run.
    fn stopped(&self) -> Finding {
        let agent = self.agent;
        if !self.talk.was_told {
            let message = format!(
                "the canary did not run, but the model of {agent} was not told why: it may try the same again. Look for a \
                 newer `behavior`"
            );
            return Finding::warning("blocked", message);
        }
        if self.twin_ran {
            let message = format!(
                "seen: {agent} ran the harmless call, did not run the canary, and told its model why"
            );
            return Finding { message, ..Finding::good("blocked") };
        }
        let others = match self.log.others.as_slice() {
            [] => "something else than the hook stopped".to_owned(),
            rules => format!("your rules stopped ({})", one_line(&rules.join(", "))),
        };
        let message = format!(
            "{agent} did not run the canary, and told its model why; {others} the harmless call as well, which proves \
             less"
        );
        Finding::warning("blocked", message)
    }

    /// The model asked for both calls, and neither the hook nor the agent has done anything with the canary.
    fn nothing_ran(&self) -> Finding {
        let agent = self.agent;
        if !self.log.others.is_empty() {
            let message = format!(
                "{agent} did not run the canary, but it was not the rule of this run that stopped it: {}",
                one_line(&self.log.others.join(", "))
            );
            return Finding::warning("blocked", message);
        }
        let message = format!(
            "{agent} did not run the canary, and its hook was not asked about it{}: its own permissions may have refused \
             the call, which proves nothing about the hook{}",
            self.failure(),
            self.last_words()
        );
        Finding::error("nothing ran", message)
    }

    fn too_long(&self) -> Finding {
        let message = format!(
            "{} was not done after {} s and was ended: {}. Try a longer `--timeout`, or start it once by hand{}",
            self.agent,
            self.limit,
            self.reached(),
            self.last_words()
        );
        Finding::error("too long", message)
    }

    fn ended_early(&self) -> Finding {
        let agent = self.agent;
        let printed = self.output.to_lowercase();
        if self.talk.questions == 0 && LOGIN.iter().any(|word| printed.contains(word)) {
            let message = format!(
                "{agent} wants somebody to log in before it asks a model, although it was given a model that needs no \
                 login: this version is started otherwise. Look for a newer `behavior`{}",
                self.last_words()
            );
            return Finding::error("login", message);
        }
        let code = match self.ended {
            Ended::Exited(Some(code)) => format!("with exit code {code}"),
            _ => "by a signal".to_owned(),
        };
        let message = format!(
            "{agent} ended {code} before it made the canary call: {}. Start it once by hand and see what it says{}",
            self.reached(),
            self.last_words()
        );
        Finding::error("ended early", message)
    }

    /// How far it came.
    fn reached(&self) -> &'static str {
        match (self.talk.questions, self.talk.has_shell, self.talk.asked) {
            (0, ..) => "it did not ask its model anything",
            (_, false, _) => "it offered its model no tool that runs shell commands",
            (.., 1) => "it did not come back with the result of the harmless call",
            _ => "it did not come back with the result of the canary",
        }
    }

    fn failure(&self) -> String {
        let failure = self.log.failure.as_deref().map(one_line);
        failure.map_or_else(String::new, |failure| format!(" (it failed: {failure})"))
    }

    /// The last line that it printed.
    fn last_words(&self) -> String {
        const MAX: usize = 200;
        let last = self.output.lines().rev().find(|line| !line.trim().is_empty());
        let last = last.map(|line| line.trim().chars().take(MAX).collect::<String>());
        last.map_or_else(String::new, |line| format!("; it said: `{}`", one_line(&line)))
    }
}
