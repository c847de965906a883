//! The files that a project starts with: a config, and a policy that leaves what no rule of it is about to the agent.
//! Writes texts; asks nobody and touches no file.

use std::fmt::Write;

/// The profile that a project starts with.
pub const PROFILE: &str = "guard";

/// Where the policy lies.
pub const POLICY: &str = "behavior/policy.toml";

/// How much is asked about and said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// As the profile says.
    #[default]
    Usual,
    /// Commands must be readable, and files are read before they change.
    Strict,
    /// Nothing is said that stops no call.
    Quiet,
}

impl Strictness {
    /// The rules that it switches.
    const fn switches(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::Usual => &[],
            Self::Strict => &[
                ("opaque_command", true),
                ("confirm_destructive_extended", true),
                ("read_before_edit", true),
            ],
            Self::Quiet => {
                &[("untested_changes", false), ("ignores_failure", false), ("lint_errors", false)]
            }
        }
    }
}

/// What a config starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// How much is asked about and said.
    pub strictness: Strictness,
    /// The branches that agents are not to push to, beside the default one.
    pub protected: Vec<String>,
    /// Whether agents may push, publish and merge as they see fit.
    pub may_publish: bool,
}

/// Returns the text of a config.
pub fn config(profile: &str, choices: &Choices) -> String {
    let mut out = format!(
        "\
# The rules that AI agents work under in this project. `behavior check` looks for mistakes,
# `behavior explain NAME` tells what a name means, and `behavior profiles {profile}` shows what is in force.
profile: {profile}
"
    );
    if !choices.protected.is_empty() {
        let names: Vec<String> = choices
            .protected
            .iter()
            .map(|name| serde_json::Value::from(&**name).to_string())
            .collect();
        let _ = write!(
            out,
            "\n# Branches to push to only when the user asks for it, beside the default one.\n\
             protected_branches: [{}]\n",
            names.join(", ")
        );
    }
    let publishing = [("publishes", false), ("publishes_by_tool", false)];
    let publishing = choices.may_publish.then_some(publishing).into_iter().flatten();
    let switches: Vec<_> =
        choices.strictness.switches().iter().copied().chain(publishing).collect();
    out.push_str("\n# Switch single rules on or off:\n");
    out.push_str(if switches.is_empty() {
        "# rules:\n#   lint_errors: false\n"
    } else {
        "rules:\n"
    });
    for (rule, is_on) in switches {
        let _ = writeln!(out, "  {rule}: {is_on}");
    }
    out.push_str(
        "
# Add your own:
# rule_definitions:
#   - id: migrations_by_hand
#     trigger: \"*\"
#     action: block
#     condition: { any: [{ writes: \"migrations/**\" }, { deletes: \"migrations/**\" }] }
#     when_undecided: allow  # where nobody can tell which files a call touches, as with `git stash pop`
#     message: Migrations are written by hand here. Say what you would change.
",
    );
    out
}

/// Returns the text of a policy.
pub const fn policy() -> &'static str {
    "\
# Which calls run, are asked about, or are denied, by tool, path and command. What no rule here is about is left to
# the agent's own permissions.
approval_mode = \"agent\"

# [[rules]]
# name = \"no new dependencies\"
# action = \"ask_user\"
# pattern = \"npm install *\"
# reason = \"dependencies are chosen by people\"
"
}

#[cfg(test)]
mod tests {
    use behavior_compiler::provider::{MemoryFiles, WithLibrary};

    use super::{Choices, POLICY, PROFILE, Strictness, config, policy};

    #[test]
    fn what_is_written_has_no_mistake() {
        let protected = vec!["release/*".to_owned(), "it's \"odd\"".to_owned()];
        for strictness in [Strictness::Usual, Strictness::Strict, Strictness::Quiet] {
            for (protected, may_publish) in [(Vec::new(), false), (protected.clone(), true)] {
                let choices = Choices { strictness, protected, may_publish };
                let text = config(PROFILE, &choices);
                let project =
                    MemoryFiles::new([("behavior.yaml", text.as_str()), (POLICY, policy())]);
                let files = WithLibrary {
                    library: behavior_stdlib::file,
                    presets: behavior_stdlib::PROFILES,
                    project,
                };
                let compilation = behavior_compiler::compile(&files, "behavior.yaml");
                assert!(
                    compilation.diagnostics.is_empty(),
                    "{text}\n{:?}",
                    compilation.diagnostics
                );
                let rules: Vec<_> =
                    compilation.program.rules.iter().map(|rule| &*rule.id).collect();
                assert_eq!(rules.contains(&"publishes"), !may_publish, "{text}");
                assert_eq!(rules.contains(&"lint_errors"), strictness != Strictness::Quiet);
                assert_eq!(rules.contains(&"opaque_command"), strictness == Strictness::Strict);
            }
        }
    }

    #[test]
    fn what_stands_in_comments_has_no_mistake_either() {
        let text = config(PROFILE, &Choices::default());
        let (head, own) = text.split_once("# Add your own:\n").unwrap();
        let own: Vec<&str> =
            own.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
        let own = own.join("\n");
        let files = WithLibrary {
            library: behavior_stdlib::file,
            presets: behavior_stdlib::PROFILES,
            project: MemoryFiles::new([("behavior.yaml", format!("{head}{own}"))]),
        };
        let compilation = behavior_compiler::compile(&files, "behavior.yaml");
        assert!(compilation.diagnostics.is_empty(), "{:?}", compilation.diagnostics);
    }
}
