//! Where pi, as of 0.74, looks for extensions.

use crate::pi::EXTENSION;
use crate::wiring::{Means, Off, Source, Switch, Tried, UserFile, Wiring};

pub(crate) const SETTINGS: &str = "settings.json";
/// The projects that the user approved, or did not.
pub(crate) const TRUST: &str = "trust.json";

/// The extension of pi.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".pi/extensions/behavior.ts",
    user: UserFile {
        variable: Some("PI_CODING_AGENT_DIR"),
        knows_home: true,
        folder: ".pi/agent",
        sign: "",
        file: "extensions/behavior.ts",
    },
    local: None,
    sources: &[Source::project(".pi/settings.json"), Source::user(SETTINGS), Source::user(TRUST)],
    switches: &[Switch {
        path: &["extensions"],
        // A pattern or a path that takes extensions out, as its settings reference says.
        off: Off::Names { name: "behavior.ts", signs: &['!', '-'] },
        is_managed: false,
        does: "takes the extension out: take that entry out",
    }],
    variables: None,
    project_variable: None,
    afterwards: "pi loads the extensions of a project that it trusts, when it starts: start it again, or say \
                 `/reload`",
    tried: Some(Tried { version: (0, 87), file: SETTINGS, setting: "lastChangelogVersion" }),
    when_changed: None,
    means: Means::Plugin(EXTENSION),
    servers: None,
};

/// The extension of oh-my-pi, which takes none from the folders of pi (`docs/extension-loading.md` of its sources,
/// 16.3).
pub(crate) const OH_MY_PI: Wiring = Wiring {
    project: ".omp/extensions/behavior.ts",
    user: UserFile {
        variable: Some("PI_CODING_AGENT_DIR"),
        knows_home: true,
        folder: ".omp/agent",
        sign: "",
        file: "extensions/behavior.ts",
    },
    local: None,
    // What it switches off stands in `config.yml`.
    sources: &[],
    switches: &[],
    variables: None,
    project_variable: None,
    afterwards: "oh-my-pi loads extensions when it starts: start it again. Sub-agents with a list of tools take only \
                 extensions that `trustedExtensions` in your `config.yml` names",
    tried: None,
    when_changed: None,
    means: Means::Plugin(EXTENSION),
    servers: None,
};
