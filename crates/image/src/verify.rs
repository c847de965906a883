//! Holds every table of an image against what the evaluator relies on. Runs once, when an image is
//! opened, in time proportional to its size.

use crate::classifier::ClassifierTable;
use crate::code::*;
use crate::error::{ImageError, damaged};
use crate::format::*;
use crate::image::Image;
use crate::operand::Paths;
use crate::operation::Op;
use crate::runs::PhasePart;
use crate::scan::{GRAMS, MAX_STRIDE};
use crate::target::is_usual_target;
use crate::trace_rule::MonitorKind;
use crate::verifier::Verifier;
use crate::workflow::WorkflowTable;
use crate::{document_name, pieces, prefilter, shapes};

/// The deepest nesting of conditions that the evaluator's stack holds.
const STACK_LIMIT: u32 = 30;

/// Verifies all tables of an image; answers with its classifier.
pub(crate) fn tables(image: &Image) -> Result<Option<ClassifierTable>, ImageError> {
    Verifier::new(image).run()
}

/// The workflow templates of an image whose strings are as they should be.
pub(crate) fn workflows(image: &Image) -> Result<Option<Box<WorkflowTable>>, ImageError> {
    match image.size(Section::Workflows) {
        0 => Ok(None),
        _ => Verifier::new(image).workflows(),
    }
}

impl Verifier<'_> {
    fn run(&self) -> Result<Option<ClassifierTable>, ImageError> {
        self.sizes()?;
        self.strings()?;
        self.program()?;
        self.names()?;
        self.patterns()?;
        self.programs()?;
        self.program_names()?;
        self.prefilter()?;
        self.shapes()?;
        self.permissions()?;
        self.scans()?;
        self.triggers()?;
        self.thresholds()?;
        self.transitions()?;
        self.messages()?;
        self.rules()?;
        self.monitors()?;
        self.notes()?;
        if self.image.size(Section::Brains) > 0 && self.image.brains().is_none() {
            return Err(damaged(Section::Brains, "it does not decode"));
        }
        self.image.read_classifier()
    }

    fn sizes(&self) -> Result<(), ImageError> {
        fn whole<R: Record>(image: &Image, section: Section) -> Result<(), ImageError> {
            let fits = image.size(section).is_multiple_of(R::SIZE);
            if fits { Ok(()) } else { Err(damaged(section, "it ends inside a row")) }
        }
        let image = self.image;
        for &section in Section::ALL {
            match section {
                Section::Program => whole::<Program>(image, section),
                Section::StringBytes | Section::Automata => Ok(()),
                Section::StringIndex
                | Section::Lists
                | Section::Counters
                | Section::Flags
                | Section::Params
                | Section::Buckets
                | Section::PairPaths
                | Section::Classifier
                | Section::Brains
                | Section::Workflows => whole::<u32>(image, section),
                Section::Rules => whole::<RuleRecord>(image, section),
                Section::Code => whole::<Instruction>(image, section),
                Section::Constants | Section::Filters => whole::<u64>(image, section),
                Section::Messages => whole::<MessagePart>(image, section),
                Section::Triggers => whole::<TriggerGroup>(image, section),
                Section::Thresholds => whole::<Threshold>(image, section),
                Section::Transitions => whole::<Transition>(image, section),
                Section::Sets => whole::<SetRecord>(image, section),
                Section::Patterns => whole::<PatternRecord>(image, section),
                Section::Scans => whole::<ScanRecord>(image, section),
                Section::Literals => whole::<LiteralRecord>(image, section),
                Section::Numbers => whole::<NamedNumber>(image, section),
                Section::Programs => whole::<ProgramRecord>(image, section),
                Section::ProgramFlags => whole::<ProgramFlag>(image, section),
                Section::FileUses => whole::<FileUse>(image, section),
                Section::Exceptions => whole::<ExceptionRecord>(image, section),
                Section::Shapes => whole::<ShapeRecord>(image, section),
                Section::Permissions => whole::<PermissionRecord>(image, section),
                Section::Alternatives => whole::<AlternativeRecord>(image, section),
                Section::PermissionPrograms => whole::<PermissionProgram>(image, section),
                Section::PermissionFacts => whole::<PermissionFact>(image, section),
                Section::RuleNotes => whole::<RuleNotes>(image, section),
                Section::ConditionNotes => whole::<ConditionNotes>(image, section),
                Section::Names => whole::<NameRecord>(image, section),
                Section::Prefilter => whole::<PrefilterRecord>(image, section),
                Section::Meanings => whole::<Meaning>(image, section),
                Section::Monitors => whole::<MonitorRecord>(image, section),
                Section::PairTests => whole::<PairTest>(image, section),
            }?;
        }
        Ok(())
    }

    fn strings(&self) -> Result<(), ImageError> {
        let bytes = self.image.section(Section::StringBytes);
        let text = std::str::from_utf8(bytes)
            .map_err(|_| damaged(Section::StringBytes, "it is not valid UTF-8"))?;
        let boundaries = self.image.rows::<u32>(Section::StringIndex);
        let mut previous = 0;
        for index in 0..boundaries {
            let boundary: u32 = self.view.row(Section::StringIndex, index);
            if boundary < previous || !text.is_char_boundary(boundary as usize) {
                return Err(damaged(Section::StringIndex, "a boundary is out of place"));
            }
            previous = boundary;
        }
        if boundaries == 0 || previous as usize != text.len() {
            return Err(damaged(Section::StringIndex, "it does not cover all strings"));
        }
        Ok(())
    }

    fn program(&self) -> Result<(), ImageError> {
        let section = Section::Program;
        if self.image.rows::<Program>(section) != 1 {
            return Err(damaged(section, "there is not exactly one"));
        }
        let program: Program = self.view.row(section, 0);
        self.optional_string(section, program.profile)?;
        self.optional_string(section, program.entry)?;
        self.string(section, program.prompt)?;
        self.string(section, program.producer)?;
        if program.on_error != NONE && Verdict::from_word(program.on_error).is_none() {
            return Err(damaged(section, "the answer to errors is unknown"));
        }
        if u8::try_from(program.show_user).ok().and_then(ShowUser::from_number).is_none() {
            return Err(damaged(section, "what a user is shown is unknown"));
        }
        if VerifierMode::from_word(program.verifier).is_none() {
            return Err(damaged(section, "whether answers are verified is unknown"));
        }
        self.optional_string(section, program.verifier_prompt)?;
        let rules = self.image.rules().len();
        self.list_below(section, program.needing, program.needing_len, rules)?;
        let counters = self.image.rows::<u32>(Section::Counters);
        self.list_below(section, program.turn_counters, program.turn_counters_len, counters)?;
        let flags = self.image.rows::<u32>(Section::Flags);
        self.list_below(section, program.turn_flags, program.turn_flags_len, flags)?;
        let patterns = self.image.rows::<PatternRecord>(Section::Patterns);
        self.list_below(section, program.asked, program.asked_len, patterns)?;
        self.list_below(section, program.beginnings, program.beginnings_len, self.strings)?;
        if program.turn_reminder == NONE {
            return Ok(());
        }
        self.document(section, program.turn_reminder)
    }

    /// The name of a document, which is one that leads nowhere else.
    fn document(&self, section: Section, name: u32) -> Result<(), ImageError> {
        self.string(section, name)?;
        if document_name::is_name(self.view.string(name)) {
            Ok(())
        } else {
            Err(damaged(section, "the name of a document leads out of its folder"))
        }
    }

    fn names(&self) -> Result<(), ImageError> {
        for section in [Section::Counters, Section::Flags, Section::Params] {
            self.each(section, |this, id: u32| this.string(section, id))?;
        }
        self.each(Section::Numbers, |this, number: NamedNumber| {
            this.string(Section::Numbers, number.name)
        })?;
        self.each(Section::Sets, |this, set: SetRecord| {
            this.string(Section::Sets, set.name)?;
            if set.paths & !PathUse::BITS != 0 {
                return Err(damaged(Section::Sets, "files are added for an unknown reason"));
            }
            this.list_below(Section::Sets, set.targets, set.targets_len, this.strings)?;
            let targets = this.view.list(set.targets, set.targets_len);
            let is_usual = || is_usual_target(targets.map(|id| this.view.string(id)));
            if set.has_usual_target == 0 || is_usual() {
                Ok(())
            } else {
                Err(damaged(Section::Sets, "the target of a set is not the usual one"))
            }
        })
    }

    fn patterns(&self) -> Result<(), ImageError> {
        let section = Section::Patterns;
        let automata = self.image.size(Section::Automata);
        self.each(section, |this, pattern: PatternRecord| {
            this.string(section, pattern.source)?;
            this.string(section, pattern.text)?;
            Matching::from_number(pattern.matching)
                .ok_or(damaged(section, "a pattern is of an unknown kind"))?;
            if pattern.traits & !pieces::Traits::ALL != 0 {
                return Err(damaged(section, "a trait is unknown"));
            }
            this.list_below(section, pattern.pieces, pattern.pieces_len, this.strings)?;
            let end = pattern.automaton as usize + pattern.automaton_len as usize;
            if end > automata {
                return Err(damaged(section, "an automaton lies outside its section"));
            }
            this.look_at(section, pattern.automaton_len)
        })
    }

    fn programs(&self) -> Result<(), ImageError> {
        let section = Section::Programs;
        self.each(section, |this, program: ProgramRecord| {
            this.string(section, program.name)?;
            let lists = [
                (program.settings, program.settings_len),
                (program.harmless, program.harmless_len),
                (program.escapes, program.escapes_len),
            ];
            for (start, len) in lists {
                this.list_below(section, start, len, this.strings)?;
            }
            this.optional_string(section, program.plus)?;
            let known = program.runs < RUNS
                && program.language < LANGUAGES
                && program.traits & !PROGRAM_TRAITS == 0;
            if !known {
                return Err(damaged(section, "a kind or trait is unknown"));
            }
            if program.parent != NONE {
                this.index::<ProgramRecord>(section, program.parent, section)?;
            }
            let (start, len) = (program.flags, program.flags_len);
            this.run_of::<ProgramFlag>(section, start, len, Section::ProgramFlags)?;
            this.run_of::<FileUse>(section, program.uses, program.uses_len, Section::FileUses)
        })?;
        self.file_uses()?;
        let section = Section::ProgramFlags;
        self.each(section, |this, flag: ProgramFlag| {
            this.string(section, flag.spelling)?;
            this.string(section, flag.canonical)?;
            let known =
                u32::from(flag.value) < FLAG_VALUES && u32::from(flag.effect) < FLAG_EFFECTS;
            if known { Ok(()) } else { Err(damaged(section, "a flag is of an unknown kind")) }
        })
    }

    fn file_uses(&self) -> Result<(), ImageError> {
        let section = Section::FileUses;
        self.each(section, |this, file: FileUse| {
            this.optional_string(section, file.name)?;
            for (start, len) in [(file.with, file.with_len), (file.without, file.without_len)] {
                this.list_below(section, start, len, this.strings)?;
            }
            let known =
                u32::from(file.effect) < FILE_EFFECTS && u32::from(file.place) < FILE_PLACES;
            if known { Ok(()) } else { Err(damaged(section, "a use of files is unknown")) }
        })
    }

    fn program_names(&self) -> Result<(), ImageError> {
        let section = Section::Names;
        let rows = self.image.rows::<NameRecord>(section);
        if rows != 0 && !rows.is_power_of_two() {
            return Err(damaged(section, "its length is not a power of two"));
        }
        self.each(section, |this, name: NameRecord| {
            this.optional_string(section, name.name)?;
            for program in [name.parent, name.program].into_iter().filter(|&row| row != NONE) {
                this.index::<ProgramRecord>(section, program, Section::Programs)?;
            }
            Ok(())
        })
    }

    fn prefilter(&self) -> Result<(), ImageError> {
        let section = Section::Prefilter;
        let rows = self.image.rows::<PrefilterRecord>(section);
        if rows != 0 && !rows.is_power_of_two() {
            return Err(damaged(section, "its length is not a power of two"));
        }
        self.each(section, |this, word: PrefilterRecord| match word.hash {
            0 => Ok(()),
            _ => this.index::<Meaning>(section, word.meaning, Section::Meanings),
        })?;
        self.each(Section::Meanings, |_, meaning: Meaning| {
            match meaning.traits & !prefilter::Traits::ALL {
                0 => Ok(()),
                _ => Err(damaged(Section::Meanings, "a word has an unknown trait")),
            }
        })
    }

    fn shapes(&self) -> Result<(), ImageError> {
        let section = Section::Shapes;
        self.each(section, |this, shape: ShapeRecord| {
            let names = [
                (shape.programs, shape.programs_len),
                (shape.piped_from, shape.piped_from_len),
                (shape.substitutes, shape.substitutes_len),
                (shape.under, shape.under_len),
            ];
            for (start, len) in names {
                this.list_below(section, start, len, this.strings)?;
            }
            let patterns = [
                (shape.operands, shape.operands_len),
                (shape.some_operand, shape.some_operand_len),
                (shape.without_operand, shape.without_operand_len),
                (shape.writes, shape.writes_len),
                (shape.reads, shape.reads_len),
            ];
            for (start, len) in patterns {
                this.run_of::<u32>(section, start, len, Section::Lists)?;
                this.view
                    .list(start, len)
                    .try_for_each(|pattern| this.optional_pattern(section, pattern))?;
            }
            this.optional_pattern(section, shape.program_pattern)?;
            if shape.program_path != NONE {
                this.string(section, shape.program_path)?;
            }
            this.optional_pattern(section, shape.given)?;
            let flags = [
                (shape.flags, shape.flags_len),
                (shape.any_flags, shape.any_flags_len),
                (shape.no_flags, shape.no_flags_len),
                (shape.variables, shape.variables_len),
            ];
            for (start, len) in flags {
                this.flag_pairs(section, start, len)?;
            }
            if let Some(spared) = Paths::spared_by(&shape) {
                spared.verify_in(section, this)?;
            }
            if shape.traits & !shapes::Traits::ALL == 0 {
                Ok(())
            } else {
                Err(damaged(section, "a trait is unknown"))
            }
        })
    }

    fn flag_pairs(&self, section: Section, start: u32, len: u32) -> Result<(), ImageError> {
        const MAX_FLAGS: u32 = 64;
        self.run_of::<u32>(section, start, len, Section::Lists)?;
        if !len.is_multiple_of(2) || len / 2 > MAX_FLAGS {
            return Err(damaged(section, "flags are not in pairs, or too many"));
        }
        let mut row = self.view.list(start, len);
        while let (Some(name), Some(pattern)) = (row.next(), row.next()) {
            self.string(section, name)?;
            self.optional_pattern(section, pattern)?;
        }
        Ok(())
    }

    fn permissions(&self) -> Result<(), ImageError> {
        let section = Section::Permissions;
        let is_mode = |mode: u32| mode == NONE || ApprovalMode::from_number(mode).is_some();
        let program: Program = self.view.row(Section::Program, 0);
        if !is_mode(program.mode) || program.has_policy > 1 {
            return Err(damaged(Section::Program, "an approval mode is unknown"));
        }
        self.each(section, |this, rule: PermissionRecord| {
            for text in [rule.name, rule.reason, rule.pattern, rule.file] {
                this.string(section, text)?;
            }
            let known = PermissionAction::from_number(rule.action).is_some()
                && Priority::from_number(rule.priority).is_some()
                && is_mode(rule.mode);
            if !known {
                return Err(damaged(section, "an action, priority or mode is unknown"));
            }
            let (start, len) = (rule.alternatives, rule.alternatives_len);
            this.run_of::<AlternativeRecord>(section, start, len, Section::Alternatives)?;
            let (start, len) = (rule.facts, rule.facts_len);
            this.run_of::<PermissionFact>(section, start, len, Section::PermissionFacts)
        })?;
        let section = Section::PermissionFacts;
        self.each(section, |this, fact: PermissionFact| match fact.test() {
            Some(FactKind::Param) => {
                this.string(section, fact.name)?;
                this.index::<PatternRecord>(section, fact.pattern, Section::Patterns)
            }
            Some(FactKind::Host) => {
                this.index::<PatternRecord>(section, fact.pattern, Section::Patterns)
            }
            Some(FactKind::Touches | FactKind::Reads | FactKind::Writes) => match fact.files() {
                Some(paths) => paths.verify_in(section, this),
                None => Err(damaged(section, "paths are of no kind")),
            },
            None => Err(damaged(section, "a fact is of an unknown kind")),
        })?;
        let section = Section::Alternatives;
        self.each(section, |this, alternative: AlternativeRecord| {
            this.index::<PermissionRecord>(section, alternative.permission, Section::Permissions)?;
            match ToolTest::from_number(alternative.tool_test) {
                Some(ToolTest::Any | ToolTest::Shell) => {}
                Some(ToolTest::Named) => this.string(section, alternative.tool)?,
                Some(ToolTest::Pattern) => {
                    this.index::<PatternRecord>(section, alternative.tool, Section::Patterns)?;
                }
                None => return Err(damaged(section, "a tool test is unknown")),
            }
            if alternative.is_scanned > 1 {
                return Err(damaged(section, "what a scan finds is unknown"));
            }
            if alternative.shape != NONE {
                this.index::<ShapeRecord>(section, alternative.shape, Section::Shapes)?;
            }
            this.optional_pattern(section, alternative.argument)
        })?;
        let section = Section::PermissionPrograms;
        self.each(section, |this, row: PermissionProgram| {
            this.optional_string(section, row.program)?;
            this.index::<AlternativeRecord>(section, row.alternative, Section::Alternatives)
        })
    }

    fn scans(&self) -> Result<(), ImageError> {
        let section = Section::Scans;
        let program: Program = self.view.row(Section::Program, 0);
        let (start, len) = (program.argument_scans, program.argument_scans_len);
        self.run_of::<ScanRecord>(Section::Program, start, len, section)?;
        if self.image.rows::<ScanRecord>(section) > u32::BITS + GRAMS.len() as u32 {
            return Err(damaged(section, "there are too many"));
        }
        self.each(section, |this, scan: ScanRecord| {
            let source = ScanSource::from_number(scan.source)
                .ok_or(damaged(section, "a scan is of an unknown kind"))?;
            if matches!(source, ScanSource::Param | ScanSource::Programs) {
                this.string(section, scan.param)?;
            }
            if !GRAMS.contains(&(scan.gram as usize)) {
                return Err(damaged(section, "a scan looks for an impossible number of bytes"));
            }
            if !(1..=MAX_STRIDE as u32).contains(&scan.stride) {
                return Err(damaged(section, "a scan looks at no place or at too few"));
            }
            if !(6..=24).contains(&scan.filter_bits) || !(1..=24).contains(&scan.bucket_bits) {
                return Err(damaged(section, "a filter has an impossible size"));
            }
            let words = 1 << (scan.filter_bits - 6);
            this.run_of::<u64>(section, scan.filter, words, Section::Filters)?;
            let boundaries = (1 << scan.bucket_bits) + 1;
            this.run_of::<u32>(section, scan.buckets, boundaries, Section::Buckets)?;
            this.run_of::<LiteralRecord>(
                section,
                scan.literals,
                scan.literals_len,
                Section::Literals,
            )?;
            let mut previous = 0;
            for index in 0..boundaries {
                let boundary = this.view.bucket(scan.buckets + index);
                if boundary < previous || boundary > scan.literals_len {
                    return Err(damaged(section, "a bucket is out of place"));
                }
                previous = boundary;
            }
            let known = match source {
                ScanSource::Arguments => {
                    this.image.rows::<AlternativeRecord>(Section::Alternatives)
                }
                // A scan that brings in no rule names the first.
                _ => this.image.rules().len().max(1),
            };
            let mut literals = scan.literals..scan.literals + scan.literals_len;
            match literals.any(|literal| this.view.literal(literal).rule >= known) {
                true => Err(damaged(Section::Literals, "a rule is missing")),
                false => Ok(()),
            }
        })?;
        self.each(Section::Literals, |this, literal: LiteralRecord| {
            this.string(Section::Literals, literal.text)
        })
    }

    fn triggers(&self) -> Result<(), ImageError> {
        let section = Section::Triggers;
        if self.image.rows::<TriggerGroup>(section) == 0 {
            return Err(damaged(section, "there is none for all tools"));
        }
        let rules = self.image.rules().len();
        let scans = self.image.rows::<ScanRecord>(Section::Scans);
        let known_scans = if scans >= 32 { u32::MAX } else { (1 << scans) - 1 };
        self.each(section, |this, group: TriggerGroup| {
            this.string(section, group.full)?;
            this.string(section, group.last)?;
            for part in PhasePart::of(&group) {
                this.list_below(section, part.always.start, part.always.len, rules)?;
                let run = part.thresholds;
                this.run_of::<Threshold>(section, run.start, run.len, Section::Thresholds)?;
                if part.scans & !known_scans != 0 {
                    return Err(damaged(section, "a scan is missing"));
                }
            }
            this.run_of::<Transition>(
                section,
                group.transitions,
                group.transitions_len,
                Section::Transitions,
            )
        })
    }

    fn slot(&self, section: Section, slot: Slot) -> Result<(), ImageError> {
        match slot.kind() {
            Some(SlotKind::Counter) => self.index::<u32>(section, slot.index(), Section::Counters),
            Some(SlotKind::Flag) => self.index::<u32>(section, slot.index(), Section::Flags),
            Some(SlotKind::SetCount) => {
                self.index::<SetRecord>(section, slot.index(), Section::Sets)
            }
            Some(SlotKind::Consecutive | SlotKind::TurnCalls) => Ok(()),
            None => Err(damaged(section, "a number is of an unknown kind")),
        }
    }

    fn thresholds(&self) -> Result<(), ImageError> {
        let section = Section::Thresholds;
        let rules = self.image.rules().len();
        self.each(section, |this, threshold: Threshold| {
            this.slot(section, Slot(threshold.slot))?;
            if threshold.rule < rules { Ok(()) } else { Err(damaged(section, "a rule is missing")) }
        })
    }

    fn transitions(&self) -> Result<(), ImageError> {
        let section = Section::Transitions;
        self.each(section, |this, transition: Transition| {
            let target = transition.target;
            let Transition { code, code_len, .. } = transition;
            this.condition(section, code, code_len, &mut Vec::new())?;
            match Change::from_number(transition.change) {
                Some(Change::Add | Change::AddOnCall | Change::AddOnSuccess) => {
                    this.index::<SetRecord>(section, target, Section::Sets)
                }
                Some(Change::Increment | Change::IncrementOnCall | Change::Reset) => {
                    this.index::<u32>(section, target, Section::Counters)
                }
                Some(Change::ResetWhen) => {
                    this.index::<u32>(section, target, Section::Counters)?;
                    this.string(section, transition.param)?;
                    if transition.scan != NONE {
                        this.index::<ScanRecord>(section, transition.scan, Section::Scans)?;
                    }
                    this.index::<PatternRecord>(section, transition.pattern, Section::Patterns)
                }
                Some(Change::ResetWhenRuns) => {
                    this.index::<u32>(section, target, Section::Counters)?;
                    this.string(section, transition.param)?;
                    this.shape_list(section, transition.pattern)
                }
                Some(Change::Set | Change::Unset) => {
                    this.index::<u32>(section, target, Section::Flags)
                }
                None => Err(damaged(section, "a change is of an unknown kind")),
            }
        })
    }

    fn messages(&self) -> Result<(), ImageError> {
        let section = Section::Messages;
        self.each(section, |this, part: MessagePart| {
            let argument = part.argument;
            match Placeholder::from_number(part.kind) {
                Some(Placeholder::Literal | Placeholder::Param) => this.string(section, argument),
                Some(Placeholder::Counter) => {
                    this.index::<u32>(section, argument, Section::Counters)
                }
                Some(Placeholder::SetCount) => {
                    this.index::<SetRecord>(section, argument, Section::Sets)
                }
                Some(Placeholder::Flag) => this.index::<u32>(section, argument, Section::Flags),
                Some(Placeholder::Document) => this.document(section, argument),
                Some(_) => Ok(()),
                None => Err(damaged(section, "a part is of an unknown kind")),
            }
        })
    }

    fn rules(&self) -> Result<(), ImageError> {
        let section = Section::Rules;
        let groups = self.image.rows::<TriggerGroup>(Section::Triggers);
        let mut depths = Vec::new();
        for rule in 0..self.image.rules().len() {
            let rule = self.view.rule(rule);
            self.string(section, rule.id)?;
            self.run_of::<MessagePart>(section, rule.message, rule.message_len, Section::Messages)?;
            self.list_below(section, rule.triggers, rule.triggers_len, groups)?;
            let known = Phase::from_number(rule.phase).is_some()
                && Action::from_number(rule.action).is_some()
                && Origin::from_number(rule.origin).is_some()
                && Verdict::from_number(rule.when_undecided).is_some()
                && Verdict::from_number(rule.when_unanswered).is_some()
                && Repeat::from_number(rule.repeat).is_some();
            if !known {
                let problem = "a phase, action, origin, verdict or repeat is unknown";
                return Err(damaged(section, problem));
            }
            self.list_below(section, rule.needs, rule.needs_len.into(), self.strings)?;
            if rule.action == Action::Ask as u8 && rule.phase != Phase::PreTool as u8 {
                return Err(damaged(section, "a rule asks about what has happened"));
            }
            self.condition(section, rule.code, rule.code_len, &mut depths)?;
            let (first, len) = (rule.exceptions, rule.exceptions_len.into());
            self.run_of::<ExceptionRecord>(section, first, len, Section::Exceptions)?;
        }
        let section = Section::Exceptions;
        self.each(section, |this, exception: ExceptionRecord| {
            [exception.reason, exception.condition, exception.file]
                .into_iter()
                .try_for_each(|id| this.string(section, id))?;
            this.condition(section, exception.code, exception.code_len, &mut Vec::new())
        })
    }

    fn condition(
        &self,
        section: Section,
        code: u32,
        code_len: u32,
        depths: &mut Vec<Option<u32>>,
    ) -> Result<(), ImageError> {
        self.run_of::<Instruction>(section, code, code_len, Section::Code)?;
        self.look_at(section, code_len)?;
        self.code(self.view.instructions(code, code_len), depths)
    }

    /// Each monitor has a rule of its own, the rules of monitors come last, and what a kind looks at
    /// is there.
    fn monitors(&self) -> Result<(), ImageError> {
        let section = Section::Monitors;
        let monitors = self.image.rows::<MonitorRecord>(section);
        let rules = self.image.rules().len();
        let Some(first) = rules.checked_sub(monitors) else {
            return Err(damaged(section, "a rule is missing"));
        };
        let is_of_monitor = |rule| self.view.rule(rule).phase == Phase::Exchange as u8;
        if (0..first).any(is_of_monitor) {
            return Err(damaged(section, "a rule on exchanges has no monitor"));
        }
        for row in 0..monitors {
            let monitor: MonitorRecord = self.view.row(section, row);
            if monitor.rule != first + row || !is_of_monitor(monitor.rule) {
                return Err(damaged(section, "a monitor has another's rule"));
            }
            self.monitor(&monitor)?;
        }
        self.each(Section::PairTests, |this, test: PairTest| {
            this.index::<u32>(Section::PairTests, test.path, Section::PairPaths)?;
            this.string(Section::PairTests, test.value)?;
            match Operator::from_number(test.operator) {
                Some(_) => Ok(()),
                None => Err(damaged(Section::PairTests, "an operator is unknown")),
            }
        })?;
        self.each(Section::PairPaths, |this, path: u32| this.string(Section::PairPaths, path))
    }

    fn monitor(&self, monitor: &MonitorRecord) -> Result<(), ImageError> {
        let section = Section::Monitors;
        for (start, len) in
            [(monitor.when, monitor.when_len), (monitor.trigger, monitor.trigger_len)]
        {
            self.run_of::<PairTest>(section, start, len, Section::PairTests)?;
            self.look_at(section, len)?;
        }
        self.list_below(section, monitor.allowed, monitor.allowed_len, self.strings)?;
        if Scope::from_number(monitor.scope).is_none() {
            return Err(damaged(section, "a scope is unknown"));
        }
        let Some(kind) = MonitorKind::from_number(monitor.kind) else {
            return Err(damaged(section, "a kind is unknown"));
        };
        kind.parameters().verify(monitor, self)
    }

    /// Jumps stay inside, operands exist, and the stack has one height at each instruction however
    /// it is reached.
    fn code(
        &self,
        code: &[[u8; Instruction::SIZE]],
        depths: &mut Vec<Option<u32>>,
    ) -> Result<(), ImageError> {
        let section = Section::Code;
        let len = code.len();
        depths.clear();
        depths.resize(len + 1, None);
        let mut depth = 0u32;
        let uneven = damaged(section, "the stack is uneven");
        for (pc, bytes) in code.iter().enumerate() {
            let instruction = Instruction::read(bytes);
            let op = Op::from_number(instruction.op)
                .ok_or(damaged(section, "an instruction is unknown"))?;
            if depths.get(pc).copied().flatten().is_some_and(|expected| expected != depth) {
                return Err(uneven);
            }
            match op {
                Op::Push => depth += 1,
                Op::And | Op::Or => depth = depth.checked_sub(1).ok_or(uneven.clone())?,
                Op::JumpIfFalse | Op::JumpIfTrue => {
                    let target = pc + 1 + instruction.c as usize;
                    let slot = depths
                        .get_mut(target)
                        .ok_or(damaged(section, "a jump leaves its condition"))?;
                    if slot.is_some_and(|expected| expected != depth) {
                        return Err(uneven);
                    }
                    *slot = Some(depth);
                }
                other => other.verify(&instruction, self)?,
            }
            if depth > STACK_LIMIT {
                return Err(damaged(section, "a condition is nested too deeply"));
            }
        }
        let at_end = depths.last().copied().flatten();
        if depth != 0 || at_end.is_some_and(|expected| expected != 0) {
            return Err(uneven);
        }
        Ok(())
    }

    fn notes(&self) -> Result<(), ImageError> {
        let section = Section::RuleNotes;
        if self.image.rows::<RuleNotes>(section) != self.image.rules().len() {
            return Err(damaged(section, "there is not one for each rule"));
        }
        self.each(section, |this, notes: RuleNotes| {
            [notes.description, notes.file, notes.trigger, notes.condition]
                .into_iter()
                .try_for_each(|id| this.string(section, id))
        })?;
        let section = Section::ConditionNotes;
        self.each(section, |this, notes: ConditionNotes| {
            [notes.text, notes.file].into_iter().try_for_each(|id| this.string(section, id))
        })
    }

    fn workflows(&self) -> Result<Option<Box<WorkflowTable>>, ImageError> {
        let section = Section::Workflows;
        let rows = self.image.rows::<u32>(section);
        let words: Vec<u32> = (0..rows).map(|row| self.view.row(section, row)).collect();
        let string = |id: u32| (id < self.strings).then(|| self.view.string(id).to_owned());
        crate::workflow::decode(&words, string)
            .map(|table| Some(Box::new(table)))
            .ok_or(damaged(section, "it does not decode"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draft;

    const ROWS: u32 = 2000;

    /// An image of many rules that always fire.
    fn draft() -> Draft {
        let mut draft = Draft::default();
        draft.string("");
        draft.program.turn_reminder = NONE;
        draft.program.verifier_prompt = NONE;
        draft.triggers.push(TriggerGroup::default());
        draft.rules.resize(ROWS as usize, RuleRecord::default());
        draft.rule_notes.resize(ROWS as usize, RuleNotes::default());
        draft
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Draft), expected: Result<(), ImageError>) {
        let mut draft = draft();
        change(&mut draft);
        assert_eq!(Image::from_bytes(draft.encode()).map(drop), expected);
    }

    fn overlap(section: Section) -> Result<(), ImageError> {
        Err(damaged(section, "too many of its runs overlap"))
    }

    fn fill(draft: &mut Draft) {
        let always = Instruction { op: Op::Constant as u8, a: 1, b: 0, c: 0 };
        draft.code.resize(ROWS as usize, always);
        draft.lists.resize(ROWS as usize, 0);
        draft.automata.resize(ROWS as usize, 0);
    }

    fn pattern(automaton: u32, automaton_len: u32) -> PatternRecord {
        PatternRecord { automaton, automaton_len, ..PatternRecord::default() }
    }

    #[test]
    fn runs_side_by_side_are_read() {
        check(|_| {}, Ok(()));
        let side_by_side = |draft: &mut Draft| {
            fill(draft);
            for (at, rule) in (0..).zip(&mut draft.rules) {
                (rule.code, rule.code_len) = (at, 1);
                (rule.triggers, rule.triggers_len) = (at, 1);
            }
            draft.patterns = (0..ROWS).map(|at| pattern(at, 1)).collect();
        };
        check(side_by_side, Ok(()));
    }

    #[test]
    fn documents_and_answers_to_errors_are_held_against_what_there_is() {
        let document = |name: &'static str| {
            move |draft: &mut Draft| draft.program.turn_reminder = draft.string(name)
        };
        let leads_out = "the name of a document leads out of its folder";
        check(document("docs/rules.md"), Ok(()));
        check(document("../rules.md"), Err(damaged(Section::Program, leads_out)));
        let quoted = |draft: &mut Draft| {
            let (kind, argument) = (Placeholder::Document as u32, draft.string("/etc/passwd"));
            draft.messages.push(MessagePart { kind, argument });
        };
        check(quoted, Err(damaged(Section::Messages, leads_out)));
        check(|draft| draft.program.on_error = Verdict::Deny as u32, Ok(()));
        for number in [3, 256, NONE - 1] {
            let unknown = Err(damaged(Section::Program, "the answer to errors is unknown"));
            check(|draft| draft.program.on_error = number, unknown);
        }
    }

    #[test]
    fn a_set_whose_target_is_said_to_be_the_usual_one_asks_in_the_usual_order() {
        let set = |targets: &'static [&'static str]| {
            move |draft: &mut Draft| {
                let ids: Vec<u32> = targets.iter().map(|target| draft.string(target)).collect();
                let Run { start: targets, len: targets_len } = draft.list(ids);
                let (name, has_usual_target) = (draft.string("files"), 1);
                let set = SetRecord {
                    name,
                    targets,
                    targets_len,
                    has_usual_target,
                    window: 0,
                    fingerprint: 0,
                    survives_compaction: 1,
                    paths: 0,
                };
                draft.sets.push(set);
            }
        };
        let other = Err(damaged(Section::Sets, "the target of a set is not the usual one"));
        check(set(&["file_path", "path"]), Ok(()));
        check(set(&["path"]), other.clone());
        check(set(&["file_path", "url"]), other);
    }

    #[test]
    fn operands_that_lead_nowhere_are_refused() {
        let tests = [
            Op::TargetInSet,
            Op::CounterAtLeast,
            Op::FlagIs,
            Op::ParamMatches,
            Op::ParamIn,
            Op::ParamCompare,
            Op::TextMatches,
            Op::TargetMatches,
            Op::ContainsSecret,
            Op::Runs,
        ];
        for op in tests {
            // As a place of a secret, 1 is a parameter, and 255 nothing.
            for a in [1, u8::MAX] {
                let (b, c) = (u16::MAX, u32::MAX - 1);
                let mut draft = draft();
                draft.code.push(Instruction { op: op as u8, a, b, c });
                draft.rules.iter_mut().take(1).for_each(|rule| rule.code_len = 1);
                assert!(Image::from_bytes(draft.encode()).is_err(), "{op:?}");
            }
        }
    }

    #[test]
    fn runs_that_all_overlap_are_refused() {
        let code = |draft: &mut Draft| {
            fill(draft);
            draft.rules.iter_mut().for_each(|rule| rule.code_len = ROWS);
        };
        check(code, overlap(Section::Rules));
        let lists = |draft: &mut Draft| {
            fill(draft);
            draft.rules.iter_mut().for_each(|rule| rule.triggers_len = ROWS);
        };
        check(lists, overlap(Section::Rules));
        let automata = |draft: &mut Draft| {
            fill(draft);
            draft.patterns = (0..ROWS).map(|_| pattern(0, ROWS)).collect();
        };
        check(automata, overlap(Section::Patterns));
    }
}
