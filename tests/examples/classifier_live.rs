//! The classifier in a program of one's own, with a model that is really asked.
//! `cargo run -p behavior-tests --example classifier_live -- http://127.0.0.1:11434/v1 qwen3:4b "rename it"`
//! A key, where the model wants one, stands in the environment variable `MODEL_KEY`.

use std::error::Error;
use std::sync::Arc;

use behavior_compiler::compile;
use behavior_models::ask;
use behavior_runtime::brain::{Backend, Brain};
use behavior_runtime::{Event, FactHost, LayeredSession, Layers, TurnView};
use behavior_tests::provider;

/// The environment variable that holds the key.
const KEY: &str = "MODEL_KEY";

/// Asks a model about a message, and returns what the agent would be told.
pub fn directive(address: &str, model: &str, message: &str) -> Result<String, Box<dyn Error>> {
    let files = provider(&[("behavior.yaml", "profile: dev\nclassify_turns: true\n")]);
    let image = compile(&files, "behavior.yaml").image.ok_or("the rules have errors")?;
    let mut session = LayeredSession::new(Arc::new(Layers::from(Arc::new(image))));
    let event = Event::TurnStart { text: Some(message.into()) };
    session.apply(&event, &mut FactHost::default());
    let turn = TurnView { message, ..TurnView::default() };
    let request = session.classifier_request(&turn).ok_or("the rules have no classifier")?;
    let brain = Brain {
        model: Some(model.to_owned()),
        base_url: Some(address.to_owned()),
        // Where a key is named, nobody is asked without it.
        key: std::env::var_os(KEY).map(|_| KEY.to_owned()),
        ..Brain::new("custom", Backend::OpenAiCompatible)
    };
    let reply = ask(&brain, &request, &|name| std::env::var(name).ok())?;
    let event = Event::ClassifierReply { raw: reply.raw.into() };
    let decision = session.apply(&event, &mut FactHost::default());
    Ok(match &decision.besides().directive {
        Some(directive) => directive.clone(),
        None => format!("no directive: {}", decision.besides().problems.join("; ")),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, model, message] = arguments.as_slice() else {
        return Err("give an address, a model and a message".into());
    };
    println!("{}", directive(address, model, message)?);
    Ok(())
}
