//! Hover and completion on marked texts: the `‸` is the cursor.

use std::fmt::Write as _;

use behavior_facts::tool_catalogue::TOOLS;

use super::{Project, RuleFile, Store};
use crate::provider::{MemoryFiles, SourceProvider, WithLibrary};

/// A standard library as small as can be.
fn library(name: &str) -> Option<&'static str> {
    match name {
        "rules.yaml" => Some(
            "rule_definitions:\n  - id: read_first\n    description: Read before editing.\n    \
             trigger: edit\n    action: block\n    condition: { target_not_in_set: read_files }\n    \
             message: \"Read `{target}` first.\"\nstate_tracking:\n  sets:\n    read_files: { add_on: [read], \
             target: file_path, aliases: [path] }\n  counters:\n    reads: { increment_on: [read], reset_on: [grep] }\n  \
             flags:\n    searched: { set_on: [web_search] }\n",
        ),
        "programs.yaml" => Some(
            "programs:\n  git: { same: [[f, force]] }\n  git push: {}\n  git stash: {}\n  npm: { also: [pnpm, yarn] }\n",
        ),
        "classes.yaml" => Some(
            "command_classes:\n  publish: [{ program: [npm, yarn], subcommand: publish }, docker push]\n",
        ),
        "dev.yaml" => {
            Some("name: dev\ndescription: For work on code.\nrules:\n  read_first: true\n")
        }
        _ => None,
    }
}

fn provider() -> WithLibrary<MemoryFiles> {
    let strict =
        "name: strict\nextends: dev\nstate_tracking:\n  flags:\n    asked: { set_on: ask }\n";
    let project = MemoryFiles::new([("behavior/strict.yaml", strict)]);
    WithLibrary { library, presets: &["dev"], project }
}

fn hover(file: &RuleFile, provider: &dyn SourceProvider, offset: u32) -> Option<super::Hover> {
    super::hover(file, Project { provider, store: &Store::default() }, offset)
}

fn complete(file: &RuleFile, provider: &dyn SourceProvider, offset: u32) -> Vec<super::Completion> {
    super::completion::all(file, Project { provider, store: &Store::default() }, offset)
}

fn at_cursor(marked: &str) -> (String, u32) {
    let offset = marked.find('‸').expect("a cursor");
    (marked.replacen('‸', "", 1), offset as u32)
}

/// What is explained and its headline with what follows up to the first blank line.
#[track_caller]
fn check_hover(marked: &str, expected: &str) {
    check_hover_in("behavior.yaml", marked, expected);
}

#[track_caller]
fn check_hover_in(name: &str, marked: &str, expected: &str) {
    let (text, offset) = at_cursor(marked);
    let file = RuleFile::new(name, text.clone());
    let shown = match hover(&file, &provider(), offset) {
        None => "nothing".to_owned(),
        Some(hover) => {
            let on = &text[hover.span.start as usize..hover.span.end as usize];
            let headline = hover.markdown.lines().next().unwrap_or_default();
            format!("{on}: {headline}")
        }
    };
    assert_eq!(shown, expected, "{marked}");
}

#[track_caller]
fn check_markdown(marked: &str, expected: &str) {
    let (text, offset) = at_cursor(marked);
    let found = hover(&RuleFile::new("behavior.yaml", text), &provider(), offset);
    assert_eq!(found.expect("an explanation").markdown, expected);
}

/// The labels of what can be written.
fn labels(name: &str, marked: &str) -> Vec<String> {
    let (text, offset) = at_cursor(marked);
    let found = complete(&RuleFile::new(name, text), &provider(), offset);
    found.into_iter().map(|completion| completion.label).collect()
}

#[track_caller]
fn check_labels(marked: &str, expected: &[&str]) {
    assert_eq!(labels("behavior.yaml", marked), expected, "{marked}");
}

/// The text after choosing the completion called `label`, as plain text and as a snippet.
#[track_caller]
fn check_chosen(marked: &str, label: &str, expected: &str, snippet: Option<&str>) {
    check_chosen_in("behavior.yaml", marked, label, expected, snippet);
}

#[track_caller]
fn check_chosen_in(name: &str, marked: &str, label: &str, expected: &str, snippet: Option<&str>) {
    let (text, offset) = at_cursor(marked);
    let found = complete(&RuleFile::new(name, text.clone()), &provider(), offset);
    let chosen = found.iter().find(|completion| completion.label == label).expect(label);
    let range = chosen.start as usize..chosen.end as usize;
    let mut chosen_text = text.clone();
    chosen_text.replace_range(range, &chosen.insert);
    assert_eq!(chosen_text, expected, "{marked}");
    assert_eq!(chosen.snippet.as_deref(), snippet, "{marked}");
}

const RULE: &str = "rule_definitions:\n  - id: a\n    ";

#[test]
fn keys_are_explained() {
    check_hover("pro‸file: dev", "profile: **`profile`** — the name of a profile");
    check_hover(
        &format!("{RULE}‸when: pre_tool"),
        "when: **`when`** — `pre_tool`, `post_tool`, `on_text` or `turn_end`",
    );
    check_hover("unknown‸: 1", "nothing");
    check_hover("profile: dev\n‸", "nothing");
    check_markdown(
        "state_tracking:\n  counters:\n    c:\n      increment‸_on: x\n",
        "**`increment_on`** — a tool name or `*`, or a list of them\n\nThe tools that count up by one. At least one, unless `increment_when` says what counts: a\ncounter that never counts is an error.",
    );
    check_markdown(
        "classify_turns‸: true",
        "**`classify_turns`** — `true` or `false`\n\nWhether a small model looks at each user message before the agent does.\n\nDefault: `false`",
    );
}

#[test]
fn values_are_explained() {
    check_hover(&format!("{RULE}when: post‸_tool"), "post_tool: **`post_tool`** — value");
    check_hover(&format!("{RULE}trigger: ed‸it"), "edit: **`edit`** — tool");
    check_hover("profile: ‸dev", "dev: **`dev`** — built-in preset");
    check_hover(
        "profile: \"{{behavior.str‸ict}}\"",
        "\"{{behavior.strict}}\": **`{{behavior.strict}}`** — profile, `behavior/strict.yaml`",
    );
    check_markdown(
        "profile: dev‸",
        "**`dev`** — built-in preset\n\nFor work on code.\n\nSwitches on: `read_first`",
    );
}

#[test]
fn what_is_named_is_explained_and_not_its_field() {
    let rule = |condition: &str| {
        format!(
            "state_tracking:\n  counters: {{ n: {{ increment_on: bash }} }}\nrule_definitions:\n  - id: a\n    trigger: bash\n    message: m\n    condition: {condition}\n"
        )
    };
    let check = |condition: &str, expected: &str| check_hover(&rule(condition), expected);
    let runs = |fields: &str| format!("{{ runs: {{ {fields} }} }}");
    check(
        &runs("program: git, subcommand: push, flags: [for‸ce]"),
        "force: **`force`** — flag `--force` of `git push`",
    );
    check(
        &runs("any: [{ program: git, flags: [for‸ce] }]"),
        "force: **`force`** — flag `--force` of `git`",
    );
    check(&runs("class: pub‸lish"), "publish: **`publish`** — class of commands, built in");
    check_markdown(
        &rule(&runs("class: pub‸lish")),
        "**`publish`** — class of commands, built in\n\nCovers: `(npm | yarn) publish`, `docker push`",
    );
    check(&runs("program: gi‸t"), "git: **`git`** — program");
    check("{ counter_gte: { name: n, value: ‸3 } }", "3: **`3`** — value of the counter `n`");
    check_hover("programs: { ac‸me: { same: [] } }\n", "acme: **`acme`** — program");
    let own = "command_classes:\n  ship: [acme ship]\nrule_definitions:\n  - { id: a, trigger: bash, message: m, condition: { runs: { class: sh‸ip } } }\n";
    check_markdown(
        own,
        "**`ship`** — class of commands, declared in `behavior.yaml`\n\nCovers: `acme ship`",
    );
    let tests = |event: &str| format!("tests:\n  - name: a\n    events:\n      - {event}\n");
    let check =
        |event: &str, expected: &str| check_hover_in("a.test.yaml", &tests(event), expected);
    check("event: turn_‸start", "turn_start: **`turn_start`** — native event");
    check("{ event: tool_call, tool: ed‸it }", "edit: **`edit`** — tool");
    let policy = |facts: &str| format!("{POLICY_RULE}{facts}\n");
    let check = |facts: &str, expected: &str| check_hover_in(POLICY, &policy(facts), expected);
    check("path = \"src/‸**\"", "\"src/**\": **`src/**`** — path pattern");
    check("path = [\"src/‸**\"]", "\"src/**\": **`src/**`** — path pattern");
    check("reads = { is = \"sec‸ret\" }", "\"secret\": **`secret`** — value");
}

#[test]
fn documents_that_are_named_are_shown() {
    let files = [("house.md", "# House\nBe kind.\n"), ("prompts/system.md", "You are.\n")];
    let provider = WithLibrary { library, presets: &["dev"], project: MemoryFiles::new(files) };
    let shown = |marked: &str| {
        let (text, offset) = at_cursor(marked);
        let file = RuleFile::new("behavior.yaml", text);
        hover(&file, &provider, offset).expect("an explanation").markdown
    };
    let rule = "rule_definitions:\n  - { id: a, trigger: bash, message: \"x {file:hou‸se.md}\" }\n";
    assert_eq!(shown(rule), "**`house.md`** — document\n\n> # House\n> Be kind.");
    let system = "**`prompts/system.md`** — document\n\n> You are.";
    assert_eq!(shown("turn_reminder: \"{{prompt.sys‸tem}}\"\n"), system);
    assert_eq!(shown("prompt: \"{{prompt.sys‸tem}}\"\n"), system);
    let gone = "**`gone.md`** — document, which is not in the project";
    assert_eq!(shown("turn_reminder: go‸ne.md\n"), gone);
}

#[test]
fn the_way_to_the_section_of_an_app_config_is_offered() {
    check_chosen_in("app.yaml", "‸", "security", "security:", Some("security:\n  behavior:\n    "));
    check_chosen_in(
        "app.yaml",
        "security:\n  ‸",
        "behavior",
        "security:\n  behavior:",
        Some("behavior:\n  "),
    );
    assert!(
        labels("app.yaml", "name: x\nsecurity:\n  sandbox: true\n  ‸")
            .contains(&"behavior".to_owned())
    );
    assert!(labels("other.yaml", "‸").is_empty());
}

#[test]
fn nothing_is_offered_twice_under_one_name() {
    let rule = "rule_definitions:\n  - id: a\n    trigger: bash\n    message: m\n    ";
    for rest in ["examples:\n      fires:\n        - ‸\n", "trigger:\n      ‸\n"] {
        let mut found = labels("behavior.yaml", &format!("{rule}{rest}"));
        assert!(found.len() > 5, "{rest}: {found:?}");
        let all = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), all, "{rest}: {found:?}");
    }
    let offered = labels("behavior.yaml", &format!("{rule}examples: ‸\n"));
    assert_eq!(offered, ["{ fires: [], passes: [] }"]);
}

#[test]
fn fields_of_a_condition_are_shown_while_they_are_written() {
    let shown = |condition: &str| {
        let rule =
            "rule_definitions:\n  - id: a\n    trigger: bash\n    message: m\n    condition: ";
        let (text, offset) = at_cursor(&format!("{rule}{condition}\n"));
        let found = super::signature_help(&RuleFile::new("behavior.yaml", text), offset);
        found.into_iter().map(|it| format!("{} {:?}", it.label, it.active)).collect::<Vec<_>>()
    };
    let counter = "counter_gte: { name: …, value: … }";
    assert_eq!(shown("{ counter_gte: { ‸ } }"), [format!("{counter} Some(0)")]);
    assert_eq!(shown("{ counter_gte: { name: ‸ } }"), [format!("{counter} Some(0)")]);
    assert_eq!(shown("{ counter_gte: { name: n, ‸ } }"), [format!("{counter} Some(1)")]);
    assert_eq!(shown("{ counter_gte: { name: n, value: ‸ } }"), [format!("{counter} Some(1)")]);
    assert_eq!(shown("{ not: { counter_gte: { ‸ } } }"), [format!("{counter} Some(0)")]);
    assert_eq!(shown("counter(n) >= ‸"), ["counter({name}) {value} Some(1)"]);
    assert!(shown("{ ‸ }").is_empty());
}

#[test]
fn patterns_in_expressions_are_patterns() {
    let text = "rule_definitions:\n  - { id: a, trigger: bash, message: m, condition: 'param(command) matches \"a+b\"' }\n";
    let file = RuleFile::new("behavior.yaml", text);
    let found = super::tokens(&file).into_iter().find(|token| {
        text.get(token.span.start as usize..token.span.end as usize) == Some("\"a+b\"")
    });
    assert_eq!(found.expect("a token").kind, super::TokenKind::Pattern);
}

#[test]
fn rules_and_thresholds_are_explained() {
    check_markdown(
        "rules:\n  read_‸first: false\n",
        "**`read_first`** — built-in rule\n\nRead before editing.\n\n`block` at `pre_tool` of `edit`\n\n> Read `{target}` first.",
    );
    check_hover("rules:\n  max_blind_reads: ‸3\n", "3: **`max_blind_reads`** — threshold");
    check_hover("rules:\n  verbosity: con‸cise\n", "concise: **`concise`** — value");
    check_hover("rules:\n  auto‸nomy: low\n", "autonomy: **`autonomy`** — setting");
    check_hover("rules:\n  nothing_‸such: true\n", "nothing");
}

#[test]
fn conditions_and_names_are_explained() {
    check_hover(
        &format!("{RULE}condition:\n      coun‸ter_gte: {{ name: reads, value: 3 }}"),
        "counter_gte: **`counter_gte`** — condition",
    );
    check_hover(
        &format!("{RULE}condition:\n      not: {{ counter_gte: {{ name: re‸ads, value: 3 }} }}"),
        "reads: **`reads`** — counter, built in",
    );
    check_hover(
        &format!("{RULE}condition: {{ a‸ll: [] }}"),
        "all: **`all`** — composes conditions",
    );
    check_markdown(
        "profile: strict\nrule_definitions:\n  - condition: { flag_is: { name: ask‸ed } }\n",
        "**`asked`** — flag, declared in `behavior/strict.yaml`\n\nSet by `ask`",
    );
    check_markdown(
        &format!("{RULE}condition: {{ target_in_set: read‸_files }}"),
        "**`read_files`** — set, built in\n\nAdded to by `read`  \nHolds the parameter `file_path`  \nor `path`",
    );
}

#[test]
fn expressions_are_explained() {
    let condition = |text: &str| format!("{RULE}condition: {text}\n");
    check_hover(
        &condition("flag(searched) and coun‸ter(reads) >= 3"),
        "counter(reads) >= 3: **`counter_gte`** — condition",
    );
    check_hover(
        &condition("flag(searched) and counter(re‸ads) >= 3"),
        "reads: **`reads`** — counter, built in",
    );
    check_hover(
        &condition("'not target in read_‸files'"),
        "read_files: **`read_files`** — set, built in",
    );
    check_hover(
        &condition("flag(searched) a‸nd flag(asked)"),
        "flag(searched) and flag(asked): **`all`** — composes conditions",
    );
    check_hover(
        &condition("|-\n      flag(sea‸rched)"),
        "searched: **`searched`** — flag, built in",
    );
}

#[test]
fn placeholders_are_explained() {
    let message = |text: &str| format!("{RULE}message: {text}\n");
    check_hover(&message("\"é {tar‸get}\""), "{target}: **`{target}`** — placeholder");
    check_hover(&message("'{coun‸ter:reads}'"), "{counter:reads}: **`{counter:…}`** — placeholder");
    check_hover(&message("'{counter:re‸ads}'"), "reads: **`reads`** — counter, built in");
    check_hover(&message("'a‸ {target}'"), "'a {target}': **`message`** — a message");
    check_hover(
        "classifier: { directive_prefix: '{ri‸sk}' }",
        "{risk}: **`{risk}`** — placeholder",
    );
}

#[test]
fn broken_files_are_explained_where_they_are_whole() {
    let text = "profile: dev\nrules: [\nrule_definitions:\n  - id: a\n    wh‸en: pre_tool\n";
    check_hover(text, "when: **`when`** — `pre_tool`, `post_tool`, `on_text` or `turn_end`");
}

#[test]
fn app_configs_are_explained_in_their_section_only() {
    let app = "name‸: x\nsecurity:\n  behavior:\n    profile: dev\n";
    check_hover(app, "nothing");
    let app = "name: x\nsecurity:\n  behavior:\n    pro‸file: dev\n";
    check_hover(app, "profile: **`profile`** — the name of a profile");
    assert_eq!(labels("app.yaml", "nam‸\nsecurity:\n  behavior:\n    profile: dev\n"), [""; 0]);
    let labels = labels("app.yaml", "security:\n  behavior:\n    profile: dev\n    ‸");
    assert_eq!(labels.first().map(String::as_str), Some("rules"));
}

#[test]
fn fields_are_offered() {
    check_labels(
        &format!("{RULE}trigger: x\n    ‸\n    message: y\n"),
        &[
            "description",
            "when",
            "action",
            "condition",
            "when_undecided",
            "when_nobody_can_answer",
            "grantable",
            "repeat",
            "needs",
            "in_subagent",
            "examples",
        ],
    );
    check_labels(
        "rule_definitions:\n  - ‸",
        &[
            "id",
            "description",
            "trigger",
            "when",
            "action",
            "condition",
            "message",
            "when_undecided",
            "when_nobody_can_answer",
            "grantable",
            "repeat",
            "needs",
            "in_subagent",
            "examples",
            "whole rule",
        ],
    );
    check_labels("state_tracking:\n  ‸", &["sets", "counters", "flags"]);
    check_labels(
        "state_tracking:\n  counters:\n    c:\n      ‸",
        &["increment_on", "increment_when", "reset_on", "reset_when", "per", "count"],
    );
    check_labels("state_tracking:\n  sets:\n    ‸", &[]);
    check_labels(
        "‸",
        &labels("behavior.yaml", "unknown: 1\n‸").iter().map(String::as_str).collect::<Vec<_>>(),
    );
    assert_eq!(labels("behavior/a.yaml", "na‸")[0], "name");
    // Required fields come first.
    check_labels(
        "state_tracking: { flags: { f: { ‸",
        &["set_on", "set_when", "unset_on", "unset_when", "per"],
    );
}

#[test]
fn chosen_fields_stand_right() {
    let when = "rule_definitions:\n  - id: a\n    when: ";
    check_chosen(
        &format!("{RULE}wh‸"),
        "when",
        when,
        Some("when: ${1|pre_tool,post_tool,on_text,turn_end|}"),
    );
    check_chosen(
        &format!("{RULE}‸"),
        "when",
        when,
        Some("when: ${1|pre_tool,post_tool,on_text,turn_end|}"),
    );
    check_chosen("rul‸: x", "rules", "rules: x", None);
    check_chosen(
        "state‸",
        "state_tracking",
        "state_tracking: ",
        Some("state_tracking: { sets: $1, counters: $2, flags: $3 }"),
    );
    check_chosen("classi‸", "classifier", "classifier:", None);
    check_chosen("rule_definitions:\n  ‸", "id", "rule_definitions:\n  - id: ", None);
    check_chosen(
        "rule_definitions:\n  - id: a\n  ‸",
        "id",
        "rule_definitions:\n  - id: a\n  - id: ",
        None,
    );
}

#[test]
fn values_are_offered() {
    check_labels(&format!("{RULE}when: ‸"), &["pre_tool", "post_tool", "on_text", "turn_end"]);
    check_labels(&format!("{RULE}action: bl‸ # why"), &["block", "ask", "warn", "remind"]);
    check_labels("classify_turns: ‸", &["true", "false"]);
    check_labels("profile: ‸", &["strict", "dev"]);
    check_labels(
        "classifier:\n  risk_levels: [low, { name: high }]\n  high_risk_threshold: ‸",
        &["low", "high"],
    );
    check_labels(
        &format!("{RULE}condition: {{ contains_secret: ‸ }}"),
        &["true", "false", "params", "result", "text", "anywhere"],
    );
    assert_eq!(labels("behavior/strict.yaml", "extends: ‸"), ["dev"]);
}

#[test]
fn what_stands_behind_fields_of_few_words_is_offered() {
    check_labels("classifier:\n  high_risk_threshold: ‸", &["none", "low", "medium", "high"]);
    let class =
        |text: &str| labels("behavior.yaml", &format!("command_classes:\n  a:\n    {text}"));
    assert!(class("- ‸").iter().any(|name| name == "program"));
    assert!(class("- { program: git, ‸ }").iter().any(|name| name == "subcommand"));
    assert_eq!(class("- { program: ‸ }"), ["git", "npm", "pnpm", "yarn"]);
    assert_eq!(class("- { program: git, subcommand: ‸ }"), ["push", "stash"]);
    let key = labels("behavior.yaml", "brain:\n  api_key: \"{{‸}}\"\n");
    assert!(key.iter().any(|name| name == "secret.ANTHROPIC_API_KEY"), "{key:?}");
    for condition in ["writes \\\"sr‸", "target matches \\\"‸", "not reads \\\"s‸"] {
        let found = labels("behavior.yaml", &format!("{RULE}condition: \"{condition}"));
        assert!(found.iter().any(|name| name == "src/**"), "{condition}: {found:?}");
    }
    check_chosen(
        &format!("{RULE}condition: writes \"sr‸\""),
        "src/**",
        &format!("{RULE}condition: writes \"src/**\""),
        None,
    );
}

#[test]
fn what_is_meant_without_being_written_is_not_explained_as_a_value() {
    let condition = |text: &str| format!("{RULE}condition: {text}");
    check_hover(&condition("\"fl‸ag(searched)\""), "flag(searched): **`flag_is`** — condition");
    check_hover(&condition("\"tr‸ue\""), "\"true\": **`true`** — condition");
    check_hover(&condition("\"fal‸se\""), "\"false\": **`false`** — condition");
    let text = "tests:\n  - name: a\n    events:\n      - turn_‸start: Go\n";
    let (text, offset) = at_cursor(text);
    let found = hover(&RuleFile::new("behavior.test.yaml", text), &provider(), offset);
    let markdown = found.expect("an explanation").markdown;
    assert!(markdown.contains("The user says something"), "{markdown}");
}

#[test]
fn tools_are_offered() {
    let known = ["edit", "read", "grep", "web_search", "*"];
    for text in ["trigger: ‸", "trigger: [‸", "trigger:\n      - ‸"] {
        let found = labels("behavior.yaml", &format!("{RULE}{text}"));
        assert_eq!(found[..known.len()], known, "{text}");
        // Others that agents are known to have come last, each once.
        assert!(found.iter().any(|name| name == "web_fetch"), "{found:?}");
        assert_eq!(found.iter().filter(|name| *name == "edit").count(), 1);
    }
    let own = format!("{RULE}trigger: ‸\n  - id: b\n    trigger: [deploy]\n");
    assert_eq!(labels("behavior.yaml", &own)[0], "deploy");
    check_chosen(
        "rule_definitions: [{ trigger: ‸",
        "*",
        "rule_definitions: [{ trigger: \"*\"",
        None,
    );
    check_chosen(
        "rule_definitions: [{ trigger: \"‸\"",
        "*",
        "rule_definitions: [{ trigger: \"*\"",
        None,
    );
}

#[test]
fn switches_are_offered() {
    let all = labels("behavior.yaml", "rules:\n  verbosity: normal\n  ‸");
    assert_eq!(
        all,
        [
            "read_first",
            "max_blind_reads",
            "changes_before_test_reminder",
            "max_sequential_same_tool",
            "autonomy",
            "confirm_complex_plans"
        ]
    );
    check_labels("rules:\n  autonomy: ‸", &["low", "medium", "high"]);
    check_labels("rules:\n  read_first: ‸", &["true", "false"]);
}

#[test]
fn conditions_are_offered() {
    let names: Vec<&str> = crate::conditions::names().collect();
    for text in [
        format!("{RULE}condition:\n      ‸"),
        format!("{RULE}condition:\n      not:\n        ‸"),
        format!("{RULE}condition:\n      all:\n        - ‸"),
        format!(
            "{RULE}condition:\n      all:\n        - flag_is: {{ name: a }}\n        - cou‸\n        - x: y\n"
        ),
        format!("{RULE}condition: {{ ‸"),
    ] {
        let found = labels("behavior.yaml", &text);
        assert!(
            found.iter().map(String::as_str).take(names.len()).eq(names.iter().copied()),
            "{text}: {found:?}"
        );
    }
    check_labels(&format!("{RULE}condition:\n      flag_is:\n        ‸"), &["name", "value"]);
    check_labels(&format!("{RULE}condition: {{ flag_is: {{ name: ‸"), &["searched"]);
    check_labels(&format!("{RULE}condition:\n      target_in_set: ‸"), &["read_files"]);
    check_chosen(
        &format!("{RULE}condition:\n      coun‸"),
        "counter_gte",
        "rule_definitions:\n  - id: a\n    condition:\n      counter_gte: ",
        Some("counter_gte: { name: $1, value: $2 }"),
    );
}

#[test]
fn expressions_are_offered() {
    let condition = |text: &str| format!("{RULE}condition: {text}");
    check_labels(&condition("target in ‸"), &["read_files"]);
    check_labels(&condition("\"not flag(‸"), &["searched"]);
    check_labels(&condition("counter(re‸"), &["reads"]);
    check_labels(
        &condition("param(‸"),
        &["file_path", "path", "command", "content", "pattern", "query", "url"],
    );
    check_labels(
        &condition("flag(searched) and tar‸"),
        &[
            "target not in read_files",
            "target in read_files",
            "target matches \"migrations/**\"",
            "target changed since read_files",
            "target is secret",
        ],
    );
    check_chosen(
        &condition("\"flag(searched) and param(q) m‸\""),
        "param(q) matches \"UPDATE|DELETE\"",
        &condition("\"flag(searched) and param(q) matches \\\"UPDATE|DELETE\\\"\""),
        None,
    );
}

#[test]
fn placeholders_are_offered() {
    let message = |text: &str| format!("{RULE}message: {text}");
    let names: Vec<&str> = crate::template::PLACEHOLDERS.iter().map(|p| p.name).collect();
    check_labels(&message("\"Read {‸"), &names);
    check_labels(&message("\"Read {‸}\""), &names);
    check_labels(&message("|-\n      Read {ta‸\n"), &names);
    check_labels(&message("\"{counter:‸"), &["reads"]);
    check_labels(&message("\"{set_count:re‸}\""), &["read_files"]);
    check_labels(&message("\"{{‸"), &[]);
    check_labels(&message("\"{target} ‸"), &[]);
    check_chosen(&message("\"Read {ta‸\""), "target", &message("\"Read {target}\""), None);
    check_chosen(&message("\"Read {ta‸}\""), "target", &message("\"Read {target}\""), None);
    check_chosen(&message("\"{fl‸\""), "flag", &message("\"{flag:\""), Some("flag:$1}"));
}

#[test]
fn names_that_the_file_declares_win() {
    let text = "state_tracking:\n  flags:\n    searched: { set_on: look }\n    mine: { set_on: x }\n\
                rule_definitions:\n  - condition: { flag_is: { name: ‸";
    check_labels(text, &["searched", "mine"]);
    check_markdown(
        &text.replace("name: ‸", "name: sea‸rched } }"),
        "**`searched`** — flag, declared in `behavior.yaml`\n\nSet by `look`",
    );
}

const POLICY: &str = "behavior/policy.toml";

const POLICY_RULE: &str = "[[rules]]\nname = \"a\"\n";

#[test]
fn policies_are_explained() {
    let check = |marked: &str, expected: &str| check_hover_in(POLICY, marked, expected);
    check(
        "appro‸val_mode = \"ask\"",
        "approval_mode: **`approval_mode`** — `ask`, `autoEdit`, `yolo` or `agent`",
    );
    check("approval_mode = \"au‸toEdit\"", "\"autoEdit\": **`autoEdit`** — value");
    check("[[ru‸les]]\n", "rules: **`rules`** — a list, each item a policy rule");
    check(&format!("{POLICY_RULE}\n[[ru‸les]]\n"), "nothing");
    let rule = |text: &str| format!("{POLICY_RULE}\n{POLICY_RULE}{text}");
    check(
        &rule("act‸ion = 'deny'"),
        "action: **`action`** — `allow`, `deny`, `ask_user` or `dry_run_first`",
    );
    check(&rule("action = 'de‸ny'"), "'deny': **`deny`** — value");
    check(&rule("priority = \"ad‸min\""), "\"admin\": **`admin`** — value");
    check(&rule("pattern = \"bash(rm ‸*)\""), "rm *: **`rm *`** — command pattern");
    // What is broken before hides nothing.
    check(
        &format!("approval_mode = \n[[rules]]\nname\naction = [\n{POLICY_RULE}act‸ion = 'deny'"),
        "action: **`action`** — `allow`, `deny`, `ask_user` or `dry_run_first`",
    );
    check_hover_in("Cargo.toml", "[[ru‸les]]\nname = 'x'\n", "nothing");
}

#[test]
fn fields_of_policies_are_offered() {
    let check = |marked: &str, expected: &[&str]| assert_eq!(labels(POLICY, marked), expected);
    check("‸", &["approval_mode", "[[rules]]"]);
    check("approval_mode = \"ask\"\n‸", &["[[rules]]"]);
    check("[‸", &["[[rules]]"]);
    check("[[ru‸\nname = \"x\"\n", &["[[rules]]"]);
    let facts = ["params", "host", "path", "reads", "writes"];
    let rest = ["action", "priority", "pattern", "tool_pattern", "arg_pattern"];
    let rest = [&rest[..], &facts, &["reason", "[[rules]]"]].concat();
    check(&format!("{POLICY_RULE}‸\napproval_mode = \"ask\"\n\n[[rules]]\naction = 1\n"), &rest);
    check(
        "rules = [{ name = 'a', action = 'deny', pattern = 'x', ‸",
        &[&["priority", "tool_pattern", "arg_pattern"], &facts[..], &["approval_mode", "reason"]]
            .concat(),
    );
    check(&format!("{POLICY_RULE}[other]\n‸"), &[]);
    assert_eq!(labels("policy.toml", "[[rules]]\n‸")[0], "name");
    assert_eq!(labels("Cargo.toml", "[[rules]]\n‸"), [""; 0]);
    let chosen = |marked: &str, label: &str, expected: &str, snippet: Option<&str>| {
        check_chosen_in(POLICY, marked, label, expected, snippet);
    };
    chosen("[[rules]]\nna‸", "name", "[[rules]]\nname = ", Some("name = \"$1\""));
    chosen("[[rules]]\nna‸ = 1", "name", "[[rules]]\nname = 1", None);
    chosen(
        "appr‸",
        "approval_mode",
        "approval_mode = ",
        Some("approval_mode = \"${1|ask,autoEdit,yolo,agent|}\""),
    );
    chosen("[[r‸", "[[rules]]", "[[rules]]", None);
}

#[test]
fn values_of_policies_are_offered() {
    let check = |written: &str, expected: &[&str]| {
        assert_eq!(labels(POLICY, &format!("{POLICY_RULE}{written}")), expected, "{written}");
    };
    let actions = ["allow", "deny", "ask_user", "dry_run_first"];
    for written in ["action = ‸", "action = \"‸", "action = 'de‸'\npattern = \"x\"", "action =‸"]
    {
        check(written, &actions);
    }
    check("priority = \"‸\"", &["admin", "user", "default"]);
    check("approval_mode = ‸", &["ask", "autoEdit", "yolo", "agent"]);
    check("name = \"‸", &[]);
    check("action = \"deny\" ‸", &[]);
    let chosen = |written: &str, expected: &str| {
        let of_rule = |text: &str| format!("{POLICY_RULE}{text}");
        check_chosen_in(POLICY, &of_rule(written), "deny", &of_rule(expected), None);
    };
    chosen("action = ‸", "action = \"deny\"");
    chosen("action = \"‸\"", "action = \"deny\"");
    chosen("action = d‸", "action = \"deny\"");
}

#[test]
fn patterns_of_policies_are_offered() {
    let check = |written: &str, expected: &[&str]| {
        assert_eq!(labels(POLICY, &format!("{POLICY_RULE}{written}")), expected, "{written}");
    };
    let tools = ["edit", "read", "grep", "web_search", "*"];
    let both = [&tools[..], &["bash(", "mcp("]].concat();
    let others: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let others: Vec<&str> = others.into_iter().filter(|name| !tools.contains(name)).collect();
    let all = [&both[..], &others].concat();
    check("pattern = \"‸", &all);
    check("pattern = \"edit|‸\"", &all);
    check("pattern = ‸", &all);
    check("tool_pattern = '‸", &[&tools[..], &["mcp("], &others].concat());
    check("pattern = \"bash(‸)\"", &["git", "npm", "pnpm", "yarn"]);
    check("pattern = \"read|bash(gi‸", &["git", "npm", "pnpm", "yarn"]);
    check("pattern = \"git ‸", &["push", "stash"]);
    check("arg_pattern = \"‸", &["git", "npm", "pnpm", "yarn"]);
    check("pattern = \"mcp(‸", &[]);
    // Programs stand there, too, once something is typed.
    check("pattern = \"gi‸\"", &[&all[..], &["git", "npm", "pnpm", "yarn"]].concat());
    let chosen = |written: &str, label: &str, expected: &str| {
        let of_rule = |text: &str| format!("{POLICY_RULE}{text}");
        check_chosen_in(POLICY, &of_rule(written), label, &of_rule(expected), None);
    };
    chosen("pattern = \"edit|re‸\"", "read", "pattern = \"edit|read\"");
    chosen("pattern = \"edit|‸\"", "bash(", "pattern = \"edit|bash(\"");
    check_chosen_in(
        POLICY,
        &format!("{POLICY_RULE}pattern = ‸"),
        "bash(",
        &format!("{POLICY_RULE}pattern = \"bash()\""),
        Some("\"bash($1)\""),
    );
    chosen("pattern = \"bash(g‸)\"", "git", "pattern = \"bash(git)\"");
    chosen("pattern = \"git pu‸\"", "push", "pattern = \"git push\"");
}

#[test]
fn facts_of_policies_are_offered() {
    let labels = |written: &str| labels(POLICY, &format!("{POLICY_RULE}{written}"));
    assert_eq!(labels("params = { ‸ }")[0], "command");
    let of_tool = labels("tool_pattern = \"read\"\nparams = { ‸ }");
    assert!(of_tool.contains(&"file_path".to_owned()), "{of_tool:?}");
    assert!(!of_tool.contains(&"command".to_owned()), "{of_tool:?}");
    assert!(labels("path = \"‸\"").contains(&"src/**".to_owned()));
    assert_eq!(labels("path = { ‸ }"), ["is", "in", "not"]);
    assert!(labels("reads = { is = \"‸\" }").contains(&"secret".to_owned()));
    let store = Store::default();
    store.note_tools(["mcp__github__list_issues".to_owned()]);
    let text = format!("{POLICY_RULE}pattern = \"mcp(‸\"");
    let (text, offset) = at_cursor(&text);
    let provider = provider();
    let project = Project { provider: &provider, store: &store };
    let found = super::completion::all(&RuleFile::new(POLICY, text), project, offset);
    let found: Vec<String> = found.into_iter().map(|item| item.label).collect();
    assert_eq!(found, ["github/*", "github/list_issues"]);
}

#[test]
fn json_is_written_with_quotes() {
    let name = "behavior/team.policy.json";
    let chosen = |marked: &str, label: &str, expected: &str| {
        let (text, offset) = at_cursor(marked);
        let found = complete(&RuleFile::new(name, text.clone()), &provider(), offset);
        let chosen = found.iter().find(|completion| completion.label == label).expect(label);
        let mut text = text;
        text.replace_range(chosen.start as usize..chosen.end as usize, &chosen.insert);
        assert_eq!(text, expected);
    };
    chosen(r#"{"rules": [{"id": "a", ‸}]}"#, "kind", r#"{"rules": [{"id": "a", "kind": }]}"#);
    chosen(r#"{"rules": [{"id": "a", "ki‸"}]}"#, "kind", r#"{"rules": [{"id": "a", "kind": }]}"#);
    chosen(
        r#"{"rules": [{"id": "a", "ki‸": "no_call"}]}"#,
        "kind",
        r#"{"rules": [{"id": "a", "kind": "no_call"}]}"#,
    );
    chosen(
        r#"{"rules": [{"id": "a", "kind": ‸}]}"#,
        "no_call",
        r#"{"rules": [{"id": "a", "kind": "no_call"}]}"#,
    );
    let snippets: Vec<String> = {
        let (text, offset) = at_cursor(r#"{"rules": [{"id": "a", ‸}]}"#);
        let found = complete(&RuleFile::new(name, text), &provider(), offset);
        found.into_iter().filter_map(|item| item.snippet).collect()
    };
    assert!(snippets.contains(&"\"scope\": \"${1|trace,session|}\"".to_owned()), "{snippets:?}");
    assert!(snippets.iter().all(|it| it.starts_with('"')), "{snippets:?}");
    check_chosen(
        "rules: { \"read_f‸\" }",
        "read_first",
        "rules: { \"read_first\":  }",
        Some("read_first\": ${1|true,false|}"),
    );
}

#[test]
fn values_are_offered_right_behind_a_colon() {
    check_chosen("profile:‸", "strict", "profile: strict", None);
    check_chosen(
        "profile:‸\nclassify_turns: true\n",
        "dev",
        "profile: dev\nclassify_turns: true\n",
        None,
    );
    check_labels("rule_definitions:\n  - id: a\n    message: \"Note:‸", &[]);
    check_labels("rule_definitions:\n  - id: a\n    message: Note:‸", &[]);
}

#[test]
fn branches_files_and_prompts_are_offered() {
    let has = |marked: &str, label: &str| {
        let found = labels("behavior.yaml", marked);
        assert!(found.iter().any(|it| it == label), "{marked}: {found:?}");
    };
    has(&format!("{RULE}condition: {{ branch: ‸ }}"), "main");
    has(&format!("{RULE}condition:\n      pushes_to: ‸"), "main");
    has(&format!("{RULE}condition: {{ runs: {{ class: deletes, spares: ‸ }} }}"), "src/**");
    let project = MemoryFiles::new([("prompts/review.md", "Look.")]);
    let provider = WithLibrary { library, presets: &["dev"], project };
    let found = complete(&RuleFile::new("behavior.yaml", "prompt: "), &provider, 8);
    assert_eq!(found[0].insert, "\"{{prompt.review}}\"");
}

#[test]
fn tests_are_completed_by_what_they_say() {
    let test = "tests:\n  - name: a\n    events:\n      - bash: { command: \"{{case.line}}\" }\n      - edit: { file_path: \"{{case.file}}\" }\n";
    let labels = |rest: &str| labels("a.test.yaml", &format!("{test}{rest}"));
    assert_eq!(labels("    expect:\n      - at: ‸"), ["0", "1"]);
    assert_eq!(labels("    expect: [{ at: ‸ }]"), ["0", "1"]);
    assert_eq!(labels("    cases:\n      - { ‸ }"), ["line", "file"]);
    assert_eq!(labels("    cases:\n      - { line: ls, ‸ }"), ["file"]);
    let files = [("traces/one.jsonl", ""), ("two.jsonl", ""), ("traces/readme.md", "")];
    let provider = WithLibrary { library, presets: &["dev"], project: MemoryFiles::new(files) };
    let (text, offset) = at_cursor("tests:\n  - name: a\n    trace: ‸");
    let found = complete(&RuleFile::new("a.test.yaml", text), &provider, offset);
    let found: Vec<String> = found.into_iter().map(|item| item.label).collect();
    assert!(found.contains(&"two.jsonl".to_owned()), "{found:?}");
}

/// Texts that hold a bit of everything.
const DOCUMENTS: [&str; 4] = [
    "# behavior: profile\nname: é\nextends: dev\nrules: { read_first: on, max_blind_reads: 2 }\nprompt: |\n  Text: {x}\n\n  - more\nrule_definitions:\n- id: 'a''b'\n  trigger: [edit, \"*\"]\n  when: pre_tool\n  condition:\n    all:\n      - not: { target_in_set: read_files }\n      - \"param(x) matches \\\"a|b\\\" and (flag(searched) or counter(reads) >= 3)\"\n  message: >-\n    Read {target} and {counter:reads}\n",
    "security:\r\n  behavior: &b\r\n    profile: \"{{behavior.strict}}\"\r\n    state_tracking:\r\n      sets: { s: { add_on: [a, b], target: p } }\r\n    classifier:\r\n      approaches: [{ name: x, when: 👩 }]\r\n      directive_prefix: '{risk}'\r\nother: *b\r\n",
    "{\"profile\": \"dev\", \"rule_definitions\": [{\"id\": \"a\", \"condition\": {\"any\": [{\"flag_is\": {\"name\": \"searched\"}}, \"result failed\"]}}]}",
    "# behavior: policy\napproval_mode = \"ask\"\r\n[[rules]]\nname = 'é'\naction = \"deny\" # why\npattern = \"edit|bash(git push *)|mcp(a/b)\"\n\n[[rules]]\ntool_pattern = \"re\\u0061d\"\narg_pattern = '''\n*.env'''\nrules = [{ name = [1, 2], action = 'ask' }]\n",
];

#[test]
fn no_text_and_no_place_is_too_much() {
    let provider = provider();
    let mut asked = 0_usize;
    let mut answered = 0_usize;
    let mut ask = |name: &str, text: &str, offsets: &mut dyn Iterator<Item = u32>| {
        let file = RuleFile::new(name, text);
        for offset in offsets {
            asked += 1;
            answered += usize::from(hover(&file, &provider, offset).is_some());
            for completion in complete(&file, &provider, offset) {
                answered += 1;
                // What it replaces is a piece of the text around the offset.
                assert!(completion.start <= offset && offset <= completion.end);
                assert!(text.get(completion.start as usize..completion.end as usize).is_some());
            }
        }
    };
    for document in DOCUMENTS {
        for name in ["behavior.yaml", "behavior/a.yaml", "a.json", POLICY] {
            ask(name, document, &mut (0..document.len() as u32 + 3));
        }
        for (end, _) in document.char_indices() {
            let prefix = &document[..end];
            for name in ["behavior.yaml", POLICY] {
                ask(name, prefix, &mut [0, end as u32 / 2, end as u32].into_iter());
            }
        }
        // Every character taken out, and odd ones put in.
        for (at, character) in document.char_indices() {
            for odd in ["", "{", "\"", "\n", "👩"] {
                let mut text = document[..at].to_owned();
                let _ = write!(text, "{odd}");
                let offset = text.len() as u32;
                text.push_str(&document[at + character.len_utf8()..]);
                ask("behavior.yaml", &text, &mut std::iter::once(offset));
                ask(POLICY, &text, &mut std::iter::once(offset));
            }
        }
    }
    assert!(asked > 5_000 && answered > asked / 2, "{asked} {answered}");
}

const TRACE_POLICY: &str = "behavior/team.policy.yaml";

#[test]
fn trace_policies_are_explained_and_completed() {
    let check = |marked: &str, expected: &str| check_hover_in(TRACE_POLICY, marked, expected);
    check("rules:\n  - kind: no_‸call\n", "no_call: **`no_call`** — value");
    check("rules:\n  - sco‸pe: session\n", "scope: **`scope`** — `trace` or `session`");
    check(
        "rules:\n  - kind: max_turns\n    params: { lim‸it: 3 }\n",
        "limit: **`limit`** — a whole number, 0 or more",
    );
    let labels = |marked: &str| labels(TRACE_POLICY, marked);
    assert_eq!(labels("‸"), ["rules", "apiVersion"]);
    assert!(labels("rules:\n  - kind: ‸").contains(&"must_followup".to_owned()));
    assert!(labels("rules:\n  - when: { path: model, op: ‸ }").contains(&"not_in".to_owned()));
    assert_eq!(labels("rules:\n  - id: a\n    severity: ‸"), ["error", "warning", "info"]);
}
