//! What a workflow template and a file of agents may hold.

use crate::decode::{
    Decode, Int, Named, ProfileName, Reports, Spanned, choice, record, unknown_choice, wrong_type,
};
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// The most of anything that is counted, so that it fits into a few bytes.
const MAX_COUNT: i64 = 4_000_000_000;

record! {
    /// A workflow: steps that agents take one after the other, and where they go back, call another agent or pause.
    ///
    /// It is a file in `templates/workflows`, as JSON or YAML.
    TemplateFile, "a workflow template" {
        /// The name, by which it is started.
        #[required(true)]
        name: Spanned<Box<str>>,
        /// What it is for, in a sentence.
        #[default("\"\"")]
        description: Spanned<Box<str>>,
        /// The steps, in their order.
        #[required(true)]
        steps: Vec<Spanned<StepConfig>>,
        /// The agents that the workflow's own agents may hand work to.
        #[default("[]")]
        sub_agent_ids as "subAgentIds": Vec<Spanned<Box<str>>>,
    }

    /// A step of a workflow.
    StepConfig, "a step" {
        /// What it is: an agent's work, work whose end is looked at for a behaviour, or a heading.
        #[required(true)]
        kind as "type": Spanned<StepType>,
        /// The agent that takes it, as `behavior/agents.yaml` declares it.
        agent_id as "agentId": Spanned<Box<str>>,
        /// How the agent is called for people.
        agent_name as "agentName": Spanned<Box<str>>,
        /// How the step is called for people. A heading needs it.
        label: Spanned<Box<str>>,
        /// The engine that the agent's command is told to use.
        engine: Spanned<Box<str>>,
        /// The model that the agent's command is told to use.
        model: Spanned<Box<str>>,
        /// How hard the model is to think.
        model_reasoning_effort as "modelReasoningEffort": Spanned<Box<str>>,
        /// Whether later passes of a loop step over it.
        #[default("false")]
        execute_once as "executeOnce": bool,
        /// Whether the run pauses behind it until you let it go on, whatever its agent asks for.
        #[default("false")]
        checkpoint: bool,
        /// What the agent is told: a text, or `{{prompt.NAME}}` for a file in `prompts`.
        ///
        /// `{input}` stands for what the workflow was started with, `{previous}` for what the step before said,
        /// `{reason}` for why it is repeated or inserted, `{step}` for the step's label, and `{iteration}` for how
        /// often the loop around it went back.
        #[default("\"\"")]
        prompt: Spanned<Box<str>>,
        /// What its end is looked at for, of a step of type `module`.
        module: Spanned<ModuleConfig>,
    }

    /// What the end of a step is looked at for: going back, or calling another agent.
    ModuleConfig, "a module" {
        /// The behaviour.
        #[required(true)]
        kind as "type": Spanned<ModuleType>,
        /// What the behaviour does.
        #[required(true)]
        action: Spanned<ModuleAction>,
        /// Of a loop, how many entries of `steps` it goes back, headings included.
        steps: Spanned<Int<0, MAX_COUNT>>,
        /// Of a loop, how often it may go back. Without it, any number of times.
        max_iterations as "maxIterations": Spanned<Int<0, MAX_COUNT>>,
        /// Of a loop, the agents whose steps are stepped over on the way.
        #[default("[]")]
        skip: Vec<Spanned<Box<str>>>,
        /// Of a trigger, the agent that runs where the control file names none.
        trigger_agent_id as "triggerAgentId": Spanned<Box<str>>,
    }

    /// The agents that take the steps of workflows. It is the file `behavior/agents.yaml`.
    AgentsFile, "a file of agents" {
        /// The agents, by the id that steps name.
        #[required(true)]
        agents: Named<Spanned<AgentConfig>>,
    }

    /// An agent that takes steps of workflows.
    AgentConfig, "an agent" {
        /// What runs it: a command as a list of its words, or the name of an agent whose command line is known.
        #[required(true)]
        run: RunConfig,
        /// What the agent is told before the step's own prompt: a text, or `{{prompt.NAME}}`.
        #[default("\"\"")]
        prompt: Spanned<Box<str>>,
        /// A profile that the agent's hook enforces besides the rules that hold anyway. It can only make them stricter.
        profile: ProfileName,
        /// Environment variables for the command; `{{secret.NAME}}` stands for the value of another one.
        #[default("{}")]
        env: Named<Spanned<Box<str>>>,
        /// The folder that the command runs in, from the project's root.
        #[default("\".\"")]
        cwd: Spanned<Box<str>>,
        /// How many seconds a step may take. Any number if left out.
        timeout: Spanned<f64>,
    }
}

choice! {
    /// What a step is.
    StepType {
        /// An agent runs.
        Step = "step",
        /// An agent runs, and its end is looked at for a behaviour.
        Module = "module",
        /// A heading, which runs nothing.
        Ui = "ui",
    }

    /// What the end of a step is looked at for.
    ModuleType {
        /// Going back over steps before it.
        Loop = "loop",
        /// Running another agent right behind it.
        Trigger = "trigger",
    }

    /// What a behaviour does.
    ModuleAction {
        /// Of a loop: it goes back.
        StepBack = "stepBack",
        /// Of a trigger: it calls an agent.
        MainAgentCall = "mainAgentCall",
    }

    /// An agent whose command line is known.
    NamedAgent {
        /// `claude -p`
        ClaudeCode = "claude-code",
        /// `codex exec`
        Codex = "codex",
        /// `gemini -p`
        GeminiCli = "gemini-cli",
        /// `opencode run`
        OpenCode = "opencode",
        /// `pi -p`
        Pi = "pi",
    }
}

/// What runs an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum RunConfig {
    /// A command: the program and its arguments, with where each stands.
    Command(Vec<(Box<str>, Span)>, Span),
    /// An agent whose command line is known.
    Named(NamedAgent),
}

impl Decode for RunConfig {
    const SHAPE: Shape =
        Shape::Either(&[Shape::List(&Shape::Text), Shape::Choice(NamedAgent::CHOICES)]);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        match &node.kind {
            Kind::Seq(items) => {
                let words = items.iter().filter_map(|item| {
                    Box::<str>::decode(item, reports).map(|word| (word, item.span))
                });
                let words: Vec<_> = words.collect();
                (words.len() == items.len()).then_some(Self::Command(words, node.span))
            }
            Kind::String(text) if text.trim().contains(char::is_whitespace) => {
                wrong_type(node, Self::SHAPE, reports);
                if let Some(report) = reports.diagnostics.last_mut() {
                    report.help =
                        Some("a command is a list of its words, such as `[make, test]`".to_owned());
                }
                None
            }
            Kind::String(text) if !NamedAgent::NAMES.contains(&text.value()) => {
                unknown_choice(node, text.value(), NamedAgent::CHOICES, reports);
                if let Some(report) = reports.diagnostics.last_mut() {
                    report.help.get_or_insert_with(|| {
                        format!("a program of that name is `run: [{}]`", text.value())
                    });
                }
                None
            }
            Kind::String(_) => NamedAgent::decode(node, reports).map(Self::Named),
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                None
            }
        }
    }
}
