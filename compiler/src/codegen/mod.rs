//! From the program to the image: tables, instructions, dispatch.

mod command;
mod condition;
mod dispatch;
mod generator;
mod guard;
mod monitor;
mod operand;
mod paths;
mod permission;
mod prefilter;

use std::collections::BTreeSet;

use behavior_image::Draft;
use behavior_image::brain::{self, Brains};
use behavior_image::classifier;
use behavior_image::code::{Matching, Placeholder, ShowUser};
use behavior_image::format::{
    ExceptionRecord, MessagePart as MessageRecord, NONE, NamedNumber, PatternRecord, RuleNotes,
    RuleRecord, Run, SetRecord,
};
use behavior_image::is_usual_target;
use behavior_image::pieces::Traits;
use behavior_image::workflow;
use behavior_runtime::brain::named;
use behavior_runtime::model::Purpose;

use crate::diagnostic::Diagnostic;
use crate::ir::{
    Condition, Exception, Index, MessagePart, Program, Reference, Rule, Test, Verifier,
};
use crate::pattern::Plain;
use crate::registry::diagnostics::PROGRAM_TOO_LARGE;
use crate::source::{SourceMap, Span};
use generator::Generator;

/// Lays a program out as an image.
///
/// # Errors
/// When the program has more of something than the image has numbers for.
pub fn generate(
    program: &Program,
    sources: &SourceMap,
    entry: Option<&str>,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let mut generator = Generator::new(command::programs(&program.programs), sources);
    generator.state(program);
    generator.patterns(program);
    for rule in &program.rules {
        generator.rule(rule);
    }
    let conditions = generator.state_conditions(program);
    dispatch::generate(&mut generator.draft, program, &conditions);
    for monitor in &program.monitors {
        generator.monitor(monitor);
    }
    generator.draft.program.mode = NONE;
    if let Some(permissions) = &program.permissions {
        generator.permissions(permissions);
    }
    command::program_names(&mut generator.draft);
    prefilter::words(&mut generator.draft);
    generator.program(program, entry);
    for rule in &program.rules {
        generator.rule_notes(rule);
    }
    for monitor in &program.monitors {
        generator.monitor_notes(monitor);
    }
    generator.condition_notes();
    generator.finish(program)
}

impl Generator<'_> {
    fn program(&mut self, program: &Program, entry: Option<&str>) {
        let draft = &mut self.draft;
        draft.program.profile = program.profile.as_ref().map_or(NONE, |name| draft.string(name));
        draft.program.entry = entry.map_or(NONE, |name| draft.string(name));
        draft.program.prompt = draft.string(&program.prompt);
        draft.program.turn_reminder =
            program.turn_reminder.as_ref().map_or(NONE, |name| draft.string(name));
        draft.program.on_error = program.on_error.map_or(NONE, |answer| u32::from(answer as u8));
        let needing = (0..).zip(&program.rules).filter(|(_, rule)| !rule.needs.is_empty());
        let needing = draft.list(needing.map(|(index, _)| index).collect::<Vec<u32>>());
        (draft.program.needing, draft.program.needing_len) = (needing.start, needing.len);
        let of_turns = (0..).zip(&program.counters).filter(|(_, counter)| counter.is_per_turn);
        let of_turns = draft.list(of_turns.map(|(index, _)| index).collect::<Vec<u32>>());
        (draft.program.turn_counters, draft.program.turn_counters_len) =
            (of_turns.start, of_turns.len);
        let of_turns = (0..).zip(&program.flags).filter(|(_, flag)| flag.is_per_turn);
        let of_turns = draft.list(of_turns.map(|(index, _)| index).collect::<Vec<u32>>());
        (draft.program.turn_flags, draft.program.turn_flags_len) = (of_turns.start, of_turns.len);
        let asked = draft.list(asked_patterns(program));
        (draft.program.asked, draft.program.asked_len) = (asked.start, asked.len);
        draft.program.max_per_turn = program.max_per_turn.unwrap_or(NONE);
        let show_user = program.show_user.unwrap_or(ShowUser::Blocks);
        draft.program.show_user = u32::from(show_user as u8);
        draft.program.producer = draft.string(concat!("behavior ", env!("CARGO_PKG_VERSION")));
        for (name, value) in &program.thresholds {
            let name = draft.string(name);
            draft.numbers.push(NamedNumber { name, reserved: 0, value: *value });
        }
        draft.program.checks_claims = u32::from(program.checks_claims());
        draft.program.verifier_prompt = NONE;
        if let Some(verifier) = &program.verifier {
            let fields = &mut draft.program;
            fields.verifier = u32::from(verifier.mode as u8);
            fields.verifier_window = verifier.window_turns;
            fields.verifier_rounds = verifier.max_rounds;
            fields.verifier_headless = u32::from(verifier.headless);
            let has_brain = named(&program.brains, Purpose::Verify).is_some();
            fields.verifier_has_brain = u32::from(has_brain);
            if let Some(text) = &verifier.system_prompt {
                draft.program.verifier_prompt = draft.string(text);
            }
        }
        if let Some(config) = &program.classifier {
            draft.classifier = classifier::encode(config, &mut |text| draft_string(draft, text));
        }
        if program.brains != Brains::default() {
            draft.brains = brain::encode(&program.brains, &mut |text| draft_string(draft, text));
        }
        draft.workflows =
            workflow::encode(&program.workflows, &mut |text| draft_string(draft, text));
    }

    fn state(&mut self, program: &Program) {
        for set in &program.sets {
            let targets: Vec<u32> =
                set.targets.iter().map(|target| self.draft.string(target)).collect();
            for target in &set.targets {
                self.param(target);
            }
            let Run { start, len } = self.draft.list(targets);
            let is_usual = is_usual_target(set.targets.iter().map(|target| &**target));
            let name = self.draft.string(&set.name);
            self.draft.sets.push(SetRecord {
                name,
                targets: start,
                targets_len: len,
                has_usual_target: u32::from(is_usual),
                window: set.window,
                fingerprint: u32::from(set.fingerprint),
                survives_compaction: u32::from(set.survives_compaction),
                paths: set.paths,
            });
        }
        for counter in &program.counters {
            let name = self.draft.string(&counter.name);
            self.draft.counters.push(name);
            if let Some(reset) = &counter.reset_when {
                self.param(&reset.param);
            }
        }
        for flag in &program.flags {
            let name = self.draft.string(&flag.name);
            self.draft.flags.push(name);
        }
    }

    /// Lays out the conditions of changes of state, an empty run where there is none.
    fn state_conditions(&mut self, program: &Program) -> Vec<Run> {
        let mut lay_out = |condition: Option<&Condition>| {
            let start = self.draft.code.len() as u32;
            if let Some(condition) = condition.filter(|one| **one != Condition::Always) {
                self.condition(condition, start);
            }
            Run { start, len: self.draft.code.len() as u32 - start }
        };
        program.state_conditions().map(&mut lay_out).collect()
    }

    fn patterns(&mut self, program: &Program) {
        for pattern in &program.patterns {
            let literals = pattern.literals.as_deref().filter(|_| pattern.literals_suffice);
            let (matching, text) = match (&pattern.plain, literals) {
                (Some(Plain::Whole), _) => (Matching::Whole, &pattern.source),
                (Some(Plain::Beginning(text)), _) => (Matching::Beginning, text),
                (Some(Plain::Pieces(_)), _) => (Matching::Pieces, &pattern.regex),
                (None, Some([literal])) => (Matching::Literal, literal),
                (None, Some(_)) => (Matching::OneOf, &pattern.regex),
                (None, None) => (Matching::Regex, &pattern.regex),
            };
            let (pieces, traits) = match (&pattern.plain, literals) {
                (Some(Plain::Pieces(pieces)), _) => (&*pieces.texts, pieces.traits),
                (None, Some(literals @ [_, _, ..])) => (literals, 0),
                (None, None) if pattern.is_glob => (&[][..], Traits::GLOB),
                _ => (&[][..], 0),
            };
            let pieces: Vec<u32> = pieces.iter().map(|piece| self.draft.string(piece)).collect();
            let pieces = self.draft.list(pieces);
            let automaton = pattern.dfa.as_deref().unwrap_or_default();
            let start = self.draft.automata.len() as u32;
            self.draft.automata.extend_from_slice(automaton);
            let record = PatternRecord {
                source: self.draft.string(&pattern.source),
                matching: matching as u32,
                text: self.draft.string(text),
                automaton: start,
                automaton_len: automaton.len() as u32,
                pieces: pieces.start,
                pieces_len: pieces.len,
                traits,
            };
            self.draft.patterns.push(record);
        }
    }

    fn rule(&mut self, rule: &Rule) {
        let id = self.draft.string(&rule.id);
        let code = self.draft.code.len() as u32;
        if rule.condition != Condition::Always {
            self.condition(&rule.condition, code);
        }
        let code_len = self.draft.code.len() as u32 - code;
        let exceptions = self.exceptions(&rule.exceptions);
        let message = self.message(&rule.message);
        let needs: Vec<u32> = rule.needs.iter().map(|tool| self.draft.string(tool)).collect();
        let needs = self.draft.list(needs);
        let record = RuleRecord {
            id,
            code,
            code_len,
            message: message.start,
            message_len: message.len,
            triggers: 0,
            triggers_len: 0,
            phase: rule.phase as u8,
            action: rule.action as u8,
            origin: rule.origin as u8,
            when_undecided: rule.when_undecided as u8,
            when_unanswered: rule.when_unanswered as u8,
            grantable: rule.is_grantable.into(),
            exceptions: exceptions.start,
            exceptions_len: exceptions.len as u16,
            repeat: rule.repeat.kind as u8,
            repeat_calls: rule.repeat.calls,
            in_subagent: rule.in_subagent.into(),
            needs: needs.start,
            needs_len: needs.len as u16,
        };
        self.draft.rules.push(record);
    }

    /// Lays out what makes a rule silent. No rule has more than the compiler admits.
    fn exceptions(&mut self, exceptions: &[Exception]) -> Run {
        let start = self.draft.exceptions.len() as u32;
        for exception in exceptions {
            let code = self.draft.code.len() as u32;
            if exception.condition != Condition::Always {
                self.condition(&exception.condition, code);
            }
            let code_len = self.draft.code.len() as u32 - code;
            let (file, line, column) = self.place(exception.span);
            let record = ExceptionRecord {
                code,
                code_len,
                reason: self.draft.string(&exception.reason),
                condition: self.draft.string(&condition::text(&exception.condition)),
                file,
                line,
                column,
                until: exception.until.unwrap_or(NONE),
            };
            self.draft.exceptions.push(record);
        }
        Run { start, len: exceptions.len() as u32 }
    }

    /// Lays out what people are told of a rule.
    fn rule_notes(&mut self, rule: &Rule) {
        let (file, line, column) = self.place(rule.span);
        let notes = RuleNotes {
            description: self.draft.string(&rule.description),
            file,
            line,
            column,
            trigger: self.draft.string(&rule.trigger_names().collect::<Vec<_>>().join(", ")),
            condition: self.draft.string(&condition::text(&rule.condition)),
        };
        self.draft.rule_notes.push(notes);
    }

    fn message(&mut self, parts: &[MessagePart]) -> Run {
        let start = self.draft.messages.len() as u32;
        for part in parts {
            let (kind, argument) = match part {
                MessagePart::Text(text) => (Placeholder::Literal, self.draft.string(text)),
                MessagePart::Target => (Placeholder::Target, 0),
                MessagePart::Tool => (Placeholder::Tool, 0),
                MessagePart::Turn => (Placeholder::Turn, 0),
                MessagePart::TurnCalls => (Placeholder::TurnCalls, 0),
                MessagePart::Consecutive => (Placeholder::Consecutive, 0),
                MessagePart::Param(name) => {
                    self.param(name);
                    (Placeholder::Param, self.draft.string(name))
                }
                MessagePart::Counter(index) => (Placeholder::Counter, *index),
                MessagePart::SetCount(index) => (Placeholder::SetCount, *index),
                MessagePart::Flag(index) => (Placeholder::Flag, *index),
                MessagePart::Claims => (Placeholder::Claims, 0),
                MessagePart::Command => (Placeholder::Command, 0),
                MessagePart::Cause => (Placeholder::Cause, 0),
                MessagePart::Document(name) => (Placeholder::Document, self.draft.string(name)),
            };
            self.draft.messages.push(MessageRecord { kind: kind as u32, argument });
        }
        Run { start, len: self.draft.messages.len() as u32 - start }
    }

    fn finish(mut self, program: &Program) -> Result<Vec<u8>, Box<Diagnostic>> {
        let verifies = program.verifier.as_ref().is_some_and(Verifier::is_on);
        let looks_at_all =
            program.conditions().any(looks_at_all_params) || verifies || program.checks_claims();
        self.draft.program.keeps_all_params = u32::from(looks_at_all);
        let span =
            program.rules.first().map_or(Span::new(crate::source::FileId(0), 0, 0), |r| r.span);
        let limits =
            [("parameters", self.draft.params.len()), ("counters", self.draft.counters.len())];
        for (what, count) in limits {
            if count > usize::from(u16::MAX) {
                let message = format!("the rules name {count} {what}, and at most 65,535 fit");
                let problem = Diagnostic::new(&PROGRAM_TOO_LARGE, span, message)
                    .help("split the rules into several configs");
                return Err(Box::new(problem));
            }
        }
        Ok(self.draft.encode())
    }
}

fn draft_string(draft: &mut Draft, text: &str) -> u32 {
    draft.string(text)
}

/// The patterns that are asked of the user's words, each once.
fn asked_patterns(program: &Program) -> Vec<Index> {
    fn collect(condition: &Condition, found: &mut BTreeSet<Index>) {
        match condition {
            Condition::Always => {}
            Condition::All(items) | Condition::Any(items) => {
                items.iter().for_each(|item| collect(item, found));
            }
            Condition::Not(inner) => collect(inner, found),
            Condition::Test { test: Test::UserAsked(pattern), .. } => _ = found.insert(*pattern),
            Condition::Test { .. } => {}
        }
    }
    let mut found = BTreeSet::new();
    program.conditions().for_each(|condition| collect(condition, &mut found));
    found.into_iter().collect()
}

fn looks_at_all_params(condition: &Condition) -> bool {
    match condition {
        Condition::Always => false,
        Condition::All(items) | Condition::Any(items) => items.iter().any(looks_at_all_params),
        Condition::Not(inner) => looks_at_all_params(inner),
        Condition::Test { test, .. } => {
            let mut looks_at_all = false;
            test.each_reference(&mut |reference| {
                looks_at_all |=
                    matches!(reference, Reference::SecretPlace(_) | Reference::Paths(_));
            });
            looks_at_all
        }
    }
}
