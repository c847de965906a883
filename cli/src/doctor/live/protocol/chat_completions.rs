//! The chat completions of OpenAI.

use serde_json::{Value, json};

use super::exchange::{Body, Protocol, Request, Say, is_streamed, list, model, text};

pub struct ChatCompletions;

impl Protocol for ChatCompletions {
    fn is_question(&self, path: &str) -> bool {
        path.ends_with("/chat/completions")
    }

    fn read(&self, request: &Value) -> Request {
        let tools = list(request.get("tools")).iter().filter_map(|tool| tool.get("function"));
        let messages = list(request.get("messages")).iter();
        let results = messages.filter(|message| text(message, "role") == "tool");
        Request {
            tools: tools.map(|function| text(function, "name").into()).collect(),
            results: results.map(Value::to_string).collect(),
        }
    }

    fn write(&self, _path: &str, request: &Value, say: &Say<'_>) -> Body {
        let (message, reason) = match say {
            Say::Text(said) => (json!({"role": "assistant", "content": said}), "stop"),
            Say::Call(number, tool, arguments) => {
                let call = json!({
                    "index": 0, "id": format!("call_{number}"), "type": "function",
                    "function": {"name": tool, "arguments": arguments.to_string()},
                });
                (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
            }
        };
        let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
        let reply = |object: &str, choice: Value| {
            json!({
                "id": "scripted", "created": 0, "model": model(request), "object": object,
                "choices": [choice], "usage": usage,
            })
        };
        if !is_streamed(request) {
            let choice = json!({"index": 0, "message": message, "finish_reason": reason});
            return Body::json(&reply("chat.completion", choice));
        }
        let part = |choice| (None, reply("chat.completion.chunk", choice).to_string());
        Body::events([
            part(json!({"index": 0, "delta": message, "finish_reason": null})),
            part(json!({"index": 0, "delta": {}, "finish_reason": reason})),
            (None, "[DONE]".to_owned()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_and_results_are_read_and_a_call_is_streamed() {
        let request = json!({
            "stream": true,
            "tools": [{"type": "function", "function": {"name": "bash"}}],
            "messages": [{"role": "user", "content": "hi"}, {"role": "tool", "content": "no"}],
        });
        let read = ChatCompletions.read(&request);
        assert_eq!((read.tools.as_slice(), read.results.len()), (&["bash".to_owned()][..], 1));
        let call = Say::Call(1, "bash", json!({"command": "ls"}));
        let body = ChatCompletions.write("/v1/chat/completions", &request, &call);
        assert!(body.text.contains(r#""arguments":"{\"command\":\"ls\"}""#), "{}", body.text);
        assert!(body.text.ends_with("data: [DONE]\n\n"), "{}", body.text);
        let body = ChatCompletions.write("/v1/chat/completions", &json!({}), &Say::Text("done"));
        let reply: Value = serde_json::from_str(&body.text).unwrap();
        assert_eq!(reply["choices"][0]["message"]["content"], "done");
    }

    #[test]
    fn what_is_no_request_holds_nothing() {
        for request in [json!(null), json!({"messages": [1], "tools": [{"name": 1}]})] {
            assert_eq!(ChatCompletions.read(&request), Request::default());
        }
    }
}
