//! What Python is read as.

use super::{Language, lines};

#[track_caller]
fn check(code: &str, expect: &[&str]) {
    let found: Vec<String> = lines(Language::Python, code, &[])
        .into_iter()
        .map(|line| line.text.replace('\u{FDD0}', "…"))
        .collect();
    assert_eq!(found, expect, "{code}");
}

#[test]
fn lists_grow() {
    let rm = &["'rm' '-rf' 'src'"][..];
    check("cmd=['rm']; cmd+=['-rf','src']; subprocess.run(cmd)", rm);
    check("cmd=['rm']; cmd.append('-rf'); cmd.append('src'); subprocess.run(cmd)", rm);
    check("cmd=['rm']\ncmd.extend(['-rf', 'src'])\nsubprocess.run(cmd)", rm);
    check("cmd=['-rf']\ncmd.insert(0, 'rm')\ncmd += ['src']\nsubprocess.run(cmd)", rm);
    check("subprocess.run(['rm','-rf']+['src'])", rm);
    check("a=['-rf']; cmd=['rm']+a+['src']; subprocess.run(cmd)", rm);
    check("cmd=['rm']; cmd=cmd+['-rf','src']; subprocess.run(cmd)", rm);
    check("cmd=['rm', *['-rf'], 'src']; subprocess.run(cmd)", rm);
    check("c='rm'; c+=' -rf src'; os.system(c)", &["rm -rf src"]);
    check(
        "c=['git']\nfor a in ['push', '-f']:\n  c.append(a)\nsubprocess.run(c)",
        &["'git' \"…\""],
    );
    check("def f(c):\n  c = c + ['src']\n  subprocess.run(c)\nf(['rm', '-rf'])", rm);
    // Of two commands under one name each is run.
    check(
        "c=['git', 'log']\nsubprocess.run(c)\nc=['rm', 'a']\nsubprocess.run(c)",
        &["'git' 'log'", "'rm' 'a'", "'git' 'log'", "'rm' 'a'"],
    );
    // A list that is only printed, and one that other things are put into.
    check("cmd=['rm']; cmd+=['-rf','src']; print(cmd)", &[]);
    check("names=['a']; names.append('rm -rf src'); print(' '.join(names))", &[]);
    check("cmd=['git','log']; cmd.append('-1'); subprocess.run(cmd)", &["'git' 'log' '-1'"]);
}

#[test]
fn values_in_texts() {
    check("c='rm'; os.system(f'{c} -rf src')", &["rm -rf src"]);
    check("c='rm'; d='src'; os.system(f'{c} -rf {d}')", &["rm -rf src"]);
    check("c=['rm', '-rf']; os.system(f\"{' '.join(c)} src\")", &["rm -rf src"]);
    check("os.system(f'rm -rf {x!r:>8}')", &["rm -rf …"]);
    check("d='src'; shutil.rmtree(f'{d}/a')", &["rm -rf -- 'src/a'"]);
    check("print(f\"{os.system('rm -rf src')}\")", &["rm -rf src"]);
    check("def f(c):\n  os.system(f'{c} -rf src')\nf('rm')\nc='ls'", &["rm -rf src"]);
    check("c='rm'; print(f'{c} -rf src')", &[]);
    check("c='rm'; os.system(f'echo {{c}}')", &["echo {c}"]);
}

#[test]
fn what_is_read_line_by_line() {
    let rm = &["xargs rm --"][..];
    check("[os.remove(l.strip()) for l in sys.stdin]", rm);
    check("for l in sys.stdin:\n  os.remove(l.strip())", rm);
    check("for l in sys.stdin:\n  l = l.strip()\n  os.remove(l)", rm);
    check("for l in sys.stdin:\n  l = l.rstrip('\\n')\n  if l: os.unlink(l)", rm);
    check("for l in sys.stdin.read().splitlines(): os.remove(l)", rm);
    check("for l in sys.stdin.read().split(): os.remove(l)", rm);
    check("for l in fileinput.input(): os.remove(l.strip())", rm);
    check("for l in open(0).readlines(): os.remove(l.strip())", rm);
    check("for l in sys.stdin: os.remove('src/' + l.strip())", &["xargs -I '{}' rm -- 'src/{}'"]);
    check("for l in sys.stdin: shutil.rmtree(l.strip())", &["xargs rm -rf --"]);
    check(
        "for l in sys.stdin: subprocess.run(['rm', '-rf', l])",
        &["xargs -I '{}' 'rm' '-rf' '{}'"],
    );
    check("for l in sys.stdin: print(l.strip())", &[]);
    check("import json,sys; d = json.load(sys.stdin); print(d['rm'])", &[]);
    check("n = sum(1 for l in sys.stdin if 'rm' in l); print(n)", &[]);
}

#[test]
fn what_programs_are_given_to_read() {
    let sh = &["printf '%s\\n' 'rm -rf src\n' | 'sh'"][..];
    check("p=subprocess.Popen(['sh'],stdin=subprocess.PIPE); p.communicate(b'rm -rf src')", sh);
    check("subprocess.Popen(['sh'],stdin=PIPE).communicate(input=b'rm -rf src')", sh);
    check("p=Popen(['sh'],stdin=PIPE)\np.stdin.write('rm -rf src')\np.stdin.close()", sh);
    check("subprocess.run(['sh'], input='ls')", &["printf '%s\\n' 'ls' | 'sh'"]);
    check("Popen(['ls']).communicate()", &["'ls'"]);
    check("sys.stdout.write('rm -rf src'); f.write('rm -rf src')", &[]);
}

#[test]
fn functions_that_are_passed_on() {
    let src = &["rm -rf -- 'src'"][..];
    check("functools.partial(shutil.rmtree,'src')()", src);
    check("threading.Thread(target=shutil.rmtree, args=('src',)).start()", src);
    check("multiprocessing.Process(target=shutil.rmtree, args=['src']).start()", src);
    check("atexit.register(shutil.rmtree, 'src')", src);
    check("from shutil import rmtree\natexit.register(rmtree, 'src')", src);
    check("threading.Timer(1, shutil.rmtree, ['src']).start()", src);
    check("await asyncio.to_thread(shutil.rmtree, 'src')", src);
    check("executor.submit(shutil.rmtree, 'src')", src);
    check("list(map(os.remove, ['a', 'b']))", &["rm -- 'a'", "rm -- 'b'"]);
    check("pool.starmap(shutil.rmtree, [('src', True)])", src);
    check("list(map(Path.unlink, [Path('a')]))", &["rm -- 'a'"]);
    check("list(map(os.remove, map(str.strip, sys.stdin)))", &["xargs rm --"]);
    check("(lambda o: o.system('rm -rf src'))(__import__('os'))", &["rm -rf src"]);
    // Only named, or passed on to what calls nothing.
    check("print(shutil.rmtree, 'src'); help(os.remove)", &[]);
    check("threading.Thread(target=main, args=('src',)).start()", &[]);
    check("atexit.register(print, 'src'); d = {'rm': shutil.rmtree}", &[]);
    check("executor.submit(fetch, 'src'); map(str, ['rm -rf src'])", &[]);
}

#[test]
fn unusual_spelling() {
    let rm = &["rm -rf src"][..];
    check("os.__dict__['system']('rm -rf src')", rm);
    check("vars(os)['system']('rm -rf src')", rm);
    check("getattr(os,'sys'+'tem')('rm -rf src')", rm);
    check("sys.modules['os'].system('rm -rf src')", rm);
    check("f = getattr(os, 'system'); f('rm -rf src')", rm);
    check("import ctypes; ctypes.CDLL(None).system(b'rm -rf src')", rm);
    check("libc = ctypes.CDLL('libc.so.6'); libc.system(b'rm -rf src')", rm);
    let src = &["rm -rf -- 'src'"][..];
    check("code.InteractiveConsole().push('import shutil; shutil.rmtree(\"src\")')", src);
    check("d = {'system': 'rm -rf src'}; print(d['system'])", &[]);
    check("items['rmtree']('src'); platform.system()", &[]);
}

#[test]
fn libraries_that_run_programs() {
    check("import sh\nsh.rm('-rf', 'src')", &["'rm' '-rf' 'src'"]);
    check("from sh import rm\nrm('-rf', 'src')", &["'rm' '-rf' 'src'"]);
    check("import sh\nsh.git.push('--force')", &["'git' 'push' '--force'"]);
    check("import sh\nsh.bash('-c', 'rm -rf src')", &["'bash' '-c' 'rm -rf src'"]);
    check("sh.rm('-rf', 'src')", &[]);
    check("import git\ngit.Repo('.').remote().push(force=True)", &["'git' 'push' '--force'"]);
    check("r=git.Repo('.'); r.remotes.origin.push(force=True)", &["'git' 'push' '--force'"]);
    check(
        "r=git.Repo('.'); r.head.reset('HEAD~1',working_tree=True)",
        &["'git' 'reset' '--hard' 'HEAD~1'"],
    );
    check("r=git.Repo('.'); r.head.reset('HEAD~1')", &[]);
    check("r=git.Repo('.'); r.delete_head('a', force=True)", &["'git' 'branch' '-D' 'a'"]);
    check("model.head.reset('x', working_tree=True)", &[]);
    check("runpy.run_path('/tmp/z.py')", &["python3 '/tmp/z.py'"]);
    check("runpy.run_module('a.b')", &["python3 -m 'a.b'"]);
}

#[test]
fn mocks_do_nothing() {
    let code = "with m.patch('shutil.rmtree') as r:\n    shutil.rmtree('src')\nprint(r.called)";
    check(code, &[]);
    check("with patch.object(shutil, 'rmtree'):\n    shutil.rmtree('src')", &[]);
    check("@patch('os.remove')\ndef test_a(m):\n    os.remove('a')\n", &[]);
    // Behind it the function is itself.
    check("with patch('os.remove'):\n    pass\nos.remove('a')", &["rm -- 'a'"]);
    check("with patch('os.remove'):\n    shutil.rmtree('src')", &["rm -rf -- 'src'"]);
}

#[test]
fn what_is_written_in_a_file() {
    check("open('z.sh','w').write('ls')", &["printf '%s\\n' 'ls' > 'z.sh'"]);
    check(
        "with open('z.py','w') as f: f.write('ls')\nrunpy.run_path('z.py')",
        &["printf '%s\\n' 'ls' > 'z.py'", "python3 'z.py'"],
    );
    check("open('z.sh','w').write(x)", &["> 'z.sh'"]);
}
