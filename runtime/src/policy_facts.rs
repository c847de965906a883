//! What a rule of a policy asks of a call beside its tool and its arguments: parameters by name, the host
//! of its addresses, the files that it touches. Rules that allow must be sure of all of it; the others
//! hold where any of it fits, and where nobody can tell they may hold.

use crate::eval::Machine;
use behavior_facts::addresses::{Host, addresses_in, addresses_of, host_of};
use behavior_facts::event::Call;
use behavior_facts::path::normalise;
use behavior_facts::truth::Truth;
use behavior_facts::value::ValueRef;
use behavior_image::Image;
use behavior_image::code::{FactKind, PermissionAction};
use behavior_image::format::{PermissionFact, PermissionRecord, Section};
use behavior_shell::touched::Effect;

/// One call, as the facts of rules look at it.
#[derive(Debug, Default)]
pub(crate) struct Facts<'a> {
    call: Option<&'a Call<'a>>,
    /// Of the rows of facts that are about files, what holds.
    files: Vec<(u32, Truth)>,
}

impl<'a> Facts<'a> {
    /// Those of a call. The machine is asked only where a rule of the policy is about files.
    pub fn of<'m>(
        call: &'a Call<'a>,
        image: &Image,
        machine: impl FnOnce() -> Machine<'m>,
    ) -> Self {
        let asked = file_facts(image);
        let files = match asked.is_empty() {
            true => Vec::new(),
            false => {
                let mut machine = machine();
                let holds = |(row, fact, allows): (u32, PermissionFact, bool)| {
                    Some((row, machine.uses_files(&fact, allows)?))
                };
                asked.into_iter().filter_map(holds).collect()
            }
        };
        Self { call: Some(call), files }
    }

    /// Whether nobody asked for any.
    pub fn are_none(&self) -> bool {
        self.call.is_none()
    }

    /// Whether all facts of a rule hold. `words` are those of the command of a line that is looked at.
    pub fn hold(&self, image: &Image, rule: &PermissionRecord, words: Option<Vec<&str>>) -> Truth {
        if rule.facts_len == 0 {
            return Truth::True;
        }
        let allows = rule.action == PermissionAction::Allow as u32;
        let rows = rule.facts..rule.facts.saturating_add(rule.facts_len);
        rows.fold(Truth::True, |all, row| {
            let fact: PermissionFact = image.view().row(Section::PermissionFacts, row);
            all.and(match fact.test() {
                Some(FactKind::Param) => self.param(image, &fact, allows),
                Some(FactKind::Host) => self.host(image, &fact, allows, words.as_deref()),
                Some(FactKind::Touches | FactKind::Reads | FactKind::Writes) => self.used(row),
                None => Truth::False,
            })
        })
    }

    fn used(&self, row: u32) -> Truth {
        let found = self.files.iter().find(|(known, _)| *known == row);
        found.map_or(Truth::Unknown, |(_, holds)| *holds)
    }

    /// Whether a parameter matches; for a rule that does not allow, also by an item of a list, and by the
    /// shortest form of a path.
    fn param(&self, image: &Image, fact: &PermissionFact, allows: bool) -> Truth {
        let Some(call) = self.call else { return Truth::Unknown };
        let name = image.view().string(fact.name);
        let Some(value) = call.param(name).map(ValueRef::from) else { return Truth::False };
        let mut fold = String::new();
        if image.matches(fact.pattern, &value.text(), &mut fold) {
            return Truth::True;
        }
        let mut path = String::new();
        let mut matches = |text: &str| {
            image.matches(fact.pattern, text, &mut fold)
                || image.matches(fact.pattern, normalise(text, None, &mut path), &mut fold)
        };
        (!allows && value.any_text(&mut matches)).into()
    }

    /// Whether the addresses are of a host: all for a rule that allows, else one.
    fn host(
        &self,
        image: &Image,
        fact: &PermissionFact,
        allows: bool,
        words: Option<&[&str]>,
    ) -> Truth {
        let hosts: Vec<Host> = match (words, self.call) {
            // Programs also take addresses without a scheme: of a command nothing is sure.
            (Some(_), _) if allows => return Truth::False,
            (Some(words), _) => {
                let found = words.iter().flat_map(|word| addresses_in(word));
                found.map(host_of).collect()
            }
            (None, Some(call)) => addresses_of(call).iter().map(|text| host_of(text)).collect(),
            (None, None) => return Truth::Unknown,
        };
        let is_it = |host: &Host| match host {
            Host::Named(name) => {
                let mut fold = String::new();
                // `*.example.com` is also about `example.com`.
                let is_it = image.matches(fact.pattern, name, &mut fold)
                    || image.matches(fact.pattern, &format!(".{name}"), &mut fold);
                Truth::from(is_it)
            }
            Host::None => Truth::False,
            Host::Unclear => Truth::Opaque,
        };
        if allows {
            let all = hosts.iter().map(is_it).fold(Truth::True, Truth::and);
            return if hosts.is_empty() { Truth::False } else { all };
        }
        hosts.iter().map(is_it).fold(Truth::False, Truth::or)
    }
}

impl Machine<'_> {
    /// Whether the call uses such files so, and for a rule that allows, no others so.
    fn uses_files(&mut self, fact: &PermissionFact, allows: bool) -> Option<Truth> {
        let paths = fact.files()?;
        let effects: &[Effect] = match fact.test()? {
            FactKind::Reads => &[Effect::Read],
            FactKind::Writes => &[Effect::Write, Effect::Delete],
            _ => Effect::ALL,
        };
        Some(match allows {
            true => self.only_files(effects, paths),
            false => self.some_file(effects, paths),
        })
    }
}

/// The facts that are about files, by row, and whether their rules allow.
fn file_facts(image: &Image) -> Vec<(u32, PermissionFact, bool)> {
    let view = image.view();
    if image.rows::<PermissionFact>(Section::PermissionFacts) == 0 {
        return Vec::new();
    }
    let rules = (0..image.rows::<PermissionRecord>(Section::Permissions))
        .map(|rule| view.row::<PermissionRecord>(Section::Permissions, rule));
    let rows = rules.flat_map(|rule| {
        let allows = rule.action == PermissionAction::Allow as u32;
        (rule.facts..rule.facts.saturating_add(rule.facts_len)).map(move |row| (row, allows))
    });
    rows.map(|(row, allows)| {
        (row, view.row::<PermissionFact>(Section::PermissionFacts, row), allows)
    })
    .filter(|(_, fact, _)| fact.files().is_some())
    .collect()
}
