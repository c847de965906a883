//! What code in other languages runs and does with files, as far as a reader without its libraries can tell: calls of
//! well-known functions with constant arguments. Each becomes a line of shell that does the same, so that what is said
//! of commands and files holds for it.
//!
//! Knows languages, and no programs: which program runs code of which language, [`Knowledge`](super::Knowledge) says.
//! Runs nothing, follows no control flow, and leaves out what it cannot name; only a directory tree that is deleted is
//! told even if nobody knows which.

mod calls;
mod scan;
mod token;
mod value;

use super::kinds::kinds;

kinds! {
    /// A language whose code a program runs.
    Language {
        /// None that is known.
        Unknown = "none",
        /// Python.
        Python = "python",
        /// JavaScript and TypeScript, with the libraries of Node.js, Deno and Bun.
        JavaScript = "javascript",
        /// Perl.
        Perl = "perl",
        /// Ruby.
        Ruby = "ruby",
        /// PHP.
        Php = "php",
        /// Lua.
        Lua = "lua",
        /// AWK.
        Awk = "awk",
        /// Rules of `make`, whose recipes are lines of shell.
        Make = "make",
        /// Tables of `cron`, which name lines of shell.
        Cron = "cron",
    }
}

#[allow(clippy::derivable_impls, reason = "the kinds are declared by one macro, without a default")]
impl Default for Language {
    fn default() -> Self {
        Self::Unknown
    }
}

/// No more lines come out of one piece of code.
const MAX_LINES: usize = 256;

/// A line of shell that does what a call does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text, with [`HOLE`](super::HOLE) for what is not known, which is taken for a word.
    pub text: String,
}

/// Returns what code runs and does with files, in the order of its calls.
pub fn lines(language: Language, code: &str) -> Vec<Line> {
    let Some(syntax) = token::syntax(language) else { return Vec::new() };
    let tokens = token::tokens(syntax, code);
    let mut found = scan::calls(language, &tokens);
    found.truncate(MAX_LINES);
    found
}

#[cfg(test)]
mod tests {
    use super::{Language, lines};

    #[track_caller]
    fn check(language: Language, code: &str, expect: &[&str]) {
        let found: Vec<String> = lines(language, code)
            .into_iter()
            .map(|line| line.text.replace('\u{FDD0}', "…"))
            .collect();
        assert_eq!(found, expect, "{code}");
    }

    #[test]
    fn python() {
        let check = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
        check("import os; os.system('rm -rf src')", &["rm -rf src"]);
        check("os.system(f'rm -rf {x}')", &["rm -rf …"]);
        check("os.system('rm -rf ' + x)", &["rm -rf …"]);
        check("subprocess.run(['rm', '-rf', 'src'], check=True)", &["'rm' '-rf' 'src'"]);
        check("subprocess.run(\n  [\"git\", \"push\", branch],\n)", &["'git' 'push' \"…\""]);
        check("subprocess.check_output('git log', shell=True)", &["git log"]);
        check("from subprocess import run\nrun(['rm', x])", &["'rm' \"…\""]);
        check("subprocess.run(cmd)", &[]);
        check("import shutil\nshutil.rmtree('src')", &["rm -rf -- 'src'"]);
        check("shutil.rmtree(p)", &["rm -rf -- \"…\""]);
        check("p = 'src'\nshutil.rmtree(p)", &["rm -rf -- 'src'"]);
        check("p = Path('a') / 'b'\nshutil.rmtree(p)", &["rm -rf -- 'a/b'"]);
        check("p = 'a'\np = q\nshutil.rmtree(p)", &["rm -rf -- \"…\""]);
        check("d = tempfile.mkdtemp()\nshutil.rmtree(d)", &["rm -rf -- '/tmp/mktemp.new'"]);
        check("os.remove('a.txt'); os.unlink(x)", &["rm -- 'a.txt'"]);
        check("open('a.txt', 'w').write('x')", &["> 'a.txt'"]);
        check("with open(\"a.txt\") as f: print(f.read())", &["< 'a.txt'"]);
        check("Path('a.txt').write_text('x')", &["> 'a.txt'"]);
        check(
            "p = Path('a.txt')\ntext = p.read_text()\np.write_text(text)",
            &["< 'a.txt'", "> 'a.txt'"],
        );
        check("os.rename('a', 'b')", &["mv -- 'a' 'b'"]);
        check("shutil.rmtree(os.path.join(os.path.expanduser('~'), 'x'))", &["rm -rf -- ~/'x'"]);
        check("# os.system('rm -rf src')\nprint(\"os.system('rm')\")", &[]);
        check("'''\nos.system('rm -rf src')\n'''", &[]);
        check("def rmtree(path): pass\nx.remove('a'); items.remove('b')", &[]);
        check("os.execvp('rm', ['rm', '-rf', 'src'])", &["'rm' '-rf' 'src'"]);
        check("pty.spawn(['rm', '-rf', 'src'])", &["'rm' '-rf' 'src'"]);
    }

    #[test]
    fn javascript() {
        let check = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
        check("require('fs').rmSync('src', { recursive: true })", &["rm -rf -- 'src'"]);
        check("fs.rmSync('a.txt')", &["rm -- 'a.txt'"]);
        check("const { execSync } = require('child_process'); execSync('git push')", &["git push"]);
        check("require(\"child_process\").exec(`rm -rf ${dir}`)", &["rm -rf …"]);
        check("/a'b/.exec('rm -rf src')", &[]);
        check("cp.spawnSync('rm', ['-rf', 'src'])", &["'rm' '-rf' 'src'"]);
        check("spawn('rm -rf src', { shell: true })", &["rm -rf src"]);
        check("fs.writeFileSync('a.txt', x)", &["> 'a.txt'"]);
        check("await fs.promises.readFile('.env')", &["< '.env'"]);
        check("await $`rm -rf ${x}`", &["rm -rf …"]);
        check("new Deno.Command('rm', { args: ['-rf', 'src'] })", &["'rm' '-rf' 'src'"]);
        check("Deno.removeSync('src', {recursive: true})", &["rm -rf -- 'src'"]);
        check("Bun.spawn(['rm', 'a'])", &["'rm' 'a'"]);
        check("// fs.rmSync('x')\n/* fs.rmSync('x') */", &[]);
        check(
            "const d = path.join('a', 'b'); fs.rmdirSync(d, { recursive: true })",
            &["rm -rf -- 'a/b'"],
        );
        check("a.remove('x'); map.delete('y')", &[]);
    }

    #[test]
    fn others() {
        check(Language::Perl, "system(\"rm -rf src\");", &["rm -rf src"]);
        check(Language::Perl, "system 'rm', '-rf', $x;", &["'rm' '-rf' \"…\""]);
        check(
            Language::Perl,
            "my $x = `rm -rf src`; unlink 'a', 'b';",
            &["rm -rf src", "rm -- 'a' 'b'"],
        );
        check(Language::Perl, "use File::Path; rmtree(\"src\")", &["rm -rf -- 'src'"]);
        check(Language::Perl, "system(qw(rm -rf src))", &["'rm' '-rf' 'src'"]);
        check(Language::Perl, "print \"system('rm')\"; # `rm`", &[]);
        check(Language::Ruby, "`rm -rf src`", &["rm -rf src"]);
        check(Language::Ruby, "require 'fileutils'; FileUtils.rm_rf('src')", &["rm -rf -- 'src'"]);
        check(Language::Ruby, "FileUtils.rm_rf \"src/#{x}\"", &["rm -rf -- \"src/…\""]);
        check(
            Language::Ruby,
            "system('rm', '-rf', 'src'); %x(git push)",
            &["'rm' '-rf' 'src'", "git push"],
        );
        check(Language::Ruby, "File.write('a', 'b'); File.delete 'c'", &["> 'a'", "rm -- 'c'"]);
        check(
            Language::Php,
            "shell_exec('rm -rf src'); unlink(\"a\");",
            &["rm -rf src", "rm -- 'a'"],
        );
        check(Language::Php, "file_put_contents('a', `ls`);", &["> 'a'", "ls"]);
        check(
            Language::Lua,
            "os.execute('rm -rf src') os.remove('a')",
            &["rm -rf src", "rm -- 'a'"],
        );
        check(Language::Awk, "BEGIN { system(\"rm -rf src\") }", &["rm -rf src"]);
        check(Language::Awk, "{ print $1 | \"sh -x\" }", &["sh -x"]);
    }

    #[test]
    fn what_is_broken_ends() {
        for code in [
            "open(",
            "'",
            "f'{",
            "system(((((",
            "`",
            "[[[[",
            "Path('a') / ",
            "x = x = x",
            "%q",
            "qw(",
        ] {
            for language in Language::ALL {
                let _ = lines(*language, code);
                let _ = lines(*language, &code.repeat(2_000));
            }
        }
    }
}
