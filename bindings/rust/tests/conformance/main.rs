//! The programs of tests/conformance/vectors through the safe layer: they end as in stock Python.
mod json;
mod left_out;
mod observe;
mod ops;
mod ops_rows;
mod program;
mod tensors;

use json::Json;
use program::Program;
use std::path::Path;
use tensordict::{live_objects, sys, Error, ErrorKind, Result};

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

fn replay(vector: &Json) -> Result<Outcome> {
    let expected = vector.get("ours").or_else(|| vector.get("expected")).unwrap();
    let mut program = Program::default();
    let mut failed = None;
    for (index, step) in vector.get("steps").unwrap().array().iter().enumerate() {
        let op = step.get("op").unwrap().str();
        program.step = Some(step.clone());
        let done = match ops::run(&mut program, op) {
            Some(result) => Some(result),
            None => ops_rows::run(&mut program, op),
        };
        match done {
            None => return Ok(Outcome::NotOffered(op.to_owned())),
            Some(Ok(())) => {}
            Some(Err(error)) => {
                failed = Some((index as i64, error));
                break;
            }
        }
    }
    let found = match (expected.get("error"), &failed) {
        (None, None) => None,
        (None, Some((step, error))) => Some(format!("step {step} failed: {error}")),
        (Some(error), None) => Some(format!("did not fail: expected {}", error.write())),
        (Some(wanted), Some((step, error))) => {
            let statuses = wanted.get("statuses").unwrap().array();
            let fits = statuses.iter().any(|one| one.str().replace('_', "") == status(error).replace('_', ""));
            let right = wanted.get("step").unwrap().int() == *step && fits;
            (!right).then(|| format!("step {step} failed otherwise: {error:?}, expected {}", wanted.write()))
        }
    };
    if let Some(found) = found {
        return Ok(Outcome::Differs(found));
    }
    let registers = expected.get("registers").unwrap();
    let names = registers.object().iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = names.filter(|name| program.holds(name)).collect();
    let got = observe::observe(&program, &names)?;
    let wanted = observe::expected(registers, &names);
    Ok(observe::difference(&wanted, &got, "", 1e-9).map_or(Outcome::Same, Outcome::Differs))
}

fn live() -> Vec<i64> {
    (sys::TD_OBJECT_ERROR..=sys::TD_OBJECT_ROW_MAP).map(live_objects).collect()
}

#[test]
fn programs_end_as_in_python() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/vectors");
    let (mut same, mut wrong, mut left_out) = (0, Vec::new(), 0);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files {
        let topic = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        for vector in Json::parse(&text).get("programs").unwrap().array() {
            let name = format!("{topic}/{}", vector.get("name").unwrap().str());
            let before = live();
            let outcome = match std::panic::catch_unwind(|| replay(vector)) {
                Ok(outcome) => outcome.unwrap_or_else(|error| Outcome::Differs(error.to_string())),
                Err(_) => Outcome::Differs("the program cannot be written in Rust".into()),
            };
            if before != live() {
                wrong.push(format!("{name}: leaves objects behind: {before:?}, {:?}", live()));
            }
            match (outcome, left_out::reason(&name, vector)) {
                (Outcome::Same, None) => same += 1,
                (Outcome::Same, Some(reason)) if left_out::is_named(&name) => {
                    wrong.push(format!("{name}: is left out ({reason}), and would pass: take it off the list"));
                }
                (_, Some(_)) => left_out += 1,
                (Outcome::Differs(found), None) => wrong.push(format!("{name}: {found}")),
                (Outcome::NotOffered(op), None) => wrong.push(format!("{name}: there is no operation {op}")),
            }
        }
    }
    println!("{same} programs are the same, {left_out} are left out");
    assert!(wrong.is_empty(), "{} of {} programs:\n{}", wrong.len(), same + wrong.len(), wrong.join("\n"));
    assert!(same > 1000, "only {same} programs were replayed");
}
