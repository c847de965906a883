//! The toolbox as the protocol wants it.

use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::Toolbox;

/// Answers clients, one request after the other in the order in which they came.
#[derive(Clone)]
pub struct Server {
    toolbox: Arc<dyn Toolbox>,
    turn: Arc<Mutex<()>>,
}

impl Server {
    pub fn new(toolbox: Arc<dyn Toolbox>) -> Self {
        Self { toolbox, turn: Arc::default() }
    }

    /// Runs what may take a while where it keeps nobody else waiting.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Toolbox) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let _turn = self.turn.lock().await;
        let toolbox = Arc::clone(&self.toolbox);
        let done = tokio::task::spawn_blocking(move || work(&*toolbox)).await;
        done.map_err(|_| ErrorData::internal_error("this is a bug in `behavior`: report it", None))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("behavior", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.toolbox.instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.toolbox.tools().into_iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        let arguments = request.arguments.unwrap_or_default();
        let called = name.clone();
        let answer = self.run(move |toolbox| toolbox.call(&called, &arguments)).await?;
        let Some(answer) = answer else {
            let shown: String = name.chars().take(60).collect();
            return Err(ErrorData::invalid_params(format!("there is no tool `{shown}`"), None));
        };
        let result = match answer.is_error {
            true => CallToolResult::structured_error(answer.result),
            false => CallToolResult::structured(answer.result),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = self.toolbox.resources().into_iter().map(|one| {
            Resource::new(one.uri, one.name)
                .with_description(one.description)
                .with_mime_type(one.mime_type)
        });
        Ok(ListResourcesResult::with_all_items(resources.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let asked = uri.clone();
        match self.run(move |toolbox| toolbox.read(&asked)).await? {
            Some(Ok(text)) => {
                let known = self.toolbox.resources().into_iter().find(|one| one.uri == uri);
                let mime_type = known.map_or("text/plain", |one| one.mime_type);
                let contents = ResourceContents::text(text, uri).with_mime_type(mime_type);
                Ok(ReadResourceResult::new(vec![contents]).into())
            }
            Some(Err(why)) => Err(ErrorData::internal_error(why, None)),
            None => {
                let shown: String = uri.chars().take(200).collect();
                Err(ErrorData::resource_not_found(format!("there is no resource `{shown}`"), None))
            }
        }
    }
}

fn tool(tool: crate::Tool) -> Tool {
    let mut annotations = ToolAnnotations::new().read_only(tool.is_read_only).open_world(false);
    if !tool.is_read_only {
        annotations = annotations.destructive(false);
    }
    Tool::new(tool.name, tool.description, object(tool.input))
        .with_raw_output_schema(Arc::new(object(tool.output)))
        .with_annotations(annotations)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
