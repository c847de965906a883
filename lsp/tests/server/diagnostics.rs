//! Diagnostics as the author types.

use serde_json::{Value, json};

use crate::client::{session, shown, uri};

fn edit(line: u32, from: u32, to: u32, text: &str) -> Value {
    json!({ "range": { "start": { "line": line, "character": from },
                       "end": { "line": line, "character": to } }, "text": text })
}

const CONFIG: &str = "\
rule_definitions:
  - id: tests
    trigger: bash
    action: blok
    message: \"No {target}\"
";

#[test]
fn a_file_is_diagnosed_when_opened_changed_and_closed() {
    session(&[], json!({}), |mut client| async move {
        client.open("behavior.yaml", CONFIG).await;
        let all = client.diagnostics("behavior.yaml", 1).await;
        let expected = "3:12-3:16 error[unknown-value] unknown value `blok`: expected `block`, `ask`, `warn` or `remind`";
        assert_eq!(all, [expected]);

        client.change("behavior.yaml", 2, json!([edit(3, 14, 16, "ock")])).await;
        assert_eq!(client.diagnostics("behavior.yaml", 2).await, [] as [&str; 0]);

        client.change("behavior.yaml", 3, json!([{ "text": "rules: 1\n" }])).await;
        assert_eq!(client.diagnostics("behavior.yaml", 3).await.len(), 1);

        client.close("behavior.yaml").await;
        assert_eq!(client.published("behavior.yaml", None).await, [] as [Value; 0]);
        client
    });
}

#[test]
fn a_diagnostic_says_everything_there_is_to_say() {
    let related =
        json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } });
    let text = "rule_definitions:\n  - id: a\n    message: x\n  - id: a\n    message: y\n";
    session(&[], related, |mut client| async move {
        client.open("behavior.yaml", text).await;
        let all = client.published("behavior.yaml", Some(1)).await;
        let expected = json!({
            "range": { "start": { "line": 3, "character": 8 }, "end": { "line": 3, "character": 9 } },
            "severity": 1,
            "code": "duplicate-rule",
            "codeDescription": { "href": "file:///library/diagnostics/duplicate-rule.md" },
            "source": "behavior",
            "message": "there is another rule called `a`\nhelp: give one of them another id, or delete it",
            "relatedInformation": [{
                "location": { "uri": uri("behavior.yaml"), "range": {
                    "start": { "line": 1, "character": 8 }, "end": { "line": 1, "character": 9 } } },
                "message": "the first rule of this name",
            }],
        });
        assert_eq!(all, [expected]);
        client
    });
}

#[test]
fn columns_count_the_negotiated_units() {
    let text = "rules: { plan_before_execute: true, \"👩\": é, verbosity: 3 }\r\nprofil: dev\r\n";
    let utf8 = json!({ "general": { "positionEncodings": ["utf-8"] } });
    for (capabilities, column) in [(json!({}), 56), (utf8, 59)] {
        session(&[], capabilities, |mut client| async move {
            client.open("behavior.yaml", text).await;
            let all = client.diagnostics("behavior.yaml", 1).await;
            let place = format!("0:{column}-0:{}", column + 1);
            assert!(all.iter().any(|shown| shown.starts_with(&place)), "{place} in {all:#?}");
            assert!(all.iter().any(|shown| shown.starts_with("1:0-1:6")), "{all:#?}");
            client
        });
    }
}

#[test]
fn broken_text_is_diagnosed_in_full() {
    let text = "rule_definitions:\n  - id: a\n    trigger: [edit,\n    message: x\n  - id: b\n    acton: warn\n";
    session(&[], json!({}), |mut client| async move {
        client.open("behavior.yaml", text).await;
        let all = client.diagnostics("behavior.yaml", 1).await;
        assert!(all.iter().any(|shown| shown.contains("error[syntax]")), "{all:#?}");
        assert!(all.iter().any(|shown| shown.contains("unknown field `acton`")), "{all:#?}");
        client
    });
}

#[test]
fn of_quick_edits_only_the_last_counts() {
    session(&[], json!({}), |mut client| async move {
        client.open("behavior.yaml", "profile: dev\n").await;
        for version in 2..=51 {
            // One character at a time, an error until the very last.
            let text = if version == 51 { "#" } else { "x" };
            let column = version as u32 - 2;
            client.change("behavior.yaml", version, json!([edit(1, column, column, text)])).await;
        }
        client.change("behavior.yaml", 52, json!([edit(1, 0, 49, "# ")])).await;
        assert_eq!(client.diagnostics("behavior.yaml", 52).await, [] as [&str; 0]);
        // Anything published before was about a version before, and came in order.
        let versions = client.versions("behavior.yaml");
        assert!(versions.is_sorted() && versions.len() < 10, "{versions:?}");
        client
    });
}

#[test]
fn a_file_that_is_no_rule_file_is_left_alone() {
    session(&[], json!({}), |mut client| async move {
        client.open("docker-compose.yaml", "services: { a: [ }").await;
        client.open("behavior/strict.test.yaml", "suite: of another tool\n").await;
        client.open("app.yaml", "name: x\nmodel: behavior of security\n").await;
        client.open("policy.toml", "[rules]\nname = 1\n").await;
        client.open("behavior.yaml", "profile: dev\n").await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await, [] as [&str; 0]);
        for name in ["docker-compose.yaml", "behavior/strict.test.yaml", "app.yaml", "policy.toml"]
        {
            assert!(!client.has_news(name), "{name}");
        }
        // It becomes one, and stops being one.
        let section = "security:\n  behavior:\n    profil: dev\n";
        client.change("app.yaml", 2, json!([{ "text": section }])).await;
        assert_eq!(client.diagnostics("app.yaml", 2).await.len(), 1);
        client.change("app.yaml", 3, json!([{ "text": "name: x\n" }])).await;
        assert_eq!(client.diagnostics("app.yaml", 3).await, [] as [&str; 0]);
        client
    });
}

const USES_STRICT: &str = "profile: \"{{behavior.strict}}\"\n";

#[test]
fn an_unsaved_profile_is_what_its_config_is_checked_against() {
    let disk = [("behavior/strict.yaml", "name: strict\n")];
    session(&disk, json!({}), |mut client| async move {
        let uses_set = "rule_definitions:\n  - id: a\n    condition: { target_in_set: mine }\n    message: x\n";
        client.open("behavior.yaml", &format!("{USES_STRICT}{uses_set}")).await;
        let all = client.diagnostics("behavior.yaml", 1).await;
        assert!(all.len() == 1 && all[0].contains("mine"), "{all:#?}");

        // The profile declares the set, in its tab only.
        let declares = "name: strict\nstate_tracking:\n  sets:\n    mine: { add_on: read }\n";
        client.open("behavior/strict.yaml", declares).await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await, [] as [&str; 0]);

        // It is renamed, and the config's error comes back without a change of the config.
        let column = |text| json!([edit(3, 4, 8, text)]);
        client.change("behavior/strict.yaml", 2, column("ours")).await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await.len(), 1);

        // Closed, the file on disk counts again.
        client.change("behavior/strict.yaml", 3, column("mine")).await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await, [] as [&str; 0]);
        client.close("behavior/strict.yaml").await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await.len(), 1);
        client
    });
}

#[test]
fn a_profile_that_is_only_typed_exists() {
    session(&[], json!({}), |mut client| async move {
        client.open("behavior.yaml", USES_STRICT).await;
        let all = client.diagnostics("behavior.yaml", 1).await;
        assert!(all.len() == 1 && all[0].contains("there is no profile"), "{all:#?}");
        client.open("behavior/strict.yaml", "name: strict\nextends: dev\n").await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await, [] as [&str; 0]);
        client
    });
}

#[test]
fn files_that_are_not_open_are_told_of_where_the_mistake_is() {
    let disk = [("behavior/strict.yaml", "name: strict\nextnds: dev\n")];
    let expected = ["1:0-1:6 error[unknown-field] unknown field `extnds` in a profile"];
    session(&disk, json!({}), |mut client| async move {
        client.open("behavior.yaml", USES_STRICT).await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await, [] as [&str; 0]);
        let all = client.published("behavior/strict.yaml", None).await;
        assert_eq!(all.iter().map(shown).collect::<Vec<_>>(), expected);

        client.open("behavior/strict.yaml", "name: strict\nextnds: dev\n").await;
        assert_eq!(client.diagnostics("behavior/strict.yaml", 1).await, expected);
        // In a project that nobody works in any more, nothing is told.
        client.close("behavior.yaml").await;
        client.close("behavior/strict.yaml").await;
        assert_eq!(client.published("behavior/strict.yaml", None).await, [] as [Value; 0]);
        client
    });
}

#[test]
fn a_profile_is_told_what_holds_where_it_is_used() {
    let uses = "profile: strict\nrule_definitions:\n  - id: a\n    condition: { target_in_set: mine }\n    message: x\n";
    let declares = "name: strict\nstate_tracking:\n  sets:\n    mine: { add_on: read }\n";
    session(&[("behavior.yaml", uses)], json!({}), |mut client| async move {
        // Alone, the profile's set would be of no use.
        client.open("behavior/strict.yaml", declares).await;
        assert_eq!(client.diagnostics("behavior/strict.yaml", 1).await, [] as [&str; 0]);
        // What an edit of it breaks elsewhere is told there.
        client.change("behavior/strict.yaml", 2, json!([edit(3, 4, 8, "ours")])).await;
        let broken = client.published("behavior.yaml", None).await;
        assert_eq!(broken[0]["code"], "undeclared-name", "{broken:#?}");
        // What is misspelt there is no reason to say here that nothing asks for it.
        assert_eq!(client.diagnostics("behavior/strict.yaml", 2).await, [] as [&str; 0]);
        client.change("behavior/strict.yaml", 3, json!([edit(3, 4, 8, "mine")])).await;
        assert_eq!(client.published("behavior.yaml", None).await, [] as [Value; 0]);
        client
    });
}

#[test]
fn rule_tests_are_diagnosed() {
    session(&[], json!({}), |mut client| async move {
        client.open("behavior/strict.test.yaml", "tests:\n  - name: a\n    evnts: []\n").await;
        let all = client.diagnostics("behavior/strict.test.yaml", 1).await;
        assert!(all.iter().any(|shown| shown.contains("unknown field `evnts`")), "{all:#?}");
        client
    });
}

#[test]
fn a_policy_open_alone_is_diagnosed_as_it_is_typed() {
    let policy =
        "[[rules]]\nname = \"a\"\naction = \"denny\"\npattern = \"bash(rm *\"\nreason = \"r\"\n";
    let project = [("behavior.yaml", "profile: dev\n"), ("behavior/policy.toml", "x = 1\n")];
    session(&project, json!({}), |mut client| async move {
        client.open("behavior/policy.toml", policy).await;
        let all = client.diagnostics("behavior/policy.toml", 1).await;
        let expected = [
            "2:9-2:16 error[unknown-value] unknown value `denny`: expected `allow`, `deny`, `ask_user` or `dry_run_first`",
            "3:15-3:16 error[invalid-policy-pattern] this `(` is never closed",
        ];
        assert_eq!(all, expected);
        let fixed = json!([edit(3, 20, 20, ")"), edit(2, 10, 15, "deny")]);
        client.change("behavior/policy.toml", 2, fixed).await;
        assert_eq!(client.diagnostics("behavior/policy.toml", 2).await, [] as [&str; 0]);
        // What is told of a whole policy is told too.
        let more =
            "[[rules]]\nname = \"b\"\naction = \"deny\"\npattern = \"rm -r *\"\nreason = \"r\"\n";
        client.change("behavior/policy.toml", 3, json!([edit(5, 0, 0, more)])).await;
        let all = client.diagnostics("behavior/policy.toml", 3).await;
        assert_eq!(all.len(), 1, "{all:#?}");
        assert!(
            all[0].starts_with("8:10-8:19 warning[shadowed-rule] `b` never decides"),
            "{all:#?}"
        );
        client
    });
}
