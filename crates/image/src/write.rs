//! Writing an image: tables in, bytes out. The same tables always give the same bytes.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::checksum::{checksum, checksum_of, fingerprint};
use crate::code::ScanSource;
use crate::format::*;
use crate::scan::Tables;

/// A string of a [`Draft`].
pub type StringId = u32;

/// An image being put together. The compiler fills the tables; [`Draft::encode`] lays them out.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The ids of strings by what they say. The texts stand in `string_bytes` alone.
    strings: HashTable<StringId>,
    hasher: RandomState,
    string_index: Vec<u32>,
    string_bytes: String,
    /// Facts about the whole program.
    pub program: Program,
    /// The rules, in the order of findings.
    pub rules: Vec<RuleRecord>,
    /// What makes rules silent, in the order of the rules.
    pub exceptions: Vec<ExceptionRecord>,
    /// What people ask of the rules, one for each.
    pub rule_notes: Vec<RuleNotes>,
    /// All conditions' instructions.
    pub code: Vec<Instruction>,
    /// Where the conditions stand, sorted by instruction.
    pub condition_notes: Vec<ConditionNotes>,
    /// Numbers of instructions.
    pub constants: Vec<u64>,
    /// Parts of messages.
    pub messages: Vec<MessagePart>,
    /// Trigger groups: `*` first, the others sorted by last part and full name.
    pub triggers: Vec<TriggerGroup>,
    /// Runs of indexes.
    pub lists: Vec<u32>,
    /// Rules that wait for a number.
    pub thresholds: Vec<Threshold>,
    /// Changes of state.
    pub transitions: Vec<Transition>,
    /// The sets.
    pub sets: Vec<SetRecord>,
    /// The counters' names.
    pub counters: Vec<StringId>,
    /// The flags' names.
    pub flags: Vec<StringId>,
    /// The names of parameters that anything asks for.
    pub params: Vec<StringId>,
    /// The patterns.
    pub patterns: Vec<PatternRecord>,
    /// The patterns' automata.
    pub automata: Vec<u8>,
    /// The numbers that the config sets by name.
    pub numbers: Vec<NamedNumber>,
    /// The encoded classifier; empty when there is none.
    pub classifier: Vec<u32>,
    /// The encoded models that the config names; empty where it speaks of none.
    pub brains: Vec<u32>,
    /// The encoded workflow templates; empty when there are none.
    pub workflows: Vec<u32>,
    /// What is known of programs, each behind what it is a subcommand of.
    pub programs: Vec<ProgramRecord>,
    /// Their flags.
    pub program_flags: Vec<ProgramFlag>,
    /// What they do with files.
    pub file_uses: Vec<FileUse>,
    /// The names of programs, laid out by [`crate::names::table`].
    pub names: Vec<NameRecord>,
    /// What words mean to a first look, laid out by [`crate::prefilter::lay_out`].
    pub prefilter: Vec<PrefilterRecord>,
    /// The meanings.
    pub meanings: Vec<Meaning>,
    /// The rules of the policy, in the order in which they are looked at.
    pub permissions: Vec<PermissionRecord>,
    /// What they are about, in the same order.
    pub alternatives: Vec<AlternativeRecord>,
    /// Which of those are about a program, sorted by program and alternative.
    pub permission_programs: Vec<PermissionProgram>,
    /// See [`Section::PermissionFacts`].
    pub permission_facts: Vec<PermissionFact>,
    /// What commands must look like.
    pub shapes: Vec<ShapeRecord>,
    /// The runs of the lists table that tell the shapes of conditions. They go into no section of
    /// their own.
    pub shape_runs: Vec<Run>,
    /// The rules of trace policies.
    pub monitors: Vec<MonitorRecord>,
    /// Their tests of pairs.
    pub pair_tests: Vec<PairTest>,
    /// The paths that they ask for.
    pub pair_paths: Vec<StringId>,
    scans: Vec<ScanRecord>,
    filters: Vec<u64>,
    buckets: Vec<u32>,
    literals: Vec<LiteralRecord>,
}

/// The text of a string by its id; empty for none.
fn text_of<'s>(index: &[u32], bytes: &'s str, id: StringId) -> &'s str {
    let boundary = |at: usize| index.get(at).map(|&boundary| boundary as usize);
    let range = boundary(id as usize).zip(boundary(id as usize + 1));
    range.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default()
}

impl Draft {
    /// The id of a string.
    pub fn string(&mut self, text: &str) -> StringId {
        let Self { strings, hasher, string_index, string_bytes, .. } = self;
        let hash = hasher.hash_one(text);
        if let Some(&id) = strings.find(hash, |id| text_of(string_index, string_bytes, *id) == text)
        {
            return id;
        }
        if string_index.is_empty() {
            string_index.push(0);
        }
        let id = strings.len() as u32;
        string_bytes.push_str(text);
        string_index.push(string_bytes.len() as u32);
        strings.insert_unique(hash, id, |id| {
            hasher.hash_one(text_of(string_index, string_bytes, *id))
        });
        id
    }

    /// A string by its id; empty for none.
    #[must_use]
    pub fn text(&self, id: StringId) -> &str {
        text_of(&self.string_index, &self.string_bytes, id)
    }

    /// Appends a run to the lists table.
    pub fn list(&mut self, items: impl IntoIterator<Item = u32>) -> Run {
        let start = self.lists.len() as u32;
        self.lists.extend(items);
        Run { start, len: self.lists.len() as u32 - start }
    }

    /// The index of a number of instructions.
    pub fn constant(&mut self, value: u64) -> u32 {
        let found = self.constants.iter().rev().take(64).position(|&other| other == value);
        if let Some(back) = found {
            return (self.constants.len() - 1 - back) as u32;
        }
        self.constants.push(value);
        self.constants.len() as u32 - 1
    }

    /// The row of a path into pairs.
    pub fn pair_path(&mut self, path: &str) -> u32 {
        let id = self.string(path);
        if let Some(known) = self.pair_paths.iter().position(|&known| known == id) {
            return known as u32;
        }
        self.pair_paths.push(id);
        self.pair_paths.len() as u32 - 1
    }

    /// How many scans there are.
    #[must_use]
    pub fn scans(&self) -> usize {
        self.scans.len()
    }

    /// Adds a scan; answers with its number.
    pub fn scan(&mut self, source: u32, param: StringId, tables: Tables) -> u32 {
        let literals = self.literals.len() as u32;
        let record = |literal: &crate::scan::ScannedLiteral| LiteralRecord {
            text: self.string(&literal.text),
            gram_offset: literal.gram_offset,
            rule: literal.rule,
        };
        let mut records: Vec<LiteralRecord> = tables.literals.iter().map(record).collect();
        if source == ScanSource::Programs as u32 {
            // These are looked up by the number of the name.
            records.sort_by_key(|literal| (literal.text, literal.rule));
        }
        self.literals.extend(records);
        self.scans.push(ScanRecord {
            source,
            param,
            gram: tables.gram as u32,
            stride: tables.stride as u32,
            filter: self.filters.len() as u32,
            filter_bits: tables.filter_bits,
            buckets: self.buckets.len() as u32,
            bucket_bits: tables.bucket_bits,
            literals,
            literals_len: tables.literals.len() as u32,
        });
        self.filters.extend(tables.filter);
        self.buckets.extend(tables.buckets);
        self.scans.len() as u32 - 1
    }

    /// Lays everything out. The result passes [`crate::Image::from_bytes`] if the tables fit together.
    #[must_use]
    pub fn encode(mut self) -> Vec<u8> {
        if self.string_index.is_empty() {
            self.string_index.push(0);
        }
        let table = HEADER_SIZE + SECTIONS * SECTION_ENTRY_SIZE;
        let mut bytes = vec![0; table.next_multiple_of(8)];
        let mut entries = Vec::with_capacity(SECTIONS * SECTION_ENTRY_SIZE);
        for &section in Section::ALL {
            let start = bytes.len();
            self.write_section(section, &mut bytes);
            let body = bytes.get(start..).unwrap_or_default();
            let checksum = checksum(body);
            for field in [start as u32, body.len() as u32, checksum] {
                Scalar::put(field, &mut entries);
            }
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        let body = bytes.get(table..).unwrap_or_default();
        let identity = fingerprint(body);
        let mut head = header(bytes.len() as u32, identity);
        let (before, behind) = head.split_at(SUM.start);
        let behind = behind.get(SUM.len()..).unwrap_or_default();
        let sum = checksum_of(&[before, behind, &entries]);
        head.splice(SUM, sum.to_le_bytes());
        head.extend_from_slice(&entries);
        if let Some(place) = bytes.get_mut(..head.len()) {
            place.copy_from_slice(&head);
        }
        bytes
    }

    fn write_section(&self, section: Section, out: &mut Vec<u8>) {
        match section {
            Section::Program => self.program.write(out),
            Section::StringIndex => write_all(&self.string_index, out),
            Section::StringBytes => out.extend_from_slice(self.string_bytes.as_bytes()),
            Section::Rules => write_all(&self.rules, out),
            Section::Exceptions => write_all(&self.exceptions, out),
            Section::Code => write_all(&self.code, out),
            Section::Constants => write_all(&self.constants, out),
            Section::Messages => write_all(&self.messages, out),
            Section::Triggers => write_all(&self.triggers, out),
            Section::Lists => write_all(&self.lists, out),
            Section::Thresholds => write_all(&self.thresholds, out),
            Section::Transitions => write_all(&self.transitions, out),
            Section::Sets => write_all(&self.sets, out),
            Section::Counters => write_all(&self.counters, out),
            Section::Flags => write_all(&self.flags, out),
            Section::Params => write_all(&self.params, out),
            Section::Patterns => write_all(&self.patterns, out),
            Section::Automata => out.extend_from_slice(&self.automata),
            Section::Scans => write_all(&self.scans, out),
            Section::Filters => write_all(&self.filters, out),
            Section::Buckets => write_all(&self.buckets, out),
            Section::Literals => write_all(&self.literals, out),
            Section::Numbers => write_all(&self.numbers, out),
            Section::Classifier => write_all(&self.classifier, out),
            Section::Brains => write_all(&self.brains, out),
            Section::Workflows => write_all(&self.workflows, out),
            Section::Programs => write_all(&self.programs, out),
            Section::ProgramFlags => write_all(&self.program_flags, out),
            Section::FileUses => write_all(&self.file_uses, out),
            Section::Shapes => write_all(&self.shapes, out),
            Section::Permissions => write_all(&self.permissions, out),
            Section::Alternatives => write_all(&self.alternatives, out),
            Section::PermissionPrograms => write_all(&self.permission_programs, out),
            Section::PermissionFacts => write_all(&self.permission_facts, out),
            Section::RuleNotes => write_all(&self.rule_notes, out),
            Section::ConditionNotes => write_all(&self.condition_notes, out),
            Section::Names => write_all(&self.names, out),
            Section::Prefilter => write_all(&self.prefilter, out),
            Section::Meanings => write_all(&self.meanings, out),
            Section::Monitors => write_all(&self.monitors, out),
            Section::PairTests => write_all(&self.pair_tests, out),
            Section::PairPaths => write_all(&self.pair_paths, out),
        }
    }
}

fn write_all<R: Record>(rows: &[R], out: &mut Vec<u8>) {
    out.reserve(rows.len() * R::SIZE);
    rows.iter().for_each(|row| row.write(out));
}

/// The header, with nothing yet in place of its checksum.
fn header(total: u32, identity: u64) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEADER_SIZE);
    head.extend_from_slice(&MAGIC);
    Scalar::put(FORMAT_VERSION, &mut head);
    Scalar::put(LANGUAGE_VERSION, &mut head);
    Scalar::put(total, &mut head);
    Scalar::put(0_u32, &mut head);
    Scalar::put(identity, &mut head);
    let mut writer = concat!("behavior ", env!("CARGO_PKG_VERSION")).as_bytes().to_vec();
    writer.resize(WRITER_SIZE, 0);
    head.extend_from_slice(&writer);
    head.resize(HEADER_SIZE, 0);
    head
}
