//! JSON as the readers see it: the fields that a record is asked for, declared once.

pub(crate) use behavior_json::*;

/// Declares a struct of raw fields with the keys they come under.
macro_rules! slots {
    ($(#[$meta:meta])* struct $name:ident { $($field:ident: $($key:literal)|+),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name<'a> { $(pub(crate) $field: $crate::json::Raw<'a>),+ }

        impl<'a> $crate::json::Slots<'a> for $name<'a> {
            #[inline]
            fn slot(&mut self, key: &str) -> $crate::json::Slot<'_, 'a> {
                match key {
                    $($($key)|+ => $crate::json::Slot::Keep(&mut self.$field),)+
                    _ => $crate::json::Slot::Ignore,
                }
            }
        }
    };
}
pub(crate) use slots;
