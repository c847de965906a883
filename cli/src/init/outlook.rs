//! What will be asked about, blocked and said from now on, on one screen.

use behavior_compiler::Compilation;
use behavior_runtime::decision::Action;

use crate::screen::{Screen, wrap};
use crate::terminal::{BOLD, Terminal};

/// The kinds of what rules do, the strictest first.
const KINDS: [(&[Action], &str); 3] = [
    (&[Action::Block], "blocked"),
    (&[Action::Ask], "asked about"),
    (&[Action::Warn, Action::Remind], "told to the agent"),
];

/// Says what the rules of a config will do.
pub fn tell(compilation: &Compilation, terminal: &Terminal) {
    let columns = Screen::of_stdout(terminal).width;
    let mut out = String::from("\nfrom now on\n");
    for (actions, title) in KINDS {
        let rules = compilation.program.rules.iter();
        let rules: Vec<_> = rules.filter(|rule| actions.contains(&rule.action)).collect();
        if rules.is_empty() {
            continue;
        }
        out.push_str(&format!("  {}\n", terminal.paint(BOLD, title)));
        let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
        for rule in rules {
            let about = wrap(&rule.description, columns.saturating_sub(width + 6));
            for (at, line) in about.iter().enumerate() {
                let id = if at == 0 { &*rule.id } else { "" };
                out.push_str(&format!("    {id:width$}  {line}\n"));
            }
        }
    }
    let remedy = "A call that was stopped may run once you say `behavior allow RULE` in a terminal. A rule is switched off \
                  under `rules` in `behavior.yaml`.";
    wrap(remedy, columns - 2).iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    terminal.say(&out);
}
