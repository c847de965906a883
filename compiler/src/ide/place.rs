//! What the registry expects at a place: the way from the root of a file through keys and items.

use crate::ast::{
    Autonomy, BehaviorConfig, CounterConfig, FlagConfig, PolicyFile, PolicyRule, Profile,
    RuleDefinition, SetConfig, Verbosity,
};
use crate::conditions::{self, Composite, ConditionKind, RunsConfig};
use crate::decode::Decode;
use crate::registry::schema::{Field, NameKind, Record, Shape};
use crate::resolve::FileKind;
use crate::resolve::switches::THRESHOLDS;
use crate::rule_test::{RuleTest, TestFile};
use crate::syntax::{Kind, Node};
use crate::trace_policy::TracePolicy;
use crate::workflow::{AgentsFile, TemplateFile};

/// What is expected at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum CursorPlace {
    /// What a shape says.
    Shape(Shape),
    /// The mapping that switches built-in rules.
    Switches,
    /// The rules of a test: such a mapping, or a list of rules.
    OwnRules,
}

/// What a key means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A field of a record.
    Field(&'static Record, &'static Field),
    /// A condition.
    Condition(&'static ConditionKind),
    /// A composite of conditions.
    Composite(&'static Composite),
    /// The id of a built-in rule, a threshold or a setting.
    Switch,
    /// A name that is declared here.
    Declaration(NameKind),
    /// Any other name.
    Name,
}

impl CursorPlace {
    /// What the behaviour part of a file is.
    pub fn root(kind: FileKind) -> Self {
        match kind {
            FileKind::Profile => CursorPlace::Shape(Profile::SHAPE),
            FileKind::Policy => CursorPlace::Shape(PolicyFile::SHAPE),
            FileKind::TracePolicy => CursorPlace::Shape(TracePolicy::SHAPE),
            FileKind::RuleTests => CursorPlace::Shape(TestFile::SHAPE),
            FileKind::Workflow => CursorPlace::Shape(TemplateFile::SHAPE),
            FileKind::Agents => CursorPlace::Shape(AgentsFile::SHAPE),
            FileKind::Plan => CursorPlace::Shape(Shape::Any),
            FileKind::AppConfig | FileKind::BehaviorConfig => {
                CursorPlace::Shape(BehaviorConfig::SHAPE)
            }
        }
    }

    /// What a key means here, and what is expected behind it.
    pub fn key(self, key: &str) -> Option<(Meaning, CursorPlace)> {
        match self {
            CursorPlace::Switches | CursorPlace::OwnRules => {
                Some((Meaning::Switch, CursorPlace::Shape(switch_shape(key))))
            }
            CursorPlace::Shape(shape) => key_of(shape, key),
        }
    }

    /// What is expected of an item of a list here.
    pub fn item(self) -> Option<CursorPlace> {
        match self {
            CursorPlace::Switches => None,
            CursorPlace::OwnRules => Some(CursorPlace::Shape(RuleDefinition::SHAPE)),
            // A bare list of rules is a trace policy, too.
            CursorPlace::Shape(Shape::Record(record))
                if record.name == TracePolicy::RECORD.name =>
            {
                CursorPlace::Shape(record.field("rules")?.shape).item()
            }
            CursorPlace::Shape(shape) => item_of(shape).map(CursorPlace::Shape),
        }
    }
}

fn key_of(shape: Shape, key: &str) -> Option<(Meaning, CursorPlace)> {
    match shape {
        Shape::Record(record) => {
            let field = record.field(key)?;
            let place = match () {
                () if is_switches(record, field) => CursorPlace::Switches,
                () if is_layer(record) && field.name == "command_classes" => {
                    CursorPlace::Shape(CLASSES)
                }
                () if record.name == RunsConfig::RECORD.name && field.name == "any" => {
                    CursorPlace::Shape(commands())
                }
                () if is_paths(record, field) => CursorPlace::Shape(paths()),
                () if record.name == RuleTest::RECORD.name && field.name == "rules" => {
                    CursorPlace::OwnRules
                }
                () => CursorPlace::Shape(field.shape),
            };
            Some((Meaning::Field(record, field), place))
        }
        Shape::Condition => condition_key(key),
        Shape::Map(of) => Some((
            declared(*of).map_or(Meaning::Name, Meaning::Declaration),
            CursorPlace::Shape(*of),
        )),
        Shape::OneOrMany(of) => key_of(*of, key),
        // Whatever it holds, it may hold more of the same.
        Shape::Any => Some((Meaning::Name, CursorPlace::Shape(Shape::Any))),
        Shape::Either(shapes) => shapes.iter().find_map(|shape| key_of(*shape, key)),
        _ => None,
    }
}

fn condition_key(key: &str) -> Option<(Meaning, CursorPlace)> {
    if let Some(kind) = conditions::find(key) {
        return Some((Meaning::Condition(kind), CursorPlace::Shape(kind.argument)));
    }
    let composite = conditions::COMPOSITES.iter().find(|composite| composite.name == key)?;
    Some((Meaning::Composite(composite), CursorPlace::Shape(composite.argument)))
}

fn item_of(shape: Shape) -> Option<Shape> {
    match shape {
        Shape::List(of) | Shape::OneOrMany(of) => Some(*of),
        Shape::Either(shapes) => shapes.iter().find_map(|shape| item_of(*shape)),
        Shape::Any => Some(Shape::Any),
        _ => None,
    }
}

/// Whether a field is the one whose keys only the standard library knows.
fn is_switches(record: &Record, field: &Field) -> bool {
    is_layer(record) && field.name == "rules"
}

fn is_layer(record: &Record) -> bool {
    [BehaviorConfig::RECORD.name, Profile::RECORD.name].contains(&record.name)
}

/// Several commands, each as `runs` takes it.
fn commands() -> Shape {
    conditions::find("runs").map_or(Shape::Any, |runs| Shape::List(&runs.argument))
}

/// Whether a field of a policy's rule is about files.
fn is_paths(record: &Record, field: &Field) -> bool {
    record.name == PolicyRule::RECORD.name && matches!(field.name, "path" | "reads" | "writes")
}

/// What says which files a condition is about, and a rule of a policy.
fn paths() -> Shape {
    conditions::find("touches").map_or(Shape::Any, |touches| touches.argument)
}

/// The classes of commands, which are read as late as the conditions that name them.
const CLASSES: Shape = Shape::Map(&Shape::List(&RunsConfig::SHAPE));

/// What kind of name the keys of a mapping of such values declare.
fn declared(of: Shape) -> Option<NameKind> {
    let Shape::Record(record) = of else { return None };
    let kinds = [
        (SetConfig::RECORD.name, NameKind::Set),
        (CounterConfig::RECORD.name, NameKind::Counter),
        (FlagConfig::RECORD.name, NameKind::Flag),
    ];
    kinds.into_iter().find(|(name, _)| *name == record.name).map(|(_, kind)| kind)
}

/// What a key of `rules` may be set to.
pub(super) fn switch_shape(name: &str) -> Shape {
    match name {
        "verbosity" => Verbosity::SHAPE,
        "autonomy" => Autonomy::SHAPE,
        _ => match THRESHOLDS.iter().find(|threshold| threshold.name == name) {
            Some(threshold) if threshold.rule == name => {
                Shape::Either(&[Shape::Bool, Shape::Int(0, i64::MAX)])
            }
            Some(_) => Shape::Int(0, i64::MAX),
            None => Shape::Bool,
        },
    }
}

/// All shapes that a value may have, alternatives taken apart.
pub(super) fn alternatives(shape: Shape) -> Vec<Shape> {
    match shape {
        Shape::Either(shapes) => shapes.iter().flat_map(|shape| alternatives(*shape)).collect(),
        Shape::OneOrMany(of) => {
            let mut all = alternatives(*of);
            all.push(Shape::List(of));
            all
        }
        other => vec![other],
    }
}

/// Shows every value of a tree that is no collection, with the shape that is expected there.
pub(super) fn visit_scalars<'n>(
    node: &'n Node,
    place: CursorPlace,
    see: &mut impl FnMut(&'n Node, Shape),
) {
    // The parser bounds how deep trees are.
    match &node.kind {
        Kind::Map(entries) => {
            for entry in entries {
                if let Some((_, place)) = place.key(&entry.key.text) {
                    visit_scalars(&entry.value, place, see);
                }
            }
        }
        Kind::Seq(items) => {
            if let Some(place) = place.item() {
                items.iter().for_each(|item| visit_scalars(item, place, see));
            }
        }
        _ => {
            if let CursorPlace::Shape(shape) = place {
                see(node, shape);
            }
        }
    }
}
