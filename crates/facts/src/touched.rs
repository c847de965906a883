//! Which files a call would read, write and delete: for tools that run command lines what the shell
//! front-end finds, for all others what their parameters name.

use behavior_shell::touched::{Effect, Extent, Touched};
use behavior_shell::{HOLE, patch};

use crate::braces::alternatives;
use crate::commands::Change;
use crate::event::Call;
use crate::path::is_drive;
use crate::tool_catalogue::{ToolEffect, find, last_part};
use crate::tools::normalise;
use crate::value::ValueRef;

/// The parameters with which tools that run command lines are told where to, in the order in which they are looked for.
pub const DIRECTORY_PARAMS: [&str; 6] =
    ["workdir", "cwd", "working_directory", "workingDirectory", "directory", "dir_path"];

/// No more files of one list are looked at.
const MAX_FILES: usize = 1 << 16;

/// Objects in objects are looked into so deep.
const MAX_DEPTH: u32 = 6;

/// A file that a call touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedFile {
    /// What happens to it; `None` where nobody knows.
    pub effect: Option<Effect>,
    /// How much of what the path names is meant.
    pub extent: Extent,
    /// Its path, with [`HOLE`] for each piece that nobody knows.
    pub path: String,
    /// Whether the path is a pattern of a shell.
    pub is_pattern: bool,
    /// Whether a piece that nobody knows may make several paths of it.
    pub may_split: bool,
    /// Whether nobody can tell if it is touched at all.
    pub is_doubtful: bool,
    /// The directory that what is written comes from, with the names that it has there.
    pub out_of: Option<String>,
    /// What happens to it where it is written.
    pub change: Change,
}

impl TouchedFile {
    /// A file of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        let (path, is_pattern) = (HOLE.to_string(), false);
        let (may_split, is_doubtful, out_of) = (true, false, None);
        let (effect, extent) = (None, Extent::Tree);
        let change = Change::Content;
        Self { effect, extent, path, is_pattern, may_split, is_doubtful, out_of, change }
    }

    /// The same file where the command line runs in a directory.
    #[must_use]
    pub fn run_in(mut self, directory: &str) -> Self {
        let run_in = |path: &mut String| {
            let is_free = path.starts_with(['/', '~', '\\', HOLE]) || is_drive(path);
            if !is_free && !directory.is_empty() {
                *path = format!("{}/{path}", directory.trim_end_matches('/'));
            }
        };
        run_in(&mut self.path);
        self.out_of.iter_mut().for_each(run_in);
        self
    }

    /// Whether the whole path is known.
    #[inline]
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.is_pattern && !self.path.contains(HOLE)
    }
}

impl From<Touched> for TouchedFile {
    #[inline]
    fn from(touched: Touched) -> Self {
        let Touched { effect, extent, path, is_pattern, may_split, is_doubtful, out_of, .. } =
            touched;
        let (effect, change) = (Some(effect), Change::Content);
        Self { effect, extent, path, is_pattern, may_split, is_doubtful, out_of, change }
    }
}

/// What a tool does with the files that its parameters name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolFiles {
    /// It is known to do nothing with files.
    None,
    /// It does this.
    Known(Effect),
    /// It moves files: away from where they were, to where they will be.
    Moves,
    /// It copies files.
    Copies,
    /// Nobody knows: its parameters tell.
    ByShape,
}

/// Words of the names of tools, in the order in which they tell what a tool does.
const VERBS: &[(&[&str], ToolFiles)] = &[
    (&["move", "rename", "mv"], ToolFiles::Moves),
    (&["copy", "cp", "duplicate"], ToolFiles::Copies),
    (
        &[
            "delete", "remove", "unlink", "trash", "rm", "rmdir", "erase", "shred", "wipe",
            "purge", "destroy",
        ],
        ToolFiles::Known(Effect::Delete),
    ),
    (
        &[
            "write",
            "create",
            "edit",
            "update",
            "modify",
            "save",
            "append",
            "insert",
            "replace",
            "patch",
            "put",
            "overwrite",
            "export",
            "download",
            "set",
            "touch",
            "chmod",
            "format",
            "mkfile",
            "undo",
            "store",
            "apply",
            "truncate",
            "rewrite",
            "restore",
            "revert",
            "reset",
            "clear",
            "empty",
            "prepend",
        ],
        ToolFiles::Known(Effect::Write),
    ),
    (
        &[
            "read", "get", "view", "open", "cat", "list", "search", "find", "show", "load", "stat",
            "info", "tree", "grep", "glob", "head", "tail", "ls", "fetch", "query", "describe",
            // What is sent somewhere is read.
            "upload", "send", "attach", "post", "submit", "share", "mail", "email", "publish",
        ],
        ToolFiles::Known(Effect::Read),
    ),
];

impl ToolFiles {
    /// Of a tool by the last part of its normalised name.
    #[must_use]
    pub fn of(canonical: &str) -> Self {
        match find(canonical).map(|tool| tool.effect) {
            Some(ToolEffect::ReadsFiles) => return Self::Known(Effect::Read),
            Some(ToolEffect::ChangesFiles) => return Self::Known(Effect::Write),
            Some(ToolEffect::DeletesFiles) => return Self::Known(Effect::Delete),
            Some(ToolEffect::RunsCommands | ToolEffect::Other) => return Self::None,
            None => {}
        }
        let is_word = |word: &&str| canonical.split(['_', '-', ' ', '/']).any(|part| part == *word);
        let begins = |word: &&str| canonical.starts_with(word) && word.len() > 3;
        let says = |(words, _): &&(&[&str], _)| words.iter().any(is_word);
        let hints = |(words, _): &&(&[&str], _)| words.iter().any(begins);
        let verb = VERBS.iter().find(says).or_else(|| VERBS.iter().find(hints));
        verb.map_or(Self::ByShape, |(_, files)| *files)
    }
}

/// What a parameter holds, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// A path, or a list of paths.
    Path,
    /// The folder in which what is named lies.
    Folder,
    /// The folder that paths may be seen from, if the tool goes by it.
    Base,
    /// What something is called: a file, where a folder is told, too.
    Name,
    /// The path that something is moved or copied from.
    From,
    /// The path that something is moved or copied to.
    To,
    /// What a file will hold.
    Content,
    Other,
}

/// Names of parameters; those of the second list hold a path only if what they hold looks like one, or the tool does
/// nothing but move and copy files.
fn holds(files: ToolFiles, name: &str, value: ValueRef<'_>) -> Holds {
    let name: String = name.chars().filter(|c| *c != '_' && *c != '-').collect();
    let name = name.to_ascii_lowercase();
    let is_of_move = matches!(files, ToolFiles::Moves | ToolFiles::Copies);
    let may_be_path = || is_of_move && is_short(value) || looks_like_path(value);
    let changes =
        matches!(files, ToolFiles::ByShape | ToolFiles::Known(Effect::Write | Effect::Delete));
    match &*name {
        "path"
        | "file"
        | "filepath"
        | "filename"
        | "files"
        | "paths"
        | "filepaths"
        | "absolutepath"
        | "relativepath"
        | "targetfile"
        | "targetpath"
        | "notebookpath"
        | "fullpath"
        | "relativeworkspacepath" => Holds::Path,
        "sourcepath" | "srcpath" | "oldpath" | "frompath" | "sourcefile" | "sourcefilepath"
        | "oldfilepath" | "oldfile" | "fromfile" | "srcfile" => Holds::From,
        "destinationpath"
        | "destpath"
        | "newpath"
        | "topath"
        | "outputpath"
        | "outputfile"
        | "savepath"
        | "dstpath"
        | "destinationfile"
        | "destfile"
        | "newfile"
        | "tofile"
        | "dstfile"
        | "newfilepath"
        | "destinationfilepath"
        | "outputfilepath"
        | "targetfilepath" => Holds::To,
        "source" | "src" | "from" | "old" | "oldname" | "sources" | "oldfilename"
        | "originalname" | "sourceuri" | "olduri"
            if may_be_path() =>
        {
            Holds::From
        }
        "destination"
        | "dest"
        | "dst"
        | "to"
        | "new"
        | "newname"
        | "newfilename"
        | "output"
        | "out"
        | "destinationdirectory"
        | "destinationfolder"
        | "destinationuri"
        | "newuri"
        | "targetname"
            if may_be_path() =>
        {
            Holds::To
        }
        "uri" | "target" | "location" | "name" | "item" | "items"
            if is_of_move && is_short(value) =>
        {
            Holds::Path
        }
        "uri" | "target" | "location" if looks_like_path(value) => Holds::Path,
        "directory" | "dir" | "folder" | "directorypath" | "folderpath" | "parent"
        | "parentdirectory" | "parentdir" | "parentfolder" | "parentpath" | "basedirectory"
        | "basedir" | "basepath" | "targetdirectory" | "targetfolder"
            if is_short(value) =>
        {
            Holds::Folder
        }
        "cwd" | "root" | "base" | "workdir" | "workingdirectory" | "workingdir" | "rootpath"
        | "rootdir" | "rootdirectory" | "projectpath" | "projectroot" | "projectdir"
        | "repopath" | "workspacepath" | "workspaceroot"
            if is_folder(value) =>
        {
            Holds::Base
        }
        "name" if is_short(value) => Holds::Name,
        "url" | "saveas" | "saveto" | "fname" | "document" | "entry" | "resource" | "where"
        | "outpath" | "pathname" | "filetowrite"
            if looks_like_path(value) && changes =>
        {
            Holds::Path
        }
        "content" | "contents" | "filecontent" | "filetext" | "oldstring" | "oldstr"
        | "oldtext" | "newstring" | "newstr" | "newtext" | "newcontent" | "edits" | "diff"
        | "patch" | "data" | "replacement" | "newsource" => Holds::Content,
        "localpath" | "localfile" | "downloadpath" | "exportpath" | "imagepath"
        | "screenshotpath" | "logpath" | "logfile" | "configpath" | "configfile"
        | "archivepath" | "inputpath" | "inputfile" | "uploadpath" | "attachmentpath"
        | "datapath" | "scriptpath" | "outputfilename"
            if looks_like_path(value) =>
        {
            Holds::Path
        }
        other if other.ends_with("filepath") => Holds::Path,
        _ => Holds::Other,
    }
}

/// Whether a value can be nothing but a folder: a branch may be called a base, too.
fn is_folder(value: ValueRef<'_>) -> bool {
    matches!(value, ValueRef::Text(text) if text.contains(['/', '\\', '~'])) && is_short(value)
}

fn looks_like_path(value: ValueRef<'_>) -> bool {
    let ValueRef::Text(text) = value else { return false };
    let is_file_url = text.starts_with("file://");
    is_short(value) && (is_file_url || !text.contains("://") && text.contains(['/', '\\', '.']))
}

/// Whether a value may be a path, or a list of them, by its length and its lines.
fn is_short(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::Text(text) => text.len() <= 4_096 && !text.contains('\n'),
        ValueRef::Json(json) => json.starts_with('['),
    }
}

/// The files that a call names in its parameters, to a tool that runs no command lines.
#[must_use]
pub fn of_call(call: &Call<'_>) -> Vec<TouchedFile> {
    let mut name = String::new();
    normalise(&call.tool, &mut name);
    of_params(ToolFiles::of(last_part(&name)), |visit| {
        for param in &call.params {
            visit(&param.name, param.native.as_deref(), (&param.value).into());
        }
    })
}

/// The files that the parameters of a call name.
pub fn of_params<'p>(
    files: ToolFiles,
    each: impl FnOnce(&mut dyn FnMut(&'p str, Option<&'p str>, ValueRef<'p>)),
) -> Vec<TouchedFile> {
    if files == ToolFiles::None {
        return Vec::new();
    }
    let mut named: Vec<(Holds, String)> = Vec::new();
    let mut has_content = false;
    let mut patched = Vec::new();
    let mut searched = Searched::default();
    let mut place = NamedInFolder::default();
    let mut told = None;
    each(&mut |name, native, value| {
        searched.take(name, value);
        told = told.or_else(|| told_by_param(files, name, value));
        let mut what = holds(files, name, value);
        if what == Holds::Other
            && let Some(native) = native
        {
            what = holds(files, native, value);
        }
        if let ValueRef::Text(text) = value
            && may_be_patch(name, text)
        {
            patched.extend(of_patch(text));
        }
        match what {
            Holds::Other => {}
            Holds::Folder => place.folder = texts(value).pop(),
            Holds::Base => place.base = texts(value).pop(),
            Holds::Name => place.name = texts(value).pop(),
            Holds::Content => has_content = true,
            Holds::Path | Holds::From | Holds::To => {
                let left = MAX_FILES.saturating_sub(named.len());
                named.extend(texts(value).into_iter().take(left).map(|text| (what, text)));
            }
        }
        let json = match value {
            ValueRef::Json(json) => json,
            // Some servers take their parameters as a text.
            ValueRef::Text(text) if text.starts_with(['{', '[']) && what == Holds::Other => text,
            ValueRef::Text(_) => "",
        };
        if json.contains('{')
            && let Ok(inner) = serde_json::from_str(json)
        {
            has_content |= match (what, &inner) {
                // What files will hold, by their paths.
                (Holds::Path, serde_json::Value::Object(fields)) => {
                    by_path(fields, &mut named) | look_inside(files, &inner, 0, &mut named)
                }
                _ => look_inside(files, &inner, 0, &mut named),
            };
        }
    });
    let files = told.unwrap_or(files);
    place.join(files, has_content, &mut named);
    let effects = |holds: Holds| -> (Option<Effect>, Option<Effect>) {
        match (files, holds) {
            (ToolFiles::Moves, Holds::To) => (Some(Effect::Write), None),
            (ToolFiles::Moves, Holds::From) => (Some(Effect::Delete), None),
            (ToolFiles::Moves, _) => (Some(Effect::Delete), Some(Effect::Write)),
            (ToolFiles::Copies, Holds::To) => (Some(Effect::Write), None),
            (ToolFiles::Copies, _) => (Some(Effect::Read), None),
            (ToolFiles::Known(Effect::Read), Holds::To) => (Some(Effect::Write), None),
            (ToolFiles::Known(Effect::Read) | ToolFiles::ByShape, _) if has_content => {
                (Some(Effect::Write), None)
            }
            (ToolFiles::Known(effect), _) => (Some(effect), None),
            (ToolFiles::ByShape, Holds::To) => (Some(Effect::Write), None),
            (ToolFiles::ByShape | ToolFiles::None, _) => (None, None),
        }
    };
    let mut found = match files {
        ToolFiles::Known(Effect::Read) => searched.files(),
        _ => Vec::new(),
    };
    let patches = files != ToolFiles::Known(Effect::Read);
    found.extend(patched.into_iter().filter(|_| patches));
    for (holds, path) in named {
        let (first, second) = effects(holds);
        let touched = |effect: Option<Effect>| TouchedFile {
            effect,
            // What is moved may be a directory, and takes the place of one.
            extent: match effect {
                Some(Effect::Delete) => Extent::Tree,
                Some(Effect::Write) if files == ToolFiles::Moves => Extent::Tree,
                _ => Extent::File,
            },
            path: path.clone(),
            is_pattern: false,
            may_split: false,
            is_doubtful: false,
            out_of: None,
            change: Change::Content,
        };
        found.push(touched(first));
        found.extend(second.map(|second| touched(Some(second))));
    }
    found
}

/// What a tool does that says nothing by its own name, where a parameter names what it is to do, or which tool it is to
/// call: `{"action": "delete"}`, `{"tool": "move_file"}`.
fn told_by_param(files: ToolFiles, name: &str, value: ValueRef<'_>) -> Option<ToolFiles> {
    const NAMES: [&str; 8] =
        ["tool", "tool_name", "toolName", "action", "operation", "op", "method", "function"];
    let ValueRef::Text(text) = value else { return None };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let may_be = files == ToolFiles::ByShape && NAMES.contains(&name) && text.len() <= 64;
    if !may_be || !text.bytes().all(is_name) {
        return None;
    }
    let mut normal = String::new();
    normalise(text, &mut normal);
    match ToolFiles::of(last_part(&normal)) {
        ToolFiles::ByShape | ToolFiles::None => None,
        known => Some(known),
    }
}

/// A folder and the name of what lies there, told apart from each other.
#[derive(Default)]
struct NamedInFolder {
    folder: Option<String>,
    base: Option<String>,
    name: Option<String>,
}

impl NamedInFolder {
    /// The file that is told of without a path, where there is one: by its name, or by the folder that is deleted.
    fn alone(&self, files: ToolFiles, has_content: bool, is_known: bool) -> Option<String> {
        match (&self.folder, &self.base, &self.name) {
            (Some(folder), _, Some(name)) => Some(below(folder, name)),
            // Of other tools, it is where they work.
            (Some(folder), _, None) if files == ToolFiles::Known(Effect::Delete) => {
                Some(folder.clone())
            }
            (None, _, _) if is_known => None,
            (None, Some(base), Some(name)) if files == ToolFiles::Known(Effect::Write) => {
                Some(below(base, name))
            }
            // It lies where the tool works.
            (None, None, Some(name)) if has_content && looks_like_path(ValueRef::Text(name)) => {
                Some(name.clone())
            }
            _ => None,
        }
    }

    /// Sees what is named from the folder, where one is told. Whether a tool goes by where it is said to work, nobody tells:
    /// what is named to one that changes something stays, too.
    fn join(self, files: ToolFiles, has_content: bool, named: &mut Vec<(Holds, String)>) {
        let has_path = named.iter().any(|(holds, _)| *holds == Holds::Path);
        if !has_path {
            let is_known = !named.is_empty();
            named.extend(self.alone(files, has_content, is_known).map(|path| (Holds::Path, path)));
            return;
        }
        let is_relative = |path: &str| !path.starts_with(['/', '~', '\\']) && !is_drive(path);
        let stays = self.folder.is_none() && files != ToolFiles::Known(Effect::Read);
        let Some(folder) = self.folder.or(self.base) else { return };
        let seen = |(holds, path): &(Holds, String)| (*holds, below(&folder, path));
        let relative = named.iter().filter(|(_, path)| is_relative(path));
        let seen: Vec<(Holds, String)> =
            relative.take(MAX_FILES.saturating_sub(named.len())).map(seen).collect();
        if !stays {
            named.retain(|(holds, path)| *holds != Holds::Path || !is_relative(path));
        }
        named.extend(seen);
    }
}

/// A path as it is seen from a folder.
fn below(folder: &str, path: &str) -> String {
    format!("{}/{path}", folder.trim_end_matches('/'))
}

/// What a tool that shows lines of files is told of which files it looks into.
#[derive(Default)]
struct Searched {
    /// The directory.
    place: String,
    /// A pattern for the names of files.
    names: String,
    shows_no_lines: bool,
    /// Whether it is told to show lines.
    shows_lines: bool,
}

impl Searched {
    /// Takes up a parameter. Sources: the tools `Grep` of Claude Code 2.1, with `output_mode`; `grep` of pi 0.74, and of
    /// OpenCode 1.18 and `search_file_content` of Gemini CLI 0.61 with `include`, which always show lines.
    fn take(&mut self, name: &str, value: ValueRef<'_>) {
        let ValueRef::Text(text) = value else { return };
        match name {
            "path" | "dir_path" => text.clone_into(&mut self.place),
            "include" => text.clone_into(&mut self.names),
            "glob" if self.names.is_empty() => {
                text.clone_into(&mut self.names);
            }
            "output_mode" => {
                self.shows_lines = text == "content";
                self.shows_no_lines = !self.shows_lines;
            }
            _ => {}
        }
    }

    /// The files that are surely among those that are looked into, and the pattern of all of them.
    fn files(self) -> Vec<TouchedFile> {
        let Self { place, names, shows_no_lines, shows_lines } = self;
        if shows_no_lines || names.starts_with('!') {
            return Vec::new();
        }
        if names.is_empty() {
            // All that lies there.
            let is_told = shows_lines && !place.is_empty();
            let whole = || TouchedFile {
                effect: Some(Effect::Read),
                extent: Extent::Tree,
                path: place.clone(),
                may_split: false,
                ..TouchedFile::unknown()
            };
            return is_told.then(whole).into_iter().collect();
        }
        let place = if place.is_empty() { "." } else { place.trim_end_matches('/') };
        let mut found = Vec::new();
        for name in alternatives(&names).unwrap_or_default() {
            let name = name.trim_start_matches("**/");
            let has_signs = |text: &str| text.contains(['*', '?', '[']);
            // A pattern such as `.env*` is for the file that begins it.
            let first = name.strip_suffix('*').unwrap_or(name);
            let is_named =
                !has_signs(first) && (first.len() == name.len() || first.starts_with('.'));
            let read = |path: String, is_pattern| TouchedFile {
                effect: Some(Effect::Read),
                extent: Extent::File,
                path,
                is_pattern,
                may_split: false,
                is_doubtful: false,
                out_of: None,
                change: Change::Content,
            };
            if is_named && first.len() > 1 {
                found.push(read(format!("{place}/{first}"), false));
            }
            if has_signs(name) {
                found.push(read(format!("{place}/{name}"), true));
            }
        }
        found
    }
}

/// Looks for files that fields of objects name, in an object or a list of them: `[{"path": …, "content": …}]`. Returns
/// whether one says what a file will hold.
fn look_inside(
    files: ToolFiles,
    value: &serde_json::Value,
    depth: u32,
    named: &mut Vec<(Holds, String)>,
) -> bool {
    use serde_json::Value;
    if depth >= MAX_DEPTH || named.len() >= MAX_FILES {
        return false;
    }
    match value {
        Value::Array(items) => {
            let inside = |found, item| look_inside(files, item, depth + 1, named) | found;
            items.iter().fold(false, inside)
        }
        Value::Object(fields) => fields.iter().fold(false, |found, (name, value)| {
            // Edits of the Language Server Protocol stand behind the addresses of their files.
            if name.starts_with("file://") {
                named.push((Holds::Path, without_scheme(name)));
                return true;
            }
            let text = value.as_str().filter(|text| !text.is_empty());
            let what = text.map_or(Holds::Other, |text| holds(files, name, ValueRef::Text(text)));
            match (what, text) {
                (Holds::Path | Holds::From | Holds::To, Some(text)) => {
                    named.push((what, without_scheme(text)));
                    found
                }
                (Holds::Content, _) => true,
                _ => look_inside(files, value, depth + 1, named) | found,
            }
        }),
        _ => false,
    }
}

/// Takes the fields of an object for files, if they look like paths: `{"src/a.rs": "…"}`. Returns whether there were some.
fn by_path(
    fields: &serde_json::Map<String, serde_json::Value>,
    named: &mut Vec<(Holds, String)>,
) -> bool {
    let before = named.len();
    let left = MAX_FILES.saturating_sub(before);
    let paths = fields.keys().filter(|name| looks_like_path(ValueRef::Text(name)));
    named.extend(paths.take(left).map(|path| (Holds::Path, without_scheme(path))));
    named.len() > before
}

/// Whether a parameter may hold a patch.
fn may_be_patch(name: &str, text: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_named = ["patch", "diff", "input"].iter().any(|part| name.contains(part));
    is_named && (text.contains("+++ ") || text.contains("*** ") || text.contains("rename to "))
}

/// The files that a patch changes.
fn of_patch(text: &str) -> Vec<TouchedFile> {
    let touched = |(effect, path): (Effect, &str)| TouchedFile {
        effect: Some(effect),
        extent: Extent::File,
        path: path.to_owned(),
        is_pattern: false,
        may_split: false,
        is_doubtful: false,
        out_of: None,
        change: Change::Content,
    };
    patch::files(text).into_iter().map(touched).collect()
}

/// A path as it is, or out of the address of a file, in which signs may be written as numbers: RFC 3986, 2.1.
fn without_scheme(text: &str) -> String {
    let Some(address) = text.strip_prefix("file://") else { return text.to_owned() };
    let mut path = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let [first, behind @ ..] = rest {
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                path.push((high * 16 + low) as u8);
                rest = behind.get(2..).unwrap_or_default();
            }
            _ => {
                path.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(path).unwrap_or_else(|_| address.to_owned())
}

/// The texts of a value: itself, or those of a list; of each what a server may make of it that takes away blanks around
/// it, or reads it up to its first NUL.
fn texts(value: ValueRef<'_>) -> Vec<String> {
    let list = match value {
        ValueRef::Text(text) => vec![text.to_owned()],
        ValueRef::Json(json) => serde_json::from_str(json).unwrap_or_default(),
    };
    let mut texts = Vec::with_capacity(list.len());
    for text in list.iter().filter(|text| !text.is_empty()) {
        let path = without_scheme(text);
        let plain = path.split('\0').next().unwrap_or(&path).trim();
        let plain = (plain != path && !plain.is_empty()).then(|| plain.to_owned());
        texts.push(path);
        texts.extend(plain);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_that_nobody_lists_are_told_by_their_names() {
        let write = ToolFiles::Known(Effect::Write);
        assert_eq!(ToolFiles::of("write_file"), write);
        assert_eq!(ToolFiles::of("create_directory"), write);
        assert_eq!(ToolFiles::of("move_file"), ToolFiles::Moves);
        assert_eq!(ToolFiles::of("delete_path"), ToolFiles::Known(Effect::Delete));
        assert_eq!(ToolFiles::of("get_file_contents"), ToolFiles::Known(Effect::Read));
        assert_eq!(ToolFiles::of("bash"), ToolFiles::None);
        assert_eq!(ToolFiles::of("process"), ToolFiles::ByShape);
    }

    #[test]
    fn what_a_file_will_hold_tells_of_writing() {
        let params = [("path", "a.txt"), ("content", "x")];
        let files = of_params(ToolFiles::ByShape, |visit| {
            params.iter().for_each(|(name, value)| visit(name, None, ValueRef::Text(value)));
        });
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].effect, Some(Effect::Write));
    }

    #[test]
    fn a_folder_may_be_told_apart_from_the_name() {
        let paths = |params: &[(&str, &str)]| {
            let found = of_params(ToolFiles::Known(Effect::Delete), |visit| {
                params.iter().for_each(|(name, value)| visit(name, None, ValueRef::Text(value)));
            });
            found.into_iter().map(|file| file.path).collect::<Vec<_>>()
        };
        assert_eq!(paths(&[("directory", "/srv/x"), ("name", "a")]), ["/srv/x/a"]);
        assert_eq!(paths(&[("filename", "a"), ("dir", "/srv/x/")]), ["/srv/x/a"]);
        assert_eq!(paths(&[("folder", "/srv"), ("path", "/etc/a")]), ["/etc/a"]);
        assert_eq!(paths(&[("parent", "/srv/x")]), ["/srv/x"]);
        assert_eq!(paths(&[("name", "a")]), [""; 0]);
        assert_eq!(paths(&[("cwd", "/srv/x"), ("path", "a")]), ["a", "/srv/x/a"]);
    }

    #[test]
    fn a_path_is_what_servers_make_of_it() {
        let paths = |name: &str, value: &str| {
            let found = of_params(ToolFiles::Known(Effect::Write), |visit| {
                visit(name, None, ValueRef::Text(value));
            });
            found.into_iter().map(|file| file.path).collect::<Vec<_>>()
        };
        assert_eq!(paths("path", "a.yaml \n"), ["a.yaml \n", "a.yaml"]);
        assert_eq!(paths("path", "a.yaml\0.txt"), ["a.yaml\0.txt", "a.yaml"]);
        assert_eq!(paths("save_as", "a.yaml"), ["a.yaml"]);
        assert_eq!(paths("url", "https://a.b/c.d"), [""; 0]);
        assert_eq!(paths("url", "file:///c.d"), ["/c.d"]);
        assert_eq!(paths("url", "file:///w/%2Eenv"), ["/w/.env"]);
        assert_eq!(paths("url", "file:///w/100%"), ["/w/100%"]);
        assert_eq!(paths("args", r#"{"path": "a.yaml"}"#), ["a.yaml"]);
        // What a file held names none.
        let old = r#"{"path": "a.yaml"}"#;
        assert_eq!(paths("old_string", old), [""; 0]);
        let edits = r#"{"edit": {"changes": {"file:///a.yaml": [{"newText": "x"}]}}}"#;
        assert_eq!(paths("params", edits), ["/a.yaml"]);
    }

    #[test]
    fn what_shows_lines_of_files_reads_those_that_it_is_told() {
        let files = |params: &[(&str, &str)]| {
            let found = of_params(ToolFiles::Known(Effect::Read), |visit| {
                params.iter().for_each(|(name, value)| visit(name, None, ValueRef::Text(value)));
            });
            found.into_iter().map(|file| file.path).collect::<Vec<_>>()
        };
        let shown = ("output_mode", "content");
        assert_eq!(files(&[("glob", "**/.env*"), shown]), ["./.env", "./.env*"]);
        assert_eq!(files(&[("include", "{a.pem,*.key}")]), ["./*.key", "./a.pem"]);
        assert_eq!(files(&[("glob", ".env*"), ("output_mode", "count")]), [""; 0]);
        assert_eq!(files(&[("glob", "!.env"), shown]), [""; 0]);
    }

    #[test]
    fn files_in_objects_are_found() {
        let files = |json: &str| {
            of_params(ToolFiles::ByShape, |visit| visit("items", None, ValueRef::Json(json)))
        };
        let found =
            files(r#"[{"path": "a.txt", "content": "x"}, {"file": {"uri": "file:///b.c"}}]"#);
        let paths: Vec<&str> = found.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["a.txt", "/b.c"]);
        assert!(found.iter().all(|file| file.effect == Some(Effect::Write)));
        assert_eq!(files(r#"{"query": {"from": "2020", "text": "path"}}"#), []);
        let deep = format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100));
        assert_eq!(files(&deep), []);
    }
}
