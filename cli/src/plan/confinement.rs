//! Which commands of plans stay inside of the workspace: what is seen to leave it, or cannot be read, does not run. What a
//! program does by itself nobody sees beforehand, and nothing here stops it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::{Options, compile_all};
use behavior_runtime::event::{Call, Event, Param, SessionStart, Value as EventValue};
use behavior_runtime::host::Fingerprint;
use behavior_runtime::{Host, Image, Session, Truth};

use crate::live::host::LiveHost;

/// What a command may not do, in the language of all rules.
const CONFINEMENT: &str = include_str!("confinement.yaml");

/// Decides which commands stay inside.
pub struct Confinement {
    image: Arc<Image>,
    root: PathBuf,
}

impl Confinement {
    /// Confines commands to a directory.
    ///
    /// # Errors
    /// When our own rules do not compile, which is a mistake in this program.
    pub fn to(root: &Path) -> Result<Self, String> {
        let provider = WithLibrary {
            library: behavior_stdlib::file,
            presets: behavior_stdlib::PROFILES,
            project: MemoryFiles::new([("confinement.yaml", CONFINEMENT)]),
        };
        let compiled =
            compile_all(&provider, &["confinement.yaml".to_owned()], &Options::default());
        let image = compiled.image.ok_or("the rules that confine commands do not compile")?;
        Ok(Self { image: Arc::new(image), root: root.to_owned() })
    }

    /// Returns why a command line is not run; nothing where it stays inside, as far as can be seen.
    #[must_use]
    pub fn refusal(&self, line: &str) -> Option<String> {
        let mut session = Session::new(Arc::clone(&self.image));
        let host = &mut Confined { live: LiveHost::default(), root: self.root.clone() };
        let cwd = Some(self.root.to_string_lossy().into_owned().into());
        session.apply(&Event::SessionStart(SessionStart { cwd, ..SessionStart::default() }), host);
        let param =
            Param { name: "command".into(), native: None, value: EventValue::Text(line.into()) };
        let call = Call { tool: "bash".into(), params: vec![param], ..Call::default() };
        let decision = session.apply(&Event::ToolCall(call), host);
        if let Some(finding) = decision.findings.first() {
            return Some(finding.message.clone());
        }
        let undecided = decision.undecided.first()?;
        Some(format!("nothing tells {}: write every path out", undecided.needs))
    }
}

/// The machine, with the workspace as the repository, so that all else lies outside.
struct Confined {
    live: LiveHost<'static>,
    root: PathBuf,
}

impl Host for Confined {
    fn exists(&mut self, path: &str) -> Option<bool> {
        self.live.exists(path)
    }

    fn is_directory(&mut self, path: &str) -> Option<bool> {
        self.live.is_directory(path)
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        self.live.fingerprint(path)
    }

    fn canonical(&mut self, path: &str) -> Option<String> {
        self.live.canonical(path)
    }

    fn passes_link(&mut self, pattern: &str) -> Option<bool> {
        self.live.passes_link(pattern)
    }

    fn expansion(&mut self, pattern: &str) -> Option<Vec<String>> {
        self.live.expansion(pattern)
    }

    fn holds(&mut self, directory: &str, tail: &str) -> Truth {
        self.live.holds(directory, tail)
    }

    fn now(&mut self) -> Option<i64> {
        self.live.now()
    }

    fn home(&mut self) -> Option<String> {
        self.live.home()
    }

    fn repository(&mut self) -> Option<String> {
        self.root.to_str().map(str::to_owned)
    }
}
