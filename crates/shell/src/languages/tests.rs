//! What code is read as, by language and by kind.

use super::{Language, lines};

#[track_caller]
fn check(language: Language, code: &str, expect: &[&str]) {
    let found: Vec<String> = lines(language, code, &[])
        .into_iter()
        .map(|line| line.text.replace('\u{FDD0}', "…"))
        .collect();
    assert_eq!(found, expect, "{code}");
}

#[test]
fn calls_of_python() {
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
    check("open('a.txt', 'w').write('x')", &["printf '%s\\n' 'x' > 'a.txt'"]);
    check("with open(\"a.txt\") as f: print(f.read())", &["< 'a.txt'"]);
    check("Path('a.txt').write_text('x')", &["printf '%s\\n' 'x' > 'a.txt'"]);
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
fn calls_of_javascript() {
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
fn calls_of_others() {
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
    check(
        Language::Ruby,
        "File.write('a', 'b'); File.delete 'c'",
        &["printf '%s\\n' 'b' > 'a'", "rm -- 'c'"],
    );
    check(Language::Php, "shell_exec('rm -rf src'); unlink(\"a\");", &["rm -rf src", "rm -- 'a'"]);
    check(Language::Php, "file_put_contents('a', `ls`);", &["> 'a'", "ls"]);
    check(Language::Lua, "os.execute('rm -rf src') os.remove('a')", &["rm -rf src", "rm -- 'a'"]);
    check(Language::Awk, "BEGIN { system(\"rm -rf src\") }", &["rm -rf src"]);
    check(Language::Awk, "{ print $1 | \"sh -x\" }", &["printf '%s\\n' \"…\" | sh -x"]);
}

#[test]
fn what_is_made_and_changed() {
    let check = |language, code: &str, line: &str| check(language, code, &[line]);
    let python = |code: &str, line: &str| check(Language::Python, code, line);
    python("os.makedirs('a/b', exist_ok=True)", "mkdir -p -- 'a/b'");
    python("Path('a').mkdir(parents=True)", "mkdir -p -- 'a'");
    python("(Path('a') / 'b').touch()", "touch -- 'a/b'");
    python("os.symlink('a', 'b')", "ln -s -- 'a' 'b'");
    python("os.chdir('a'); os.chdir(b)", "cd -- 'a'");
    python("os.chmod('a', 0o777)", "touch -- 'a'");
    python("os.open('a', os.O_CREAT)", "touch -- 'a'");
    python("shutil.unpack_archive('a.zip', 'b')", "tar -x -C 'b'");
    python("zipfile.ZipFile(x).extractall('b')", "tar -x -C 'b'");
    python("urllib.request.urlretrieve(url, 'a')", "> 'a'");
    python("frame.to_csv('a.csv')", "> 'a.csv'");
    python("tarfile.open('a.tgz', 'w:gz')", "> 'a.tgz'");
    let node = |code: &str, line: &str| check(Language::JavaScript, code, line);
    node("require('fs').mkdirSync('a', { recursive: true })", "mkdir -p -- 'a'");
    node("await fs.promises.mkdir('a')", "mkdir -p -- 'a'");
    node("fs.symlinkSync('a', 'b')", "ln -s -- 'a' 'b'");
    node("process.chdir('a')", "cd -- 'a'");
    node("fd = fs.openSync('a', 'w')", "> 'a'");
    let perl = |code: &str, line: &str| check(Language::Perl, code, line);
    perl("mkdir 'a';", "mkdir -p -- 'a'");
    perl("open(F, '>a'); print F 1;", "> 'a'");
    perl("open(my $f, '>>', 'a');", "> 'a'");
    perl("open F, '<a';", "< 'a'");
    perl("chmod 0777, 'a';", "touch -- 'a'");
    check(Language::Ruby, "FileUtils.mkdir_p('a')", "mkdir -p -- 'a'");
    check(Language::Ruby, "f = File.new('a', 'w')", "> 'a'");
    check(Language::Php, "mkdir('a'); ", "mkdir -p -- 'a'");
    check(Language::Lua, "io.output('a')", "> 'a'");
    check(Language::Go, "os.MkdirAll(\"a\", 0o755)", "mkdir -p -- 'a'");
    check(Language::Rust, "fs::create_dir_all(\"a\")", "mkdir -p -- 'a'");
}

#[test]
fn functions_that_are_looked_up() {
    let check = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    check("getattr(os, 'system')('rm -rf src')", &["rm -rf src"]);
    check("getattr(__import__('os'), 'sys' + 'tem')('rm -rf src')", &["rm -rf src"]);
    check("getattr(os, name)('rm -rf src')", &["…"]);
    check("getattr(self, name)('a')", &[]);
    check("getattr(os, 'getcwd')()", &[]);
}

#[test]
fn names_under_other_names() {
    let check = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    let src = &["rm -rf -- 'src'"][..];
    check("import shutil as s; s.rmtree('src')", src);
    check("import os as o; o.system('rm -rf src')", &["rm -rf src"]);
    check("from shutil import rmtree as r; r('src')", src);
    check("from shutil import (\n  move,\n  rmtree as r,\n)\nr('src')", src);
    check("from subprocess import run as r\nr('rm -rf src', shell=True)", &["rm -rf src"]);
    check("from os import system as s; s('rm -rf src')", &["rm -rf src"]);
    check("f=os.system; f('rm -rf src')", &["rm -rf src"]);
    check("__import__('os').system('rm -rf src')", &["rm -rf src"]);
    check("importlib.import_module('shutil').rmtree('src')", src);
    check("o = __import__('os'); o.system('rm -rf src')", &["rm -rf src"]);
    check("from os import remove; remove('a')", &["rm -- 'a'"]);
    // Names of other things.
    check("import mylib as shutil; shutil.rmtree('src')", &[]);
    check("from mylib import system; system('rm -rf src')", &[]);
    check("def system(x): print(x)\nsystem('rm -rf src')", &[]);
    check("# import shutil as s\ns.rmtree('src')", &[]);
    check("items.remove('src'); from x import y as remove; remove('src')", &[]);
}

#[test]
fn names_under_other_names_in_javascript() {
    let check = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    let src = &["rm -rf -- 'src'"][..];
    check("const {rmSync: d} = require('fs'); d('src',{recursive:true})", src);
    check(
        "const {execSync:x}=require(\"child_process\");x(\"git reset --hard\")",
        &["git reset --hard"],
    );
    check("import {rm} from 'node:fs/promises'; await rm('src',{recursive:true})", src);
    check("import {rmSync as d} from 'fs'\nd('src', {recursive: true})", src);
    check("import f, {rmSync as d} from 'fs'\nf.rmSync('src', {recursive: true})", src);
    check("import * as f from 'fs'\nf.rmSync('src', {recursive: true})", src);
    check("import('fs').then(f=>f.rmSync('src',{recursive:true}))", src);
    check("import('fs').then(({rmSync: d}) => d('src',{recursive:true}))", src);
    check("(await import('fs')).rmSync('src',{recursive:true})", src);
    check("const f = require('fs').promises; f.rm('src',{recursive:true})", src);
    check("const {promises: {rm}} = require('fs'); rm('src',{recursive:true})", src);
    check("require('fs-extra').removeSync('src')", src);
    check(
        "const e = require('fs-extra'); e.remove('src'); e.emptyDirSync('a')",
        &["rm -rf -- 'src'", "rm -rf -- 'a'"],
    );
    check("require('rimraf').sync('src')", src);
    check("require('rimraf')('src')", src);
    check("rimraf('src')", src);
    check("const del = require('del'); del('src')", src);
    check("import {deleteSync} from 'del'; deleteSync('src')", src);
    check("let run = require('child_process').execSync; run('git push')", &["git push"]);
    check("const run = promisify(require('child_process').exec); run('git push')", &["git push"]);
    // Names of other things.
    check("const {rm: d} = require('./items'); d('src', {recursive: true})", &[]);
    check("import fs from 'memfs'; fs.rmSync('src', {recursive: true})", &[]);
    check("del('/users/1'); request.del('src')", &[]);
    check("const {exec} = require('./database'); exec('drop table a')", &[]);
}

#[test]
fn code_in_code() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    python("exec('import os; os.system(\"rm -rf src\")')", &["rm -rf src"]);
    python("exec(\"exec('import shutil as s; s.rmtree(1)')\")", &["rm -rf -- \"…\""]);
    python(
        "exec(base64.b64decode('aW1wb3J0IHNodXRpbDsgc2h1dGlsLnJtdHJlZSgnc3JjJyk='))",
        &["rm -rf -- 'src'"],
    );
    python("exec(bytes.fromhex('6f732e72656d6f76652827612729').decode())", &["rm -- 'a'"]);
    python("exec(base64.b64decode(x))", &["…"]);
    python("exec(compile('os.remove(\"a\")', 'x', 'exec'))", &["rm -- 'a'"]);
    python("exec(open('a.py').read())", &["python3 'a.py'", "< 'a.py'"]);
    python("exec('print(1)'); frame.eval('os.system(1)'); '''exec(x)'''", &[]);
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    javascript("eval('fs.rmSync(\"a\")')", &["rm -- 'a'"]);
    javascript("eval(Buffer.from('ZnMucm1TeW5jKCJhIik=','base64')+'')", &["rm -- 'a'"]);
    javascript("eval(Buffer.from('ZnMucm1TeW5jKCJhIik=','base64').toString())", &["rm -- 'a'"]);
    javascript("eval(Buffer.from(x,'base64').toString())", &["…"]);
    javascript("new Function('fs.rmSync(\"a\")')()", &["rm -- 'a'"]);
    javascript("/a/.exec(x); model.eval(y); function f() {}", &[]);
    check(Language::Perl, "eval 'unlink \"a\"'", &["rm -- 'a'"]);
    check(
        Language::Perl,
        "eval { f() }; eval pack(\"H*\", \"756e6c696e6b20226122\")",
        &["rm -- 'a'"],
    );
    check(Language::Perl, "system(pack('H*', '6c73'))", &["ls"]);
    check(Language::Perl, "system(pack('H*', $x))", &["…"]);
}

#[test]
fn what_code_is_told_in_words_behind_it() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    python("import os,sys; os.system(sys.argv[1])", &["eval \"${1}\""]);
    python("os.system(' '.join(sys.argv[1:]))", &["eval \"${*:1}\""]);
    python("subprocess.run(sys.argv[1:])", &["\"${@:1}\""]);
    python("subprocess.call([*sys.argv[2:]])", &["\"${@:2}\""]);
    python("from sys import argv; os.execvp(argv[1], argv[1:])", &["\"${1}\" \"${@:2}\""]);
    python("shutil.rmtree(sys.argv[1])", &["rm -rf -- \"${1}\""]);
    python("for f in sys.argv[1:]: os.remove(f)", &["rm -- \"${@:1}\""]);
    python("import sys; print(sys.argv[1])", &[]);
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    javascript(
        "require('child_process').spawnSync(process.argv[1], process.argv.slice(2))",
        &["\"${1}\" \"${@:2}\""],
    );
    javascript(
        "require('child_process').execSync(process.argv.slice(1).join(' '))",
        &["eval \"${*:1}\""],
    );
    check(Language::Perl, "system(@ARGV)", &["\"${@:1}\""]);
    check(Language::Perl, "system($ARGV[0])", &["eval \"${1}\""]);
    check(Language::Perl, "unlink @ARGV", &["rm -- \"${@:1}\""]);
    check(Language::Ruby, "system(*ARGV)", &["\"${@:1}\""]);
    check(Language::Ruby, "exec ARGV.join(' ')", &["eval \"${*:1}\""]);
    check(Language::Php, "system($argv[1]);", &["eval \"${1}\""]);
}

#[test]
fn what_is_run_is_not_known() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    python("os.system(x)", &["…"]);
    python("os.system(sys.stdin.read())", &["…"]);
    python("subprocess.run(x, shell=True)", &["…"]);
    python("subprocess.run(cmd); subprocess.run([cmd]); Popen(cmd, cwd=x)", &[]);
    python("os.system(' '.join(['rm','-rf','src']))", &["rm -rf src"]);
    python("subprocess.run('rm -rf src'.split())", &["'rm' '-rf' 'src'"]);
    python(
        "subprocess.run(['sh'], input='rm -rf src', text=True)",
        &["printf '%s\\n' 'rm -rf src' | 'sh'"],
    );
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    javascript("exec(x)", &[]);
    javascript("require('child_process').execSync(x)", &["…"]);
    javascript("spawn(cmd); cp.spawn(cmd, args)", &[]);
    check(Language::Perl, "system($x); `$y`", &["…"]);
    check(Language::Perl, "system($x, 'a'); print `ls $y`", &["ls …"]);
    check(Language::Perl, "open my $p,\"|-\",\"sh\"", &["printf '%s\\n' \"…\" | sh"]);
    check(
        Language::Perl,
        "open(P, \"rm -rf src |\"); open(F, '<', 'a')",
        &["rm -rf src ", "< 'a'"],
    );
}

#[test]
fn functions_of_the_code() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    let define = "def sh(c, check=True):\n  r = subprocess.run(c, shell=True)\n  return r\n";
    python(&format!("{define}\nsh('git log')\nc = 'ls'\nsh(c)"), &["git log", "ls"]);
    python(define, &[]);
    python(&format!("{define}\nsh(x)"), &["…"]);
    python("for c in ['ls', 'git push']:\n  os.system(c)", &["ls", "git push"]);
    python("for n, c in [('a', 'ls'), ('b', 'git push')]:\n  os.system(c)", &["ls", "git push"]);
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    let load = "const {execSync} = require('child_process');";
    javascript(&format!("{load} const sh = (c) => execSync(c); sh('git push')"), &["git push"]);
    javascript(&format!("{load} function sh(c) {{ return execSync(c) }} sh('ls')"), &["ls"]);
}

#[test]
fn variables_of_awk() {
    let found = lines(Language::Awk, "BEGIN{system(c)}", &[("c", "rm -rf src")]);
    assert_eq!(found, [super::Line { text: "rm -rf src".to_owned() }]);
    let awk = |code: &str, expect: &[&str]| check(Language::Awk, code, expect);
    awk("BEGIN{print \"rm -rf src\" | \"sh\"}", &["printf '%s\\n' 'rm -rf src' | sh"]);
    awk("BEGIN{print \"rm -rf src\" |& \"sh\"}", &["printf '%s\\n' 'rm -rf src' | sh"]);
    awk("{system($0)}", &["…"]);
    awk("$1 > \"a\" { print $2 >> \"out\"; print }", &["> 'out'"]);
    awk("{ print $1, $2 > \"/dev/stderr\" }", &["> '/dev/stderr'"]);
    awk("/a|b/ { print \"a|b\"; system(\"\") }", &[]);
    awk("$1 ~ \"a\" || \"b\" { print }", &[]);
    awk("BEGIN { c = \"git push\"; c | getline x }", &["git push"]);
    awk("BEGIN { while ((getline x < \"a\") > 0) print x }", &["< 'a'"]);
    awk("BEGIN { getline < \"a\"; if (x < \"b\") print }", &["< 'a'"]);
}

#[test]
fn many_files_are_deleted() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    let below = &["find 'src' -name '*.py' -delete"][..];
    python("[p.unlink() for p in Path('src').rglob('*.py')]", below);
    python("list(map(os.remove, glob.glob('src/*.py')))", below);
    python("for f in glob.glob('src/*.py'):\n  os.remove(f)", below);
    python("for f in sorted(Path('src').glob('*.py')):\n  f.unlink()", below);
    let all = &["find 'src' -mindepth 1 -delete"][..];
    python("for r, d, n in os.walk('src'):\n  for f in n: os.remove(os.path.join(r, f))", all);
    python("for f in os.listdir('src'):\n  os.remove('src/' + f)", all);
    python("for f in os.listdir(d):\n  os.remove(os.path.join(d, f))", &["rm -rf -- \"…\""]);
    python("for f in Path(d).iterdir(): f.unlink()", &["rm -rf -- \"…\""]);
    // Reading, and other things that are called so.
    python("for f in glob.glob('src/*.py'):\n  print(open(f).read()); items.remove(f)", &[]);
    python("print(os.listdir('src')); names = [p.name for p in Path('a').iterdir()]", &[]);
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    javascript("for (const f of fs.readdirSync('src')) fs.unlinkSync('src/'+f)", all);
    javascript("fs.readdirSync('src').forEach(f => fs.unlinkSync(path.join('src', f)))", all);
    javascript("fs.readdirSync('src').forEach(f => console.log(f))", &[]);
    check(Language::Perl, "unlink glob(\"src/*\")", all);
    check(Language::Perl, "unlink <src/*>", all);
    check(Language::Perl, "unlink glob \"src/*\";", all);
    check(Language::Perl, "unlink for glob('src/*')", all);
    check(Language::Perl, "for my $f (glob('src/*')) { unlink $f }", all);
    check(Language::Perl, "while (<STDIN>) { print }", &[]);
    check(
        Language::Php,
        "array_map(\"unlink\", glob(\"src/*.php\"));",
        &["find 'src' -name '*.php' -delete"],
    );
    check(Language::Php, "foreach (glob('src/*') as $f) { unlink($f); }", all);
    check(
        Language::Ruby,
        "Dir.glob(\"src/**/*.rb\").each { |f| File.delete(f) }",
        &["find 'src' -name '*.rb' -delete"],
    );
    check(Language::Ruby, "FileUtils.rm_rf(Dir['src/*'])", all);
    check(Language::Ruby, "Dir.glob('src/*').each { |f| puts f }", &[]);
}

#[test]
fn statements_for_databases() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    python("cur.execute('DROP TABLE users')", &["psql -c 'DROP TABLE users'"]);
    python("cur.execute('SELECT 1'); print('DROP TABLE users')", &[]);
    python("cur.execute(f'DROP TABLE {t}')", &["psql -c 'DROP TABLE x'"]);
    python("cur.execute('TRUNCATE ' + t)", &["psql -c 'TRUNCATE x'"]);
    python("c.execute(sa.text('drop table a'))", &["psql -c 'drop table a'"]);
    python("c.execute(sql.SQL('drop table {}').format(n))", &["psql -c 'drop table x'"]);
    python("pool.execute(x); db.query(y); re.sub('drop table a', '', z)", &[]);
    let open = |name: &str| format!("import sqlite3\nc = sqlite3.connect({name})\n");
    python(&format!("{}c.execute('drop table a')", open("':memory:'")), &[]);
    python(
        &format!("{}c.execute('drop table a')", open("'a.db'")),
        &["sqlite3 'a.db' 'drop table a'"],
    );
    python(
        &format!("{}c.execute('drop table a')", open("tmp_path")),
        &["sqlite3 \"…\" 'drop table a'"],
    );
    python("e = create_engine('sqlite://')\nc.execute('drop table a')", &[]);
    python("db.drop_all()", &["psql -c 'drop table x'"]);
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    javascript("await c.query('TRUNCATE a')", &["psql -c 'TRUNCATE a'"]);
    javascript("await c.query({ text: 'TRUNCATE a' })", &["psql -c 'TRUNCATE a'"]);
    javascript("await sql`drop table ${t}`", &["psql -c 'drop table x'"]);
    javascript("await p.$executeRawUnsafe('drop table a')", &["psql -c 'drop table a'"]);
    javascript("/drop table/.exec('drop table a;'); execute('drop table a')", &[]);
    javascript(
        "const D = require('better-sqlite3'); new D('a.db').exec('drop table a')",
        &["sqlite3 'a.db' 'drop table a'"],
    );
    javascript("const db = new Database(':memory:'); db.exec('drop table a')", &[]);
    check(
        Language::Php,
        "(new PDO('mysql:dbname=a'))->exec('DROP TABLE a');",
        &["psql -c 'DROP TABLE a'"],
    );
    check(
        Language::Perl,
        "DBI->connect('dbi:SQLite:a.db')->do('DROP TABLE a')",
        &["psql -c 'DROP TABLE a'"],
    );
    check(
        Language::Ruby,
        "ActiveRecord::Base.connection.execute('TRUNCATE a')",
        &["psql -c 'TRUNCATE a'"],
    );
}

#[test]
fn libraries_for_git() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    python("import git\ngit.Repo('.').git.reset('--hard')", &["'git' 'reset' '--hard'"]);
    python("repo.git.clean('-fdx')", &["'git' 'clean' '-fdx'"]);
    python("repo.git.branch('a', D=True, force=False)", &["'git' 'branch' '-D' 'a'"]);
    python("git.Repo('.').remotes.origin.pull(); model.reset('--hard')", &[]);
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    let load = "const git = require('simple-git')();";
    javascript(&format!("{load} git.reset(['--hard'])"), &["'git' 'reset' '--hard'"]);
    javascript(&format!("{load} git.reset('hard')"), &["'git' 'reset' '--hard'"]);
    javascript(&format!("{load} git.clean('fd', ['-x'])"), &["'git' 'clean' '-fd' '-x'"]);
    javascript(&format!("{load} git.deleteLocalBranch('a', true)"), &["'git' 'branch' '-D' 'a'"]);
    javascript(&format!("{load} git.status(); git.log()"), &[]);
    javascript("form.reset(['--hard'])", &[]);
}

#[test]
fn names_of_arguments_directories_and_fields() {
    let python = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    python("shutil.rmtree(path='src', ignore_errors=True)", &["rm -rf -- 'src'"]);
    python("subprocess.run(['make', 'x'], cwd='a')", &["cd 'a' && 'make' 'x'"]);
    python("subprocess.run(['make', 'x'], cwd=a)", &["'make' 'x'"]);
    python("subprocess.run('make', shell=True, cwd='a')", &["cd 'a' && make"]);
    python("subprocess.run(['ls'], text=True)", &["'ls'"]);
    let made = &["rm -rf -- '/tmp/mktemp.new'"][..];
    python("self.d = tempfile.mkdtemp()\nshutil.rmtree(self.d)", made);
    python("self.d = x\nself.d = mkdtemp()\nshutil.rmtree(self.d)", &["rm -rf -- \"…\""]);
    python("with TemporaryDirectory() as d:\n  shutil.rmtree(d)", made);
    python("try: f()\nexcept E as d:\n  shutil.rmtree(d)", &["rm -rf -- \"…\""]);
    python("def test_a(tmp_path):\n  shutil.rmtree(tmp_path)", made);
    python("for i in a:\n d = mkdtemp()\n shutil.rmtree(d)\nd = mkdtemp()", made);
    let javascript = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    javascript("cp.execSync('make', { cwd: 'a' })", &["cd 'a' && make"]);
    javascript("this.d = 'src'; fs.rmSync(this.d, {recursive:true})", &["rm -rf -- 'src'"]);
}

#[test]
fn go_and_rust() {
    let go = |code: &str, expect: &[&str]| check(Language::Go, code, expect);
    go("func main() { os.RemoveAll(\"src\") }", &["rm -rf -- 'src'"]);
    go("exec.Command(\"rm\", \"-rf\", \"src\").Run()", &["'rm' '-rf' 'src'"]);
    go("exec.CommandContext(ctx, \"git\", \"log\")", &["'git' 'log'"]);
    go("db.Exec(`DROP TABLE a`)", &["psql -c 'DROP TABLE a'"]);
    go("db.ExecContext(ctx, `DROP TABLE a`)", &["psql -c 'DROP TABLE a'"]);
    go("// os.RemoveAll(\"src\")\nfmt.Println(\"os.RemoveAll\")", &[]);
    let made = &["rm -rf -- '/tmp/mktemp.new'"][..];
    go("d, err := os.MkdirTemp(\"\", \"x\")\ndefer os.RemoveAll(d)", made);
    go(
        "d := t.TempDir()\nos.RemoveAll(filepath.Join(d, \"a\"))",
        &["rm -rf -- '/tmp/mktemp.new/a'"],
    );
    let rust = |code: &str, expect: &[&str]| check(Language::Rust, code, expect);
    rust("fn main() { std::fs::remove_dir_all(\"src\").unwrap(); }", &["rm -rf -- 'src'"]);
    rust("Command::new(\"rm\")\n  .args([\"-rf\", \"src\"]).status()?;", &["'rm' '-rf' 'src'"]);
    rust("Command::new(\"git\").arg(\"log\").current_dir(\"a\");", &["cd 'a' && 'git' 'log'"]);
    rust("fn f<'a>(x: &'a str) { fs::remove_file(\"a\"); }", &["rm -- 'a'"]);
    rust("let d = tempfile::tempdir()?;\nfs::remove_dir_all(d.path())?;", made);
    rust(
        "let d = TempDir::new().unwrap();\nfs::remove_dir_all(d.path().join(\"a\"))?;",
        &["rm -rf -- '/tmp/mktemp.new/a'"],
    );
}

#[test]
fn patterns_hold_no_calls() {
    let perl = |code: &str, expect: &[&str]| {
        let found = lines(Language::Perl, code, &[("_", "\u{FDD3}")]);
        let found: Vec<&str> = found.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(found, expect, "{code}");
    };
    perl("print if /unlink/", &[]);
    perl("s/unlink/rm/g; m{unlink}; tr/unlink/x/; print", &[]);
    perl("next unless m/x/; unlink", &["xargs rm --"]);
    perl("s{a}{b}; unlink", &["xargs rm --"]);
    check(Language::Ruby, "puts $_ if $_ =~ /File.delete('a')/", &[]);
}

#[test]
fn all_arguments_are_one_list() {
    let define = "def run(*a): subprocess.run(a, check=True)\n";
    check(Language::Python, &format!("{define}run('git', 'log')"), &["'git' 'log'"]);
    let define = "const run = (...a) => spawnSync('git', a);";
    check(Language::JavaScript, &format!("{define} run('log', '-1')"), &["'git' 'log' '-1'"]);
    check(
        Language::JavaScript,
        "fs.readdirSync('a').filter(f => f).forEach(f => fs.unlinkSync('a/' + f))",
        &["find 'a' -mindepth 1 -delete"],
    );
}

#[test]
fn what_grows_ends() {
    let doubled = (0..64).map(|n| format!("a{} = a{n} + a{n}\n", n + 1)).collect::<String>();
    let found = lines(Language::Python, &format!("a0 = 'x'\n{doubled}os.system(a64)"), &[]);
    assert_eq!(found, [super::line::opaque()]);
    let nested = (0..12).fold("os.remove('a')".to_owned(), |code, _| format!("exec({code:?})"));
    assert_eq!(lines(Language::Python, &nested, &[]), [super::line::opaque()]);
    for code in [
        "def f(a):",
        "for a in f(a):\n",
        "x.forEach(a=>",
        "import a as b, ",
        "const {a:",
        "a = b = ",
        "exec('",
        "f(f,",
        "a.b(c).",
        "a=a+['x'];a.append(a);",
        "(lambda a:",
        "((a)=>",
        "`${`",
        "f'{f",
        "a['b']",
        "vars(a)['b'](",
        "with patch('a.b'):\n ",
        "map(f,",
        "find(sub {",
        "map {",
        "system {",
        "s/a/s/e",
        "a << a",
        "open('a','w').write('b')",
    ] {
        for language in Language::ALL {
            let _ = lines(*language, &code.repeat(2_000), &[]);
        }
    }
}

#[test]
fn what_is_broken_ends() {
    for code in
        ["open(", "'", "f'{", "system(((((", "`", "[[[[", "Path('a') / ", "x = x = x", "%q", "qw("]
    {
        for language in Language::ALL {
            let _ = lines(*language, code, &[]);
            let _ = lines(*language, &code.repeat(2_000), &[]);
        }
    }
}

mod indirect;
mod javascript;
mod others;
mod python;
mod switches;
mod told;

#[test]
fn servers_are_asked_to_delete() {
    let aws = "aws s3 rm s3://b/ --recursive";
    for (language, code, expect) in [
        (Language::Python, "import boto3\ns3.Bucket('b').objects.filter(Prefix='x').delete()", aws),
        (Language::Python, "import boto3\nbatch.delete_item(Key=k)", "aws api delete-item"),
        (
            Language::JavaScript,
            "require('@aws-sdk/x'); c.send(new DeleteThingCommand({}))",
            "aws api delete-thing",
        ),
        (Language::Python, "from google.cloud import storage\nblob.delete()", "gsutil rm gs://b/o"),
        (Language::Python, "import docker\nc.volumes.prune()", "docker volume prune -f"),
        (Language::Python, "import docker\nx.remove(force=True)", "docker rm -f x"),
        (Language::JavaScript, "p.user.deleteMany({})", "psql -c 'delete from x'"),
        (Language::JavaScript, "p.user.deleteMany({ where: {} })", "psql -c 'delete from x'"),
        (Language::Php, "Order::query()->delete();", "psql -c 'delete from x'"),
        (Language::Ruby, "Redis.new.flushdb", "redis-cli flushdb"),
        (Language::Python, "requests.delete('https://a.io/1')", "curl -X DELETE 'https://a.io/1'"),
        (
            Language::Python,
            "requests.request('DELETE', url='https://a.io/1')",
            "curl -X DELETE 'https://a.io/1'",
        ),
        (
            Language::JavaScript,
            "fetch('https://a.io/1', { method: 'delete' })",
            "curl -X DELETE 'https://a.io/1'",
        ),
        (
            Language::JavaScript,
            "axios({ method: 'DELETE', url: 'https://a.io/1' })",
            "curl -X DELETE 'https://a.io/1'",
        ),
    ] {
        let lines: Vec<String> = lines(language, code, &[]).into_iter().map(|l| l.text).collect();
        assert!(lines.iter().any(|line| line == expect), "{code}: {lines:?}");
    }
    for (language, code) in [
        (Language::Python, "items.delete(x)"),
        (Language::Python, "import docker\nitems.remove(x)"),
        (Language::Python, "import boto3\ndelete_old()"),
        (Language::Python, "client.delete('/users/1')"),
        (Language::JavaScript, "p.user.deleteMany({ where: { id: 1 } })"),
        (Language::JavaScript, "fetch('https://a.io/1', { method: 'GET' })"),
        (Language::Php, "DB::table('a')->where('id', 1)->delete();"),
    ] {
        assert_eq!(lines(language, code, &[]), [], "{code}");
    }
}

#[test]
fn files_are_emptied_many_at_a_time() {
    let find = "find 'docs' -name '*.md' -exec truncate -s 0 {} +";
    for (language, code) in [
        (Language::Python, "for f in glob.glob('docs/*.md'): open(f, 'w').close()"),
        (
            Language::Python,
            "for f in glob.glob('docs/*.md'):\n    with open(f, 'w'):\n        pass\n",
        ),
        (Language::Python, "for f in glob.glob('docs/*.md'):\n    open(f, 'w')\n"),
        (Language::Python, "for f in Path('docs').glob('*.md'): f.write_text('')"),
        (Language::Python, "for f in glob.glob('docs/*.md'): os.truncate(f, 0)"),
        (Language::JavaScript, "for (const f of globSync('docs/*.md')) fs.writeFileSync(f, '')"),
        (Language::JavaScript, "for (const f of globSync('docs/*.md')) fs.truncateSync(f)"),
        (
            Language::JavaScript,
            "for (const f of globSync('docs/*.md')) fs.closeSync(fs.openSync(f, 'w'))",
        ),
        (Language::Ruby, "Dir['docs/*.md'].each { |f| File.write(f, '') }"),
    ] {
        let lines: Vec<String> = lines(language, code, &[]).into_iter().map(|l| l.text).collect();
        assert!(lines.iter().any(|line| line == find), "{code}: {lines:?}");
    }
    for (language, code) in [
        (
            Language::Python,
            "for f in glob.glob('docs/*.md'):\n    h = open(f, 'w')\n    h.write(x)\n",
        ),
        (Language::Python, "for f in glob.glob('docs/*.md'): f.write_text(x)"),
        (Language::Python, "for f in glob.glob('docs/*.md'): os.truncate(f, 10)"),
        (Language::JavaScript, "for (const f of globSync('docs/*.md')) fs.writeFileSync(f, text)"),
    ] {
        let lines: Vec<String> = lines(language, code, &[]).into_iter().map(|l| l.text).collect();
        assert!(lines.iter().all(|line| !line.contains("truncate")), "{code}: {lines:?}");
    }
}

#[test]
fn what_functions_are_given_is_known_through_those_that_call_them() {
    for (language, code, expect) in [
        (
            Language::Python,
            "def wipe(d):\n    shutil.rmtree(d)\ndef test_x(tmp_path):\n    wipe(tmp_path)\n",
            "rm -rf -- '/tmp/mktemp.new'",
        ),
        (
            Language::Go,
            "func wipe(d string) { os.RemoveAll(d) }\nfunc TestX(t *testing.T) { wipe(t.TempDir()) }",
            "rm -rf -- '/tmp/mktemp.new'",
        ),
        (
            Language::Go,
            "func wipe(d string) error { return os.RemoveAll(d) }\nfunc main() { wipe(\"src\") }",
            "rm -rf -- 'src'",
        ),
        (
            Language::Rust,
            "fn wipe(d: &Path) { fs::remove_dir_all(d).unwrap(); }\nfn t() { let d = tempfile::tempdir().unwrap(); wipe(d.path()); }",
            "rm -rf -- '/tmp/mktemp.new'",
        ),
        (
            Language::Rust,
            "fn wipe<P: AsRef<Path>>(d: P) { fs::remove_dir_all(d).unwrap(); }\nfn t() { wipe(\"src\"); }",
            "rm -rf -- 'src'",
        ),
        (
            Language::Rust,
            "let d = std::env::temp_dir().join(\"x\"); fs::remove_dir_all(&d).unwrap();",
            "rm -rf -- '/tmp/mktemp.new/x'",
        ),
    ] {
        let lines: Vec<String> = lines(language, code, &[]).into_iter().map(|l| l.text).collect();
        assert!(lines.iter().any(|line| line == expect), "{code}: {lines:?}");
        assert!(!lines.iter().any(|line| line.contains('\u{FDD0}')), "{code}: {lines:?}");
    }
}

#[test]
fn texts_are_put_together_as_the_code_does() {
    for (language, code) in [
        (Language::Python, "os.system(chr(114) + 'm -rf src')"),
        (Language::Python, "os.system(''.join(map(chr, [114, 109])) + ' -rf src')"),
        (Language::Python, "os.system(''.join(chr(ord(c) - 1) for c in 'sn') + ' -rf src')"),
        (Language::Python, "os.system('crs fr- mr'[::-1])"),
        (Language::Python, "os.system('zzrm -rf src'[2:])"),
        (Language::Python, "s = 'xyrm'\nos.system(s[2] + s[-1] + ' -rf src')"),
        (Language::Python, "os.system('%c%c -rf %s' % (114, 109, 'src'))"),
        (Language::Python, "os.system('{}m -{}f src'.format('r', 'r'))"),
        (Language::Python, "os.system(f'{chr(114)}m -rf src')"),
        (Language::Python, "os.system(codecs.decode('ez -es fep', 'rot13'))"),
        (Language::Python, "os.system('\\162\\x6d -rf src')"),
        (Language::Python, "getattr(os, 'metsys'[::-1])('rm -rf src')"),
        (Language::Python, "__import__('so'[::-1]).system('rm -rf src')"),
        (Language::JavaScript, "cp.execSync(String.fromCharCode(114, 109) + ' -rf src')"),
        (Language::JavaScript, "cp.execSync('crs fr- mr'.split('').reverse().join(''))"),
        (
            Language::JavaScript,
            "cp.execSync([114, 109].map(c => String.fromCharCode(c)).join('') + ' -rf src')",
        ),
        (Language::JavaScript, "cp.execSync((27).toString(36) + 'm -rf src')"),
        (Language::JavaScript, "require(['child', 'process'].join('_')).execSync('rm -rf src')"),
        (Language::Perl, "system(chr(114) . 'm -rf src')"),
        (Language::Perl, "system(scalar reverse 'crs fr- mr')"),
        (Language::Perl, "system(join('', map { chr } 114, 109) . ' -rf src')"),
        (Language::Ruby, "system('crs fr- mr'.reverse)"),
        (Language::Ruby, "system([114, 109].pack('c*') + ' -rf src')"),
        (Language::Ruby, "send('metsys'.reverse, 'rm -rf src')"),
        (Language::Php, "system(strrev('crs fr- mr'));"),
        (Language::Php, "$f = strrev('metsys'); $f('rm -rf src');"),
        (Language::Lua, "os.execute(string.char(114, 109) .. ' -rf src')"),
        (Language::Lua, "os.execute('\\114m -rf src')"),
        (Language::Awk, "BEGIN { system(sprintf(\"%c\", 114) \"m -rf src\") }"),
    ] {
        check(language, code, &["rm -rf src"]);
    }
}

#[test]
fn what_is_made_of_constants_otherwise_is_not_known() {
    for (language, code) in [
        (Language::Python, "subprocess.run([zlib.decompress(b'x'), '-rf', 'src'])"),
        (Language::Python, "os.system('ab'.translate({97: 114}) + ' -rf src')"),
        (Language::Python, "getattr(os, zlib.decompress(b'x'))('rm -rf src')"),
        (Language::Python, "operator.methodcaller('system', 'rm -rf src')(os)"),
        (Language::Python, "os.system('\\N{LATIN SMALL LETTER R}m -rf src')"),
        (Language::Python, "os.system(x + ' -rf src')"),
        (Language::JavaScript, "cp.execSync('xm'.replace(/x/g, 'r') + ' -rf src')"),
        (
            Language::JavaScript,
            "this[unescape('ab'.repeat(2) + x)]; cp.spawnSync('ab'.padEnd(3), ['-rf'])",
        ),
        (Language::Perl, "$c = 'ez'; $c =~ tr/a-z/n-za-m/; system($c)"),
        (Language::Awk, "BEGIN { c = \"xm\"; gsub(/x/, \"r\", c); system(c) }"),
    ] {
        check(language, code, &["…"]);
    }
}

#[test]
fn what_comes_from_outside_stays_as_it_is() {
    for code in [
        "subprocess.run([tool, '-q'])",
        "subprocess.run([os.environ['X'], '-q'])",
        "subprocess.run([shutil.which('a'), '-q'])",
        "for t in sys.argv: print(t[::-1])",
        "print(getattr(os, name))",
        "importlib.import_module(name).run()",
    ] {
        check(Language::Python, code, &[]);
    }
    let python = |code: &str, expect: &str| check(Language::Python, code, &[expect]);
    python("subprocess.run([sys.executable, '-m', 'pytest'])", "'python3' '-m' 'pytest'");
    python("c = ['a', 'b']\nc.reverse()\nsubprocess.run(c)", "'b' 'a'");
    // What a name is set to twice, or is given, is not what it was first.
    python("x = 'a'\nx = chr(98)\nos.system(x + 'c')", "…");
    python("x = 'a'\ndef f(x): os.system('echo ' + chr(98) + x)\nf('c')", "echo bc");
    python("x = chr(97)\nfor x in y: os.system('echo ' + x)", "echo …");
}

#[test]
fn much_that_is_put_together_costs_little() {
    let deep = format!("os.system({}'a'{})", "chr(".repeat(2_000), ")".repeat(2_000));
    let wide = format!("os.system({}x)", "'a' + chr(98) + ".repeat(2_000));
    let long = format!("x = 'a' * 9999999999\nos.system({})", "['b'*9999]*".repeat(500));
    for code in [&deep, &wide, &long] {
        lines(Language::Python, code, &[]);
    }
}
