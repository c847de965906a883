//! Calls that name no function where they stand: what is looked up, kept, read back, run later.

use super::{Language, check};

const OPAQUE: &[&str] = &["…"];
const RM: &[&str] = &["rm -rf src"];
const SRC: &[&str] = &["rm -rf -- 'src'"];

#[test]
fn what_python_keeps_and_looks_up() {
    let check = |code: &str, expect: &[&str]| check(Language::Python, code, expect);
    check("import shutil; [shutil.rmtree][0]('src')", SRC);
    check("import shutil; d = {'a': shutil.rmtree}; d['a']('src')", SRC);
    check("from importlib import import_module as i; i('shutil').rmtree('src')", SRC);
    check("import sys; getattr(sys.modules['shutil'], 'rmtree')('src')", SRC);
    check("from functools import partial as p; import os; f = p(os.system, 'rm -rf src')", RM);
    check("class T:\n  def __del__(self, s=__import__('shutil')): s.rmtree('src')", SRC);
    check("ctypes.CDLL(None)['system'](b'rm -rf src')", RM);
    check("l = ctypes.CDLL(None); l.execlp(b'rm', b'rm', b'-rf', b'src')", &["'rm' '-rf' 'src'"]);
    check("next(f for n, f in vars(shutil).items() if n.startswith('rmt'))('src')", OPAQUE);
    check("for n, f in vars(os).items():\n  if n == 'system': f('rm -rf src')", OPAQUE);
    check("import pickle; pickle.loads(b'cos\\nsystem\\n.')", OPAQUE);
    check("import types, marshal; types.FunctionType(marshal.loads(x), globals())()", OPAQUE);
    // Only listed, read, or kept.
    check("print([n for n in vars(shutil) if n.startswith('rm')])", &[]);
    check("import pickle; pickle.loads(pickle.dumps([1])); pickle.loads(x)", &[]);
    check("compile(text, 'a.py', 'exec'); json.loads('{}'); f(x)(y)", &[]);
    check("d = {'a': shutil.rmtree}; print(d)", &[]);
}

#[test]
fn what_javascript_runs_elsewhere() {
    let check = |code: &str, expect: &[&str]| check(Language::JavaScript, code, expect);
    let context =
        "vm.runInNewContext('f.rmSync(d, {recursive: true})', {f: require('fs'), d: 'src'})";
    check(context, SRC);
    check(
        "new vm.Script('r(\"fs\").rmSync(\"src\", {recursive: true})').runInNewContext({r: require})",
        SRC,
    );
    check("vm.runInThisContext('r => r(\"fs\").rmSync(\"src\", {recursive: true})')(require)", SRC);
    check("(() => {}).constructor('require(\"fs\").rmSync(\"src\", {recursive: true})')()", SRC);
    check("module.constructor._load('fs').rmSync('src', {recursive: true})", SRC);
    check("Reflect.get(require('fs'), 'rmSync')('src', {recursive: true})", SRC);
    check("const b = fs.rmSync.bind(null, 'src', {recursive: true}); b()", SRC);
    check("import('fs').then(({default: f}) => f.rmSync('src', {recursive: true}))", SRC);
    check("process.binding('fs').rmdir('src')", OPAQUE);
    check("vm.runInNewContext('x + 1', {x: 1}); this.constructor(x)", &[]);
    check("class A { constructor(a) { super(a) } }", &[]);
}

#[test]
fn what_others_call_by_a_name() {
    for (language, code, expect) in [
        (Language::Perl, "&{\"CORE::system\"}('rm -rf src')", RM),
        (Language::Perl, "File::Path->can('rmtree')->('src')", SRC),
        (Language::Perl, "my $m = File::Path->can('rmtree'); $m->('src')", SRC),
        (Language::Perl, "'x' =~ /(?{system 'rm -rf src'})/", RM),
        (Language::Perl, "my %h = (a => sub { print 1 }); $h{a}->('src')", &[]),
        (Language::Ruby, "method(:system).('rm -rf src')", RM),
        (Language::Ruby, "method(:system)['rm -rf src']", RM),
        (Language::Ruby, "Kernel.instance_method(:system).bind(self).call('rm -rf src')", RM),
        (Language::Ruby, "Kernel.const_get(:FileUtils).rm_rf('src')", SRC),
        (Language::Ruby, "FileUtils.method(:rm_rf).to_proc.call('src')", SRC),
        (Language::Ruby, "instance_eval('system(\"rm -rf src\")')", RM),
        (Language::Ruby, "Kernel.const_get(:String).new('x'); x.method(:y)", &[]),
        (Language::Php, "(new ReflectionFunction('system'))->invoke('rm -rf src');", RM),
        (Language::Php, "Closure::fromCallable('system')('rm -rf src');", RM),
        (Language::Php, "create_function('', 'system(\"rm -rf src\");');", RM),
        (Language::Php, "ob_start('system'); echo 'rm -rf src';", OPAQUE),
        (Language::Php, "include 'data://text/plain;base64,PD9w';", OPAQUE),
        (Language::Php, "include 'a.php'; require('b.php');", &[]),
        (Language::Php, "usort($a, 'strcmp'); ob_start();", &[]),
        (Language::Awk, "BEGIN { f = \"system\"; @f(\"rm -rf src\") }", RM),
        (Language::Awk, "BEGIN { while ((\"rm -rf src\") | getline l) print l }", RM),
        (Language::Awk, "BEGIN { x = \"src\"; system(\"rm -rf \" x) }", RM),
        (Language::Lua, "require('ffi').C.system('rm -rf src')", RM),
    ] {
        check(language, code, expect);
    }
}

#[test]
fn scripts_of_tcl() {
    let check = |code: &str, expect: &[&str]| check(Language::Tcl, code, expect);
    let words = &["'rm' '-rf' 'src'"][..];
    check("set c rm; exec $c -rf src", words);
    check("set c [string reverse mr]; exec $c -rf src", words);
    check("set x exec; $x rm -rf src", words);
    check("set cmd {exec rm -rf src}; eval $cmd", words);
    check("if {1} {\n  exec rm -rf src\n}", words);
    check("after 10 {exec rm -rf src}", words);
    check("interp alias {} x {} exec; x rm -rf src", words);
    check("puts [subst {[exec rm -rf src]}]", words);
    check("exec sh << \"rm -rf src\"", &["printf '%s\\n' 'rm -rf src' | 'sh'"]);
    check("open \"|rm -rf src\"", RM);
    check("file delete -force src", SRC);
    check("proc k {d} {file delete -force $d}; k src", SRC);
    check("foreach d {a b} {file delete -force $d}", &["rm -rf -- 'a'", "rm -rf -- 'b'"]);
    check("foreach f [glob src/*] {file delete $f}", &["find 'src' -mindepth 1 -delete"]);
    check("exec [binary scan x y] -rf src", OPAQUE);
    // Not called, only shown, or no program.
    check("proc k {} {file delete -force src}; puts hi", &[]);
    check("puts {exec rm -rf src}; # exec rm -rf src", &[]);
    check("$obj configure -x 1; set l [glob src/*]; puts \"$l [llength $l]\"", &[]);
    check("foreach f [glob src/*] {set o [open $f w]; puts $o x; close $o}", &[]);
    check("{", &[]);
    check("\"\\", &[]);
    check("exec [", &["'['"]);
}
