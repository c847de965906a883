//! Calls of libraries that ask a server to delete something, as the command that a client of that server would be given.
//! Knows libraries by the names under which code takes them in, and methods by theirs; follows no values but addresses.

use super::code::Scan;
use super::effects::{asks, say};
use super::language::Language;
use super::line::Line;
use super::names::Names;
use super::parts::{closing, object, split, trimmed};
use super::token::Token;
use super::value::Value;
use crate::hole::{LISTED, READ};

/// No more tokens are looked at to tell which libraries code takes in.
const MAX: usize = 1 << 14;

/// A library of a server.
struct Library {
    /// The names of which code has one that takes it in: names, or parts of texts; none where its methods are called as
    /// nothing else is.
    names: &'static [&'static str],
    /// What one of those methods stands behind; empty for anything.
    of: &'static [&'static str],
    /// The names of methods that delete something, in any way of writing; what ends in a low line is how they begin.
    methods: &'static [&'static str],
    /// The command that does such a thing, with the name of the method behind it if that ends in a blank.
    line: &'static str,
}

const fn any(methods: &'static [&'static str], line: &'static str) -> Library {
    Library { names: &[], of: &[], methods, line }
}

/// Sources: the references of redis-py, ioredis, PyMongo, the Node.js driver of MongoDB, Mongoose, elasticsearch-py, boto3, the AWS SDKs for JavaScript and Ruby, the Kubernetes clients for Python and
/// JavaScript, the clients of Google Cloud and Azure, the Docker SDK for Python and dockerode.
const LIBRARIES: &[Library] = &[
    any(&["flushall", "flush_all"], "redis-cli flushall"),
    any(&["flushdb", "flush_db", "flush_d_b"], "redis-cli flushdb"),
    any(&["drop_database"], "mongosh --eval 'db.dropDatabase()'"),
    any(&["drop_collection"], "mongosh --eval 'db.c.drop()'"),
    any(&["delete_by_query"], "curl -X DELETE http://es:9200/index"),
    Library { of: &["indices"], ..any(&["delete"], "curl -X DELETE http://es:9200/index") },
    any(&["delete_bucket"], "aws s3api delete-bucket --bucket b"),
    any(&["delete_objects"], "aws s3api delete-objects --bucket b"),
    any(&["terminate_instances"], "aws ec2 terminate-instances --instance-ids i"),
    any(&["delete_db_instance"], "aws rds delete-db-instance --db-instance-identifier d"),
    any(&["delete_db_cluster"], "aws rds delete-db-cluster --db-cluster-identifier d"),
    any(&["delete_stack"], "aws cloudformation delete-stack --stack-name s"),
    Library {
        of: &["dynamodb", "client", "ddb"],
        ..any(&["delete_table"], "aws dynamodb delete-table --table-name t")
    },
    any(&["delete_namespace"], "kubectl delete namespace n"),
    any(&["delete_namespaced_deployment"], "kubectl delete deployment d"),
    any(&["delete_namespaced_pod"], "kubectl delete pod p"),
    any(&["delete_namespaced_persistent_volume_claim"], "kubectl delete pvc p"),
    Library {
        names: &["boto3", "botocore", "aioboto3", "aws-sdk", "@aws-sdk/", "Aws"],
        of: &[],
        methods: &["delete_", "terminate_", "purge_", "batch_delete_", "deregister_image"],
        line: "aws api ",
    },
    Library {
        names: &["boto3", "aioboto3", "Aws"],
        of: &[],
        methods: &["delete", "terminate"],
        line: "aws s3 rm s3://b/ --recursive",
    },
    Library {
        names: &["kubernetes", "kubernetes_asyncio", "@kubernetes/client-node"],
        of: &[],
        methods: &["delete_"],
        line: "kubectl delete x n",
    },
    Library {
        names: &["google", "@google-cloud/", "cloud.google.com/go"],
        of: &[],
        methods: &["delete", "delete_"],
        line: "gsutil rm gs://b/o",
    },
    Library {
        names: &["azure", "@azure/"],
        of: &[],
        methods: &["begin_delete", "begin_delete_", "delete_"],
        line: "az group delete --name g",
    },
    Library {
        names: &["docker", "dockerode", "podman"],
        of: &[],
        methods: &["prune", "prune_"],
        line: "docker volume prune -f",
    },
];

/// Says what a call asks a server for, if it deletes something there. Returns whether it does.
pub fn look(scan: &Scan<'_>, at: usize, receiver: &str, name: &str, found: &mut Vec<Line>) -> bool {
    let knows = matches!(
        scan.language,
        Language::Python | Language::JavaScript | Language::Ruby | Language::Php | Language::Go
    );
    // Most names are none of these.
    if !knows || !may_ask(name) {
        return false;
    }
    let line = of_all_rows(scan, at, receiver, name)
        .or_else(|| of_containers(scan, at, name))
        .or_else(|| of_library(scan, at, receiver, name));
    if let Some(line) = line {
        say(Line { text: line }, found);
        return true;
    }
    let addresses = addresses(scan, at, receiver, name);
    addresses.iter().for_each(|address| asks("curl -X DELETE", address, found));
    !addresses.is_empty()
}

/// Whether a call of this name may ask a server to delete something, at a first look.
fn may_ask(name: &str) -> bool {
    // Without their first letters, which may be small or not.
    const PARTS: &[&str] = &[
        "elete",
        "erminate",
        "urge",
        "eregister",
        "rune",
        "equest",
        "lush",
        "rop_",
        "ropD",
        "ropC",
    ];
    const OTHERS: &[&str] =
        &["remove", "fetch", "axios", "got", "ky", "ajax", "curl_setopt", "del"];
    PARTS.iter().any(|part| name.contains(part)) || OTHERS.contains(&name)
}

/// `delete_object`, `deleteObject`, `DeleteObject` and `DeleteObjectCommand` as the first.
fn plain(name: &str) -> String {
    let name = name.strip_suffix("Command").unwrap_or(name);
    let mut plain = String::with_capacity(name.len() + 4);
    for sign in name.chars() {
        if sign.is_ascii_uppercase() && !plain.is_empty() && !plain.ends_with('_') {
            plain.push('_');
        }
        plain.push(sign.to_ascii_lowercase());
    }
    plain
}

fn of_library(scan: &Scan<'_>, at: usize, receiver: &str, name: &str) -> Option<String> {
    let is_made = name.ends_with("Command");
    let is_own =
        !is_made && matches!(receiver, "" | "self" | "this" | "cls" | "os" | "shutil" | "fs");
    // In Ruby a method is called by its name alone.
    let is_called = scan.language == Language::Ruby || brackets(scan, at).is_some();
    let plain = plain(name);
    let fits = |method: &str| match method.ends_with('_') {
        true => plain.starts_with(method),
        false => plain == method,
    };
    let is_used = |library: &&Library| match library.names {
        [] => is_called && (is_made || library.of.is_empty() || library.of.contains(&receiver)),
        names => !is_own && takes_in(scan.tokens, names),
    };
    let fit = LIBRARIES.iter().filter(|library| library.methods.iter().any(|method| fits(method)));
    let library = fit.into_iter().find(is_used)?;
    Some(match library.line.ends_with(' ') {
        true => format!("{}{}", library.line, plain.replace('_', "-")),
        false => library.line.to_owned(),
    })
}

/// Whether code takes in a library of one of some names.
fn takes_in(tokens: &[Token], names: &[&str]) -> bool {
    tokens.iter().take(MAX).any(|token| match token {
        Token::Name(own) => names.contains(&own.as_str()),
        Token::Text(own) => names.iter().any(|name| own.len() > 3 && own.contains(name)),
        _ => false,
    })
}

/// `container.remove(force=True)`, and not an item of a list.
fn of_containers(scan: &Scan<'_>, at: usize, name: &str) -> Option<String> {
    let inner = brackets(scan, at)?;
    let is_plain = inner.is_empty()
        || inner.iter().any(|token| matches!(token, Token::Name(name) if name == "force"));
    let fits = name == "remove" && is_plain && !object(scan.tokens, at).is_empty();
    (fits && takes_in(scan.tokens, &["docker", "dockerode", "podman"]))
        .then(|| "docker rm -f x".to_owned())
}

/// All rows, or all documents: `deleteMany({})`, `delete_many({})`, `Model::query()->delete()`.
fn of_all_rows(scan: &Scan<'_>, at: usize, receiver: &str, name: &str) -> Option<String> {
    let all = || "psql -c 'delete from x'".to_owned();
    let inner = brackets(scan, at);
    match (name, scan.language) {
        ("deleteMany" | "delete_many", _) if !receiver.is_empty() => {
            let mut narrows = inner?.iter().filter(|token| match token {
                Token::Name(name) | Token::Text(name) => name != "where",
                Token::Sign(sign) => !matches!(sign, '{' | '}' | ':' | '\n' | ','),
                _ => true,
            });
            narrows.next().is_none().then(all)
        }
        ("delete", Language::Php) => {
            let before = object(scan.tokens, at);
            let names = || {
                before.iter().filter_map(|token| match token {
                    Token::Name(name) => Some(name.as_str()),
                    _ => None,
                })
            };
            let is_query = names().any(|name| matches!(name, "query" | "table"));
            let narrows = names().any(|name| name.to_ascii_lowercase().contains("where"));
            (is_query && !narrows && inner?.is_empty()).then(all)
        }
        _ => None,
    }
}

/// The tokens in the brackets of a call.
fn brackets<'s>(scan: &Scan<'s>, at: usize) -> Option<&'s [Token]> {
    let inner = scan.tokens.get(at + 2..closing(scan.tokens, at + 1)?)?;
    (scan.sign(at + 1) == Some('(')).then_some(trimmed(inner))
}

/// The addresses that a call asks to delete what is there.
fn addresses(scan: &Scan<'_>, at: usize, receiver: &str, name: &str) -> Vec<Value> {
    const REQUESTS: &[&str] = &[
        "request",
        "Request",
        "fetch",
        "axios",
        "got",
        "ky",
        "ajax",
        "NewRequest",
        "NewRequestWithContext",
    ];
    let is_method = matches!(name.to_ascii_lowercase().as_str(), "delete" | "del");
    if is_method && !receiver.is_empty() {
        let arguments = scan.arguments(at + 1);
        let first = arguments.and_then(|arguments| arguments.values.into_iter().next());
        let all = match first {
            Some(Value::Each(values)) => values,
            first => first.into_iter().collect(),
        };
        return all.into_iter().filter(is_address).collect();
    }
    let Some(inner) = brackets(scan, at) else { return Vec::new() };
    if !inner.iter().any(says_delete) {
        return Vec::new();
    }
    match name {
        "curl_setopt" => first_address(scan).into_iter().collect(),
        name if REQUESTS.contains(&name) => {
            let named = named(inner, scan.names);
            let own = split(inner, &[',']).into_iter().map(|part| scan.names.value(part, 0));
            own.chain(named).filter(is_address).take(1).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a token says that something is to be deleted: `"DELETE"`, `http.MethodDelete`.
fn says_delete(token: &Token) -> bool {
    match token {
        Token::Text(text) => text.eq_ignore_ascii_case("delete"),
        Token::Name(name) => name == "MethodDelete",
        _ => false,
    }
}

/// The address that stands behind its name: `{ url: "…" }`, `url="…"`.
fn named(inner: &[Token], names: &Names) -> Option<Value> {
    let is_name = |token: &Token| matches!(token, Token::Name(name) | Token::Text(name) if matches!(name.as_str(), "url" | "uri"));
    let at = inner.iter().position(is_name)?;
    let rest = inner.get(at + 2..).unwrap_or_default();
    let mut value = trimmed(split(rest, &[',']).first().copied().unwrap_or_default());
    while let [own @ .., Token::Sign('}')] = value {
        value = trimmed(own);
    }
    Some(names.value(value, 0))
}

fn is_address(value: &Value) -> bool {
    let is_http = |text: &str| text.starts_with("http://") || text.starts_with("https://");
    matches!(value, Value::Text(text) if is_http(text) && !text.contains([LISTED, READ]))
}

/// The first address that stands in code.
fn first_address(scan: &Scan<'_>) -> Option<Value> {
    scan.tokens.iter().take(MAX).find_map(|token| {
        let value = match token {
            Token::Text(text) => Value::Text(text.clone()),
            Token::Filled(template) => scan.names.filled(template, 0),
            _ => return None,
        };
        Some(value).filter(is_address)
    })
}
