//! The language server as an editor sees it: raw messages in, raw messages out.

#[cfg(test)]
mod client;
#[cfg(test)]
mod diagnostics;
#[cfg(test)]
mod features;
#[cfg(test)]
mod hindsight;
#[cfg(test)]
mod lifecycle;
#[cfg(test)]
mod navigation;
#[cfg(test)]
mod questions;
