//! The workload: coding sessions as a seeded generator makes them up. Knows nothing of who decides on it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The parameters of a call that rules may look at, and the others that calls have besides.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(flatten)]
    pub others: serde_json::Map<String, serde_json::Value>,
}

/// What an agent does: it writes text, or calls a tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// `text` or `tool`.
    pub kind: String,
    pub session: String,
    pub turn: u32,
    pub tool: String,
    pub params: Params,
    /// Whether the file that the call names is there.
    pub exists: bool,
    pub lint_errors: u32,
    pub text: String,
}

/// A generator of numbers: a xorshift with a multiplier.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }

    fn percent(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// A text with a word for each `~` and a number for each `#`.
    fn fill(&mut self, text: &str) -> String {
        text.chars().fold(String::new(), |mut out, letter| {
            match letter {
                '~' => out.push_str(self.one(&WORDS)),
                '#' => out.push_str(&(self.below(120) + 1).to_string()),
                other => out.push(other),
            }
            out
        })
    }
}

const WORDS: [&str; 18] = [
    "invoice", "ledger", "order", "basket", "report", "search", "mailer", "profile", "billing",
    "export", "import", "token", "ticket", "payment", "upload", "layout", "filter", "export",
];
const FOLDERS: [&str; 11] = [
    "src",
    "src/orders",
    "src/web/pages",
    "src/web",
    "lib",
    "tests",
    "tests/unit",
    "docs",
    "packages/core/src",
    "packages/api/src",
    "deploy",
];
const ENDINGS: [&str; 7] = [".rs", ".py", ".ts", ".go", ".md", ".json", ".toml"];
const SECRET_FILES: [&str; 3] = [".env", "deploy/.env", "config/staging.env"];
const TEXTS: [&str; 9] = [
    "I start with the ~ part.",
    "The ~ module is where this happens; I change it and run the tests.",
    "Two of # cases fail because of ~.",
    "I am not sure that ~ is called at all.",
    "I don't know what ~ expects here.",
    "It is uncertain whether ~ was meant to be public.",
    "All # tests of ~ pass now.",
    "Next come the callers of ~.",
    "This touches ~ and ~, so I look at both.",
];
/// Command lines, and how many of a hundred are of each kind.
const COMMANDS: [(usize, &[&str]); 5] = [
    (
        62,
        &[
            "cargo check --workspace",
            "cargo clippy -p ~ -- -D warnings",
            "npm run build",
            "npm ci",
            "git status -sb",
            "git log -# --oneline",
            "git diff --stat",
            "git add src/~ && git commit -m 'Tidy ~'",
            "python tools/~.py --rows #",
            "make -j# ~",
            "docker build -t ~:# .",
            "rg -n ~ src",
            "curl -sS https://intern.example.org/~/#",
            "node scripts/~.mjs --port #",
            "mkdir -p out/~",
            "psql -c 'select id from ~ where n < #'",
            "kubectl get pods -l app=~",
            "go build ./...",
            "cargo run --bin ~ -- --limit #",
            "git switch -c ~-#",
            "tar czf ~.tgz out/~",
            "echo ~ # >> notes.txt",
        ],
    ),
    (14, &["cargo test -p ~", "pytest tests/~ -q", "npm test", "go test ./~/..."]),
    (
        10,
        &[
            "cat src/~.rs",
            "head -# src/~.py",
            "tail -n # logs/~.log",
            "sed -n 1,#p lib/~.ts",
            "git log | less ",
            "cargo build 2>&1 | tail -5",
        ],
    ),
    (5, &["find . -name '*~*'", "ls -lRa src", "tree lib -L 2", "ls -R packages"]),
    (
        9,
        &[
            "rm -rf out/~",
            "git reset --hard HEAD~#",
            "git push --force",
            "git push -f origin ~",
            "git clean -fd",
            "psql -c 'DROP TABLE ~'",
            "mysql -e 'truncate table ~'",
            "sudo systemctl reload ~",
            "git push origin ~",
            "git push origin main",
        ],
    ),
];

/// A session that goes on.
struct Session {
    name: String,
    turn: u32,
    /// How many calls this turn still has.
    calls: usize,
    steps: usize,
    files: Vec<String>,
    /// The kind of call that is made again and again, and how often still.
    habit: (usize, usize),
}

impl Session {
    fn new(number: usize) -> Self {
        let name = format!("session-{number}");
        Self { name, turn: 0, calls: 0, steps: 0, files: Vec::new(), habit: (0, 0) }
    }

    fn step(&mut self, numbers: &mut Numbers) -> Step {
        self.steps += 1;
        let mut step = Step::default();
        if self.calls == 0 {
            self.turn += 1;
            self.calls = 2 + numbers.below(11);
            if numbers.percent(80) {
                let text = numbers.one(&TEXTS);
                step.text = numbers.fill(text);
            }
        }
        step.session.clone_from(&self.name);
        step.turn = self.turn;
        if step.text.is_empty() {
            self.calls -= 1;
            step.kind = "tool".to_owned();
            self.call(numbers, &mut step);
        } else {
            step.kind = "text".to_owned();
        }
        step
    }

    fn call(&mut self, numbers: &mut Numbers, step: &mut Step) {
        let kind = match self.habit {
            (kind, left @ 1..) => {
                self.habit.1 = left - 1;
                kind
            }
            _ => numbers.below(100),
        };
        if self.habit.1 == 0 && numbers.percent(2) {
            self.habit = (kind, 4 + numbers.below(8));
        }
        let path = self.path(numbers);
        let params = &mut step.params;
        let mut other = |name: &str, value: serde_json::Value| {
            params.others.insert(name.to_owned(), value);
        };
        step.tool = match kind {
            0..30 => {
                if numbers.percent(30) {
                    other("limit", (50 + numbers.below(300)).into());
                }
                "read"
            }
            30..52 => {
                let old = code(numbers, 1..7);
                other("new_string", old.replacen("let", "let mut", 1).into());
                other("old_string", old.into());
                "edit"
            }
            52..60 => {
                other("content", code(numbers, 4..22).into());
                "write"
            }
            60..84 => {
                other("timeout", 60_000.into());
                "bash"
            }
            84..92 => {
                other("pattern", numbers.fill("fn ~_#").into());
                other("path", numbers.one(&FOLDERS).into());
                "grep"
            }
            92..95 => {
                other("pattern", format!("**/*{}", numbers.one(&ENDINGS)).into());
                "glob"
            }
            95..97 => {
                other("query", numbers.fill("~ and ~ in version #").into());
                "web_search"
            }
            _ => {
                other("title", numbers.fill("~ breaks ~").into());
                other("labels", serde_json::json!(["bug"]));
                "mcp__tracker__open_ticket"
            }
        }
        .to_owned();
        match kind {
            0..60 => {
                step.exists = kind < 52 || numbers.percent(50);
                step.lint_errors = u32::from(kind >= 30 && numbers.percent(8));
                if !self.files.contains(&path) {
                    self.files.push(path.clone());
                }
                params.file_path = Some(path);
            }
            60..84 => params.command = Some(command(numbers)),
            _ => {}
        }
    }

    fn path(&self, numbers: &mut Numbers) -> String {
        if numbers.percent(2) {
            return numbers.one(&SECRET_FILES).to_owned();
        }
        let latest = self.files.len().saturating_sub(25);
        match self.files.get(latest..) {
            Some(known) if !known.is_empty() && numbers.percent(65) => {
                known[numbers.below(known.len())].clone()
            }
            _ => {
                let (folder, ending) = (numbers.one(&FOLDERS), numbers.one(&ENDINGS));
                format!("{folder}/{}{ending}", numbers.one(&WORDS))
            }
        }
    }
}

fn code(numbers: &mut Numbers, lines: Range<usize>) -> String {
    let count = lines.start + numbers.below(lines.len());
    let lines: Vec<_> = (0..count).map(|_| numbers.fill("    let ~_# = ~(#)?;")).collect();
    lines.join("\n")
}

fn command(numbers: &mut Numbers) -> String {
    let mut place = numbers.below(100);
    for (share, commands) in COMMANDS {
        if place < share {
            let command = numbers.one(commands);
            return numbers.fill(command);
        }
        place -= share;
    }
    "true".to_owned()
}

/// So many steps of four sessions side by side; where one ends, another begins.
pub fn generate(steps: usize, seed: u64) -> Vec<Step> {
    const SIDE_BY_SIDE: usize = 4;
    const LENGTH: usize = 250;
    let mut numbers = Numbers::new(seed);
    let mut sessions: Vec<_> = (0..SIDE_BY_SIDE).map(Session::new).collect();
    let mut begun = SIDE_BY_SIDE;
    (0..steps)
        .map(|_| {
            let session = &mut sessions[numbers.below(SIDE_BY_SIDE)];
            if session.steps > LENGTH {
                *session = Session::new(begun);
                begun += 1;
            }
            session.step(&mut numbers)
        })
        .collect()
}
