//! What a step gives its tool, by the names of the tool's parameters: from `args`, an object of options at their end,
//! and `kwargs`.

use serde_json::{Map, Value};

use super::tools::PlanTool;

/// What a step gives its tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    /// The values, by the names of parameters. What fits none has the name that it was given.
    pub params: Map<String, Value>,
    /// Why the tool cannot take them, for people.
    pub problem: Option<String>,
}

/// The name under which values stand that no parameter takes.
const SURPLUS: &str = "args";

pub(super) fn bind(
    tool: Option<&PlanTool>,
    args: &[Value],
    kwargs: &Map<String, Value>,
) -> Arguments {
    let mut bound = Arguments::default();
    let Some(tool) = tool else {
        if !args.is_empty() {
            bound.params.insert(SURPLUS.to_owned(), Value::from(args.to_vec()));
        }
        bound.params.extend(kwargs.clone());
        return bound;
    };
    let (args, options) = split(tool, args);
    bound.by_place(tool, args);
    for (name, value) in options.into_iter().flatten() {
        let known = tool.parameter(name);
        match known {
            Some(parameter) if parameter.in_options => bound.add(tool, name, value),
            Some(parameter) => {
                let name = parameter.name;
                bound.complain(format!("`{name}` counts only in `kwargs`"));
            }
            None => bound.add(tool, name, value),
        }
    }
    for (name, value) in kwargs {
        bound.add(tool, name, value);
    }
    let is_missing = |name: &str| bound.params.get(name).is_none_or(Value::is_null);
    let missing = tool.parameters.iter().find(|one| one.required && is_missing(one.name));
    if let Some(missing) = missing {
        bound.complain(format!("`{}` needs `{}`", tool.name, missing.name));
    }
    bound
}

/// The values by place, and the options behind them.
fn split<'a>(tool: &PlanTool, args: &'a [Value]) -> (&'a [Value], Option<&'a Map<String, Value>>) {
    match args.split_last() {
        // Of a list of objects the last is no options.
        Some((Value::Object(options), rest)) if !is_entry(tool, options) => (rest, Some(options)),
        _ => (args, None),
    }
}

/// Whether an object is what the tool works on.
fn is_entry(tool: &PlanTool, object: &Map<String, Value>) -> bool {
    tool.name == "todo_write" && object.contains_key("content")
}

impl Arguments {
    fn by_place(&mut self, tool: &PlanTool, args: &[Value]) {
        if tool.name == "todo_write" && !args.is_empty() && args.iter().all(Value::is_object) {
            // To-dos one by one.
            self.params.insert("todos".to_owned(), Value::from(args.to_vec()));
            return;
        }
        let mut places = tool.parameters.iter().filter(|one| one.by_place);
        for (at, value) in args.iter().enumerate() {
            match places.next() {
                Some(parameter) => {
                    self.params.insert(parameter.name.to_owned(), value.clone());
                }
                None => {
                    let surplus = args.get(at..).unwrap_or_default().to_vec();
                    self.params.insert(SURPLUS.to_owned(), Value::from(surplus));
                    self.complain(format!("`{}` takes at most {at} values in `args`", tool.name));
                    return;
                }
            }
        }
    }

    fn add(&mut self, tool: &PlanTool, name: &str, value: &Value) {
        let Some(parameter) = tool.parameter(name) else {
            self.complain(format!("`{}` takes no `{name}`", tool.name));
            self.params.insert(name.to_owned(), value.clone());
            return;
        };
        if value.is_null() {
            return;
        }
        let before = self.params.insert(parameter.name.to_owned(), value.clone());
        if before.is_some_and(|before| before != *value) {
            self.complain(format!("`{}` is given twice", parameter.name));
        }
    }

    fn complain(&mut self, problem: String) {
        self.problem.get_or_insert(problem);
    }
}
