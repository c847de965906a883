//! Functions that make a file or a directory of their own, whose names nobody else has.

use super::functions::Function;
use super::token::Token;

/// Functions that make a file or directory of their own.
const MAKES: &[&str] = &[
    "mkdtemp",
    "mkstemp",
    "mktemp",
    "mkdtempSync",
    "TemporaryDirectory",
    "NamedTemporaryFile",
    "gettempdir",
    "temp_dir",
    "CreateTemp",
    "tmpdir",
    "mktmpdir",
    "tempdir",
    "tempfile",
    "tmpname",
    "tempnam",
    "sys_get_temp_dir",
    "makeTempDirSync",
    "makeTempDir",
    "TempDir",
    "MkdirTemp",
];

/// Whether code gives one of those a meaning of its own: `tempfile.mkdtemp = f`.
pub fn makes_its_own(tokens: &[Token], defined: &[Function]) -> bool {
    let is_own = |name: &str| {
        let is_said = ["mk", "Temporary", "NamedTemporary", "gettemp", "makeTemp"];
        MAKES.contains(&name) && is_said.iter().any(|start| name.starts_with(start))
    };
    defined.iter().any(|function| is_own(&function.name))
        || tokens.windows(3).any(|three| match three {
            [Token::Name(name), Token::Sign('='), next] => {
                is_own(name) && *next != Token::Sign('=')
            }
            [Token::Name(word), Token::Name(name), _] => word == "as" && is_own(name),
            [Token::Text(name), ..] => is_own(name),
            _ => false,
        })
}

/// Returns whether a function makes a file or directory of its own.
pub fn is_maker(name: &str) -> bool {
    MAKES.contains(&name)
}
