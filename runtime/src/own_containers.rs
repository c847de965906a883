//! Containers that a command line starts itself, with nothing in them of anybody else: what is destroyed in one was made by the
//! line. Reads words of commands, and knows no rules.

/// Programs that start containers and run commands in them.
const RUNNERS: [&str; 3] = ["docker", "podman", "nerdctl"];

/// Flags of `exec` whose value is the next word.
const WITH_VALUE: [&str; 8] =
    ["-e", "--env", "-u", "--user", "-w", "--workdir", "--env-file", "--detach-keys"];

/// Flags of `run` that bring in what others have: volumes, or the network of the machine.
const SHARING: [&str; 7] =
    ["-v", "--volume", "--mount", "--volumes-from", "--network", "--net", "--privileged"];

/// Returns the name of the container in which a command runs another one: `docker exec -i NAME …`. `words` are its words, its
/// program first, all known.
pub(crate) fn entered<'w>(words: &[&'w str]) -> Option<&'w str> {
    let [program, rest @ ..] = words else { return None };
    let rest = rest.strip_prefix(&["container"]).unwrap_or(rest);
    let rest = rest.strip_prefix(&["exec"]).filter(|_| RUNNERS.contains(program))?;
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if WITH_VALUE.contains(word) {
            rest.next();
        } else if !word.starts_with('-') {
            return Some(word);
        }
    }
    None
}

/// Returns whether a command starts a container of that name which sees nothing that others have.
pub(crate) fn starts_alone(words: &[&str], name: &str) -> bool {
    let [program, rest @ ..] = words else { return false };
    let rest = rest.strip_prefix(&["container"]).unwrap_or(rest);
    let Some(rest) = rest.strip_prefix(&["run"]).filter(|_| RUNNERS.contains(program)) else {
        return false;
    };
    let is_called =
        rest.iter().zip(rest.iter().skip(1)).any(|(flag, own)| *flag == "--name" && *own == name)
            || rest.iter().any(|word| word.strip_prefix("--name=") == Some(name));
    // `-v/data:/data`, `--net=host`
    let shares = |word: &&str| {
        let flag = word.split('=').next().unwrap_or(word);
        SHARING.contains(&flag) || word.starts_with("-v") && !word.starts_with("--")
    };
    is_called && !rest.iter().any(shares)
}

/// Returns whether a command speaks to what runs beside it alone, and to no other machine.
pub(crate) fn stays_inside(words: &[&str]) -> bool {
    const HOSTS: [&str; 3] = ["-h", "--host", "-H"];
    let is_here =
        |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1" | "/var/run/postgresql");
    let names_host = words
        .iter()
        .zip(words.iter().skip(1))
        .any(|(flag, host)| HOSTS.contains(flag) && !is_here(host));
    let says_host = words.iter().any(|word| {
        let long = word.strip_prefix("--host=").is_some_and(|host| !is_here(host));
        let joined = word.strip_prefix("-h").is_some_and(|host| !host.is_empty() && !is_here(host));
        let address = word
            .split_once("://")
            .is_some_and(|(_, rest)| !rest.contains("localhost") && !rest.contains("127.0.0.1"));
        long || joined || address
    });
    !names_host && !says_host
}

#[cfg(test)]
mod tests {
    use super::{entered, starts_alone, stays_inside};

    fn words(line: &str) -> Vec<&str> {
        line.split(' ').collect()
    }

    #[test]
    fn a_container_of_the_line_is_told_by_its_name() {
        assert_eq!(entered(&words("docker exec -i -e A=b pg psql -U postgres")), Some("pg"));
        assert_eq!(entered(&words("podman container exec pg sh")), Some("pg"));
        assert_eq!(entered(&words("docker compose exec db psql")), None);
        assert_eq!(entered(&words("docker run pg")), None);
        assert!(starts_alone(&words("docker run -d --rm --name pg -p 5:5 postgres:16"), "pg"));
        assert!(starts_alone(&words("docker run --name=pg postgres"), "pg"));
        for line in [
            "docker run -d --name other postgres",
            "docker run -v data:/var/lib/postgresql --name pg postgres",
            "docker run -vdata:/d --name pg postgres",
            "docker run --mount type=volume,src=x,dst=/d --name pg postgres",
            "docker run --net=host --name pg postgres",
            "docker start pg",
        ] {
            assert!(!starts_alone(&words(line), "pg"), "{line}");
        }
    }

    #[test]
    fn who_names_another_host_leaves_the_container() {
        for line in ["psql -U postgres -c x", "redis-cli flushall", "psql -h localhost -c x"] {
            assert!(stays_inside(&words(line)), "{line}");
        }
        for line in
            ["psql -h db.example.com", "psql --host=db", "psql postgres://u@db/x", "mysql -hdb"]
        {
            assert!(!stays_inside(&words(line)), "{line}");
        }
    }
}
