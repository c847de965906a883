//! The functions that run something or change files, by language: the data of this folder. Sources: the reference
//! manuals of the languages and of their usual libraries.

use super::Language;

/// What a function does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The first is a line for a shell.
    Shell,
    /// They are a program and its arguments, one list or one after another.
    Program,
    /// A text alone is a line for a shell; several, or a list, are a program and its arguments.
    ShellOrProgram,
    /// The first is a program, the list behind it has its arguments.
    ProgramAndList,
    /// The first is a program, the list behind it has all words, the first of which is a name.
    ProgramAndWords,
    /// Behind the first, they are a program and its arguments.
    ProgramBehind,
    /// The same, behind the first two: a text alone is a line for a shell.
    ProgramBehindTwo,
    /// The same, behind the first three.
    ProgramBehindThree,
    /// The first is code of the same language.
    Code,
    /// The first may be code of the same language that is run later: what is not known of it is no question.
    CodeLater,
    /// The first is data that says by itself what is run when it is read.
    Payload,
    /// Nobody can tell what it does.
    Hidden,
    /// The first is a file of code of the same language.
    Script,
    /// The first is a module of the same language.
    Module,
    /// A handle, then how and what is opened: a file, or a program that is written to or read.
    Pipe,
    /// Directories are deleted with all that is in them.
    DeleteTree,
    /// Files are deleted; directories too where an option says so.
    Delete,
    /// Files are deleted, or where a setting says `recursive`, directories.
    DeleteMaybeTree,
    /// The first is moved to the second.
    Move,
    /// The first is copied to the second.
    Copy,
    /// The first is a directory whose content is copied into the second.
    CopyContent,
    /// The first is read, or where a setting says `inplace`, written.
    Edit,
    /// The first is opened in the mode that the second tells: for reading, if there is none.
    Open,
    /// The first is written.
    Write,
    /// The first is emptied, but for as much as the second says.
    Empty,
    /// The first is made anew, or what is known of it is changed; nothing of its content is lost.
    Touch,
    /// The same, of all but the first.
    TouchBehind,
    /// The first is a directory that is made.
    Directory,
    /// The first is the directory in which everything behind works.
    Enter,
    /// The second is a name that is made for the first.
    Link,
    /// The second is written.
    WriteSecond,
    /// Files that nobody names are written in the first, or in the working directory.
    Fill,
    /// The same, with the second for the first.
    FillSecond,
    /// The first is read.
    Read,
    /// The first is SQL that a database is asked to run.
    Statements,
    /// A table, or all of them, is dropped, whatever they are called.
    DropsTables,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its last name.
    pub name: &'static str,
    /// The names of which one must stand before it; empty where it may stand alone, too.
    pub of: &'static [&'static str],
    pub effect: Effect,
}

const fn of(of: &'static [&'static str], name: &'static str, effect: Effect) -> Function {
    Function { name, of, effect }
}

const fn any(name: &'static str, effect: Effect) -> Function {
    Function { name, of: &[], effect }
}

const OS: &[&str] = &["os"];
const SUBPROCESS: &[&str] = &["subprocess", "sp", ""];
const BUILTINS: &[&str] = &["", "builtins", "__builtins__"];
const SHUTIL: &[&str] = &["shutil", "_shutil", ""];
/// Modules that make objects of bytes. Source: https://docs.python.org/3/library/pickle.html
const PICKLES: &[&str] = &["pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal"];
const CONSOLES: &[&str] = &["InteractiveConsole", "InteractiveInterpreter", "console"];

const PYTHON: &[Function] = &[
    of(&["os", ""], "system", Effect::Shell),
    of(&["os", ""], "popen", Effect::Shell),
    any("getoutput", Effect::Shell),
    any("getstatusoutput", Effect::Shell),
    any("create_subprocess_shell", Effect::Shell),
    any("create_subprocess_exec", Effect::Program),
    of(SUBPROCESS, "run", Effect::ShellOrProgram),
    // Sources: https://docs.pyinvoke.org/, https://nox.thea.codes/
    of(&["c", "ctx", "context"], "run", Effect::Shell),
    of(&["session"], "run", Effect::Program),
    of(SUBPROCESS, "call", Effect::ShellOrProgram),
    any("check_call", Effect::ShellOrProgram),
    any("check_output", Effect::ShellOrProgram),
    any("Popen", Effect::ShellOrProgram),
    of(&["pty"], "spawn", Effect::Program),
    of(&["webbrowser"], "get", Effect::Shell),
    of(&["pydoc"], "pipepager", Effect::ProgramBehind),
    of(OS, "execv", Effect::ProgramAndWords),
    of(OS, "execve", Effect::ProgramAndWords),
    of(OS, "execvp", Effect::ProgramAndWords),
    of(OS, "spawnl", Effect::ProgramBehind),
    of(OS, "spawnlp", Effect::ProgramBehind),
    of(OS, "spawnv", Effect::ProgramBehind),
    of(OS, "spawnvp", Effect::ProgramBehind),
    of(OS, "posix_spawn", Effect::ProgramAndWords),
    of(OS, "posix_spawnp", Effect::ProgramAndWords),
    of(OS, "execvpe", Effect::ProgramAndWords),
    of(OS, "execl", Effect::ProgramBehind),
    of(OS, "execle", Effect::ProgramBehind),
    of(OS, "execlp", Effect::ProgramBehind),
    of(OS, "execlpe", Effect::ProgramBehind),
    of(CONSOLES, "push", Effect::Code),
    of(CONSOLES, "runsource", Effect::Code),
    of(CONSOLES, "runcode", Effect::Code),
    of(&["timeit", ""], "timeit", Effect::Code),
    of(&["cProfile", "profile"], "run", Effect::Code),
    of(&["runpy", ""], "run_path", Effect::Script),
    of(&["runpy", ""], "run_module", Effect::Module),
    of(BUILTINS, "exec", Effect::Code),
    of(BUILTINS, "eval", Effect::Code),
    of(&["types", ""], "FunctionType", Effect::Code),
    of(PICKLES, "loads", Effect::Payload),
    of(&["yaml"], "unsafe_load", Effect::Payload),
    of(&["jsonpickle"], "decode", Effect::Payload),
    of(SHUTIL, "rmtree", Effect::DeleteTree),
    any("remove_tree", Effect::DeleteTree),
    of(OS, "remove", Effect::Delete),
    of(OS, "unlink", Effect::Delete),
    of(OS, "rmdir", Effect::Delete),
    of(OS, "removedirs", Effect::Delete),
    of(OS, "rename", Effect::Move),
    of(OS, "renames", Effect::Move),
    of(OS, "replace", Effect::Move),
    of(SHUTIL, "move", Effect::Move),
    of(&["fileinput"], "input", Effect::Edit),
    of(&["fileinput"], "FileInput", Effect::Edit),
    of(SHUTIL, "copyfile", Effect::Copy),
    of(SHUTIL, "copytree", Effect::CopyContent),
    of(&["shutil"], "copy", Effect::Copy),
    of(SHUTIL, "copy2", Effect::Copy),
    of(&["", "io", "_io", "_pyio", "codecs", "gzip", "aiofiles"], "open", Effect::Open),
    of(&["bz2", "lzma", "tarfile", "wave", "aifc", "sunau"], "open", Effect::Open),
    of(&["zipfile", ""], "ZipFile", Effect::Open),
    of(&["io", "_io", "_pyio"], "FileIO", Effect::Open),
    of(&["gzip", ""], "GzipFile", Effect::Open),
    of(&["bz2", ""], "BZ2File", Effect::Open),
    of(&["lzma", ""], "LZMAFile", Effect::Open),
    of(&["tarfile", ""], "TarFile", Effect::Open),
    of(&["linecache"], "getlines", Effect::Read),
    of(&["linecache"], "getline", Effect::Read),
    any("dotenv_values", Effect::Read),
    // Source: https://docs.python.org/3/library/configparser.html
    of(
        &[
            "c",
            "cp",
            "cfg",
            "config",
            "conf",
            "parser",
            "ini",
            "cred",
            "creds",
            "credentials",
            "RawConfigParser",
            "ConfigParser",
        ],
        "read",
        Effect::Read,
    ),
    // Sources: https://docs.python.org/3/library/logging.handlers.html, https://docs.python.org/3/library/logging.html
    any("FileHandler", Effect::Touch),
    any("WatchedFileHandler", Effect::Touch),
    any("RotatingFileHandler", Effect::Touch),
    any("TimedRotatingFileHandler", Effect::Touch),
    of(&["logging", ""], "basicConfig", Effect::Touch),
    any("dump_stats", Effect::Touch),
    of(&["cProfile", "profile"], "run", Effect::WriteSecond),
    of(OS, "open", Effect::Touch),
    of(OS, "mkdir", Effect::Directory),
    of(OS, "makedirs", Effect::Directory),
    of(&["os", "contextlib", ""], "chdir", Effect::Enter),
    of(&["path", "pathlib", "shutil", "distutils", ""], "mkpath", Effect::Directory),
    of(OS, "mkfifo", Effect::Touch),
    of(OS, "mknod", Effect::Touch),
    of(OS, "symlink", Effect::Link),
    of(OS, "link", Effect::Link),
    of(OS, "chmod", Effect::Touch),
    of(OS, "chown", Effect::Touch),
    of(OS, "lchown", Effect::Touch),
    of(OS, "utime", Effect::Touch),
    of(OS, "truncate", Effect::Empty),
    of(&["shutil"], "chown", Effect::Touch),
    of(&["shutil"], "copymode", Effect::Copy),
    of(&["shutil"], "copystat", Effect::Copy),
    of(SHUTIL, "make_archive", Effect::Touch),
    of(SHUTIL, "unpack_archive", Effect::FillSecond),
    any("extractall", Effect::Fill),
    any("urlretrieve", Effect::WriteSecond),
    of(&["shelve", "dbm"], "open", Effect::Touch),
    any("savefig", Effect::Write),
    any("to_csv", Effect::Write),
    any("to_json", Effect::Write),
    any("to_parquet", Effect::Write),
    any("to_feather", Effect::Write),
    any("to_excel", Effect::Write),
    any("to_pickle", Effect::Write),
    any("to_hdf", Effect::Touch),
    any("imwrite", Effect::Write),
    any("imsave", Effect::Write),
    of(&["np", "numpy"], "save", Effect::Write),
    of(&["np", "numpy"], "savez", Effect::Write),
    of(&["np", "numpy"], "savez_compressed", Effect::Write),
    of(&["np", "numpy"], "savetxt", Effect::Write),
    of(&["torch"], "save", Effect::WriteSecond),
    of(&["joblib"], "dump", Effect::WriteSecond),
    any("execute", Effect::Statements),
    any("executescript", Effect::Statements),
    any("executemany", Effect::Statements),
    any("execute_sql", Effect::Statements),
    any("exec_driver_sql", Effect::Statements),
    any("query", Effect::Statements),
    any("raw", Effect::Statements),
    any("sql", Effect::Statements),
    any("drop_all", Effect::DropsTables),
];

const CHILD_PROCESS: &[&str] =
    &["child_process", "childProcess", "cp", "proc", "require", "process", ""];
const FS: &[&str] = &["fs", "fsp", "fse", "promises", "require", "Deno", "fsPromises"];
const FS_OR_ALONE: &[&str] = &["fs", "fsp", "fse", "promises", "require", "Deno", "fsPromises", ""];

const JAVASCRIPT: &[Function] = &[
    of(CHILD_PROCESS, "exec", Effect::Shell),
    of(&["shelljs", "shell"], "exec", Effect::Shell),
    any("execSync", Effect::Shell),
    any("execaCommand", Effect::Shell),
    of(CHILD_PROCESS, "spawn", Effect::ProgramAndList),
    any("spawnSync", Effect::ProgramAndList),
    any("execFile", Effect::ProgramAndList),
    any("execFileSync", Effect::ProgramAndList),
    any("execa", Effect::ProgramAndList),
    of(&["Bun"], "spawn", Effect::Program),
    of(&["Bun"], "spawnSync", Effect::Program),
    of(&["Deno"], "Command", Effect::ProgramAndList),
    of(&["Deno"], "run", Effect::Program),
    of(FS_OR_ALONE, "rmSync", Effect::DeleteMaybeTree),
    of(FS, "rm", Effect::DeleteMaybeTree),
    of(FS_OR_ALONE, "rmdirSync", Effect::DeleteMaybeTree),
    of(FS, "rmdir", Effect::DeleteMaybeTree),
    of(FS_OR_ALONE, "unlinkSync", Effect::Delete),
    of(FS, "unlink", Effect::Delete),
    of(&["fse", "fs"], "removeSync", Effect::DeleteTree),
    of(&["fse", "fs"], "remove", Effect::DeleteTree),
    of(&["Deno"], "removeSync", Effect::DeleteMaybeTree),
    of(&["Deno"], "remove", Effect::DeleteMaybeTree),
    of(&["fse", "fs"], "emptyDirSync", Effect::DeleteTree),
    of(&["fse", "fs"], "emptydirSync", Effect::DeleteTree),
    of(&["fse", "fs"], "emptyDir", Effect::DeleteTree),
    of(&["fse", "fs"], "emptydir", Effect::DeleteTree),
    of(&["del"], "del", Effect::DeleteTree),
    of(&["del"], "sync", Effect::DeleteTree),
    any("deleteAsync", Effect::DeleteTree),
    any("deleteSync", Effect::DeleteTree),
    of(&["", "globalThis", "window", "global"], "eval", Effect::Code),
    of(&["", "globalThis", "global"], "Function", Effect::Code),
    any("constructor", Effect::CodeLater),
    of(&["process"], "binding", Effect::Hidden),
    of(&["process"], "_linkedBinding", Effect::Hidden),
    of(CHILD_PROCESS, "fork", Effect::Script),
    of(&["vm"], "runInThisContext", Effect::Code),
    of(&["vm"], "runInNewContext", Effect::Code),
    of(&["vm"], "runInContext", Effect::Code),
    of(&["vm"], "SourceTextModule", Effect::Code),
    of(&["vm"], "compileFunction", Effect::Code),
    of(&["vm"], "Script", Effect::Code),
    of(&["worker_threads"], "Worker", Effect::Code),
    any("rimraf", Effect::DeleteTree),
    any("rimrafSync", Effect::DeleteTree),
    of(&["rimraf"], "sync", Effect::DeleteTree),
    of(FS_OR_ALONE, "renameSync", Effect::Move),
    of(FS, "rename", Effect::Move),
    of(FS_OR_ALONE, "copyFileSync", Effect::Copy),
    of(FS, "copyFile", Effect::Copy),
    of(FS_OR_ALONE, "cpSync", Effect::CopyContent),
    of(FS, "cp", Effect::CopyContent),
    of(FS_OR_ALONE, "writeFileSync", Effect::Write),
    of(FS, "writeFile", Effect::Write),
    of(FS_OR_ALONE, "appendFileSync", Effect::Write),
    of(FS, "appendFile", Effect::Write),
    of(FS, "createWriteStream", Effect::Write),
    of(FS_OR_ALONE, "truncateSync", Effect::Empty),
    of(&["Deno"], "writeTextFile", Effect::Write),
    of(&["Deno"], "writeTextFileSync", Effect::Write),
    of(&["Bun"], "write", Effect::Write),
    of(FS_OR_ALONE, "mkdirSync", Effect::Directory),
    of(FS, "mkdir", Effect::Directory),
    of(&["process", ""], "chdir", Effect::Enter),
    of(FS_OR_ALONE, "mkdtempSync", Effect::Directory),
    of(FS, "mkdtemp", Effect::Directory),
    of(FS_OR_ALONE, "openSync", Effect::Open),
    of(FS_OR_ALONE, "symlinkSync", Effect::Link),
    of(FS, "symlink", Effect::Link),
    of(FS_OR_ALONE, "linkSync", Effect::Link),
    of(FS, "link", Effect::Link),
    of(FS_OR_ALONE, "chmodSync", Effect::Touch),
    of(FS, "chmod", Effect::Touch),
    of(FS_OR_ALONE, "chownSync", Effect::Touch),
    of(FS, "chown", Effect::Touch),
    of(FS_OR_ALONE, "utimesSync", Effect::Touch),
    of(FS, "utimes", Effect::Touch),
    of(FS, "truncate", Effect::Empty),
    any("ensureDirSync", Effect::Directory),
    any("ensureDir", Effect::Directory),
    any("mkdirpSync", Effect::Directory),
    any("mkdirp", Effect::Directory),
    any("ensureFileSync", Effect::Touch),
    any("ensureFile", Effect::Touch),
    any("outputFileSync", Effect::Write),
    any("outputFile", Effect::Write),
    any("outputJsonSync", Effect::Write),
    any("outputJson", Effect::Write),
    any("writeJsonSync", Effect::Write),
    any("writeJson", Effect::Write),
    of(&["Deno"], "create", Effect::Write),
    of(&["Deno"], "createSync", Effect::Write),
    of(FS_OR_ALONE, "readFileSync", Effect::Read),
    of(FS, "readFile", Effect::Read),
    of(FS, "createReadStream", Effect::Read),
    of(&["Deno"], "readTextFile", Effect::Read),
    of(&["Deno"], "readTextFileSync", Effect::Read),
    of(&["Bun"], "file", Effect::Read),
    any("query", Effect::Statements),
    any("execute", Effect::Statements),
    any("exec", Effect::Statements),
    any("raw", Effect::Statements),
    any("run", Effect::Statements),
    any("prepare", Effect::Statements),
    any("unsafe", Effect::Statements),
    any("none", Effect::Statements),
    any("any", Effect::Statements),
    any("executeSql", Effect::Statements),
    any("executeRawUnsafe", Effect::Statements),
    any("queryRawUnsafe", Effect::Statements),
    any("dropTable", Effect::DropsTables),
    any("dropTableIfExists", Effect::DropsTables),
    of(&["sequelize"], "drop", Effect::DropsTables),
];

const ALONE: &[&str] = &[""];

const PERL: &[Function] = &[
    of(ALONE, "system", Effect::ShellOrProgram),
    of(ALONE, "exec", Effect::ShellOrProgram),
    of(ALONE, "eval", Effect::Code),
    of(ALONE, "open2", Effect::ProgramBehindTwo),
    of(ALONE, "open3", Effect::ProgramBehindThree),
    of(ALONE, "open", Effect::Pipe),
    of(ALONE, "unlink", Effect::Delete),
    of(ALONE, "rmdir", Effect::Delete),
    of(&["", "Path"], "rmtree", Effect::DeleteTree),
    of(&["", "Path"], "remove_tree", Effect::DeleteTree),
    of(ALONE, "rename", Effect::Move),
    of(&["", "Copy"], "move", Effect::Move),
    of(&["", "Copy"], "copy", Effect::Copy),
    of(&["", "Copy"], "cp", Effect::Copy),
    of(ALONE, "chdir", Effect::Enter),
    of(ALONE, "mkdir", Effect::Directory),
    of(&["", "Path"], "make_path", Effect::Directory),
    of(&["", "Path"], "mkpath", Effect::Directory),
    of(ALONE, "symlink", Effect::Link),
    of(ALONE, "link", Effect::Link),
    of(ALONE, "chmod", Effect::TouchBehind),
    of(ALONE, "chown", Effect::TouchBehind),
    of(ALONE, "utime", Effect::TouchBehind),
    of(ALONE, "truncate", Effect::Empty),
    of(ALONE, "syscall", Effect::Hidden),
    of(ALONE, "do", Effect::Script),
    of(ALONE, "require", Effect::Script),
    of(ALONE, "sysopen", Effect::TouchBehind),
    any("do", Effect::Statements),
    any("execute", Effect::Statements),
    any("prepare", Effect::Statements),
];

const RUBY: &[Function] = &[
    of(&["", "Kernel"], "system", Effect::ShellOrProgram),
    // Source: https://ruby.github.io/rake/FileUtils.html
    of(&["", "FileUtils", "Rake"], "sh", Effect::ShellOrProgram),
    of(&["", "Kernel"], "exec", Effect::ShellOrProgram),
    of(&["", "Kernel", "Process", "PTY"], "spawn", Effect::ShellOrProgram),
    of(&["", "Kernel"], "eval", Effect::Code),
    of(&["binding", "TOPLEVEL_BINDING"], "eval", Effect::Code),
    any("instance_eval", Effect::CodeLater),
    any("class_eval", Effect::CodeLater),
    any("module_eval", Effect::CodeLater),
    of(&["", "Kernel"], "syscall", Effect::Hidden),
    of(&["Marshal"], "load", Effect::Payload),
    of(&["", "Kernel"], "load", Effect::Script),
    of(&["IO"], "popen", Effect::ShellOrProgram),
    of(&["Open3"], "capture2", Effect::ShellOrProgram),
    of(&["Open3"], "capture2e", Effect::ShellOrProgram),
    of(&["Open3"], "capture3", Effect::ShellOrProgram),
    of(&["Open3"], "popen3", Effect::ShellOrProgram),
    of(&["FileUtils", ""], "rm_rf", Effect::DeleteTree),
    of(&["FileUtils", ""], "rm_r", Effect::DeleteTree),
    of(&["FileUtils"], "rmtree", Effect::DeleteTree),
    of(&["FileUtils"], "remove_dir", Effect::DeleteTree),
    of(&["FileUtils"], "remove_entry", Effect::DeleteTree),
    of(&["FileUtils"], "remove_entry_secure", Effect::DeleteTree),
    of(&["FileUtils"], "rm", Effect::Delete),
    of(&["FileUtils"], "rm_f", Effect::Delete),
    of(&["File", "FileUtils"], "delete", Effect::Delete),
    of(&["File"], "unlink", Effect::Delete),
    of(&["Dir"], "rmdir", Effect::Delete),
    of(&["Dir"], "delete", Effect::Delete),
    of(&["File"], "rename", Effect::Move),
    of(&["FileUtils"], "mv", Effect::Move),
    of(&["FileUtils"], "cp", Effect::Copy),
    of(&["FileUtils"], "cp_r", Effect::Copy),
    of(&["File", "IO"], "write", Effect::Write),
    of(&["File", "IO"], "binwrite", Effect::Write),
    of(&["File", "IO"], "read", Effect::Read),
    of(&["File", "IO"], "readlines", Effect::Read),
    of(&["File"], "open", Effect::Open),
    of(&["File"], "truncate", Effect::Empty),
    of(&["", "Kernel"], "open", Effect::Open),
    of(&["File"], "new", Effect::Open),
    of(&["IO"], "copy_stream", Effect::Copy),
    of(&["FileUtils", ""], "mkdir_p", Effect::Directory),
    of(&["FileUtils"], "mkpath", Effect::Directory),
    of(&["FileUtils"], "makedirs", Effect::Directory),
    of(&["FileUtils", "Dir"], "mkdir", Effect::Directory),
    of(&["FileUtils", "Dir"], "chdir", Effect::Enter),
    of(&["FileUtils"], "cd", Effect::Enter),
    of(&["FileUtils"], "touch", Effect::Touch),
    of(&["FileUtils"], "install", Effect::Copy),
    of(&["FileUtils"], "copy", Effect::Copy),
    of(&["FileUtils"], "move", Effect::Move),
    of(&["FileUtils"], "ln", Effect::Link),
    of(&["FileUtils"], "ln_s", Effect::Link),
    of(&["FileUtils"], "ln_sf", Effect::Link),
    of(&["FileUtils"], "symlink", Effect::Link),
    of(&["FileUtils", "File"], "chmod", Effect::TouchBehind),
    of(&["FileUtils"], "chmod_R", Effect::TouchBehind),
    of(&["File"], "symlink", Effect::Link),
    of(&["File"], "link", Effect::Link),
    of(&["File"], "mkfifo", Effect::Touch),
    any("execute", Effect::Statements),
    any("execute_batch", Effect::Statements),
    any("exec_query", Effect::Statements),
    any("exec", Effect::Statements),
    any("query", Effect::Statements),
    any("run", Effect::Statements),
    any("drop_table", Effect::DropsTables),
];

const PHP: &[Function] = &[
    of(ALONE, "system", Effect::Shell),
    of(ALONE, "exec", Effect::Shell),
    of(ALONE, "shell_exec", Effect::Shell),
    of(ALONE, "passthru", Effect::Shell),
    of(ALONE, "popen", Effect::Shell),
    of(ALONE, "eval", Effect::Code),
    of(ALONE, "create_function", Effect::Code),
    of(ALONE, "pcntl_exec", Effect::ProgramAndList),
    of(&["FFI"], "cdef", Effect::Hidden),
    of(ALONE, "dl", Effect::Hidden),
    of(ALONE, "proc_open", Effect::ShellOrProgram),
    of(ALONE, "unlink", Effect::Delete),
    of(ALONE, "rmdir", Effect::Delete),
    of(ALONE, "rename", Effect::Move),
    of(ALONE, "copy", Effect::Copy),
    of(ALONE, "file_put_contents", Effect::Write),
    of(ALONE, "file_get_contents", Effect::Read),
    of(ALONE, "readfile", Effect::Read),
    of(ALONE, "fopen", Effect::Open),
    of(ALONE, "chdir", Effect::Enter),
    of(ALONE, "mkdir", Effect::Directory),
    of(ALONE, "touch", Effect::Touch),
    of(ALONE, "tempnam", Effect::Fill),
    of(ALONE, "symlink", Effect::Link),
    of(ALONE, "link", Effect::Link),
    of(ALONE, "chmod", Effect::Touch),
    of(ALONE, "chown", Effect::Touch),
    any("exec", Effect::Statements),
    any("query", Effect::Statements),
    any("prepare", Effect::Statements),
    any("multi_query", Effect::Statements),
    of(&["DB"], "statement", Effect::Statements),
    of(&["DB"], "unprepared", Effect::Statements),
    any("truncate", Effect::DropsTables),
    of(&["Schema"], "drop", Effect::DropsTables),
    of(&["Schema"], "dropIfExists", Effect::DropsTables),
    any("dropAllTables", Effect::DropsTables),
];

const LUA: &[Function] = &[
    of(&["os"], "execute", Effect::Shell),
    of(&["io"], "popen", Effect::Shell),
    of(ALONE, "load", Effect::Code),
    of(&["package"], "loadlib", Effect::Hidden),
    of(ALONE, "loadstring", Effect::Code),
    of(&["os"], "remove", Effect::Delete),
    of(&["os"], "rename", Effect::Move),
    of(&["io"], "lines", Effect::Read),
    of(&["io"], "open", Effect::Open),
    of(&["io"], "output", Effect::Write),
    of(&["lfs"], "mkdir", Effect::Directory),
    of(&["lfs"], "chdir", Effect::Enter),
    of(&["lfs"], "link", Effect::Link),
];

const AWK: &[Function] = &[of(ALONE, "system", Effect::Shell)];

const GO: &[Function] = &[
    of(&["exec"], "Command", Effect::Program),
    of(&["exec"], "CommandContext", Effect::ProgramBehind),
    of(OS, "RemoveAll", Effect::DeleteTree),
    of(OS, "Remove", Effect::Delete),
    of(OS, "Rename", Effect::Move),
    of(&["os", "ioutil"], "WriteFile", Effect::Write),
    of(OS, "Create", Effect::Write),
    of(OS, "Truncate", Effect::Empty),
    of(OS, "OpenFile", Effect::Touch),
    of(OS, "Mkdir", Effect::Directory),
    of(OS, "Chdir", Effect::Enter),
    of(OS, "MkdirAll", Effect::Directory),
    of(&["os", "ioutil"], "MkdirTemp", Effect::Fill),
    of(OS, "CreateTemp", Effect::Fill),
    of(OS, "Symlink", Effect::Link),
    of(OS, "Link", Effect::Link),
    of(OS, "Chmod", Effect::Touch),
    of(OS, "Chown", Effect::Touch),
    of(OS, "Chtimes", Effect::Touch),
    of(&["os", "ioutil"], "ReadFile", Effect::Read),
    of(OS, "Open", Effect::Read),
    any("Exec", Effect::Statements),
    any("ExecContext", Effect::Statements),
    any("MustExec", Effect::Statements),
    any("Query", Effect::Statements),
    any("QueryContext", Effect::Statements),
];

const RUST: &[Function] = &[
    of(&["fs", ""], "remove_dir_all", Effect::DeleteTree),
    of(&["fs", ""], "remove_file", Effect::Delete),
    of(&["fs", ""], "remove_dir", Effect::Delete),
    of(&["fs"], "rename", Effect::Move),
    of(&["fs"], "copy", Effect::Copy),
    of(&["fs"], "write", Effect::Write),
    of(&["File"], "create", Effect::Write),
    of(&["File"], "create_new", Effect::Touch),
    of(&["fs", ""], "create_dir", Effect::Directory),
    of(&["fs", ""], "create_dir_all", Effect::Directory),
    of(&["fs"], "hard_link", Effect::Link),
    of(&["fs", "unix"], "symlink", Effect::Link),
    of(&["fs"], "set_permissions", Effect::Touch),
    of(&["fs"], "read", Effect::Read),
    of(&["fs"], "read_to_string", Effect::Read),
    of(&["File"], "open", Effect::Read),
    any("execute", Effect::Statements),
    any("execute_batch", Effect::Statements),
    any("batch_execute", Effect::Statements),
    any("simple_query", Effect::Statements),
    of(&["sqlx"], "query", Effect::Statements),
];

/// Sources: POSIX, the C++ standard library, and Qt.
const C: &[Function] = &[
    of(&["std", ""], "system", Effect::Shell),
    of(&[""], "popen", Effect::Shell),
    of(&[""], "execl", Effect::ProgramBehind),
    of(&[""], "execlp", Effect::ProgramBehind),
    of(&[""], "execle", Effect::ProgramBehind),
    of(&[""], "execv", Effect::ProgramAndWords),
    of(&[""], "execvp", Effect::ProgramAndWords),
    of(&[""], "execve", Effect::ProgramAndWords),
    of(&[""], "execvpe", Effect::ProgramAndWords),
    of(&[""], "unlink", Effect::Delete),
    of(&["std", ""], "remove", Effect::Delete),
    of(&["std", ""], "rename", Effect::Move),
    of(&["filesystem", "fs"], "remove_all", Effect::DeleteTree),
    of(&["filesystem", "fs"], "remove", Effect::Delete),
    of(&[""], "truncate", Effect::Empty),
    of(&[""], "chdir", Effect::Enter),
    of(&[""], "rmdir", Effect::Delete),
    of(&["QProcess"], "execute", Effect::ProgramAndList),
];

/// Sources: the API specification of Java SE, and Apache Commons IO.
const JAVA: &[Function] = &[
    any("ProcessBuilder", Effect::Program),
    of(&["getRuntime", "Runtime", "runtime", "rt"], "exec", Effect::ShellOrProgram),
    of(&["FileUtils"], "deleteDirectory", Effect::DeleteTree),
    of(&["FileUtils"], "forceDelete", Effect::DeleteTree),
    of(&["FileUtils"], "cleanDirectory", Effect::DeleteTree),
    of(&["FileSystemUtils"], "deleteRecursively", Effect::DeleteTree),
];

/// What methods of paths do, in languages that have such.
const OF_PATHS: &[(&str, Effect)] = &[
    ("unlink", Effect::Delete),
    ("rmdir", Effect::Delete),
    ("rmtree", Effect::DeleteTree),
    ("write_text", Effect::Write),
    ("write_bytes", Effect::Write),
    ("touch", Effect::Touch),
    ("mkdir", Effect::Directory),
    ("chmod", Effect::Touch),
    ("symlink_to", Effect::Touch),
    ("hardlink_to", Effect::Touch),
    ("read_text", Effect::Read),
    ("read_bytes", Effect::Read),
    ("rename", Effect::Move),
    ("replace", Effect::Move),
    ("open", Effect::Open),
];

/// Returns the functions of a language that have a name.
pub fn named(language: Language, name: &str) -> impl Iterator<Item = &'static Function> {
    let all = match language {
        Language::Unknown => &[][..],
        Language::Python => PYTHON,
        Language::JavaScript => JAVASCRIPT,
        Language::Perl => PERL,
        Language::Ruby => RUBY,
        Language::Php => PHP,
        Language::Lua => LUA,
        Language::Awk => AWK,
        Language::Go => GO,
        Language::Rust => RUST,
        Language::C => C,
        Language::Java => JAVA,
        Language::Make | Language::Cron | Language::Tcl => &[],
        Language::Just | Language::Task | Language::Package => &[],
    };
    all.iter().filter(move |function| function.name == name)
}

/// Modules of Python whose functions run programs or delete files.
pub const RUNNING: [&str; 6] = ["os", "subprocess", "shutil", "builtins", "__builtins__", "ctypes"];

/// Returns whether the object of this name is a library of C, whose functions are called as they are there.
pub fn is_native(language: Language, object: &str) -> bool {
    match language {
        Language::Python => {
            matches!(object, "CDLL" | "PyDLL" | "cdll" | "libc" | "LoadLibrary")
        }
        // `require("ffi").C`
        Language::Lua => object == "C",
        _ => false,
    }
}

/// What methods of `Pathname` do. Source: https://docs.ruby-lang.org/en/master/Pathname.html
const OF_PATHNAMES: &[(&str, Effect)] = &[
    ("rmtree", Effect::DeleteTree),
    ("delete", Effect::Delete),
    ("unlink", Effect::Delete),
    ("rmdir", Effect::Delete),
    ("mkpath", Effect::Directory),
    ("binwrite", Effect::Write),
    ("write", Effect::Write),
    ("truncate", Effect::Write),
    ("rename", Effect::Move),
];

/// Returns what a method does with the path that it is called on.
pub fn of_path(language: Language, name: &str) -> Option<Effect> {
    let all = match language {
        Language::Python => OF_PATHS,
        Language::Ruby => OF_PATHNAMES,
        _ => return None,
    };
    all.iter().find(|(known, _)| *known == name).map(|(_, effect)| *effect)
}
