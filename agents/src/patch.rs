//! The patch text of `apply_patch`, which several agents have: one call for each file that it adds,
//! changes, moves or deletes. Nothing is applied, and no file is looked at.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Param, Value};

use crate::payload::numbered;

/// A patch of more files is refused: that many calls could not be decided on in time.
const MAX_FILES: usize = 4_096;

/// What a patch does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Add,
    Delete,
    Update,
}

/// The part of a patch that is about one file.
#[derive(Debug)]
struct Section<'p> {
    act: Act,
    path: &'p str,
    moved_to: Option<&'p str>,
    /// Where its text starts and ends in the patch.
    start: usize,
    end: usize,
    old: String,
    new: String,
    /// What the file holds afterwards, as far as the patch shows it.
    after: String,
}

/// The calls that a patch stands for: an `edit`, a `write` or a `delete` for each file in it. A file
/// that is moved is edited at its old path and written at its new one. A text that is no patch stands
/// for one call of `apply_patch`.
///
/// `tool` and `param` are the agent's own names for the tool and for the parameter with the patch.
///
/// # Errors
///
/// When the patch is about too many files.
pub(crate) fn calls<'a>(
    tool: &Cow<'a, str>,
    param: &Cow<'a, str>,
    id: Option<&Cow<'a, str>>,
    patch: &str,
) -> Result<Vec<Call<'a>>, String> {
    let sections = sections(patch)?;
    let mut calls = Vec::new();
    let mut add = |canonical: &'static str, params: Vec<Param<'a>>| {
        let id = numbered(id, calls.len() + 1);
        let native_tool = (**tool != *canonical).then(|| tool.clone());
        calls.push(Call { id, tool: Cow::Borrowed(canonical), native_tool, params });
    };
    let whole = |text: &str| Param {
        name: Cow::Borrowed("patch"),
        native: (**param != *"patch").then(|| param.clone()),
        value: Value::Text(Cow::Owned(text.to_owned())),
    };
    if sections.is_empty() {
        add("apply_patch", vec![whole(patch)]);
    }
    for section in sections {
        let text = whole(patch.get(section.start..section.end).unwrap_or_default());
        let path = own("file_path", section.path.to_owned());
        match section.act {
            Act::Add => add("write", vec![path, own("content", section.after), text]),
            Act::Delete => add("delete", vec![path, text]),
            Act::Update => {
                let (old, new) = (own("old_string", section.old), own("new_string", section.new));
                let moved = section.moved_to.map(|to| {
                    vec![
                        own("file_path", to.to_owned()),
                        own("content", section.after),
                        text.clone(),
                    ]
                });
                add("edit", vec![path, old, new, text]);
                if let Some(params) = moved {
                    add("write", params);
                }
            }
        }
    }
    Ok(calls)
}

fn own(name: &'static str, value: String) -> Param<'static> {
    Param { name: Cow::Borrowed(name), native: None, value: Value::Text(Cow::Owned(value)) }
}

fn sections(patch: &str) -> Result<Vec<Section<'_>>, String> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut at = 0;
    for line in patch.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if let Some((act, path)) = header(line, sections.last()) {
            if sections.len() == MAX_FILES {
                return Err(format!("the patch changes more than {MAX_FILES} files"));
            }
            let (old, new, after) = Default::default();
            sections.push(Section { act, path, moved_to: None, start, end: at, old, new, after });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        if line.trim() == "*** End Patch" {
            break;
        }
        section.end = at;
        section.take(line);
    }
    Ok(sections)
}

/// The file that a line begins with, unless it is a line of the file before.
fn header<'p>(line: &'p str, section: Option<&Section<'_>>) -> Option<(Act, &'p str)> {
    const HEADERS: [(&str, Act); 3] = [
        ("*** Add File:", Act::Add),
        ("*** Delete File:", Act::Delete),
        ("*** Update File:", Act::Update),
    ];
    let inside = section.is_some_and(|section| section.act == Act::Update);
    let line = if inside { line } else { line.trim_start() };
    let (act, path) =
        HEADERS.iter().find_map(|(header, act)| Some((*act, line.strip_prefix(header)?.trim())))?;
    (!path.is_empty()).then_some((act, path))
}

impl<'p> Section<'p> {
    fn take(&mut self, line: &'p str) {
        if let Some(to) = line.strip_prefix("*** Move to:") {
            self.moved_to = Some(to.trim()).filter(|to| !to.is_empty());
            return;
        }
        let push = |texts: &mut [&mut String], text: &str| {
            for held in texts {
                held.push_str(text);
                held.push('\n');
            }
        };
        match (line.split_at_checked(1), self.act) {
            (Some(("+", text)), _) => push(&mut [&mut self.new, &mut self.after], text),
            (Some(("-", text)), Act::Update) => push(&mut [&mut self.old], text),
            (Some((" ", text)), Act::Update) => push(&mut [&mut self.after], text),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(patch: &str, expect: &[&str]) {
        let tool = Cow::Borrowed("apply_patch");
        let param = Cow::Borrowed("input");
        let calls = calls(&tool, &param, Some(&Cow::Borrowed("c")), patch).expect("few files");
        let told: Vec<String> = calls
            .iter()
            .map(|call| {
                let get = |name| call.param(name).and_then(Value::as_text).unwrap_or("-");
                assert!(call.param("input").is_some(), "by its own name too");
                format!(
                    "{} {} {} {:?} {:?} {:?}",
                    call.id.as_deref().unwrap_or("-"),
                    call.tool,
                    get("file_path"),
                    get("old_string"),
                    get("new_string"),
                    get("content"),
                )
            })
            .collect();
        assert_eq!(told, expect, "{patch}");
    }

    #[test]
    fn each_file_is_a_call() {
        check(
            "*** Begin Patch\n*** Add File: a/new.rs\n+one\n+two\n*** Update File: b.rs\n@@ fn x\n \
             keep\n-old\n+new\n*** Delete File: c.rs\n*** End Patch\n",
            &[
                r#"c write a/new.rs "-" "-" "one\ntwo\n""#,
                r#"c/2 edit b.rs "old\n" "new\n" "-""#,
                r#"c/3 delete c.rs "-" "-" "-""#,
            ],
        );
    }

    #[test]
    fn a_move_is_an_edit_and_a_write() {
        check(
            "*** Begin Patch\r\n*** Update File: a\r\n*** Move to: b c\r\n@@\r\n x\r\n-y\r\n+z\r\n",
            &[r#"c edit a "y\n" "z\n" "-""#, r#"c/2 write b c "-" "-" "x\nz\n""#],
        );
    }

    #[test]
    fn what_stands_in_a_file_is_no_header() {
        check(
            "*** Update File: a\n *** Delete File: b\n+*** Add File: c\n",
            &[r#"c edit a "-" "*** Add File: c\n" "-""#.replace("\"-\" \"***", "\"\" \"***").as_str()],
        );
        check("  *** Delete File: b", &[r#"c delete b "-" "-" "-""#]);
    }

    #[test]
    fn a_text_that_is_no_patch_is_one_call() {
        check("rm -rf /", &[r#"c apply_patch - "-" "-" "-""#]);
        check("", &[r#"c apply_patch - "-" "-" "-""#]);
    }

    #[test]
    fn too_many_files_are_refused() {
        let patch = "*** Delete File: x\n".repeat(MAX_FILES + 1);
        let name = Cow::Borrowed("apply_patch");
        assert!(calls(&name, &name, None, &patch).is_err());
    }
}
