//! The vectors of tests/data/vectors through the safe layer: modules, distributions, hashes, queries and schedules are
//! what stock Python says.
mod dist_text;
mod distributions;
mod hashes;
#[path = "../conformance/json.rs"]
mod json;
#[path = "../conformance/keys.rs"]
mod keys;
#[path = "../conformance/live.rs"]
mod live;
mod modules;
mod probabilistic;
mod replay;
mod running;
mod schedules;
mod state;
mod values;

use json::Json;
use replay::{parsed, text, Replay};
use tensordict::Result;

fn replayed(v: &Json) -> Result<()> {
    match v.at("kind").str() {
        "seq_keys" => modules::sequence_keys(v),
        "select_subsequence" => modules::select_subsequence(v),
        "mapping" => modules::mapping(v),
        "npe" => modules::normal_param_extractor(v),
        "run" => running::run(v),
        "dispatch" => running::dispatch(v),
        "vmap" => running::vmap(v),
        "from_module" => state::from_module(v),
        "from_modules" => state::from_modules(v),
        "from_modules_error" => state::from_modules_error(v),
        "stack_module_state" => state::stack_state(v),
        "stack_module_state_error" => state::stack_state_error(v),
        "distribution" => distributions::distribution_kind(v),
        "kl" => distributions::divergence(v),
        "dist_error" => distributions::dist_error(v),
        "composite" => distributions::composite(v),
        "prob_keys" => probabilistic::keys(v),
        "prob" => probabilistic::shapes(v),
        "rng" => probabilistic::random_numbers(v),
        "deterministic" => probabilistic::deterministic(v),
        other => panic!("the kind {other} is not known"),
    }
}

#[test]
fn modules_and_distributions() {
    let mut replay = Replay::new("vectors");
    for file in ["nn.json", "nn_made.json"] {
        for v in parsed(file).at("vectors").array() {
            replay.run(v.at("id").str(), || replayed(v));
        }
    }
    replay.end(162);
}

#[test]
fn hashes_of_bytes() {
    let mut replay = Replay::new("hashes");
    hashes::run_hashes(&parsed("hash.json"), &mut replay);
    replay.end(408);
}

#[test]
fn queries_over_rows() {
    let mut replay = Replay::new("queries");
    // Cases without steps are remarks.
    for case in parsed("hash.json").at("query_module").at("cases").array() {
        if case.get("steps").is_some() {
            replay.run(case.at("name").str(), || hashes::query(case));
        }
    }
    replay.end(16);
}

#[test]
fn distributions_of_every_type() {
    let mut replay = Replay::new("distributions and divergences");
    let text = text("dist.txt");
    for block in text.split("end\n").filter(|block| !block.is_empty()) {
        let (head, lines) = block.split_once('\n').expect("a block has lines");
        replay.run(head, || if head == "kl" { dist_text::divergence(lines) } else { dist_text::case(lines) });
    }
    replay.end(2700);
}

#[test]
fn learning_rates() {
    let mut replay = Replay::new("schedules");
    let text = text("schedule.txt");
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.chunks(2) {
        replay.run(pair[0], || schedules::case(pair[0], pair[1]));
    }
    replay.end(20);
}
