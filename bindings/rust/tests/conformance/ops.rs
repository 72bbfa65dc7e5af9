//! Operations on whole dicts: making, reading and changing entries, keys, states. More are in `ops_rows.rs`.
use crate::json::Json;
use crate::observe;
use crate::program::{key_of, Program, Register, Step};
use crate::tensors::dtype;
use tensordict::*;

/// None for an operation that is not here.
pub fn run(p: &mut Program, op: &str) -> Option<Result<()>> {
    Some(match op {
        "new" => make_new(p),
        "build" => build(p),
        "fromkeys" => p.tensor(p.at("value")).and_then(|t| p.put_dict(Dict::from_keys(&p.keys("keys"), &t)?)),
        "merge" => p.copies("tds").and_then(|dicts| p.put_dict(Dict::merge(dicts)?)),
        "tensor" => p.tensor(p.at("value")).and_then(|t| p.put_tensor(t)),
        "release" => release(p),
        "get" => get(p),
        "get_at" => {
            let found = p.index(|index| p.td(|d| d.get_at(&p.key("key"), index)));
            found.and_then(|t| p.put_tensor(t))
        }
        "has" => p.td(|d| Ok(d.contains(&p.key("key")))).and_then(|b| p.put_value(Json::Bool(b))),
        "keys" => list_keys(p),
        "len" => number(p, |d| d.len() as i64),
        "count" => number(p, |d| d.count() as i64),
        "numel" => number(p, Node::numel),
        "nbytes" => number(p, |d| d.nbytes() as i64),
        "is_empty" => truth(p, Node::is_empty),
        "is_contiguous" => truth(p, Node::is_contiguous),
        "is_locked" => truth(p, Node::is_locked),
        "requires_grad" => truth(p, Node::requires_grad),
        "repr" => p.td(|d| Ok(d.to_string())).and_then(|text| p.put_value(Json::Str(text))),
        "set" => set(p),
        "set_" => p.tensor(p.at("value")).and_then(|t| with_key(p, |d, key| d.copy_into(key, &t))),
        "set_unbatched" => p.tensor(p.at("value")).and_then(|t| with_key(p, |d, key| d.set_unbatched(key, &t))),
        "set_at_" => set_at(p),
        "set_data" => set_data(p),
        "set_data_" => {
            let value = p.at("value").clone();
            with_key(p, |d, key| with_data(&value, |value| d.write_data(key, value)))
        }
        "delete" => with_key(p, |d, key| d.remove(key)),
        "pop" => pop(p),
        "clear" => p.td_mut(|d| d.clear()),
        "create_nested" => with_key(p, |d, key| d.create_nested(key)),
        "update" => {
            let options = UpdateOptions {
                inplace: p.flag("inplace", false),
                clone: p.flag("clone", false),
                ..Default::default()
            };
            p.copy(p.at("src")).and_then(|src| p.td_mut(|d| d.update_with(&src, &options)))
        }
        "update_" => p.copy(p.at("src")).and_then(|src| p.td_mut(|d| d.update_values(&src))),
        "fill_" => {
            let value = p.at("value").float();
            with_key(p, |d, key| d.fill(key, value))
        }
        "zero_" => p.td_mut(|d| d.zero()),
        "write" => write(p),
        "lock" => p.td_mut(|d| d.lock()),
        "unlock" => p.td_mut(|d| d.unlock()),
        "rename_key" => {
            let (old, new, safe) = (p.key("old"), p.key("new"), p.flag("safe", false));
            p.td_mut(|d| d.rename(&old, &new, safe))
        }
        "select" => dict(p, |p, d| d.select(&p.keys("keys"), p.flag("strict", true))),
        "select_" => {
            let (keys, strict) = (p.keys("keys"), p.flag("strict", true));
            p.td_mut(|d| d.keep_only(&keys, strict))
        }
        "exclude" => dict(p, |p, d| d.exclude(&p.keys("keys"))),
        "exclude_" => {
            let keys = p.keys("keys");
            p.td_mut(|d| d.remove_all(&keys))
        }
        "separates" => separates(p),
        "split_keys" => {
            let sets: Vec<Vec<KeyBuf>> =
                p.at("sets").array().iter().map(|set| set.array().iter().map(key_of).collect()).collect();
            let parts = p.td(|d| d.split_keys(&sets, p.flag("strict", true)));
            parts.and_then(|parts| p.put_dicts(parts))
        }
        "empty" => dict(p, |p, d| d.empty(p.flag("recurse", false))),
        "filter_empty_" => p.td_mut(|d| d.remove_empty_nodes()),
        "flatten_keys" => dict(p, |p, d| d.flatten_keys(p.find("separator").map_or(".", Json::str))),
        "unflatten_keys" => dict(p, |p, d| d.unflatten_keys(p.find("separator").map_or(".", Json::str))),
        "set_batch_size" => {
            let sizes = p.ints("batch");
            p.td_mut(|d| d.set_batch_size(&sizes))
        }
        "auto_batch_size" => {
            let limit = p.find("limit").filter(|limit| **limit != Json::Null).map(|limit| limit.int() as usize);
            p.td_mut(|d| d.auto_batch_size(limit))
        }
        "set_names" => names(p, |d, names| d.set_names(names)),
        "refine_names" => names(p, |d, names| d.refine_names(names)),
        "rename_names" => {
            let map: Vec<(String, Option<String>)> = p.at("map").object().to_vec().into_iter().map(renamed).collect();
            let map: Vec<_> = map.iter().map(|(from, to)| (from.as_str(), to.as_deref())).collect();
            p.td_mut(|d| d.rename_names(&map))
        }
        "new_empty" => dict(p, |p, d| {
            let mut made = d.new_empty(&p.ints("sizes"), given_dtype(p))?;
            made.zero()?;
            Ok(made)
        }),
        "new_full" => dict(p, |p, d| d.new_full(&p.ints("sizes"), p.at("value").float(), given_dtype(p))),
        "new_tensor" => dict(p, |p, d| {
            let options = NewTensor {
                dtype: given_dtype(p),
                requires_grad: p.flag("requires_grad", false),
                ..Default::default()
            };
            match p.at("data") {
                Json::Array(numbers) => {
                    let numbers: Vec<f64> = numbers.iter().map(Json::float).collect();
                    d.new_tensor(numbers.as_slice(), &options)
                }
                spec => d.new_tensor(p.operand(spec)?.value(), &options),
            }
        }),
        "to_tensordict" => dict(p, |_, d| d.to_tensordict()),
        "copy" => dict(p, |_, d| d.copy()),
        "clone" => dict(p, |_, d| d.deep_copy()),
        "detach" => dict(p, |_, d| d.detach()),
        "state_dict" => dict(p, |_, d| d.state_dict()),
        "contiguous" => dict(p, |_, d| d.contiguous()),
        "to" => to(p),
        "become" => p.copy(p.at("other")).and_then(|other| p.td_mut(|d| d.become_dict(other))),
        "detach_" => p.td_mut(|d| d.forget_history()),
        "requires_grad_" => {
            let value = p.flag("value", true);
            p.td_mut(|d| d.set_requires_grad(value))
        }
        "grad" => p.td(|d| d.grad()).and_then(|grad| match grad {
            Some(grad) => p.put_dict(grad),
            None => p.put_value(Json::Object(vec![("none".into(), Json::Bool(true))])),
        }),
        "zero_grad" => {
            let none = p.flag("set_to_none", true);
            p.td_mut(|d| d.zero_grad(none))
        }
        "backward" => match p.find("gradient") {
            Some(gradient) => p.copy(gradient).and_then(|gradient| p.td(|d| d.backward(Some(&gradient), false))),
            None => p.td(|d| d.backward(None, false)),
        },
        "load_state_dict" => {
            let (strict, assign) = (p.flag("strict", true), p.flag("assign", false));
            p.copy(p.at("state")).and_then(|state| p.td_mut(|d| d.load_state_dict(&state, strict, assign)))
        }
        _ => return None,
    })
}

fn dict(p: &mut Program, f: impl FnOnce(&Program, &Node) -> Result<Dict>) -> Result<()> {
    let made = p.td(|d| f(p, d))?;
    p.put_dict(made)
}

fn number(p: &mut Program, f: impl FnOnce(&Node) -> i64) -> Result<()> {
    let value = p.td(|d| Ok(f(d)))?;
    p.put_value(Json::Int(value))
}

fn truth(p: &mut Program, f: impl FnOnce(&Node) -> bool) -> Result<()> {
    let value = p.td(|d| Ok(f(d)))?;
    p.put_value(Json::Bool(value))
}

fn with_key(p: &mut Program, f: impl FnOnce(&mut Node, &KeyBuf) -> Result<()>) -> Result<()> {
    let key = p.key("key");
    p.td_mut(|d| f(d, &key))
}

fn names(p: &mut Program, f: impl FnOnce(&mut Node, &[Option<&str>]) -> Result<()>) -> Result<()> {
    let names = p.texts("names");
    let names: Vec<_> = names.iter().map(Option::as_deref).collect();
    p.td_mut(|d| f(d, &names))
}

fn renamed((from, to): (String, Json)) -> (String, Option<String>) {
    let to = if to == Json::Null { None } else { Some(to.str().to_owned()) };
    (from, to)
}

fn given_dtype(p: &Program) -> Option<Dtype> {
    p.find("dtype").map(|name| dtype(name.str()))
}

fn make_new(p: &mut Program) -> Result<()> {
    let batch = p.ints("batch");
    let mut made = match p.find("device") {
        Some(Json::Str(device)) => Dict::new_on(&batch, device)?,
        _ => Dict::new(&batch)?,
    };
    if p.find("names").is_some() {
        let names = p.texts("names");
        made.set_names(&names.iter().map(Option::as_deref).collect::<Vec<_>>())?;
    }
    p.put_dict(made)
}

fn is_data(spec: &Json) -> bool {
    spec.get("one").is_some() || spec.get("stack").is_some()
}

fn build(p: &mut Program) -> Result<()> {
    let batch = p.ints("batch");
    let items: Vec<(KeyBuf, Json)> =
        p.at("items").array().iter().map(|item| (key_of(&item.array()[0]), item.array()[1].clone())).collect();
    if items.iter().any(|(_, spec)| is_data(spec)) {
        let mut made = Dict::new(&batch)?;
        for (key, spec) in &items {
            set_value(p, &mut made, key, spec)?;
        }
        return p.put_dict(made);
    }
    // A failure must leave the dicts where they are.
    let copies: Result<Vec<_>> = items.iter().map(|(key, spec)| Ok((key.clone(), p.item(spec)?))).collect();
    Dict::build(&batch, copies?)?;
    let to = p.word("to");
    let moved: Result<Vec<_>> = items
        .iter()
        .map(|(key, spec)| {
            Ok((key.clone(), if p.is_dict(spec) { moved(p, spec, &batch, &to, key)?.into() } else { p.item(spec)? }))
        })
        .collect();
    let made = Dict::build(&batch, moved?)?;
    p.put_dict(made)
}

/// The dict of a register, which becomes a way to it; a copy if the other dict would store one.
fn moved(p: &mut Program, spec: &Json, batch: &[i64], to: &str, key: &KeyBuf) -> Result<Dict> {
    if !p.read(spec.str(), |d| Ok(d.batch_size().starts_with(batch)))? {
        return p.copy(spec);
    }
    p.take(spec.str(), Register::Way(to.to_owned(), vec![Step::Key(key.clone())]))
}

/// Sets in the dict that the step is making.
fn set_value(p: &mut Program, d: &mut Node, key: &KeyBuf, spec: &Json) -> Result<()> {
    if is_data(spec) {
        return set_data_value(d, key, spec);
    }
    if p.is_dict(spec) {
        d.copy()?.set_dict(key, p.copy(spec)?)?;
        let to = p.word("to");
        let value = moved(p, spec, &d.batch_size(), &to, key)?;
        return d.set_dict(key, value);
    }
    d.set(key, &p.tensor(spec)?)
}

fn set_data_value(d: &mut Node, key: &KeyBuf, spec: &Json) -> Result<()> {
    if let Some(one) = spec.get("one") {
        return with_data(one, |value| d.set_data(key, value));
    }
    fn flatten<'a>(spec: &'a Json, depth: usize, out: &mut Vec<&'a Json>) {
        match depth {
            0 => out.push(spec),
            _ => spec.array().iter().for_each(|one| flatten(one, depth - 1, out)),
        }
    }
    let mut values = Vec::new();
    flatten(spec.get("stack").unwrap(), d.batch_size().len(), &mut values);
    let texts: Vec<String> = values.iter().map(|value| value.write()).collect();
    let data: Vec<Data<'_>> = values.iter().zip(&texts).map(|(value, text)| as_data(value, text)).collect();
    d.set_data_stack(key, &data)
}

fn as_data<'a>(spec: &'a Json, text: &'a str) -> Data<'a> {
    match spec {
        Json::Null => Data::None,
        Json::Bool(truth) => Data::Bool(*truth),
        Json::Int(i) => Data::Int(*i),
        Json::Float(f) => Data::Double(*f),
        Json::Str(string) => Data::Str(string),
        _ => Data::Json(text),
    }
}

fn with_data<R>(spec: &Json, f: impl FnOnce(Data<'_>) -> R) -> R {
    let text = spec.write();
    f(as_data(spec, &text))
}

fn set(p: &mut Program) -> Result<()> {
    let (name, key, spec) = (p.word("td"), p.key("key"), p.at("value").clone());
    if is_data(&spec) {
        return p.change(&name, |d| set_data_value(d, &key, &spec));
    }
    if !p.is_dict(&spec) {
        let tensor = p.tensor(&spec)?;
        return p.change(&name, |d| d.set(&key, &tensor));
    }
    let (batch, copy) = (p.read(&name, |d| Ok(d.batch_size()))?, p.copy(&spec)?);
    let mut probe = p.copy(&Json::Str(name.clone()))?;
    probe.set_dict(&key, copy)?;
    let value = moved(p, &spec, &batch, &name, &key)?;
    p.change(&name, |d| d.set_dict(&key, value))
}

fn separates(p: &mut Program) -> Result<()> {
    let keys: Vec<KeyBuf> = p.at("keys").array().iter().map(key_of).collect();
    let options = SeparateOptions {
        strict: p.flag("strict", true),
        keep_empty: p.flag("keep_empty", false),
        fill: p.find("fill").map(|spec| p.tensor(spec)).transpose()?,
    };
    let made = p.td_mut(|d| d.separate_with(&keys, &options))?;
    p.put_dict(made)
}

fn set_data(p: &mut Program) -> Result<()> {
    let value = p.at("value").clone();
    with_key(p, |d, key| with_data(&value, |value| d.set_data(key, value)))
}

fn set_at(p: &mut Program) -> Result<()> {
    let (name, key, value) = (p.word("td"), p.key("key"), p.tensor(p.at("value"))?);
    let mut holder = Program { registers: Default::default(), step: p.step.clone() };
    std::mem::swap(&mut holder.registers, &mut p.registers);
    let Program { registers, step } = holder;
    let mut target = Program { registers, step: None };
    let arguments = Program { registers: Default::default(), step };
    let result = arguments.index(|index| target.change(&name, |d| d.copy_into_at(&key, index, &value)));
    p.registers = target.registers;
    result
}

fn get(p: &mut Program) -> Result<()> {
    let (name, key) = (p.word("td"), p.key("key"));
    let found = p.read(&name, |d| {
        Ok(match d.find(&key)? {
            Some(Entry::Dict(_)) => Register::Way(name.clone(), vec![Step::Key(key.clone())]),
            Some(Entry::Data(list)) => Register::Plain(observe::data(&list)),
            _ => Register::Tensor(d.get(&key)?),
        })
    })?;
    p.put(found);
    Ok(())
}

fn pop(p: &mut Program) -> Result<()> {
    let key = p.key("key");
    let taken = p.td_mut(|d| d.pop(&key))?;
    p.put(match taken {
        Taken::Dict(dict) => Register::Dict(dict),
        Taken::Tensor(tensor) => Register::Tensor(tensor),
        Taken::Data(list) => Register::Plain(observe::data(&list)),
    });
    Ok(())
}

fn release(p: &mut Program) -> Result<()> {
    let what = p.word("what");
    p.replace(&what, Register::Gone);
    Ok(())
}

fn list_keys(p: &mut Program) -> Result<()> {
    let bits = [
        ("nested", sys::TD_KEYS_NESTED),
        ("leaves", sys::TD_KEYS_LEAVES),
        ("sorted", sys::TD_KEYS_SORTED),
        ("children_first", sys::TD_KEYS_CHILDREN_FIRST),
        ("data", sys::TD_KEYS_DATA),
    ];
    let flags = p.find("flags").map_or(&[][..], Json::array);
    let on = |name: &str| flags.iter().any(|flag| flag.str() == name);
    let flags = bits.iter().filter(|(name, _)| on(name)).fold(0, |all, (_, bit)| all | bit);
    let keys = p.td(|d| d.keys_with(flags))?;
    let parts = |key: &KeyBuf| Json::Array(key.parts().iter().map(|part| Json::Str(part.clone())).collect());
    p.put_value(Json::Array(keys.iter().map(parts).collect()))
}

fn write(p: &mut Program) -> Result<()> {
    let (name, value) = (p.word("td"), p.operand(p.at("value"))?);
    let targets = match &p.registers[&name] {
        Register::Tensor(tensor) => vec![tensor.clone()],
        Register::Plain(_) | Register::Gone => Vec::new(),
        _ => p.td(|d| d.keys(Keys::Leaves)?.iter().map(|key| d.get(key)).collect())?,
    };
    let fill = Op::find_overload("fill_", Some("Scalar"))?;
    targets.iter().try_for_each(|target| fill.call(&[target.into(), value.value()]).map(drop))
}

fn to(p: &mut Program) -> Result<()> {
    let as_dtype = p.find("dtype").filter(|name| **name != Json::Null).map(|name| dtype(name.str()));
    let device = p.find("device").filter(|name| **name != Json::Null).map(|name| name.str().to_owned());
    dict(p, |_, d| match (as_dtype, &device) {
        (Some(dtype), None) => d.to_dtype(dtype),
        (None, Some(device)) => d.to_device(device),
        (Some(dtype), Some(device)) => d.to_dtype(dtype)?.to_device(device),
        (None, None) => d.copy(),
    })
}
