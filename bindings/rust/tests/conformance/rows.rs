//! Rows: indices, stacks, padding, packing, masks and groups.
use crate::json::Json;
use crate::keys::key_of;
use crate::ops::dict;
use crate::program::{Program, Register};
use crate::tensors::dtype;
use tensordict::*;

/// None for an operation that is not here.
pub fn run(p: &mut Program, op: &str) -> Option<Result<()>> {
    Some(match op {
        "index" => p.index(|index| p.td(|d| d.i(index))).and_then(|made| p.put_dict(made)),
        "set_item" => set_item(p),
        "stack" => p.copies("tds").and_then(|dicts| p.put_dict(Dict::stack(&dicts, p.int("dim", 0))?)),
        "cat" => p.copies("tds").and_then(|dicts| p.put_dict(Dict::cat(&dicts, p.int("dim", 0))?)),
        "stack_into" => into(p, |target, dicts, dim| target.fill_with_stack(dicts, dim)),
        "cat_into" => into(p, |target, dicts, dim| target.fill_with_cat(dicts, dim)),
        "pad" => dict(p, |p, d| d.pad(&p.ints("pairs"), p.find("value").map_or(0.0, Json::float))),
        "pad_sequence" => {
            let options = PadSequence {
                pad_dim: p.int("pad_dim", 0),
                value: p.find("value").map_or(0.0, Json::float),
                mask_key: p.find("mask_key").map(key_of),
                ..Default::default()
            };
            p.copies("tds").and_then(|dicts| p.put_dict(Dict::pad_sequence(&dicts, &options)?))
        }
        "unpad_sequence" => dict(p, |p, d| {
            let mask = p.find("mask").map(|spec| p.tensor(spec)).transpose()?;
            let masks = p.find("masks").map(|spec| p.copy(spec)).transpose()?;
            let given = mask.as_ref().map(Masks::Tensor).or(masks.as_ref().map(|masks| Masks::Dict(masks)));
            d.unpad_sequence(p.int("pad_dim", 0), given)
        }),
        "pack" => {
            let dim = p.int("dim", -1);
            let like = p.find("like").map(|spec| p.copy(spec)?.pack(dim)).transpose();
            let made = like.and_then(|like| match like {
                Some((_, layout)) => p.td(|d| d.pack_like(&layout, dim)),
                None => p.td(|d| d.pack(dim)),
            });
            made.and_then(|(flat, layout)| {
                let again = layout.unpack(&flat)?;
                p.put_at(".flat", Register::Tensor(flat));
                let text = Json::Str(layout.to_string());
                p.put_at(".layout", Register::Plain(Json::Object(vec![("value".into(), text)])));
                p.put_at(".made", Register::Dict(again));
                Ok(())
            })
        }
        "unpack" => dict(p, |p, d| d.pack(p.int("dim", -1))?.1.unpack(&p.tensor(p.at("value"))?)),
        "from_schema" => {
            let entry = |spec: &Json| SchemaEntry {
                key: key_of(&spec.array()[0]),
                dtype: dtype(spec.array()[1].str()),
                shape: spec.array()[2].array().iter().map(Json::int).collect(),
            };
            let schema: Vec<_> = p.at("schema").array().iter().map(entry).collect();
            let storage = if p.find("storage").is_some() { Storage::Shared } else { Storage::Memory };
            Dict::from_schema(&schema, &p.ints("batch"), storage).and_then(|made| p.put_dict(made))
        }
        "group_by" => p.td(|d| d.group_by(&p.key("key"))).and_then(|(values, groups)| {
            let values = match values {
                GroupValues::Tensor(tensor) => Register::Tensor(tensor),
                GroupValues::Data(list) => {
                    let stack = crate::observe::data(&list).get("stack").cloned().unwrap_or(Json::Null);
                    Register::Plain(Json::Object(vec![("value".into(), stack)]))
                }
            };
            p.put_at(".values", values);
            p.put_dicts(groups)
        }),
        "gather" => dict(p, |p, d| d.gather(p.at("dim").int(), &p.tensor(p.at("index"))?)),
        "masked_select" => dict(p, |p, d| d.masked_select(&p.tensor(p.at("mask"))?)),
        "masked_fill" => dict(p, |p, d| d.masked_fill(&p.tensor(p.at("mask"))?, p.at("value").float())),
        "masked_fill_" => {
            let value = p.at("value").float();
            p.tensor(p.at("mask")).and_then(|mask| p.td_mut(|d| d.fill_where(&mask, value)))
        }
        "where" => dict(p, |p, d| {
            let other = p.copy(p.at("other"))?;
            d.choose(&p.tensor(p.at("condition"))?, &other, p.find("pad").map(Json::float))
        }),
        "is_in" => {
            let found = p.td(|d| d.is_in(&*p.copy(p.at("reference"))?, &p.key("key"), p.int("dim", 0)));
            found.and_then(|t| p.put_tensor(t))
        }
        "unique" => p.td(|d| d.remove_duplicates(&p.key("key"), p.int("dim", 0))).map(|(rows, inverse)| {
            p.put_at(".0", Register::Dict(rows));
            p.put_at(".1", Register::Tensor(inverse));
        }),
        "expand_right" => p.tensor(p.at("value")).and_then(|t| p.put_tensor(t.expand_right(&p.ints("shape"))?)),
        "expand_as_right" => {
            p.tensor(p.at("value")).and_then(|t| p.put_tensor(t.expand_as_right(&p.tensor(p.at("other"))?)?))
        }
        _ => return None,
    })
}

fn into(p: &mut Program, f: impl FnOnce(&mut Node, &[Dict], i64) -> Result<()>) -> Result<()> {
    let (dicts, dim, target) = (p.copies("tds")?, p.int("dim", 0), p.word("target"));
    p.change(&target, |target| f(target, &dicts, dim))
}

fn set_item(p: &mut Program) -> Result<()> {
    let (name, value) = (p.word("td"), p.at("value").clone());
    let rows = if p.is_dict(&value) { Some(p.copy(&value)?) } else { None };
    // The index borrows tensors of the program while a dict of it changes.
    let tensors = p.registers.iter().filter_map(|(name, register)| match register {
        Register::Tensor(tensor) => Some((name.clone(), Register::Tensor(tensor.clone()))),
        _ => None,
    });
    let arguments = Program { registers: tensors.collect(), step: p.step.clone(), ..Default::default() };
    arguments.index(|index| {
        p.change(&name, |d| match &rows {
            Some(rows) => d.set_at(index, rows),
            None => d.fill_at(index, value.float()),
        })
    })
}
