//! `behavior mcp`: what agents can ask for themselves, over the Model Context Protocol. They can add rules for their
//! session, see beforehand what would be decided, and be told why. Nothing here makes a rule laxer: what is added
//! is the agent's own, and nothing that a user or a project said is touched.

mod chosen;
mod constitution;
mod explained;
mod preflight;
mod resources;
mod schemas;
mod served;
mod status;

use std::sync::Arc;

use behavior_mcp::{Answer, Resource, Tool, Toolbox};
use serde_json::{Map, Value};

use crate::args::{McpArgs, RuleArgs};
use crate::live::grants::Grants;
use crate::live::usual_directory;
use crate::terminal::{Exit, Failure, Terminal};
use crate::{person, project, session_rules, without_secrets};

use served::{Refused, Served};

/// Serves until the client leaves, or the process ends.
///
/// # Errors
/// When nothing says where sessions are kept, or the address cannot be had.
pub fn run(args: &McpArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let state = usual_directory(|name| std::env::var_os(name)).ok_or_else(|| {
        let message =
            "nothing says where sessions are kept; set `BEHAVIOR_STATE_DIR` to a directory";
        Failure::Message(message.to_owned())
    })?;
    let folder = std::env::current_dir()?;
    let toolbox = Arc::new(Served {
        rules: RuleArgs { allow_unknown_conditions: true, ..args.rules.clone() },
        agent: args.agent.clone().or_else(|| person::agent().map(str::to_owned)),
        state: std::path::absolute(&state)?,
        project: Grants::project_of(&folder),
        folder,
    });
    // The first rule of a session is not to wait until the standard library is read.
    std::thread::spawn(session_rules::prepare);
    match args.http {
        None => behavior_mcp::serve_stdio(toolbox)?,
        Some(address) => {
            let token = token(args)?;
            let is_made_up = args.token_file.is_none();
            let told = token.clone();
            let started = |address| {
                terminal.say(&format!("serving on http://{address}/\n"));
                if is_made_up {
                    terminal.say(&format!("token: {told}\n"));
                }
            };
            behavior_mcp::serve_http(toolbox, address, token, started).map_err(|error| {
                Failure::Message(format!("cannot serve: {}", project::describe(&error)))
            })?;
        }
    }
    Ok(Exit::Clean)
}

/// The token: the first line of the file, else one that nobody can guess.
fn token(args: &McpArgs) -> Result<String, Failure> {
    /// Shorter ones could be guessed.
    const SHORTEST: usize = 16;
    let Some(file) = &args.token_file else {
        return Ok(crate::random::name::<24>()?);
    };
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::Message(format!("cannot read `{file}`: {}", project::describe(&error)))
    })?;
    let token = text.lines().next().unwrap_or_default().trim();
    if token.len() < SHORTEST || !token.chars().all(|sign| sign.is_ascii_graphic()) {
        let message =
            format!("`{file}` holds no token: it is at least {SHORTEST} visible ASCII characters");
        return Err(Failure::Message(message));
    }
    Ok(token.to_owned())
}

fn cleaned(result: Value) -> Value {
    without_secrets::data(&result).unwrap_or(result)
}

impl Toolbox for Served {
    fn instructions(&self) -> String {
        "Rules that this session works under. Before a risky call, `preflight` says what would be decided on it; \
         after one that was blocked, `explain_decision` says why and what would satisfy the rule. \
         `update_constitution` adds a rule for this session alone: use it when the user states a rule for the \
         rest of the session. Rules can only be made stricter here."
            .to_owned()
    }

    fn tools(&self) -> Vec<Tool> {
        schemas::tools()
    }

    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Option<Answer> {
        let tool = schemas::tools().into_iter().find(|tool| tool.name == name)?;
        let result = schemas::check(&tool, arguments).and_then(|()| match name {
            "update_constitution" => constitution::update(self, arguments),
            "reset_constitution" => constitution::reset(self, arguments),
            "get_constitution" => constitution::get(self, arguments),
            "preflight" => preflight::call(self, arguments),
            "explain_decision" => explained::call(self, arguments),
            _ => status::call(self, arguments),
        });
        Some(match result {
            Ok(result) => Answer { result, is_error: false },
            // What a client got wrong may be a secret in the wrong place.
            Err(Refused(result)) => Answer { result: cleaned(result), is_error: true },
        })
    }

    fn resources(&self) -> Vec<Resource> {
        resources::all()
    }

    fn read(&self, uri: &str) -> Option<Result<String, String>> {
        resources::read(self, uri)
    }
}
