//! The project on disk: the compiler's files come from here, and discovery looks here.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use behavior_compiler::project::{CONFIG, FOLDER, POLICY};
use behavior_compiler::provider::WithLibrary;
use behavior_compiler::{ReadError, SourceProvider};
use behavior_runtime::Layer;

/// Rule files larger than this are not read into memory; the compiler refuses them anyway.
pub const LARGEST_FILE: u64 = 64 << 20;

/// Reads files as they are on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl SourceProvider for Disk {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => ReadError::NotFound,
            _ => ReadError::Failed(describe(&error)),
        };
        let metadata = std::fs::metadata(name).map_err(failed)?;
        if metadata.is_dir() {
            return Err(ReadError::Failed("it is a directory".to_owned()));
        }
        if metadata.len() > LARGEST_FILE {
            return Err(ReadError::Failed("it is too large for a rule file".to_owned()));
        }
        read_once(name).map_err(failed)
    }

    fn list(&self, directory: &str) -> Vec<String> {
        let directory = if directory.is_empty() { "." } else { directory };
        let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
        // A pipe that nobody writes to would be waited for.
        let entries = entries.filter_map(Result::ok).filter(is_file_or_folder);
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn has_secret(&self, name: &str) -> bool {
        std::env::var_os(name).is_some()
    }
}

/// Whether an entry of a folder is a file or a folder, or leads to one.
fn is_file_or_folder(entry: &std::fs::DirEntry) -> bool {
    let is_one = |kind: std::fs::FileType| kind.is_file() || kind.is_dir();
    match entry.file_type() {
        Ok(kind) if kind.is_symlink() => {
            // Where it leads to nothing, reading it says so.
            std::fs::metadata(entry.path()).map_or(true, |metadata| is_one(metadata.file_type()))
        }
        Ok(kind) => is_one(kind),
        Err(_) => false,
    }
}

/// The bytes of a file. A pipe that somebody names, such as `/dev/stdin`, gives its bytes only once, and some files are looked
/// at again, so what came out of one is kept. What stands in the place of a file in some folder is not waited for.
///
/// # Errors
/// When it cannot be read.
pub fn read_once(name: &str) -> std::io::Result<Vec<u8>> {
    static PIPES: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let is_stream = ["/dev/", "/proc/"].iter().any(|streams| name.starts_with(streams));
    if !is_stream || std::fs::metadata(name)?.is_file() {
        let mut bytes = Vec::new();
        open_regular(Path::new(name))?.take(LARGEST_FILE).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let Ok(mut pipes) = PIPES.lock() else { return std::fs::read(name) };
    if let Some(bytes) = pipes.get(name) {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(name)?.take(LARGEST_FILE).read_to_end(&mut bytes)?;
    pipes.insert(name.to_owned(), bytes.clone());
    Ok(bytes)
}

/// The files on disk, with the standard library.
#[must_use]
pub fn provider() -> WithLibrary<Disk> {
    WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: Disk,
    }
}

/// The rule files of one layer, which are compiled together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerFiles {
    /// Whose they are.
    pub layer: Layer,
    /// The folder that they stand in, as a short path; what they name stays inside.
    pub folder: String,
    /// Configs, profiles, policies or an image.
    pub entries: Vec<String>,
    /// Policies that come before those among the entries.
    pub policies: Vec<String>,
    /// Trace policies that come before those among the entries.
    pub trace_policies: Vec<String>,
    /// A preset or profile in place of the config's own.
    pub profile: Option<String>,
    /// Whether somebody named them on the command line.
    pub is_named: bool,
    /// Whether it is a profile that holds on top of all others, and can only make decisions stricter.
    pub is_added: bool,
}

impl LayerFiles {
    /// Makes a layer without any files.
    #[must_use]
    pub fn new(layer: Layer, folder: String) -> Self {
        let (entries, policies, trace_policies) = (Vec::new(), Vec::new(), Vec::new());
        let (profile, is_named, is_added) = (None, false, false);
        Self { layer, folder, entries, policies, trace_policies, profile, is_named, is_added }
    }

    /// Makes the layer of a profile that the user chose, without any files.
    #[must_use]
    pub fn of_users_profile(profile: String) -> Self {
        let folder = users_directory().map(|folder| display(&folder)).unwrap_or_default();
        Self { profile: Some(profile), ..Self::new(Layer::User, folder) }
    }

    /// Looks for the files of a layer; `None` where there are none.
    fn of(layer: Layer, folder: &Path, policy: &str) -> Option<Self> {
        let entries: Vec<String> = existing(folder.join(CONFIG)).into_iter().collect();
        let policies: Vec<String> = existing(folder.join(policy)).into_iter().collect();
        let trace_policies = trace_policies(folder, layer);
        let is_any = !entries.is_empty() || !policies.is_empty() || !trace_policies.is_empty();
        let empty = Self::new(layer, display(folder));
        is_any.then_some(Self { entries, policies, trace_policies, ..empty })
    }

    /// Returns whether what they may say needs nobody's trust: a project's does, unless the user named them.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.layer != Layer::Project || self.is_named || self.files().next().is_none()
    }

    /// Returns the files by which the layer was found.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        self.entries.iter().chain(&self.policies).chain(&self.trace_policies)
    }
}

/// Where the administrator's rules are.
pub const ADMINISTRATORS: &str = "/etc/behavior";

/// Returns where the administrator's files are.
#[must_use]
pub fn administrators_directory() -> &'static Path {
    Path::new(ADMINISTRATORS)
}

/// Finds the administrator's rules. They always hold.
#[must_use]
pub fn administrators() -> Option<LayerFiles> {
    LayerFiles::of(Layer::Administrator, administrators_directory(), "policy.toml")
}

/// Returns where the user's own files are.
#[must_use]
pub fn users_directory() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name).map(PathBuf::from).filter(|directory| directory.is_absolute())
    };
    let home = || absolute("HOME").map(|home| home.join(".config"));
    Some(absolute("XDG_CONFIG_HOME").or_else(home)?.join("behavior"))
}

/// Finds the user's own rules.
#[must_use]
pub fn users() -> Option<LayerFiles> {
    LayerFiles::of(Layer::User, &users_directory()?, "policy.toml")
}

/// Finds the rules of the project, the outermost first: each folder that has some, from the working
/// directory up to the root of its repository; outside of one, the nearest alone. Files that are there and
/// cannot be read are found too: rules that somebody wrote are not passed over.
#[must_use]
pub fn projects() -> Vec<LayerFiles> {
    projects_up_to(None)
}

/// Finds the rules of the project as [`projects`] does, from the working directory up to `top`, if that is above: a
/// repository that was made in between does not end the search, and one that is gone does not either.
#[must_use]
pub fn projects_up_to(top: Option<&Path>) -> Vec<LayerFiles> {
    let Ok(start) = std::env::current_dir() else { return Vec::new() };
    let top = top.filter(|top| start.starts_with(top));
    let mut found = Vec::new();
    let mut up = PathBuf::new();
    for directory in start.ancestors() {
        found.extend(LayerFiles::of(Layer::Project, &up, POLICY));
        if top.map_or_else(|| is_repository(directory), |top| top == directory) {
            found.reverse();
            return found;
        }
        up.push("..");
    }
    found.truncate(1);
    found
}

/// Returns the folder up to which [`projects`] looks for rules, or in which it finds the only ones; `None` where there
/// are none.
#[must_use]
pub fn top() -> Option<PathBuf> {
    let start = std::env::current_dir().ok()?;
    let is_top = |directory: &&Path| is_repository(directory);
    let has_rules = |directory: &&Path| LayerFiles::of(Layer::Project, directory, POLICY).is_some();
    let top = start.ancestors().find(is_top).or_else(|| start.ancestors().find(has_rules));
    top.map(Path::to_owned)
}

/// Returns the root of the repository that the working directory lies in; outside of one, the working
/// directory.
#[must_use]
pub fn current_repository() -> Option<PathBuf> {
    let start = std::env::current_dir().ok()?;
    let root = start.ancestors().find(|directory| is_repository(directory)).map(Path::to_owned);
    Some(root.unwrap_or(start))
}

/// Finds the rules of another folder, as [`projects`] does, but for those that hold in the working directory anyway.
#[must_use]
pub fn also(start: &Path) -> Vec<LayerFiles> {
    let here = std::env::current_dir().unwrap_or_default();
    let mut found = Vec::new();
    let mut is_bounded = false;
    for directory in start.ancestors() {
        is_bounded = is_bounded || here.starts_with(directory);
        if is_bounded {
            break;
        }
        found.extend(LayerFiles::of(Layer::Project, directory, POLICY));
        is_bounded = is_repository(directory);
    }
    if !is_bounded {
        found.truncate(1);
    }
    found.reverse();
    found
}

/// Returns the root that a folder is in: the nearest one above that is a repository's or has a config.
#[must_use]
pub fn root_of(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|above| is_repository(above) || has_config(above))
}

/// Returns whether a folder is the root of a repository, as git sees it: what is only called `.git` makes none, and git looks
/// further up.
#[must_use]
pub fn is_repository(directory: &Path) -> bool {
    const MAX_LINK: u64 = 4_096;
    let git = directory.join(".git");
    let Ok(metadata) = git.metadata() else { return false };
    if metadata.is_file() {
        // A worktree, or a submodule.
        let says_where = |text: &Vec<u8>| text.starts_with(b"gitdir: ");
        return bounded(&git, MAX_LINK).as_ref().is_some_and(says_where);
    }
    let has_objects =
        || ["objects", "commondir"].iter().any(|part| git.join(part).symlink_metadata().is_ok());
    git.join("HEAD").metadata().is_ok_and(|head| head.is_file()) && has_objects()
}

/// Reads a file of at most so many bytes; `None` where it is longer, no regular file, or cannot be read. A pipe in its place
/// is not waited for.
#[must_use]
pub fn bounded(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path).ok()?.take(limit + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= limit).then_some(bytes)
}

/// Finds the nearest `behavior.yaml`.
#[must_use]
pub fn discover() -> Option<String> {
    projects().pop()?.entries.pop()
}

/// Returns whether a directory has a `behavior.yaml`, be it one that cannot be read.
#[must_use]
pub fn has_config(directory: &Path) -> bool {
    directory.join(CONFIG).symlink_metadata().is_ok()
}

/// Finds the policy beside a `behavior.yaml`.
#[must_use]
pub fn policy_beside(config: &str) -> Option<String> {
    existing(Path::new(config).parent().unwrap_or(Path::new("")).join(POLICY))
}

/// Finds the trace policies of a folder, `behavior/*.policy.yaml` in a project, in the order of their names.
fn trace_policies(folder: &Path, layer: Layer) -> Vec<String> {
    const ENDINGS: [&str; 3] = [".policy.yaml", ".policy.yml", ".policy.json"];
    let directory = match layer {
        Layer::Project => folder.join(FOLDER),
        // A session has no files.
        Layer::Administrator | Layer::User | Layer::Session => folder.to_owned(),
    };
    let is_one = |name: &String| ENDINGS.iter().any(|ending| name.ends_with(ending));
    let names = Disk.list(&display(&directory));
    names.iter().filter(|name| is_one(name)).map(|name| display(&directory.join(name))).collect()
}

/// The files of a layer. What a project's rules name stays inside the project, wherever links lead.
#[must_use]
pub fn of_layer(files: &LayerFiles) -> WithLibrary<Confined> {
    let is_found = files.layer == Layer::Project && !files.is_named;
    let inside =
        is_found.then(|| repository(&files.folder)).and_then(|root| root.canonicalize().ok());
    WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: Confined { inside },
    }
}

/// The root of the repository that a folder is in; the folder itself outside of one.
fn repository(folder: &str) -> PathBuf {
    let folder = Path::new(if folder.is_empty() { "." } else { folder });
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let root = whole.ancestors().find(|above| is_repository(above));
    root.unwrap_or(&whole).to_owned()
}

/// Reads files as they are on disk, of one folder only.
#[derive(Clone, Debug, Default)]
pub struct Confined {
    /// The folder with its links resolved; nothing bounds what may be read without one.
    inside: Option<PathBuf>,
}

impl SourceProvider for Confined {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        let Some(inside) = &self.inside else { return Disk.read(name) };
        let Ok(path) = Path::new(name).canonicalize() else { return Disk.read(name) };
        if !path.starts_with(inside) {
            return Err(ReadError::Failed("it is outside of the project".to_owned()));
        }
        if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(ReadError::Failed("it is no regular file".to_owned()));
        }
        Disk.read(name)
    }

    fn list(&self, directory: &str) -> Vec<String> {
        Disk.list(directory)
    }

    fn has_secret(&self, name: &str) -> bool {
        Disk.has_secret(name)
    }
}

/// Refuses rules that were found and that neither the user nor the system's owner owns: somebody else could
/// have put them where an agent works.
///
/// # Errors
/// Says which file is whose, and what to do.
pub fn refuse_foreign(files: &LayerFiles) -> Result<(), String> {
    if files.layer != Layer::Project || files.is_named {
        return Ok(());
    }
    match files.files().find(|file| is_foreign(Path::new(file.as_str()))) {
        None => Ok(()),
        Some(file) => Err(format!(
            "`{file}` belongs to another user: read it, and make it yours with `chown` if you want its rules"
        )),
    }
}

#[cfg(unix)]
fn is_foreign(path: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    owner(path).is_some_and(|owner| owner != user && owner != 0)
}

#[cfg(not(unix))]
fn is_foreign(_: &Path) -> bool {
    false
}

/// Returns the number of the user who owns a file; `None` where it is not there.
#[cfg(unix)]
#[must_use]
pub fn owner(path: &Path) -> Option<u32> {
    Some(std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(path).ok()?))
}

/// Files have no owners here that programs could compare.
#[cfg(not(unix))]
#[must_use]
pub fn owner(path: &Path) -> Option<u32> {
    path.exists().then_some(0)
}

/// Reads a file that this program wrote.
///
/// # Errors
/// When it cannot be read, is no regular file, is too long, or belongs to somebody else.
pub fn read_own(path: &Path, max_length: u64) -> std::io::Result<Vec<u8>> {
    let mut file = open_own(path)?;
    if file.metadata()?.len() > max_length {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file that somebody names, without waiting for who writes to a pipe.
///
/// # Errors
/// When it cannot be opened, or is no regular file.
pub fn open_regular(path: &Path) -> std::io::Result<std::fs::File> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "there are no flags here"))]
    let mut options = std::fs::OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(crate::live::store::files::WITHOUT_WAITING);
    }
    let file = options.read(true).open(path)?;
    let is_regular = file.metadata()?.is_file();
    let refused = || std::io::Error::new(std::io::ErrorKind::InvalidData, "it is no regular file");
    is_regular.then_some(file).ok_or_else(refused)
}

/// Opens a file that this program wrote: not through a link, without waiting for a pipe, and only if it belongs
/// to this user or the system's owner and nobody else may write it.
///
/// # Errors
/// When it cannot be opened, or is another kind of file, or somebody else's.
pub fn open_own(path: &Path) -> std::io::Result<std::fs::File> {
    use crate::live::store::{private, regular};
    private().read(true).open(path).and_then(regular)
}

/// Returns whether a folder is this user's or the system's owner's, and nobody else may put files into it.
#[must_use]
pub fn is_own_folder(path: &Path) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_dir() && crate::live::store::is_safe(&metadata))
}

/// Returns whether nobody but its owner can read a file.
#[cfg(unix)]
#[must_use]
pub fn is_secret(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    const READABLE_BY_OTHERS: u32 = 0o077;
    std::fs::symlink_metadata(path).is_ok_and(|file| file.mode() & READABLE_BY_OTHERS == 0)
}

/// Files have no modes here that programs could compare.
#[cfg(not(unix))]
#[must_use]
pub fn is_secret(_: &Path) -> bool {
    true
}

/// The path of a file that is there. One that cannot be read is there too, and is not passed over.
fn existing(path: PathBuf) -> Option<String> {
    match std::fs::symlink_metadata(&path) {
        Ok(_) => Some(display(&path)),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Some(display(&path)),
        Err(_) => None,
    }
}

/// A path as users write it.
#[must_use]
pub fn display(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The names in a folder, sorted; none where there is no folder.
#[must_use]
pub fn names_in(folder: &Path) -> Vec<String> {
    Disk.list(&display(folder))
}

/// What went wrong with a file, in lower case and without the system's error number.
#[must_use]
pub fn describe(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "reading it is not permitted".to_owned(),
        ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text);
            text.to_lowercase()
        }
    }
}
