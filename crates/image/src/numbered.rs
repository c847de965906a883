//! Declares enumerations: number, name and meaning of each of their values, once.

macro_rules! numbered {
    ($($(#[$doc:meta])* $name:ident: $repr:ty { $($(#[$variant_doc:meta])* $variant:ident = $number:literal $label:expr,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr($repr)]
        pub enum $name { $($(#[$variant_doc])* $variant = $number,)* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The one with this number.
            #[must_use]
            #[inline(always)]
            pub fn from_number(number: $repr) -> Option<Self> {
                match number {
                    $($number => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// The name, as printed.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $label),* }
            }
        }
    )*};
}

pub(crate) use numbered;
