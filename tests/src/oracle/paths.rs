//! Files that a call touches, held against paths the plain way: every file against every alternative of
//! every pattern.

use behavior_compiler::ir::Paths;
use behavior_facts::commands::ProgramTable;
use behavior_facts::touched::{DIRECTORY_PARAMS, TouchedFile, of_call};
use behavior_image::code::PathKind;
use behavior_runtime::event::{Call, Value};
use behavior_shell::touched::{Effect, Extent, files};
use behavior_shell::{CommandLine, HOLE, Knowledge, globs};

use super::files::normal;
use super::truth::{Truth, all, any};
use super::world::World;
use super::{command, values};

/// The sets of a session.
pub(super) trait Sets {
    /// Whether a set has a target.
    fn has(&self, set: u32, target: &str) -> bool;
}

/// What is asked of the files that a call touches.
pub(super) struct Asked<'a> {
    pub world: &'a World<'a>,
    pub paths: &'a Paths,
    pub cwd: Option<&'a str>,
    pub sets: &'a dyn Sets,
}

/// The files that a call touches.
pub(super) fn touched(world: &World<'_>, call: &Call<'_>) -> Vec<TouchedFile> {
    if command::runs_commands(call) {
        let mut line = CommandLine::default();
        command::read(world, call, &mut line);
        let Some(table) = ProgramTable::of(&world.programs) else { return Vec::new() };
        let files = files(&line, &table as &dyn Knowledge).into_iter().map(TouchedFile::from);
        let files = files.map(|file| file.run_in(directory(call)));
        return files.chain(of_call(call)).collect();
    }
    of_call(call)
}

/// Where a call says that its command line runs.
pub(super) fn directory<'c>(call: &'c Call<'_>) -> &'c str {
    let texts = DIRECTORY_PARAMS.iter().filter_map(|name| match values::param(call, name) {
        Some(Value::Text(text)) if !text.is_empty() => Some(text.trim()),
        _ => None,
    });
    texts.take(1).next().unwrap_or("")
}

impl Asked<'_> {
    /// Whether some file that is touched so is among the paths.
    pub fn some(&self, files: &[TouchedFile], effects: &[Effect]) -> Truth {
        let answers = files.iter().filter_map(|file| {
            let answer = self.is_among(file);
            match file.effect {
                Some(effect) => effects.contains(&effect).then_some(answer),
                None if effects.len() > 1 => Some(answer),
                None => Some(all([answer, Truth::Hidden])),
            }
        });
        let answers: Vec<_> = answers.collect();
        any(answers)
    }

    /// Whether there are files that are touched so, and all are among the paths.
    pub fn only(&self, files: &[TouchedFile], effects: &[Effect]) -> Truth {
        if effects.len() == 1 && files.iter().any(|file| file.effect.is_none()) {
            return Truth::No;
        }
        let meant =
            |file: &&TouchedFile| file.effect.is_none_or(|effect| effects.contains(&effect));
        let answers: Vec<_> = files.iter().filter(meant).map(|file| self.is_all_in(file)).collect();
        if answers.is_empty() { Truth::No } else { all(answers) }
    }

    /// Whether a file, or one of those touched with it, is among the paths.
    pub fn is_among(&self, file: &TouchedFile) -> Truth {
        let full = normal(&file.path, self.cwd);
        if !file.is_known() {
            return self.may_be(file, &full);
        }
        let real = self.real(&full);
        let names = [Some(&full), real.as_ref()];
        let own: Vec<_> = names.into_iter().flatten().map(|name| self.is_one(name)).collect();
        let own = any(own);
        match file.extent {
            Extent::File => own,
            // Who reads all that is there may mean anything in it.
            Extent::Tree if file.effect == Some(Effect::Read) && self.is_wide(&full) => {
                any([own, all([self.holds_some(&full), Truth::Hidden])])
            }
            Extent::Tree if file.effect == Some(Effect::Delete) => {
                any([own, self.holds_some(&full), self.holds_below(&full)])
            }
            Extent::Tree => any([own, self.holds_some(&full)]),
            Extent::Within if self.is_all_in(file) == Truth::Yes => Truth::Yes,
            Extent::Within if self.brings_one(file, &full) => Truth::Yes,
            Extent::Within => all([self.holds_some(&full), Truth::Hidden]),
        }
    }

    /// Whether a directory whose files come into another one has one whose name there is among the paths.
    fn brings_one(&self, file: &TouchedFile, full: &str) -> bool {
        let Some(from) = file.out_of.as_deref().map(|from| normal(from, self.cwd)) else {
            return false;
        };
        if from.contains(HOLE) || full.contains(HOLE) {
            return false;
        }
        let cwd = self.cwd.filter(|cwd| cwd.starts_with('/')).map(|cwd| normal(cwd, None));
        let globs = self.paths.globs.iter().flat_map(|glob| alternatives(self.source(*glob)));
        globs.into_iter().any(|glob| {
            let glob = glob.strip_suffix("/**").unwrap_or(&glob).replace('*', "");
            let name = match (&cwd, is_anywhere(&glob) && !glob.starts_with("//")) {
                (_, true) => Some(glob),
                (Some(cwd), _) if glob.starts_with("./") => {
                    let whole = format!("{}/{}", cwd.trim_end_matches('/'), &glob[2..]);
                    below(&whole, full).map(str::to_owned)
                }
                _ if glob.starts_with('/') && !glob.starts_with("//") => {
                    below(&glob, full).map(str::to_owned)
                }
                _ => None,
            };
            name.is_some_and(|name| {
                self.world.files.exists(&format!("{from}/{name}")) == Some(true)
            })
        })
    }

    /// Its path as seen from the root.
    pub fn full(&self, file: &TouchedFile) -> String {
        normal(&file.path, self.cwd)
    }

    pub fn is_all_in(&self, file: &TouchedFile) -> Truth {
        if file.path.contains(HOLE) {
            return Truth::No;
        }
        let full = normal(&file.path, self.cwd);
        let mut result = Truth::Yes;
        for name in [Some(full.clone()), self.real(&full)].into_iter().flatten() {
            let below = [format!("{name}/q"), format!("{name}/q/q")];
            let inner = all([self.is_one(&below[0]), self.is_one(&below[1])]);
            let answer = match file.extent {
                Extent::File => self.is_one(&name),
                Extent::Tree => any([self.is_one(&name), inner]),
                Extent::Within => inner,
            };
            result = all([result, answer]);
        }
        result
    }

    fn real(&self, full: &str) -> Option<String> {
        let files = &self.world.files;
        let real = files.canonical(full);
        if real != full {
            return Some(real);
        }
        let (directory, name) = full.rsplit_once('/')?;
        let directory = if directory.is_empty() { "/" } else { directory };
        let real = files.canonical(directory);
        (real != directory).then(|| format!("{}/{name}", real.trim_end_matches('/')))
    }

    fn source(&self, glob: u32) -> &str {
        &self.world.program.patterns[glob as usize].source
    }

    /// Whether a glob matches a path, as seen from where the glob starts.
    pub fn matches(&self, glob: u32, full: &str) -> bool {
        let source = self.source(glob);
        let seen = if source.starts_with("~/") {
            full.strip_prefix("~/")
        } else if source.starts_with("//") {
            // The repository is not known.
            (!full.starts_with(['/', '~', '.'])).then_some(full)
        } else if source.starts_with("./") {
            match self.cwd.filter(|cwd| cwd.starts_with('/')) {
                Some(cwd) => {
                    let cwd = normal(cwd, None);
                    let rest = full.strip_prefix(cwd.trim_end_matches('/'));
                    rest.and_then(|rest| rest.strip_prefix('/')).filter(|rest| !rest.is_empty())
                }
                None => (!full.starts_with(['/', '~', '.'])).then_some(full),
            }
        } else if source.starts_with('/') {
            full.starts_with('/').then_some(full)
        } else {
            Some(full)
        };
        seen.is_some_and(|seen| self.world.matches(glob, seen))
    }

    fn is_one(&self, full: &str) -> Truth {
        let left_out = self.paths.left_out.as_deref().map(|paths| {
            let Asked { world, cwd, sets, .. } = *self;
            Asked { world, paths, cwd, sets }.is_listed(full).opposite()
        });
        all([self.is_listed(full), left_out.unwrap_or(Truth::Yes)])
    }

    fn is_in_set(&self, full: &str) -> bool {
        let parts: Vec<&str> = full.split('/').collect();
        let mut places = (1..=parts.len()).map(|length| parts[..length].join("/"));
        places.any(|place| {
            let has = |set: &u32| self.sets.has(*set, &place);
            !place.is_empty() && self.paths.sets.iter().any(has)
        })
    }

    fn is_listed(&self, full: &str) -> Truth {
        if self.is_in_set(full) || self.paths.globs.iter().any(|glob| self.matches(*glob, full)) {
            return Truth::Yes;
        }
        let cwd = self.cwd.filter(|cwd| cwd.starts_with('/')).map(|cwd| normal(cwd, None));
        let inside = cwd.as_deref().is_some_and(|cwd| is_in(full, cwd));
        let scratch = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders"];
        let in_scratch = |place: &&str| full != *place && is_in(full, place);
        let is_scratch = scratch.into_iter().chain(["/dev/shm"]).any(|place| in_scratch(&place));
        let outside = match () {
            () if inside => Truth::No,
            () if cwd.is_some() || full.starts_with('/') => Truth::Missing,
            () => (full == ".." || full.starts_with("../") || full.starts_with('~')).into(),
        };
        any([
            (PathKind::Scratch.is_in(self.paths.kinds) && !inside && is_scratch).into(),
            if PathKind::Outside.is_in(self.paths.kinds) { outside } else { Truth::No },
            // Nobody tells what is ignored.
            if PathKind::Ignored.is_in(self.paths.kinds) { Truth::Missing } else { Truth::No },
        ])
    }

    /// Whether a directory holds a file that is among the paths.
    fn holds_some(&self, full: &str) -> Truth {
        let is_folder = self.paths.folders.iter().any(|folder| self.matches(*folder, full));
        if is_folder && !self.is_empty_of_all(full) {
            return Truth::Yes;
        }
        let cwd = self.cwd.filter(|cwd| cwd.starts_with('/')).map(|cwd| normal(cwd, None));
        let is_wide = self.is_wide(full);
        let mut answers = vec![Truth::No];
        for glob in &self.paths.globs {
            for one in alternatives(self.source(*glob)) {
                let (place, rest) = match &one {
                    glob if glob.starts_with("./") => (cwd.clone(), &glob[2..]),
                    glob if glob.starts_with("//") || glob.starts_with("~/") => continue,
                    glob if glob.starts_with('/') => (Some(String::new()), &glob[1..]),
                    glob => {
                        if is_wide {
                            let head = head(glob);
                            let named = format!("{}/{head}", full.trim_end_matches('/'));
                            answers.push(match head.is_empty() {
                                true => Truth::Hidden,
                                false => Truth::of_fact(self.world.files.exists(&named)),
                            });
                        }
                        continue;
                    }
                };
                let named =
                    place.map(|place| format!("{}/{}", place.trim_end_matches('/'), head(rest)));
                answers.push(named.is_some_and(|named| is_in(&named, full)).into());
            }
        }
        any(answers)
    }

    /// Whether a directory holds, be it deep below, what patterns without an anchor name.
    fn holds_below(&self, full: &str) -> Truth {
        let kinds = [PathKind::Generated, PathKind::Secret, PathKind::Config, PathKind::Tests];
        let kinds = kinds.into_iter().chain([PathKind::Docs, PathKind::Hook]);
        if kinds.into_iter().any(|kind| kind.is_in(self.paths.kinds)) {
            return Truth::No;
        }
        let cwd = self.cwd.filter(|cwd| cwd.starts_with('/')).map(|cwd| normal(cwd, None));
        let cwd = cwd.filter(|cwd| is_in(cwd, full));
        let globs = self.paths.globs.iter().flat_map(|glob| alternatives(self.source(*glob)));
        let globs = globs.filter(|glob| is_anywhere(glob) && !glob.starts_with("//"));
        let answers = globs.flat_map(|glob| {
            let name = head(glob.trim_start_matches("**/"));
            let places = [Some(full), cwd.as_deref()].into_iter().flatten();
            let places = places.filter(|_| !name.is_empty());
            let answer = |place| Truth::of_fact(self.world.files.lies_below(place, &name));
            places.map(answer).collect::<Vec<_>>()
        });
        any(answers.collect::<Vec<_>>())
    }

    /// Whether globs name files below a directory of this name, all of them in full, and none is there.
    fn is_empty_of_all(&self, full: &str) -> bool {
        let globs = self.paths.globs.iter().flat_map(|glob| alternatives(self.source(*glob)));
        let globs = globs.filter(|glob| is_anywhere(glob) && !glob.starts_with("//"));
        let named: Vec<String> = globs
            .flat_map(|glob| {
                let parts: Vec<String> = glob.split('/').map(str::to_owned).collect();
                let cut = |at: usize| (parts[..at].join("/"), parts[at..].join("/"));
                (1..parts.len()).map(cut).collect::<Vec<_>>()
            })
            .filter(|(folder, _)| full == *folder || full.ends_with(&format!("/{folder}")))
            .map(|(_, name)| name)
            .collect();
        let is_absent = |name: &String| {
            let head = head(name);
            !head.is_empty() && self.world.files.exists(&format!("{full}/{head}")) == Some(false)
        };
        !named.is_empty() && named.iter().all(is_absent)
    }

    fn is_wide(&self, full: &str) -> bool {
        let cwd = self.cwd.filter(|cwd| cwd.starts_with('/')).map(|cwd| normal(cwd, None));
        cwd.is_some_and(|cwd| is_in(&cwd, full)) || matches!(full, "." | ".." | "~" | "/")
    }

    /// Whether a glob is about a directory that is not the one of a pattern that reaches below one.
    fn is_elsewhere(&self, glob: u32, full: &str) -> bool {
        let Some((top, _)) = full.split_once("/**/") else { return false };
        let is_anywhere = |glob: &String| is_anywhere(glob) && glob.contains('/');
        !self.is_wide(top)
            && alternatives(self.source(glob)).iter().all(is_anywhere)
            && !self.matches(glob, &format!("{top}/q"))
    }

    fn may_be(&self, file: &TouchedFile, full: &str) -> Truth {
        let pieces: &[&str] = match file.is_pattern {
            true => &["", "q", "qq"],
            false => &["q", "qq", "q/q"],
        };
        let fill = |piece: &&str| {
            let with = |piece: &str| full.replace([HOLE, '*'], piece).replace('?', "q");
            let filled = with(piece);
            let has_nameless = filled.ends_with('/') || filled.contains("//");
            if has_nameless { with("q") } else { filled }
        };
        let answers: Vec<_> = pieces.iter().map(fill).map(|path| self.is_one(&path)).collect();
        let is_open = file.path.starts_with(HOLE);
        let elsewhere = format!("/q{}", file.path.trim_start_matches(HOLE)).replace(HOLE, "q");
        let is_all = !full.starts_with(HOLE) && answers.iter().all(|answer| *answer == Truth::Yes);
        if is_all && (!is_open || self.is_one(&elsewhere) == Truth::Yes) {
            return Truth::Yes;
        }
        let full = if file.path.starts_with(HOLE) { &file.path } else { full };
        let kinds = PathKind::Scratch.bit() | PathKind::Outside.bit();
        let may_lie = answers.iter().any(|answer| *answer != Truth::No);
        let asks_where = self.paths.kinds & kinds != 0 && (full.starts_with(HOLE) || may_lie);
        if asks_where || full.contains(HOLE) && full.trim_matches(['/', HOLE]).is_empty() {
            return Truth::Hidden;
        }
        let pattern = full.replace(HOLE, "**");
        let globs = self.paths.globs.iter().filter(|glob| !self.is_elsewhere(**glob, full));
        let globs = globs.flat_map(|glob| alternatives(self.source(*glob)));
        let is_folders = file.is_pattern && file.extent == Extent::Tree;
        let answers = globs.map(|glob| match self.may_match(&pattern, &glob) {
            _ if is_folders && self.finds_above(&pattern, &glob) => Truth::Yes,
            false => Truth::No,
            true if file.is_pattern && self.expands_to(&pattern, &glob) => Truth::Yes,
            true => Truth::Hidden,
        });
        any(answers)
    }

    fn may_match(&self, pattern: &str, glob: &str) -> bool {
        let cwd = self.cwd.filter(|cwd| cwd.starts_with('/')).map(|cwd| normal(cwd, None));
        if is_anywhere(glob) {
            return globs::meet(pattern, &format!("*/{glob}"))
                || !pattern.starts_with('/') && globs::meet(pattern, glob);
        }
        let whole = match &cwd {
            Some(cwd) if glob.starts_with("./") => {
                format!("{}/{}", cwd.trim_end_matches('/'), &glob[2..])
            }
            None if glob.starts_with("./") => glob[2..].to_owned(),
            _ if glob.starts_with("//") => glob[2..].to_owned(),
            _ => glob.to_owned(),
        };
        globs::meet(pattern, &whole)
    }

    /// Whether a shell's pattern surely finds a folder of a file that a glob names, since that is there.
    fn finds_above(&self, pattern: &str, glob: &str) -> bool {
        let signs = ['*', '?', '['];
        let Some((directory, last)) = pattern.trim_end_matches('/').rsplit_once('/') else {
            return false;
        };
        let parts: Vec<&str> = glob.split('/').collect();
        is_anywhere(glob)
            && !directory.contains(signs)
            && (0..parts.len() - 1).any(|at| {
                let (above, below) = (parts[..at].join("/"), parts[at..].join("/"));
                let folder = parts[at];
                (at == 0 || directory.ends_with(&format!("/{above}")))
                    && !folder.contains(signs)
                    && (last.starts_with('.') || !folder.starts_with('.'))
                    && globs::meet(last, folder)
                    && self.world.files.exists(&format!(
                        "{directory}/{}",
                        below.strip_suffix("/**").unwrap_or(&below).replace('*', "")
                    )) == Some(true)
            })
    }

    /// Whether a shell's pattern surely expands to a file that a glob names, since that is there.
    fn expands_to(&self, pattern: &str, glob: &str) -> bool {
        let Some((directory, last)) = pattern.rsplit_once('/') else { return false };
        let signs = ['*', '?', '['];
        let glob = glob.strip_suffix("/**").unwrap_or(glob).replace('*', "");
        let name = glob.split('/').next_back().unwrap();
        let (directory, path) = match directory.strip_suffix("/**") {
            Some(top) => {
                let anchor = ["./", "//", "~/"].into_iter().find_map(|it| glob.strip_prefix(it));
                (top, anchor.unwrap_or(&glob))
            }
            None if name.starts_with('.') && last.starts_with(signs) => return false,
            None => (directory, name),
        };
        if glob.contains(signs) || directory.contains(signs) || last.contains("**") {
            return false;
        }
        let exists = self.world.files.exists(&format!("{directory}/{path}"));
        globs::meet(last, name) && exists == Some(true)
    }
}

/// Whether a glob may start in any directory.
fn is_anywhere(glob: &str) -> bool {
    !["/", "./", "~/"].iter().any(|anchor| glob.starts_with(anchor))
}

/// The parts of a glob before the first with a sign in it.
fn head(glob: &str) -> String {
    let plain = |part: &&str| !part.contains(['*', '?', '[']);
    glob.split('/').take_while(plain).collect::<Vec<_>>().join("/")
}

/// What lies below a place, as seen from there.
fn below<'p>(path: &'p str, place: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(place.trim_end_matches('/'))?.strip_prefix('/')?;
    (!rest.is_empty()).then_some(rest)
}

fn is_in(path: &str, place: &str) -> bool {
    path == place || path.starts_with(&format!("{}/", place.trim_end_matches('/')))
}

/// The globs that one with braces stands for.
fn alternatives(glob: &str) -> Vec<String> {
    let Some(start) = glob.find('{') else { return vec![glob.to_owned()] };
    let (mut depth, mut cuts) = (0, vec![start]);
    for (at, sign) in glob.char_indices().skip_while(|(at, _)| *at < start) {
        match sign {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    cuts.push(at);
                    break;
                }
            }
            ',' if depth == 1 => cuts.push(at),
            _ => {}
        }
    }
    let end = cuts[cuts.len() - 1];
    let parts = cuts.windows(2).map(|cut| &glob[cut[0] + 1..cut[1]]);
    parts
        .flat_map(|part| alternatives(&format!("{}{part}{}", &glob[..start], &glob[end + 1..])))
        .collect()
}
