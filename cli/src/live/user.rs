//! Whose process this is, by the names that a command may call its user.

use std::path::Path;

/// Where the names of users stand.
const USERS: &str = "/etc/passwd";

/// Whether a name, or a number, is that of the user of this process.
#[must_use]
pub fn is_own(name: &str) -> bool {
    own_number().is_some_and(|own| match name.parse::<u32>() {
        Ok(number) => number == own,
        Err(_) => {
            let users = std::fs::read_to_string(Path::new(USERS)).unwrap_or_default();
            number_of(name, &users) == Some(own)
        }
    })
}

#[cfg(unix)]
fn own_number() -> Option<u32> {
    Some(rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn own_number() -> Option<u32> {
    None
}

/// The number of a user by name.
fn number_of(name: &str, users: &str) -> Option<u32> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(name)).then(|| fields.nth(1)?.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::number_of;

    #[test]
    fn users_are_found_by_their_names() {
        let users = "root:x:0:0:root:/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\nbad:x\n";
        assert_eq!(number_of("me", users), Some(1000));
        assert_eq!(number_of("root", users), Some(0));
        assert_eq!(number_of("bad", users), None);
        assert_eq!(number_of("nobody", users), None);
    }
}
