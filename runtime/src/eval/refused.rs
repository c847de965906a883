//! What the user said no to, held against the call at hand: a no to new dependencies leaves those out that he allowed by their
//! names, and reaches those that he refused by theirs. Decides no rules.

use behavior_image::operand::Pattern;
use behavior_intent::act::Act;
use behavior_intent::installed::installed;
use behavior_intent::wish::Wish;

use super::Machine;
use behavior_facts::commands::COMMAND_PARAMS;

impl Machine<'_> {
    /// Whether the user said no to what a pattern of refusals is about, and the call is a case of it.
    pub(super) fn refuses(&mut self, pattern: Pattern) -> bool {
        let is_said = self.state.asked.has(pattern.0);
        if !self.state.asked.names_packages() || !self.is_about_dependencies(pattern) {
            return is_said;
        }
        let packages = self.packages_of_call();
        let asked = &self.state.asked;
        if packages.iter().any(|name| asked.wishes(Wish::NoPackage(name))) {
            return true;
        }
        let are_allowed = packages.iter().all(|name| asked.wishes(Wish::Package(name)));
        is_said && (packages.is_empty() || !are_allowed)
    }

    fn is_about_dependencies(&mut self, pattern: Pattern) -> bool {
        self.matches(pattern, &Act::Depend.clause())
    }

    /// The packages that the commands of the call's line add.
    fn packages_of_call(&mut self) -> Vec<String> {
        let is_shell = self.context.is_shell;
        let Some(line) = self.context.params.command_line(COMMAND_PARAMS[0], is_shell) else {
            return Vec::new();
        };
        self.scratch.shell.read(self.image, line);
        let mut found = Vec::new();
        for command in 0..self.scratch.shell.count() {
            let Some((_, words)) = self.scratch.shell.known_words(command) else { continue };
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            found.extend(installed(&words).into_iter().map(str::to_lowercase));
        }
        found
    }
}
