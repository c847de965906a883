//! Recordings of formats that belong to no agent: lists of messages as model interfaces take them,
//! spans of OpenTelemetry, and the logs of programs that run and rate agents.

pub(crate) mod agentlog;
pub(crate) mod inspect;
pub(crate) mod messages;
pub(crate) mod openhands;
pub(crate) mod otel;
pub(crate) mod swe_agent;
