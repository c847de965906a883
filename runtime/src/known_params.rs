//! What is known of the parameters of calls by their names alone, looked up once for each tool.

use crate::commands::COMMAND_PARAMS;
use crate::event::Param;
use behavior_image::{Image, TARGET_PARAMS};

/// Parameters that calls of a tool had, so that their names are looked up once.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownParams(Vec<(Box<str>, Option<Box<str>>, KnownParam)>);

/// What is known of a parameter of calls, by its name and the agent's own name for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownParam {
    /// Whether something may ask for it after a call.
    pub is_wanted: bool,
    /// Which of the names of targets are its, as [`target_names`] says.
    pub target_names: u32,
}

impl KnownParams {
    /// Others are looked up each time.
    const MAX: usize = 16;
    /// And so are longer names, so that no trace fills the memory with them.
    const MAX_LENGTH: usize = 64;

    /// What is known of a parameter, which stands at this place in its call: most often it did so before.
    #[inline]
    pub fn of(&mut self, image: &Image, param: &Param<'_>, at: usize) -> KnownParam {
        let (name, native) = (&*param.name, param.native.as_deref());
        let is_it = |known: &&(Box<str>, Option<Box<str>>, KnownParam)| {
            *known.0 == *name && known.1.as_deref() == native
        };
        let before = self.0.get(at).filter(is_it);
        match before.or_else(|| self.0.iter().find(is_it)) {
            Some((.., known)) => *known,
            None => self.learn(image, param),
        }
    }

    #[cold]
    fn learn(&mut self, image: &Image, param: &Param<'_>) -> KnownParam {
        let (name, native) = (&*param.name, param.native.as_deref());
        let of_command = COMMAND_PARAMS.contains(&name).then_some(COMMAND_PARAMS[0]);
        let names = [Some(name), native, of_command];
        let known = KnownParam {
            is_wanted: names.into_iter().flatten().any(|name| image.wants_param(name)),
            target_names: target_names(param),
        };
        let is_short = name.len().max(native.map_or(0, str::len)) <= Self::MAX_LENGTH;
        if self.0.len() < Self::MAX && is_short {
            self.0.push((name.into(), native.map(Into::into), known));
        }
        known
    }
}

/// The places of a parameter's names in [`TARGET_PARAMS`], a bit for each.
pub(crate) fn target_names(param: &Param<'_>) -> u32 {
    let place = |name: &str| TARGET_PARAMS.iter().position(|target| *target == name);
    let names = [Some(&*param.name), param.native.as_deref()];
    names.into_iter().flatten().filter_map(place).fold(0, |all, place| all | 1 << place)
}
