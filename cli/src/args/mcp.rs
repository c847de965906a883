//! `behavior mcp`

use std::net::SocketAddr;

use clap::Args;

use super::common::RuleArgs;

/// `behavior mcp`
#[derive(Args, Debug)]
pub struct McpArgs {
    /// Which rules `preflight` and the resources go by.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Serve over HTTP on this address of this machine, such as `127.0.0.1:0`; the token is told on standard error
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<SocketAddr>,
    /// The file that holds the token for `--http`, in place of one that is made up
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<String>,
    /// The sessions of this agent; otherwise those of the agent that runs this
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
}
