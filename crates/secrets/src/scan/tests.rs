//! The secrets here are made up and put together when the tests run: none stands in this file.

use super::{PIECE, contains_secret, is_mark, may_mark};
use crate::forms::FORMS;
use crate::vendors::{OWN, SHAPES, VENDORS};

/// Characters that look drawn by lot.
fn random(length: usize) -> String {
    "a8Kd03mZqP7tY2vLr9Xb5WcN1sGh6JfE4uT".chars().cycle().take(length).collect()
}

fn hex(length: usize) -> String {
    "9f86d081884c7d659a2feaa0c55ad015".chars().cycle().take(length).collect()
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(contains_secret(text), Some(expect), "{text}");
    // A secret is one wherever it stands, in a sentence or in a JSON text.
    assert_eq!(contains_secret(&format!("run this: {text} now")), Some(expect), "{text}");
    let json = serde_json::to_string(&format!("a\n{text}\nb")).unwrap();
    assert_eq!(contains_secret(&json), Some(expect), "{json}");
}

#[track_caller]
fn innocent(text: &str) {
    assert_eq!(contains_secret(text), None, "{text}");
}

#[test]
fn tokens_are_known_by_their_prefix() {
    for form in FORMS {
        let prefix = std::str::from_utf8(form.prefix).unwrap();
        check(&format!("{prefix}{}", random(48)), form.kind);
        check(&format!("X={prefix}{}", random(48)), form.kind);
        innocent(&format!("{prefix}{}", random(form.least - 1)));
        innocent(&format!("{prefix}{}", "x".repeat(48)));
        innocent(&format!("a{prefix}{}", random(48)));
        innocent(prefix);
    }
}

#[test]
fn every_prefix_ends_in_a_mark() {
    for form in FORMS {
        assert!(is_mark(*form.prefix.last_chunk().unwrap()));
        assert!(form.least >= 10);
    }
}

#[test]
fn no_mark_is_overlooked_wherever_it_stands() {
    for before in 0..=u8::MAX {
        for mark in 0..=u8::MAX {
            if is_mark([before, mark]) {
                let mut befores = [b' '; PIECE];
                let mut marks = [b' '; PIECE];
                let at = usize::from(before ^ mark) % PIECE;
                (befores[at], marks[at]) = (before, mark);
                assert!(may_mark(&befores, &marks), "{before} {mark}");
            }
        }
    }
    let secret = format!("glpat-{}", random(20));
    for before in 0..64 {
        for after in 0..64 {
            let text = format!("{}{secret}{}", " ".repeat(before), " ".repeat(after));
            check(&text, "GitLab token");
        }
    }
}

#[test]
fn cloud_keys_are_known() {
    check(&format!("AKIA{}", "Q3Z7XW2MPL5K9TRB"), "AWS access key");
    check(&format!("ASIA{}", "Q3Z7XW2MPL5K9TRB"), "AWS access key");
    check(&format!("AIza{}", random(35)), "Google API key");
    innocent(&format!("AKIA{}", "Q3Z7XW2MPL5K9TR"));
    innocent(&format!("AKIA{}", "Q3Z7XW2MPL5K9TRBZ"));
    innocent(&format!("AKIA{}", "q3Z7XW2MPL5K9TRB"));
    innocent("THE SLOVAKIA INITIATIVE, AKIA, AIza");
    // What documentation has in place of keys.
    innocent("AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE");
    innocent("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
    // What documentation gives everybody to try a service with.
    innocent(&format!("stripe.api_key = \"{}{}\"", "sk_test_", "4eC39HqLyjWDarjtT1zdp7dc"));
}

#[test]
fn web_tokens_are_known() {
    let token = |signature: &str| format!("eyJ{}.eyJ{}.{signature}", random(20), random(40));
    check(&token(&random(43)), "JSON web token");
    innocent(&token(""));
    innocent(&format!("eyJ{}.{}", random(20), random(40)));
}

#[test]
fn private_keys_are_known_by_header_and_body() {
    let key = |name: &str, body: &str| format!("-----{} {name}-----\n{body}\n", "BEGIN");
    for name in ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
        check(&key(name, &random(64)), "private key");
    }
    let headers = format!("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{}\n\n", hex(16));
    check(&key("RSA PRIVATE KEY", &(headers + &random(64))), "private key");
    check(&key("PGP PRIVATE KEY BLOCK", &random(64)), "private key");
    innocent(&key("CERTIFICATE", &random(64)));
    innocent(&key("PUBLIC KEY", &random(64)));
    check(&format!("{}-----END PRIVATE KEY-----", key("PRIVATE KEY", &random(12))), "private key");
    check(&key("RSA PRIVATE KEY", &random(10)).replace('\n', "\r\n"), "private key");
    innocent(&key("PRIVATE KEY", "..."));
    innocent(&key("PRIVATE KEY", "MIIEvQIBADANBg..."));
    innocent(&key("PRIVATE KEY", "<your key>"));
    innocent("a -----BEGIN PRIVATE KEY----- header, says the documentation");
    innocent("grep -r -- '-----BEGIN RSA PRIVATE KEY-----' .");
}

#[test]
fn passwords_in_urls_are_known() {
    check(&format!("postgres://app:{}@db/prod", "hunter2"), "password in a URL");
    check(&format!("https://bot:{}@git.example.com/x.git", random(20)), "password in a URL");
    check(&format!("amqp://u:{}@h", "p%40ssw0rd"), "password in a URL");
    innocent("https://user:password@host/");
    innocent("postgres://postgres:postgres@localhost/db");
    innocent("postgres://app:$PGPASSWORD@db/prod");
    innocent("postgres://app:${PGPASSWORD}@db/prod");
    innocent("https://user:<password>@host");
    innocent("https://example.com:8080/a@b");
    innocent("ssh://git@github.com:22/x");
}

#[test]
fn assignments_of_passwords_are_known() {
    let value = format!("hunter{}", 2);
    for text in [
        format!("password={value}"),
        format!("PGPASSWORD={value} psql"),
        format!("DB_PASS={value}"),
        format!("dbPass = '{value}'"),
        format!("password: {value}"),
        format!("passphrase: {value}"),
        format!("MYSQL_PWD={value}"),
        format!("\"password\": \"{value}\""),
        format!("'passwd' => '{value}',"),
        format!("config[\"password\"] = \"{value}\""),
        format!("let pwd := \"{value}\""),
        format!("password = b'{value}'"),
        format!("mysql --password {value}"),
        format!("mysql --password={value}"),
        format!("?user=me&password={value}&x=1"),
        format!("curl -u admin:{value} https://host"),
        format!("curl --user 'admin:{value}' https://host"),
        format!("password = \"{}!{}\"", "Super", "Secret"),
    ] {
        check(&text, "password");
    }
}

#[test]
fn assignments_of_tokens_and_keys_are_known() {
    for text in [
        format!("API_KEY={}", random(32)),
        format!("api_key: \"{}\"", hex(32)),
        format!("apiKey: '{}'", random(20)),
        format!("client_secret = \"{}\"", random(40)),
        format!("aws_secret_access_key = {}/{}", random(20), random(19)),
        format!("AccountKey={}==", random(86)),
        format!("Authorization: Bearer {}", random(40)),
        format!("-H 'Authorization: token {}'", hex(40)),
        format!("\"Authorization\": \"Basic {}\"", random(24)),
        format!("deploy --token {}", random(24)),
        format!("access_token={}&x=1", random(32)),
        format!("credentials: '{}'", random(32)),
        format!("credential={}", random(32)),
    ] {
        check(&text, "token or key");
    }
}

#[test]
fn placeholders_and_references_are_innocent() {
    innocent("");
    innocent("-");
    for value in [
        "",
        "\"\"",
        "$PASSWORD",
        "${PASSWORD}",
        "$(pass show db)",
        "<your-key>",
        "xxxx",
        "xxxxxxxx1",
        "********",
        "example",
        "example123",
        "process.env.DB_PASSWORD1",
        "os.environ['X1']",
        "os.environ[\"DB_PASSWORD_1\"]",
        "config.db.password1",
        "{{ vault_password1 }}",
        "%PASS1%",
        "changeme123",
        "test1234",
        "testsecret123",
        "devpass12",
        "password123",
        "CHANGE_ME_1",
        "your-password-1",
        "your_api_key_12345678",
        "secret",
        "\"my-secret-token\"",
        "\"password\"",
        "...",
        "null",
        "None",
        "string",
        "str",
        "true",
        "getPassword1()",
        "read_secret1(path)",
        "'{password1}'",
        "\"Passwort\"",
        "\"${TOKEN_123}\"",
        "'Enter 1 password'",
        "/run/secrets/db1",
        "~/.token1",
        "@file1",
        "12345678",
        "redacted1",
    ] {
        for name in ["password", "api_key", "TOKEN", "client_secret"] {
            innocent(&format!("{name}={value}"));
            innocent(&format!("{name} = {value};"));
            innocent(&format!("\"{name}\": {value},"));
        }
    }
    innocent("Authorization: Bearer $TOKEN");
    innocent("Authorization: Bearer <token>");
    innocent("docker run -u 1000:1000 app");
    innocent("mysql --password --host db1");
}

#[test]
fn ordinary_code_and_commands_are_innocent() {
    for text in [
        "cargo test -p behavior-runtime --lib classifier::text -- --nocapture",
        "if password == \"hunter2x\" { deny() }",
        "password != 'hunter2x'",
        "token: AccessTokenV2Response,",
        "fn next(token: Token2) -> Token3 {",
        "secret: db-creds-prod-v2",
        "pageToken=CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA",
        "max_tokens=4096 --tokenizer bert-base-uncased-v2",
        "passwordHash: 'abc123def456abc1'",
        "bypass=always1now",
        "password?: string; tokens: string[]",
        "git commit -m 'Forget the password: see section 3.2 of the guide'",
        "npm_config_registry_url_for_all_of_the_packages=https://r",
        "sk-learn-pipeline-with-a-very-long-name-indeed",
        "the task-list-of-everything-that-is-to-be-done",
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "src/components/very_long_component_name_for_tests/index.tsx",
        "std::env::var(\"API_KEY\")",
        "password: &str, token: Option<String>",
        "let passwd: *const c_char",
    ] {
        innocent(text);
    }
}

#[test]
fn the_time_is_linear_in_the_text() {
    let pieces = [
        "sk-",
        "eyJaaaaaaaa.x",
        "password=",
        "\"token\":\"",
        "://",
        "-",
        "_",
        "-----BEGIN ",
        "AKIA",
        "://a:b@",
        "a:",
        " -u a:",
        "--password ",
        "ghp_a",
        "\\nghp_aaaaaaaaaa",
        "token==",
        "x_",
        "github_pat_a.",
        "eyJ",
        "password:1 ",
        "://aaaaaaaaaaaaa",
        "[\"password\"]   ",
    ];
    for piece in pieces {
        let text = piece.repeat(300_000 / piece.len());
        let start = std::time::Instant::now();
        assert_eq!(contains_secret(&text), None, "{piece}");
        // Generous: a square of the length would take minutes.
        assert!(start.elapsed().as_secs() < 5, "{piece}: {:?}", start.elapsed());
    }
}

#[test]
#[ignore = "measures"]
fn measure() {
    let command = "cargo test -p behavior-runtime --lib classifier -- --nocapture && git commit -m 'Fix it' && ls src/a";
    let prose = "Please rename the router and all of its handlers to match the new naming scheme, then run all tests.";
    let plain = "cd /repo/services/api && npm run build:prod && python3 scripts/check_all.py --level=2 src/main.py | t";
    for text in [command, plain, prose] {
        let round = || {
            let start = std::time::Instant::now();
            for _ in 0..10_000 {
                std::hint::black_box(contains_secret(std::hint::black_box(text)));
            }
            start.elapsed().as_nanos() / 10_000
        };
        let mut rounds: Vec<_> = std::iter::repeat_with(round).take(100).collect();
        rounds.sort_unstable();
        println!("{} bytes: {} ns at best, {} ns median", text.len(), rounds[0], rounds[50]);
    }
}

/// Rules of gitleaks whose values are known by their first characters, and those characters.
const PREFIXED: &[(&str, &str)] = &[
    ("1password-service-account-token", "ops_"),
    ("adobe-client-secret", "p8e-"),
    ("age-secret-key", "AGE-SECRET-KEY-"),
    ("alibaba-access-key-id", "LTAI"),
    ("clojars-api-token", "CLOJARS_"),
    ("cloudflare-origin-ca-key", "v1.0-"),
    ("defined-networking-api-token", "dnkey-"),
    ("digitalocean-access-token", "doo_v1_"),
    ("digitalocean-pat", "dop_v1_"),
    ("digitalocean-refresh-token", "dor_v1_"),
    ("duffel-api-token", "duffel_live_"),
    ("flutterwave-encryption-key", "FLWSECK_TEST-"),
    ("flutterwave-public-key", "FLWPUBK_TEST-"),
    ("flutterwave-secret-key", "FLWSECK_TEST-"),
    ("flyio-access-token", "fo1_"),
    ("frameio-api-token", "fio-u-"),
    ("gcp-api-key", "AIza"),
    ("github-app-token", "ghu_"),
    ("github-fine-grained-pat", "github_pat_"),
    ("github-oauth", "gho_"),
    ("github-pat", "ghp_"),
    ("github-refresh-token", "ghr_"),
    ("gitlab-cicd-job-token", "glcbt-"),
    ("gitlab-deploy-token", "gldt-"),
    ("gitlab-feature-flag-client-token", "glffct-"),
    ("gitlab-feed-token", "glft-"),
    ("gitlab-incoming-mail-token", "glimt-"),
    ("gitlab-kubernetes-agent-token", "glagent-"),
    ("gitlab-oauth-app-secret", "gloas-"),
    ("gitlab-pat", "glpat-"),
    ("gitlab-pat-routable", "glpat-"),
    ("gitlab-ptt", "glptt-"),
    ("gitlab-runner-authentication-token", "glrt-"),
    ("gitlab-runner-authentication-token-routable", "glrt-t1_"),
    ("gitlab-scim-token", "glsoat-"),
    ("grafana-cloud-api-token", "glc_"),
    ("grafana-service-account-token", "glsa_"),
    ("huggingface-access-token", "hf_"),
    ("huggingface-organization-api-token", "api_org_"),
    ("infracost-api-token", "ico-"),
    ("intra42-client-secret", "s-s4t2ud-"),
    ("linear-api-key", "lin_api_"),
    ("new-relic-browser-api-token", "NRJS-"),
    ("new-relic-insert-key", "NRII-"),
    ("new-relic-user-api-key", "NRAK-"),
    ("npm-access-token", "npm_"),
    ("octopus-deploy-api-key", "API-"),
    ("openai-api-key", "sk-"),
    ("planetscale-api-token", "pscale_tkn_"),
    ("planetscale-oauth-token", "pscale_oauth_"),
    ("planetscale-password", "pscale_pw_"),
    ("postman-api-token", "PMAK-"),
    ("prefect-api-token", "pnu_"),
    ("pulumi-api-token", "pul-"),
    ("pypi-upload-token", "pypi-"),
    ("readme-api-token", "rdme_"),
    ("rubygems-api-token", "rubygems_"),
    ("scalingo-api-token", "tk-us-"),
    ("sendinblue-api-token", "xkeysib-"),
    ("sentry-org-token", "sntrys_"),
    ("sentry-user-token", "sntryu_"),
    ("settlemint-application-access-token", "sm_aat_"),
    ("settlemint-personal-access-token", "sm_pat_"),
    ("settlemint-service-access-token", "sm_sat_"),
    ("shippo-api-token", "shippo_live_"),
    ("shopify-access-token", "shpat_"),
    ("shopify-custom-access-token", "shpca_"),
    ("shopify-private-app-access-token", "shppa_"),
    ("shopify-shared-secret", "shpss_"),
    ("slack-app-token", "xapp-"),
    ("slack-bot-token", "xoxb-"),
    ("slack-config-access-token", "xoxe.xoxb-"),
    ("slack-config-refresh-token", "xoxe-"),
    ("slack-legacy-bot-token", "xoxb-"),
    ("slack-legacy-token", "xoxo-"),
    ("slack-legacy-workspace-token", "xoxr-"),
    ("slack-user-token", "xoxp-"),
    ("stripe-access-token", "sk_test_"),
    ("typeform-api-token", "tfp_"),
];

#[test]
fn prefixes_of_the_rules_of_gitleaks_are_known() {
    for (rule, prefix) in PREFIXED {
        let found = |text: &str| contains_secret(text).is_some();
        let length = if *rule == "alibaba-access-key-id" { 20 } else { 64 };
        assert!(found(&format!("{prefix}{}", random(length))), "{rule}");
        assert!(found(&format!("see `{prefix}{}` there", random(length))), "{rule}");
        assert!(!found(&format!("{prefix}{}", random(5))), "{rule}");
        assert!(!found(&format!("{prefix}...")), "{rule}");
    }
}

#[test]
fn values_are_known_by_the_name_of_the_service() {
    for row in VENDORS {
        let name = std::str::from_utf8(row.name).unwrap();
        for length in [row.least, row.most] {
            let value = row.sample(length);
            for text in [
                format!("{name}_key = {value}"),
                format!("{}_ID='{value}'", name.to_uppercase()),
                format!("\"{name}.x\": \"{value}\","),
                format!("{{ \"{name}_app_id\" => \"{value}\" }}"),
            ] {
                assert!(contains_secret(&text).is_some(), "{text}");
            }
            innocent(&format!("harmless_number = {value}"));
            innocent(&format!("{name}_number = {}", "x".repeat(length)));
            innocent(&format!("{name}_number = {}", value.get(..9).unwrap()));
        }
    }
}

#[test]
fn values_that_give_themselves_away_are_known_whatever_their_name() {
    for own in OWN {
        let prefix = std::str::from_utf8(own.prefix).unwrap();
        let value = format!("{prefix}{}", random(own.least));
        check(&format!("SOME_ID={value}"), own.kind);
        check(&format!("\"id\": \"{value}\""), own.kind);
        innocent(&format!("SOME_ID={prefix}{}", random(own.least - 1)));
        innocent(&format!("SOME_ID=a{value}"));
    }
    check(&format!("ABIA{}", "Q3Z7XW2MPL5K9TRB"), "AWS access key");
    check(&format!("LTAI{}", random(20)), "Alibaba access key");
}

#[test]
fn values_that_something_in_them_gives_away_are_known() {
    for shape in SHAPES {
        let mark = std::str::from_utf8(shape.mark).unwrap();
        for length in [shape.least, shape.most] {
            let rest = length - shape.before - mark.len();
            let value = format!("{}{mark}{}", random(shape.before), random(rest));
            check(&format!("SOME_ID={value}"), shape.kind);
            check(&format!("\"id\": \"{value}\""), shape.kind);
            innocent(&format!("SOME_ID={value}{}", "0".repeat(shape.most + 1 - length)));
            innocent(&format!("SOME_ID=a{value}"));
        }
    }
}

#[test]
fn addresses_that_only_one_may_know_are_secrets() {
    for (address, kind) in [
        ("https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/", "Slack webhook"),
        ("https://hooks.slack.com/workflows/T0A1B2C3D/A0A1B2C3D/", "Slack webhook"),
        ("https://acme.webhook.office.com/webhookb2/", "Microsoft Teams webhook"),
        ("https://discord.com/api/webhooks/123456789012345678/", "Discord webhook"),
    ] {
        check(&format!("curl -d @x {address}{}", random(48)), kind);
        check(&format!("url: '{address}{}'", random(48)), kind);
        innocent(&format!("curl -d @x {address}"));
        innocent(&format!("curl {address}your-own-key-that-is-long-enough-to-be-looked-at"));
    }
    innocent(
        "https://hooks.slack.com/docs/how-to-send-messages-with-incoming-webhooks-in-five-steps",
    );
    innocent(
        "https://example.com/api/webhooks/123456789012345678/9f86d081884c7d659a2feaa0c55ad0159f",
    );
}
