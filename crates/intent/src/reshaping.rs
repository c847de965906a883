//! Kinds of changes that a user forbids as a whole, whatever they are made to: new files, other names, other layout, commits that
//! are changed afterwards, new migrations. Says of words which of them they name, and not whether that is a no. Knows no rules.

use super::act::Act;
use super::sentences::{at_negation, clauses};
use super::told::{is_told, plain_words};

/// What people call such a change.
struct Kind {
    act: Act,
    /// Verbs of it, and what they are done to, the last word of what names that; with none, whatever that is.
    verbs: &'static [&'static str],
    objects: &'static [&'static str],
    /// What says it without a verb, as "no renames" does.
    nouns: &'static [&'static [&'static str]],
}

const MAKING: &[&str] = &[
    "create",
    "creating",
    "add",
    "adding",
    "make",
    "making",
    "write",
    "writing",
    "generate",
    "generating",
    "introduce",
    "introducing",
];

const FILES: &[&str] = &["file", "files", "module", "modules"];

const KINDS: &[Kind] = &[
    Kind {
        act: Act::Amend,
        verbs: &["amend", "amending", "amended"],
        objects: &[],
        nouns: &[&["amends"], &["amend"], &["amending"]],
    },
    Kind {
        act: Act::Reformat,
        verbs: &["reformat", "reformatting", "prettify", "autoformat"],
        objects: &[],
        nouns: &[
            &["reformatting"],
            &["formatting", "changes"],
            &["formatting", "churn"],
            &["formatting", "noise"],
            &["formatting", "diffs"],
            &["formatting", "diff"],
            &["formatting", "edits"],
            &["formatting"],
            &["format", "changes"],
            &["style", "changes"],
            &["whitespace", "changes"],
            &["whitespace", "churn"],
            &["whitespace", "noise"],
            &["whitespace", "diffs"],
            &["prettier"],
            &["black"],
            &["rustfmt"],
            &["gofmt"],
            &["fmt"],
        ],
    },
    Kind {
        act: Act::Reformat,
        verbs: &["format", "formatting"],
        objects: &["anything", "everything", "code", "file", "files", "it", "codebase", "repo"],
        nouns: &[],
    },
    Kind {
        act: Act::Reformat,
        verbs: &["run", "running"],
        objects: &["formatter", "formatters", "prettier", "black", "rustfmt", "gofmt", "fmt"],
        nouns: &[],
    },
    Kind {
        act: Act::Rename,
        verbs: &["rename", "renaming", "move", "moving"],
        objects: &["anything", "files", "file", "modules", "folders", "directories", "things"],
        nouns: &[&["renames"], &["renaming"], &["file", "renames"]],
    },
    Kind {
        act: Act::NewFile,
        verbs: MAKING,
        objects: FILES,
        nouns: &[
            &["new", "files"],
            &["new", "file"],
            &["additional", "files"],
            &["additional", "file"],
            &["extra", "files"],
            &["extra", "file"],
            &["more", "files"],
            &["further", "files"],
            &["new", "modules"],
            &["new", "module"],
            &["helper", "files"],
        ],
    },
    Kind {
        act: Act::NewMigration,
        verbs: MAKING,
        objects: &["migration", "migrations"],
        nouns: &[&["new", "migrations"], &["new", "migration"]],
    },
];

/// What stands before what is done.
const LEADING: &[&str] =
    &["please", "ever", "actually", "just", "to", "go", "and", "you", "start", "bother", "need"];

/// What stands between a verb and what it is done to.
const BETWEEN: &[&str] = &[
    "a",
    "an",
    "any",
    "the",
    "more",
    "new",
    "other",
    "another",
    "extra",
    "additional",
    "existing",
    "my",
    "our",
    "of",
    "these",
    "those",
    "whole",
    "entire",
    "all",
    "code",
    "source",
    "cargo",
    "db",
    "database",
    "schema",
    "sql",
    "django",
    "alembic",
    "prisma",
];

/// What may stand behind: not "to the commit", which is about something else.
const BEHIND: &[&str] = &[
    "please", "pls", "yet", "for", "now", "at", "all", "here", "or", "and", "unless", "until",
    "around", "anywhere", "either", "this", "session", "today", "again", "as", "on", "with",
    "while", "so", "just", "then", "ok", "thanks", "it's", "needed", "by", "the", "since",
    "because", "without", "anymore",
];

/// Returns what words say is done, its verb first; `is_open` where whatever it is done to says so.
fn done(words: &[&str], is_open: bool) -> Option<Act> {
    let words: Vec<&str> =
        words.iter().copied().skip_while(|word| LEADING.contains(word)).collect();
    let (verb, rest) = words.split_first()?;
    let is_meant = |kind: &&Kind| {
        if !kind.verbs.contains(verb) {
            return false;
        }
        if kind.objects.is_empty() {
            return true;
        }
        let between = rest.iter().take_while(|word| BETWEEN.contains(word)).count();
        // "Format the code": what may stand before the object may be it.
        let object = rest.get(between).filter(|word| kind.objects.contains(word));
        let at = match object {
            Some(_) => between,
            None => match rest
                .get(..between)
                .and_then(|own| own.iter().rposition(|word| kind.objects.contains(word)))
            {
                Some(at) => at,
                None => return false,
            },
        };
        is_open || rest.get(at + 1).is_none_or(|next| BEHIND.contains(next))
    };
    KINDS.iter().find(is_meant).map(|kind| kind.act)
}

/// Returns what words name: what is done, or where `is_name_enough` its noun.
pub(super) fn reshapings_named(words: &[&str], is_name_enough: bool) -> Vec<Act> {
    let named = |kind: &&Kind| {
        is_name_enough
            && kind.nouns.iter().any(|noun| {
                words.starts_with(noun)
                    && words.get(noun.len()).is_none_or(|next| BEHIND.contains(next))
            })
    };
    let mut found: Vec<Act> = KINDS.iter().filter(named).map(|kind| kind.act).collect();
    found.extend(done(words, false));
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a clause says what something that is made has to do: "it should never rename files".
fn has_duty(clause: &str) -> bool {
    const DUTIES: &[&str] = &["should", "must", "shall", "may", "will", "would", "can"];
    let words = plain_words(clause);
    let first = words.first().is_some_and(|first| *first == "you" || *first == "please");
    !first && words.iter().any(|word| DUTIES.contains(word)) && !words.contains(&"you")
}

/// Returns what a sentence, in lower case, says is not to be done.
pub(super) fn forbidden_reshapings(lower: &str) -> Vec<Act> {
    let mut found = Vec::new();
    for clause in clauses(lower) {
        let (kept, no, rest) = at_negation(clause);
        let is_no =
            !matches!(no, "" | "before" | "until" | "unless" | "instead" | "rather" | "except");
        let rest = plain_words(rest);
        let needs = rest.first().is_some_and(|first| matches!(*first, "need" | "have" | "reason"));
        if is_no && !needs && !is_told(kept, no) && !has_duty(clause) {
            // "I don't want extra files" says no more than "no extra files".
            let wants = rest.first().is_some_and(|first| matches!(*first, "want" | "like"));
            let rest = rest.get(usize::from(wants)..).unwrap_or_default();
            let rest = match rest.split_first() {
                Some((first, rest)) if wants && matches!(*first, "any" | "to" | "you") => rest,
                _ => rest,
            };
            let is_bare = matches!(no, "no" | "without" | "zero") || wants;
            found.extend(reshapings_named(rest, is_bare));
        }
    }
    found
}

/// How the same is said in other languages.
const PHRASES: &[(Act, &[&str])] = &[
    (
        Act::Rename,
        &[
            "nichts umbenennen",
            "keine dateien umbenennen",
            "keine datei umbenennen",
            "benenne nichts um",
            "nicht umbenennen",
            "ne renomme aucun",
            "ne renomme rien",
            "ne renomme pas de fichier",
            "aucun renommage",
            "sans renommer",
            "no renombres ningún",
            "no renombres nada",
            "no renombres archivos",
            "sin renombrar",
        ],
    ),
    (
        Act::NewFile,
        &[
            "keine neuen dateien",
            "keine neue datei",
            "ohne neue datei",
            "keine zusätzlichen dateien",
            "pas de nouveaux fichiers",
            "pas de nouveau fichier",
            "aucun nouveau fichier",
            "sans nouveau fichier",
            "ne crée pas de fichier",
            "ne crée aucun fichier",
            "sin archivos nuevos",
            "ningún archivo nuevo",
            "no crees archivos",
            "no crees ningún archivo",
        ],
    ),
    (
        Act::Reformat,
        &[
            "nicht umformatieren",
            "nichts umformatieren",
            "nicht formatieren",
            "nichts formatieren",
            "keine formatierung",
            "ne reformate",
            "pas de reformatage",
            "sans reformater",
            "no reformatees",
            "sin reformatear",
            "ne lance pas prettier",
            "ne lance pas black",
            "ne lance pas le format",
            "pas de prettier",
            "kein prettier",
            "ohne prettier",
            "sin prettier",
            "no ejecutes prettier",
            "no corras prettier",
        ],
    ),
    (
        Act::Switch,
        &[
            "keinen extra branch",
            "keinen neuen branch",
            "keinen eigenen branch",
            "keinen anderen branch",
            "keinen weiteren branch",
            "kein neuer branch",
            "keine neuen branches",
            "pas de nouvelle branche",
            "pas une autre branche",
            "sin ramas nuevas",
            "ninguna rama nueva",
            "sin crear ramas",
        ],
    ),
    (Act::Amend, &["kein amend", "nicht amenden", "pas d'amend", "pas d’amend", "sin amend"]),
];

/// Returns what a line, in lower case, says in another language is not to be done.
pub(super) fn forbidden_elsewhere(lower: &str) -> impl Iterator<Item = Act> + '_ {
    let said = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    PHRASES.iter().filter(move |(_, phrases)| said(phrases)).map(|(act, _)| *act)
}

/// Returns what an act that is asked for does, its verb first.
pub(super) fn asked_reshapings(act: &str) -> Vec<Act> {
    let lower = act.to_lowercase();
    let words = plain_words(&lower);
    let Some((verb, object)) = words.split_first() else { return Vec::new() };
    let mut found: Vec<Act> = done(&words, true).into_iter().collect();
    let is_path = |word: &&str| {
        word.contains('/')
            || word.rsplit_once('.').is_some_and(|(stem, end)| {
                !stem.is_empty() && !end.is_empty() && end.chars().all(char::is_alphanumeric)
            })
    };
    // "Create src/a.rs", "put it in a new file", "move it to lib".
    let makes = MAKING.contains(verb) || matches!(*verb, "put" | "extract" | "split" | "touch");
    if makes && (object.iter().any(is_path) || object.iter().any(|word| FILES.contains(word))) {
        found.push(Act::NewFile);
    }
    if matches!(*verb, "rename" | "move") {
        found.push(Act::Rename);
    }
    if matches!(*verb, "format" | "prettier" | "fmt" | "black") {
        found.push(Act::Reformat);
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::{Act, asked_reshapings, forbidden_reshapings};

    #[test]
    fn a_no_to_a_kind_of_change_is_heard() {
        for (sentence, act) in [
            ("don't create any new files", Act::NewFile),
            ("no new files please", Act::NewFile),
            ("fix it without adding files", Act::NewFile),
            ("please don't add any more files", Act::NewFile),
            ("don't rename anything", Act::Rename),
            ("no renames", Act::Rename),
            ("don't move files around", Act::Rename),
            ("don't amend the last commit", Act::Amend),
            ("never amend", Act::Amend),
            ("no amending", Act::Amend),
            ("don't reformat the whole file", Act::Reformat),
            ("please don't run prettier", Act::Reformat),
            ("no formatting changes", Act::Reformat),
            ("don't format the code", Act::Reformat),
            ("without reformatting", Act::Reformat),
            ("don't create a migration", Act::NewMigration),
            ("no new migrations", Act::NewMigration),
            ("don't generate any db migrations yet", Act::NewMigration),
        ] {
            assert_eq!(forbidden_reshapings(sentence), [act], "{sentence}");
        }
        for sentence in [
            "don't add files to the commit",
            "don't add the file to git",
            "don't rename the function",
            "don't move the cursor",
            "the app doesn't create any files",
            "why does it not create the file?",
            "don't write the file twice",
            "no format string",
            "don't use black magic",
            "no need to create files",
            "it should never rename files",
            "with --check it should not write any files",
            "don't make the file bigger",
            "create a new file",
        ] {
            assert_eq!(forbidden_reshapings(sentence), [], "{sentence}");
        }
    }

    #[test]
    fn who_asks_for_it_takes_the_no_back() {
        for (act, expect) in [
            ("create src/a.rs", Act::NewFile),
            ("put it in a new file", Act::NewFile),
            ("add a new file for it", Act::NewFile),
            ("rename it to b", Act::Rename),
            ("move a.rs to b.rs", Act::Rename),
            ("amend it", Act::Amend),
            ("run prettier on it", Act::Reformat),
            ("format it", Act::Reformat),
            ("create the migration", Act::NewMigration),
        ] {
            assert!(asked_reshapings(act).contains(&expect), "{act}");
        }
        for act in ["add a test", "fix the formatting bug", "write a summary", "run the tests"] {
            assert_eq!(asked_reshapings(act), [], "{act}");
        }
    }
}
