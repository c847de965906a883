//! The files that the compiler sees: open documents first, then those of the project.
//!
//! Names are paths relative to the workspace's root, with slashes; outside of it they are absolute.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use behavior_compiler::provider::LIBRARY_PREFIX;
use behavior_compiler::{ReadError, SourceProvider};
use tower_lsp::ls_types::Uri;

use crate::text::Text;

/// Where the names of files start from.
#[derive(Clone, Debug, Default)]
pub struct Root {
    folder: Option<Arc<str>>,
    /// Where copies of the standard library's files are, for people to read.
    library: Option<Arc<str>>,
}

impl Root {
    /// The root of a workspace, if its files have paths, and the folder that shows the standard library.
    pub fn new(folder: Option<&Uri>, library: Option<&str>) -> Self {
        let path = folder.and_then(path_of).map(|path| path.trim_end_matches('/').into());
        Self { folder: path, library: library.map(|path| path.trim_end_matches('/').into()) }
    }

    /// The name of a document. One without a path is called by its address.
    pub fn name(&self, uri: &Uri) -> String {
        let Some(path) = path_of(uri) else { return uri.as_str().to_owned() };
        let below = |root: Option<&str>| path.strip_prefix(root?)?.strip_prefix('/');
        if let Some(name) = below(self.library.as_deref()) {
            return format!("{LIBRARY_PREFIX}{name}");
        }
        let inside = below(self.folder.as_deref());
        inside.map(str::to_owned).unwrap_or(path)
    }

    /// The name of a folder: empty for the root, else with a slash at its end.
    pub fn folder(&self, uri: &Uri) -> String {
        let path = path_of(uri).map(|path| path.trim_end_matches('/').to_owned());
        match path {
            Some(path) if self.folder.as_deref() == Some(&*path) => String::new(),
            Some(_) => format!("{}/", self.name(uri).trim_end_matches('/')),
            None => String::new(),
        }
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> String {
        match &self.folder {
            Some(root) if name.is_empty() => root.to_string(),
            Some(root) if !Path::new(name).is_absolute() => format!("{root}/{name}"),
            _ => name.to_owned(),
        }
    }

    /// The address of a file that is not open.
    pub fn uri(&self, name: &str) -> Option<Uri> {
        if let Some(name) = name.strip_prefix(LIBRARY_PREFIX) {
            return Uri::from_file_path(format!("{}/{name}", self.library.as_deref()?));
        }
        let path = self.path(name);
        if Path::new(&path).is_absolute() {
            Uri::from_file_path(path)
        } else {
            Uri::from_str(name).ok()
        }
    }
}

fn path_of(uri: &Uri) -> Option<String> {
    if uri.scheme().as_str() != "file" {
        return None;
    }
    let path = uri.to_file_path()?;
    let path = path.to_str()?;
    Some(if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() })
}

/// The project's files with the open documents before them.
#[derive(Clone, Debug)]
pub struct Overlay<P> {
    /// The project's files, by path.
    pub base: P,
    /// Where names start from.
    pub root: Root,
    /// The open documents, by name.
    pub open: BTreeMap<String, Arc<Text>>,
}

impl<P: SourceProvider> SourceProvider for Overlay<P> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        // A copy of the standard library that somebody changes is none of it.
        if name.starts_with(LIBRARY_PREFIX) {
            return self.base.read(name);
        }
        if let Some(text) = self.open.get(name) {
            return Ok(text.whole().as_bytes().to_vec());
        }
        self.base.read(&self.root.path(name))
    }

    fn list(&self, directory: &str) -> Vec<String> {
        if directory == LIBRARY_PREFIX {
            return self.base.list(directory);
        }
        let mut names = self.base.list(&self.root.path(directory));
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let open = self.open.keys().filter_map(|name| name.strip_prefix(&prefix));
        names.extend(open.filter(|name| !name.contains('/')).map(str::to_owned));
        names.sort();
        names.dedup();
        names
    }

    fn has_secret(&self, name: &str) -> bool {
        self.base.has_secret(name)
    }

    fn has_default_brain(&self) -> Option<bool> {
        self.base.has_default_brain()
    }
}

#[cfg(test)]
mod tests {
    use behavior_compiler::provider::MemoryFiles;

    use super::*;

    fn uri(text: &str) -> Uri {
        Uri::from_str(text).expect("an address")
    }

    #[test]
    fn names_are_relative_inside_the_root() {
        let root = Root::new(Some(&uri("file:///project/")), Some("/share/library"));
        let name = |address: &str| root.name(&uri(address));
        assert_eq!(name("file:///project/behavior/a%20b.yaml"), "behavior/a b.yaml");
        assert_eq!(name("file:///projects/behavior.yaml"), "/projects/behavior.yaml");
        assert_eq!(name("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(root.path("behavior/a b.yaml"), "/project/behavior/a b.yaml");
        assert_eq!(root.path("/projects/behavior.yaml"), "/projects/behavior.yaml");
        assert_eq!(root.folder(&uri("file:///project")), "");
        assert_eq!(root.folder(&uri("file:///project/inner")), "inner/");
        assert_eq!(root.folder(&uri("file:///other/")), "/other/");
        let back = root.uri("behavior/a b.yaml").expect("an address");
        assert_eq!(back.as_str(), "file:///project/behavior/a%20b.yaml");
        let library = root.uri("builtin:rules.yaml").expect("an address");
        assert_eq!(library.as_str(), "file:///share/library/rules.yaml");
        assert_eq!(name(library.as_str()), "builtin:rules.yaml");
        assert_eq!(Root::new(None, None).uri("builtin:rules.yaml"), None);
    }

    #[test]
    fn open_documents_win_over_files() {
        let base =
            MemoryFiles::new([("/p/behavior/a.yaml", "disk"), ("/p/behavior/b.yaml", "disk")]);
        let text = |text: &str| Arc::new(Text::new(text.to_owned()));
        let open = BTreeMap::from([
            ("behavior/a.yaml".to_owned(), text("open")),
            ("behavior/c.yaml".to_owned(), text("new")),
        ]);
        let overlay = Overlay { base, root: Root::new(Some(&uri("file:///p")), None), open };
        let read =
            |name: &str| overlay.read(name).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        assert_eq!(read("behavior/a.yaml").as_deref(), Some("open"));
        assert_eq!(read("behavior/b.yaml").as_deref(), Some("disk"));
        assert_eq!(read("behavior/c.yaml").as_deref(), Some("new"));
        assert_eq!(read("behavior/d.yaml"), None);
        assert_eq!(overlay.list("behavior"), ["a.yaml", "b.yaml", "c.yaml"]);
    }
}
