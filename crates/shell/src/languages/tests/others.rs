//! What Perl, Ruby, PHP and Lua are read as.

use super::{Language, check};

const LINE: &[&str] = &["rm -rf src"];
const SRC: &[&str] = &["rm -rf -- 'src'"];
const ALL: &[&str] = &["find 'src' -mindepth 1 -delete"];
const ARGV: &[&str] = &["'rm' '-rf' 'src'"];
const READ: &[&str] = &["xargs rm --"];

#[test]
fn perl_walks_folders() {
    let perl = |code: &str, expect: &[&str]| check(Language::Perl, code, expect);
    perl("find(sub { unlink if -f }, 'src')", ALL);
    perl("use File::Find; find(sub { unlink $_ }, \"src\")", ALL);
    perl("find(sub { unlink $File::Find::name }, 'src')", ALL);
    perl("find(sub { unlink \"$File::Find::dir/$_\" }, 'src')", ALL);
    perl("find({wanted=>sub{unlink if -f}, no_chdir=>1}, 'src')", ALL);
    perl("finddepth(sub{ -d $_ ? rmdir $_ : unlink $_ },'src')", &[ALL, ALL].concat());
    perl("finddepth(\\&wanted, 'src'); sub wanted { unlink $_ if -f $_ }", ALL);
    perl("find(sub { unlink }, 'src', 'docs')", &[ALL[0], "find 'docs' -mindepth 1 -delete"]);
    perl("my @d = ('src'); find(sub { unlink if -f }, @d)", ALL);
    perl("find(sub { unlink }, $dir)", &["rm -rf -- \"…\""]);
    perl("find(sub { print $File::Find::name }, 'src')", &[]);
    perl("print 'find(sub { unlink }, q(src))'; # find(sub { unlink }, 'src')", &[]);
}

#[test]
fn perl_lists_folders() {
    let perl = |code: &str, expect: &[&str]| check(Language::Perl, code, expect);
    perl("opendir(D,'src'); while(my $f=readdir D){ unlink \"src/$f\" }", ALL);
    perl("opendir(my $d, 'src'); for (readdir $d) { unlink \"src/$_\" if -f \"src/$_\" }", ALL);
    perl("while ($f = readdir(D)) { unlink \"src/$f\" }", ALL);
    perl("foreach my $f (readdir($d)) { unlink('src/' . $f) }", ALL);
    perl("unlink(map { \"src/$_\" } qw(a.ts b.ts))", &["rm -- 'src/a.ts' 'src/b.ts'"]);
    perl("unlink map { \"src/$_\" } grep { !/^[.]/ } readdir $d;", ALL);
    perl("unlink grep { -f } glob('src/*')", ALL);
    perl("opendir(D,'src'); while(my $f=readdir D){ print \"$f\" }", &[]);
    perl("print map { \"rm $_\" } qw(a b)", &[]);
}

#[test]
fn perl_runs_words_and_texts() {
    let perl = |code: &str, expect: &[&str]| check(Language::Perl, code, expect);
    perl("$c='rm'; system(\"$c -rf src\")", LINE);
    perl("my @a=('-rf','src'); system(\"rm @a\")", LINE);
    perl("system join ' ', 'rm', '-rf', 'src'", LINE);
    perl("system(join(' ', qw(rm -rf src)))", LINE);
    perl("system{'rm'} 'rm','-rf','src'", ARGV);
    perl("my @c=qw(rm -rf src); exec {$c[0]} @c", ARGV);
    perl("CORE::system('rm -rf src')", LINE);
    perl("my @c=('rm'); push @c, '-rf', 'src'; system(@c)", ARGV);
    perl("my @c=('-rf'); push(@c, 'src'); system('rm', @c)", ARGV);
    perl("my $c='rm'; $c .= ' -rf src'; system $c", LINE);
    perl("system shift", &["eval \"${1}\""]);
    perl("s//system('rm -rf src')/e", LINE);
    perl("s{a}{unlink 'b'}ge", &["rm -- 'b'"]);
    perl("waitpid(open3(my $i,my $o,undef,'rm','-rf','src'),0)", ARGV);
    perl("open2($o, $i, 'rm -rf src')", LINE);
    perl("s/a/system/; $c='rm'; print \"$c -rf src\"; print join ' ', 'rm', '-rf'", &[]);
    perl("push @log, 'rm -rf src'; print @log; my %h = (system => 'rm')", &[]);
}

#[test]
fn lines_of_the_input() {
    check(Language::Perl, "while (<STDIN>) { chomp; unlink }", READ);
    check(Language::Perl, "while (my $f = <STDIN>) { chomp $f; unlink $f }", READ);
    check(Language::Perl, "unlink $_ for <>", READ);
    check(Language::Perl, "chomp(my @f = <STDIN>); unlink @f", READ);
    check(Language::Ruby, "STDIN.each_line { |l| File.delete(l.chomp) }", READ);
    check(
        Language::Ruby,
        "$stdin.each_line { |f| FileUtils.rm_rf(f.chomp) }",
        &["xargs rm -rf --"],
    );
    check(Language::Ruby, "STDIN.read.split.each { |f| File.delete(f) }", READ);
    check(Language::Php, "while ($f = fgets(STDIN)) unlink(trim($f));", READ);
    check(Language::Lua, "for l in io.lines() do os.remove(l) end", READ);
    check(Language::Perl, "while (<STDIN>) { print if /unlink/ }", &[]);
    check(Language::Ruby, "STDIN.each_line { |l| puts l }", &[]);
}

#[test]
fn ruby_paths_and_methods() {
    let ruby = |code: &str, expect: &[&str]| check(Language::Ruby, code, expect);
    ruby("Pathname('src').rmtree", SRC);
    ruby("require 'pathname'; Pathname.new('src').rmtree", SRC);
    ruby("p = Pathname.new('src'); p.rmtree", SRC);
    ruby("(Pathname('src') + 'a').rmtree", &["rm -rf -- 'srca'"]);
    ruby("Pathname('a').delete", &["rm -- 'a'"]);
    ruby("Pathname('src').children.each(&:delete)", ALL);
    ruby("Kernel.send(:system, 'rm -rf src')", LINE);
    ruby("send(:system, 'rm', '-rf', 'src')", ARGV);
    ruby("FileUtils.public_send('rm_rf', 'src')", SRC);
    ruby("Kernel.method(:system).call('rm -rf src')", LINE);
    ruby("Dir.glob('src/*').each(&File.method(:delete))", ALL);
    ruby("Dir['src/*'].each(&File.method(:delete))", ALL);
    ruby("Dir.each_child('src') { |f| File.delete(\"src/#{f}\") }", ALL);
    ruby("c='rm'; system(\"#{c} -rf src\")", LINE);
    ruby("a=['rm']; a << '-rf' << 'src'; system(*a)", &["'rm' '-rf' 'src'"]);
    ruby("rm", &["rm \"${@:1}\""]);
    ruby("'rm -rf src'.delete('a'); puts 'Pathname(1).rmtree'; list.send(:push, 'rm')", &[]);
    ruby("Dir.glob('src/*').each(&method(:puts)); rm = 1; puts rm", &[]);
}

#[test]
fn php_lua_and_others() {
    let php = |code: &str, expect: &[&str]| check(Language::Php, code, expect);
    php(
        "foreach(new RecursiveIteratorIterator(new RecursiveDirectoryIterator('src')) as $f) unlink($f);",
        ALL,
    );
    php("foreach(scandir('src') as $x) unlink(\"src/$x\");", ALL);
    php("foreach(scandir('src') as $x) { unlink('src/'.$x); }", ALL);
    php("$c='rm'; system(\"$c -rf src\");", LINE);
    php("$a[] = 1; $c=['rm']; $c[]='-rf'; $c[]='src'; system(implode(' ', $c));", LINE);
    php("$run = 'system'; $run('rm -rf src');", LINE);
    php("call_user_func('system', 'rm -rf src');", LINE);
    php("'system'('rm -rf src');", LINE);
    php("array_map('unlink', ['a']);", &["rm -- 'a'"]);
    php(
        "echo 'system(1)'; $name = 'system'; echo $name; foreach(scandir('src') as $x) echo $x;",
        &[],
    );
    let lua = |code: &str, expect: &[&str]| check(Language::Lua, code, expect);
    lua(
        "for f in io.popen('ls src/*'):lines() do os.remove(f) end",
        &["ls src/*", "find 'src' -mindepth 1 -delete"],
    );
    lua("os['execute']('rm -rf src')", LINE);
    lua("os['exe'..'cute']('rm -rf src')", LINE);
    lua("pcall(os.execute, 'rm -rf src')", LINE);
    lua("local c='rm' os.execute(c..' -rf src')", LINE);
    lua("for f in io.popen('ls src'):lines() do print(f) end", &["ls src"]);
}
