//! A stream of events as a working session produces them: reads, edits, writes, searches, shell
//! commands of about a hundred bytes, text in between. The same for every run.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, Param, ToolResult, Value};

/// A small generator of numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Numbers from a seed other than 0.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// The next number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

const COMMANDS: &[&str] = &[
    "cd services/billing && cargo build --release --workspace --locked --message-format=short 2>&1",
    "cargo test -p billing --lib invoices::tests::rounds_half_up -- --nocapture --test-threads 1",
    "git add services/billing/src/invoice.rs services/billing/tests && git status --short --branch",
    "git log --oneline --since='2 weeks ago' --author=dev -- services/billing/src/invoice.rs docs",
    "npm --prefix web/dashboard run build -- --mode production --sourcemap --out-dir ../../dist/web",
    "docker compose -f deploy/compose.dev.yaml up -d postgres redis && docker compose ps --services",
    "curl -sS -X POST http://localhost:8080/api/v1/invoices -H 'content-type: application/json' -d @x",
    "python3 scripts/migrate.py --from 0041 --to 0042 --database billing_dev --dry-run --verbose",
    "rg --line-number --type rust 'fn round_half_up' services/ crates/ --glob '!**/generated/**' -C 2",
    "head -n 40 services/billing/src/invoice.rs && wc -l services/billing/src/*.rs crates/money/*.rs",
    "mkdir -p build/reports && cp -r target/doc build/reports/doc && du -sh build/reports/doc target/",
    "kubectl --context dev get pods -n billing -o wide --sort-by=.status.startTime | grep -v Completed",
];

const TEXTS: &[&str] = &[
    "I will look at how invoices are rounded first, then change the one place that is wrong.",
    "The rounding happens in `Money::split`. Changing it there fixes all three callers.",
    "The tests pass. One more thing to check: the dashboard shows the amounts as strings.",
];

/// About `events` events of one session. Calls have ids, and results name only those.
#[must_use]
pub fn realistic(events: usize, seed: u64) -> Vec<Event<'static>> {
    let mut numbers = Numbers::new(seed);
    let mut stream = Vec::with_capacity(events + 16);
    let mut next_id = 0u32;
    while stream.len() < events {
        stream.push(Event::TurnStart { text: Some("Please go on with the invoices.".into()) });
        let calls = 3 + numbers.below(12);
        for index in 0..calls {
            if index == 0 || numbers.below(4) == 0 {
                let text = TEXTS.get(numbers.below(TEXTS.len() as u64) as usize).copied();
                stream.push(Event::Text { text: text.unwrap_or_default().into() });
            }
            next_id += 1;
            let id = format!("toolu_{next_id:08x}");
            let (tool, params) = call(&mut numbers);
            stream.push(Event::ToolCall(Call {
                id: Some(id.clone().into()),
                tool: tool.into(),
                native_tool: None,
                params,
            }));
            stream.push(Event::ToolResult(ToolResult {
                id: Some(id.into()),
                call: None,
                result: Some(Value::Text("ok".into())),
                ok: true,
            }));
        }
    }
    stream.truncate(events);
    stream
}

fn call(numbers: &mut Numbers) -> (&'static str, Vec<Param<'static>>) {
    let text = |name: &'static str, value: Cow<'static, str>| Param {
        name: name.into(),
        native: None,
        value: Value::Text(value),
    };
    let file = |numbers: &mut Numbers| {
        format!("/home/dev/project/services/billing/src/module_{:02}.rs", numbers.below(40))
    };
    match numbers.below(10) {
        0..3 => ("read", vec![text("file_path", file(numbers).into())]),
        3..5 => (
            "edit",
            vec![
                text("file_path", file(numbers).into()),
                text("old_string", "let total = amount / parts;".into()),
                text("new_string", "let total = amount.split(parts);".into()),
            ],
        ),
        5 => (
            "write",
            vec![
                text("file_path", file(numbers).into()),
                text(
                    "content",
                    "pub fn split(amount: i64, parts: i64) -> Vec<i64> { todo() }".into(),
                ),
            ],
        ),
        6 => {
            ("grep", vec![text("pattern", "round_half_up".into()), text("path", "services".into())])
        }
        _ => {
            let command = COMMANDS.get(numbers.below(COMMANDS.len() as u64) as usize).copied();
            ("bash", vec![text("command", command.unwrap_or_default().into())])
        }
    }
}

/// A behaviour config of so many rules, about 160 bytes each, as generated configs look.
#[must_use]
pub fn many_rules(rules: usize) -> String {
    let mut text = "rule_definitions:\n".to_owned();
    for index in 0..rules {
        text.push_str(&format!(
            "  - id: rule_{index:05}\n    trigger: [edit, write]\n    action: warn\n    condition:\n      \
             param_contains: {{ param: file_path, value: \"x_{index:05}\" }}\n    \
             message: \"Leave it.\"\n"
        ));
    }
    text
}
