//! The classifier in a program of one's own, with a stand-in for the model: what is asked, and what an answer comes to.
//! `cargo run -p behavior-tests --example classifier_stub`

use std::error::Error;
use std::sync::Arc;

use behavior_compiler::compile;
use behavior_runtime::conversation::Conversation;
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest};
use behavior_runtime::{Event, FactHost, LayeredSession, Layers};
use behavior_tests::provider;

/// Whoever answers: a function from a request to a reply.
type Model<'a> = &'a dyn Fn(&ModelRequest) -> Result<ModelReply, ModelFailure>;

/// Begins a turn with what the user says, and returns what the agent is told besides.
pub fn begin_turn(
    session: &mut LayeredSession,
    conversation: &mut Conversation,
    message: &str,
    model: Model<'_>,
) -> Option<String> {
    let event = Event::TurnStart { text: Some(message.into()) };
    let decision = session.apply(&event, &mut FactHost::default());
    let mut directive = None;
    if decision.classifier.is_some_and(|due| due.runs) {
        let request = session.classifier_request(&conversation.turn(message))?;
        // A model that fails costs the turn nothing.
        match model(&request) {
            Ok(reply) => {
                let event = Event::ClassifierReply { raw: reply.raw.into() };
                let decision = session.apply(&event, &mut FactHost::default());
                directive = decision.besides().directive.clone();
            }
            Err(failure) => eprintln!("not classified: {failure}"),
        }
    }
    conversation.note(&event);
    directive
}

/// Begins two turns, of which one is classified.
pub fn main() -> Result<(), Box<dyn Error>> {
    let files = provider(&[("behavior.yaml", "profile: dev\nclassify_turns: true\n")]);
    let image = compile(&files, "behavior.yaml").image.ok_or("the rules have errors")?;
    let mut session = LayeredSession::new(Arc::new(Layers::from(Arc::new(image))));
    let mut conversation = Conversation::default();
    let model = |request: &ModelRequest| {
        println!("asked within {:?}:\n{}", request.timeout, request.user);
        let raw = r#"{"complexity": "complex", "approach": "explore_first", "risk": "high",
                      "directives": ["Find out who calls it before you rename it."]}"#;
        Ok(ModelReply { raw: raw.to_owned(), ..ModelReply::default() })
    };
    for message in ["rename `parse` everywhere", "ok"] {
        match begin_turn(&mut session, &mut conversation, message, &model) {
            Some(directive) => println!("the agent is told:\n{directive}\n"),
            None => println!("nothing is told about `{message}`"),
        }
    }
    Ok(())
}
