//! The errors of the language server that OpenCode puts behind the result of an edit: those of the edited
//! file, and no others. As of 1.18.

use std::borrow::Cow;

use behavior_facts::tool_catalogue::is_editing;
use behavior_runtime::event::Value;

use crate::lint::Errors;
use crate::object::Object;

/// What stands above the errors of the edited file.
const HEADINGS: &[&str] = &["This file has errors, please fix", "LSP errors detected in this file"];

/// What one of them begins with.
const ERROR: &str = "ERROR ";

/// The result of a call of `tool`, with a list of the errors that it tells of.
pub(crate) fn with_errors<'a>(tool: &str, result: Option<Value<'a>>) -> Option<Value<'a>> {
    let errors = match &result {
        Some(Value::Text(text)) if is_editing(tool) => errors(text),
        _ => Errors::default(),
    };
    match result {
        Some(Value::Text(text)) if !errors.is_empty() => {
            let mut object = Object::new();
            object.text("output", &text);
            object.json("lint", &errors.list());
            Some(Value::Json(Cow::Owned(object.finish())))
        }
        result => result,
    }
}

fn errors(text: &str) -> Errors {
    let mut errors = Errors::default();
    let headings = HEADINGS.iter().filter_map(|heading| text.find(heading));
    let Some(told) = headings.min().and_then(|at| text.get(at..)) else { return errors };
    let lines = told.lines().skip(1).take_while(|line| !line.starts_with("</"));
    lines.filter_map(|line| line.trim_start().strip_prefix(ERROR)).for_each(|line| {
        errors.push(line);
    });
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_errors_of_the_edited_file_are_found() {
        let check = |tool: &str, text: &'static str, expect: &str| {
            let told = with_errors(tool, Some(Value::Text(Cow::Borrowed(text))));
            let Some(Value::Text(told) | Value::Json(told)) = told else { return };
            assert_eq!(told, expect);
        };
        check(
            "edit",
            "Done.\nLSP errors detected in this file, please fix:\n<diagnostics file=\"a\">\n\
             ERROR [1:2] no `x`\n</diagnostics>\n\nLSP errors detected in other files:\n\
             <diagnostics file=\"b\">\nERROR [3:4] no `y`\n</diagnostics>",
            "{\"output\":\"Done.\\nLSP errors detected in this file, please fix:\\n<diagnostics \
             file=\\\"a\\\">\\nERROR [1:2] no `x`\\n</diagnostics>\\n\\nLSP errors detected in other \
             files:\\n<diagnostics file=\\\"b\\\">\\nERROR [3:4] no `y`\\n</diagnostics>\",\
             \"lint\":[{\"severity\":\"error\",\"message\":\"[1:2] no `x`\"}]}",
        );
        check("write", "Wrote file successfully.", "Wrote file successfully.");
        check(
            "read",
            "This file has errors, please fix\nERROR x",
            "This file has errors, please fix\nERROR x",
        );
    }
}
