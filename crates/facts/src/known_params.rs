//! What is known of the parameters of calls by their names alone, looked up once for each tool.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::commands::{COMMAND_PARAMS, Hints};
use crate::event::Param;
use crate::mark::{are_equal, mark};
use crate::path::is_path_param;
use behavior_image::{Image, TARGET_PARAMS};

/// Parameters that calls of a tool had, so that their names are looked up once for all sessions.
#[derive(Debug, Default)]
pub struct KnownParams([OnceLock<Arc<KnownParam>>; KnownParams::MAX]);

/// What is known of a parameter of calls, by its name and the agent's own name for it.
#[derive(Debug)]
pub struct KnownParam {
    /// Its name.
    pub name: Box<str>,
    mark: u64,
    /// The agent's own name for it, where it differs.
    pub native: Option<Box<str>>,
    /// Whether something may ask for it after a call.
    pub is_wanted: bool,
    /// Which of the names of targets are its, as [`target_names`] says.
    pub target_names: u32,
    /// Those of them that hold paths.
    pub target_paths: u32,
    /// What it says of the command line that a call comes to.
    pub hints: Hints,
}

impl KnownParams {
    /// Others are looked up each time.
    const MAX: usize = 16;
    /// And so are longer names, so that no trace fills the memory with them.
    const MAX_LENGTH: usize = 64;

    /// What is known of a parameter that stood at this place in a call before: most often it did.
    #[inline]
    pub fn at(&self, at: usize, param: &Param<'_>) -> Option<&Arc<KnownParam>> {
        self.0.get(at)?.get().filter(|known| known.is(param))
    }

    /// What is known of a parameter, wherever it stands.
    #[cold]
    pub fn find(&self, image: &Image, param: &Param<'_>) -> Cow<'_, Arc<KnownParam>> {
        let longest = param.name.len().max(param.native.as_deref().map_or(0, str::len));
        let cells = if longest <= Self::MAX_LENGTH { &self.0[..] } else { &[] };
        let learn = || Arc::new(KnownParam::learn(image, param));
        for cell in cells {
            let known = cell.get_or_init(learn);
            if known.is(param) {
                return Cow::Borrowed(known);
            }
        }
        Cow::Owned(learn())
    }
}

impl KnownParam {
    #[inline(always)]
    fn is(&self, param: &Param<'_>) -> bool {
        self.mark == mark(&param.name)
            && are_equal(&self.name, &param.name)
            && self.native.as_deref() == param.native.as_deref()
    }

    fn learn(image: &Image, param: &Param<'_>) -> Self {
        let (name, native) = (&*param.name, param.native.as_deref());
        let of_command = COMMAND_PARAMS.contains(&name).then_some(COMMAND_PARAMS[0]);
        let names = [Some(name), native, of_command];
        Self {
            is_wanted: names.into_iter().flatten().any(|name| image.wants_param(name)),
            target_names: target_names(param),
            target_paths: target_names(param) & path_targets(),
            hints: Hints::of(name, native),
            mark: mark(name),
            name: name.into(),
            native: native.map(Into::into),
        }
    }
}

/// The places in [`TARGET_PARAMS`] of names of paths, a bit for each.
fn path_targets() -> u32 {
    let bit = |(place, name): (usize, &&str)| u32::from(is_path_param(name)) << place;
    TARGET_PARAMS.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
}

/// The places of a parameter's names in [`TARGET_PARAMS`], a bit for each.
#[must_use]
pub fn target_names(param: &Param<'_>) -> u32 {
    let place = |name: &str| TARGET_PARAMS.iter().position(|target| *target == name);
    let names = [Some(&*param.name), param.native.as_deref()];
    names.into_iter().flatten().filter_map(place).fold(0, |all, place| all | 1 << place)
}
