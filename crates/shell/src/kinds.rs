//! Small enumerations, each declared once: name and meaning.

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $label:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// All of them, in the order of their numbers.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The one with this number, from 0.
            #[must_use]
            pub fn from_number(number: u32) -> Option<Self> {
                Self::ALL.get(number as usize).copied()
            }

            /// The name, as printed.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $label),* }
            }
        }
    )*};
}
pub(crate) use kinds;
