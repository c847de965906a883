//! What `ninja` runs of a build file, as lines of shell. Reads rules, what is built by them, and values that are constant.
//! Source: <https://ninja-build.org/manual.html>

use std::collections::{BTreeMap, BTreeSet};

/// No more lines of a file than this are looked at, and no more come of one.
const MAX: usize = 512;

/// Something that is built.
struct Built {
    outputs: Vec<String>,
    inputs: Vec<String>,
    rule: String,
    own: BTreeMap<String, String>,
}

/// Where the values behind a line belong.
enum Place {
    Rule(String),
    Built,
    Other,
}

/// Returns the lines that are run for goals; for all that is built, where there is none.
pub(super) fn lines(text: &str, goals: &[&str]) -> Vec<String> {
    let text = text.replace("$\n", " ");
    let mut rules: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let (mut all, mut values) = (Vec::<Built>::new(), BTreeMap::new());
    let mut place = Place::Other;
    for line in text.lines().take(MAX) {
        let body = line.trim();
        if line.starts_with([' ', '\t']) {
            let Some((name, value)) = pair(body) else { continue };
            let own = match &place {
                Place::Rule(rule) => rules.entry(rule.clone()).or_default(),
                Place::Built => match all.last_mut() {
                    Some(built) => &mut built.own,
                    None => continue,
                },
                Place::Other => continue,
            };
            own.insert(name, value);
        } else if let Some(rule) = body.strip_prefix("rule ") {
            place = Place::Rule(rule.trim().to_owned());
        } else if let Some((outputs, rest)) =
            body.strip_prefix("build ").and_then(|body| body.split_once(':'))
        {
            place = Place::Built;
            let mut words = rest.split_whitespace().map(str::to_owned);
            let rule = words.next().unwrap_or_default();
            let inputs = words.filter(|word| !word.starts_with('|')).collect();
            let outputs = outputs.split_whitespace().map(str::to_owned).collect();
            all.push(Built { outputs, inputs, rule, own: BTreeMap::new() });
        } else {
            place = Place::Other;
            values.extend(pair(body));
        }
    }
    reached(&all, goals)
        .into_iter()
        .filter_map(|built| {
            let rule = rules.get(&built.rule)?;
            let files = [("in", built.inputs.join(" ")), ("out", built.outputs.join(" "))];
            let files = files.map(|(name, value)| (name.to_owned(), value)).into();
            Some(filled(rule.get("command")?, &[&files, &built.own, rule, &values], 0))
        })
        .collect()
}

fn pair(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once('=')?;
    Some((name.trim().to_owned(), value.trim().to_owned()))
}

/// What is built for goals, and what that is built of.
fn reached<'b>(all: &'b [Built], goals: &[&str]) -> Vec<&'b Built> {
    if goals.is_empty() {
        return all.iter().collect();
    }
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, built) in all.iter().enumerate() {
        by_name.extend(built.outputs.iter().map(|output| (output.as_str(), at)));
    }
    let mut wanted: Vec<&str> = goals.to_vec();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some(goal) = wanted.pop() {
        let Some(at) = by_name.get(goal).copied().filter(|at| seen.insert(*at)) else { continue };
        if let Some(built) = all.get(at) {
            wanted.extend(built.inputs.iter().map(String::as_str));
            found.push(built);
        }
    }
    found
}

/// A text with values for `$name` and `${name}`; those that nobody knows are empty.
fn filled(text: &str, values: &[&BTreeMap<String, String>], depth: u32) -> String {
    const MAX_LENGTH: usize = 1 << 12;
    const MAX_DEPTH: u32 = 4;
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "_-".contains(sign);
    let (mut made, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('$') {
        made.push_str(before);
        let (name, behind) = match behind.strip_prefix('{').and_then(|it| it.split_once('}')) {
            Some(found) => found,
            None => behind.split_at(behind.find(|sign| !is_name(sign)).unwrap_or(behind.len())),
        };
        rest = behind;
        match values.iter().find_map(|values| values.get(name)) {
            Some(value) if depth < MAX_DEPTH && made.len() < MAX_LENGTH => {
                made.push_str(&filled(value, values, depth + 1));
            }
            // `$$`, `$ `, `$:`
            None if name.is_empty() => {
                made.extend(rest.chars().next());
                rest =
                    rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
            }
            _ => {}
        }
        if made.len() > MAX_LENGTH {
            return made;
        }
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn what_is_built_runs_the_command_of_its_rule() {
        let text = "d = src\nrule cc\n  command = cc -c $in -o $out\nrule wipe\n  command = rm -rf ${d} $$x $\n y\n\
                    build a.o: cc a.c | b.h\nbuild all: phony a.o\nbuild gone: wipe\n  d = docs\n";
        assert_eq!(lines(text, &["all"]), ["cc -c a.c b.h -o a.o"]);
        assert_eq!(lines(text, &["gone"]), ["rm -rf docs $x   y"]);
        assert_eq!(lines(text, &[]).len(), 2);
    }
}
