//! Rows, shapes, math and lazy stacks.
use crate::json::Json;
use crate::program::{Operand, Program, Register, Step};
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
                mask_key: p.find("mask_key").map(crate::program::key_of),
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
                key: crate::program::key_of(&spec.array()[0]),
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

        "pointwise" => pointwise(p),
        "reduce" => reduce(p),
        "reduce_all" => {
            let made = with_kwargs(p, |kwargs| {
                let op = Op::find(p.at("call").str())?;
                p.td(|d| d.reduce_all(&op, kwargs, &over(p)))
            });
            made.and_then(|t| p.put_tensor(t))
        }
        "all" => p.td(|d| d.all()).and_then(|truth| p.put_value(Json::Bool(truth))),
        "any" => p.td(|d| d.any()).and_then(|truth| p.put_value(Json::Bool(truth))),
        "map" => map(p),
        "merge_with" => merge_with(p),
        "torch" => aten(p),

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

fn dict(p: &mut Program, f: impl FnOnce(&Program, &Node) -> Result<Dict>) -> Result<()> {
    let made = p.td(|d| f(p, d))?;
    p.put_dict(made)
}

fn dicts(p: &mut Program, f: impl FnOnce(&Program, &Node) -> Result<Vec<Dict>>) -> Result<()> {
    let made = p.td(|d| f(p, d))?;
    p.put_dicts(made)
}

fn into(p: &mut Program, f: impl FnOnce(&mut Node, &[Dict], i64) -> Result<()>) -> Result<()> {
    let (dicts, dim, target) = (p.copies("tds")?, p.int("dim", 0), p.word("target"));
    p.change(&target, |target| f(target, &dicts, dim))
}

fn set_item(p: &mut Program) -> Result<()> {
    let (name, value) = (p.word("td"), p.at("value").clone());
    let rows = if p.is_dict(&value) { Some(p.copy(&value)?) } else { None };
    // The index borrows tensors of the program while a dict of it changes.
    let mut target = Program { registers: std::mem::take(&mut p.registers), step: None };
    let tensors = target.registers.iter().filter_map(|(name, register)| match register {
        Register::Tensor(tensor) => Some((name.clone(), Register::Tensor(tensor.clone()))),
        _ => None,
    });
    p.registers = tensors.collect();
    let result = p.index(|index| {
        target.change(&name, |d| match &rows {
            Some(rows) => d.set_at(index, rows),
            None => d.fill_at(index, value.float()),
        })
    });
    p.registers = target.registers;
    result
}

fn with_kwargs<R>(p: &Program, f: impl FnOnce(&[(&str, Value<'_>)]) -> Result<R>) -> Result<R> {
    let given: Vec<(String, Json)> = p.find("kwargs").map_or(Vec::new(), |kwargs| kwargs.object().to_vec());
    let operands: Result<Vec<Operand>> =
        given.iter().map(|(name, spec)| if name == "dtype" { Ok(Operand::None) } else { p.operand(spec) }).collect();
    let operands = operands?;
    let value = |(name, spec): &(String, Json), operand| match name.as_str() {
        "dtype" => Value::Dtype(dtype(spec.str())),
        _ => Operand::value(operand),
    };
    let kwargs: Vec<(&str, Value<'_>)> =
        given.iter().zip(&operands).map(|(one, operand)| (one.0.as_str(), value(one, operand))).collect();
    f(&kwargs)
}

fn pointwise(p: &mut Program) -> Result<()> {
    let (name, specs) = (p.word("call"), p.at("operands").array().to_vec());
    let op = Op::find(&name)?;
    let operands: Vec<Operand> = specs.iter().map(|spec| p.operand(spec)).collect::<Result<_>>()?;
    let fill = match p.find("default") {
        Some(Json::Str(text)) if text == "intersection" => None,
        Some(spec) => Some(p.operand(spec)?),
        None => None,
    };
    let missing = match (&fill, p.find("default")) {
        (Some(fill), _) => Missing::Fill(fill.value()),
        (None, Some(_)) => Missing::Skip,
        (None, None) => Missing::Error,
    };
    // An operator in place writes through the copy, which shares the tensors.
    let values: Vec<Value<'_>> = operands.iter().map(Operand::value).collect();
    let made = with_kwargs(p, |kwargs| op.pointwise_with(&values, kwargs, missing))?;
    match name.ends_with('_') {
        true => Ok(()),
        false => p.put_dict(made),
    }
}

fn over(p: &Program) -> Reduce {
    Reduce { dims: p.ints("dims"), keepdim: p.flag("keepdim", false), feature: p.flag("feature", false) }
}

fn reduce(p: &mut Program) -> Result<()> {
    let mut made = with_kwargs(p, |kwargs| {
        let op = Op::find(p.at("call").str())?;
        p.td(|d| d.reduce_with(&op, kwargs, &over(p)))
    })?;
    match made.len() {
        1 => p.put_dict(made.remove(0)),
        _ => p.put_dicts(made),
    }
}

fn mapped(name: &str, key: &KeyBuf, tensors: &[Option<&Tensor>]) -> Result<Option<Tensor>> {
    let first = tensors[0].expect("the leaf itself");
    Ok(Some(match name {
        "add_one" => (first + 1)?,
        "first_row" => first.op("select", &[0.into(), 0.into()])?,
        "drop_a" if key.name() == "a" => return Ok(None),
        "drop_a" => (first * 2)?,
        "total" => {
            let mut sum = (first + 0)?;
            for tensor in tensors[1..].iter().flatten() {
                sum = (&sum + *tensor)?;
            }
            sum
        }
        _ => first.clone(),
    }))
}

fn map(p: &mut Program) -> Result<()> {
    let name = p.word("fn");
    let options = MapOptions {
        batch_size: p.find("batch").map(Json::ints),
        emptied: match p.find("emptied").map_or("drop", Json::str) {
            "keep" => Emptied::Keep,
            "drop_all" => Emptied::DropAll,
            _ => Emptied::Drop,
        },
        missing_as_none: p.flag("missing_as_null", false),
    };
    if p.flag("inplace", false) {
        p.td_mut(|d| d.map_in_place(|key, tensor| Ok(mapped(&name, key, &[Some(tensor)])?)))?;
        let td = p.word("td");
        p.put(Register::Way(td, Vec::new()));
        return Ok(());
    }
    let others = if p.find("others").is_some() { p.copies("others")? } else { Vec::new() };
    let mut made = p.td(|d| d.map_with(&others, &options, |key, tensors| Ok(mapped(&name, key, tensors)?)))?;
    if let Some(over_data) = p.find("data").map(Json::str) {
        let no_others: [&Dict; 0] = [];
        made = made.map_data(&no_others, |_, lists| Ok(mapped_data(over_data, lists[0].unwrap())?))?;
    }
    p.put_dict(made)
}

fn merge_with(p: &mut Program) -> Result<()> {
    let (dicts, name) = (p.copies("tds")?, p.word("fn"));
    let made = Dict::merge_with(&dicts, |key, tensors| {
        let tensors: Vec<Option<&Tensor>> = tensors.iter().copied().map(Some).collect();
        Ok(mapped(&name, key, &tensors)?)
    })?;
    p.put_dict(made)
}

fn mapped_data(name: &str, list: &DataList) -> Result<MappedData> {
    Ok(match name {
        "itself" => MappedData::Data(list.clone()),
        "text" => MappedData::Data(DataList::one("z")?),
        "ones" => MappedData::Tensor(Tensor::ones(&list.shape(), Dtype::Float32)?),
        _ => MappedData::None,
    })
}

fn aten(p: &mut Program) -> Result<()> {
    let overload = p.find("overload").filter(|overload| **overload != Json::Null).map(Json::str);
    let op = Op::find_overload(p.at("call").str(), overload)?;
    let operands: Vec<Operand> = p.at("args").array().iter().map(|spec| p.operand(spec)).collect::<Result<_>>()?;
    let values: Vec<Value<'_>> = operands.iter().map(Operand::value).collect();
    let made = op.call(&values)?;
    p.put_tensor(made)
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
    p.put_dict(dict.into_params_with(no_convert, lock)?)
}

fn listed(p: &mut Program, f: impl FnOnce(&Node) -> Result<Vec<(KeyBuf, Tensor)>>) -> Result<()> {
    let names = p.td(f)?;
    let text = |(key, _): &(KeyBuf, Tensor)| Json::Str(key.parts().join("."));
    p.put_value(Json::Array(names.iter().map(text).collect()))
}
