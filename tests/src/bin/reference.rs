//! Writes the generated reference page and schemas into `docs/`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, text) in behavior_tests::reference::files() {
        let path = root.join(&name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)?;
        println!("{name}");
    }
    Ok(())
}
