//! Events to try a hook with, and what an agent makes of the answer before a tool runs. The events are
//! shaped like those that agents send; what they speak of is never run.

use serde_json::Value;

use crate::adapter::{ProbeCall, Protocol};
use crate::notice::Answer;
use crate::registry::Agent;

/// What a hook is tried with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe<'a> {
    /// A call that no rule has anything against: reading a file, or what comes next to it.
    Harmless,
    /// The call of a shell with this command.
    Command(&'a str),
    /// An event that is cut off.
    Malformed,
}

/// What an agent does with the call that it told its hook of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes its own way.
    Runs,
    /// It asks its user, with this reason.
    Asks(String),
    /// It does not run the call, for this reason.
    Refuses(String),
    /// It makes nothing of the answer, and runs the call. What is wrong with it, for people.
    Ignores(String),
}

impl Agent {
    /// Returns the event that the agent would send in `session` and `cwd`.
    #[must_use]
    pub fn probe(self, probe: Probe<'_>, session: &str, cwd: &str) -> String {
        let command = match probe {
            Probe::Command(command) => Some(command),
            Probe::Harmless | Probe::Malformed => None,
        };
        let text = self.adapter().probe(&ProbeCall { command, session, cwd }).to_string();
        match probe {
            // The last characters close what was opened.
            Probe::Malformed => text.trim_end_matches('}').to_owned(),
            Probe::Harmless | Probe::Command(_) => text,
        }
    }

    /// Returns what the agent does when its hook answers so to a probe.
    #[must_use]
    pub fn outcome(self, answer: &Answer) -> Outcome {
        let facts = self.adapter().facts();
        let said = answer.stderr.trim();
        let ended = |what: &str| format!("it ended with exit code {}{what}", answer.exit_code);
        match answer.exit_code {
            0 => outcome_of(facts.protocol, answer.stdout.trim()),
            _ if facts.protocol == Protocol::Verdict => Outcome::Refuses(said.to_owned()),
            2 if !said.is_empty() => Outcome::Refuses(said.to_owned()),
            2 if facts.refuses_in_silence => Outcome::Refuses(String::new()),
            2 => Outcome::Ignores(ended(" and said nothing")),
            _ if said.is_empty() => Outcome::Ignores(ended("")),
            _ => Outcome::Ignores(ended(&format!(": {said}"))),
        }
    }
}

fn outcome_of(protocol: Protocol, stdout: &str) -> Outcome {
    if stdout.is_empty() {
        return match protocol {
            Protocol::Permission | Protocol::Verdict => {
                Outcome::Ignores("it answered nothing".to_owned())
            }
            Protocol::HookSpecific | Protocol::Decision => Outcome::Runs,
        };
    }
    let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(stdout) else {
        return Outcome::Ignores("its answer is not JSON".to_owned());
    };
    let text = |value: &Value, key: &str| {
        value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let inner = value.get("hookSpecificOutput").cloned().unwrap_or_default();
    let (decision, reason) = match protocol {
        Protocol::HookSpecific if text(&inner, "hookEventName") == "PreToolUse" => {
            (text(&inner, "permissionDecision"), text(&inner, "permissionDecisionReason"))
        }
        Protocol::HookSpecific | Protocol::Decision => {
            (text(&value, "decision"), text(&value, "reason"))
        }
        Protocol::Permission => (text(&value, "permission"), text(&value, "user_message")),
        Protocol::Verdict => (text(&value, "verdict"), text(&value, "reason")),
    };
    match &*decision {
        "deny" | "block" => Outcome::Refuses(reason),
        "ask" => Outcome::Asks(reason),
        "allow" => Outcome::Runs,
        _ if protocol == Protocol::Verdict => {
            Outcome::Ignores("its answer has no verdict".to_owned())
        }
        _ => Outcome::Runs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::{HookEvent, Reply};
    use behavior_runtime::Verdict;
    use behavior_runtime::event::Event;

    #[test]
    fn probes_are_read_as_what_they_are() {
        for agent in Agent::ALL {
            for (probe, tools) in [
                (Probe::Harmless, ["read", "bash"].as_slice()),
                (Probe::Command("rm -rf /"), &["bash"]),
            ] {
                let text = agent.probe(probe, "behavior-doctor-1", "/home/dev");
                let notice = agent.read(&text).expect("an event");
                assert_eq!(notice.hook_event, HookEvent::BeforeTool, "{text}");
                assert_eq!(notice.session, "behavior-doctor-1", "{text}");
                assert!(!notice.counts_elsewhere, "{text}");
                let Some(Event::ToolCall(call)) = notice.events.first() else { panic!("{text}") };
                assert!(tools.contains(&&*call.tool), "{text}");
            }
            let text = agent.probe(Probe::Malformed, "s", "/home/dev");
            assert!(agent.read(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn our_own_answers_are_understood() {
        for agent in Agent::ALL {
            let text = agent.probe(Probe::Command("x"), "s", "/home/dev");
            let notice = agent.read(&text).expect("an event");
            let answer = |verdict: Option<Verdict>| {
                let reply = Reply { verdict, reason: "why".to_owned(), ..Reply::default() };
                agent.outcome(&agent.answer(&notice, &reply))
            };
            assert_eq!(answer(None), Outcome::Runs, "{}", agent.name());
            assert!(matches!(answer(Some(Verdict::Deny)), Outcome::Refuses(why) if why == "why"));
            let asked = answer(Some(Verdict::Ask));
            let asks = agent.abilities().asks && notice.about.headless != Some(true);
            assert_eq!(matches!(asked, Outcome::Asks(_)), asks, "{}", agent.name());
            assert_eq!(matches!(asked, Outcome::Refuses(_)), !asks, "{}", agent.name());
            let refused = agent.outcome(&agent.refuse("no"));
            assert_eq!(refused, Outcome::Refuses("behavior: no".to_owned()));
        }
    }

    #[test]
    fn what_agents_pass_over_is_no_refusal() {
        let check = |agent: Agent, exit_code: u8, stdout: &str, stderr: &str, ignored: bool| {
            let (stdout, stderr) = (stdout.to_owned(), stderr.to_owned());
            let answer = Answer { stdout, stderr, exit_code, later: Vec::new() };
            let outcome = agent.outcome(&answer);
            assert_eq!(matches!(outcome, Outcome::Ignores(_)), ignored, "{outcome:?} {answer:?}");
        };
        for agent in [Agent::ClaudeCode, Agent::Codex, Agent::GeminiCli, Agent::Cursor] {
            check(agent, 1, "", "oops", true);
            check(agent, 127, "", "sh: not found", true);
            check(agent, 0, "a note\n{}", "", true);
            check(agent, 2, "", "why", false);
        }
        check(Agent::ClaudeCode, 2, "", "", false);
        check(Agent::Codex, 2, "", "", true);
        check(Agent::Cursor, 0, "", "", true);
        check(Agent::Pi, 0, "{}", "", true);
        check(Agent::Pi, 1, "", "", false);
        let wrong = Answer { stdout: r#"{"decision":"deny"}"#.to_owned(), ..Answer::default() };
        assert!(matches!(Agent::GeminiCli.outcome(&wrong), Outcome::Refuses(_)));
    }
}
