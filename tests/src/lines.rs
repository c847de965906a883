//! A grammar of command lines for bash, around a command that is watched for: ways to hide a word, ways to run a
//! command, and ways to have it stand there as a text that nobody runs. Makes lines, runs nothing.

/// Numbers that are the same for the same start.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers that begin with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end.max(1)
    }

    /// One of several texts.
    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.get(self.below(of.len())).copied().unwrap_or_default()
    }
}

/// The programs that are watched for.
pub const WATCHED: &[&str] = &["rm", "ls", "git"];

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its text.
    pub text: String,
    /// Whether everything in it is run that can be read as a command.
    pub is_exact: bool,
}

/// What makes a word: commands before it, and what stands in its place.
struct Hidden {
    before: String,
    used: String,
}

fn hidden(before: impl Into<String>, used: impl Into<String>) -> Hidden {
    Hidden { before: before.into(), used: used.into() }
}

/// A line around a command that is watched for.
pub fn line(random: &mut Random) -> Line {
    let program = random.pick(WATCHED);
    let operands = random.pick(&["-rf build", "push --force", "-l", "-r a b", "'a b' c"]);
    let mut line = match random.below(6) {
        0 => text_only(random, program, operands),
        1 => shadowed(random, program, operands),
        2 => parameters(random, program, operands),
        _ => {
            let Hidden { before, used } = hide(random, program);
            let command = format!("{used} {operands}");
            Line { text: around(random, &before, &command), is_exact: true }
        }
    };
    // What is a line by itself may stand in another.
    for _ in 0..random.below(3) {
        line = nested(random, line);
    }
    line
}

/// A word that comes out as `word`, where all that it is made of is constant.
fn hide(random: &mut Random, word: &str) -> Hidden {
    match random.below(4) {
        0 => hide_by_operator(random, word),
        1 => hide_in_list(random, word),
        2 => hide_by_reading(random, word),
        _ => hide_by_quoting(random, word),
    }
}

fn hide_by_operator(random: &mut Random, word: &str) -> Hidden {
    let n = random.pick(&["a", "b", "c"]);
    let (head, tail) = word.split_at(1);
    match random.below(30) {
        0 => hidden(format!("{n}={word};"), format!("${n}")),
        1 => hidden(format!("{n}=x{word};"), format!("${{{n}#x}}")),
        2 => hidden(format!("{n}=xx-{word};"), format!("${{{n}##*-}}")),
        3 => hidden(format!("{n}={word}.x;"), format!("${{{n}%.*}}")),
        4 => hidden(format!("{n}={word}.x.y;"), format!("${{{n}%%.*}}")),
        5 => hidden(format!("{n}={head}Z{tail};"), format!("${{{n}/Z/}}")),
        6 => hidden(format!("{n}={head}ZZ{tail};"), format!("${{{n}//Z}}")),
        7 => hidden(format!("{n}=Q{tail};"), format!("${{{n}/#Q/{head}}}")),
        8 => hidden(format!("{n}={head}Q;"), format!("${{{n}/%Q/{tail}}}")),
        9 => hidden(format!("{n}=__{word}__;"), format!("${{{n}:2:{}}}", word.len())),
        10 => hidden(format!("{n}=__{word};"), format!("${{{n}:2}}")),
        11 => hidden(format!("{n}=__{word};"), format!("${{{n}: -{}}}", word.len())),
        12 => hidden(format!("{n}={};", word.to_uppercase()), format!("${{{n},,}}")),
        13 => hidden(format!("{n}={};", word.to_uppercase()), format!("${{{n}@L}}")),
        14 => hidden(format!("{n}=;"), format!("${{{n}:-{word}}}")),
        15 => hidden(format!("{n}=;"), format!("${{{n}:={word}}}")),
        16 => hidden(format!("{n}=1;"), format!("${{{n}:+{word}}}")),
        17 => hidden(format!("{n}={head}; {n}+={tail};"), format!("${n}")),
        18 => hidden(format!("{n}=9{word};"), format!("${{{n}#[0-9]}}")),
        19 => hidden(format!("{n}=ab{word};"), format!("${{{n}##[ab]*b}}")),
        20 => hidden(format!("{n}={word};"), format!("${{{n}:?no}}")),
        21 => hidden(format!("{n}={word}; {n}=${{{n}}}Z;"), format!("${{{n}%Z}}")),
        22 => hidden(format!("a={word}; b=a;"), "${!b}"),
        23 => hidden(format!("{n}={word}; ({n}=echo);"), format!("${n}")),
        24 => hidden(format!("{n}=q; {n}={word};"), format!("\"${n}\"")),
        25 => hidden(format!("declare {n}={word};"), format!("${n}")),
        26 => hidden(format!("export {n}={word};"), format!("\"${{{n}}}\"")),
        27 => hidden(format!("readonly r{n}={word};"), format!("$r{n}")),
        28 => hidden(format!("{n}={tail};"), format!("{head}${n}")),
        _ => hidden(format!("{n}={head}; x={tail};"), format!("${n}$x")),
    }
}

fn hide_in_list(random: &mut Random, word: &str) -> Hidden {
    let n = random.pick(&["a", "b", "c"]);
    match random.below(22) {
        0 => hidden(format!("set -- {word};"), "$1"),
        1 => hidden(format!("set -- x {word};"), "${2}"),
        2 => hidden(format!("set -- x {word}; shift;"), "\"$@\""),
        3 => hidden(format!("set -- x y {word}; shift 2;"), "$*"),
        4 => hidden(format!("{n}=({word} x);"), format!("${n}")),
        5 => hidden(format!("{n}=(x {word});"), format!("${{{n}[1]}}")),
        6 => hidden(format!("{n}=(x {word});"), format!("\"${{{n}[@]:1:1}}\"")),
        7 => hidden(format!("{n}=(x {word});"), format!("${{{n}[-1]}}")),
        8 => hidden(format!("{n}[1]={word};"), format!("${{{n}[1]}}")),
        9 => hidden(format!("{n}=([1]={word} [0]=x);"), format!("${{{n}[1]}}")),
        10 => hidden(format!("i=1; {n}=(x {word});"), format!("${{{n}[i]}}")),
        11 => hidden(format!("declare -A m{n}; m{n}[k]={word};"), format!("${{m{n}[k]}}")),
        12 => hidden(format!("declare -A m{n}=([j]=x [k]={word});"), format!("${{m{n}[k]}}")),
        13 => hidden(format!("declare -a {n}=(x {word});"), format!("${{{n}[1]}}")),
        14 => hidden(format!("{n}=({word});"), format!("${{{n}[*]}}")),
        15 => hidden(format!("{n}=(x); {n}+=({word});"), format!("\"${{{n}[1]}}\"")),
        16 => hidden(format!("{n}=(x{word});"), format!("\"${{{n}[@]#x}}\"")),
        17 => hidden(format!("{n}=(q x); {n}[0]={word};"), format!("${{{n}[0]}}")),
        18 => hidden(format!("IFS=,; {n}=x,{word}; set -- ${n};"), "$2"),
        19 => hidden(format!("IFS=:; {n}={word}:; set -- ${n}; unset IFS; "), "$1"),
        20 => hidden(format!("{n}=(x {word}); {n}=(\"${{{n}[@]:1}}\");"), format!("${n}")),
        _ => hidden(format!("{n}=({word} y); set -- \"${{{n}[@]}}\";"), "$1"),
    }
}

fn hide_by_reading(random: &mut Random, word: &str) -> Hidden {
    let n = random.pick(&["a", "b", "c"]);
    let (head, tail) = word.split_at(1);
    let turned: String = word.chars().rev().collect();
    match random.below(24) {
        0 => hidden(format!("read {n} <<< {word};"), format!("${n}")),
        1 => hidden(format!("read -r x {n} <<< 'y {word}';"), format!("${n}")),
        2 => hidden(format!("read -a {n} <<< 'y {word}';"), format!("${{{n}[1]}}")),
        3 => hidden(format!("IFS=, read x {n} <<< y,{word};"), format!("${n}")),
        4 => hidden(format!("read {n} < <(echo {word});"), format!("${n}")),
        5 => hidden(format!("printf -v {n} %s {word};"), format!("${n}")),
        6 => hidden(format!("printf -v {n} '%s%s' {head} {tail};"), format!("${n}")),
        7 => hidden(format!("printf -v {n} '{}';", octal(word)), format!("${n}")),
        8 => hidden(format!("mapfile -t {n} <<< {word};"), format!("${{{n}[0]}}")),
        9 => hidden(format!("mapfile -t {n} < <(echo x; echo {word});"), format!("${{{n}[1]}}")),
        10 => hidden(format!("readarray {n} <<< {word};"), format!("${n}")),
        11 => hidden("", format!("$(echo {word})")),
        12 => hidden("", format!("$(printf %s {word})")),
        13 => hidden("", format!("`echo {word}`")),
        14 => hidden("", format!("$(printf '{}')", hexadecimal(word))),
        15 => hidden("", format!("$(echo {turned} | rev)")),
        16 => hidden("", format!("$(echo {} | tr A-Z a-z)", word.to_uppercase())),
        17 => hidden("", format!("$(echo {} | base64 -d)", base64(word))),
        18 => hidden(format!("{n}=$(echo {word});"), format!("${n}")),
        19 => hidden(format!("{n}=$(tr -d _ <<< _{word}_);"), format!("${n}")),
        20 => hidden(format!("x=$(echo {head}); {n}=${{x}}{tail};"), format!("${n}")),
        21 => hidden(format!("{n}=\"$(echo -n {word})\";"), format!("\"${n}\"")),
        22 => hidden(format!("IFS=- read {n} x <<< {word}-y;"), format!("\"${n}\"")),
        _ => hidden(format!("read {n} x <<< '  {word}   y ';"), format!("${n}")),
    }
}

fn hide_by_quoting(random: &mut Random, word: &str) -> Hidden {
    let (head, tail) = word.split_at(1);
    let used = match random.below(10) {
        0 => word.to_owned(),
        1 => format!("\\{word}"),
        2 => format!("'{word}'"),
        3 => format!("\"{head}\"{tail}"),
        4 => format!("{head}''{tail}"),
        5 => format!("$'{}'", octal(word)),
        6 => format!("$'{}'", hexadecimal(word)),
        7 => format!("$\"{word}\""),
        8 => format!("{head}\\\n{tail}"),
        _ => format!("{head}$'{}'", octal(tail)),
    };
    hidden("", used)
}

fn octal(word: &str) -> String {
    word.bytes().map(|byte| format!("\\{byte:03o}")).collect()
}

fn hexadecimal(word: &str) -> String {
    word.bytes().map(|byte| format!("\\x{byte:02x}")).collect()
}

/// A text in the code of `base64`.
#[must_use]
pub fn base64(text: &str) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for part in text.as_bytes().chunks(3) {
        let byte = |at: usize| u32::from(part.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let sign = SIGNS.get((bits >> (18 - 6 * at)) as usize & 63).copied();
            let is_there = at as usize <= part.len();
            out.push(if is_there { char::from(sign.unwrap_or(b'=')) } else { '=' });
        }
    }
    out
}

/// Commands around one, which run it.
fn around(random: &mut Random, before: &str, command: &str) -> String {
    match random.below(42) {
        0 => format!("f() {{ {before} {command}; }}; f"),
        1 => format!("{before} if true; then {command}; fi"),
        2 => format!("{before} true && {command}"),
        3 => format!("{before} false || {command}"),
        4 => format!("{before} for i in 1; do {command}; done"),
        5 => format!("{before} for i in 1 2; do {command}; done"),
        6 => format!("{before} while {command}; do break; done"),
        7 => format!("{before} until {command}; do break; done"),
        8 => format!("{before} case x in x) {command};; esac"),
        9 => format!("{before} ({command})"),
        10 => format!("{before} {{ {command}; }}"),
        11 => format!("{before} ! {command}"),
        12 => format!("{before} time {command}"),
        13 => format!("{before} : \"$({command})\""),
        14 if !command.contains('`') => {
            format!("{before} x=`{}`", command.replace('\\', "\\\\"))
        }
        15 => format!("{before} cat <({command})"),
        16 => format!("{before} {command} | cat"),
        17 => format!("{before} echo | {command}"),
        18 => format!("{before} {command} > out 2>&1"),
        19 => format!("{before} {command} & wait"),
        20 => format!("{before} coproc {{ {command}; }}; wait"),
        21 => format!("{before} [[ x ]] && {command}"),
        22 => format!("{before} ((1)) && {command}"),
        23 => format!("{before} command {command}"),
        24 => format!("{before} env {command}"),
        25 => format!("{before} exec {command}"),
        26 => format!("{before} timeout 5 {command}"),
        27 => format!("{before} nice {command}"),
        28 => format!("{before} eval {command}"),
        29 => format!("{before} if false; then :; else {command}; fi"),
        30 => format!("{before} if false; then :; elif true; then {command}; fi"),
        31 => format!("{before} [ a = b ] || {command}"),
        32 => format!("{before} true && false || {command}"),
        33 => format!("{before} false && true || {command}"),
        34 => format!("{before} D=1; [ \"$D\" = 1 ] && {command}"),
        35 => format!("{before} (exit 0); {command}"),
        36 => format!("{before} f() {{ return; :; }}; f; {command}"),
        37 => format!("{before} for i in 1; do break; done; {command}"),
        38 => format!("{before} false | true && {command}"),
        39 => format!("{before} [ -f none ] && D=1; [ -n \"$D\" ] || {command}"),
        40 => match random.below(4) {
            0 => format!("false() {{ true; }}; {before} false && {command}"),
            1 => format!("{before} for i in 1 2; do false && {command}; false() {{ true; }}; done"),
            2 => format!("{before} if false & then {command}; fi"),
            _ => format!("{before} f() {{ false && {command}; }}; false() {{ true; }}; f"),
        },
        _ => format!("{before} {command}"),
    }
}

/// A program as a parameter of a function, a script or a loop.
fn parameters(random: &mut Random, program: &str, operands: &str) -> Line {
    let command = format!("{program} {operands}");
    let text = match random.below(24) {
        0 => format!("f() {{ $1 {operands}; }}; f {program}"),
        1 => format!("f() {{ \"$@\"; }}; f {command}"),
        2 => format!("f() {{ shift; $1 {operands}; }}; f x {program}"),
        3 => format!("f() {{ local c=$1; $c {operands}; }}; f {program}"),
        4 => format!("bash -c '\"$@\"' _ {command}"),
        5 => format!("bash -c '$0 $1' {command}"),
        6 => format!("bash -c 'shift; \"$@\"' _ x {command}"),
        7 => format!("bash -s -- {command} <<< '\"$@\"'"),
        8 => format!("c={program} bash -c '$c -l'"),
        9 => format!("for c in {program} {program}; do $c {operands}; done"),
        10 => format!("for c in '{program} -l' {program}; do $c x; done"),
        11 => format!("set -- {program} {program}; for c; do $c {operands}; done"),
        12 => format!("while read c; do $c {operands}; done <<< {program}"),
        13 => format!("while read -r c d; do $c $d; done < <(echo {program} x; echo {program} y)"),
        14 => format!("echo {program} | while read c; do $c {operands}; done"),
        15 => format!("echo x | xargs -I% {program} % -l"),
        16 => format!("echo a b | xargs {program} -r"),
        17 => {
            format!("alias q={program}\nshopt -s expand_aliases\nalias q={program}\nq {operands}")
        }
        18 => format!("f() {{ g \"$@\"; }}; g() {{ \"$@\"; }}; f {command}"),
        19 => format!("f() {{ for c in \"$@\"; do $c -l; done; }}; f {program} {program}"),
        20 => format!("x=({command}); \"${{x[@]}}\""),
        21 => format!("x='{program} -l'; $x"),
        22 => format!("IFS=,; x={program},-l,b; $x"),
        _ => format!("IFS=_; set -- {program}_-l_b; $1"),
    };
    // What an alias stands for is listed where it is set, too.
    let is_exact = !text.starts_with("alias");
    Line { text, is_exact }
}

/// A function that stands before a program, and what looks past it.
fn shadowed(random: &mut Random, program: &str, operands: &str) -> Line {
    let shadow = format!("{program}() {{ :; }};");
    let command = format!("{program} {operands}");
    let (text, is_exact) = match random.below(18) {
        0 | 1 => (format!("{shadow} {command}"), true),
        2 => (format!("{shadow} command {command}"), true),
        3 => (format!("{shadow} unset -f {program}; {command}"), true),
        4 => (format!("{shadow} unset {program}; {command}"), true),
        5 => (format!("({shadow}); {command}"), true),
        6 => (format!("{shadow} ({command})"), true),
        7 => (format!("{shadow} eval '{command}'").replace("''", "' '"), true),
        8 => (format!("{shadow} env {command}"), true),
        9 => (format!("{shadow} bash -c \"{command}\""), true),
        10 => (format!("{shadow} echo x | {command}"), true),
        11 => (format!("if false; then {shadow} fi; {command}"), true),
        12 => (format!("{command}; {shadow}"), true),
        13 => (format!("{shadow} x=$({command})"), true),
        14 => (format!("{program}() {{ command {program} \"$@\"; }}; {command}"), true),
        15 => (format!("f() {{ {shadow} }}; {command}"), true),
        16 => (format!("f() {{ {shadow} }}; f; {command}"), false),
        _ => (format!("true && {shadow} {command}"), false),
    };
    Line { text, is_exact }
}

/// A command that stands there as a text, and that nobody runs.
fn text_only(random: &mut Random, program: &str, operands: &str) -> Line {
    let operands = operands.replace('\'', "");
    let command = format!("{program} {operands}");
    let form = random.below(42);
    let text = match form {
        0 => format!("echo {command}"),
        1 => format!("echo '{command}' > notes"),
        2 => format!("printf '%s\\n' '{command}'"),
        3 => format!(": # {command}"),
        4 => format!("cat <<E\n{command}\nE"),
        5 => format!("cat <<'E' > notes\n$({command})\nE"),
        6 => format!("x='{command}'; echo \"$x\""),
        7 => format!("[[ '{command}' == x ]]"),
        8 => format!("[ '{command}' = x ]"),
        9 => format!("case '{command}' in x) ;; esac"),
        10 => format!("read x <<< '{command}'"),
        11 => format!("x=({command}); echo ${{#x[@]}}"),
        12 => format!("echo \"\\$({command})\""),
        13 => format!("echo '`{command}`'"),
        14 => format!("echo x | cat - ; : '; {command}'"),
        15 => format!("printf -v x %s '{command}'"),
        16 => format!("for x in {command}; do echo $x; done"),
        17 => format!("echo \"{command}; {command}\""),
        18 => format!("echo x\\; {command}"),
        19 => format!("echo '{command}' | cat"),
        20 => format!("echo '{command}' | tr a-z A-Z | cat"),
        21 => format!("f() {{ echo \"$@\"; }}; f {command}"),
        22 => format!("bash -c 'echo \"$@\"' _ {command}"),
        23 => format!("set -- {command}; echo \"$#\""),
        24 => format!("cat <<< '{command}'"),
        25 => format!("echo '{command}' > f; cat f"),
        26 => format!("printf 'all:\\n\\techo x\\nclean:\\n\\t{command}\\n' > mk; echo mk"),
        27 => format!("x=$(echo '{command}'); echo \"$x\""),
        28 => format!("trap '{command}' USR1; trap - USR1"),
        29 => format!("false && {command}"),
        30 => format!("true || {command}; echo x"),
        31 => format!("if false; then {command}; else echo x; fi"),
        32 => format!("if true; then echo x; elif x; then {command}; else {command}; fi"),
        33 => format!("[ a = b ] && {command}; echo x"),
        34 => format!("D=; [ -n \"$D\" ] && {command}"),
        35 => format!("((0)) && {command}"),
        36 => format!("[[ a == b ]] && {command}"),
        37 => format!("exit 0; {command}"),
        38 => format!("(exit; {command}); echo x"),
        39 => format!("for x in; do {command}; done"),
        40 => format!("for x in a b; do continue; {command}; done"),
        _ => format!("declare -A m=([k]='{command}'); echo ${{m[k]}}"),
    };
    // A handler is listed where it is set; and what is never reached, where a text that is run stands around it, since
    // names may mean something else there.
    let is_exact = !(28..=40).contains(&form);
    Line { text, is_exact }
}

/// A line in another.
fn nested(random: &mut Random, line: Line) -> Line {
    let Line { text, is_exact } = line;
    let single = format!("'{}'", text.replace('\'', "'\\''"));
    let double = ["\\", "\"", "$", "`"]
        .iter()
        .fold(text.clone(), |text, sign| text.replace(sign, &format!("\\{sign}")));
    // Two lines do not write the same file, and do not end the same text.
    let n = random.below(100_000);
    // What a text within a text knows of functions stays there.
    let is_exact = is_exact && !(text.contains("() {") && text.contains("eval '"));
    let form = random.below(22);
    // What a shell does at its end sets nothing more to be done there.
    let is_exact = is_exact && !(form == 12 && text.contains("trap "));
    let text = match form {
        0 => format!("bash -c {single}"),
        1 => format!("bash -c \"{double}\""),
        2 => format!("eval {single}"),
        3 => format!("bash <<< {single}"),
        4 => format!("bash <<'E{n}'\n{text}\nE{n}"),
        5 => format!("printf %s {single} | bash"),
        6 => format!("printf %s {single} > s{n}; bash s{n}"),
        7 => format!("cat > s{n} <<'E{n}'\n{text}\nE{n}\nbash s{n}"),
        8 => format!("printf %s {single} > s{n}; chmod +x s{n}; ./s{n}"),
        9 => format!("printf %s {single} | tee s{n} > t; . ./s{n}"),
        10 => format!("source <(printf %s {single})"),
        11 => format!("bash <(printf %s {single})"),
        12 => format!("trap {single} EXIT"),
        13 => format!("x={single}; eval \"$x\""),
        14 => format!("x={single}; bash -c \"$x\""),
        15 => format!("printf %s {} | base64 -d | bash", base64(&text)),
        // Without the blank, `((` may begin an arithmetic expression, as which bash refuses what goes over lines.
        16 => format!("( {text}\n)"),
        17 => format!("{{ {text}\n}}"),
        18 => format!("env X=1 bash -c {single}"),
        19 => format!("printf %s {single} > s{n}; cp s{n} t{n}; bash t{n}"),
        20 => format!("{{ printf %s {single}; echo; }} > s{n}; bash s{n}"),
        _ => format!("f{n}() {{\n{text}\n}}\nf{n}"),
    };
    Line { text, is_exact }
}
