//! `generateContent` and `streamGenerateContent` of Gemini.

use serde_json::{Value, json};

use super::exchange::{Body, MODEL, Protocol, Request, Say, list, text};

pub struct GenerateContent;

impl Protocol for GenerateContent {
    fn is_question(&self, path: &str) -> bool {
        path.ends_with("generatecontent")
    }

    fn read(&self, request: &Value) -> Request {
        let contents = list(request.get("contents")).iter();
        let parts = contents.flat_map(|content| list(content.get("parts")));
        let tools = list(request.get("tools")).iter();
        let functions = tools.flat_map(|tool| list(tool.get("functionDeclarations")));
        Request {
            tools: functions.map(|function| text(function, "name").into()).collect(),
            results: parts
                .filter_map(|part| part.get("functionResponse").map(Value::to_string))
                .collect(),
        }
    }

    fn write(&self, path: &str, _request: &Value, say: &Say<'_>) -> Body {
        let part = match say {
            Say::Call(_, tool, arguments) => {
                json!({"functionCall": {"name": tool, "args": arguments}})
            }
            Say::Text(said) => json!({"text": said}),
        };
        let reply = json!({
            "candidates": [
                {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"},
            ],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": MODEL,
        });
        match path.contains("streamgeneratecontent") {
            true => Body::events([(None, reply.to_string())]),
            false => Body::json(&reply),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_and_results_are_read_and_a_call_is_streamed() {
        let request = json!({
            "tools": [{"functionDeclarations": [{"name": "run_shell_command"}, {"name": "x"}]}],
            "contents": [
                {"parts": [{"text": "hi"}]},
                {"parts": [{"functionResponse": {"response": {"output": "no"}}}]},
            ],
        });
        let read = GenerateContent.read(&request);
        assert_eq!((read.tools.len(), read.results.len()), (2, 1));
        let call = Say::Call(1, "run_shell_command", json!({"command": "ls"}));
        let body = GenerateContent.write("/m:streamgeneratecontent", &request, &call);
        assert!(body.text.starts_with("data: {"), "{}", body.text);
        assert!(body.text.contains(r#""args":{"command":"ls"}"#), "{}", body.text);
        let body = GenerateContent.write("/m:generatecontent", &request, &Say::Text("done"));
        let reply: Value = serde_json::from_str(&body.text).unwrap();
        assert_eq!(reply["candidates"][0]["content"]["parts"][0]["text"], "done");
    }

    #[test]
    fn what_is_no_request_holds_nothing() {
        for request in [json!(null), json!({"contents": [1], "tools": [{"name": 1}]})] {
            assert_eq!(GenerateContent.read(&request), Request::default());
        }
    }
}
