//! Random grants, calls, moments and files that somebody puts back: no grant covers more, or longer, than was said.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use behavior_runtime::event::{Call, Param, Value};

use super::{CallGrants, CallToGrant, Covers, Given, Grants, LASTS_ONCE, Lasts, MAX_SESSION};
use crate::live::secret_key::SecretKey;

const SESSIONS: [&str; 3] = ["s1", "s2", "s3"];
const LINES: [&str; 3] = ["git push", "git push ", "rm -rf src"];
const RULES: [&str; 2] = ["publishes", "destroys_work"];
const START: i64 = 1_000_000;

/// Numbers that look random, and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

fn shell(line: &str) -> Call<'_> {
    let command = Param { name: "command".into(), native: None, value: Value::Text(line.into()) };
    Call { id: None, tool: "bash".into(), native_tool: None, params: vec![command] }
}

/// What was said of a grant.
struct Said {
    given: Given,
    line: Option<&'static str>,
    was_used: bool,
}

impl Said {
    fn covers(&self, rule: &str, project: &Path, session: &str, line: &str, now: i64) -> bool {
        let lasts = match &self.given.lasts {
            Lasts::Once => !self.was_used && now < self.given.since + LASTS_ONCE.as_millis() as i64,
            Lasts::Session(of) => of == session && now < self.given.since + MAX_SESSION,
            Lasts::Until(end) => now < *end,
        };
        let is_call = self.line.is_none_or(|known| known == line);
        lasts && is_call && self.given.rule == rule && self.given.project == project
    }
}

fn random_grant(
    numbers: &mut Numbers,
    grants: &Grants<'_>,
    projects: &[PathBuf],
    number: usize,
) -> Said {
    let project = projects[numbers.below(projects.len())].clone();
    let line = (numbers.below(3) > 0).then(|| numbers.one(&LINES));
    let covers = match line {
        Some(line) => Covers::Call(grants.code(&shell(line), &project)),
        None => Covers::Paths("src/**".to_owned()),
    };
    let since = START + numbers.below(5_000) as i64;
    let lasts = match numbers.below(3) {
        0 => Lasts::Once,
        1 => Lasts::Session(numbers.one(&SESSIONS).to_owned()),
        _ => Lasts::Until(since + numbers.below(10_000) as i64),
    };
    let (id, rule) = (format!("g{number}"), numbers.one(&RULES).to_owned());
    let (by, shown) = ("me".to_owned(), String::new());
    let given = Given { id, rule, project, covers, lasts, by, since, shown, contents: None };
    Said { given, line, was_used: false }
}

/// Puts files back as they were, under their names or under others, or changes them: whatever a program can do that
/// cannot read the key.
fn tamper(numbers: &mut Numbers, folder: &Path, seen: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if let Ok(bytes) = std::fs::read(&path) {
            seen.entry(path).or_insert(bytes);
        }
    }
    let paths: Vec<PathBuf> = seen.keys().cloned().collect();
    let Some(path) = paths.get(numbers.below(paths.len().max(1))) else { return };
    let mut bytes = seen[path].clone();
    let other = paths[numbers.below(paths.len())].clone();
    let target = match numbers.below(4) {
        0 => other,
        1 => folder.join("g99.json"),
        2 => {
            let at = numbers.below(bytes.len().max(1));
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1;
            }
            path.clone()
        }
        _ => path.clone(),
    };
    let _ = std::fs::write(target, bytes);
}

#[test]
fn no_grant_outlives_its_scope() {
    let root = std::env::temp_dir().join(format!("behavior-grants-{}", std::process::id()));
    let mut used = 0;
    for seed in 1..60_u64 {
        let state = root.join(seed.to_string());
        std::fs::create_dir_all(&state).unwrap();
        let projects: Vec<PathBuf> = ["a", "b"].iter().map(|name| state.join(name)).collect();
        for project in &projects {
            std::fs::create_dir_all(project.join(".git")).unwrap();
        }
        let projects: Vec<PathBuf> =
            projects.iter().map(|project| project.canonicalize().unwrap()).collect();
        let key = SecretKey::of_user(&state).unwrap();
        let grants = || Grants::in_state(&state, &key);
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut seen = BTreeMap::new();
        let mut said: Vec<Said> =
            (0..4).map(|number| random_grant(&mut numbers, &grants(), &projects, number)).collect();
        said.iter().for_each(|said| grants().give(&said.given).unwrap());
        for _ in 0..25 {
            if numbers.below(3) == 0 {
                tamper(&mut numbers, &state.join(super::GRANTS), &mut seen);
            }
            let (rule, session, line) =
                (numbers.one(&RULES), numbers.one(&SESSIONS), numbers.one(&LINES));
            let project = projects[numbers.below(2)].clone();
            // Near when grants end, long after, and now.
            let ends = [0, 0, 0, 0, 9_000, LASTS_ONCE.as_millis() as i64, MAX_SESSION, 1 << 40];
            let now = START + ends[numbers.below(8)] + numbers.below(6_000) as i64;
            let call = shell(line);
            let to_grant =
                CallToGrant { root: &project, session, call: &call, directory: &project, now };
            let mut covering = CallGrants::new(grants(), to_grant, false);
            for grant in covering.for_rule(rule) {
                let said = said.iter_mut().find(|said| said.given.id == grant.id);
                let said = said.unwrap_or_else(|| panic!("nobody gave {grant:?}"));
                let is_said = said.covers(rule, &project, session, line, now);
                assert!(is_said, "{seed}: {grant:?} for {line} in {session}, at {now}");
                if covering.use_up(&grant) {
                    used += 1;
                    said.was_used = true;
                }
            }
        }
    }
    std::fs::remove_dir_all(root).unwrap();
    assert!(used > 15, "only {used} grants were used");
}
