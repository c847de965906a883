//! Labelled messages, as `training/*.jsonl` have them: read by the example `train` and by the tests.

use std::error::Error;
use std::path::{Path, PathBuf};

use behavior_intent::learned::{Passages, Topic, acts, fingerprint};

/// Returns the files that are learned from, in the order of their names.
pub fn files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries: Vec<_> = std::fs::read_dir(folder())?.collect::<Result<_, _>>()?;
    let mut files: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    Ok(files)
}

/// Returns the fingerprint of what is learned from.
pub fn fingerprint_of(files: &[PathBuf]) -> Result<u64, Box<dyn Error>> {
    let texts: Vec<String> = files.iter().map(std::fs::read_to_string).collect::<Result<_, _>>()?;
    Ok(fingerprint(texts.iter().map(String::as_str)))
}

/// Returns the folder of the messages.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("training")
}

/// A labelled message.
pub struct Message {
    pub text: String,
    /// Of each act that it says something of, what it says.
    labels: Vec<(String, Label)>,
}

/// What a message says of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It is not to be done now.
    No,
    /// It is asked for, or allowed.
    Yes,
    /// It is spoken of, and neither.
    Neither,
    /// There is no word of it, or none that is about it.
    Silent,
}

impl Message {
    /// Reads the messages of one file.
    pub fn read(file: &Path) -> Result<Vec<Self>, Box<dyn Error>> {
        let text = std::fs::read_to_string(file)?;
        text.lines().map(Self::of).collect()
    }

    fn of(line: &str) -> Result<Self, Box<dyn Error>> {
        let line: serde_json::Value = serde_json::from_str(line)?;
        let of = |key: &str, label: Label| {
            let acts = line.get(key).and_then(|acts| acts.as_array()).into_iter().flatten();
            let acts: Vec<_> =
                acts.filter_map(|act| Some((act.as_str()?.to_owned(), label))).collect();
            acts
        };
        let mut labels = of("no", Label::No);
        labels.extend(of("yes", Label::Yes));
        labels.extend(of("neither", Label::Neither));
        let text =
            line.get("m").and_then(|text| text.as_str()).ok_or("a line without a message")?;
        Ok(Self { text: text.to_owned(), labels })
    }

    /// Returns the topics that there is anything to learn of, each with its label.
    pub fn topics(&self, passages: &Passages) -> Vec<(Topic, Label)> {
        let of_act = acts().map(|(topic, act)| {
            let name = act.name().replace(' ', "");
            let label = self.labels.iter().find(|(act, _)| *act == name);
            (topic, label.map_or(Label::Silent, |(_, label)| *label))
        });
        let of_file = passages.files().filter_map(|(topic, file)| {
            let names = |act: &str| {
                act.strip_prefix("edit:").is_some_and(|name| name.to_lowercase().contains(file))
            };
            let (_, label) = self.labels.iter().find(|(act, _)| names(act))?;
            Some((topic, *label))
        });
        of_act.chain(of_file).collect()
    }
}
