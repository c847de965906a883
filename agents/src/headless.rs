//! How agents are started with nobody at them, against a model on this machine: the types of what each agent's folder
//! says of it. Knows no agent, and starts, reads and writes nothing.

/// How an agent speaks with its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelApi {
    /// Messages of Anthropic.
    Messages,
    /// Responses of OpenAI.
    Responses,
    /// Chat completions of OpenAI.
    ChatCompletions,
    /// `generateContent` of Gemini.
    GenerateContent,
}

/// How an agent is started with nobody at it. `{url}`, `{home}`, `{project}` and `{prompt}` stand for what a [`Stage`]
/// says.
pub struct Headless {
    /// The program, as it is looked for.
    pub program: &'static str,
    /// How it speaks with its model.
    pub api: ModelApi,
    /// The tools with which it runs shell commands, each with the parameter that takes one.
    pub shells: &'static [(&'static str, &'static str)],
    /// Its arguments.
    pub(crate) arguments: &'static [&'static str],
    /// Its variables.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// Files that it needs, from its home, and what is in them: JSON or TOML. What is in the file with its hooks comes
    /// besides what goes along of the user's.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// The members of the file with its hooks that may go along.
    pub(crate) keeps: Keeps,
}

/// Which outermost members of a settings file may go along: nothing that runs something, or says whom to pay.
pub(crate) enum Keeps {
    /// All of them: the file holds hooks and nothing else.
    All,
    /// These.
    Only(&'static [&'static str]),
}

/// Where an agent is started.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// Where its model listens.
    pub url: &'a str,
    /// Its home.
    pub home: &'a str,
    /// The folder that it works in.
    pub project: &'a str,
    /// What it is told to do.
    pub prompt: &'a str,
}

impl Headless {
    /// Returns the arguments.
    #[must_use]
    pub fn arguments(&self, stage: &Stage<'_>) -> Vec<String> {
        self.arguments.iter().map(|text| stage.filled(text, str::to_owned)).collect()
    }

    /// Returns the variables.
    #[must_use]
    pub fn environment(&self, stage: &Stage<'_>) -> Vec<(&'static str, String)> {
        let filled = |text: &str| stage.filled(text, str::to_owned);
        self.environment.iter().map(|(name, text)| (*name, filled(text))).collect()
    }

    /// Returns the files, each by its path from the home.
    #[must_use]
    pub fn files(&self, stage: &Stage<'_>) -> Vec<(&'static str, String)> {
        self.files.iter().map(|(path, text)| (*path, stage.filled(text, escaped))).collect()
    }
}

/// A text as it stands between quotes; JSON and TOML agree on that.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

impl Stage<'_> {
    /// A text with what it names filled in, in one go: what is filled in is not looked at again.
    fn filled(&self, text: &str, spell: impl Fn(&str) -> String) -> String {
        let names = [
            ("{url}", self.url),
            ("{home}", self.home),
            ("{project}", self.project),
            ("{prompt}", self.prompt),
        ];
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            let (before, behind) = rest.split_at(at);
            out.push_str(before);
            let found = names.iter().find_map(|(name, value)| {
                behind.strip_prefix(name).map(|after| (spell(value), after))
            });
            let plain = || ("{".to_owned(), behind.strip_prefix('{').unwrap_or_default());
            let (said, after) = found.unwrap_or_else(plain);
            out.push_str(&said);
            rest = after;
        }
        out + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_spelled_as_its_place_wants_it() {
        let stage = Stage { url: "u", home: "{url}", project: "a\"b", prompt: "p" };
        assert_eq!(
            stage.filled("{url} {home} {project} {x} {", str::to_owned),
            "u {url} a\"b {x} {"
        );
        assert_eq!(stage.filled("\"{project}\"", escaped), r#""a\"b""#);
    }
}
