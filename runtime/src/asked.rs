//! What a user asked for: in the message that began a turn, with a yes to what the agent offered before it, or in the
//! answer to a question that the agent asked with a tool. Of texts nothing is kept but which of the rules' patterns they
//! match. Knows no rules.

use std::borrow::Cow;

use behavior_image::Image;
use behavior_image::format::{PatternRecord, Section};
use behavior_intent::act::Act;
use behavior_intent::acts::acts;
use behavior_intent::assent::{InPart, echoes, is_assent, means_another, refuses, spellings};
use behavior_intent::choice::{self, MAX_CHOICES, choices, chosen};
use behavior_intent::files::taken_up::{
    MAX_LEFT_ALONE, excepted, lifted, names_work, of_manifests, taken_up, worked_on,
};
use behavior_intent::forbidden::{
    self, asked_for, declines, gives_leave, packages_asked_for, surely_add_packages,
};
use behavior_intent::message::Said;
use behavior_intent::offer::{offers, replies};
use behavior_intent::places::places;
use behavior_intent::questions::asks_on;
use behavior_intent::scheduled::{Scheduled, each_said};
use behavior_intent::sentences::NO;
use behavior_intent::spoken::spoken_of;
use behavior_intent::until::{ACTS, waiting};
use behavior_intent::visible::visible;
use behavior_intent::wish::Wish;
use behavior_intent::wishes::wishes;

use behavior_facts::answers::Answer;
use behavior_facts::commands::COMMAND_PARAMS;
use behavior_facts::params::Params;
use behavior_facts::texts::each_text;
use behavior_facts::value::ValueRef;

/// A longer text is looked at only so far, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// Which of the patterns that rules ask for the user's words match: their indexes in the image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Those that hold in this turn.
    pub asked: Vec<u32>,
    /// Those that match what the agent offered last.
    pub offered: Vec<u32>,
    /// What comes as the user's message and is the agent's own.
    pub scheduled: Scheduled,
    /// What the user wants away by its name in this turn, and what he forbids until he says otherwise: hashes of wishes, in
    /// order.
    pub named: Vec<u64>,
    /// Those that the agent offered last.
    pub offered_named: Vec<u64>,
    /// What the user wants left as it is, by its name, until he asks for a change of it, which packages he said may or may not
    /// become dependencies, and what waits for something that is to be so first: hashes of wishes, in order.
    pub left_alone: Vec<u64>,
    /// What alone may be changed: hashes of wishes, in order. It holds for a turn, and the questions behind it; what is said by
    /// itself holds until the user says otherwise.
    pub scope: Vec<u64>,
}

/// What a user said no to, until he says otherwise: hashes of wishes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// What is to be left as it is, or kept.
    pub left_alone: Vec<u64>,
    /// What is not to be done at all.
    pub forbidden: Vec<u64>,
}

impl Asked {
    /// Takes up the message that begins a turn; `None` where it is not known, or not a user's.
    pub fn begin_turn(&mut self, image: &Image, text: Option<&str>, fold: &mut String) {
        let offered = std::mem::take(&mut self.offered);
        let offered_named = std::mem::take(&mut self.offered_named);
        let mut forbidden = self.forbidden();
        let only_looks = !self.named.is_empty() && self.named.contains(&Act::Change.hash());
        self.asked.clear();
        self.named.clear();
        let Some(text) = text.filter(|_| asks(image)) else {
            return self.forbid(image, &forbidden, fold);
        };
        let mut said = Said::of(&beginning_and_end(text));
        let parts = said.wanted.len();
        for clauses in [&mut said.wanted, &mut said.certain, &mut said.refused] {
            clauses.retain(|clause| !self.scheduled.has(clause));
        }
        let is_own = said.wanted.len() == parts && !self.scheduled.has(text);
        if is_own {
            said.wanted.append(&mut self.fulfilled(&said));
        }
        let mut allowed = asked_for(&said.wanted);
        // "Put it in app.py, no new files": what is asked for in the same breath is meant without one.
        allowed.retain(|act| *act != Act::NewFile || !said.forbidden.contains(act));
        self.named = wishes(&said.certain);
        self.named.extend(places(&said.wanted));
        self.named.extend(spoken_of(&said.wanted));
        if said.only_named && names_work(&said.wanted) {
            said.only.push(Wish::Only.hash());
        }
        self.take_scope(&said, text, is_own, allowed.contains(&Act::Change));
        // What the agent had said to itself takes nothing back.
        if is_own {
            self.lift(&said);
            self.named.append(&mut said.undone);
            allowed.append(&mut said.allowed);
            if gives_leave(text) {
                allowed.extend(Act::LASTING);
            }
            let asked = packages_asked_for(&said.wanted).into_iter().map(|name| (name, true));
            said.packages.extend(asked);
        }
        said.packages.retain(|(_, may)| is_own || !may);
        if is_own && surely_add_packages(&said.wanted) {
            let gone = lifted(&self.left_alone, &of_manifests());
            self.left_alone.retain(|hash| !gone.contains(hash));
        }
        self.take_packages(&said.packages);
        self.left_alone.retain(|hash| !said.bound.contains(hash));
        self.leave_alone(&said.wanted, &said.left_alone);
        said.wanted.append(&mut said.refused);
        self.asked = matching(image, &said.wanted, fold);
        // "If the tests pass, commit it": what is wanted still waits.
        let waiting: Vec<Act> =
            said.forbidden.iter().filter(|act| act.waits_for_tests()).copied().collect();
        forbidden.append(&mut said.forbidden);
        if is_own {
            forbidden.extend(refused_offers(text, &offered_named));
            self.answer(image, text, offered, &offered_named);
            // Where some files alone are to be changed, a yes to another one means that, too.
            if !self.scope.is_empty() {
                let is_taken = |hash: &&u64| self.named.contains(*hash);
                let taken: Vec<u64> = offered_named.iter().filter(is_taken).copied().collect();
                self.add_to_scope(&taken);
            }
            // A yes to a change is a word for it.
            self.left_alone.retain(|hash| !self.named.contains(hash));
        }
        // Who goes on asking has not said that anything may be changed.
        if only_looks && asks_on(text) && !is_assent(text) {
            forbidden.push(Act::Change);
        }
        let is_allowed =
            |act: &Act| act.is_freed_by(&allowed) || self.named.contains(&act.needed_hash());
        forbidden.retain(|act| waiting.contains(act) || !is_allowed(act));
        forbidden.sort_unstable();
        forbidden.dedup();
        self.forbid(image, &forbidden, fold);
    }

    /// Takes up a message as the answer to what the agent offered before it.
    fn answer(&mut self, image: &Image, text: &str, offered: Vec<u32>, offered_named: &[u64]) {
        let in_part = InPart::of(text);
        let is_reply = || {
            !refuses(text)
                && spellings(text).iter().any(|spelling| offered_named.contains(spelling))
        };
        if let Some(part) = &in_part
            && let Some(mut named) = part.of_offer(offered_named)
        {
            self.asked.extend(offered.into_iter().filter(|_| part.is_open()));
            self.named.append(&mut named);
        } else if in_part.is_some_and(|part| part.is_certain) {
            // What it is a yes to, nobody can tell.
        } else if means_another(text, offered_named) {
            // What it says yes to was said besides.
        } else if is_assent(text) || is_reply() {
            self.asked.extend(offered);
            self.named.extend(offered_named);
            if choice::takes_all(text) {
                (0..MAX_CHOICES).for_each(|place| self.choose(image, place, offered_named));
            }
        } else if let Some(place) =
            chosen(text).or_else(|| choice::named_by_words(text, offered_named))
        {
            self.choose(image, place, offered_named);
        }
    }

    /// Takes up what a thing stands for that the user chose by its place.
    fn choose(&mut self, image: &Image, place: usize, offered_named: &[u64]) {
        let mark = choice::mark(place);
        let is_meant = |pattern: &u32| offered_named.contains(&(choice::pattern(*pattern) ^ mark));
        self.asked.extend(patterns(image).filter(is_meant));
        self.named.extend(offered_named.iter().map(|hash| hash ^ mark));
    }

    /// What the user has forbidden until he says otherwise.
    fn forbidden(&self) -> Vec<Act> {
        if self.named.is_empty() {
            return Vec::new();
        }
        Act::LASTING.into_iter().filter(|act| self.named.contains(&act.hash())).collect()
    }

    /// What the user said no to, until he says otherwise.
    pub fn refused(&self) -> Refused {
        Refused {
            left_alone: self.left_alone.iter().chain(&self.scope).copied().collect(),
            forbidden: Act::all().map(Act::hash).filter(|hash| self.named.contains(hash)).collect(),
        }
    }

    /// Takes up what the user said no to where somebody else heard it, in the place of what is known of that.
    pub fn take_refused(&mut self, image: &Image, refused: &Refused, fold: &mut String) {
        if !asks(image) {
            return;
        }
        self.left_alone = refused.left_alone.iter().take(MAX_LEFT_ALONE).copied().collect();
        self.left_alone.sort_unstable();
        self.left_alone.dedup();
        self.named.retain(|hash| !Act::all().any(|act| act.hash() == *hash));
        self.asked.retain(|pattern| !is_of_refusals(image, *pattern));
        let is_forbidden = |act: &Act| refused.forbidden.contains(&act.hash());
        let acts: Vec<Act> = Act::all().filter(is_forbidden).collect();
        self.forbid(image, &acts, fold);
    }

    /// Takes up what is forbidden, besides what is known already.
    fn forbid(&mut self, image: &Image, acts: &[Act], fold: &mut String) {
        if acts.is_empty() {
            return self.sort();
        }
        let clauses: Vec<String> = acts.iter().map(|act| act.clause()).collect();
        self.asked.extend(matching(image, &clauses, fold));
        self.named.extend(acts.iter().map(|act| act.hash()));
        self.sort();
    }

    /// Takes up what is to be left as it is, and what of that is no more, since clauses ask for a change of it.
    fn leave_alone(&mut self, clauses: &[String], also: &[u64]) {
        let taken_up = taken_up(&self.left_alone, clauses);
        let excepted = excepted(&self.left_alone, clauses);
        self.left_alone.retain(|hash| !taken_up.contains(hash));
        let rest = MAX_LEFT_ALONE.saturating_sub(self.left_alone.len());
        self.left_alone.extend(also.iter().chain(&excepted).take(rest));
        self.left_alone.sort_unstable();
        self.left_alone.dedup();
    }

    /// Forgets what need not be left as it is any more.
    fn lift(&mut self, said: &Said) {
        let gone = lifted(&self.left_alone, &said.lifted);
        self.left_alone.retain(|hash| !said.lifts_all && !gone.contains(hash));
        if !self.left_alone.is_empty() {
            self.named.extend(&said.lifted);
        }
    }

    /// Takes up what alone may be changed. Of the agent's own messages nothing makes that more.
    fn take_scope(&mut self, said: &Said, text: &str, is_own: bool, asks_for_change: bool) {
        let lasts = Wish::OnlyLasts.hash();
        if !said.only.is_empty() && (is_own || self.scope.is_empty()) {
            self.scope.clone_from(&said.only);
            self.scope.extend(scope_lasts(said, text).then_some(lasts));
        } else if is_own {
            let goes_on = || !asks_for_change && (asks_on(text) || is_assent(text));
            if said.lifts_all || !self.scope.contains(&lasts) && !goes_on() {
                self.scope.clear();
            }
        }
        if is_own {
            self.widen(&said.wanted, &said.lifted);
        }
        self.add_to_scope(&[]);
    }

    /// Where some files alone are to be changed: what else the user asks for, or lets be changed, is meant, too.
    fn widen(&mut self, clauses: &[String], also: &[u64]) {
        if !self.scope.is_empty() {
            let mut meant = also.to_vec();
            worked_on(clauses, |one| meant.push(Wish::OnlyOf(one).hash()));
            self.add_to_scope(&meant);
        }
    }

    /// Adds to what alone may be changed, as far as there is room.
    fn add_to_scope(&mut self, also: &[u64]) {
        let rest = MAX_LEFT_ALONE.saturating_sub(self.scope.len());
        self.scope.extend(also.iter().take(rest));
        self.scope.sort_unstable();
        self.scope.dedup();
    }

    fn sort(&mut self) {
        self.asked.sort_unstable();
        self.asked.dedup();
        self.named.sort_unstable();
        self.named.dedup();
    }

    /// Takes up what of a call may be said to the agent later: all that it is given, where the tool is for that, and of
    /// a command line what it may say to an agent.
    pub fn agent_called(&mut self, is_said_later: bool, is_shell: bool, params: Params<'_>) {
        if is_said_later {
            params.for_each(|value| each_text(value, &mut |text| self.agent_scheduled(text)));
        }
        // Answers that the agent gives itself come back as the user's.
        if let Some(answers) = params.get("answers") {
            each_text(answers, &mut |text| self.agent_scheduled(text));
        }
        if is_shell
            && let Some(Some(ValueRef::Text(line))) = params.command_line(COMMAND_PARAMS[0], true)
        {
            each_said(line, &mut |text| self.agent_scheduled(text));
        }
    }

    /// Takes up a text that the agent has set up to be said to it later.
    fn agent_scheduled(&mut self, text: &str) {
        let text = shortened(text);
        self.scheduled.add(text);
        let Said { wanted, refused, .. } = Said::of(text);
        wanted.iter().chain(&refused).for_each(|clause| self.scheduled.add(clause));
    }

    /// Takes up what the agent writes: what it offers last may be answered with a yes.
    pub fn agent_wrote(&mut self, image: &Image, text: &str, fold: &mut String) {
        if !asks(image) {
            return;
        }
        let text = &*visible(text);
        let (offers, mut choices) = (offers(end_of(text)), choices(end_of(text)));
        let two = choice::alternatives(end_of(text)).filter(|_| choices.is_empty());
        if let Some(two) = &two {
            choices.extend(two.iter().cloned());
        }
        if offers.is_empty() && choices.is_empty() {
            return;
        }
        self.offered.clear();
        self.offered_named.clear();
        self.offer_choices(image, choices, fold);
        self.offered_named.extend(two.iter().flat_map(choice::telling_words));
        if !offers.is_empty() {
            self.offered = matching(image, &offers, fold);
            if !self.scope.is_empty() {
                worked_on(&offers, |one| self.offered_named.push(Wish::OnlyOf(one).hash()));
            }
            self.offered_named.extend(wishes(&offers));
            self.offered_named.extend(places(&offers));
            self.offered_named.extend(spoken_of(&offers));
            self.offered_named.extend(offers.iter().flat_map(|offer| echoes(offer)));
            self.offered_named.extend(forbidden::offered(&offers));
            self.offered_named.append(&mut taken_up(&self.left_alone, &offers));
            self.offered_named.append(&mut excepted(&self.left_alone, &offers));
            // Of several answers each stands for something else.
            if let [reply] = replies(end_of(text)).as_slice()
                && !refuses(reply)
            {
                self.offered_named.append(&mut spellings(reply));
            }
        }
    }

    /// Takes up what the agent lets the user choose from: what each thing stands for, under the mark of its place.
    fn offer_choices(&mut self, image: &Image, choices: Vec<String>, fold: &mut String) {
        for (place, clause) in choices.into_iter().enumerate() {
            let clauses = [clause];
            let mark = choice::mark(place);
            let patterns = matching(image, &clauses, fold).into_iter();
            self.offered_named.extend(patterns.map(|pattern| choice::pattern(pattern) ^ mark));
            let named = wishes(&clauses)
                .into_iter()
                .chain(spoken_of(&clauses))
                .chain(places(&clauses))
                .chain(forbidden::offered(&clauses));
            self.offered_named.extend(named.map(|hash| hash ^ mark));
        }
    }

    /// Takes up the last message of a turn: what was offered before it is not on the table any more.
    pub fn agent_ended(&mut self, image: &Image, text: &str, fold: &mut String) {
        if !text.trim().is_empty() {
            self.offered.clear();
            self.offered_named.clear();
        }
        self.agent_wrote(image, text, fold);
    }

    /// Takes up what the user answered to a question of the agent: a yes stands for the question, and each other answer
    /// for itself.
    pub fn user_answered(&mut self, image: &Image, answers: &[Answer], fold: &mut String) {
        let (mut wanted, mut forbidden, mut allowed) = (Vec::new(), Vec::new(), Vec::new());
        let mut left_alone = Vec::new();
        let is_own = |answer: &&Answer| !self.scheduled.has(&answer.answer);
        let own: Vec<&Answer> = answers.iter().filter(is_own).collect();
        for Answer { question, answer, .. } in own {
            let mut said = Said::of(answer);
            wanted.append(&mut said.wanted);
            forbidden.append(&mut said.forbidden);
            left_alone.append(&mut said.left_alone);
            allowed.append(&mut said.allowed);
            self.take_packages(&said.packages);
            self.lift(&said);
            self.named.append(&mut said.undone);
            self.add_to_scope(&said.only);
            let offers = offers(question);
            forbidden.extend(refused_offers(answer, &forbidden::offered(&offers)));
            if is_assent(answer) {
                wanted.extend(offers);
            }
        }
        self.asked.extend(matching(image, &wanted, fold));
        allowed.extend(asked_for(&wanted));
        let packages = packages_asked_for(&wanted).into_iter().map(|name| (name, true));
        self.take_packages(&packages.collect::<Vec<_>>());
        self.named
            .retain(|hash| !Act::all().any(|act| act.hash() == *hash && act.is_freed_by(&allowed)));
        self.leave_alone(&wanted, &left_alone);
        self.widen(&wanted, &[]);
        self.named.extend(wishes(&wanted));
        self.named.extend(places(&wanted));
        self.named.extend(spoken_of(&wanted));
        forbidden.retain(|act| !act.is_freed_by(&allowed));
        forbidden.sort_unstable();
        forbidden.dedup();
        self.forbid(image, &forbidden, fold);
    }

    /// Takes up which packages may become dependencies, and which may not: what is said last of one holds.
    fn take_packages(&mut self, said: &[(String, bool)]) {
        /// Behind so many wishes nobody names more packages.
        const MAX_BEFORE: usize = MAX_LEFT_ALONE / 2;
        for (name, may) in said {
            let (may_be, may_not) = (Wish::Package(name).hash(), Wish::NoPackage(name).hash());
            let (new, old) = if *may { (may_be, may_not) } else { (may_not, may_be) };
            self.left_alone.retain(|hash| *hash != old);
            if self.left_alone.len() < MAX_BEFORE {
                self.left_alone.extend([new, Wish::Package("").hash()]);
            }
        }
        self.left_alone.sort_unstable();
        self.left_alone.dedup();
    }

    /// The acts that waited for what a message says is so now, as clauses that ask for them. Takes note of those that wait from now
    /// on.
    fn fulfilled(&mut self, said: &Said) -> Vec<String> {
        /// So much of what a message says is looked at.
        const MAX_STATED: usize = 16;
        let mut found = Vec::new();
        if self.left_alone.is_empty() && said.waits.is_empty() {
            return found;
        }
        for condition in said.states.iter().take(MAX_STATED) {
            for act in ACTS {
                let hash = Wish::Until(&waiting(act, condition)).hash();
                if self.left_alone.binary_search(&hash).is_ok() {
                    self.left_alone.retain(|waits| *waits != hash);
                    found.push((*act).to_owned());
                }
            }
        }
        let rest = MAX_LEFT_ALONE.saturating_sub(self.left_alone.len());
        let waits = said.waits.iter().take(rest);
        self.left_alone
            .extend(waits.map(|wait| Wish::Until(&waiting(wait.act, &wait.condition)).hash()));
        self.left_alone.sort_unstable();
        self.left_alone.dedup();
        found
    }

    /// Whether the user said of packages by their names whether they may become dependencies.
    pub fn names_packages(&self) -> bool {
        self.wishes(Wish::Package(""))
    }

    /// Whether the user said so, in this turn or until he says otherwise.
    pub fn wishes(&self, wish: Wish<'_>) -> bool {
        let hash = wish.hash();
        self.left_alone.binary_search(&hash).is_ok() || self.named.binary_search(&hash).is_ok()
    }

    /// Whether the user asked for what a pattern matches.
    pub fn has(&self, pattern: u32) -> bool {
        self.asked.binary_search(&pattern).is_ok()
    }
}

/// Whether what a message says may be changed alone holds beyond what it asks for: it says so, or asks for nothing else.
fn scope_lasts(said: &Said, text: &str) -> bool {
    const LASTING: &[&str] = &[
        "from now on",
        "always",
        "throughout",
        "the whole time",
        "whole session",
        "entire session",
        "this session",
        "for today",
    ];
    let lower = text.to_lowercase();
    let asks = |clause: &String| {
        let is_scope = !Said::of(clause).only.is_empty();
        !is_scope && asked_for(std::slice::from_ref(clause)).contains(&Act::Change)
    };
    LASTING.iter().any(|phrase| lower.contains(phrase)) || !said.wanted.iter().any(asks)
}

/// What a message says no to of what the agent offered.
fn refused_offers(text: &str, offered_named: &[u64]) -> Vec<Act> {
    // What an offer takes is refused with it where it is nothing else than that.
    const OWN: [Act; 4] = [Act::Reformat, Act::Migrate, Act::Serve, Act::Rename];
    let is_offered = |act: &Act| {
        offered_named.contains(&act.offer_hash())
            || OWN.contains(act) && offered_named.contains(&act.needed_hash())
    };
    let mut refused: Vec<Act> =
        Act::LASTING.into_iter().filter(|act| is_offered(act) && declines(text)).collect();
    refused.append(&mut passed_over(text, offered_named));
    refused
}

/// The acts of the things that a message does not choose, where the agent lets the user choose: who takes the merge wants no
/// rebase.
fn passed_over(text: &str, offered_named: &[u64]) -> Vec<Act> {
    let Some(place) = chosen(text).or_else(|| choice::named_by_words(text, offered_named)) else {
        return Vec::new();
    };
    let any_package = Wish::Package("").hash();
    let is_of = |act: Act, place: usize| {
        let has = |hash: u64| offered_named.contains(&(hash ^ choice::mark(place)));
        has(act.offer_hash()) || has(act.needed_hash()) || act == Act::Depend && has(any_package)
    };
    let is_passed = |act: &Act| {
        !is_of(*act, place) && (0..MAX_CHOICES).any(|other| other != place && is_of(*act, other))
    };
    Act::LASTING.into_iter().filter(is_passed).collect()
}

/// The patterns that rules ask for.
pub(crate) fn patterns(image: &Image) -> impl Iterator<Item = u32> + '_ {
    let program = image.program();
    image.view().list(program.asked, program.asked_len)
}

/// Whether some rule asks for the user's words.
pub(crate) fn asks(image: &Image) -> bool {
    image.program().asked_len > 0
}

/// The patterns that one of some clauses matches, or an act that one asks for: `^` stands for where either begins.
fn matching(image: &Image, clauses: &[String], fold: &mut String) -> Vec<u32> {
    let acts: Vec<Vec<String>> = clauses.iter().map(|clause| acts(clause)).collect();
    let mut is_met = |pattern: &u32| {
        let about = About::of(image, *pattern);
        clauses.iter().zip(&acts).any(|(clause, acts)| match (about, clause.starts_with(NO)) {
            (About::Refusals, true) | (About::Words, false) => {
                image.matches(*pattern, clause, fold)
            }
            (About::Acts, false) => acts.iter().any(|act| image.matches(*pattern, act, fold)),
            // What the user says no to is no wish, whatever a pattern lets stand before it.
            (About::Refusals, false) | (About::Acts | About::Words, true) => false,
        })
    };
    patterns(image).filter(|pattern| is_met(pattern)).collect()
}

/// Whether a pattern is about what the user says no to.
pub(crate) fn is_of_refusals(image: &Image, pattern: u32) -> bool {
    matches!(About::of(image, pattern), About::Refusals)
}

/// What a pattern is about, as it begins.
#[derive(Clone, Copy)]
enum About {
    /// Words, wherever they stand in what is asked for.
    Words,
    /// Acts that are asked for: it says where they begin.
    Acts,
    /// What the user says no to: it begins with [`NO`].
    Refusals,
}

impl About {
    fn of(image: &Image, pattern: u32) -> Self {
        let view = image.view();
        let source = view.string(view.row::<PatternRecord>(Section::Patterns, pattern).source);
        match source.strip_prefix('^') {
            None => Self::Words,
            Some(rest) if rest.starts_with(NO) || rest.starts_with(r"no\s") => Self::Refusals,
            Some(_) => Self::Acts,
        }
    }
}

/// The end of a text that is too long to be looked at whole.
fn end_of(text: &str) -> &str {
    let mut from = text.len().saturating_sub(MAX_TEXT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.get(from..).unwrap_or_default()
}

/// A message as far as it is looked at: of a long one its beginning and its end, between which something was pasted.
fn beginning_and_end(text: &str) -> Cow<'_, str> {
    const HALF: usize = MAX_TEXT / 2;
    if text.len() <= MAX_TEXT {
        return Cow::Borrowed(text);
    }
    let beginning = text.get(..text.floor_char_boundary(HALF)).unwrap_or_default();
    let end = text.get(text.ceil_char_boundary(text.len() - HALF)..).unwrap_or_default();
    // Neither goes on with a line of which nobody sees the whole.
    let beginning = beginning.rsplit_once('\n').map_or(beginning, |(whole, _)| whole);
    let end = end.split_once('\n').map_or(end, |(_, whole)| whole);
    Cow::Owned(format!("{beginning}\n\n{end}"))
}

fn shortened(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
