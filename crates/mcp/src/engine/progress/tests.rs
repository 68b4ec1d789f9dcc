//! Progress that rises, keeps its token and ends before the result.

use super::*;
use rmcp::model::RequestId;
use tokio::sync::mpsc::UnboundedReceiver;

struct Bench {
    progress: Progress,
    lines: UnboundedReceiver<Option<Vec<u8>>>,
    wire: Arc<Wire>,
    start: Instant,
}

impl Bench {
    fn new(token: Value) -> Bench {
        let (wire, lines) = Wire::new();
        let flight = wire.depart(&RequestId::Number(1), 1).expect("nothing is under way");
        let progress = Progress::new(token, flight, Arc::clone(&wire));
        Bench { progress, lines, wire, start: Instant::now() }
    }

    fn step(&self, phase: Phase, done: u64, total: u64, at_ms: u64) {
        self.progress.step(phase, done, total, self.start + Duration::from_millis(at_ms));
    }

    fn done(&self, at_ms: u64) {
        self.progress.done(self.start + Duration::from_millis(at_ms));
    }

    fn heard(&mut self) -> Vec<(u64, String)> {
        let mut out = Vec::new();
        while let Ok(Some(line)) = self.lines.try_recv() {
            let message: Value = serde_json::from_slice(&line).expect("a line is JSON");
            assert_eq!(message["params"]["total"], 100);
            let value = message["params"]["progress"].as_u64().expect("an integer");
            out.push((value, message["params"]["message"].as_str().expect("text").to_owned()));
        }
        out
    }
}

fn said(pairs: &[(u64, &str)]) -> Vec<(u64, String)> {
    pairs.iter().map(|(value, text)| (*value, (*text).to_owned())).collect()
}

#[test]
fn a_whole_call_goes_from_1_to_100_through_its_phases() {
    let mut bench = Bench::new(json!("t"));
    bench.step(Phase::Selecting, 0, 0, 0);
    bench.step(Phase::Scanned, 4, 4, 300);
    bench.step(Phase::Transforming, 2, 4, 600);
    bench.step(Phase::Transforming, 4, 4, 900);
    bench.step(Phase::Writing, 4, 4, 1_200);
    bench.done(1_201);
    assert_eq!(
        bench.heard(),
        said(&[
            (1, "selecting 0/0"),
            (10, "scanned 4/4"),
            (35, "transforming 2/4"),
            (60, "transforming 4/4"),
            (99, "writing 4/4"),
            (100, "done 4/4"),
        ])
    );
}

#[test]
fn the_first_value_is_at_most_10_wherever_the_work_is() {
    let mut bench = Bench::new(json!(1));
    bench.step(Phase::Transforming, 9, 10, 0);
    assert_eq!(bench.heard(), said(&[(10, "transforming 9/10")]));
}

#[test]
fn a_call_without_steps_says_a_first_and_a_last_value() {
    let mut bench = Bench::new(json!(1));
    bench.done(0);
    assert_eq!(bench.heard(), said(&[(1, "selecting 0/0"), (100, "done 0/0")]));
}

#[test]
fn intermediate_values_need_five_points_and_250_ms() {
    let mut bench = Bench::new(json!(1));
    bench.step(Phase::Scanned, 100, 100, 0);
    bench.step(Phase::Transforming, 10, 100, 249);
    assert_eq!(bench.heard().len(), 1, "one millisecond too early");
    bench.step(Phase::Transforming, 6, 100, 250);
    assert_eq!(bench.heard(), vec![], "14 is only four points more");
    bench.step(Phase::Transforming, 9, 100, 250);
    assert_eq!(bench.heard(), said(&[(15, "transforming 9/100")]));
}

#[test]
fn a_busy_call_says_at_most_four_values_a_second_apart_from_first_and_last() {
    let mut bench = Bench::new(json!(1));
    for ms in 0..1_000 {
        bench.step(Phase::Transforming, ms, 1_000, ms);
    }
    bench.done(1_000);
    let heard = bench.heard();
    assert!(heard.len() <= 4 + 2, "{heard:?}");
    assert!(heard.windows(2).all(|pair| pair[0].0 < pair[1].0), "{heard:?}");
}

#[test]
fn a_step_back_is_not_said() {
    let mut bench = Bench::new(json!(1));
    bench.step(Phase::Scanned, 1, 1, 0);
    bench.step(Phase::Writing, 1, 2, 1_000);
    bench.step(Phase::Transforming, 2, 2, 2_000);
    bench.step(Phase::Writing, 1, 2, 3_000);
    assert_eq!(bench.heard(), said(&[(10, "scanned 1/1"), (80, "writing 1/2")]));
}

#[test]
fn phases_without_files_count_as_passed() {
    assert_eq!(points(Phase::Transforming, 0, 0), 60);
    assert_eq!(points(Phase::Writing, 0, 0), 99);
    assert_eq!(points(Phase::Selecting, 0, 0), 1);
    assert_eq!(points(Phase::Selecting, 5, 5), 9);
    assert_eq!(points(Phase::Transforming, u64::MAX, u64::MAX), 60);
    assert_eq!(points(Phase::Transforming, 7, 3), 60, "more done than there is");
}

#[test]
fn nothing_is_said_for_a_call_that_was_taken_back() {
    let mut bench = Bench::new(json!(1));
    bench.wire.cancel(&RequestId::Number(1));
    bench.step(Phase::Scanned, 1, 1, 0);
    bench.done(1);
    assert_eq!(bench.heard(), vec![]);
}

#[test]
fn the_token_keeps_its_type() {
    for token in [json!("7"), json!(7), json!(-1), json!(u64::MAX), json!("")] {
        let mut bench = Bench::new(token.clone());
        bench.done(0);
        let line = bench.lines.try_recv().expect("said").expect("a line");
        let message: Value = serde_json::from_slice(&line).expect("JSON");
        assert_eq!(message["params"]["progressToken"], token);
    }
}
