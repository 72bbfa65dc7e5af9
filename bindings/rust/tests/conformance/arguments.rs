//! The arguments of the step at hand.
use crate::json::Json;
use crate::keys::{key_of, keys_of};
use crate::program::{Program, Register};
use tensordict::{Dict, Index, Item, KeyBuf, Result, Scalar, Tensor, Value};

/// An operand of an operator, kept while it is called.
pub enum Operand {
    Dict(Dict),
    Tensor(Tensor),
    Scalar(Scalar),
    None,
}

impl Operand {
    pub fn value(&self) -> Value<'_> {
        match self {
            Operand::Dict(dict) => dict.into(),
            Operand::Tensor(tensor) => tensor.into(),
            Operand::Scalar(scalar) => (*scalar).into(),
            Operand::None => Value::None,
        }
    }
}

impl Program<'_> {
    pub fn find(&self, name: &str) -> Option<&Json> {
        self.step.as_ref().unwrap().get(name)
    }

    pub fn at(&self, name: &str) -> &Json {
        self.find(name).unwrap_or_else(|| panic!("the step has no {name:?}: {:?}", self.step))
    }

    pub fn word(&self, name: &str) -> String {
        self.at(name).str().to_owned()
    }

    pub fn flag(&self, name: &str, otherwise: bool) -> bool {
        match self.find(name) {
            Some(Json::Bool(truth)) => *truth,
            None => otherwise,
            other => panic!("no truth: {other:?}"),
        }
    }

    pub fn int(&self, name: &str, otherwise: i64) -> i64 {
        self.find(name).map_or(otherwise, Json::int)
    }

    pub fn ints(&self, name: &str) -> Vec<i64> {
        self.find(name).filter(|value| **value != Json::Null).map_or(Vec::new(), Json::ints)
    }

    pub fn key(&self, name: &str) -> KeyBuf {
        key_of(self.at(name))
    }

    pub fn keys(&self, name: &str) -> Vec<KeyBuf> {
        keys_of(self.at(name))
    }

    pub fn texts(&self, name: &str) -> Vec<Option<String>> {
        let text = |one: &Json| if *one == Json::Null { None } else { Some(one.str().to_owned()) };
        match self.at(name) {
            Json::Null => Vec::new(),
            list => list.array().iter().map(text).collect(),
        }
    }

    pub fn tensor(&self, spec: &Json) -> Result<Tensor> {
        match spec {
            Json::Object(_) => crate::tensors::literal(spec),
            name => match self.registers.get(name.str()) {
                Some(Register::Tensor(tensor)) => Ok(tensor.clone()),
                _ => panic!("no tensor: {name:?}"),
            },
        }
    }

    pub fn operand(&self, spec: &Json) -> Result<Operand> {
        Ok(match spec {
            Json::Str(text)
                if ["nan", "inf", "-inf"].contains(&text.as_str()) && !self.registers.contains_key(text) =>
            {
                Operand::Scalar(Scalar::Double(spec.float()))
            }
            spec if self.is_dict(spec) => Operand::Dict(self.copy(spec)?),
            Json::Str(_) | Json::Object(_) => Operand::Tensor(self.tensor(spec)?),
            Json::Bool(truth) => Operand::Scalar(Scalar::Bool(*truth)),
            Json::Int(value) => Operand::Scalar(Scalar::Int(*value)),
            Json::Null => Operand::None,
            other => Operand::Scalar(Scalar::Double(other.float())),
        })
    }

    /// What [`Dict::build`] takes for a number or a tensor.
    pub fn item(&self, spec: &Json) -> Result<Item> {
        Ok(match self.operand(spec)? {
            Operand::Dict(dict) => dict.into(),
            Operand::Tensor(tensor) => tensor.into(),
            Operand::Scalar(Scalar::Int(i)) => i.into(),
            Operand::Scalar(Scalar::Double(f)) => f.into(),
            Operand::Scalar(Scalar::Bool(truth)) => truth.into(),
            Operand::Scalar(Scalar::UInt(_) | Scalar::Complex(..)) => unreachable!("JSON has no such numbers"),
            Operand::None => panic!("no item: {spec:?}"),
        })
    }

    /// Calls `f` with the step's index.
    pub fn index<R>(&self, f: impl FnOnce(&[Index<'_>]) -> Result<R>) -> Result<R> {
        let specs = self.at("index").array();
        let is_tensor = |spec: &&Json| matches!(spec, Json::Object(_)) || matches!(spec, Json::Str(t) if t != "...");
        let tensors: Vec<Tensor> =
            specs.iter().filter(is_tensor).map(|spec| self.tensor(spec)).collect::<Result<_>>()?;
        let mut tensors = tensors.iter();
        let part = |parts: &[Json], at: usize, otherwise| match parts.get(at) {
            None | Some(Json::Null) => otherwise,
            Some(value) => value.int(),
        };
        let components: Vec<Index<'_>> = specs
            .iter()
            .map(|spec| match spec {
                Json::Int(row) => Index::At(*row),
                Json::Null => Index::NewDim,
                Json::Str(text) if text == "..." => Index::Ellipsis,
                Json::Array(parts) => {
                    Index::Slice { start: part(parts, 0, 0), stop: part(parts, 1, i64::MAX), step: part(parts, 2, 1) }
                }
                _ => Index::Tensor(tensors.next().unwrap()),
            })
            .collect();
        f(&components)
    }
}
