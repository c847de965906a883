//! Tokens that their first characters give away, as data.
//!
//! A row is reached by the mark that its prefix ends in: what stands before that mark is in `MARKS`.

use crate::placeholder::is_long;
use crate::text::run;

/// A token that its first characters give away.
pub(crate) struct Form {
    /// Up to and with the last `-` or `_` of the part that is always the same.
    pub(crate) prefix: &'static [u8],
    /// The fewest characters after it.
    pub(crate) least: usize,
    characters: Characters,
    pub(crate) kind: &'static str,
}

#[derive(Clone, Copy)]
enum Characters {
    /// Letters and digits.
    Letters,
    /// Those, and `-` and `_`.
    Words,
    /// Those of Base64, of which a digit is one: a path of letters is no token.
    Base64,
}

impl Form {
    /// Whether `tail`, which follows the prefix, begins with as many characters as the token has.
    pub(crate) fn fits(&self, tail: &[u8]) -> bool {
        let own = run(tail, |byte| {
            byte.is_ascii_alphanumeric()
                || match self.characters {
                    Characters::Letters => false,
                    Characters::Words => matches!(byte, b'-' | b'_'),
                    Characters::Base64 => matches!(byte, b'+' | b'/' | b'='),
                }
        });
        let is_drawn =
            !matches!(self.characters, Characters::Base64) || own.iter().any(u8::is_ascii_digit);
        is_drawn && is_long(own, self.least)
    }
}

const LETTERS: Characters = Characters::Letters;
const WORDS: Characters = Characters::Words;
const BASE64: Characters = Characters::Base64;

const fn form(
    prefix: &'static [u8],
    least: usize,
    characters: Characters,
    kind: &'static str,
) -> Form {
    Form { prefix, least, characters, kind }
}

/// For each byte the ones after it, in five of their bits, that stand before the mark of a prefix.
static ENDS: [u32; 256] = ends();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports a bad index")]
const fn ends() -> [u32; 256] {
    let mut ends = [0; 256];
    let mut row = 0;
    while row < FORMS.len() {
        let prefix = FORMS[row].prefix;
        let [first, second] = [prefix[prefix.len() - 3], prefix[prefix.len() - 2]];
        ends[first as usize] |= 1 << (second & 31);
        row += 1;
    }
    ends
}

/// Whether `before` may end in a prefix without its mark: one look in place of a comparison with each.
#[inline]
pub(crate) fn may_end(before: &[u8]) -> bool {
    let Some(&[first, second]) = before.last_chunk() else { return false };
    ENDS.get(usize::from(first)).is_some_and(|ends| ends >> (second & 31) & 1 != 0)
}

pub(crate) const FORMS: &[Form] = &[
    form(b"ghp_", 30, LETTERS, "GitHub token"),
    form(b"gho_", 30, LETTERS, "GitHub token"),
    form(b"ghu_", 30, LETTERS, "GitHub token"),
    form(b"ghs_", 30, LETTERS, "GitHub token"),
    form(b"ghr_", 30, LETTERS, "GitHub token"),
    form(b"github_pat_", 22, WORDS, "GitHub token"),
    form(b"glpat-", 20, WORDS, "GitLab token"),
    form(b"gldt-", 20, WORDS, "GitLab token"),
    form(b"glrt-", 20, WORDS, "GitLab token"),
    form(b"glcbt-", 20, WORDS, "GitLab token"),
    form(b"glffct-", 20, WORDS, "GitLab token"),
    form(b"glft-", 20, WORDS, "GitLab token"),
    form(b"glimt-", 25, WORDS, "GitLab token"),
    form(b"glagent-", 48, WORDS, "GitLab token"),
    form(b"gloas-", 48, WORDS, "GitLab token"),
    form(b"glsoat-", 20, WORDS, "GitLab token"),
    form(b"glptt-", 40, LETTERS, "GitLab token"),
    form(b"xoxa-", 10, WORDS, "Slack token"),
    form(b"xoxb-", 10, WORDS, "Slack token"),
    form(b"xoxp-", 10, WORDS, "Slack token"),
    form(b"xoxr-", 10, WORDS, "Slack token"),
    form(b"xoxs-", 10, WORDS, "Slack token"),
    form(b"xoxe-", 10, WORDS, "Slack token"),
    form(b"xoxo-", 10, WORDS, "Slack token"),
    form(b"xapp-", 20, WORDS, "Slack token"),
    form(b"sk_live_", 16, LETTERS, "Stripe key"),
    form(b"sk_test_", 16, LETTERS, "Stripe key"),
    form(b"sk_prod_", 16, LETTERS, "Stripe key"),
    form(b"rk_live_", 16, LETTERS, "Stripe key"),
    form(b"rk_test_", 16, LETTERS, "Stripe key"),
    form(b"rk_prod_", 16, LETTERS, "Stripe key"),
    form(b"whsec_", 24, LETTERS, "Stripe key"),
    form(b"GOCSPX-", 20, WORDS, "Google client secret"),
    form(b"sk-ant-", 20, WORDS, "Anthropic key"),
    form(b"sk-proj-", 20, WORDS, "OpenAI key"),
    form(b"sk-svcacct-", 20, WORDS, "OpenAI key"),
    form(b"sk-admin-", 48, WORDS, "OpenAI key"),
    form(b"sk-or-v1-", 20, WORDS, "OpenRouter key"),
    form(b"sk-", 20, LETTERS, "API key"),
    form(b"gsk_", 32, LETTERS, "API key"),
    form(b"hf_", 30, LETTERS, "Hugging Face token"),
    form(b"api_org_", 34, LETTERS, "Hugging Face token"),
    form(b"npm_", 30, LETTERS, "npm token"),
    form(b"pypi-", 32, WORDS, "PyPI token"),
    form(b"dop_v1_", 32, LETTERS, "DigitalOcean token"),
    form(b"doo_v1_", 32, LETTERS, "DigitalOcean token"),
    form(b"dor_v1_", 32, LETTERS, "DigitalOcean token"),
    form(b"shpat_", 32, LETTERS, "Shopify token"),
    form(b"shpca_", 32, LETTERS, "Shopify token"),
    form(b"shppa_", 32, LETTERS, "Shopify token"),
    form(b"shpss_", 32, LETTERS, "Shopify token"),
    form(b"glsa_", 30, WORDS, "Grafana token"),
    form(b"glc_", 32, BASE64, "Grafana token"),
    form(b"AGE-SECRET-KEY-", 40, LETTERS, "private key"),
    form(b"ops_", 48, BASE64, "1Password token"),
    form(b"p8e-", 32, LETTERS, "Adobe client secret"),
    form(b"v1.0-", 24, LETTERS, "Cloudflare key"),
    form(b"clojars_", 48, LETTERS, "Clojars token"),
    form(b"CLOJARS_", 48, LETTERS, "Clojars token"),
    form(b"dnkey-", 40, WORDS, "Defined Networking token"),
    form(b"duffel_live_", 40, WORDS, "Duffel token"),
    form(b"duffel_test_", 40, WORDS, "Duffel token"),
    form(b"FLWSECK_TEST-", 12, LETTERS, "Flutterwave key"),
    form(b"FLWPUBK_TEST-", 32, LETTERS, "Flutterwave key"),
    form(b"fo1_", 43, WORDS, "Fly.io token"),
    form(b"fm1a_", 48, BASE64, "Fly.io token"),
    form(b"fm1r_", 48, BASE64, "Fly.io token"),
    form(b"fm2_", 48, BASE64, "Fly.io token"),
    form(b"fio-u-", 48, WORDS, "Frame.io token"),
    form(b"ico-", 32, LETTERS, "Infracost token"),
    form(b"s-s4t2ud-", 48, LETTERS, "Intra42 client secret"),
    form(b"s-s4t2af-", 48, LETTERS, "Intra42 client secret"),
    form(b"lin_api_", 40, LETTERS, "Linear key"),
    form(b"NRJS-", 19, LETTERS, "New Relic key"),
    form(b"NRII-", 32, WORDS, "New Relic key"),
    form(b"NRAK-", 27, LETTERS, "New Relic key"),
    form(b"API-", 26, LETTERS, "Octopus Deploy key"),
    form(b"pscale_tkn_", 32, WORDS, "PlanetScale token"),
    form(b"pscale_oauth_", 32, WORDS, "PlanetScale token"),
    form(b"pscale_pw_", 32, WORDS, "PlanetScale token"),
    form(b"PMAK-", 24, WORDS, "Postman key"),
    form(b"pnu_", 36, LETTERS, "Prefect token"),
    form(b"pul-", 40, LETTERS, "Pulumi token"),
    form(b"rdme_", 48, LETTERS, "ReadMe token"),
    form(b"rubygems_", 48, LETTERS, "RubyGems token"),
    form(b"tk-us-", 48, WORDS, "Scalingo token"),
    form(b"xkeysib-", 48, LETTERS, "Sendinblue token"),
    form(b"sntrys_", 48, BASE64, "Sentry token"),
    form(b"sntryu_", 48, LETTERS, "Sentry token"),
    form(b"sm_aat_", 16, LETTERS, "SettleMint token"),
    form(b"sm_pat_", 16, LETTERS, "SettleMint token"),
    form(b"sm_sat_", 16, LETTERS, "SettleMint token"),
    form(b"shippo_live_", 40, LETTERS, "Shippo token"),
    form(b"shippo_test_", 40, LETTERS, "Shippo token"),
    form(b"sgp_", 40, WORDS, "Sourcegraph token"),
    form(b"sq0atp-", 22, WORDS, "Square token"),
    form(b"tfp_", 40, WORDS, "Typeform token"),
];
