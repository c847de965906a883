//! What the rules and the policy make of each command of a line, for people who ask.

use behavior_image::shapes::ShapeRun;
use behavior_shell::CommandLine;

use crate::decision::Permission;
use crate::engine::Engine;
use crate::permission::Judge;
use crate::policy_facts::Facts;
use behavior_facts::commands::shape::Matcher;
use behavior_facts::commands::shell::Shell;
use behavior_facts::truth::Truth;
use behavior_facts::value::ValueRef;
use behavior_image::Image;
use behavior_image::format::{Instruction, Record};
use behavior_image::operation::Op;

/// A command line and what is made of it.
#[derive(Clone, Debug)]
pub struct CommandExplanation {
    /// The line that was read.
    pub line: CommandLine,
    /// What is made of each of its commands, in the order of [`CommandLine::commands`].
    pub parts: Vec<Part>,
}

/// What is made of one command.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The rules one of whose `runs` conditions it meets, or may meet: [`Truth::Opaque`].
    pub rules: Vec<(u32, Truth)>,
    /// What the policy says of it, where one is in force. `None` also for a wrapper that adds nothing
    /// to what it runs.
    pub permission: Option<Permission>,
}

/// Returns what the rules and the policy of an engine make of each command of a line, and changes nothing there.
pub(crate) fn explain_line(
    engine: &Engine,
    line: ValueRef<'_>,
    tool: &str,
    native: Option<&str>,
) -> CommandExplanation {
    let image = &*engine.image;
    let mut shell = Shell::default();
    shell.read(image, Some(line));
    let mut parts = rules_met(image, &mut shell);
    let mut tools = engine.tools.clone();
    let tool = tools.index(image, tool, native);
    if let Some(met) = tools.get(tool).filter(|_| image.policy().is_in_force()) {
        let mode = engine.approval_mode();
        let judge = Judge::new(image, &met.tool.permissions, mode, Facts::default());
        for (index, part) in parts.iter_mut().enumerate() {
            part.permission = judge.part(index, &mut shell);
        }
    }
    CommandExplanation { line: shell.line().clone(), parts }
}

/// The rules that each command of the line meets or may meet.
fn rules_met(image: &Image, shell: &mut Shell) -> Vec<Part> {
    let (line, buffers) = shell.parts();
    let mut matcher = Matcher::new(image, line, buffers);
    let mut parts = vec![Part::default(); line.commands().len()];
    for rule in 0..image.rules().len() {
        for (index, part) in parts.iter_mut().enumerate() {
            let met = shapes_of(image, rule)
                .map(|shape| matcher.has(index, shape))
                .fold(Truth::False, Truth::or);
            if met != Truth::False {
                part.rules.push((rule, met));
            }
        }
    }
    parts
}

/// The shapes that the condition of a rule names.
fn shapes_of(image: &Image, rule: u32) -> impl Iterator<Item = u32> {
    let view = image.view();
    let code = view.code(&view.rule(rule));
    code.iter()
        .map(|bytes| Instruction::read(bytes))
        .filter(|instruction| Op::from_number(instruction.op) == Some(Op::Runs))
        .flat_map(move |instruction| ShapeRun::of(view, instruction.c).all())
}
