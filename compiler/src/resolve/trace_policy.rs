//! From trace policies to monitors: the parameters of each kind are read here, and what can never be
//! evaluated is refused here rather than passed over on every trace.

use behavior_facts::tools;
use behavior_image::code::{Operator, Scope};
use behavior_image::trace_rule::Parameters;
use behavior_runtime::decision::Action;
use behavior_runtime::exchange::{Root, STOP_REASONS, stop_reason};

use super::Resolver;
use crate::decode::{Decode, Reports, Spanned, ToolName, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::ir::{Assertion, Monitor, PairTest, Rule};
use crate::misspelt;
use crate::nearest::closest;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::schema;
use crate::source::Span;
use crate::syntax::{Kind, Node};
use crate::trace_policy::{
    CallDeadline, CallOrder, Followup, Grounded, JsonSchema, Limit, Obligation, ObligationKind,
    OneCall, OnePath, OneText, OneTool, PairCondition, PairOperator, StopReasons, TokenLimit,
    TracePolicyFile, TraceRule, TraceScope, TraceSeverity, json_of,
};

/// The version of the form that is understood.
const API_VERSION: &str = "shadow.dev/v1alpha1";

impl Resolver<'_> {
    /// The monitors of trace policies, in the order of the files and in them.
    pub(super) fn monitors(&mut self, files: &[(TracePolicyFile, String)]) -> Vec<Monitor> {
        let mut monitors: Vec<Monitor> = Vec::new();
        for (file, name) in files {
            self.check_version(file);
            let rules = file.0.rules.iter().flatten();
            for (index, rule) in rules.enumerate() {
                let Some(monitor) = self.monitor(index, rule, name) else { continue };
                let first = monitors.iter().find(|known| known.id == monitor.id);
                if let Some(first) = first.map(|first| first.span) {
                    let message = format!("there is another rule called `{}`", monitor.id);
                    let span = rule.value.id.as_ref().map_or(rule.span, |id| id.span);
                    self.report(
                        Diagnostic::new(&d::DUPLICATE_RULE, span, message)
                            .label(first, "the first rule of this name")
                            .help("give one of them another id, or delete it"),
                    );
                    continue;
                }
                monitors.push(monitor);
            }
        }
        monitors
    }

    /// Reports a file that was written for another version of the form.
    fn check_version(&mut self, file: &TracePolicyFile) {
        let Some(version) = &file.0.api_version else { return };
        if &*version.value != API_VERSION {
            let message = format!("the version `{}` of trace policies is not known", version.value);
            let help = format!(
                "its rules are read as those of `{API_VERSION}`: look at what they mean, then write that, or delete the line"
            );
            self.report(Diagnostic::new(&d::UNKNOWN_VERSION, version.span, message).help(help));
        }
    }

    /// Findings name their rule, so no rule of a trace policy has the id of another rule.
    pub(super) fn distinct(&mut self, rules: &[Rule], monitors: &[Monitor]) {
        for monitor in monitors {
            let Some(rule) = rules.iter().find(|rule| rule.id == monitor.id) else { continue };
            let message = format!("there is another rule called `{}`", monitor.id);
            self.report(
                Diagnostic::new(&d::DUPLICATE_RULE, monitor.span, message)
                    .label(rule.span, "the other rule of this name")
                    .help("give one of them another id"),
            );
        }
    }

    /// A rule; `None` when something about it is wrong, which was reported.
    fn monitor(
        &mut self,
        index: usize,
        Spanned { value: rule, span }: &Spanned<TraceRule>,
        file: &str,
    ) -> Option<Monitor> {
        let when: Option<Vec<_>> = rule
            .when
            .iter()
            .flat_map(|when| &when.0)
            .map(|test| self.pair_test(test))
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        if let Some(id) = rule.id.as_ref().filter(|id| id.value.trim().is_empty()) {
            let message = "the id of a rule is empty";
            self.report(
                Diagnostic::new(&d::EMPTY_NAME, id.span, message)
                    .help("name the rule, such as `no-deploys`, or leave `id` out"),
            );
        }
        let kind = rule.kind?;
        let assertion = self.assertion(
            kind.parameters(),
            rule.params.as_ref().map(|params| &params.0),
            *span,
            file,
        );
        let id =
            rule.id.as_ref().map_or_else(|| format!("rule-{index}").into(), |id| id.value.clone());
        Some(Monitor {
            id,
            description: rule
                .description
                .as_ref()
                .map(|text| text.value.clone())
                .unwrap_or_default(),
            span: *span,
            kind,
            action: match rule.severity.unwrap_or(TraceSeverity::Error) {
                TraceSeverity::Error => Action::Block,
                TraceSeverity::Warning => Action::Warn,
                TraceSeverity::Info => Action::Remind,
            },
            scope: match (rule.scope.unwrap_or(TraceScope::Trace), &assertion) {
                // Turns are those of one session, whatever else the trace holds.
                (_, Some(Assertion::ToolEachTurn(_))) | (TraceScope::Session, _) => Scope::Session,
                (TraceScope::Trace, _) => Scope::Trace,
            },
            when: when?,
            assertion: assertion?,
        })
    }

    /// The parameters of a rule as a record; missing ones are reported at the rule, unless some stand beside `params`.
    fn parameters<T: Decode>(&mut self, params: Option<&Node>, span: Span) -> Option<T> {
        if params.is_none() && self.reports.has_key_for(&["params"], span) {
            return None;
        }
        let empty = Node { span, kind: Kind::Map(Vec::new()) };
        let node = params.filter(|node| node.kind != Kind::Null).unwrap_or(&empty);
        T::decode(node, self.reports)
    }

    fn assertion(
        &mut self,
        parameters: Parameters,
        params: Option<&Node>,
        span: Span,
        file: &str,
    ) -> Option<Assertion> {
        match parameters {
            Parameters::CallOrder => {
                let order: CallOrder = self.parameters(params, span)?;
                let then = self.either("then", order.then, "second", order.second, params, span);
                let first = self.tool(&order.first?);
                Some(Assertion::Order(first?, self.tool(&then?)?))
            }
            Parameters::OneCall => {
                let one: OneCall = self.parameters(params, span)?;
                let tool = self.tool(&one.tool?)?;
                Some(match one.before {
                    Some(CallDeadline::EndOfTurn) => Assertion::ToolEachTurn(tool),
                    None => Assertion::Tool(tool),
                })
            }
            Parameters::TokenLimit => {
                let limit: TokenLimit = self.parameters(params, span)?;
                let weight = limit.cached.map_or(Some(1000), |cached| self.weight(&cached));
                let limit = self.either("limit", limit.limit, "n", limit.n, params, span)?;
                Some(Assertion::Tokens(u64::try_from(limit.0).ok()?, weight?))
            }
            Parameters::OneTool => {
                let one: OneTool = self.parameters(params, span)?;
                self.tool(&one.tool?).map(Assertion::Tool)
            }
            Parameters::Limit => {
                let limit: Limit = self.parameters(params, span)?;
                let limit = self.either("limit", limit.limit, "n", limit.n, params, span)?;
                u64::try_from(limit.0).ok().map(Assertion::Limit)
            }
            Parameters::StopReasons => {
                let reasons: StopReasons = self.parameters(params, span)?;
                let allowed = reasons.allowed?.0;
                if allowed.is_empty() {
                    let at = params.and_then(|params| params.get("allowed"));
                    let message = "no reason is allowed, so every response would violate the rule";
                    self.never(
                        at.map_or(span, |node| node.span),
                        message,
                        "name at least one, such as `end_turn`",
                    );
                    return None;
                }
                for reason in &allowed {
                    self.look_for_reason(&reason.value, reason.span);
                }
                Some(Assertion::StopReasons(allowed.into_iter().map(|one| one.value).collect()))
            }
            Parameters::OneText => {
                let one: OneText = self.parameters(params, span)?;
                self.needle(&one.text?).map(Assertion::Text)
            }
            Parameters::JsonSchema => {
                let schema: JsonSchema = self.parameters(params, span)?;
                self.json_schema(schema, params, span, file).map(Assertion::Schema)
            }
            Parameters::OnePath => {
                let one: OnePath = self.parameters(params, span)?;
                self.pair_path(&one.path?).map(Assertion::Path)
            }
            Parameters::Followup => {
                let followup: Followup = self.parameters(params, span)?;
                self.followup(followup)
            }
            Parameters::Grounded => {
                let grounded: Grounded = self.parameters(params, span)?;
                let path = self.pair_path(&grounded.retrieval_path?);
                let share = grounded.min_unigram_precision;
                let out_of_range =
                    share.as_ref().filter(|share| !(0.0..=1.0).contains(&share.value));
                if let Some(share) = out_of_range {
                    let message = format!("expected a share from 0 to 1, found `{}`", share.value);
                    self.report(Diagnostic::new(&d::OUT_OF_RANGE, share.span, message));
                    return None;
                }
                Some(Assertion::Grounded(path?, share.map_or(0.5, |share| share.value)))
            }
        }
    }

    /// The thousandths that a cached token counts.
    fn weight(&mut self, cached: &Node) -> Option<u32> {
        let share = match &cached.kind {
            Kind::String(text) if &**text == "count" => return Some(1000),
            Kind::String(text) if &**text == "ignore" => return Some(0),
            Kind::Int(number) => *number as f64,
            Kind::Float(number) => *number,
            _ => f64::NAN,
        };
        if (0.0..=1.0).contains(&share) {
            return Some((share * 1000.0).round() as u32);
        }
        let message = "expected `count`, `ignore` or a number from 0 to 1";
        self.report(
            Diagnostic::new(&d::UNKNOWN_VALUE, cached.span, message)
                .help("`cached: 0.1` counts a tenth of the input that was read from a cache"),
        );
        None
    }

    /// One parameter under either of two names.
    fn either<T>(
        &mut self,
        name: &str,
        value: Option<T>,
        other: &str,
        other_value: Option<T>,
        params: Option<&Node>,
        span: Span,
    ) -> Option<T> {
        let entry = |name: &str| params.and_then(|params| params.entry(name));
        match (entry(name), entry(other)) {
            (Some(first), Some(second)) => {
                let message = format!("`{name}` and `{other}` are two names of one parameter");
                self.report(
                    Diagnostic::new(&d::CONFLICTING_FIELDS, second.key.span, message)
                        .label(first.key.span, "the other one")
                        .help(format!("delete `{other}`")),
                );
                None
            }
            (None, None) => {
                let at = params.map_or(span, |params| params.span);
                if self.reports.has_key_for(&[name], at) {
                    return None;
                }
                let message = format!("missing field `{name}` in the parameters of this rule");
                self.report(
                    Diagnostic::new(&d::MISSING_FIELD, at, message).help(format!("add `{name}`")),
                );
                None
            }
            // What is written and of the wrong type was reported.
            _ => value.or(other_value),
        }
    }

    /// Reports a parameter that can never be evaluated.
    fn never(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::new(&d::INVALID_PARAMETER, span, message).help(help));
    }

    fn tool(&mut self, name: &ToolName) -> Option<Box<str>> {
        if name.text().trim().is_empty() {
            self.never(
                name.span(),
                "the name of the tool is empty",
                "name a tool, such as `deploy`",
            );
            return None;
        }
        let mut normal = String::new();
        tools::normalise(name.text(), &mut normal);
        let found = misspelt::tool(&normal, name.span(), self.sources);
        self.reports.diagnostics.extend(found);
        Some(name.text().into())
    }

    fn needle(&mut self, text: &Spanned<Box<str>>) -> Option<Box<str>> {
        if text.value.is_empty() {
            self.never(
                text.span,
                "the text is empty, and every response contains that",
                "write the text to look for",
            );
            return None;
        }
        Some(text.value.clone())
    }

    fn pair_path(&mut self, path: &Spanned<Box<str>>) -> Option<Box<str>> {
        let text = &*path.value;
        let has_gap = text.split('.').any(|part| part.trim().is_empty());
        let problem = match Root::of(text) {
            _ if has_gap => Some((
                format!("`{text}` is no path"),
                "separate the parts with one dot each, such as `request.params.amount`".to_owned(),
            )),
            None => {
                let first = text.split('.').next().unwrap_or(text);
                let names = Root::ALL.iter().map(|(name, _)| *name);
                let help = match closest(first, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if first == "$" => "leave out `$.`".to_owned(),
                    None => "a path begins with `request`, `response`, `model` or `stop_reason`"
                        .to_owned(),
                };
                Some((format!("nothing is called `{first}` at the beginning of a path"), help))
            }
            Some((Root::Request | Root::Response, "")) => Some((
                format!("`{text}` is the whole {text}, which has no value of its own"),
                format!(
                    "name a field of it, such as `{text}.{}`",
                    if text == "request" { "model" } else { "stop_reason" }
                ),
            )),
            Some((Root::Model | Root::StopReason, rest)) if !rest.is_empty() => Some((
                format!("`{text}` leads to nothing: the value before the dot is a text"),
                "leave out the dot and what follows".to_owned(),
            )),
            Some(_) => None,
        };
        match problem {
            Some((message, help)) => {
                self.never(path.span, message, help);
                None
            }
            None => {
                self.look_for_slips(path);
                Some(text.into())
            }
        }
    }

    /// Warns of a field that is near to one that requests or responses have.
    fn look_for_slips(&mut self, path: &Spanned<Box<str>>) {
        let known: &[&str] = match Root::of(&path.value) {
            Some((Root::Request, _)) => &["model", "messages", "params", "tools", "metadata"],
            Some((Root::Response, _)) => {
                &["model", "content", "stop_reason", "usage", "latency_ms"]
            }
            _ => return,
        };
        if let Some(dotted) = without_brackets(&path.value) {
            let message = format!("`{}` has brackets, which are part of a name here", path.value);
            self.report(
                Diagnostic::new(&d::UNLIKELY_PATH, path.span, message)
                    .help(format!("items of a list are counted with dots: `{dotted}`")),
            );
            return;
        }
        let Some(field) = path.value.split('.').nth(1) else { return };
        if known.contains(&field) {
            return;
        }
        if let Some(near) = closest(field, known.iter().copied()) {
            let message = format!("`{field}` is no usual field of requests and responses");
            self.report(
                Diagnostic::new(&d::UNLIKELY_PATH, path.span, message)
                    .help(format!("did you mean `{near}`?")),
            );
        }
    }

    /// Warns of a reason that no reader gives; only formats that are read as they are have others.
    fn look_for_reason(&mut self, reason: &str, span: Span) {
        if STOP_REASONS.contains(&reason) {
            return;
        }
        let other_name = stop_reason(reason, false).filter(|name| STOP_REASONS.contains(name));
        let near = other_name.or_else(|| closest(reason, STOP_REASONS.iter().copied()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the reasons are `{}`", STOP_REASONS.join("`, `")),
        };
        let message = format!("`{reason}` is no reason that responses are known to end for");
        self.report(Diagnostic::new(&d::UNKNOWN_STOP_REASON, span, message).help(help));
    }

    /// A test of a pair.
    fn pair_test(&mut self, test: &PairCondition) -> Option<PairTest> {
        let path = test.path.as_ref().and_then(|path| self.pair_path(path));
        let operator = operator(test.op.as_ref()?.value);
        let value = test.value.as_ref()?;
        let (needs_number, needs_list) = match operator {
            Operator::Greater
            | Operator::GreaterOrEqual
            | Operator::Less
            | Operator::LessOrEqual => (true, false),
            Operator::In | Operator::NotIn => (false, true),
            _ => (false, false),
        };
        let is_number = matches!(value.kind, Kind::Int(_) | Kind::Float(_));
        if needs_number && !is_number {
            wrong_type(value, Shape::Number, self.reports);
            return None;
        }
        if needs_list && value.items().is_none() {
            wrong_type(value, Shape::List(&Shape::Any), self.reports);
            return None;
        }
        let is_about_end = path
            .as_deref()
            .is_some_and(|path| matches!(path, "stop_reason" | "response.stop_reason"));
        let is_whole = matches!(
            operator,
            Operator::Equal | Operator::NotEqual | Operator::In | Operator::NotIn
        );
        if is_about_end && is_whole {
            for reason in value.items().unwrap_or(std::slice::from_ref(value)) {
                if let Kind::String(text) = &reason.kind {
                    self.look_for_reason(text, reason.span);
                }
            }
        }
        Some(PairTest { path: path?, operator, value: json_of(value).to_string().into() })
    }

    fn followup(&mut self, followup: Followup) -> Option<Assertion> {
        let tests: Vec<_> = followup
            .trigger
            .iter()
            .flat_map(|tests| &tests.0)
            .map(|test| self.pair_test(test))
            .collect();
        let Spanned { value: must, span } = followup.must?;
        let within = followup.within.map_or(1, |within| within.0 as u32);
        let must = self.obligation(must, span);
        let tests: Vec<PairTest> = tests.into_iter().collect::<Option<_>>()?;
        Some(match must? {
            (ObligationKind::ToolCall, tool) => Assertion::CallFollows(tests, tool, within),
            (ObligationKind::TextIncludes, text) => Assertion::TextFollows(tests, text, within),
        })
    }

    /// What a response must have: its kind, and the tool or the text.
    fn obligation(&mut self, must: Obligation, span: Span) -> Option<(ObligationKind, Box<str>)> {
        let kind = must.kind?;
        let missing = |what: &str, reports: &mut Reports| {
            if reports.has_key_for(&[what], span) {
                return;
            }
            let message = format!("missing field `{what}` in an obligation of this kind");
            let diagnostic = Diagnostic::new(&d::MISSING_FIELD, span, message);
            reports.push(diagnostic.help(format!("add `{what}`")));
        };
        match (kind, must.tool_name.or(must.tool), must.text) {
            (ObligationKind::ToolCall, Some(tool), None) => Some((kind, self.tool(&tool)?)),
            (ObligationKind::TextIncludes, None, Some(text)) => Some((kind, self.needle(&text)?)),
            (ObligationKind::ToolCall, None, None) => {
                missing("tool_name", self.reports);
                None
            }
            (ObligationKind::TextIncludes, None, None) => {
                missing("text", self.reports);
                None
            }
            (ObligationKind::ToolCall, _, Some(text)) => {
                let message = "`text` is a field of `text_includes`, and this is a `tool_call`";
                self.report(
                    Diagnostic::new(&d::CONFLICTING_FIELDS, text.span, message).help("delete it"),
                );
                None
            }
            (ObligationKind::TextIncludes, Some(tool), _) => {
                let message = "a tool is a field of `tool_call`, and this is a `text_includes`";
                self.report(
                    Diagnostic::new(&d::CONFLICTING_FIELDS, tool.span(), message).help("delete it"),
                );
                None
            }
        }
    }

    fn json_schema(
        &mut self,
        params: JsonSchema,
        node: Option<&Node>,
        span: Span,
        file: &str,
    ) -> Option<Box<str>> {
        let (text, at) = match (params.schema, params.schema_path) {
            (Some(schema), None) => (json_of(&schema).to_string(), schema.span),
            (None, Some(path)) => (self.schema_file(&path, file)?, path.span),
            (Some(schema), Some(path)) => {
                let message = "a rule has `schema` or `schema_path`, not both";
                self.report(
                    Diagnostic::new(&d::CONFLICTING_FIELDS, path.span, message)
                        .label(schema.span, "the other schema")
                        .help("delete one of them"),
                );
                return None;
            }
            (None, None) => {
                let has = |name: &str| {
                    node.is_some_and(|node| {
                        node.entry(name).is_some_and(|e| e.value.kind != Kind::Null)
                    })
                };
                let at = node.map_or(span, |node| node.span);
                let is_misspelt = self.reports.has_key_for(&["schema", "schema_path"], at);
                if !has("schema") && !has("schema_path") && !is_misspelt {
                    let message = "this rule has no schema";
                    self.report(Diagnostic::new(&d::MISSING_FIELD, at, message).help(
                        "add `schema` with a JSON Schema, or `schema_path` with the name of a file",
                    ));
                }
                return None;
            }
        };
        match schema::Schema::new(&text) {
            Ok(_) => Some(text.into()),
            Err(fault) => {
                self.report(Diagnostic::new(&d::INVALID_SCHEMA, at, fault.reason).help(fault.help));
                None
            }
        }
    }

    /// The text of a schema in a file of its own, as one line of JSON.
    fn schema_file(&mut self, path: &Spanned<Box<str>>, from: &str) -> Option<String> {
        let name = beside(from, &path.value);
        let file = self.text(&name, Some(path.span))?;
        let source = self.sources.get(file).cloned()?;
        match serde_json::from_str::<serde_json::Value>(&source.text) {
            Ok(value) => Some(value.to_string()),
            Err(error) => {
                let message = format!("`{name}` is not valid JSON: {error}");
                self.report(
                    Diagnostic::new(&d::INVALID_SCHEMA, path.span, message)
                        .help("a schema file holds one JSON Schema as JSON"),
                );
                None
            }
        }
    }
}

fn operator(operator: PairOperator) -> Operator {
    match operator {
        PairOperator::Equal => Operator::Equal,
        PairOperator::NotEqual => Operator::NotEqual,
        PairOperator::Greater => Operator::Greater,
        PairOperator::GreaterOrEqual => Operator::GreaterOrEqual,
        PairOperator::Less => Operator::Less,
        PairOperator::LessOrEqual => Operator::LessOrEqual,
        PairOperator::In => Operator::In,
        PairOperator::NotIn => Operator::NotIn,
        PairOperator::Contains => Operator::Contains,
        PairOperator::NotContains => Operator::NotContains,
    }
}

/// A path that counts items in brackets, as it is written with dots.
fn without_brackets(path: &str) -> Option<String> {
    let mut dotted = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        let (item, behind) = after.split_once(']')?;
        dotted.push_str(before);
        dotted.push('.');
        dotted.push_str(item.trim_matches(['"', '\'']));
        rest = behind;
    }
    dotted.push_str(rest);
    (dotted != path).then_some(dotted)
}

/// A file named in another, as seen from where that one is.
fn beside(file: &str, name: &str) -> String {
    match file.rsplit_once('/') {
        Some((directory, _)) if !name.starts_with('/') => format!("{directory}/{name}"),
        _ => name.to_owned(),
    }
}
