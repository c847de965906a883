//! How a rule definition is written, as one text for whoever writes one: its fields, the conditions, the words that
//! join them, and what messages can hold. All of it comes from the tables of the language.

use std::fmt::Write;
use std::sync::OnceLock;

use super::meaning::Meaning;
use super::{classes, schema, words};

/// How the text begins.
const OPENING: &str = r#"# How a rule is written

A rule definition is an object: when it is looked at, what must hold, and what follows.

```json
{"id": "no_docker", "trigger": "bash", "condition": "runs \"docker\"", "action": "block", "message": "Not now."}
```

A `condition` is an expression on one line, as above, or a mapping: `{"runs": {"program": "docker"}}`. `behavior explain
WORD` says more of every word below.
"#;

/// Returns it as Markdown.
#[must_use]
pub fn language() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut text = OPENING.to_owned();
        chapter(&mut text, "Fields of a rule definition", schema::fields_of_definitions());
        chapter(&mut text, "Conditions", schema::all_conditions());
        chapter(&mut text, "Words of expressions", words::all());
        chapter(&mut text, "In messages", schema::all_placeholders());
        let names: Vec<String> = classes::names().map(|name| format!("`{name}`")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n## Classes of commands\n\nFor `runs: {{class: …}}`: {}",
            names.join(", ")
        );
        text
    })
}

fn chapter(text: &mut String, title: &str, meanings: impl IntoIterator<Item = Meaning>) {
    let _ = writeln!(text, "\n## {title}");
    for meaning in meanings {
        let _ = writeln!(text, "\n### {}\n\n{}", meaning.name, meaning.docs);
        // Where else it may stand is of no use here.
        let told = meaning.facts.iter().filter(|(what, _)| !matches!(*what, "of" | "written at"));
        for (what, value) in told {
            let _ = writeln!(text, "\n{what}: {value}");
        }
        for (title, example) in &meaning.examples {
            let _ = writeln!(text, "\n{title}:\n\n```\n{}\n```", example.trim_end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn it_holds_what_a_definition_needs_and_fits_before_a_model() {
        let text = language();
        for part in [
            "### trigger",
            "### action",
            "### param_matches",
            "### runs",
            "### {target}",
            "`destructive`",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(text.len() < 64 << 10, "{}", text.len());
    }
}
