//! Paths as conditions take them: path patterns, kinds of files, or a list of both.

use std::collections::BTreeSet;

use behavior_image::code::PathKind;

use crate::decode::{Decode, GlobText, OneOrMany, SetName, choice, record, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::expression::{Hole, Syntax};
use crate::ir;
use crate::lower::Lowering;
use crate::path_kinds;
use crate::registry::diagnostics as d;
use crate::registry::schema::{NameKind, Shape};
use crate::syntax::{Kind, Node};

choice! {
    /// A kind of file.
    FileKind {
        /// In a temporary directory, and not in the repository.
        Scratch = "scratch",
        /// Made by a build, by its usual names.
        Generated = "generated",
        /// Outside of the repository.
        Outside = "outside",
        /// A key, or a file of credentials.
        Secret = "secret",
        /// Of these rules, of the agents' hooks and settings, and of what is kept for them.
        Config = "config",
        /// A test.
        Tests = "tests",
        /// Documentation.
        Docs = "docs",
        /// Not kept by version control, and neither a secret nor a database.
        Ignored = "ignored",
        /// A hook of git that is there.
        Hook = "hook",
        /// What the user wants away, by its name, in the message that began the turn.
        Named = "named",
        /// What the user wants written, by its path, in the message that began the turn.
        Mentioned = "mentioned",
        /// What the user said to leave as it is, until he asks for a change of it, and what lies beside the files that he
        /// wants changed alone.
        LeftAlone = "left_alone",
        /// What the user said not to delete, to move or to rename.
        Kept = "kept",
        /// Nothing is there yet, by the disk.
        New = "new",
    }
}

record! {
    /// Files by what they are.
    OfKind, "kinds of files" {
        /// The kind, or a list of kinds.
        is: OneOrMany<FileKind>,
        /// The set that they are in, or that a directory is in where they lie; or a list of sets.
        sets as "in": OneOrMany<SetName>,
        /// Paths that are left out, whatever else is said: patterns, kinds and sets.
        not: Node,
    }
}

const ONE: Shape = Shape::Either(&[GlobText::SHAPE, OfKind::SHAPE]);

/// What a condition on paths is given.
pub(super) const ARGUMENT: Shape =
    Shape::Either(&[GlobText::SHAPE, OfKind::SHAPE, Shape::List(&ONE)]);

/// The words for kinds of files in expressions.
pub(super) const WORDS: Syntax = Syntax::Words(FileKind::NAMES);

/// What its forms may name.
pub(super) const HOLES: &[Hole] = &[
    Hole::value("path", Syntax::Glob),
    Hole::field("is", None, WORDS),
    Hole::field("in", None, Syntax::Name(NameKind::Set)),
];

/// Reads paths.
pub(crate) fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<ir::Paths> {
    let mut paths = ir::Paths::default();
    let is_right = match &node.kind {
        Kind::Seq(items) if !items.is_empty() => {
            let right: Vec<_> = items.iter().map(|item| add(&mut paths, item, lowering)).collect();
            right.into_iter().all(|is_right| is_right)
        }
        Kind::Seq(_) => {
            wrong_type(node, ARGUMENT, lowering.reports);
            false
        }
        _ => add(&mut paths, node, lowering),
    };
    let is_empty = paths.kinds == 0 && paths.globs.is_empty() && paths.sets.is_empty();
    if is_right && is_empty && paths.left_out.is_some() {
        let message = "nothing says which paths this is about, only which are left out";
        let diagnostic = Diagnostic::new(&d::CONDITION_NEVER_HOLDS, node.span, message);
        lowering.report(diagnostic.help("say it beside `not`, such as `[\"**\", { not: … }]`"));
    }
    is_right.then_some(paths)
}

/// Adds one pattern, or the kinds of one mapping; `false` after reporting what is wrong.
fn add(paths: &mut ir::Paths, node: &Node, lowering: &mut Lowering<'_>) -> bool {
    match &node.kind {
        Kind::String(_) => add_glob(paths, node, lowering),
        Kind::Map(_) => {
            let Some(of_kind) = OfKind::decode(node, lowering.reports) else { return false };
            let OfKind { is: kinds, sets, not } = of_kind;
            if kinds.is_none() && sets.is_none() && not.is_none() {
                // What stands in one of them and cannot be read is told already.
                if !["is", "in", "not"].iter().any(|field| node.get(field).is_some()) {
                    wrong_type(node, ONE, lowering.reports);
                }
                return false;
            }
            if let Some(not) = not {
                let Some(left_out) = lower(&not, lowering) else { return false };
                paths.left_out.get_or_insert_default().join(left_out);
            }
            let kinds = kinds.into_iter().flat_map(|kinds| kinds.0);
            kinds.for_each(|kind| add_kind(paths, kind, lowering));
            let sets = sets.into_iter().flat_map(|sets| sets.0);
            let found: Vec<_> = sets.map(|set| lowering.set(&set.node)).collect();
            paths.sets.extend(found.iter().flatten());
            !found.contains(&None)
        }
        _ => {
            wrong_type(node, ONE, lowering.reports);
            false
        }
    }
}

impl ir::Paths {
    /// Adds others. What those leave out is left out of nothing.
    fn join(&mut self, others: Self) {
        self.kinds |= others.kinds;
        self.globs.extend(others.globs);
        self.folders.extend(others.folders);
        self.sets.extend(others.sets);
    }
}

fn add_glob(paths: &mut ir::Paths, node: &Node, lowering: &mut Lowering<'_>) -> bool {
    let Some(text) = node.as_str() else { return false };
    let Some(glob) = lowering.glob(node) else { return false };
    paths.globs.push(glob);
    for folder in folders(text) {
        paths.folders.extend(lowering.partial_glob(folder));
    }
    true
}

/// Adds a kind of file: its patterns, and what is asked of whoever runs the rules.
pub(super) fn add_kind(paths: &mut ir::Paths, kind: FileKind, lowering: &mut Lowering<'_>) {
    let kind = kind.meaning();
    paths.kinds |= kind.bit();
    // Few patterns for all that may stand anywhere: few automata.
    let globs = path_kinds::globs(kind);
    let (anchored, anywhere): (Vec<&str>, Vec<&str>) = globs
        .iter()
        .copied()
        .partition(|glob| glob.starts_with(['/', '~']) || glob.starts_with("./"));
    let passed: BTreeSet<&str> = anywhere.iter().flat_map(|glob| folders(glob)).collect();
    let passed: Vec<&str> = passed.into_iter().collect();
    for (list, found) in [(anywhere, &mut paths.globs), (passed, &mut paths.folders)] {
        found.extend(lowering.library_globs(&list));
    }
    for glob in anchored {
        paths.globs.extend(lowering.library_glob(glob));
        for folder in folders(glob) {
            paths.folders.extend(lowering.library_glob(folder));
        }
    }
}

/// The directories that a pattern names on its way, so that one that is deleted counts.
fn folders(glob: &str) -> impl Iterator<Item = &str> {
    let is_plain = !glob.contains(['{', '}', '[', '\\']);
    let ends = glob.match_indices('/').filter(move |_| is_plain);
    ends.filter_map(|(end, _)| glob.get(..end))
        .filter(|folder| folder.chars().any(char::is_alphanumeric) && !folder.ends_with("**"))
}

impl FileKind {
    fn meaning(self) -> PathKind {
        match self {
            FileKind::Scratch => PathKind::Scratch,
            FileKind::Generated => PathKind::Generated,
            FileKind::Outside => PathKind::Outside,
            FileKind::Secret => PathKind::Secret,
            FileKind::Config => PathKind::Config,
            FileKind::Tests => PathKind::Tests,
            FileKind::Docs => PathKind::Docs,
            FileKind::Ignored => PathKind::Ignored,
            FileKind::Hook => PathKind::Hook,
            FileKind::Named => PathKind::Named,
            FileKind::Mentioned => PathKind::Mentioned,
            FileKind::LeftAlone => PathKind::LeftAlone,
            FileKind::Kept => PathKind::Kept,
            FileKind::New => PathKind::New,
        }
    }
}
