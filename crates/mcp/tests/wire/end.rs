//! protocol.md 1 and 3: how a connection ends. All of these are a normal end.

use std::time::Duration;

use mcp::catalog::{CallContext, Cancelled, Limits, Surface, Tool};
use mcp::engine::{ReadPipe, Settings, WritePipe, serve};
use mcp::project::{ProjectOptions, ProjectSurface};
use mcp::reply::Reply;
use serde_json::{Map, Value, json};

use crate::client::{BOTH, Client, Era, call, request};
use crate::fake::Fake;

/// The project server with another patience at the end.
struct Patient {
    inner: ProjectSurface<Fake>,
    end_grace: Duration,
}

impl Surface for Patient {
    fn name(&self) -> &'static str {
        self.inner.name()
    }
    fn title(&self) -> &'static str {
        self.inner.title()
    }
    fn instructions(&self) -> String {
        self.inner.instructions()
    }
    fn tools(&self) -> Vec<Tool> {
        self.inner.tools()
    }
    fn limits(&self) -> Limits {
        Limits { end_grace: self.end_grace, ..self.inner.limits() }
    }
    fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: &CallContext<'_>,
    ) -> Result<Reply, Cancelled> {
        self.inner.call(tool, arguments, context)
    }
    fn busy(&self) -> Reply {
        self.inner.busy()
    }
    fn close(&self) {
        self.inner.close();
    }
}

fn patient(fake: Fake, seconds: u64) -> Client {
    let inner = ProjectSurface::new(fake, ProjectOptions::default());
    Client::on(Patient { inner, end_grace: Duration::from_secs(seconds) })
}

#[tokio::test]
async fn closing_before_a_first_message_is_a_normal_end() {
    let (fake, stage, _) = Fake::new();
    let mut client = Client::raw(fake);
    client.close();
    assert_eq!(client.rest().await, [] as [Value; 0]);
    assert_eq!(*stage.closed.lock().expect("closed"), 1);
}

#[tokio::test]
async fn a_last_line_without_a_line_feed_is_answered() {
    let mut client = patient(Fake::plain(), 60);
    client.send_bytes(request(Era::PerRequest, 5, "tools/list", json!({})).to_string().as_bytes()).await;
    client.close();
    let rest = client.rest().await;
    assert_eq!(rest.len(), 1);
    assert!(rest[0]["result"]["tools"].is_array());
}

#[tokio::test]
async fn a_last_line_that_is_cut_off_is_refused() {
    let mut client = patient(Fake::plain(), 60);
    client.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"pi").await;
    client.close();
    let rest = client.rest().await;
    assert_eq!((rest.len(), &rest[0]["error"]["code"], &rest[0]["id"]), (1, &json!(-32700), &json!(5)));
}

#[tokio::test]
async fn requests_read_before_the_end_of_input_are_answered_in_time() {
    for era in BOTH {
        let (fake, stage, mut starts) = Fake::new();
        let mut client = patient(fake, 60);
        client.greet(era).await;
        client.send(&call(era, 1, "get_tree", json!({"project": "block"}))).await;
        client.send(&call(era, 2, "get_tree", json!({}))).await;
        starts.recv().await;
        client.close();
        stage.latch.open();
        let ids: Vec<Value> = client.rest().await.iter().map(|answer| answer["id"].clone()).collect();
        assert_eq!(ids, [1, 2]);
    }
}

#[tokio::test]
async fn what_does_not_finish_in_time_is_taken_back() {
    for era in BOTH {
        let (fake, stage, mut starts) = Fake::new();
        let mut client = patient(fake, 0);
        client.greet(era).await;
        client.send(&call(era, 1, "get_tree", json!({"project": "block"}))).await;
        client.send(&call(era, 2, "get_tree", json!({"project": "waiting"}))).await;
        starts.recv().await;
        client.close();
        assert_eq!(client.rest().await, [] as [Value; 0]);
        assert_eq!(stage.seen().len(), 1, "the waiting call never ran");
        assert_eq!(*stage.closed.lock().expect("closed"), 1);
    }
}

#[tokio::test]
async fn a_signal_takes_everything_back_and_ends_normally() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = patient(fake, 60);
    client.greet(Era::Handshake).await;
    client.send(&call(Era::Handshake, 1, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    client.stop();
    assert_eq!(client.rest().await, [] as [Value; 0]);
    assert_eq!(*stage.closed.lock().expect("closed"), 1);
}

#[tokio::test]
async fn a_signal_ends_the_patience_after_the_end_of_input() {
    let (fake, _stage, mut starts) = Fake::new();
    let mut client = patient(fake, 3_600);
    client.send(&call(Era::PerRequest, 1, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    client.close();
    client.stop();
    assert_eq!(client.rest().await, [] as [Value; 0]);
}

#[tokio::test]
async fn work_that_never_looks_at_its_watch_does_not_hold_up_the_end() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = patient(fake, 0);
    client.send(&call(Era::PerRequest, 1, "get_tree", json!({"project": "insist"}))).await;
    starts.recv().await;
    client.close();
    assert_eq!(client.rest().await, [] as [Value; 0]);
    stage.latch.open();
}

#[tokio::test]
async fn a_reader_that_is_gone_ends_the_server() {
    let (fake, _stage, mut starts) = Fake::new();
    let mut client = patient(fake, 3_600);
    client.send(&call(Era::PerRequest, 1, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    client.stop_reading();
    client.send(&request(Era::PerRequest, 2, "tools/list", json!({}))).await;
    client.ended().await;
}

#[tokio::test]
async fn a_reader_that_reads_late_still_gets_everything_after_the_end_of_input() {
    let inner = ProjectSurface::new(Fake::plain(), ProjectOptions::default());
    let surface = Patient { inner, end_grace: Duration::from_secs(60) };
    let mut client = Client::with_output(surface, 64);
    for n in 0..20 {
        client.send(&request(Era::PerRequest, n, "tools/list", json!({}))).await;
    }
    client.close();
    let ids: Vec<Value> = client.rest().await.iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, (0..20).map(Value::from).collect::<Vec<_>>());
}

/// Input that is there but never says anything.
struct Mute(std::sync::mpsc::Receiver<()>);

impl std::io::Read for Mute {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        let _ = self.0.recv();
        Ok(0)
    }
}

/// Output that keeps each write apart.
#[derive(Clone, Default)]
struct Writes(std::sync::Arc<std::sync::Mutex<Vec<Vec<u8>>>>);

impl std::io::Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("writes").push(bytes.to_vec());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn settings(stop: impl Future<Output = ()>) -> Settings<impl Future<Output = ()>> {
    Settings { stop, diagnostics: std::sync::Arc::new(crate::client::Counter::default()) }
}

#[tokio::test]
async fn an_input_that_blocks_for_ever_does_not_hold_up_a_signal() {
    let (keep, mute) = std::sync::mpsc::channel();
    let surface = std::sync::Arc::new(ProjectSurface::new(Fake::plain(), ProjectOptions::default()));
    let input = ReadPipe::start(Mute(mute)).expect("a thread");
    let output = WritePipe::start(std::io::sink()).expect("a thread");
    serve(surface, settings(async {}), input, output).await.expect("a normal end");
    drop(keep);
}

#[tokio::test]
async fn every_message_leaves_in_one_write() {
    let writes = Writes::default();
    let mut lines = String::new();
    for n in 0..3 {
        lines.push_str(&request(Era::PerRequest, n, "tools/list", json!({})).to_string());
        lines.push('\n');
    }
    let inner = ProjectSurface::new(Fake::plain(), ProjectOptions::default());
    let surface = std::sync::Arc::new(Patient { inner, end_grace: Duration::from_secs(60) });
    let input = ReadPipe::start(std::io::Cursor::new(lines)).expect("a thread");
    let output = WritePipe::start(writes.clone()).expect("a thread");
    serve(surface, settings(std::future::pending()), input, output).await.expect("a normal end");
    let writes = writes.0.lock().expect("writes");
    assert_eq!(writes.len(), 3);
    for (n, line) in writes.iter().enumerate() {
        assert_eq!(line.last(), Some(&b'\n'));
        assert_eq!(serde_json::from_slice::<Value>(line).expect("JSON")["id"], n);
    }
}

#[tokio::test]
async fn an_output_that_fails_ends_the_server() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let surface = std::sync::Arc::new(ProjectSurface::new(Fake::plain(), ProjectOptions::default()));
    let (mut to, input) = tokio::io::duplex(1 << 12);
    let line = format!("{}\n", request(Era::PerRequest, 1, "tools/list", json!({})));
    tokio::io::AsyncWriteExt::write_all(&mut to, line.as_bytes()).await.expect("taken");
    let output = WritePipe::start(Full).expect("a thread");
    serve(surface, settings(std::future::pending()), input, output).await.expect("a normal end");
}
