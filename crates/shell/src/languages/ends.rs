//! Where code ends before its text does, and what stands between its statements: `__END__`, documentation of Perl and Ruby.
//! Only where nothing before it may be a text that goes on: what is not certain is code.

use std::borrow::Cow;

use super::language::Language;

/// Signs and names that make it uncertain where texts begin and end.
const UNCERTAIN: [&str; 13] =
    ["<<", "$'", "$\"", "$`", "&'", "?'", "?\"", "#{", "format", "%q", "%Q", "%w", "%x"];

/// Names by which code reads what stands behind its end, or its own text.
const READING: [&str; 8] =
    ["DATA", "__FILE__", "$0", "ARGF", "STDIN", "<>", "SelfLoader", "AUTOLOAD"];

/// What runs a text that was read.
const RUNNING: [&str; 9] =
    ["eval", "system", "exec", "`", "qx", "open", "do ", "require", "instance_"];

/// Returns the code without what is none.
pub fn code_of(language: Language, code: &str) -> Cow<'_, str> {
    let mays = ["\n=", "__END__", "__DATA__"];
    let is_one = matches!(language, Language::Perl | Language::Ruby);
    // `(\n__END__\n=> 1)` is a name.
    let is_one = is_one && !code.contains("\n=>");
    if !is_one || !(code.starts_with('=') || mays.iter().any(|sign| code.contains(sign))) {
        return Cow::Borrowed(code);
    }
    let mut kept = String::with_capacity(code.len());
    let (mut is_plain, mut is_document) = (true, false);
    // The last sign of the code so far.
    let mut last = ';';
    for line in code.split_inclusive('\n') {
        let own = line.strip_suffix('\n').unwrap_or(line);
        if is_document {
            is_document = !ends(language, own);
            continue;
        }
        if is_plain && begins(language, own) && (language == Language::Ruby || last == ';') {
            is_document = true;
            continue;
        }
        if is_plain && is_end(language, own) && !reads_on(&kept) {
            break;
        }
        is_plain = is_plain && is_closed(own);
        let code = own.trim();
        last = match code.chars().next_back() {
            None => last,
            Some(_) if code.starts_with('#') => last,
            // A comment may stand behind what goes on.
            Some(_) if code.contains('#') => ' ',
            Some(sign) => sign,
        };
        kept.push_str(line);
    }
    Cow::Owned(kept)
}

fn is_end(language: Language, line: &str) -> bool {
    line == "__END__" || language == Language::Perl && line == "__DATA__"
}

/// Whether a line begins documentation.
fn begins(language: Language, line: &str) -> bool {
    let Some(word) = line.strip_prefix('=') else { return false };
    match language {
        Language::Ruby => word == "begin" || word.starts_with("begin "),
        _ => word.starts_with(|sign: char| sign.is_ascii_alphabetic()) && !word.starts_with("cut"),
    }
}

fn ends(language: Language, line: &str) -> bool {
    let Some(word) = line.strip_prefix('=') else { return false };
    let end = if language == Language::Ruby { "end" } else { "cut" };
    word.strip_prefix(end)
        .is_some_and(|rest| !rest.starts_with(|sign: char| sign.is_alphanumeric()))
}

/// Whether code may run what it reads behind its end.
fn reads_on(code: &str) -> bool {
    let has = |signs: &[&str]| signs.iter().any(|sign| code.contains(sign));
    has(&READING) && (has(&RUNNING) || !code.contains("DATA"))
}

/// Whether no text that begins on a line goes on behind it, as far as can be told without a doubt.
fn is_closed(line: &str) -> bool {
    if UNCERTAIN.iter().any(|sign| line.contains(sign)) || has_own_quotes(line) {
        return false;
    }
    let mut signs = line.chars().peekable();
    let mut before = ' ';
    while let Some(sign) = signs.next() {
        match sign {
            '#' if before.is_whitespace() || before == ';' => return true,
            // It may be a division, or begin an expression with quotes in it.
            '#' | '/' => return !line.contains(['\'', '"', '`', '/']) && sign == '#',
            '\'' | '"' | '`'
                if before.is_alphanumeric()
                    || "$@&%<".contains(before)
                    || !closes(sign, &mut signs) =>
            {
                return false;
            }
            _ => {}
        }
        before = sign;
    }
    true
}

/// Goes on behind the end of a text in quotes, if it ends.
fn closes(quote: char, signs: &mut impl Iterator<Item = char>) -> bool {
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => {
                signs.next();
            }
            sign if sign == quote => return true,
            _ => {}
        }
    }
    false
}

/// Whether a line may hold a text between signs of its own: `q{…}`, `s|…|…|`.
fn has_own_quotes(line: &str) -> bool {
    const NAMES: [&str; 9] = ["q", "qq", "qw", "qx", "qr", "m", "s", "y", "tr"];
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut rest = line;
    let mut before = ' ';
    while let Some(at) = rest.find(is_name) {
        before = rest.get(..at).and_then(|part| part.chars().next_back()).unwrap_or(before);
        let behind = rest.get(at..).unwrap_or_default();
        let end = behind.find(|sign| !is_name(sign)).unwrap_or(behind.len());
        let (name, behind) = behind.split_at(end);
        let is_plain_list = name == "qw"
            && behind.strip_prefix('(').is_some_and(|list| {
                list.split_once(')').is_some_and(|(list, _)| !list.contains(['(', '\\']))
            });
        if NAMES.contains(&name) && !"$@%&".contains(before) && !is_plain_list {
            return true;
        }
        before = name.chars().next_back().unwrap_or(before);
        rest = behind;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Language, code_of};

    #[test]
    fn what_is_no_code_is_left_out_where_that_is_certain() {
        for (language, code, kept) in [
            (Language::Perl, "print 1;\n__END__\nf();\n", "print 1;\n"),
            (Language::Perl, "a();\n\n=pod\n\nf();\n\n=cut\nb();\n", "a();\n\nb();\n"),
            (Language::Perl, "=head1 X\nf()\n=cut\na;\n", "a;\n"),
            (Language::Ruby, "=begin\nf\n=end\na\n", "a\n"),
            (Language::Ruby, "a\n__END__\nf\n", "a\n"),
            (
                Language::Perl,
                "use X qw(a b);\nprint <DATA>;\n__DATA__\nf\n",
                "use X qw(a b);\nprint <DATA>;\n",
            ),
        ] {
            assert_eq!(code_of(language, code), kept, "{code}");
        }
    }

    #[test]
    fn what_may_be_code_stays() {
        for (language, code) in [
            (Language::Perl, "$x = '\n__END__\n'; f();\n"),
            (Language::Perl, "$x = <<T;\n__END__\nT\nf();\n"),
            (Language::Perl, "$x = q^\n__END__\n^; f();\n"),
            (Language::Perl, "$x = q{ {}\n__END__\n}; f();\n"),
            (Language::Perl, "$i++ / \"a/\n__END__\n\"; f();\n"),
            (Language::Perl, "$x = $' . '\n__END__\n'; f();\n"),
            (Language::Perl, "$x = '\"' . \"\n__END__\n\"; f();\n"),
            (Language::Perl, "$x = 1\n=cut\nf();\n"),
            (Language::Perl, "$x #;\n=head\n; f();\n"),
            (Language::Perl, "(\n__END__\n=> 1); f();\n"),
            (Language::Ruby, "x = \"#{\"\n=begin\n\"}\"\nf\n"),
            (Language::Perl, "eval <DATA>;\n__DATA__\nf();\n"),
            (Language::Perl, "system($_) while <STDIN>;\n__END__\nf\n"),
            (Language::Perl, "m#\"#; $x = '#' . \"\n__END__\n\"; f();\n"),
            (Language::Ruby, "x = <<T\n=begin\nT\nf\n"),
            (Language::Ruby, "x = 1\n =begin = 2\nf\n"),
            (Language::Ruby, "x = %q(\n=begin\n)\nf\n"),
            (Language::Ruby, "x = ?\" + \"\n=begin\n\"\nf\n"),
            (Language::Ruby, "eval DATA.read\n__END__\nf\n"),
            (Language::Python, "a\n__END__\n"),
        ] {
            assert_eq!(code_of(language, code), code);
        }
    }
}
