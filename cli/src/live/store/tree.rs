//! Values under hashes, in a file that only grows: what a session has met, however much that is. To find
//! one, and to enter one, takes a few small reads and one small write.
//!
//! The file holds a tree of sixteen branches a node, after the digits of the hash. What is entered is
//! written behind the end together with the nodes above it, up to a new root; what is there already is never
//! changed. Which root holds, and where the file ends, the session's record says: so what a process wrote
//! that died before its record is nothing, and the next one writes over it. Each node is authenticated at
//! its place. Where most of the file is of the past, what holds is written to the other one of two files,
//! from which the next record goes on.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::error::{StoreError, failed};
use super::files::{private, regular, write_at};
use super::seal::Seal;

/// What the file begins with; nothing else stands at its start, so that no node is at 0.
const MAGIC: [u8; 8] = *b"BhTree1\n";
/// Before a node: its length and its code.
const HEAD: usize = 4 + 8;
/// So much is read for a node at first; nearly all are shorter.
const USUAL: usize = 256;
/// A file may grow to so much before it is looked at whether most of it is of the past.
const SMALL: u32 = 64 << 10;
/// It is then, where it has so many times the bytes of what holds.
const OVERHEAD: u32 = 5;
/// A larger file is refused.
const LARGEST: usize = 512 << 20;
/// The digits of a hash.
const DIGITS: u32 = 32;

const LEAF: u8 = 0;
const BRANCH: u8 = 1;

type Children = [u32; 16];

/// Where a tree stands: what a record says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// Which of the two files, as a number that no other file has.
    pub file: u64,
    pub is_second: bool,
    /// The root; 0 where the tree is empty.
    pub at: u32,
    /// Behind the last byte that holds.
    pub end: u32,
    /// How many bytes the values take.
    pub live: u32,
}

impl Root {
    pub const LENGTH: usize = 8 + 1 + 4 + 4 + 4;

    pub fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.file.to_le_bytes());
        out.push(u8::from(self.is_second));
        for number in [self.at, self.end, self.live] {
            out.extend(number.to_le_bytes());
        }
    }

    pub fn take(bytes: &[u8; Self::LENGTH]) -> Option<Self> {
        let (file, rest) = bytes.split_first_chunk()?;
        let (is_second, rest) = rest.split_first()?;
        let (at, rest) = rest.split_first_chunk()?;
        let (end, rest) = rest.split_first_chunk()?;
        let (live, _) = rest.split_first_chunk()?;
        Some(Self {
            file: u64::from_le_bytes(*file),
            is_second: *is_second != 0,
            at: u32::from_le_bytes(*at),
            end: u32::from_le_bytes(*end),
            live: u32::from_le_bytes(*live),
        })
    }
}

/// The tree of a session, as its last record has it.
#[derive(Debug)]
pub struct Tree {
    seal: Seal,
    paths: [PathBuf; 2],
    root: Root,
    /// Opened when it is first asked for.
    file: OnceLock<File>,
}

/// A node of the file.
enum Node {
    Leaf { key: u128, value: Vec<u8> },
    Branch(Children),
}

/// What is to be entered: a new value, or where a known one stands.
enum Item<'v> {
    New { key: u128, value: &'v [u8] },
    Known { key: u128, at: u32 },
}

impl Item<'_> {
    fn key(&self) -> u128 {
        match *self {
            Self::New { key, .. } | Self::Known { key, .. } => key,
        }
    }
}

fn digit(key: u128, depth: u32) -> usize {
    (key >> (4 * DIGITS.saturating_sub(depth + 1)) & 15) as usize
}

impl Tree {
    pub(super) fn new(seal: Seal, paths: [PathBuf; 2], root: Root) -> Self {
        Self { seal, paths, root, file: OnceLock::new() }
    }

    /// What makes the hashes under which values stand.
    #[must_use]
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    pub(super) fn root(&self) -> Root {
        self.root
    }

    fn path(&self, is_second: bool) -> &PathBuf {
        let [first, second] = &self.paths;
        if is_second { second } else { first }
    }

    /// Returns the value under a hash.
    ///
    /// # Errors
    /// When the file is damaged or cannot be read.
    pub fn get(&self, key: u128) -> Result<Option<Vec<u8>>, StoreError> {
        let mut at = self.root.at;
        for depth in 0..=DIGITS {
            if at == 0 {
                return Ok(None);
            }
            at = match self.node(at)? {
                Node::Leaf { key: found, value } => return Ok((found == key).then_some(value)),
                Node::Branch(children) => {
                    children.get(digit(key, depth)).copied().unwrap_or_default()
                }
            };
        }
        Err(self.damaged("its tree of targets does not end"))
    }

    /// Returns all values, in no order that means anything.
    ///
    /// # Errors
    /// As [`Tree::get`].
    pub fn all(&self) -> Result<Vec<(u128, Vec<u8>)>, StoreError> {
        let mut found = Vec::new();
        if self.root.at == 0 {
            return Ok(found);
        }
        let bytes = self.read(0, self.root.end as usize)?;
        let mut waiting = vec![(self.root.at, 0)];
        while let Some((at, depth)) = waiting.pop() {
            let node = bytes.get(at as usize..).and_then(|bytes| self.node_in(at, bytes));
            match node.ok_or_else(|| self.damaged(NOT_A_NODE))? {
                Node::Leaf { key, value } => found.push((key, value)),
                Node::Branch(children) if depth < DIGITS => {
                    let used = children.into_iter().filter(|child| *child != 0);
                    waiting.extend(used.map(|child| (child, depth + 1)));
                }
                Node::Branch(_) => return Err(self.damaged("its tree of targets does not end")),
            }
        }
        Ok(found)
    }

    /// Enters values and returns where the tree stands then. Nothing holds before a record says so. What
    /// `holds` does not want may be left out.
    ///
    /// # Errors
    /// When the file is damaged or too large, or the system refuses.
    pub(super) fn enter(
        &self,
        values: BTreeMap<u128, Vec<u8>>,
        holds: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Root, StoreError> {
        let added: usize = values.values().map(|value| value.len() + HEAD + 17).sum();
        let live = (self.root.live as usize).saturating_add(added);
        let is_past = self.root.end > SMALL && live < (self.root.end / OVERHEAD) as usize;
        if !is_past && self.root.at != 0 {
            return Writer::behind(self).write(self.root.at, &values);
        }
        let mut all: BTreeMap<u128, Vec<u8>> =
            self.all()?.into_iter().filter(|(_, value)| holds(value)).collect();
        all.extend(values);
        let mut id = [0; 8];
        getrandom::fill(&mut id).map_err(|error| {
            failed("make a number for", self.path(false))(io::Error::other(error.to_string()))
        })?;
        let is_second = self.root.at != 0 && !self.root.is_second;
        Writer::of_new(self, u64::from_le_bytes(id), is_second).write(0, &all)
    }

    /// Removes the file that a new root is not in any more.
    pub(super) fn forget_before(&self, root: Root) {
        if self.root.at != 0 && self.root.is_second != root.is_second {
            // It is written over otherwise.
            let _ = std::fs::remove_file(self.path(self.root.is_second));
        }
    }

    fn node(&self, at: u32) -> Result<Node, StoreError> {
        let left = self.root.end.saturating_sub(at) as usize;
        let mut bytes = self.read(at, left.min(USUAL))?;
        let length = length_of(&bytes).ok_or_else(|| self.damaged(NOT_A_NODE))?;
        if length > left {
            return Err(self.damaged(NOT_A_NODE));
        }
        if length > bytes.len() {
            bytes = self.read(at, length)?;
        }
        self.node_in(at, &bytes).ok_or_else(|| self.damaged(NOT_A_NODE))
    }

    /// Takes the node that begins there.
    fn node_in(&self, at: u32, bytes: &[u8]) -> Option<Node> {
        let (code, rest) = bytes.get(4..length_of(bytes)?)?.split_first_chunk::<8>()?;
        if self.seal.of_node(self.root.file, at, rest) != *code {
            return None;
        }
        let (kind, rest) = rest.split_first()?;
        if *kind == LEAF {
            let (key, value) = rest.split_first_chunk()?;
            return Some(Node::Leaf { key: u128::from_le_bytes(*key), value: value.to_vec() });
        }
        let (used, rest) = rest.split_first_chunk()?;
        let used = u16::from_le_bytes(*used);
        let mut numbers = rest.chunks_exact(4).filter_map(|bytes| bytes.first_chunk());
        let mut children = Children::default();
        for (place, child) in children.iter_mut().enumerate() {
            if used >> place & 1 == 1 {
                *child = u32::from_le_bytes(*numbers.next()?);
            }
        }
        Some(Node::Branch(children))
    }

    fn read(&self, at: u32, length: usize) -> Result<Vec<u8>, StoreError> {
        let path = self.path(self.root.is_second);
        if length > LARGEST {
            return Err(StoreError::TooLarge { bytes: length });
        }
        let file = match self.file.get() {
            Some(file) => file,
            None => match private().read(true).open(path).and_then(regular) {
                Ok(file) => self.file.get_or_init(|| file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(self.damaged("the file of its targets is missing"));
                }
                Err(error) => return Err(failed("open", path)(error)),
            },
        };
        let mut bytes = vec![0; length];
        match read_exact_at(file, &mut bytes, at.into()) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged("the file of its targets ends too early"))
            }
            Err(error) => Err(failed("read", path)(error)),
        }
    }

    fn damaged(&self, problem: &'static str) -> StoreError {
        StoreError::Damaged { path: self.path(self.root.is_second).clone(), problem }
    }
}

const NOT_A_NODE: &str = "a part of its targets is not as it was written";

fn length_of(bytes: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
    HEAD.checked_add(length)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek};
    file.seek(io::SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

/// Nodes that are to be written behind each other.
struct Writer<'t> {
    tree: &'t Tree,
    root: Root,
    bytes: Vec<u8>,
}

impl<'t> Writer<'t> {
    /// Goes on behind the end of a tree.
    fn behind(tree: &'t Tree) -> Self {
        Self { tree, root: tree.root, bytes: Vec::with_capacity(1024) }
    }

    /// Begins a file.
    fn of_new(tree: &'t Tree, file: u64, is_second: bool) -> Self {
        let root = Root { file, is_second, ..Root::default() };
        Self { tree, root, bytes: MAGIC.to_vec() }
    }

    fn write(mut self, below: u32, values: &BTreeMap<u128, Vec<u8>>) -> Result<Root, StoreError> {
        let items = values.iter().map(|(&key, value)| Item::New { key, value });
        let at = match values.is_empty() {
            true => below,
            false => self.put(below, 0, items.collect())?,
        };
        let start = self.root.end;
        let end = start as usize + self.bytes.len();
        if end > LARGEST {
            return Err(StoreError::TooLarge { bytes: end });
        }
        let path = self.tree.path(self.root.is_second);
        let mut options = private();
        options.write(true).create(true).truncate(start == 0);
        let mut file = options.open(path).and_then(regular).map_err(failed("open", path))?;
        write_at(&mut file, start.into(), &self.bytes).map_err(failed("write", path))?;
        Ok(Root { at, end: end as u32, ..self.root })
    }

    /// Enters items below a node and returns the node that takes its place.
    fn put(&mut self, node: u32, depth: u32, mut items: Vec<Item<'_>>) -> Result<u32, StoreError> {
        let mut children = Children::default();
        let mut is_branch = items.len() > 1;
        if node != 0 {
            match self.tree.node(node)? {
                Node::Branch(known) => (children, is_branch) = (known, true),
                Node::Leaf { key, value } if items.iter().any(|item| item.key() == key) => {
                    self.root.live = self.root.live.saturating_sub(value.len() as u32);
                }
                Node::Leaf { key, .. } => {
                    items.push(Item::Known { key, at: node });
                    is_branch = true;
                }
            }
        }
        if !is_branch {
            return Ok(items.pop().map_or(0, |item| self.leaf(&item)));
        }
        let mut groups: [Vec<Item<'_>>; 16] = Default::default();
        for item in items {
            if let Some(group) = groups.get_mut(digit(item.key(), depth)) {
                group.push(item);
            }
        }
        for (child, group) in children.iter_mut().zip(groups) {
            if !group.is_empty() {
                *child = self.put(*child, depth + 1, group)?;
            }
        }
        Ok(self.branch(&children))
    }

    fn leaf(&mut self, item: &Item<'_>) -> u32 {
        let (key, value) = match *item {
            Item::New { key, value } => (key, value),
            Item::Known { at, .. } => return at,
        };
        self.root.live = self.root.live.saturating_add(value.len() as u32);
        let mut node = Vec::with_capacity(17 + value.len());
        node.push(LEAF);
        node.extend(key.to_le_bytes());
        node.extend(value);
        self.node(&node)
    }

    fn branch(&mut self, children: &Children) -> u32 {
        let used =
            children.iter().rev().fold(0, |used: u16, child| used << 1 | u16::from(*child != 0));
        let mut node = vec![BRANCH];
        node.extend(used.to_le_bytes());
        let known = children.iter().filter(|child| **child != 0);
        node.extend(known.flat_map(|child| child.to_le_bytes()));
        self.node(&node)
    }

    fn node(&mut self, node: &[u8]) -> u32 {
        let at = self.root.end.saturating_add(self.bytes.len() as u32);
        self.bytes.extend((node.len() as u32).to_le_bytes());
        self.bytes.extend(self.tree.seal.of_node(self.root.file, at, node));
        self.bytes.extend_from_slice(node);
        at
    }
}
