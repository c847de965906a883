//! What JavaScript is read as.

use super::{Language, lines};

#[track_caller]
fn check(code: &str, expect: &[&str]) {
    let found: Vec<String> = lines(Language::JavaScript, code, &[])
        .into_iter()
        .map(|line| line.text.replace('\u{FDD0}', "…"))
        .collect();
    assert_eq!(found, expect, "{code}");
}

const SRC: &[&str] = &["rm -rf -- 'src'"];
const LINE: &[&str] = &["rm -rf src"];

#[test]
fn options_in_variables() {
    check("const o={recursive:true};require('fs').rmSync('src',o)", SRC);
    check(
        "const fs=require('fs'); const opts = { recursive: true, force: true }; fs.rmSync('src', opts)",
        SRC,
    );
    check("const o = {}; o.recursive = true; fs.rmSync('src', o)", SRC);
    check("fs.rmSync('src', Object.assign({}, {recursive:true}))", SRC);
    check("const o={recursive:true}; fs.rmSync('src', {...o, force: true})", SRC);
    check("fs.rmSync('src', {...{recursive:true}})", SRC);
    check("const recursive=true; fs.rmSync('src', {recursive})", SRC);
    check("function del(p, o) { fs.rmSync(p, o) } del('src', {recursive: true})", SRC);
    // Nobody knows which they are.
    check("fs.rmSync('src', options)", SRC);
    check("const s = {shell: true}; spawn('rm -rf src', s)", LINE);
    check("const o={recursive:false}; fs.rmSync('a', o)", &["rm -- 'a'"]);
    check("const o={force:true}; fs.rmSync('a', o)", &["rm -- 'a'"]);
    check("fs.rm('a', err => {}); fs.rm('b', callback)", &["rm -- 'a'", "rm -- 'b'"]);
    check("const o={recursive:true}; console.log(o); fs.mkdirSync('a', o)", &["mkdir -p -- 'a'"]);
}

#[test]
fn lists_grow() {
    let rm = &["'rm' '-rf' 'src'"][..];
    check("const args=[]; args.push('-rf','src'); spawnSync('rm',args)", rm);
    check("let args=['-rf']; args=args.concat(['src']); spawnSync('rm',args)", rm);
    check("let args=['-rf']; args=[...args,'src']; spawnSync('rm',args)", rm);
    check("const args=['src']; args.unshift('-rf'); spawnSync('rm',args)", rm);
    check("spawnSync('rm',['-rf'].concat('src'))", rm);
    check("let c='rm'; c += ' -rf src'; execSync(c)", LINE);
    check("const a=['rm'], b=['-rf','src']; execSync(a.concat(b).join(' '))", LINE);
    check("const args=[]; args.push('rm -rf src'); console.log(args)", &[]);
}

#[test]
fn names_and_members() {
    check("const {execSync:$}=require('child_process'); $('rm -rf src')", LINE);
    check("const {execSync:$}=require('child_process'); $(`rm -rf ${'src'}`)", LINE);
    check("const $x=require('child_process'); $x.execSync('rm -rf src')", LINE);
    check("const c=require('child_process'); c['execSync']('rm -rf src')", LINE);
    check("require('fs')['rm'+'Sync']('src',{recursive:true})", SRC);
    check("require('fs')['rmSync']('src',{recursive:true})", SRC);
    check("const m='rmSync'; require('fs')[m]('src',{recursive:true})", SRC);
    check("require('fs')[process.env.M]('src',{recursive:true})", &["…"]);
    check("const d='src'; execSync(`rm -rf ${d}`)", LINE);
    check("console.log(`${execSync('rm -rf src')}`)", LINE);
    check("await $({cwd: 'a'})`rm -rf src`", LINE);
    check("$('#a').remove(); $('rm -rf src').hide()", &[]);
    check("const o = {}; o['rmSync'] = 'src'; console.log(o['rmSync'], `${o}`)", &[]);
    check("handlers[name]('src'); list[0]('rm -rf src')", &[]);
}

#[test]
fn loaders() {
    check("require('util').promisify(require('child_process').exec)('rm -rf src')", LINE);
    check(
        "require('module').createRequire(process.cwd()+'/')('fs').rmSync('src',{recursive:true})",
        SRC,
    );
    check("const r = createRequire(import.meta.url); r('fs').rmSync('src',{recursive:true})", SRC);
    check("process.getBuiltinModule('fs').rmSync('src',{recursive:true})", SRC);
    check("new Function('r','r(\"fs\").rmSync(\"src\",{recursive:true})')(require)", SRC);
    check("new Function('a', 'b', 'return a + b')(1, 2); function Function2() {}", &[]);
    check("(fs => fs.rmSync('src',{recursive:true}))(require('fs'))", SRC);
    check("((a, b) => { a.rmSync(b, {recursive: true}) })(require('fs'), 'src')", SRC);
    check("fs.rmSync.call(fs, 'src', {recursive:true})", SRC);
    check("fs.rmSync.apply(null, ['src', {recursive:true}])", SRC);
    check("fs.rmSync.bind(fs, 'src')({recursive:true})", SRC);
    check(
        "const {createRequire} = require('module'); const r = createRequire('x'); r('lodash')",
        &[],
    );
}

#[test]
fn libraries_that_run_programs() {
    check("require('shelljs').rm('-rf','src')", &["'rm' '-rf' 'src'"]);
    check("const sh=require('shelljs'); sh.rm('-rf',['src','a'])", &["'rm' '-rf' 'src' 'a'"]);
    check("import shell from 'shelljs'; shell.exec('rm -rf src')", LINE);
    check("const {rm: del}=require('shelljs'); del('-rf','src')", &["'rm' '-rf' 'src'"]);
    check("const sh=require('./items'); sh.rm('-rf','src')", &[]);
    check("child_process.fork('/tmp/w.js')", &["node '/tmp/w.js'"]);
}

#[test]
fn functions_that_are_passed_on() {
    let all = &["find 'src' -mindepth 1 -delete"][..];
    check("fs.readdirSync('src').map(f=>'src/'+f).forEach(fs.unlinkSync)", all);
    check("fs.readdirSync('src').map(f=>p.join('src',f)).forEach(fs.unlinkSync)", all);
    check("fs.readdirSync('src').map(f=>`src/${f}`).forEach(f => fs.unlinkSync(f))", all);
    check("['a','b'].forEach(fs.unlinkSync)", &["rm -- 'a'", "rm -- 'b'"]);
    check("setTimeout(fs.rmSync, 0, 'src', {recursive:true})", SRC);
    check("setImmediate(fs.rmSync, 'src', {recursive:true})", SRC);
    check("['rm -rf src'].forEach(console.log); [1].map(String)", &[]);
    check("items.forEach(remove); setTimeout(done, 100)", &[]);
}

#[test]
fn what_is_read_and_written() {
    let rm = &["xargs rm --"][..];
    check("fs.readFileSync(0,'utf8').split('\\n').forEach(f => fs.unlinkSync(f))", rm);
    check(
        "for (const f of fs.readFileSync('/dev/stdin','utf8').trim().split('\\n')) fs.unlinkSync(f)",
        &["< '/dev/stdin'", "xargs rm --"],
    );
    check(
        "const p = spawn('sh'); p.stdin.write('rm -rf src'); p.stdin.end()",
        &["printf '%s\\n' 'rm -rf src\n' | 'sh'"],
    );
    check("fs.writeFileSync('z.sh','ls')", &["printf '%s\\n' 'ls' > 'z.sh'"]);
    check("console.log(fs.readFileSync(0,'utf8').trim())", &[]);
}
