//! Keys, names, copies, gradients and states of whole dicts.
use crate::json::Json;
use crate::keys::keys_of;
use crate::ops::dict;
use crate::program::Program;
use crate::tensors::dtype;
use tensordict::*;

/// None for an operation that is not here.
pub fn run(p: &mut Program, op: &str) -> Option<Result<()>> {
    Some(match op {
        "keys" => list_keys(p),
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
            let sets: Vec<Vec<KeyBuf>> = p.at("sets").array().iter().map(keys_of).collect();
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

fn separates(p: &mut Program) -> Result<()> {
    let keys = p.keys("keys");
    let options = SeparateOptions {
        strict: p.flag("strict", true),
        keep_empty: p.flag("keep_empty", false),
        fill: p.find("fill").map(|spec| p.tensor(spec)).transpose()?,
    };
    let made = p.td_mut(|d| d.separate_with(&keys, &options))?;
    p.put_dict(made)
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
