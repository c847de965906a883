//! Containers that a command line starts itself, with nothing in them of anybody else: what a database there is told to drop was
//! made by the line. Reads words of commands, and knows no rules.

use crate::commands::shell::Shell;

/// Programs that start containers and run commands in them.
const RUNNERS: [&str; 3] = ["docker", "podman", "nerdctl"];

/// Flags of `exec` whose value is the next word.
const WITH_VALUE: [&str; 5] = ["-u", "--user", "-w", "--workdir", "--detach-keys"];

/// Flags of `run` that bring in what others have: volumes, the network of the machine, settings that nobody sees.
const SHARING: [&str; 8] = [
    "-v",
    "--volume",
    "--mount",
    "--volumes-from",
    "--network",
    "--net",
    "--privileged",
    "--env-file",
];

/// What the settings of a database's own container begin with; others may say where a client goes.
const OWN_SETTINGS: [&str; 5] = ["POSTGRES_", "MYSQL_", "MARIADB_", "MONGO_INITDB_", "REDIS_"];

/// Programs that speak to a database.
const CLIENTS: [&str; 8] =
    ["psql", "mysql", "mariadb", "redis-cli", "valkey-cli", "mongosh", "mongo", "cqlsh"];

/// Flags of theirs whose value is a statement.
const STATEMENTS: [&str; 6] = ["-c", "--command", "-e", "--execute", "--eval", "-q"];

/// Returns whether a client speaks to a database in a container that its line itself has started, with nothing in it of
/// anybody else.
#[must_use]
pub fn is_in_own_container(shell: &Shell, command: u32) -> bool {
    const MAX: u32 = 64;
    // A shell in between could set what leads elsewhere.
    let around = shell.line().commands().get(command as usize).and_then(|it| it.parent);
    let (Some((_, own)), Some(at)) = (shell.known_words(command), around) else { return false };
    let Some((_, words)) = shell.known_words(at) else { return false };
    let Some(name) = entered(&plain(&words)) else { return false };
    let starts = |other: u32| {
        shell.known_words(other).is_some_and(|(_, words)| starts_alone(&plain(&words), name))
    };
    stays_inside(&plain(&own))
        && (0..at.min(MAX)).any(|other| shell.runs_after(at, other) && starts(other))
}

fn plain(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// The name of the container in which a command runs another one as it is set up there: `docker exec -i NAME …`. `words`
/// are its words, its program first, all known.
fn entered<'w>(words: &[&'w str]) -> Option<&'w str> {
    let mut rest = behind(words, "exec")?.iter();
    while let Some(word) = rest.next() {
        if word.starts_with("-e") || word.starts_with("--env") {
            return None;
        }
        if WITH_VALUE.contains(word) {
            rest.next();
        } else if !word.starts_with('-') {
            return Some(word);
        }
    }
    None
}

/// Whether a command starts a container of that name which sees nothing that others have.
fn starts_alone(words: &[&str], name: &str) -> bool {
    let Some(rest) = behind(words, "run") else { return false };
    let next = |at: usize| rest.get(at + 1).copied().unwrap_or_default();
    let is_own = |setting: &str| OWN_SETTINGS.iter().any(|begin| setting.starts_with(begin));
    let mut is_called = false;
    for (at, word) in rest.iter().enumerate() {
        let (flag, value) = word.split_once('=').unwrap_or((word, ""));
        is_called |= *word == "--name" && next(at) == name || flag == "--name" && value == name;
        let shares = match flag {
            "-e" | "--env" if value.is_empty() => !is_own(next(at)),
            "--env" => !is_own(value),
            // `-ePGHOST=x`, `-v/data:/data`
            flag if flag.starts_with("-e") => !is_own(flag.trim_start_matches("-e")),
            flag => SHARING.contains(&flag) || flag.starts_with("-v"),
        };
        if shares {
            return false;
        }
    }
    is_called
}

/// Whether a command is a client that speaks to the database beside it alone, and to no other machine.
fn stays_inside(words: &[&str]) -> bool {
    let [program, rest @ ..] = words else { return false };
    let is_here = |host: &str| matches!(host, "localhost" | "127.0.0.1");
    let before =
        |at: usize| at.checked_sub(1).and_then(|at| rest.get(at)).copied().unwrap_or_default();
    let leads_elsewhere = |(at, word): (usize, &&str)| {
        const SIGNS: [&str; 6] = ["://", "host=", "\\c", "dblink", "onnect(", "Mongo("];
        let is_statement = STATEMENTS.contains(&before(at));
        let names_host =
            word.starts_with("-h") && *word != "-h" || matches!(*word, "-H" | "--host");
        let is_of_host = before(at) == "-h" && !is_here(word);
        let may_be_host =
            !is_statement && before(at) != "-h" && word.contains(['.', '/', ':', '@']);
        SIGNS.iter().any(|sign| word.contains(sign)) || names_host || is_of_host || may_be_host
    };
    CLIENTS.contains(program) && !rest.iter().enumerate().any(leads_elsewhere)
}

/// The words behind a subcommand of a program that runs containers.
fn behind<'p, 'w>(words: &'p [&'w str], subcommand: &str) -> Option<&'p [&'w str]> {
    let [program, rest @ ..] = words else { return None };
    let rest = rest.strip_prefix(&["container"]).unwrap_or(rest);
    let (first, rest) = rest.split_first()?;
    (*first == subcommand && RUNNERS.contains(program)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{entered, starts_alone, stays_inside};

    fn words(line: &str) -> Vec<&str> {
        line.split(' ').collect()
    }

    #[test]
    fn a_container_of_the_line_is_told_by_its_name() {
        assert_eq!(entered(&words("docker exec -i -u root pg psql -U postgres")), Some("pg"));
        assert_eq!(entered(&words("podman container exec pg sh")), Some("pg"));
        assert_eq!(entered(&words("docker exec -e PGHOST=x pg psql")), None);
        assert_eq!(entered(&words("docker compose exec db psql")), None);
        assert_eq!(entered(&words("docker run pg")), None);
        for line in [
            "docker run -d --rm --name pg -e POSTGRES_PASSWORD=x -p 5:5 postgres:16",
            "docker run --name=pg --env=POSTGRES_DB=x postgres",
        ] {
            assert!(starts_alone(&words(line), "pg"), "{line}");
        }
        for line in [
            "docker run -d --name other postgres",
            "docker run -v data:/var/lib/postgresql --name pg postgres",
            "docker run -vdata:/d --name pg postgres",
            "docker run --mount type=volume,src=x,dst=/d --name pg postgres",
            "docker run --net=host --name pg postgres",
            "docker run -e PGHOST=db.example.com --name pg postgres",
            "docker run -ePGHOST=db.example.com --name pg postgres",
            "docker run --env-file x --name pg postgres",
            "docker start pg",
        ] {
            assert!(!starts_alone(&words(line), "pg"), "{line}");
        }
    }

    #[test]
    fn who_names_another_host_leaves_the_container() {
        for line in [
            "psql -U postgres -c x",
            "redis-cli flushall",
            "psql -h localhost -c x",
            "psql -c public.t",
            "mysql -uroot -psecret -e x",
        ] {
            assert!(stays_inside(&words(line)), "{line}");
        }
        for line in [
            "psql -h db.example.com",
            "psql --host=db",
            "psql --host db",
            "psql postgres://u@db/x",
            "psql postgres://u@localhost.example.com/x",
            "psql host=db",
            "mysql -hdb",
            "mongosh db.example.com/app",
            "git push --force origin x",
        ] {
            assert!(!stays_inside(&words(line)), "{line}");
        }
    }
}
