//! What compiles and was probably not meant. Each is told with the run that shows it.

use behavior_image::workflow::{ModuleBehavior, StepKind, WorkflowTemplate};

use super::read::Reading;
use super::shown::{behind, run, run_again, title};
use super::template::Lowered;
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics as d;

/// A loop of a template.
#[derive(Clone, Copy)]
struct Loop<'t> {
    /// Its step.
    at: usize,
    /// The first entry that it goes back to; its own step where it does not go back.
    start: usize,
    most: Option<u32>,
    skip: &'t [String],
}

/// Reports what is odd in a template; `worst_case` is the largest number of runs, `None` where there is none.
pub(super) fn lint(reading: &mut Reading<'_>, lowered: &Lowered, worst_case: Option<u64>) {
    let template = &lowered.template;
    for (at, step) in template.steps.iter().enumerate() {
        if step.kind == StepKind::Module && step.module.is_none() && places_module(lowered, at) {
            let message =
                "the end of this step is looked at, and it has no `module` that says for what";
            let help = format!(
                "add one, or write `type: step`; now a run goes {} → {}",
                title(template, at),
                behind(template, at)
            );
            let span = lowered.places.get(at).map_or(lowered.name, |places| places.step);
            reading.report(Diagnostic::new(&d::MODULE_WITHOUT_EFFECT, span, message).help(help));
        }
    }
    let loops = loops_of(template);
    for one in &loops {
        lint_loop(reading, lowered, *one);
    }
    nested(reading, lowered, &loops, worst_case);
    triggers(reading, lowered);
}

/// Whether a module was not even written: what is wrong with one that was is reported already.
fn places_module(lowered: &Lowered, at: usize) -> bool {
    lowered.places.get(at).is_some_and(|places| places.module.is_none())
}

fn loops_of(template: &WorkflowTemplate) -> Vec<Loop<'_>> {
    let steps = template.steps.iter().enumerate();
    let loops = steps.filter_map(|(at, step)| match step.module.as_ref()? {
        ModuleBehavior::Loop { steps, max_iterations, skip } => Some(Loop {
            at,
            start: at.saturating_sub(*steps as usize),
            most: *max_iterations,
            skip,
        }),
        ModuleBehavior::Trigger { .. } => None,
    });
    loops.collect()
}

fn lint_loop(reading: &mut Reading<'_>, lowered: &Lowered, one: Loop<'_>) {
    let template = &lowered.template;
    let Some(places) = lowered.places.get(one.at) else { return };
    let span = places.module.unwrap_or(places.step);
    let own = title(template, one.at);
    let once = template.steps.get(one.at).is_some_and(|step| step.execute_once);
    if one.start == one.at || one.most == Some(0) {
        let why = if one.start == one.at {
            "it does not say how many `steps`"
        } else {
            "`maxIterations` is 0"
        };
        let message = format!("the loop never goes back: {why}");
        let help = format!("the run is {own} → `loop` → {}", behind(template, one.at));
        reading.report(Diagnostic::new(&d::LOOP_NEVER_REPEATS, span, message).help(help));
    } else if one.most.is_none() && !once {
        let first = run(template, one.start, one.at);
        let pass = run_again(template, one.start, one.at, one.skip);
        let message = "the loop may never end: nothing says how often it may go back at most";
        let help =
            format!("add `maxIterations`; the run is {first} → `loop` → {pass} → `loop` → …");
        reading.report(Diagnostic::new(&d::LOOP_MAY_NOT_END, span, message).help(help));
    }
    for (agent, span) in one.skip.iter().zip(&places.skip) {
        let range = template.steps.get(one.start..one.at).unwrap_or_default();
        if range.iter().any(|step| step.agent.as_ref() == Some(agent)) {
            continue;
        }
        let message = format!("`{agent}` takes no step that this loop goes back over");
        let help = match range.is_empty() {
            true => "the loop goes back over no step".to_owned(),
            false => {
                format!("it goes back over {}", run(template, one.start, one.at.saturating_sub(1)))
            }
        };
        reading.report(Diagnostic::new(&d::SKIP_WITHOUT_EFFECT, *span, message).help(help));
    }
}

/// Loops inside of loops multiply.
fn nested(
    reading: &mut Reading<'_>,
    lowered: &Lowered,
    loops: &[Loop<'_>],
    worst_case: Option<u64>,
) {
    for outer in loops {
        let inner = loops
            .iter()
            .find(|inner| (outer.start..outer.at).contains(&inner.at) && inner.start < inner.at);
        let (Some(inner), Some(worst_case)) = (inner, worst_case) else { continue };
        let Some(places) = lowered.places.get(outer.at) else { continue };
        let template = &lowered.template;
        let message = format!(
            "the loop of {} goes back over that of {}, whose repeats begin anew each time",
            title(template, outer.at),
            title(template, inner.at)
        );
        let passes = run(template, outer.start, outer.at);
        let help = format!("agents run up to {worst_case} times; a pass is {passes}");
        let span = places.module.unwrap_or(places.step);
        reading.report(Diagnostic::new(&d::NESTED_LOOPS, span, message).help(help));
    }
}

/// Agents whose triggers call each other in a circle.
fn triggers(reading: &mut Reading<'_>, lowered: &Lowered) {
    let calls: Vec<(usize, &str, &str)> = lowered
        .template
        .steps
        .iter()
        .enumerate()
        .filter_map(|(at, step)| match step.module.as_ref()? {
            ModuleBehavior::Trigger { agent } => {
                Some((at, step.agent.as_deref()?, agent.as_deref()?))
            }
            ModuleBehavior::Loop { .. } => None,
        })
        .collect();
    for (at, caller, called) in &calls {
        let Some(way) = way_back(&calls, caller, called) else { continue };
        let Some(places) = lowered.places.get(*at) else { continue };
        let message = format!("`{caller}` can trigger itself again and again");
        let help = format!(
            "the run is {caller} → {}, until {} steps are inserted",
            way.join(" → "),
            behavior_runtime::workflow::MAX_TRIGGER_DEPTH
        );
        let span = places.trigger.or(places.module).unwrap_or(places.step);
        reading.report(Diagnostic::new(&d::TRIGGER_CYCLE, span, message).help(help));
    }
}

/// The agents that are called on the way from one back to another.
fn way_back<'t>(
    calls: &[(usize, &'t str, &'t str)],
    target: &str,
    from: &'t str,
) -> Option<Vec<&'t str>> {
    let mut ways = vec![vec![from]];
    let mut seen = vec![from];
    while let Some(way) = ways.pop() {
        let last = *way.last()?;
        if last == target {
            return Some(way);
        }
        for (_, caller, called) in calls {
            if *caller == last && !seen.contains(called) {
                seen.push(called);
                ways.push(way.iter().copied().chain([*called]).collect());
            }
        }
    }
    None
}
