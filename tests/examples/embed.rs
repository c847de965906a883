//! Rules in a program of one's own: the example of the README, whole.

use std::error::Error;

use behavior_compiler::compile;
use behavior_tests::provider;

// [README]
use std::sync::Arc;

use behavior_runtime::event::{Call, Event, Param, Value};
use behavior_runtime::{FactHost, Image, ImageError, Session, Verdict};

/// Decides whether a command may run, by a compiled image.
pub fn decide(image: &[u8], command: &str) -> Result<Verdict, ImageError> {
    // Verified whole. Sessions share an image and have each their own state.
    let image = Arc::new(Image::from_bytes(image)?);
    let mut session = Session::new(image);
    // Knows of no files and no time. A host of yours answers from the real world.
    let mut host = FactHost::default();
    let value = Value::Text(command.into());
    let event = Event::ToolCall(Call {
        tool: "bash".into(),
        params: vec![Param { name: "command".into(), native: None, value }],
        ..Call::default()
    });
    let decision = session.apply(&event, &mut host);
    for finding in &decision.findings {
        println!("{}", finding.message);
    }
    Ok(decision.verdict())
}
// [README]

/// What `behavior compile -o rules.bhv` writes into a file.
pub fn image() -> Result<Vec<u8>, Box<dyn Error>> {
    let files = provider(&[("behavior.yaml", "profile: dev\n")]);
    let image = compile(&files, "behavior.yaml").image.ok_or("the rules have errors")?;
    Ok(image.as_bytes().to_vec())
}

#[allow(dead_code, reason = "the test of the README takes the functions above alone")]
fn main() -> Result<(), Box<dyn Error>> {
    let image = image()?;
    for command in ["ls", "git push --force origin main"] {
        println!("{command}: {}", decide(&image, command)?.name());
    }
    Ok(())
}
