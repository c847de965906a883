//! What the standard library says of commands is the same in every program, and slow to read. Where nothing but
//! problems is looked for, as while somebody types, a process reads each part of it once.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::ir::{Index, Shape as CommandShape};
use crate::lower::{Lowering, PatternKey};
use crate::pattern::Pattern;

/// What was made of a class of commands, or of the argument of `runs`.
#[derive(Clone, Debug)]
pub(crate) struct ReadShapes {
    /// `None` where something is wrong with it.
    pub shapes: Option<Vec<CommandShape>>,
    /// The parameter that it names.
    pub param: Option<Box<str>>,
}

/// What a process has read.
static KEPT: LazyLock<Mutex<HashMap<Box<str>, Arc<KeptShapes>>>> = LazyLock::new(Mutex::default);

/// Shapes with their patterns, which are numbered in this order.
#[derive(Debug)]
struct KeptShapes {
    read: ReadShapes,
    patterns: Vec<(PatternKey, Pattern)>,
}

/// Reads something of the library's under a key, or takes what was read before.
pub(super) fn once_in_a_process(
    key: impl FnOnce(&Lowering<'_>) -> String,
    lowering: &mut Lowering<'_>,
    read: impl FnOnce(&mut Lowering<'_>) -> ReadShapes,
) -> ReadShapes {
    if !is_as_everywhere(lowering) {
        return read(lowering);
    }
    let key = key(lowering);
    let known = all_kept().get(&*key).cloned();
    if let Some(known) = known {
        return known.moved_into(lowering);
    }
    let made = read(lowering);
    if let Some(kept) = KeptShapes::of(&made, lowering) {
        all_kept().insert(key.into(), Arc::new(kept));
    }
    made
}

/// Whether what the library says means here what it means in every program: nobody adds to what is known of programs
/// and classes, and there are no automata, of which each program has as many as it may.
fn is_as_everywhere(lowering: &Lowering<'_>) -> bool {
    lowering.programs.is_library()
        && lowering.classes.is_library()
        && !lowering.patterns.has_automata()
}

fn all_kept() -> MutexGuard<'static, HashMap<Box<str>, Arc<KeptShapes>>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KeptShapes {
    /// What was read for a program, without that program's numbers. Names of sets have numbers, too: what asks for
    /// them is not kept.
    fn of(read: &ReadShapes, lowering: &Lowering<'_>) -> Option<Self> {
        let mut read = read.clone();
        let mut numbers: HashMap<Index, Index> = HashMap::new();
        let mut used = Vec::new();
        for shape in read.shapes.iter_mut().flatten() {
            if shape.spares.as_ref().is_some_and(|paths| paths.all_sets().next().is_some()) {
                return None;
            }
            shape.renumber(|index| {
                *numbers.entry(index).or_insert_with(|| {
                    used.push(index);
                    used.len() as Index - 1
                })
            });
        }
        let patterns = lowering.patterns.keys_of(&used)?;
        Some(Self { read, patterns })
    }

    /// The same with the numbers of a program.
    fn moved_into(&self, lowering: &mut Lowering<'_>) -> ReadShapes {
        let added = self.patterns.iter().map(|(key, pattern)| lowering.patterns.put(key, pattern));
        let numbers: Vec<Index> = added.collect();
        let mut read = self.read.clone();
        for shape in read.shapes.iter_mut().flatten() {
            shape.renumber(|index| numbers.get(index as usize).copied().unwrap_or_default());
        }
        read
    }
}
