//! The protocol over HTTP, on this machine alone: every request needs the token, and pages of browsers are refused.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::AUTHORIZATION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use tokio::net::{TcpListener, TcpStream};

use crate::server::Server;
use crate::{MAX_LINE, Toolbox};

/// How many clients may be connected at a time.
const MAX_CONNECTIONS: usize = 64;
/// A client that does not say what it wants for so long is left.
const PATIENCE: Duration = Duration::from_secs(30);

type Service = StreamableHttpService<Server, NeverSessionManager>;
type Body = http_body_util::combinators::BoxBody<Bytes, Infallible>;

/// Serves until the process ends.
pub async fn serve(
    toolbox: Arc<dyn Toolbox>,
    address: SocketAddr,
    token: String,
    started: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    started(listener.local_addr()?);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .enforce_origin_validation();
    let manager = Arc::new(NeverSessionManager::default());
    let server = Server::new(toolbox);
    let make = move || Ok(server.clone());
    let service = StreamableHttpService::new(make, manager, config);
    let token: Arc<str> = format!("Bearer {token}").into();
    let connected = Arc::new(());
    loop {
        let (stream, _) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                // Too many open files, for one: that passes.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // One count is the server's own.
        if Arc::strong_count(&connected) > MAX_CONNECTIONS {
            continue;
        }
        let (service, token) = (service.clone(), Arc::clone(&token));
        let counted = Arc::clone(&connected);
        tokio::spawn(async move {
            // A client that breaks off is no trouble of ours.
            let _ = connection(stream, service, token).await;
            drop(counted);
        });
    }
}

async fn connection(
    stream: TcpStream,
    service: Service,
    token: Arc<str>,
) -> Result<(), hyper::Error> {
    let answer = service_fn(move |request| answer(request, service.clone(), Arc::clone(&token)));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), answer)
        .await
}

async fn answer(
    request: Request<Incoming>,
    service: Service,
    token: Arc<str>,
) -> Result<Response<Body>, Infallible> {
    let given = request.headers().get(AUTHORIZATION).map(|value| value.as_bytes());
    if !given.is_some_and(|given| is_same(given, token.as_bytes())) {
        return Ok(refusal(StatusCode::UNAUTHORIZED, "this server needs its token"));
    }
    let (head, body) = request.into_parts();
    let whole = tokio::time::timeout(PATIENCE, Limited::new(body, MAX_LINE).collect()).await;
    let Ok(Ok(body)) = whole else {
        let text = "the request is too large, or did not come whole";
        return Ok(refusal(StatusCode::PAYLOAD_TOO_LARGE, text));
    };
    let request = Request::from_parts(head, Full::new(body.to_bytes()));
    Ok(service.handle(request).await)
}

/// Compares in a time that does not tell where they differ.
fn is_same(given: &[u8], expected: &[u8]) -> bool {
    given.len() == expected.len()
        && given.iter().zip(expected).fold(0, |differ, (one, other)| differ | (one ^ other)) == 0
}

fn refusal(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}
