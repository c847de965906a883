//! What makes rules silent: each exception is lowered for the rule that it names.

use behavior_runtime::decision::Phase;

use super::switches;
use crate::ast::ExceptionConfig;
use crate::conditions::{self, Lowered};
use crate::decode::Spanned;
use crate::diagnostic::Diagnostic;
use crate::ir::{Exception, Rule};
use crate::lower::Lowering;
use crate::nearest::closest;
use crate::registry::diagnostics as d;

/// No rule has more exceptions.
const MAX_EXCEPTIONS: usize = 1_000;

/// Gives rules their exceptions.
pub(super) fn lower(
    exceptions: &[Spanned<ExceptionConfig>],
    rules: &mut [Rule],
    known: &switches::Known,
    lowering: &mut Lowering<'_>,
) {
    for Spanned { value: exception, span } in exceptions {
        let (Some(id), Some(when)) = (&exception.rule, &exception.when) else { continue };
        let until = exception.until.as_ref().map(|until| (until, second_of(&until.value)));
        if let Some((until, None)) = until {
            let message = format!("`{}` is no day", until.value);
            let help = "write the year, the month and the day: `2030-01-31`";
            lowering.report(Diagnostic::new(&d::INVALID_DATE, until.span, message).help(help));
        }
        let Some(rule) = rules.iter_mut().find(|rule| rule.id == id.value) else {
            // One that is switched off is silent as it is, and what is wrong with one that has errors is said there.
            if !known.is_rule(&id.value) && !known.is_declared(&id.value) {
                unknown_rule(id, rules, lowering);
            }
            continue;
        };
        lowering.phase = rule.phase;
        let Lowered::Condition(condition) = conditions::lower(&when.0, lowering) else { continue };
        let reason = exception.reason.as_ref().map(|reason| reason.value.clone());
        let reason = reason.unwrap_or_default();
        let until = until.and_then(|(_, second)| second);
        if rule.exceptions.len() < MAX_EXCEPTIONS {
            rule.exceptions.push(Exception { condition, reason, until, span: *span });
        } else {
            let message = format!("`{}` has more than {MAX_EXCEPTIONS} exceptions", rule.id);
            let help = "join some of them with `any`, or narrow the rule itself";
            lowering.report(Diagnostic::new(&d::PROGRAM_TOO_LARGE, *span, message).help(help));
        }
    }
    lowering.phase = Phase::PreTool;
}

fn unknown_rule(id: &Spanned<Box<str>>, rules: &[Rule], lowering: &mut Lowering<'_>) {
    let message = format!("no rule is called `{}`", id.value);
    let near = closest(&id.value, rules.iter().map(|rule| &*rule.id));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "an exception names a rule of this config or a built-in one".to_owned(),
    };
    lowering.report(Diagnostic::new(&d::UNKNOWN_RULE, id.span, message).help(help));
}

/// The second since the epoch at which a day begins in UTC.
fn second_of(day: &str) -> Option<u32> {
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<u32>().ok());
    let (year, month, day_of_month) = (parts.next()??, parts.next()??, parts.next()??);
    let is_leap = |year: u32| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let february = if is_leap(year) { 29 } else { 28 };
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *months.get(month.checked_sub(1)? as usize)?;
    if !(1970..2106).contains(&year) || day.len() != 10 || !(1..=length).contains(&day_of_month) {
        return None;
    }
    let years: u32 = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let before: u32 = months.iter().take(month as usize - 1).sum();
    (years + before + day_of_month - 1).checked_mul(24 * 3600)
}

#[cfg(test)]
mod tests {
    use super::second_of;

    #[test]
    fn days_are_counted_from_the_epoch() {
        assert_eq!(second_of("1970-01-01"), Some(0));
        assert_eq!(second_of("2000-03-01"), Some(951_868_800));
        assert_eq!(second_of("2030-01-31"), Some(1_896_048_000));
        for wrong in
            ["2030-02-29", "2030-13-01", "2030-1-31", "30-01-31", "tomorrow", "2106-01-01", ""]
        {
            assert_eq!(second_of(wrong), None, "{wrong}");
        }
    }
}
