//! Lazy stacks and parameters.
use crate::json::Json;
use crate::ops::dict;
use crate::program::{Program, Register, Step};
use tensordict::*;

/// None for an operation that is not here.
pub fn run(p: &mut Program, op: &str) -> Option<Result<()>> {
    Some(match op {
        "lazy_stack" => lazy_stack(p),
        "maybe_dense_stack" => {
            p.copies("tds").and_then(|dicts| p.put_dict(Dict::maybe_dense_stack(dicts, p.int("dim", 0))?))
        }
        "lazy_new" => {
            let made = Dict::lazy_new(&p.ints("element"), p.int("dim", 0));
            made.and_then(|made| p.put_dict(made))
        }
        "to_lazy_stack" => dict(p, |p, d| d.to_lazy_stack(p.int("dim", 0))),
        "member" => {
            let (name, at) = (p.word("td"), p.at("at").int() as usize);
            p.read(&name, |d| d.members().map(drop)).map(|()| p.put(Register::Way(name, vec![Step::Member(at)])))
        }
        "append" => {
            let spec = p.at("value").clone();
            insert(p, None, &[spec])
        }
        "insert" => {
            let (specs, at) = (p.at("tds").array().to_vec(), p.at("at").int() as usize);
            insert(p, Some(at), &specs)
        }
        "get_list" => p.td(|d| d.get_list(&p.key("key"))).and_then(|tensors| p.put_tensors(tensors)),
        "set_list" => {
            let values: Result<Vec<_>> = p.at("values").array().iter().map(|value| p.tensor(value)).collect();
            let key = p.key("key");
            values.and_then(|values| p.td_mut(|d| d.set_list(&key, &values)))
        }
        "get_jagged" => p.td(|d| d.get_jagged(&p.key("key"))).and_then(|(a, b)| p.put_tensors([a, b])),
        "get_padded" => {
            let value = p.find("padding").map_or(0.0, Json::float);
            let padding = Padding { value, left: p.flag("left", false), mask_key: None };
            p.td(|d| d.get_padded(&p.key("key"), &padding)).and_then(|(padded, _)| p.put_tensor(padded))
        }
        "entry_shape" => p
            .td(|d| d.entry_shape(&p.key("key")))
            .and_then(|shape| p.put_value(Json::Array(shape.into_iter().map(Json::Int).collect()))),
        "params" => params(p),
        "parameter_names" => listed(p, |d| d.parameters()),
        "buffer_names" => listed(p, |d| d.buffers()),
        _ => return None,
    })
}

fn lazy_stack(p: &mut Program) -> Result<()> {
    let (specs, dim) = (p.at("tds").array().to_vec(), p.int("dim", 0));
    // A failure must leave the dicts where they are.
    Dict::lazy_stack(p.copies("tds")?, dim)?;
    let to = p.word("to");
    let members: Result<Vec<Dict>> = specs
        .iter()
        .enumerate()
        .map(|(index, spec)| p.take(spec.str(), Register::Way(to.clone(), vec![Step::Member(index)])))
        .collect();
    let made = Dict::lazy_stack(members?, dim)?;
    p.put_dict(made)
}

fn insert(p: &mut Program, at: Option<usize>, specs: &[Json]) -> Result<()> {
    let name = p.word("td");
    let copies: Result<Vec<Dict>> = specs.iter().map(|spec| p.copy(spec)).collect();
    let mut probe = p.copy(&Json::Str(name.clone()))?;
    let count = probe.members().map_or(0, |members| members.len());
    probe.insert(at.unwrap_or(count), copies?)?;
    // Those behind the new ones move on.
    for register in p.registers.values_mut() {
        match register {
            Register::Way(owner, steps) if *owner == name => match steps.first_mut() {
                Some(Step::Member(index)) if *index >= at.unwrap_or(count) => *index += specs.len(),
                _ => {}
            },
            _ => {}
        }
    }
    let first = at.unwrap_or(count);
    let moved: Result<Vec<Dict>> = specs
        .iter()
        .enumerate()
        .map(|(n, spec)| p.take(spec.str(), Register::Way(name.clone(), vec![Step::Member(first + n)])))
        .collect();
    let mut moved = moved?;
    p.change(&name, |d| match at {
        Some(at) => d.insert(at, moved),
        None => d.append(moved.remove(0)),
    })
}

fn params(p: &mut Program) -> Result<()> {
    let (name, no_convert, lock) = (p.word("td"), p.flag("no_convert", false), p.flag("lock", false));
    p.copy(&Json::Str(name.clone()))?.into_params_with(no_convert, lock)?;
    let dict = p.take(&name, Register::Gone)?;
    // What was reached through the dict is reached through the parameters now.
    let to = p.word("to");
    for register in p.registers.values_mut() {
        match register {
            Register::Way(owner, _) if *owner == name => *owner = to.clone(),
            _ => {}
        }
    }
    p.registers.insert(to, Register::Dict(dict.into_params_with(no_convert, lock)?));
    Ok(())
}

fn listed(p: &mut Program, f: impl FnOnce(&Node) -> Result<Vec<(KeyBuf, Tensor)>>) -> Result<()> {
    let names = p.td(f)?;
    let text = |(key, _): &(KeyBuf, Tensor)| Json::Str(key.parts().join("."));
    p.put_value(Json::Array(names.iter().map(text).collect()))
}
