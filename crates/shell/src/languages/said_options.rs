//! What the options are that code declares: what the words behind it say, or else what the code says.

use super::names::Names;
use super::options::Declared;
use super::value::Value;
use crate::hole::HOLE;

/// So deep it counts as the option itself: what an option is may be made of others, which are made of others.
const DEPTH: u32 = 8;

impl Names {
    /// What an option is that a field of an object stands for.
    pub fn option(&self, of: &str, field: &str, depth: u32) -> Option<Value> {
        let declared = self.options().field(of, field)?;
        Some(self.said(declared, depth))
    }

    /// What an option is that a parameter of a function stands for.
    pub fn option_of_parameter(&self, name: &str) -> Option<Value> {
        let declared = self.options().declared.get(name).filter(|it| it.is_parameter)?;
        Some(self.said(declared, 0))
    }

    /// What the words say of an option, or the code.
    fn said(&self, declared: &Declared, depth: u32) -> Value {
        if !declared.takes_value {
            return Value::Unknown;
        }
        let usual = match declared.default.as_slice() {
            [] => Value::Unknown,
            default => self.value(default, depth + DEPTH),
        };
        let own = self.options().words.as_deref();
        let told = || self.words().map(|words| words.get(1..).unwrap_or_default());
        let Some(words) = own.or_else(told) else { return usual.or_unknown() };
        let said = match declared.flags.is_empty() {
            true => self.placed(declared, words),
            false => flagged(&declared.flags, words).map(Value::Text),
        };
        match said {
            Some(value) => value,
            None if words.iter().any(|word| word.starts_with(HOLE)) => usual.or_unknown(),
            None => usual,
        }
    }

    /// The word at a place, or those from there on.
    fn placed(&self, declared: &Declared, words: &[String]) -> Option<Value> {
        let options = self.options();
        if options.has_commands {
            return Some(Value::Unknown);
        }
        let takes_value = |flag: &str| {
            let mut all = options.declared.values();
            all.any(|it| it.takes_value && it.flags.iter().any(|known| known == flag))
        };
        let (mut operands, mut is_value) = (Vec::new(), false);
        for word in words {
            match word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                _ if std::mem::take(&mut is_value) => {}
                Some(_) => is_value = takes_value(word),
                None => operands.push(word),
            }
        }
        let mut behind = operands.into_iter().skip(declared.place).cloned().map(Value::Text);
        match declared.is_list {
            true => {
                Some(Value::List(behind.collect())).filter(|list| *list != Value::List(Vec::new()))
            }
            false => behind.next(),
        }
    }
}

/// The value of a flag among words: the next one, or what stands in the same one.
fn flagged(flags: &[String], words: &[String]) -> Option<String> {
    let mut words = words.iter();
    let mut found = None;
    while let Some(word) = words.next() {
        for flag in flags {
            let Some(rest) = word.strip_prefix(flag.as_str()) else { continue };
            let is_short = !flag.starts_with("--");
            match rest.strip_prefix('=') {
                _ if rest.is_empty() => found = words.next().cloned(),
                Some(value) => found = Some(value.to_owned()),
                None if is_short => found = Some(rest.to_owned()),
                None => continue,
            }
            break;
        }
    }
    found
}
