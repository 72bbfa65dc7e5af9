//! What the registers hold at the end, and whether that is what was expected.
//!
//! A dict is shown wherever it stands: that two registers hold one object is nothing that a program in Rust can see.
//! That two tensors have one memory it can, so that tensors carry a class of those that overlap, and the byte where
//! they begin.
use crate::json::Json;
use crate::program::{Program, Register};
use crate::tensors::{elements, extent, number};
use std::collections::HashMap;
use tensordict::{Data, DataList, DictKind, Entry, KeyBuf, Keys, Node, Result, Tensor};

fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn ints(values: &[i64]) -> Json {
    Json::Array(values.iter().copied().map(Json::Int).collect())
}

pub fn data(list: &DataList) -> Json {
    fn plain(value: Data<'_>) -> Json {
        match value {
            Data::None => Json::Null,
            Data::Bool(truth) => Json::Bool(truth),
            Data::Int(i) => Json::Int(i),
            Data::Double(f) => number(f),
            Data::Str(text) => Json::Str(text.to_owned()),
            Data::Json(text) => Json::parse(text),
            other => panic!("{other:?} in a program"),
        }
    }
    fn nested(values: &mut dyn Iterator<Item = Json>, shape: &[i64]) -> Json {
        match shape {
            [] => values.next().unwrap(),
            [size, rest @ ..] => Json::Array((0..*size).map(|_| nested(values, rest)).collect()),
        }
    }
    let mut values = list.iter().map(plain);
    if list.is_stack() {
        return object(vec![("stack", nested(&mut values, &list.shape()))]);
    }
    object(vec![("one", values.next().unwrap())])
}

#[derive(Default)]
struct Observer {
    // Kept alive so that no address is used twice.
    tensors: Vec<Tensor>,
}

impl Observer {
    fn tensor(&mut self, tensor: Tensor) -> Result<Json> {
        let mut members = vec![
            ("dtype", Json::Str(tensor.dtype().to_string())),
            ("shape", ints(&tensor.shape())),
            ("data", Json::Array(elements(&tensor)?)),
        ];
        if tensor.requires_grad() {
            members.push(("requires_grad", Json::Bool(true)));
        }
        members.push(("tensor", Json::Int(self.tensors.len() as i64)));
        self.tensors.push(tensor);
        Ok(object(members))
    }

    fn dict(&mut self, dict: &Node) -> Result<Json> {
        let mut members = vec![("batch", ints(&dict.batch_size()))];
        let names = dict.names()?;
        if names.iter().any(Option::is_some) {
            let name = |name: Option<String>| name.map_or(Json::Null, Json::Str);
            members.push(("names", Json::Array(names.into_iter().map(name).collect())));
        }
        if dict.is_locked() {
            members.push(("locked", Json::Bool(true)));
        }
        if let Some(device) = dict.device() {
            members.push(("device", Json::Str(device.to_owned())));
        }
        if let (DictKind::LazyStack, Some(dim)) = (dict.kind(), dict.stack_dim()) {
            let keys = dict.keys(Keys::Here)?.iter().map(|key| Json::Str(key.name().to_owned())).collect();
            let inside: Result<Vec<Json>> = dict.members()?.iter().map(|member| self.dict(member)).collect();
            members.push(("stack_dim", Json::Int(dim as i64)));
            members.push(("keys", Json::Array(keys)));
            members.push(("members", Json::Array(inside?)));
            return Ok(object(members));
        }
        if dict.kind() == DictKind::Params {
            members.push(("kind", Json::Str("params".into())));
        }
        let mut entries = Vec::new();
        for key in dict.keys(Keys::Here)? {
            entries.push((key.name().to_owned(), self.entry(dict, &key)?));
        }
        members.push(("entries", Json::Object(entries)));
        Ok(object(members))
    }

    fn entry(&mut self, dict: &Node, key: &KeyBuf) -> Result<Json> {
        match dict.find(key)? {
            Some(Entry::Tensor(tensor)) => {
                let mut seen = self.tensor(tensor)?;
                if let (Json::Object(members), true) = (&mut seen, dict.is_unbatched(key)?) {
                    members.push(("unbatched".into(), Json::Bool(true)));
                }
                Ok(seen)
            }
            Some(Entry::Dict(inner)) => self.dict(&inner),
            Some(Entry::Data(list)) => Ok(data(&list)),
            None => panic!("{key} is listed and not there"),
        }
    }

    /// For each tensor a class of those whose bytes overlap, and where it begins in it.
    fn memory(&self) -> Result<Vec<(i64, i64)>> {
        let mut spans = Vec::new();
        for (place, tensor) in self.tensors.iter().enumerate() {
            let (start, stop) = extent(tensor)?;
            spans.push((start, stop, place));
        }
        spans.sort_unstable();
        let mut memory = vec![(-1, 0); spans.len()];
        let (mut class, mut base, mut end) = (-1, 0, 0);
        for (start, stop, place) in spans.into_iter().filter(|(start, stop, _)| start != stop) {
            if class < 0 || start >= end {
                class += 1;
                base = start;
                end = stop;
            }
            end = end.max(stop);
            memory[place] = (class, (start - base) as i64);
        }
        Ok(memory)
    }
}

/// The registers with these names.
pub fn observe(program: &Program, names: &[&str]) -> Result<Json> {
    let mut observer = Observer::default();
    let mut seen = Vec::new();
    for name in names {
        let shown = match program.registers.get(*name) {
            Some(Register::Plain(value)) => value.clone(),
            Some(Register::Tensor(tensor)) => observer.tensor(tensor.clone())?,
            Some(Register::Gone) | None => continue,
            Some(_) => program.read(name, |dict| observer.dict(dict))?,
        };
        seen.push(((*name).to_owned(), shown));
    }
    let memory = observer.memory()?;
    let place = |value: &Json| value.get("tensor").map(|place| memory[place.int() as usize]);
    Ok(classes(&Json::Object(seen), &place))
}

/// What was expected, with dicts shown wherever they stand.
pub fn expected(registers: &Json, names: &[&str]) -> Json {
    fn expand(value: &Json, known: &mut HashMap<i64, Json>, tensors: &mut i64) -> Json {
        let members = match value {
            Json::Object(members) => members,
            Json::Array(items) => {
                return Json::Array(items.iter().map(|item| expand(item, known, tensors)).collect());
            }
            other => return other.clone(),
        };
        if let [(name, number)] = members.as_slice() {
            match known.get(&number_of(number)) {
                Some(same) if name == "same" => return same.clone(),
                _ => {}
            }
        }
        if value.get("dtype").is_some() {
            let mut tensor = members.clone();
            // A tensor without a class of memory is in one of its own, which copies of it share.
            *tensors += 1;
            tensor.push(("alone".to_owned(), Json::Int(*tensors)));
            return Json::Object(tensor);
        }
        let inner = members.iter().filter(|(name, _)| name != "dict");
        let whole = Json::Object(inner.map(|(name, v)| (name.clone(), expand(v, known, tensors))).collect());
        if let (Some(number), Some(_)) = (value.get("dict"), value.get("batch")) {
            known.insert(number.int(), whole.clone());
        }
        whole
    }
    fn number_of(value: &Json) -> i64 {
        if let Json::Int(number) = value {
            *number
        } else {
            -1
        }
    }
    let (mut known, mut tensors) = (HashMap::new(), 1 << 20);
    let all = expand(registers, &mut known, &mut tensors);
    let shown = names.iter().filter_map(|name| Some(((*name).to_owned(), all.get(name)?.clone()))).collect();
    let place = |value: &Json| {
        value.get("dtype")?;
        Some(match value.get("memory") {
            Some(memory) => (memory.array()[0].int(), memory.array()[1].int()),
            None if value.get("data")?.array().is_empty() => (-1, 0),
            None => (value.get("alone")?.int(), 0),
        })
    };
    classes(&Json::Object(shown), &place)
}

/// Numbers the classes of memory in the order in which they are met; those of one tensor only are left out.
fn classes(value: &Json, place: &dyn Fn(&Json) -> Option<(i64, i64)>) -> Json {
    fn count(value: &Json, place: &dyn Fn(&Json) -> Option<(i64, i64)>, counts: &mut HashMap<i64, usize>) {
        match (place(value), value) {
            (Some((class, _)), _) => *counts.entry(class).or_default() += 1,
            (_, Json::Object(members)) => members.iter().for_each(|(_, inner)| count(inner, place, counts)),
            (_, Json::Array(items)) => items.iter().for_each(|inner| count(inner, place, counts)),
            _ => {}
        }
    }
    fn number(
        value: &Json,
        place: &dyn Fn(&Json) -> Option<(i64, i64)>,
        counts: &HashMap<i64, usize>,
        order: &mut Vec<i64>,
    ) -> Json {
        match (place(value), value) {
            (Some((class, byte)), Json::Object(members)) => {
                let kept = |(name, _): &&(String, Json)| !["tensor", "alone", "memory"].contains(&name.as_str());
                let mut tensor: Vec<_> = members.iter().filter(kept).cloned().collect();
                if class >= 0 && counts[&class] > 1 {
                    let at = order.iter().position(|known| *known == class).unwrap_or_else(|| {
                        order.push(class);
                        order.len() - 1
                    });
                    tensor.push(("memory".into(), Json::Array(vec![Json::Int(at as i64), Json::Int(byte)])));
                }
                Json::Object(tensor)
            }
            (_, Json::Object(members)) => {
                let inner = members.iter().map(|(name, inner)| (name.clone(), number(inner, place, counts, order)));
                Json::Object(inner.collect())
            }
            (_, Json::Array(items)) => {
                Json::Array(items.iter().map(|inner| number(inner, place, counts, order)).collect())
            }
            (_, other) => other.clone(),
        }
    }
    let mut counts = HashMap::new();
    count(value, place, &mut counts);
    number(value, place, &counts, &mut Vec::new())
}

/// The first difference, if there is one.
pub fn difference(expected: &Json, got: &Json, at: &str, within: f64) -> Option<String> {
    let differ = || Some(format!("{at}: expected {}, got {}", brief(expected), brief(got)));
    match (expected, got) {
        (Json::Object(a), Json::Object(b)) => {
            let dtype = expected.get("dtype").filter(|dtype| matches!(dtype, Json::Str(_)));
            let within = dtype.map_or(1e-9, |dtype| tolerance(dtype.str()));
            for (name, value) in a {
                match got.get(name) {
                    Some(other) => {
                        if let Some(found) = difference(value, other, &format!("{at}/{name}"), within) {
                            return Some(found);
                        }
                    }
                    None => return Some(format!("{at}/{name}: expected {}, is missing", brief(value))),
                }
            }
            let unexpected = b.iter().find(|(name, _)| expected.get(name).is_none());
            if let Some((name, value)) = unexpected {
                return Some(format!("{at}/{name}: not expected, got {}", brief(value)));
            }
            let order = |members: &[(String, Json)]| members.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            (at.ends_with("/entries") && order(a) != order(b)).then(|| format!("{at}: another order"))
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(index, (a, b))| difference(a, b, &format!("{at}[{index}]"), within))
        }
        (Json::Int(a), Json::Int(b)) if a == b => None,
        (Json::Int(_), Json::Int(_)) => differ(),
        (Json::Int(_) | Json::Float(_), Json::Int(_) | Json::Float(_)) => {
            let (x, y) = (expected.float(), got.float());
            if (x - y).abs() <= within * 1f64.max(x.abs()).max(y.abs()) {
                None
            } else {
                differ()
            }
        }
        (a, b) if a == b => None,
        _ => differ(),
    }
}

fn tolerance(dtype: &str) -> f64 {
    match dtype {
        "float16" => 2e-3,
        "bfloat16" => 2e-2,
        "float32" | "complex64" => 2e-5,
        _ => 1e-9,
    }
}

fn brief(value: &Json) -> String {
    value.write().chars().take(160).collect()
}
