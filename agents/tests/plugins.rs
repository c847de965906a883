//! The plugins that are shipped, run by Node with a stand-in for the agent and one for our command.
//! Where there is no Node nothing is checked.
#![expect(clippy::expect_used, reason = "a panic is how a test fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use behavior_agents::hook::Agent;

fn node(arguments: &[&Path]) -> Option<Output> {
    Command::new("node").args(arguments).output().ok()
}

/// A folder of its own that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("behavior-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("writable");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The plugin of an agent with a shorter time to wait, so that the test need not wait as long.
fn plugin(agent: Agent, command: &[&str]) -> String {
    let text = agent.plugin(command).expect("a plugin");
    let shorter = text.replace("const TIMEOUT_MS = 10_000;", "const TIMEOUT_MS = 2_000;");
    assert_ne!(text, shorter, "it waits ten seconds");
    shorter
}

fn check(agent: Agent) {
    if node(&[Path::new("--version")]).is_none() {
        eprintln!("skipped: there is no `node`");
        return;
    }
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plugins");
    let folder = Folder::new(agent.name());
    let (log, stand_in) = (folder.0.join("log"), scripts.join("command.mjs"));
    let command = ["node", &*stand_in.to_string_lossy(), &*log.to_string_lossy()];
    let works = folder.write("works.mjs", &plugin(agent, &command));
    let broken = folder.write("broken.mjs", &plugin(agent, &["/there/is/no/such/program"]));
    let as_shipped = folder.write("shipped.mjs", &agent.plugin(&["behavior"]).expect("a plugin"));
    let checked = node(&[Path::new("--check"), &as_shipped]).expect("it ran before");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let host = scripts.join(format!("{}.mjs", agent.name()));
    let ran = node(&[&host, &works, &broken, &log]).expect("it ran before");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn the_plugin_of_opencode_blocks_what_is_not_allowed() {
    check(Agent::OpenCode);
}

#[test]
fn the_extension_of_pi_blocks_what_is_not_allowed() {
    check(Agent::Pi);
}
