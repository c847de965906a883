//! The messages of Anthropic.

use serde_json::{Value, json};

use super::exchange::{Body, Protocol, Request, Say, is_streamed, list, model, text};

pub struct Messages;

impl Protocol for Messages {
    fn is_question(&self, path: &str) -> bool {
        path.ends_with("/messages")
    }

    fn read(&self, request: &Value) -> Request {
        let messages = list(request.get("messages")).iter();
        let blocks = messages.flat_map(|message| list(message.get("content")));
        let results = blocks.filter(|block| text(block, "type") == "tool_result");
        Request {
            tools: list(request.get("tools"))
                .iter()
                .map(|tool| text(tool, "name").into())
                .collect(),
            results: results.map(Value::to_string).collect(),
        }
    }

    fn write(&self, _path: &str, request: &Value, say: &Say<'_>) -> Body {
        let (whole, empty, delta, reason) = match say {
            Say::Text(said) => (
                json!({"type": "text", "text": said}),
                json!({"type": "text", "text": ""}),
                json!({"type": "text_delta", "text": said}),
                "end_turn",
            ),
            Say::Call(number, tool, arguments) => {
                let id = format!("toolu_{number}");
                (
                    json!({"type": "tool_use", "id": id, "name": tool, "input": arguments}),
                    json!({"type": "tool_use", "id": id, "name": tool, "input": {}}),
                    json!({"type": "input_json_delta", "partial_json": arguments.to_string()}),
                    "tool_use",
                )
            }
        };
        let usage = json!({"input_tokens": 1, "output_tokens": 1});
        let is_whole = !is_streamed(request);
        let message = json!({
            "id": "msg_scripted", "type": "message", "role": "assistant", "model": model(request),
            "content": if is_whole { json!([whole]) } else { json!([]) },
            "stop_reason": if is_whole { json!(reason) } else { Value::Null },
            "stop_sequence": null, "usage": usage,
        });
        if is_whole {
            return Body::json(&message);
        }
        let ended = json!({"stop_reason": reason, "stop_sequence": null});
        let events = [
            json!({"type": "message_start", "message": message}),
            json!({"type": "content_block_start", "index": 0, "content_block": empty}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": ended, "usage": usage}),
            json!({"type": "message_stop"}),
        ];
        Body::events(events.iter().map(|event| (Some(text(event, "type")), event.to_string())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_and_results_are_read_and_a_call_is_streamed() {
        let request = json!({
            "model": "m", "stream": true, "tools": [{"name": "Bash"}],
            "messages": [
                {"role": "user", "content": "hi"},
                {"role": "user", "content": [{"type": "tool_result", "content": "no"}, {"type": "text"}]},
            ],
        });
        let read = Messages.read(&request);
        assert_eq!((read.tools.as_slice(), read.results.len()), (&["Bash".to_owned()][..], 1));
        assert!(read.results[0].contains("no"));
        let call = Say::Call(1, "Bash", json!({"command": "ls"}));
        let body = Messages.write("/v1/messages", &request, &call);
        assert_eq!(body.content_type, "text/event-stream");
        assert!(body.text.starts_with("event: message_start\ndata: {"), "{}", body.text);
        assert!(body.text.contains(r#""partial_json":"{\"command\":\"ls\"}""#), "{}", body.text);
        assert!(body.text.contains(r#""stop_reason":"tool_use""#), "{}", body.text);
        let body = Messages.write("/v1/messages", &json!({}), &Say::Text("done"));
        let message: Value = serde_json::from_str(&body.text).unwrap();
        assert_eq!(message["content"][0]["text"], "done");
        assert_eq!(message["stop_reason"], "end_turn");
    }

    #[test]
    fn what_is_no_request_holds_nothing() {
        for request in [json!(null), json!([1]), json!({"messages": 1, "tools": {"name": 2}})] {
            assert_eq!(Messages.read(&request), Request::default());
        }
        assert!(Messages.is_question("/x/v1/messages"));
        assert!(!Messages.is_question("/x/v1/messages/count_tokens"));
    }
}
