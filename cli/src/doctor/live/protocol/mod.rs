//! The protocols that agents speak with their models, as far as a scripted model needs them: what a request offers and
//! holds, and an answer that asks for one call or says a text. Knows no agent, and opens no connection.

mod chat_completions;
mod exchange;
mod generate_content;
mod messages;
mod responses;

use behavior_agents::headless::ModelApi;

pub use exchange::{Body, Protocol, Say};

/// Returns the protocol of that name.
pub fn of(api: ModelApi) -> &'static dyn Protocol {
    match api {
        ModelApi::Messages => &messages::Messages,
        ModelApi::Responses => &responses::Responses,
        ModelApi::ChatCompletions => &chat_completions::ChatCompletions,
        ModelApi::GenerateContent => &generate_content::GenerateContent,
    }
}
