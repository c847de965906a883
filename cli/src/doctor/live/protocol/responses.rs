//! The responses of OpenAI.

use serde_json::{Value, json};

use super::exchange::{Body, Protocol, Request, Say, list, text};

pub struct Responses;

impl Protocol for Responses {
    fn is_question(&self, path: &str) -> bool {
        path.ends_with("/responses")
    }

    fn read(&self, request: &Value) -> Request {
        let items = list(request.get("input")).iter();
        let results = items.filter(|item| text(item, "type").ends_with("_call_output"));
        Request {
            tools: list(request.get("tools"))
                .iter()
                .map(|tool| text(tool, "name").into())
                .collect(),
            results: results.map(Value::to_string).collect(),
        }
    }

    /// They are always streamed: nobody asks for them otherwise.
    fn write(&self, _path: &str, _request: &Value, say: &Say<'_>) -> Body {
        let item = match say {
            Say::Call(number, tool, arguments) => json!({
                "type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_{number}"),
                "name": tool, "arguments": arguments.to_string(),
            }),
            Say::Text(said) => json!({
                "type": "message", "id": "msg_scripted", "role": "assistant",
                "content": [{"type": "output_text", "text": said, "annotations": []}],
            }),
        };
        let response = |output: &[&Value]| {
            json!({
                "id": "resp_scripted", "object": "response", "output": output,
                "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
            })
        };
        let events = [
            json!({"type": "response.created", "response": response(&[])}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": response(&[&item])}),
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
            "tools": [{"type": "function", "name": "exec_command"}, {"type": "web_search"}],
            "input": [
                {"type": "message", "content": []},
                {"type": "function_call_output", "call_id": "call_0", "output": "made"},
                {"type": "custom_tool_call_output", "output": "no"},
            ],
        });
        let read = Responses.read(&request);
        assert_eq!(read.tools, ["exec_command", ""]);
        assert_eq!(read.results.len(), 2);
        let call = Say::Call(2, "exec_command", json!({"cmd": "ls"}));
        let body = Responses.write("/v1/responses", &request, &call);
        assert!(body.text.contains(r#""arguments":"{\"cmd\":\"ls\"}""#), "{}", body.text);
        assert!(body.text.contains("event: response.completed\n"), "{}", body.text);
        let body = Responses.write("/v1/responses", &request, &Say::Text("done"));
        assert!(body.text.contains(r#""text":"done""#), "{}", body.text);
    }

    #[test]
    fn what_is_no_request_holds_nothing() {
        for request in [json!(null), json!({"input": "hi"}), json!({"input": [1], "tools": 1})] {
            assert_eq!(Responses.read(&request), Request::default());
        }
    }
}
