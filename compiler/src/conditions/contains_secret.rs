//! `contains_secret`: there is a private key, a token or a password in the event.

use behavior_image::code::EventPart;
use behavior_runtime::decision::Phase;

use crate::decode::{Decode, ParamName, choice, record, wrong_type};
use crate::expression::{Hole, Syntax};
use crate::ir::{self, Test};
use crate::lower::Lowering;
use crate::registry::schema::{NameKind, Shape};
use crate::syntax::{Kind, Node};

choice! {
    /// Where a secret is looked for.
    SecretPlace {
        /// In all parameters of the call.
        Params = "params",
        /// In the result of the call.
        Result = "result",
        /// In the agent's text.
        Text = "text",
        /// In everything that the event has.
        Anywhere = "anywhere",
    }
}

record! {
    /// One parameter in which a secret is looked for.
    SecretParam, "a `contains_secret` condition" {
        /// The parameter.
        #[required(true)]
        param: ParamName,
    }
}

/// What a `contains_secret` condition is given.
pub(super) const ARGUMENT: Shape =
    Shape::Either(&[Shape::Bool, SecretPlace::SHAPE, SecretParam::SHAPE]);

/// What its forms may name.
pub(super) const HOLES: &[Hole] = &[
    Hole::value("place", Syntax::Words(&["params", "result", "text"])),
    Hole::field("param", None, Syntax::Name(NameKind::Param)),
];

/// Reads where a secret is looked for, and reports a place that the phase does not have.
pub(super) fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<Test> {
    let place = match &node.kind {
        Kind::Bool(false) => return Some(Test::Constant(false)),
        Kind::Bool(true) => EventPart::Anywhere,
        Kind::String(_) => match SecretPlace::decode(node, lowering.reports)? {
            SecretPlace::Params => EventPart::Params,
            SecretPlace::Result => EventPart::Result,
            SecretPlace::Text => EventPart::Text,
            SecretPlace::Anywhere => EventPart::Anywhere,
        },
        Kind::Map(_) => {
            let param = SecretParam::decode(node, lowering.reports)?.param?;
            if lowering.phase == Phase::OnText {
                lowering.never_holds(node.span, "are no parameters");
            }
            let (place, param) = (EventPart::Param, Some(param.text().into()));
            return Some(Test::ContainsSecret(ir::SecretPlace { place, param }));
        }
        _ => {
            wrong_type(node, ARGUMENT, lowering.reports);
            return None;
        }
    };
    let lacks = match (place, lowering.phase) {
        (EventPart::Params, Phase::OnText) => Some("are no parameters"),
        (EventPart::Result, Phase::PreTool | Phase::OnText) => Some("is no result"),
        (EventPart::Text, Phase::PreTool | Phase::PostTool) => Some("is no text"),
        _ => None,
    };
    if let Some(lacks) = lacks {
        lowering.never_holds(node.span, lacks);
    }
    Some(Test::ContainsSecret(ir::SecretPlace { place, param: None }))
}
