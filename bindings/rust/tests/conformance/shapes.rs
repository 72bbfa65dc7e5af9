//! Other shapes of the batch dims.
use crate::json::Json;
use crate::ops::dict;
use crate::program::Program;
use tensordict::*;

/// None for an operation that is not here.
pub fn run(p: &mut Program, op: &str) -> Option<Result<()>> {
    Some(match op {
        "view" => dict(p, |p, d| d.view(&p.ints("sizes"))),
        "reshape" => dict(p, |p, d| d.reshape(&p.ints("sizes"))),
        "expand" => dict(p, |p, d| d.expand(&p.ints("sizes"))),
        "expand_as" => dict(p, |p, d| d.expand_as(&*p.copy(p.at("other"))?)),
        "permute" => dict(p, |p, d| d.permute(&p.ints("dims"))),
        "repeat" => dict(p, |p, d| d.repeat(&p.ints("repeats"))),
        "tile" => dict(p, |p, d| d.tile(&p.ints("repeats"))),
        "flip" => dict(p, |p, d| d.flip(&p.ints("dims"))),
        "squeeze" => dict(p, |p, d| d.squeeze(&p.ints("dim"))),
        "flatten" => dict(p, |p, d| d.flatten(p.at("start").int(), p.at("end").int())),
        "unflatten" => dict(p, |p, d| d.unflatten(p.at("dim").int(), &p.ints("sizes"))),
        "unsqueeze" => dict(p, |p, d| d.unsqueeze(p.at("dim").int())),
        "transpose" => dict(p, |p, d| d.transpose(p.at("dim0").int(), p.at("dim1").int())),
        "movedim" => dict(p, |p, d| d.movedim(&p.ints("source"), &p.ints("destination"))),
        "narrow" => dict(p, |p, d| d.narrow(p.at("dim").int(), p.at("start").int(), p.at("length").int())),
        "split" => dicts(p, |p, d| match p.at("size") {
            Json::Array(_) => d.split_sizes(&p.ints("size"), p.at("dim").int()),
            size => d.split(size.int(), p.at("dim").int()),
        }),
        "chunk" => dicts(p, |p, d| d.chunk(p.at("chunks").int(), p.at("dim").int())),
        "tensor_split" => dicts(p, |p, d| match p.at("sections") {
            Json::Array(_) => d.tensor_split_at(&p.ints("sections"), p.at("dim").int()),
            sections => d.tensor_split(sections.int(), p.at("dim").int()),
        }),
        "unbind" => dicts(p, |p, d| d.unbind(p.at("dim").int())),
        "repeat_interleave" => dict(p, |p, d| d.repeat_interleave(&p.ints("repeats"), p.at("dim").int())),
        "roll" => dict(p, |p, d| d.roll(&p.ints("shifts"), &p.ints("dims"))),
        "rot90" => dict(p, |p, d| d.rot90(p.at("times").int(), p.at("dim0").int(), p.at("dim1").int())),
        _ => return None,
    })
}

fn dicts(p: &mut Program, f: impl FnOnce(&Program, &Node) -> Result<Vec<Dict>>) -> Result<()> {
    let made = p.td(|d| f(p, d))?;
    p.put_dicts(made)
}
