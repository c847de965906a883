//! What recordings do not say in so many words: which tools the agent has, and that a turn ended where its last
//! answer is followed by the user or by nothing. Native traces say both themselves, and are left as they are.

use std::borrow::Cow;

use behavior_runtime::event::Event;

use crate::hook::Agent;
use crate::sink::{HashMap, Item, Problem, Sink};

/// Hands on what a reader finds, completed.
pub(crate) struct Completed<'s> {
    sink: &'s mut dyn Sink,
    /// What each session's agent said last, if nothing came after it.
    said: HashMap<Box<str>, Said>,
    /// How many events were added.
    pub(crate) added: u64,
}

/// The last message of an agent, and where it stood. It is empty where something came after it.
#[derive(Default)]
struct Said {
    text: String,
    line: u32,
    ts: Option<i64>,
}

impl<'s> Completed<'s> {
    pub(crate) fn new(sink: &'s mut dyn Sink) -> Self {
        Self { sink, said: HashMap::default(), added: 0 }
    }

    /// Takes up what the agent of a session says.
    fn hear(&mut self, item: &Item<'_>, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let said = match self.said.get_mut(&*item.session) {
            Some(said) => said,
            None => self.said.entry((*item.session).into()).or_default(),
        };
        said.text.clear();
        said.text.push_str(text);
        (said.line, said.ts) = (item.line, item.ts);
    }

    /// Ends the turn of a session, if its agent had the last word.
    fn end_turn(&mut self, session: &str) {
        let Some(said) = self.said.get_mut(session).filter(|said| !said.text.is_empty()) else {
            return;
        };
        let Said { text, line, ts } = std::mem::take(said);
        let event = Event::TurnEnd { text: Some(Cow::Owned(text)) };
        self.added += 1;
        self.sink.item(Item { line, session: Cow::Borrowed(session), ts, event });
    }
}

impl Sink for Completed<'_> {
    fn item(&mut self, mut item: Item<'_>) {
        match &mut item.event {
            Event::Text { text } => {
                let text = text.clone();
                self.hear(&item, &text);
            }
            Event::ToolCall(_) => {
                if let Some(said) = self.said.get_mut(&*item.session) {
                    said.text.clear();
                }
            }
            Event::TurnStart { .. } => self.end_turn(&item.session),
            Event::SessionEnd => {
                self.end_turn(&item.session);
                self.said.remove(&*item.session);
            }
            Event::SessionStart(start) => {
                let agent = start.agent.as_deref().and_then(Agent::named);
                start.tools = start.tools.take().or_else(|| agent?.canonical_tools());
            }
            _ => {}
        }
        self.sink.item(item);
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }

    fn stop(&self) -> bool {
        self.sink.stop()
    }

    fn wants_exchanges(&self) -> bool {
        self.sink.wants_exchanges()
    }
}

#[cfg(test)]
mod tests {
    use behavior_runtime::event::{Call, SessionStart};

    use super::*;
    use crate::native::to_native;

    /// Keeps each event as a native line.
    #[derive(Default)]
    struct Lines(Vec<String>);

    impl Sink for Lines {
        fn item(&mut self, item: Item<'_>) {
            self.0.push(to_native(&item));
        }
        fn problem(&mut self, _: Problem) {}
    }

    fn completed(events: Vec<Event<'static>>) -> Vec<String> {
        let mut lines = Lines::default();
        let mut sink = Completed::new(&mut lines);
        for (line, event) in (1..).zip(events) {
            sink.item(Item { line, session: "s".into(), ts: None, event });
        }
        lines.0.into_iter().filter(|line| line.contains("turn_end")).collect()
    }

    fn text(text: &'static str) -> Event<'static> {
        Event::Text { text: text.into() }
    }

    #[test]
    fn a_turn_ends_where_the_agent_has_the_last_word() {
        let turn = || Event::TurnStart { text: None };
        let ends = completed(vec![turn(), text("Looking."), text("Done."), turn()]);
        assert_eq!(ends, [r#"{"event":"turn_end","session":"s","text":"Done."}"#]);
        let ends = completed(vec![turn(), text("Bye."), Event::SessionEnd]);
        assert_eq!(ends, [r#"{"event":"turn_end","session":"s","text":"Bye."}"#]);
    }

    #[test]
    fn no_turn_ends_in_a_call() {
        let call = Event::ToolCall(Call { tool: "bash".into(), ..Call::default() });
        let events = vec![text("Looking."), call, Event::TurnStart { text: None }];
        assert!(completed(events).is_empty());
        assert!(completed(vec![text(" \n"), Event::SessionEnd]).is_empty());
    }

    #[test]
    fn the_tools_of_a_known_agent_are_told() {
        let mut lines = Lines::default();
        let start = |agent: &'static str| {
            let agent = Some(agent.into());
            Event::SessionStart(SessionStart { agent, ..SessionStart::default() })
        };
        for agent in ["pi", "nobody"] {
            let event = start(agent);
            Completed::new(&mut lines).item(Item { line: 1, session: "s".into(), ts: None, event });
        }
        let [pi, nobody] = lines.0.as_slice() else { panic!("{:?}", lines.0) };
        assert!(pi.contains(r#""tools":["#) && pi.contains("bash"), "{pi}");
        assert!(!nobody.contains("tools"), "{nobody}");
    }
}
