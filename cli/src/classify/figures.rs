//! What the answers to a set of messages come to: how often they are what was expected, which are taken for which, how
//! far repeated ones agree, how long they took and how long they are.

use std::collections::BTreeMap;
use std::time::Duration;

use behavior_compiler::classify_cases::ClassifyCase;
use behavior_runtime::classifier::{ClassifierTable, Level, Reply};

use super::answered::{Answered, Read};
use crate::models::price::Price;

/// Stands for an answer that nobody gave.
pub const NOTHING: &str = "(none)";

/// One of the three vocabularies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    Complexity,
    Approach,
    Risk,
}

impl Vocabulary {
    pub const ALL: [Vocabulary; 3] =
        [Vocabulary::Complexity, Vocabulary::Approach, Vocabulary::Risk];

    /// Returns the name of its field.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Vocabulary::Complexity => "complexity",
            Vocabulary::Approach => "approach",
            Vocabulary::Risk => "risk",
        }
    }

    /// Returns its entries.
    #[must_use]
    pub fn levels(self, table: &ClassifierTable) -> &[Level] {
        match self {
            Vocabulary::Complexity => &table.complexity,
            Vocabulary::Approach => &table.approaches,
            Vocabulary::Risk => &table.risks,
        }
    }

    /// Returns what is expected of a message, if anything is.
    #[must_use]
    pub fn expected(self, case: &ClassifyCase) -> Option<&str> {
        let written = match self {
            Vocabulary::Complexity => &case.complexity,
            Vocabulary::Approach => &case.approach,
            Vocabulary::Risk => &case.risk,
        };
        written.as_ref().map(|written| written.value.trim())
    }

    /// Returns what was answered, if anything.
    #[must_use]
    pub fn answered(self, read: &Read) -> Option<&str> {
        let Reply { complexity, approach, risk, .. } = &read.reply;
        let answered = match self {
            Vocabulary::Complexity => complexity,
            Vocabulary::Approach => approach,
            Vocabulary::Risk => risk,
        };
        (!read.unsaid.contains(&self.name())).then_some(answered)
    }
}

/// What one who answers comes to.
pub struct Figures {
    /// Who it is.
    pub name: String,
    /// What its tokens cost, where that is told.
    pub price: Option<Price>,
    /// All answers.
    pub answers: Vec<Answered>,
    /// Of each vocabulary.
    pub vocabularies: Vec<OfVocabulary>,
}

/// What the answers come to in one vocabulary.
pub struct OfVocabulary {
    /// Which.
    pub vocabulary: Vocabulary,
    /// How many answers are what was expected.
    pub right: u64,
    /// Of how many.
    pub of: u64,
    /// How often what was expected was answered so, by expected and answered.
    pub confusion: BTreeMap<(String, String), u64>,
    /// For how many messages all answers are the same, of those that were asked several times.
    pub agreement: Option<(u64, u64)>,
}

impl Figures {
    /// Counts answers.
    #[must_use]
    pub fn of(
        (name, price): (String, Option<Price>),
        cases: &[ClassifyCase],
        table: &ClassifierTable,
        answers: Vec<Answered>,
    ) -> Self {
        let of = |vocabulary| OfVocabulary::of(vocabulary, cases, table, &answers);
        let vocabularies = Vocabulary::ALL.into_iter().map(of).collect();
        Self { name, price, vocabularies, answers }
    }

    /// Returns how many answers were asked for.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.answers.len() as u64
    }

    /// Returns how many of them did not come, or cannot be read.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.answers.iter().filter(|answer| answer.reply.is_err()).count() as u64
    }

    /// Returns how many are not as they were asked for, and can be read.
    #[must_use]
    pub fn odd(&self) -> u64 {
        let is_odd = |answer: &&Answered| answer.reply.as_ref().is_ok_and(|read| read.is_odd);
        self.answers.iter().filter(is_odd).count() as u64
    }

    /// Returns why answers did not come, and how often.
    #[must_use]
    pub fn failures(&self) -> BTreeMap<&str, u64> {
        let mut failures = BTreeMap::new();
        for answer in &self.answers {
            if let Err(reason) = &answer.reply {
                *failures.entry(reason.as_str()).or_default() += 1;
            }
        }
        failures
    }

    /// Returns the time that a share of the answers took at most; nothing where no model was asked.
    #[must_use]
    pub fn latency(&self, percent: usize) -> Option<Duration> {
        let mut times: Vec<Duration> =
            self.answers.iter().filter_map(|answer| answer.took).collect();
        times.sort_unstable();
        let rank = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(rank).copied()
    }

    /// Returns what all of it cost, where the price is told.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        let (asked, answered) = self.tokens();
        self.price.map(|price| price.of(asked, answered))
    }

    /// Returns the tokens of all questions and of all answers, as far as they are told.
    #[must_use]
    pub fn tokens(&self) -> (u64, u64) {
        let tokens = self.answers.iter().map(|answer| answer.tokens);
        tokens.fold((0, 0), |(asked, answered), (more, and_more)| {
            (asked + more.unwrap_or_default(), answered + and_more.unwrap_or_default())
        })
    }
}

impl OfVocabulary {
    fn of(
        vocabulary: Vocabulary,
        cases: &[ClassifyCase],
        table: &ClassifierTable,
        answers: &[Answered],
    ) -> Self {
        // As the vocabulary spells it.
        let spelled = |name: &str| {
            let levels = vocabulary.levels(table).iter();
            let found =
                levels.map(|level| &level.name).find(|known| known.eq_ignore_ascii_case(name));
            found.map_or(name, |known| known).to_owned()
        };
        let (mut right, mut of, mut confusion) = (0, 0, BTreeMap::new());
        let mut by_case: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for answer in answers {
            let said = answer.reply.as_ref().ok().and_then(|read| vocabulary.answered(read));
            let given = said.map_or_else(|| NOTHING.to_owned(), spelled);
            by_case.entry(answer.case).or_default().push(given.clone());
            let expected = cases.get(answer.case).and_then(|case| vocabulary.expected(case));
            let Some(expected) = expected.map(spelled) else { continue };
            of += 1;
            right += u64::from(expected == given);
            *confusion.entry((expected, given)).or_default() += 1;
        }
        // Silence agrees with nothing.
        let is_repeated =
            |given: &&Vec<String>| given.len() > 1 && given.iter().any(|answer| answer != NOTHING);
        let repeated = by_case.values().filter(is_repeated);
        let agree = |given: &&Vec<String>| given.windows(2).all(|pair| pair.first() == pair.last());
        let (all, same) = (repeated.clone().count() as u64, repeated.filter(agree).count() as u64);
        let agreement = (all > 0).then_some((same, all));
        Self { vocabulary, right, of, confusion, agreement }
    }
}
