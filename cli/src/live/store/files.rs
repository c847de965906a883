//! How files are opened that nobody else may read or have written.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// The flags with which files are opened that a stranger may have put there: a link is not followed, and a pipe
/// is not waited for.
#[cfg(unix)]
pub const WITHOUT_SURPRISES: i32 =
    rustix::fs::OFlags::NOFOLLOW.union(rustix::fs::OFlags::NONBLOCK).bits().cast_signed();

/// The flags with which files are opened that may be pipes, which are not waited for.
#[cfg(unix)]
pub const WITHOUT_WAITING: i32 = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();

/// Opens files that nobody but the user can read: not through a link, and without waiting for who reads or
/// writes the other end of a pipe.
#[must_use]
pub fn private() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "there are no modes here"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600).custom_flags(WITHOUT_SURPRISES);
    }
    options
}

/// Returns a file that was opened if it is a regular one that nobody else can have written.
///
/// # Errors
/// When it is something else, such as a pipe, or belongs to somebody else.
pub fn regular(file: File) -> io::Result<File> {
    let metadata = file.metadata()?;
    let problem = match metadata.is_file() {
        true if is_safe(&metadata) => return Ok(file),
        true => NOT_OURS,
        false => "it is no regular file",
    };
    Err(io::Error::new(io::ErrorKind::InvalidData, problem))
}

/// What is wrong with a file or a folder that others may write.
pub(super) const NOT_OURS: &str =
    "it belongs to another user, or others may write it: remove it, or `chown` and `chmod go-w` it";

/// Returns whether only this user or the system's owner can have written a file, or put files into a folder.
#[cfg(unix)]
#[must_use]
pub fn is_safe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    let user = rustix::process::geteuid().as_raw();
    (metadata.uid() == user || metadata.uid() == 0) && metadata.mode() & WRITABLE_BY_OTHERS == 0
}

/// Files have no owners here that programs could compare.
#[cfg(not(unix))]
#[must_use]
pub fn is_safe(_: &Metadata) -> bool {
    true
}

/// Creates a directory, and those above it, that nobody but the user can look into.
/// # Errors
/// When the system refuses.
pub fn create_private(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Writes bytes at a place of a file.
///
/// # Errors
/// When the system refuses.
pub(super) fn write_at(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}
