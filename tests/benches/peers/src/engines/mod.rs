//! Engines that others have written, with the same rules in their languages. What is known of a session their host keeps,
//! by hand, since none of them has state: each is asked which of its conditions hold, before a call, after it and of a text.
//! None of them reads command lines, so that they say what the rules by hand say.

mod cedar;
mod cel;
mod host;
mod regorus;
mod wirefilter;

use crate::peer::{Peer, Task};
use host::Hosted;

/// All of them.
pub fn peers(task: &Task) -> Vec<Box<dyn Peer + '_>> {
    vec![
        Box::new(Hosted::new("wirefilter", task, wirefilter::Wirefilter::new())),
        Box::new(Hosted::new("CEL", task, cel::Cel::new())),
        Box::new(Hosted::new("Rego (regorus' RVM)", task, regorus::Regorus::new())),
        Box::new(Hosted::new("Cedar", task, cedar::Cedar::new())),
    ]
}
