//! Operators, reductions, and closures over leaves.
use crate::arguments::Operand;
use crate::json::Json;
use crate::program::{Program, Register};
use crate::tensors::dtype;
use tensordict::*;

/// None for an operation that is not here.
pub fn run(p: &mut Program, op: &str) -> Option<Result<()>> {
    Some(match op {
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
        _ => return None,
    })
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
        let mut over = |_: &KeyBuf, lists: &[Option<&DataList>]| Ok(mapped_data(over_data, lists[0].unwrap())?);
        made = match p.find("emptied") {
            Some(_) => made.map_data_with(&no_others, &options, &mut over)?,
            None => made.map_data(&no_others, &mut over)?,
        };
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
