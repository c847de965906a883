//! `runs`: what a shell command line really executes.

mod kept;
mod names;

use super::paths;
use crate::command::habit::{self, OPAQUE, refuse_operators};
use crate::command::{PatternWord, ShapeBuilder, words};
use crate::decode::{Decode, OneOrMany, ParamName, PatternText, Spanned, record, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::expression::{Hole, Syntax};
use crate::fragment::Problem;
use crate::ir::{FlagTest, Index, Shape as CommandShape, Test};
use crate::lower::Lowering;
use crate::nearest::closest;
use crate::programs::Table;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::syntax::{Kind, Node, locate};

pub(crate) use kept::ReadShapes;

record! {
    /// What a command must look like. Everything that is said must hold of one and the same command.
    RunsConfig, "a `runs` condition" {
        /// The program, without its directory; a glob, or a list of which one fits.
        program: OneOrMany<Box<str>>,
        /// The subcommand, such as `push` or `stash drop`; or a list of which one fits.
        subcommand: OneOrMany<Box<str>>,
        /// Flags that it must all have, in any spelling that means the same: `f`, `--force`,
        /// `n=5`.
        #[default("[]")]
        flags: OneOrMany<Box<str>>,
        /// Flags of which it must have one.
        #[default("[]")]
        any_flag: OneOrMany<Box<str>>,
        /// Flags that it must not have.
        #[default("[]")]
        no_flag: OneOrMany<Box<str>>,
        /// Globs of which some operand matches one.
        #[default("[]")]
        operand: OneOrMany<Box<str>>,
        /// Globs of which no operand matches any.
        #[default("[]")]
        without_operand: OneOrMany<Box<str>>,
        /// Whether it must have no operand at all.
        #[default("false")]
        no_operand: bool,
        /// Whether some operand must be one that nobody knows, such as a variable.
        #[default("false")]
        unknown_operand: bool,
        /// Whether some operand must be a pattern of the shell for names of files.
        #[default("false")]
        pattern_operand: bool,
        /// Globs of which a file that it writes by redirection matches one.
        #[default("[]")]
        writes: OneOrMany<Box<str>>,
        /// Whether, of what `writes` names, only files count whose content it takes away: `>`, and not `>>`.
        #[default("false")]
        overwrites: bool,
        /// Globs of which a file that it reads by redirection matches one.
        #[default("[]")]
        reads: OneOrMany<Box<str>>,
        /// A pattern for the text that it is given: in its words, in a here-document, by `echo`
        /// through a pipe.
        given: PatternText,
        /// A pattern for the statements of SQL that it is given, in the same places: in lower case, their words
        /// joined by one blank, statements joined by `; `. Comments are left out, as are statements that are only
        /// explained; a text is `''`, a quoted name `x`. In place of `given`.
        statement: PatternText,
        /// The programs of which one's output a substitution puts into its words.
        #[default("[]")]
        substitutes: OneOrMany<Box<str>>,
        /// The programs of which one writes what it reads through a pipe.
        #[default("[]")]
        piped_from: OneOrMany<Box<str>>,
        /// The programs of which one runs it, such as `sudo` or `xargs`.
        #[default("[]")]
        under: OneOrMany<Box<str>>,
        /// Variables of which one is set for it: `NAME`, or `NAME=VALUE` with a glob for the value. That is one which
        /// stands before it, or before what runs it, and one that the line exports before.
        #[default("[]")]
        variable: OneOrMany<Box<str>>,
        /// Whether it must run in a loop.
        #[default("false")]
        in_loop: bool,
        /// Whether it must run itself in a pipe or in the background.
        #[default("false")]
        calls_itself: bool,
        /// Whether the line must be able to end well although this fails: what stands in a pipe before its end, before
        /// `;` or `||`, behind `!`, or in the background. Without such a command, the line's status tells of all of them.
        #[default("false")]
        status_lost: bool,
        /// Descriptions of which one fits: patterns and mappings. Stands alone, but for `class`, `spares` and
        /// `status_lost`.
        #[default("[]")]
        any: Vec<Node>,
        /// Classes of commands, such as `publish` or `test`, of which it is one. Stands alone, but for `any`, `spares`
        /// and `status_lost`.
        class: OneOrMany<Spanned<Box<str>>>,
        /// Files that it may write and delete: a command that changes no others does not count. Paths are as for
        /// the condition `writes`.
        spares: Node,
        /// The parameter that holds the command line.
        #[default("command")]
        param: ParamName,
    }
}

/// What a `runs` condition is given.
pub(super) const ARGUMENT: Shape = Shape::Either(&[Shape::Text, RunsConfig::SHAPE]);

/// What its forms may name.
pub(super) const HOLES: &[Hole] = &[Hole::value("command", Syntax::Command)];

/// Reads the commands, and the parameter that holds the command line.
pub(super) fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<Test> {
    let (shapes, param) = argument(node, lowering);
    Some(Test::Runs(param.unwrap_or_else(|| "command".into()), shapes?))
}

/// The shapes that the argument of `runs` describes, `None` where something is wrong with it, and the parameter that it
/// names.
pub(crate) fn argument(
    node: &Node,
    lowering: &mut Lowering<'_>,
) -> (Option<Vec<CommandShape>>, Option<Box<str>>) {
    let read = |lowering: &mut Lowering<'_>| {
        let mut param = None;
        let shapes = shapes(node, lowering, &mut param, 0);
        ReadShapes { shapes, param }
    };
    let read = match lowering.is_builtin(node.span) {
        true => kept::once_in_a_process(|lowering| place_of(node, lowering), lowering, read),
        false => read(lowering),
    };
    (read.shapes, read.param)
}

/// Where a part of a file stands, which is the same as long as the file is.
fn place_of(node: &Node, lowering: &Lowering<'_>) -> String {
    let name = lowering.sources.get(node.span.file).map_or("", |source| &source.name);
    format!("{name} {}", node.span.start)
}

/// The shapes that a description of commands stands for.
fn shapes(
    node: &Node,
    lowering: &mut Lowering<'_>,
    param: &mut Option<Box<str>>,
    depth: u32,
) -> Option<Vec<CommandShape>> {
    const MAX_DEPTH: u32 = 8;
    match &node.kind {
        Kind::String(text) => pattern(text, node, lowering),
        Kind::Map(_) if depth < MAX_DEPTH => {
            let config = RunsConfig::decode(node, lowering.reports)?;
            if let Some(name) = &config.param {
                *param = Some(name.text().into());
            }
            let spares = match &config.spares {
                Some(spares) => Some(paths::lower(spares, lowering)?),
                None => None,
            };
            let mut found = match (&config.any, &config.class) {
                (None, None) => described(&config, node, lowering)?,
                (any, classes) => {
                    stands_alone(node, lowering)?;
                    let items = any.iter().flatten();
                    let mut found = several(items, lowering, param, depth + 1)?;
                    for class in classes.iter().flat_map(|classes| &classes.0) {
                        found.extend(of_class(class, lowering, param, depth + 1)?);
                    }
                    found
                }
            };
            for shape in found.iter_mut().filter(|shape| shape.spares.is_none()) {
                shape.spares.clone_from(&spares);
            }
            if config.status_lost == Some(true) {
                found.iter_mut().for_each(|shape| shape.status_lost = true);
            }
            Some(found)
        }
        _ => {
            wrong_type(node, ARGUMENT, lowering.reports);
            None
        }
    }
}

/// The shapes that several descriptions describe. All are read before any is missed, so that all problems show.
fn several<'n>(
    items: impl Iterator<Item = &'n Node>,
    lowering: &mut Lowering<'_>,
    param: &mut Option<Box<str>>,
    depth: u32,
) -> Option<Vec<CommandShape>> {
    let lowered: Vec<_> = items.map(|item| shapes(item, lowering, param, depth)).collect();
    let lists: Option<Vec<_>> = lowered.into_iter().collect();
    lists.map(|lists| lists.into_iter().flatten().collect())
}

/// Reports what is said beside `any` or `class` and belongs into their items, and lists of no class.
fn stands_alone(node: &Node, lowering: &mut Lowering<'_>) -> Option<()> {
    const FIELDS: [&str; 5] = ["any", "class", "spares", "status_lost", "param"];
    let before = lowering.reports.diagnostics.len();
    for entry in node.entries().unwrap_or_default() {
        let key = &entry.key;
        if &*key.text == "class" && entry.value.items().is_some_and(<[Node]>::is_empty) {
            wrong_type(&entry.value, <OneOrMany<Box<str>>>::SHAPE, lowering.reports);
        }
        if !FIELDS.contains(&&*key.text) {
            let message = format!("`{}` cannot stand beside `any` or `class`", key.text);
            let help = "say it in each item of `any`, or use `all` with two `runs` conditions";
            lowering.report(Diagnostic::new(&d::CONFLICTING_FIELDS, key.span, message).help(help));
        }
    }
    (lowering.reports.diagnostics.len() == before).then_some(())
}

/// Reads the commands of classes, so that what is wrong with them is reported where they are declared.
pub(crate) fn check_classes<'n>(
    classes: impl Iterator<Item = &'n (Spanned<Box<str>>, Vec<Node>)>,
    lowering: &mut Lowering<'_>,
) {
    for (name, commands) in classes {
        if commands.is_empty() {
            let message = format!("the class `{}` has no command", name.value);
            let diagnostic = Diagnostic::new(&d::NO_EFFECT, name.span, message);
            lowering.report(diagnostic.help("list command patterns, such as `rails db:migrate`"));
        }
        several(commands.iter(), lowering, &mut None, 1);
    }
}

/// The shapes of a class; `None` where there is none of the name, or something is wrong with it. What is wrong was
/// reported at its declaration.
fn of_class(
    name: &Spanned<Box<str>>,
    lowering: &mut Lowering<'_>,
    param: &mut Option<Box<str>>,
    depth: u32,
) -> Option<Vec<CommandShape>> {
    if !lowering.classes.has(&name.value) {
        report_unknown(name, lowering);
        return None;
    }
    // Deeper down, a class that names itself is cut off.
    let known = if depth <= 1 { lowering.read_classes.get(&name.value) } else { None };
    let class = match known {
        Some(known) => known.clone(),
        None => {
            let key = |_: &Lowering<'_>| format!("class {}", name.value);
            let class = match depth <= 1 {
                true => {
                    kept::once_in_a_process(key, lowering, |lowering| read(name, lowering, depth))
                }
                false => read(name, lowering, depth),
            };
            if depth <= 1 {
                lowering.read_classes.insert(name.value.clone(), class.clone());
            }
            class
        }
    };
    if class.param.is_some() {
        *param = class.param;
    }
    class.shapes
}

/// Reads the commands of a class.
fn read(name: &Spanned<Box<str>>, lowering: &mut Lowering<'_>, depth: u32) -> ReadShapes {
    let before = lowering.reports.diagnostics.len();
    let (classes, mut param) = (lowering.classes, None);
    let mut shapes = several(classes.get(&name.value), lowering, &mut param, depth);
    lowering.reports.diagnostics.truncate(before);
    shapes.iter_mut().flatten().for_each(|shape| shape.of_class = true);
    ReadShapes { shapes, param }
}

/// Reports that there is no class of a name.
fn report_unknown(name: &Spanned<Box<str>>, lowering: &mut Lowering<'_>) {
    let message = format!("there is no class of commands `{}`", name.value);
    let diagnostic = Diagnostic::new(&d::UNKNOWN_VALUE, name.span, message);
    let known: Vec<_> = lowering.classes.names().collect();
    let help = match closest(&name.value, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    lowering.report(diagnostic.help(help));
}

/// A command pattern, behind which anything may follow.
fn pattern(text: &str, node: &Node, lowering: &mut Lowering<'_>) -> Option<Vec<CommandShape>> {
    if text.trim() == OPAQUE {
        return Some(vec![CommandShape { opaque: true, ..CommandShape::default() }]);
    }
    let table = lowering.programs;
    let mut failed = false;
    let built = words(text).and_then(|words| {
        if words.is_empty() {
            return Err(Problem::new(0..text.len(), "an empty pattern runs nothing")
                .help("write the command, such as `git push --force`"));
        }
        refuse_operators(text, &words, instead_of)?;
        for habit in habit::habits(text, &words, table, as_any) {
            lowering.misread(node, habit.problem, habit.is_sure);
        }
        let mut glob = |word: &PatternWord| {
            let index = lowering.word_glob_at(&word.glob, node, word.range.clone());
            failed |= index.is_none();
            index
        };
        ShapeBuilder { table, glob: &mut glob, with_flags: true }.shapes(&words, true)
    });
    match built {
        Ok(shapes) => (!failed).then_some(shapes),
        Err(problem) => {
            let span = locate(&lowering.text_of(node.span), node, problem.range);
            let mut diagnostic =
                Diagnostic::new(&d::INVALID_COMMAND_PATTERN, span, problem.message);
            diagnostic.help = problem.help;
            lowering.report(diagnostic);
            None
        }
    }
}

/// What to write in `runs` for a sign that joins commands.
fn instead_of(sign: &str) -> &'static str {
    match sign {
        "|" | "|&" => {
            "for what a pipe gives a program write `{program: sh, piped_from: curl}`, for either of \
             two commands `{any: [rm, dd]}`; for the character, quote it"
        }
        ">" | ">>" | "<" | "&>" => {
            "for a file that is written or read write `{writes: \"*.env\"}` or \
             `{reads: \"*.env\"}`; for the character, quote it"
        }
        _ => "for either of two commands write `{any: [rm, dd]}`; for the character, quote it",
    }
}

/// Several command patterns as one description.
fn as_any(patterns: &[String]) -> String {
    let each: Vec<_> = patterns.iter().map(|pattern| format!("\"{pattern}\"")).collect();
    format!("{{any: [{}]}}", each.join(", "))
}

fn list(texts: &Option<OneOrMany<Box<str>>>) -> &[Box<str>] {
    texts.as_ref().map_or(&[], |texts| &texts.0)
}

/// The shapes of a mapping: one for each subcommand.
fn described(
    config: &RunsConfig,
    node: &Node,
    lowering: &mut Lowering<'_>,
) -> Option<Vec<CommandShape>> {
    names::check(config, node, lowering)?;
    let mut shape = CommandShape {
        operands: config.no_operand.unwrap_or(false).then(Vec::new),
        unknown_operand: config.unknown_operand.unwrap_or(false),
        pattern_operand: config.pattern_operand.unwrap_or(false),
        in_loop: config.in_loop.unwrap_or(false),
        overwrites: config.overwrites.unwrap_or(false),
        calls_itself: config.calls_itself.unwrap_or(false),
        piped_from: lower_case(list(&config.piped_from)),
        substitutes: lower_case(list(&config.substitutes)),
        under: lower_case(list(&config.under)),
        ..CommandShape::default()
    };
    let mut failed = false;
    let mut globs = |texts: &[Box<str>], lowering: &mut Lowering<'_>| -> Vec<Index> {
        let lowered = texts.iter().map(|text| lowering.word_glob_at(text, node, 0..0));
        let lowered: Vec<_> = lowered.collect();
        failed |= lowered.contains(&None);
        lowered.into_iter().flatten().collect()
    };
    shape.some_operand = globs(list(&config.operand), lowering);
    shape.without_operand = globs(list(&config.without_operand), lowering);
    shape.writes = globs(list(&config.writes), lowering);
    shape.reads = globs(list(&config.reads), lowering);
    for text in list(&config.variable) {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(globs(&[value.into()], lowering))),
            None => (&**text, None),
        };
        let value = value.and_then(|value| value.first().copied());
        shape.variables.push(FlagTest { name: name.into(), value });
    }
    let (plain, patterns): (Vec<_>, Vec<_>) =
        list(&config.program).iter().partition(|name| crate::command::literal(name).is_some());
    shape.programs = plain.iter().map(|name| name.to_ascii_lowercase().into()).collect();
    if let (Some(_), Some(statement)) = (&config.given, &config.statement) {
        let message = "a description has `given` or `statement`, not both";
        let diagnostic = Diagnostic::new(&d::CONFLICTING_FIELDS, statement.span(), message);
        lowering.report(diagnostic.help("delete one of them"));
        return None;
    }
    if let Some(given) = config.given.as_ref().or(config.statement.as_ref()) {
        shape.given = Some(lowering.pattern(&given.node)?);
        shape.reads_statements = config.statement.is_some();
    }
    let mut shapes = Vec::new();
    if patterns.is_empty() || !shape.programs.is_empty() {
        shapes.extend(with_subcommands(config, &shape, node, lowering)?);
    }
    for name in patterns {
        let pattern = lowering.word_glob_at(name, node, 0..0);
        failed |= pattern.is_none();
        let shape =
            CommandShape { programs: Vec::new(), program_pattern: pattern, ..shape.clone() };
        shapes.extend(with_subcommands(config, &shape, node, lowering)?);
    }
    (!failed).then_some(shapes)
}

fn lower_case(names: &[Box<str>]) -> Vec<Box<str>> {
    names.iter().map(|name| name.to_ascii_lowercase().into()).collect()
}

fn with_subcommands(
    config: &RunsConfig,
    shape: &CommandShape,
    node: &Node,
    lowering: &mut Lowering<'_>,
) -> Option<Vec<CommandShape>> {
    let mut shapes = Vec::new();
    let subcommands = list(&config.subcommand);
    if subcommands.is_empty() {
        with_programs(config, shape, &[], node, lowering, &mut shapes);
        with_any_subcommand(config, shape, node, lowering, &mut shapes)?;
        return Some(shapes);
    }
    for subcommand in subcommands {
        let words: Vec<Box<str>> = subcommand.split_whitespace().map(Box::from).collect();
        let operands = Some(behind(&words, node, lowering)?);
        let shape = CommandShape { operands, ..shape.clone() };
        with_programs(config, &shape, &words, node, lowering, &mut shapes);
    }
    Some(shapes)
}

/// The words of a subcommand, and any behind them.
fn behind(
    words: &[Box<str>],
    node: &Node,
    lowering: &mut Lowering<'_>,
) -> Option<Vec<Option<Index>>> {
    let globs = words.iter().map(|word| lowering.word_glob_at(word, node, 0..0).map(Some));
    globs.chain([Some(None)]).collect()
}

/// A shape for its programs, in which the flags are as each of them reads them behind a subcommand.
fn with_programs(
    config: &RunsConfig,
    shape: &CommandShape,
    subcommand: &[Box<str>],
    node: &Node,
    lowering: &mut Lowering<'_>,
    shapes: &mut Vec<CommandShape>,
) {
    if shape.programs.is_empty() {
        add(with_flags(config, shape.clone(), subcommand, node, lowering), shapes);
    }
    for program in &shape.programs {
        let path = [std::slice::from_ref(program), subcommand].concat();
        let own = CommandShape { programs: vec![program.clone()], ..shape.clone() };
        add(with_flags(config, own, &path, node, lowering), shapes);
        for path in same_paths(&path, lowering.programs) {
            let same = same(config, shape, &path, node, lowering);
            same.into_iter().for_each(|same| add(same, shapes));
        }
    }
}

/// The commands that mean the same as the one of a path.
fn same_paths(path: &[Box<str>], table: &Table) -> Vec<Vec<Box<str>>> {
    const MAX: usize = 64;
    let mut known = vec![path.to_vec()];
    let mut at = 0;
    while let Some(path) = known.get(at).cloned() {
        let is_word = |at: usize, name: &str| {
            path.get(at).is_some_and(|word| word.eq_ignore_ascii_case(name))
        };
        let first = path.first().map_or("", |first| first);
        for (length, other) in table.same_beginnings(first, is_word) {
            let other = [other, path.get(length..).unwrap_or_default()].concat();
            if known.len() < MAX && !known.contains(&other) {
                known.push(other);
            }
        }
        at += 1;
    }
    known.split_off(1)
}

/// A shape for the command of another path, whose flags have the next word for a value. Where the
/// operands leave no place for its subcommands, there is none.
fn same(
    config: &RunsConfig,
    shape: &CommandShape,
    path: &[Box<str>],
    node: &Node,
    lowering: &mut Lowering<'_>,
) -> Option<CommandShape> {
    let (program, rest) = path.split_first()?;
    let (mut subcommand, mut flags) = (Vec::new(), Vec::new());
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.strip_prefix('-') {
            Some(name) => {
                let value = rest.next()?;
                let value = lowering.word_glob_at(value, node, 0..0);
                let name = lowering.programs.canonical(std::slice::from_ref(program), name).0;
                flags.push(FlagTest { name, value });
            }
            None => subcommand.push(word.clone()),
        }
    }
    let operands = match (&shape.operands, subcommand.is_empty()) {
        (Some(operands), true) if operands.is_empty() => Some(Vec::new()),
        (None, true) => None,
        (Some(operands), _) if operands.is_empty() => return None,
        _ => Some(behind(&subcommand, node, lowering)?),
    };
    let own = CommandShape { programs: vec![program.clone()], operands, ..shape.clone() };
    let own_path = [std::slice::from_ref(program), &subcommand].concat();
    let mut own = with_flags(config, own, &own_path, node, lowering);
    own.flags.extend(flags);
    Some(own)
}

/// Where the subcommand, or the program too, is left open: the shapes of those that have other
/// spellings for the flags.
fn with_any_subcommand(
    config: &RunsConfig,
    shape: &CommandShape,
    node: &Node,
    lowering: &mut Lowering<'_>,
    shapes: &mut Vec<CommandShape>,
) -> Option<()> {
    let has_flags = !list(&config.flags).is_empty() || !list(&config.any_flag).is_empty();
    if !has_flags || shape.operands.is_some() || shape.program_pattern.is_some() {
        return Some(());
    }
    for path in lowering.programs.paths() {
        let Some((program, subcommand)) = path.split_first() else { continue };
        let above = match shape.programs.contains(program) {
            true if !subcommand.is_empty() => path.get(..1).unwrap_or_default(),
            false if shape.programs.is_empty() => &[],
            _ => continue,
        };
        let plain = with_flags(config, shape.clone(), above, node, lowering);
        let own = CommandShape { programs: vec![program.clone()], ..shape.clone() };
        let mut own = with_flags(config, own, path, node, lowering);
        if (&own.flags, &own.any_flags) == (&plain.flags, &plain.any_flags) {
            continue;
        }
        if !subcommand.is_empty() {
            own.operands = Some(behind(subcommand, node, lowering)?);
        }
        add(own, shapes);
    }
    Some(())
}

/// Adds a shape, to one that differs in its programs alone where there is one.
fn add(shape: CommandShape, shapes: &mut Vec<CommandShape>) {
    let same = shapes.iter_mut().find(|known| {
        !known.programs.is_empty()
            && !shape.programs.is_empty()
            && known.operands == shape.operands
            && (&known.flags, &known.any_flags, &known.no_flags)
                == (&shape.flags, &shape.any_flags, &shape.no_flags)
    });
    match same {
        Some(known) => known.programs.extend(shape.programs),
        None => shapes.push(shape),
    }
}

/// Flags in the spelling that stands for all that mean the same to the program of a path.
fn with_flags(
    config: &RunsConfig,
    mut shape: CommandShape,
    path: &[Box<str>],
    node: &Node,
    lowering: &mut Lowering<'_>,
) -> CommandShape {
    let table = lowering.programs;
    let path = table.known_path(path);
    let mut tests = |flags: &[Box<str>]| -> Vec<FlagTest> {
        let mut test = |written: &str| {
            let body = match written.trim_start_matches('-') {
                "" => written,
                body => body,
            };
            let (name, value) = match body.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (body, None),
            };
            let name = table.canonical(path, name).0;
            FlagTest { name, value: value.and_then(|v| lowering.word_glob_at(v, node, 0..0)) }
        };
        flags.iter().map(|flag| test(flag)).collect()
    };
    shape.flags = tests(list(&config.flags));
    shape.any_flags = tests(list(&config.any_flag));
    shape.no_flags = tests(list(&config.no_flag));
    shape
}
