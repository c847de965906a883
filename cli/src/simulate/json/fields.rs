//! Objects whose fields are data, in an order of their own.

use serde::{Serialize, Serializer};

/// An object with the fields in this order.
pub struct Fields<'a, T>(pub Vec<(&'a str, T)>);

impl<T: Serialize> Serialize for Fields<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
