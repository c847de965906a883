use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::*;

/// A workspace, and a directory beside it that must stay as it is.
struct Case {
    folder: PathBuf,
}

impl Case {
    fn new(name: &str) -> (Self, Workspace) {
        let folder =
            std::env::temp_dir().join(format!("behavior-ws-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        for part in ["in/a/b", "out"] {
            std::fs::create_dir_all(folder.join(part)).unwrap();
        }
        std::fs::write(folder.join("out/secret"), "canary").unwrap();
        std::fs::write(folder.join("in/a/file"), "inside").unwrap();
        let workspace = Workspace::open(&folder.join("in")).unwrap();
        (Self { folder }, workspace)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    #[track_caller]
    fn is_untouched(&self) {
        let names: Vec<_> = std::fs::read_dir(self.path("out")).unwrap().collect();
        assert_eq!(names.len(), 1);
        assert_eq!(std::fs::read_to_string(self.path("out/secret")).unwrap(), "canary");
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn no_path_leads_out() {
    let (case, workspace) = Case::new("paths");
    symlink(case.path("out"), case.path("in/absolute")).unwrap();
    symlink("../out", case.path("in/relative")).unwrap();
    symlink("../../../out/secret", case.path("in/a/b/deep")).unwrap();
    symlink("/etc/passwd", case.path("in/passwd")).unwrap();
    symlink("relative/..", case.path("in/twice")).unwrap();
    let outside = case.path("out/secret");
    let outside = outside.to_str().unwrap();
    for path in [
        "../out/secret",
        "a/../../out/secret",
        "a/b/../../../out/secret",
        "absolute/secret",
        "relative/secret",
        "a/b/deep",
        "passwd",
        "twice/secret",
        "/etc/passwd",
        "..",
        "/",
        outside,
        "//etc/passwd",
        "./a/./b/../../../out/new",
        "absolute/new",
        "relative/sub/new",
    ] {
        let is_outside = |trouble: &Trouble| matches!(trouble, Trouble::Outside(_));
        let troubles = [
            workspace.read(path).unwrap_err(),
            workspace.create(path, b"x").unwrap_err(),
            workspace.replace(path, b"x", None).unwrap_err(),
            workspace.append(path, b"x").unwrap_err(),
            workspace.list(path).unwrap_err(),
            workspace.kind(path).unwrap_err(),
            workspace.walk(path, &|_| false, &mut |_| true).unwrap_err(),
        ];
        assert!(troubles.iter().all(is_outside), "{path}: {troubles:?}");
    }
    case.is_untouched();
}

#[test]
fn links_that_stay_inside_work() {
    let (case, workspace) = Case::new("links");
    symlink("a/file", case.path("in/file")).unwrap();
    symlink(case.path("in/a"), case.path("in/other")).unwrap();
    symlink("../file", case.path("in/a/b/up")).unwrap();
    symlink("missing", case.path("in/dangling")).unwrap();
    symlink("circle", case.path("in/circle")).unwrap();
    for path in ["file", "other/file", "a/b/up", "a/b/../file", "./a//file"] {
        let content = workspace.read(path).unwrap();
        assert_eq!((&*content.path, &*content.bytes), ("a/file", &b"inside"[..]), "{path}");
    }
    let whole = case.path("in/a/file");
    assert_eq!(workspace.read(whole.to_str().unwrap()).unwrap().bytes, b"inside");
    workspace.create("dangling", b"x").unwrap();
    assert_eq!(std::fs::read_to_string(case.path("in/missing")).unwrap(), "x");
    assert!(matches!(workspace.read("circle"), Err(Trouble::Wrong { .. })));
    // A link that stays is no reason to write a file in its place.
    workspace.replace("file", b"new", None).unwrap();
    assert!(case.path("in/file").is_symlink());
    assert_eq!(workspace.read("a/file").unwrap().bytes, b"new");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let (case, workspace) = Case::new("pipes");
    let made = std::process::Command::new("mkfifo").arg(case.path("in/pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("pipes are not tried: there is no `mkfifo`");
        return;
    }
    assert!(matches!(workspace.read("pipe"), Err(Trouble::Wrong { .. })));
    assert!(matches!(workspace.replace("pipe", b"x", None), Err(Trouble::Wrong { .. })));
    assert!(workspace.append("pipe", b"x").is_err());
    assert!(matches!(workspace.read("a"), Err(Trouble::Wrong { .. })));
    assert!(matches!(workspace.create("a", b"x"), Err(Trouble::Exists(_))));
    assert!(matches!(workspace.read("a/file/x"), Err(Trouble::Wrong { .. })));
    let names = workspace.list("").unwrap();
    assert!(names.iter().all(|entry| !entry.name.to_string_lossy().ends_with(".tmp")));
}

#[test]
fn a_second_name_of_a_file_outside_does_not_lead_there() {
    let (case, workspace) = Case::new("hard");
    std::fs::hard_link(case.path("out/secret"), case.path("in/name")).unwrap();
    workspace.replace("name", b"changed", None).unwrap();
    assert_eq!(workspace.read("name").unwrap().bytes, b"changed");
    case.is_untouched();
}

#[test]
fn a_file_that_changed_meanwhile_is_not_overwritten() {
    let (case, workspace) = Case::new("changed");
    let content = workspace.read("a/file").unwrap();
    std::fs::write(case.path("in/a/file"), "somebody else was here").unwrap();
    let replaced = workspace.replace("a/file", b"mine", Some(content.version));
    assert!(matches!(replaced, Err(Trouble::Changed(_))));
    assert_eq!(workspace.read("a/file").unwrap().bytes, b"somebody else was here");
    assert_eq!(workspace.list("a").unwrap().len(), 2);
}

#[test]
fn who_swaps_directories_for_links_wins_nothing() {
    let (case, workspace) = Case::new("race");
    std::fs::create_dir_all(case.path("in/swap/deep")).unwrap();
    std::fs::write(case.path("in/swap/deep/secret"), "mine").unwrap();
    std::fs::create_dir_all(case.path("out/deep")).unwrap();
    std::fs::write(case.path("out/deep/secret"), "canary").unwrap();
    let (from, aside, out) = (case.path("in/swap"), case.path("in/aside"), case.path("out"));
    let is_over = Arc::new(AtomicBool::new(false));
    let swapper = std::thread::spawn({
        let is_over = Arc::clone(&is_over);
        move || {
            while !is_over.load(Ordering::Relaxed) {
                let _ = std::fs::rename(&from, &aside);
                let _ = symlink(&out, &from);
                let _ = std::fs::remove_file(&from);
                let _ = std::fs::rename(&aside, &from);
            }
        }
    });
    let start = std::time::Instant::now();
    for round in 0..1_000 {
        if start.elapsed() > std::time::Duration::from_secs(5) {
            break;
        }
        if let Ok(content) = workspace.read("swap/deep/secret") {
            assert_ne!(content.bytes, b"canary");
        }
        let _ = workspace.replace("swap/deep/secret", b"mine", None);
        let _ = workspace.create(&format!("swap/deep/new{round}"), b"x");
        let _ = workspace.create("swap/made/new", b"x");
        let _ = workspace.append("swap/log", b"x");
        let mut visit = |path: &str| {
            assert!(!path.is_empty());
            true
        };
        let _ = workspace.walk("swap", &|_| false, &mut visit);
    }
    is_over.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    assert_eq!(std::fs::read_to_string(case.path("out/deep/secret")).unwrap(), "canary");
    let outside = std::fs::read_dir(case.path("out")).unwrap().count();
    assert_eq!((outside, std::fs::read_dir(case.path("out/deep")).unwrap().count()), (2, 1));
}
