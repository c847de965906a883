//! How a plan is got from a language model: what it is told, when it is asked again, and what its replies come to. Asks
//! nobody: whoever does hands the replies in.

use super::read::read;
use super::step::Checked;
use super::tools::{PlanTool, TOOLS};
use crate::registry::diagnostics as d;

/// What a model is told besides the request.
const SYSTEM: &str = include_str!("ask.md");
/// Where the tools stand in it.
const TOOLS_HERE: &str = "{{tools}}";
/// What is said where no JSON came.
const ONLY_JSON: &str = "Return ONLY a single valid JSON object matching the schema.";
/// What is said where a plan has no steps.
const SOME_STEPS: &str =
    "Your plan has no steps. If anything can be done about the request, plan the steps for it.";

/// A request on its way to a plan.
#[derive(Debug)]
pub struct Asking {
    request: String,
    history: Vec<String>,
    calls: u32,
    /// A plan without steps that came first.
    empty: Option<Answer>,
}

/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The system text.
    pub system: String,
    /// The user's message.
    pub user: String,
}

/// What the replies came to.
#[derive(Debug)]
pub struct Answer {
    /// The plan that was read, valid or not.
    pub checked: Checked,
    /// How often the model was asked.
    pub calls: u32,
}

/// What comes next.
#[derive(Debug)]
pub enum Next {
    /// The model is asked again.
    Ask(Question),
    /// There is nothing more to ask.
    Done(Box<Answer>),
}

impl Asking {
    /// Begins with what the user wants, and what was planned lately, a line each.
    #[must_use]
    pub fn new(request: &str, history: Vec<String>) -> Self {
        Self { request: request.to_owned(), history, calls: 0, empty: None }
    }

    /// Returns the first question.
    #[must_use]
    pub fn question(&self) -> Question {
        let mut user = String::new();
        if !self.history.is_empty() {
            user.push_str("Planned lately:\n");
            self.history.iter().for_each(|line| user.push_str(&format!("- {line}\n")));
            user.push('\n');
        }
        user.push_str(&format!("Request:\n{}\n", self.request));
        Question { system: system(), user }
    }

    /// Returns what comes of a reply. Replies that are no JSON and plans without steps are asked about again, once in
    /// all.
    #[must_use]
    pub fn reply(&mut self, raw: &str) -> Next {
        self.calls += 1;
        let checked = read("<reply>", json_in(raw));
        let is_readable = checked.diagnostics.iter().all(|one| one.kind.name != d::SYNTAX.name);
        let is_empty = is_readable && checked.is_valid() && checked.plan.steps.is_empty();
        let answer = Answer { checked, calls: self.calls };
        if self.calls > 1 {
            let stands = self.empty.take().filter(|_| !is_readable);
            let answer = stands.map_or(answer, |empty| Answer { calls: self.calls, ..empty });
            return Next::Done(Box::new(answer));
        }
        match (is_readable, is_empty) {
            (false, _) => self.again(ONLY_JSON),
            (true, true) => {
                self.empty = Some(answer);
                self.again(SOME_STEPS)
            }
            (true, false) => Next::Done(Box::new(answer)),
        }
    }

    fn again(&self, why: &str) -> Next {
        let Question { system, user } = self.question();
        Next::Ask(Question { system, user: format!("{user}\n{why}\n") })
    }
}

/// The JSON in a reply: all of it, else what stands from the first brace to the last.
fn json_in(raw: &str) -> &str {
    let whole = raw.trim();
    if serde_json::from_str::<serde::de::IgnoredAny>(whole).is_ok() {
        return whole;
    }
    let inner = raw.find('{').zip(raw.rfind('}')).and_then(|(start, end)| raw.get(start..=end));
    inner.unwrap_or(whole)
}

fn system() -> String {
    let tool = |tool: &PlanTool| {
        let names = |by_place: bool| {
            let wanted = tool.parameters.iter().filter(move |one| one.by_place == by_place);
            wanted.map(
                |one| if one.required { one.name.to_owned() } else { format!("{}?", one.name) },
            )
        };
        let args: Vec<String> = names(true).collect();
        let options: Vec<String> = names(false).collect();
        let options = match &*options {
            [] => String::new(),
            some => format!("; kwargs: {}", some.join(", ")),
        };
        format!("- {}: args [{}]{options}\n", tool.name, args.join(", "))
    };
    SYSTEM.replace(TOOLS_HERE, TOOLS.iter().map(tool).collect::<String>().trim_end())
}

#[cfg(test)]
mod tests {
    use super::{Asking, Next};

    const PLAN: &str = r#"{"steps": [{"tool": "ls"}], "explain": "look"}"#;
    const EMPTY: &str = r#"{"steps": [], "explain": "nothing to do"}"#;

    /// How many calls the replies take, how many steps the plan has, and whether it is valid.
    fn come_to(replies: &[&str]) -> (u32, usize, bool) {
        let mut asking = Asking::new("look around", Vec::new());
        let mut replies = replies.iter();
        loop {
            match asking.reply(replies.next().unwrap()) {
                Next::Ask(question) => assert!(question.user.contains("look around")),
                Next::Done(answer) => {
                    assert!(replies.next().is_none());
                    let steps = answer.checked.plan.steps.len();
                    return (answer.calls, steps, answer.checked.is_valid());
                }
            }
        }
    }

    #[test]
    fn it_is_asked_again_once_in_all() {
        assert_eq!(come_to(&[PLAN]), (1, 1, true));
        assert_eq!(come_to(&[&format!("Here it is:\n```json\n{PLAN}\n```\n")]), (1, 1, true));
        assert_eq!(come_to(&["I would rather not", PLAN]), (2, 1, true));
        assert_eq!(come_to(&["no", "no"]), (2, 0, false));
        assert_eq!(come_to(&[EMPTY, PLAN]), (2, 1, true));
        assert_eq!(come_to(&[EMPTY, EMPTY]), (2, 0, true));
        assert_eq!(come_to(&[EMPTY, "no"]), (2, 0, true));
        assert_eq!(come_to(&["no", EMPTY]), (2, 0, true));
        // What is no valid plan is not asked about again.
        assert_eq!(come_to(&["[]"]), (1, 0, false));
        assert_eq!(come_to(&[r#"{"steps": [{}], "explain": "e"}"#]), (1, 0, false));
        assert_eq!(come_to(&["no", r#"{"steps": 1}"#]), (2, 0, false));
    }

    #[test]
    fn the_question_names_every_tool() {
        let question = Asking::new("r", vec!["did this".to_owned()]).question();
        for tool in super::TOOLS {
            assert!(question.system.contains(&format!("- {}: args [", tool.name)));
        }
        assert!(question.user.contains("- did this\n") && !question.system.contains("{{"));
    }
}
