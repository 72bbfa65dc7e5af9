//! The programs of tests/conformance/vectors through the safe layer: they end as in stock Python.
mod arguments;
mod entries;
mod json;
mod keys;
mod lazy;
mod left_out;
mod live;
mod math;
mod observe;
mod ops;
mod program;
mod rows;
mod scopes;
mod shapes;
mod structure;
mod tensors;

use json::Json;
use live::live;
use program::Program;
use std::path::Path;
use tensordict::{Error, ErrorKind, Result};

/// The kinds by the names that programs use.
fn status(error: &Error) -> String {
    match error.kind() {
        ErrorKind::OutOfMemory => "OOM".into(),
        ErrorKind::NotFound => "NOT_FOUND".into(),
        kind => format!("{kind:?}").to_uppercase(),
    }
}

enum Outcome {
    Same,
    Differs(String),
    NotOffered(String),
}

/// Why steps do not go on.
pub enum Stop {
    NotOffered(String),
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

/// Runs the steps from `at` to before `end`; the program knows which one failed.
fn run_steps(p: &mut Program, steps: &[Json], mut at: usize, end: usize) -> std::result::Result<(), Stop> {
    while at < end {
        let op = steps[at].at("op").str();
        p.index = at;
        p.step = Some(steps[at].clone());
        if op.starts_with("scope_") {
            at = scopes::run(p, steps, at)?;
        } else {
            let done = ops::run(p, op);
            done.ok_or_else(|| Stop::NotOffered(op.to_owned()))??;
        }
        at += 1;
    }
    Ok(())
}

fn replay(vector: &Json) -> Result<Outcome> {
    let expected = vector.get("ours").unwrap_or_else(|| vector.at("expected"));
    let mut program = Program::default();
    let steps = vector.at("steps").array();
    let failed = match run_steps(&mut program, steps, 0, steps.len()) {
        Ok(()) => None,
        Err(Stop::Failed(error)) => Some((program.index as i64, error)),
        Err(Stop::NotOffered(op)) => return Ok(Outcome::NotOffered(op)),
    };
    let found = match (expected.get("error"), &failed) {
        (None, None) => None,
        (None, Some((step, error))) => Some(format!("step {step} failed: {error}")),
        (Some(error), None) => Some(format!("did not fail: expected {}", error.write())),
        (Some(wanted), Some((step, error))) => {
            let statuses = wanted.at("statuses").array();
            let fits = statuses.iter().any(|one| one.str().replace('_', "") == status(error).replace('_', ""));
            let right = wanted.at("step").int() == *step && fits;
            (!right).then(|| format!("step {step} failed otherwise: {error:?}, expected {}", wanted.write()))
        }
    };
    if let Some(found) = found {
        return Ok(Outcome::Differs(found));
    }
    let registers = expected.at("registers");
    let names = registers.object().iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = names.filter(|name| program.holds(name)).collect();
    let got = observe::observe(&program, &names)?;
    let wanted = observe::expected(registers, &names);
    Ok(observe::difference(&wanted, &got, "", 1e-9).map_or(Outcome::Same, Outcome::Differs))
}

#[test]
fn programs_end_as_in_python() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/vectors");
    let (mut names, mut same, mut wrong, mut left_out) = (Vec::new(), 0, Vec::new(), 0);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files {
        let topic = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        for vector in Json::parse(&text).at("programs").array() {
            let name = format!("{topic}/{}", vector.at("name").str());
            let before = live();
            let outcome = match std::panic::catch_unwind(|| replay(vector)) {
                Ok(outcome) => outcome.unwrap_or_else(|error| Outcome::Differs(error.to_string())),
                Err(_) => Outcome::Differs("the program cannot be written in Rust".into()),
            };
            if before != live() {
                wrong.push(format!("{name}: leaves objects behind: {before:?}, {:?}", live()));
            }
            match (outcome, left_out::reason(&name)) {
                (Outcome::Same, None) => same += 1,
                (Outcome::Same, Some(reason)) => {
                    wrong.push(format!("{name}: is left out ({reason}), and would pass: take it off the list"));
                }
                (_, Some(_)) => left_out += 1,
                (Outcome::Differs(found), None) => wrong.push(format!("{name}: {found}")),
                (Outcome::NotOffered(op), None) => wrong.push(format!("{name}: there is no operation {op}")),
            }
            names.push(name);
        }
    }
    wrong.extend(
        left_out::unknown(&names).iter().map(|name| format!("{name} is left out, and there is no such program")),
    );
    println!("{same} programs are the same, {left_out} are left out");
    assert!(wrong.is_empty(), "{} of {} programs:\n{}", wrong.len(), same + wrong.len(), wrong.join("\n"));
    assert!(same > 1000, "only {same} programs were replayed");
}
