//! Making dicts, and reading and changing entries.
use crate::json::Json;
use crate::keys::key_of;
use crate::observe;
use crate::ops::{number, truth, with_key};
use crate::program::{Program, Register, Step};
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
        "same" => {
            let (a, b) = (p.word("a"), p.word("b"));
            p.read(&a, |a| p.read(&b, |b| Ok(a.is_same(b)))).and_then(|same| p.put_value(Json::Bool(same)))
        }
        "fill_" => {
            let value = p.at("value").float();
            with_key(p, |d, key| d.fill(key, value))
        }
        "zero_" => p.td_mut(|d| d.zero()),
        "write" => write(p),
        _ => return None,
    })
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
            Ok((
                key.clone(),
                if p.is_dict(spec) { moved(p, spec, &batch, &[], &to, key)?.into() } else { p.item(spec)? },
            ))
        })
        .collect();
    let made = Dict::build(&batch, moved?)?;
    p.put_dict(made)
}

/// The dict of a register, which becomes a way to it; a copy if the other dict would store one, which Python's leaves
/// the caller beside his own.
fn moved(
    p: &mut Program,
    spec: &Json,
    batch: &[i64],
    names: &[Option<String>],
    to: &str,
    key: &KeyBuf,
) -> Result<Dict> {
    let renamed = |d: &Node| Ok(names.iter().any(Option::is_some) && !d.names()?.starts_with(names));
    if p.read(spec.str(), |d| Ok(!d.batch_size().starts_with(batch) || renamed(d)?))? {
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
        let value = moved(p, spec, &d.batch_size(), &d.names()?, &to, key)?;
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
    let ((batch, names), copy) = (p.read(&name, |d| Ok((d.batch_size(), d.names()?)))?, p.copy(&spec)?);
    let mut probe = p.copy(&Json::Str(name.clone()))?;
    probe.set_dict(&key, copy)?;
    let value = moved(p, &spec, &batch, &names, &name, &key)?;
    p.change(&name, |d| d.set_dict(&key, value))
}

fn set_data(p: &mut Program) -> Result<()> {
    let value = p.at("value").clone();
    with_key(p, |d, key| with_data(&value, |value| d.set_data(key, value)))
}

fn set_at(p: &mut Program) -> Result<()> {
    let (name, key, value) = (p.word("td"), p.key("key"), p.tensor(p.at("value"))?);
    let arguments = Program { step: p.step.clone(), ..Default::default() };
    arguments.index(|index| p.change(&name, |d| d.copy_into_at(&key, index, &value)))
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
    // What has moved is nothing that could be dropped.
    if !matches!(p.registers.get(&what), Some(Register::Gone)) {
        p.replace(&what, Register::Gone);
    }
    Ok(())
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
