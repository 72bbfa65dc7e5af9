//! Scopes: the steps up to the end of one run in the closure that gets the temporary form of the dict.
use crate::json::Json;
use crate::program::{Program, Register};
use crate::{run_steps, Stop};
use tensordict::Node;

/// The end of a scope, or of the steps.
fn end_of(scope: &Json, steps: &[Json], begin: usize) -> usize {
    let ends = |step: &Json| step.at("op").str() == "scope_end" && step.at("scope") == scope;
    steps[begin..].iter().position(ends).map_or(steps.len(), |n| begin + n)
}

/// Runs the scope that begins with a step, and gives the number of the step that ends it.
pub fn run(p: &mut Program, steps: &[Json], begin: usize) -> Result<usize, Stop> {
    let (td, to) = (p.word("td"), p.word("to"));
    let end = end_of(p.at("to"), steps, begin);
    let arguments = Program { step: p.step.clone(), ..Default::default() };
    // Its own name while it is unlocked, else that of the temporary form.
    let is_itself = arguments.word("op") == "scope_unlock";
    let name = if is_itself { &td } else { &to };
    let inside = p.change_beside(&td, |node, rest| {
        enter(&arguments, node, |inside| {
            let mut within = Program { registers: std::mem::take(&mut rest.registers), ..Default::default() };
            within.lent = Some((name.clone(), inside));
            let done = run_steps(&mut within, steps, begin + 1, end);
            // The temporary form goes with the closure: a copy of it, with the same tensors, is what can be kept.
            let kept = done.and_then(|()| Ok(within.copy(&Json::Str(name.clone()))?));
            rest.index = if kept.is_ok() { end } else { within.index };
            rest.registers = within.registers;
            kept
        })
    })?;
    p.replace(&to, if is_itself { Register::Way(td, Vec::new()) } else { Register::Dict(inside) });
    Ok(end)
}

fn enter<R>(p: &Program, node: &mut Node, f: impl FnOnce(&mut Node) -> Result<R, Stop>) -> Result<R, Stop> {
    let number = |name: &str| p.at(name).int();
    match p.at("op").str() {
        "scope_unlock" => node.scope_unlock(f),
        "scope_flatten_keys" => node.scope_flatten_keys(p.at("separator").str(), f),
        "scope_unflatten_keys" => node.scope_unflatten_keys(p.at("separator").str(), f),
        "scope_view" => node.scope_view(&p.ints("sizes"), f),
        "scope_flatten" => node.scope_flatten(number("start"), number("end"), f),
        "scope_unflatten" => node.scope_unflatten(number("dim"), &p.ints("sizes"), f),
        "scope_squeeze" => node.scope_squeeze(&p.ints("dim"), f),
        "scope_unsqueeze" => node.scope_unsqueeze(number("dim"), f),
        "scope_permute" => node.scope_permute(&p.ints("dims"), f),
        "scope_transpose" => node.scope_transpose(number("dim0"), number("dim1"), f),
        "scope_movedim" => node.scope_movedim(&p.ints("source"), &p.ints("destination"), f),
        "scope_flip" => node.scope_flip(&p.ints("dims"), f),
        "scope_roll" => node.scope_roll(&p.ints("shifts"), &p.ints("dims"), f),
        other => Err(Stop::NotOffered(other.to_owned())),
    }
}
