//! What a message says of files that are to be left as they are, kept, or changed alone: sentence by sentence. What may be
//! said stands in [`forms`], how it is found in [`super::grammar`], which files words name in [`meant`]. Knows no rules.

mod forms;
mod found;
pub mod meant;
pub mod taken_up;
mod undone;

use std::sync::LazyLock;

use self::forms::{FORMS, Stance};
use self::found::{Found, about, is_pronoun};
use self::meant::Meant;
use self::taken_up::{MAX_LEFT_ALONE, also_called, hashes_of};
use super::grammar::{Grammar, is_misspelt};
use super::wish::{Wish, plain};

static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::of(FORMS.iter().map(|form| form.words)));

/// What was said of files: hashes of wishes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FilesSaid {
    /// What is to be left as it is, or kept.
    pub left: Vec<u64>,
    /// What alone is to be changed.
    pub only: Vec<u64>,
    /// Whether nothing else is to be changed than what the message names elsewhere.
    pub only_named: bool,
    /// What need not be left or kept any more: "forget what I said about not touching x".
    pub lifted: Vec<u64>,
    /// Whether that is so of all that was said before: "you can edit it now".
    pub lifts_all: bool,
    /// What is to be as it was.
    pub undone: Vec<u64>,
    /// The exceptions that hold no more, since just that is to be left.
    pub bound: Vec<u64>,
}

/// A message that is read sentence by sentence: "it" is what the sentence before named.
#[derive(Debug, Default)]
pub(super) struct Reading {
    before: Vec<String>,
    /// The files that the sentence before names, be it only to say where something is.
    beside: Vec<String>,
    /// What the sentence before may be about, as what is to be as it was.
    undone: Vec<u64>,
}

impl Reading {
    /// Returns what a sentence, in lower case, says of files. Of a question, only what is to be done without a change of them
    /// counts.
    pub fn sentence(&mut self, sentence: &str, is_question: bool) -> FilesSaid {
        let words: Vec<&str> =
            sentence.split_whitespace().map(as_meant).flat_map(without_contraction).collect();
        let mut said = FilesSaid::default();
        GRAMMAR.each_meeting(&words, |meeting| {
            let Some(form) = FORMS.get(meeting.form) else { return };
            let of = Found {
                words: &words,
                form,
                meeting: &meeting,
                before: &self.before,
                beside: &self.beside,
            };
            let is_asked =
                is_question && !matches!(plain(&words, meeting.words.start), "without" | "w/o");
            if form.stance == Stance::Lifted {
                let files = of.files().filter(|_| !is_asked && of.is_lifting());
                // "The makefile is fine, change it there, too" is about that alone.
                let names_none = about(&words).is_empty() && said.lifted.is_empty();
                said.lifts_all |= files.is_none() && !is_asked && names_none && of.lifts_it();
                said.lift(files);
            } else if of.is_taken_back() {
                said.lift(of.files());
            } else if !is_asked && of.is_wanted() {
                said.take(of.stance(), of.files());
            }
        });
        let named = undone::names(&words).into_iter().map(|meant| Wish::Undone(meant).hash());
        let named: Vec<u64> = named.collect();
        if !named.is_empty() {
            self.undone = named;
        }
        if !is_question && undone::asks_for_undo(&words) {
            said.undone.clone_from(&self.undone);
        }
        self.go_on(&words);
        said
    }

    /// Takes note of the files that a sentence is about.
    fn go_on(&mut self, words: &[&str]) {
        let named: Vec<String> = about(words).into_iter().map(str::to_owned).collect();
        let refers = (0..words.len()).any(|at| is_pronoun(plain(words, at)));
        // "Stop. That file is not to be edited."
        let says_little = words.len() <= 3;
        if !named.is_empty() || !refers && !says_little {
            self.before = named;
            self.beside = found::all_named(words).into_iter().map(str::to_owned).collect();
        }
    }
}

impl FilesSaid {
    /// Returns what it says that a file, by a word for it in lower case, is to be left as it is.
    pub fn leaving(file: &str) -> Self {
        let mut said = Self::default();
        said.take(Stance::Left, meant::name_of(file, false).map(|meant| vec![meant]));
        said
    }

    fn lift(&mut self, files: Option<Vec<Meant<'_>>>) {
        for meant in files.unwrap_or_default().into_iter().take(MAX_LEFT_ALONE) {
            self.lifted.extend(hashes_of(meant));
            // Where others alone may be changed, it may be, too.
            self.lifted.push(Wish::OnlyOf(meant).hash());
            // A file may be taken out of a folder that is left.
            if let Meant::Path(path) = meant
                && path.rsplit('/').next().is_some_and(|name| name.contains('.'))
            {
                self.lifted.push(Wish::Excepted(meant).hash());
            }
        }
    }

    fn take(&mut self, stance: Stance, files: Option<Vec<Meant<'_>>>) {
        if stance == Stance::OnlyNamed {
            self.only_named = true;
        }
        let Some(files) = files.filter(|files| !files.is_empty()) else { return };
        if stance == Stance::Only {
            self.only.push(Wish::Only.hash());
        }
        for meant in files {
            let (hashes, hash) = match stance {
                Stance::Left | Stance::Spared => (&mut self.left, Wish::LeftAlone(meant).hash()),
                Stance::Kept => (&mut self.left, Wish::Kept(meant).hash()),
                Stance::Only => (&mut self.only, Wish::OnlyOf(meant).hash()),
                Stance::OnlyNamed | Stance::Lifted => continue,
            };
            if matches!(stance, Stance::Left | Stance::Spared | Stance::Kept) {
                self.bound.push(Wish::Excepted(meant).hash());
            }
            // Several forms may say the same.
            if !hashes.contains(&hash) && hashes.len() < MAX_LEFT_ALONE {
                hashes.push(hash);
                if stance != Stance::Only {
                    hashes.extend(also_called(meant, hash));
                }
            }
        }
    }
}

/// A word as it is meant where it is misspelt, of those that say how much is meant.
fn as_meant(word: &str) -> &str {
    const MEANT: &[&str] = &["anything", "everything", "nothing", "folder"];
    MEANT.iter().find(|meant| is_misspelt(word, meant)).copied().unwrap_or(word)
}

/// A word for "it is" as two words.
fn without_contraction(word: &str) -> impl Iterator<Item = &str> {
    let (first, second) = match word {
        "it's" | "it’s" => ("it", Some("is")),
        "that's" | "that’s" => ("that", Some("is")),
        "they're" | "they’re" => ("they", Some("are")),
        _ => (word, None),
    };
    std::iter::once(first).chain(second)
}

#[cfg(test)]
mod tests {
    use super::forms::{FORMS, Form, Stance};
    use super::meant::{Meant, is_meant};
    use super::taken_up::{excepted, lifted, taken_up};
    use super::{FilesSaid, Reading};
    use crate::wish::Wish;

    /// What sentences say one after the other, the last one whole.
    fn read(text: &str) -> FilesSaid {
        let mut reading = Reading::default();
        let mut last = FilesSaid::default();
        for sentence in text.to_lowercase().split_inclusive(". ") {
            let plain = sentence.trim().trim_end_matches('.').trim_end_matches('?');
            last = reading.sentence(plain, sentence.ends_with('?'));
        }
        last
    }

    fn leaves(text: &str, path: &str) -> bool {
        let left = read(text).left;
        is_meant(path, |meant| left.contains(&Wish::LeftAlone(meant).hash()))
    }

    fn keeps(text: &str, path: &str) -> bool {
        let left = read(text).left;
        is_meant(path, |meant| left.contains(&Wish::Kept(meant).hash()))
    }

    fn is_only(text: &str, path: &str) -> bool {
        let only = read(text).only;
        is_meant(path, |meant| only.contains(&Wish::OnlyOf(meant).hash()))
    }

    #[test]
    fn each_form_is_met_by_its_example() {
        let is_met = |form: &&Form| {
            let (example, path) = (form.example, "a.py");
            match form.stance {
                Stance::Left => leaves(example, path),
                Stance::Kept => keeps(example, path),
                Stance::Spared => leaves(example, path) || keeps(example, path),
                Stance::Only => is_only(example, path),
                Stance::OnlyNamed => read(example).only_named,
                Stance::Lifted => {
                    let left = Wish::LeftAlone(Meant::Path(path)).hash();
                    read(example).lifted.contains(&left)
                }
            }
        };
        let missed = FORMS.iter().filter(|form| !is_met(form));
        let missed: Vec<_> = missed.map(|form| (form.example, form.words)).collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }

    #[test]
    fn what_is_to_be_left_is_told_by_its_name() {
        for (sentence, path) in [
            ("don't touch the migrations", "db/migrations/0001_init.sql"),
            ("leave the migrations alone please", "app/migrations/0001.py"),
            ("Leave src/legacy alone", "src/legacy/a.rs"),
            ("do not edit config.py or src/api/, I am working on them", "app/config.py"),
            ("do not edit config.py or src/api/, I am working on them", "src/api/x.py"),
            ("fix it without changing the tests", "tests/a.rs"),
            ("fix it without changing the tests", "src/a.test.ts"),
            ("fix it without touching package.json", "package.json"),
            ("no changes to the lockfile", "Cargo.lock"),
            ("stay out of vendor/", "vendor/x/y.go"),
            ("hands off the CI", ".github/workflows/ci.yml"),
            ("please don't make any changes in src/core", "src/core/lib.rs"),
            ("don't touch anything under infra/", "infra/main.tf"),
            ("leave the legacy folder as it is", "src/legacy/a.py"),
            ("don't touch the folder legacy", "legacy/a.py"),
            ("the migrations must not be changed", "migrations/1.sql"),
            ("src/gen is off limits", "src/gen/a.rs"),
            ("keep the README as is", "README.md"),
            ("never modify Makefile", "Makefile"),
            ("don't edit the tests until I say so", "tests/a.py"),
            ("I don't want you to touch the docs", "docs/a.md"),
            ("don't mess with the Dockerfile", "Dockerfile"),
            ("can you do it without touching a.py?", "a.py"),
            ("w/o touching models.py", "models.py"),
            ("as i said, don't touch models.py", "models.py"),
            ("whatever you do, requirements.txt stays untouched", "requirements.txt"),
            ("config.yaml should stay exactly like it is tho", "config.yaml"),
            ("the conftest.py has to stay how it is", "conftest.py"),
            ("config.py can't change", "config.py"),
            ("config.py should not change", "config.py"),
            ("config.py remains unchanged", "config.py"),
            ("the tests should stay the same", "tests/a.py"),
            ("generated/ is read-only for you", "generated/a.py"),
            ("fix the code and not the tests", "tests/a.py"),
            ("make it green, but not by editing the tests", "tests/a.py"),
            ("no test changes please", "tests/a.py"),
            ("I don't want any changes to the migrations", "migrations/a.sql"),
            ("do it without changes to the Dockerfile", "Dockerfile"),
            ("nothing under db/ changes", "db/a.sql"),
            ("nothing in db/ should change", "db/a.sql"),
            ("don't touch src", "src/a.py"),
            ("don't you dare touch config.py", "config.py"),
            ("rename foo to bar everywhere except in docs/", "docs/a.md"),
            ("update everything except the lockfile", "Cargo.lock"),
            ("bitte fass die Tests nicht an", "tests/a.py"),
            ("config.py nicht ändern", "config.py"),
            ("mach es, ohne die Tests zu ändern", "tests/a.py"),
            ("Finger weg von config.py", "config.py"),
            ("lass config.py in Ruhe", "config.py"),
            ("ne touche pas au Dockerfile", "Dockerfile"),
            ("corrige-le sans modifier les tests", "tests/a.py"),
            ("no toques package.json", "package.json"),
            ("no toques ni los tests ni el README", "README.md"),
            ("don't touch the snapshots or the e2e tests", "e2e/login.spec.ts"),
            ("do not edit config files, not package.json, not tsconfig", "package.json"),
            ("not in legacy/, that stays as is", "legacy/user.js"),
            ("leave everything in api/ alone, work in web/ only", "api/orders.py"),
            ("leave the Header component alone", "src/components/Header.tsx"),
            ("actually don't write the changelog, i'll do that", "CHANGELOG.md"),
            ("am config ordner bitte nichts ändern", "config/search.yml"),
            ("deja el README.md como está", "README.md"),
        ] {
            assert!(leaves(sentence, path), "{sentence}: {path}");
        }
    }

    #[test]
    fn other_noes_leave_nothing() {
        for (sentence, path) in [
            ("don't change the test names", "tests/a.rs"),
            ("don't change the file format", "src/format/a.rs"),
            ("don't change the API in src/api.py", "src/api.py"),
            ("don't touch files outside src/", "src/a.rs"),
            ("don't edit the tests if they pass", "tests/a.rs"),
            ("why don't you touch the tests?", "tests/a.rs"),
            ("the formatter doesn't touch the docs", "docs/a.md"),
            ("you don't need to touch the docs", "docs/a.md"),
            ("don't touch the migrations unless it is necessary", "migrations/a.sql"),
            ("don't leave the tests as they are", "tests/a.rs"),
            ("change the tests", "tests/a.rs"),
            ("don't touch src/legacy", "src/other.rs"),
            ("don't touch the migrations", "src/app.py"),
            ("keep the tests green", "tests/a.rs"),
            ("leave a comment in src/a.rs", "src/a.rs"),
            ("why did you leave utils.py alone?", "utils.py"),
            ("why did you leave utils.py alone", "utils.py"),
            ("should I leave config.py as it is or change it?", "config.py"),
            ("keep config.py as it is except for the port", "config.py"),
            ("the tests must not be changed by the formatter", "tests/a.py"),
            ("the Dockerfile must not be changed to alpine", "Dockerfile"),
            ("you don't have to leave config.py alone", "config.py"),
            ("we used to keep hands off the Makefile", "Makefile"),
            ("the guide says don't touch config.py", "config.py"),
            ("Jonas told me to leave utils.py alone", "utils.py"),
            ("the readme says don't touch config.py", "config.py"),
            ("run everything except the tests", "tests/a.py"),
            ("the bug is in the code, not the tests", "tests/a.py"),
            ("config.py should not change its format", "config.py"),
            ("don't touch anything except src/a.py", "src/a.py"),
            ("don't just edit the tests to make them pass", "tests/a.py"),
            ("don't edit the tests just to make them pass", "tests/a.py"),
            ("don't only fix src/a.py, fix src/b.py too", "src/a.py"),
            ("there's no way to edit tests in the ui", "tests/a.py"),
            ("no one can edit src/a.py because of the file mode", "src/a.py"),
            ("leave src/a.py for last", "src/a.py"),
        ] {
            assert!(!leaves(sentence, path), "{sentence}: {path}");
        }
    }

    #[test]
    fn what_is_not_to_be_deleted_is_kept() {
        assert!(keeps("don't delete schema.sql", "db/schema.sql"));
        assert!(keeps("do not move or rename the tests, please", "tests/a.rs"));
        assert!(keeps("clean it up without removing docs/old", "docs/old/a.md"));
        assert!(keeps("delete all of it except docs/old", "docs/old/a.md"));
        assert!(!keeps("don't delete the row in schema.sql", "schema.sql"));
        assert!(!keeps("delete schema.sql", "schema.sql"));
        assert!(!keeps("the script does not delete schema.sql", "schema.sql"));
    }

    #[test]
    fn who_names_the_only_files_wants_no_others_changed() {
        for sentence in [
            "only touch src/parser",
            "please edit only files in src/parser/",
            "limit your changes to src/parser",
            "don't touch anything outside src/parser",
            "do not change any files other than src/parser/mod.rs",
            "changes only in the directory parser, please",
            "only make changes to src/parser",
            "fix it in src/parser and nowhere else",
            "fix it in src/parser/mod.rs only",
            "limit yourself to src/parser pls",
            "don't touch anything apart from src/parser",
            "only src/parser may be edited",
            "update it without touching anything except src/parser",
        ] {
            assert!(is_only(sentence, "src/parser/mod.rs"), "{sentence}");
            assert!(!leaves(sentence, "src/parser/mod.rs"), "{sentence}");
        }
        for sentence in [
            "only change the colour in src/parser",
            "only the parser changed in src/parser",
            "don't touch src/parser",
            "edit src/parser only if it is broken",
            "make it admin only",
            "fix it in src/parser/mod.rs, local only",
            "show it in src/parser only",
            "run just the tests",
            "the values stay in config.yaml",
            "make npm run fmt only format src/parser",
            "users can only change src/parser in the editor",
            "fix the issue in src/parser/mod.rs, nothing else is wrong with it",
        ] {
            assert!(read(sentence).only.is_empty(), "{sentence}");
        }
    }

    #[test]
    fn what_was_said_is_taken_back() {
        let lifted = read("forget what I said about not touching a.py").lifted;
        assert!(lifted.contains(&Wish::LeftAlone(Meant::Path("a.py")).hash()));
        assert!(!leaves("forget what I said about not touching a.py", "a.py"));
        assert!(leaves("don't touch a.py without asking me first", "a.py"));
        // Something else is to be forgotten.
        assert!(leaves("ignore the warnings and don't touch a.py", "a.py"));
        assert!(leaves("forget that, and don't touch a.py", "a.py"));
    }

    #[test]
    fn what_is_meant_by_another_name_is_taken_back() {
        let lifts = |said: &str, now: &str| {
            let left = read(said).left;
            let clauses = [now.to_owned()];
            let of_forms = read(now).lifted;
            let gone = [taken_up(&left, &clauses), lifted(&left, &of_forms)].concat();
            !left.is_empty() && gone.contains(left.first().unwrap_or(&0))
        };
        assert!(lifts("don't touch tests/test_app.py", "now fix the tests"));
        assert!(lifts("don't touch tests/test_app.py", "update the test too"));
        assert!(lifts("don't touch tests/test_app.py", "forget what I said about the tests"));
        assert!(lifts("don't edit config/prod.yaml", "set the log level to info in prod.yaml"));
        assert!(lifts("don't modify README.md", "describe it in the readme"));
        assert!(lifts("don't modify README.md", "README.md is fine to edit"));
        assert!(!lifts("don't touch tests/test_app.py", "run the tests"));
        assert!(lifts("leave orders.ts for later", "good. now orders"));
        assert!(lifts("no toques los tests", "los tests sí los puedes cambiar"));
        assert!(!lifts("don't touch .eslintrc.json", "put .eslintrc.json back the way it was"));
        assert!(!lifts("don't touch tests/test_app.py", "update the docs"));
        assert!(read("ok you can edit it now").lifts_all);
        assert!(!read("can you edit it now?").lifts_all);
        assert!(!read("makefile is fine actually, change it there too").lifts_all);
    }

    #[test]
    fn what_is_to_be_as_it_was_is_told_by_its_name() {
        let undoes = |text: &str, path: &str| {
            let undone = read(text).undone;
            is_meant(path, |meant| undone.contains(&Wish::Undone(meant).hash()))
        };
        for (text, path) in [
            ("it seems the compose file got changed, revert it", "docker-compose.yml"),
            ("users.json is gone, bring it back", "fixtures/users.json"),
            ("why is package.json in the diff? put it back", "package.json"),
            ("the navbar changed as well, undo that please", "src/components/Navbar.vue"),
            ("AppDelegate.swift is modified. back to how it was pls", "ios/App/AppDelegate.swift"),
            ("no no, restore the makefile to what it was", "Makefile"),
            ("nimm die änderung an base.html wieder zurück", "templates/base.html"),
        ] {
            assert!(undoes(text, path), "{text}");
        }
        for (text, path) in [
            ("don't revert the makefile", "Makefile"),
            ("should I revert the makefile?", "Makefile"),
            ("the undo button in header.tsx is broken", "header.tsx"),
            ("revert a.py", "b.py"),
            ("undo the last change in lib/a.py", "lib/a.py"),
            ("revert everything except src/a.ts", "src/a.ts"),
            ("if the tests fail, throw away the changes in a.txt", "a.txt"),
            ("put the button into the navbar", "src/Navbar.vue"),
        ] {
            assert!(!undoes(text, path), "{text}");
        }
    }

    #[test]
    fn a_pronoun_is_what_was_named_before() {
        for (text, path) in [
            ("config.py is hand-tuned, don't touch it", "config.py"),
            ("I am working on src/api. Leave it alone", "src/api/a.py"),
            ("The migrations are deployed already. Please don't edit them", "migrations/1.sql"),
            ("a.py and b.py are mine. Leave both alone", "b.py"),
        ] {
            assert!(leaves(text, path), "{text}");
        }
        for (text, path) in [
            ("the button in header.tsx is red, leave it as is", "header.tsx"),
            ("fix a.py. The test is slow. Leave it as it is", "a.py"),
            ("look at a.py. I don't want to change that behaviour", "a.py"),
        ] {
            assert!(!leaves(text, path), "{text}");
        }
    }

    #[test]
    fn a_long_message_is_read_in_time() {
        for part in
            ["don't touch a.py, ", "leave it ", "a.py, ", "not ", "only ", "a.py is frozen "]
        {
            let text = part.repeat(60_000 / part.len());
            assert!(read(&text).left.len() <= text.len());
        }
    }

    #[test]
    fn who_asks_for_a_change_takes_his_no_back() {
        let takes_up = |clause: &str, sentence: &str| {
            let left = read(sentence).left;
            left.first().is_some_and(|it| taken_up(&left, &[clause.to_owned()]).contains(it))
        };
        assert!(takes_up("add a test for it", "don't touch the tests"));
        let excepts = |clause: &str, sentence: &str| {
            let wish = Wish::Excepted(Meant::Path("src/legacy/a.rs")).hash();
            excepted(&read(sentence).left, &[clause.to_owned()]).contains(&wish)
        };
        assert!(excepts("now update src/legacy/a.rs", "leave src/legacy alone"));
        assert!(!excepts("now update src/legacy/a.rs", "leave src/other alone"));
        assert!(!takes_up("now update src/legacy/a.rs", "leave src/legacy alone"));
        assert!(takes_up("you can edit the migrations now", "leave the migrations alone"));
        assert!(!takes_up("run the tests", "don't touch the tests"));
        assert!(!takes_up("fix the code so that the tests pass", "don't touch the tests"));
        assert!(!takes_up("look at src/legacy", "leave src/legacy alone"));
        assert!(!takes_up("update src", "leave src/legacy alone"));
    }
}
