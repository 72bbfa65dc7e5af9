//! A running program: registers, and the arguments of the step at hand.
//!
//! A register that holds a dict owns it. When the dict moves into another one, or is asked for there, the register
//! becomes a
//! way to it: the register of the owner, and the steps from there.
use crate::json::Json;
use std::collections::HashMap;
use tensordict::{Dict, Index, Item, KeyBuf, Node, Result, Scalar, Tensor, Value};

pub enum Register {
    Dict(Dict),
    Tensor(Tensor),
    Plain(Json),
    Way(String, Vec<Step>),
    /// The dict was made into something else, as Python's cannot be.
    Gone,
}

#[derive(Clone)]
pub enum Step {
    Key(KeyBuf),
    Member(usize),
}

#[derive(Default)]
pub struct Program {
    pub registers: HashMap<String, Register>,
    pub step: Option<Json>,
}

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

pub fn key_of(spec: &Json) -> KeyBuf {
    match spec {
        Json::Array(parts) => parts.iter().map(|part| part.str().to_owned()).collect(),
        one => KeyBuf::from(one.str()),
    }
}

impl Program {
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
        self.at(name).array().iter().map(key_of).collect()
    }

    pub fn texts(&self, name: &str) -> Vec<Option<String>> {
        let text = |one: &Json| if *one == Json::Null { None } else { Some(one.str().to_owned()) };
        match self.at(name) {
            Json::Null => Vec::new(),
            list => list.array().iter().map(text).collect(),
        }
    }

    /// The owner of a register and the way from there.
    fn way(&self, name: &str) -> (String, Vec<Step>) {
        match self.registers.get(name) {
            Some(Register::Way(owner, steps)) if owner != name => {
                let (root, mut whole) = self.way(owner);
                whole.extend(steps.iter().cloned());
                (root, whole)
            }
            _ => (name.to_owned(), Vec::new()),
        }
    }

    pub fn is_dict(&self, spec: &Json) -> bool {
        let register = |text: &String| matches!(self.registers.get(text), Some(Register::Dict(_) | Register::Way(..)));
        matches!(spec, Json::Str(text) if register(text))
    }

    /// Whether a register still holds something: a dict that was lent goes with its place.
    pub fn holds(&self, name: &str) -> bool {
        match self.registers.get(name) {
            Some(Register::Way(..)) => {
                let (root, _) = self.way(name);
                matches!(self.registers.get(&root), Some(Register::Dict(_))) && self.read(name, |_| Ok(())).is_ok()
            }
            register => !matches!(register, Some(Register::Gone)),
        }
    }

    pub fn read<R>(&self, name: &str, f: impl FnOnce(&Node) -> Result<R>) -> Result<R> {
        let (root, steps) = self.way(name);
        match &self.registers[&root] {
            Register::Dict(dict) => read_on(dict, &steps, f),
            _ => panic!("{name} is no dict"),
        }
    }

    pub fn change<R>(&mut self, name: &str, f: impl FnOnce(&mut Node) -> Result<R>) -> Result<R> {
        let (root, steps) = self.way(name);
        match self.registers.get_mut(&root) {
            Some(Register::Dict(dict)) => change_on(dict, &steps, f),
            _ => panic!("{name} is no dict"),
        }
    }

    /// The dict of "td".
    pub fn td<R>(&self, f: impl FnOnce(&Node) -> Result<R>) -> Result<R> {
        self.read(self.at("td").str(), f)
    }

    pub fn td_mut<R>(&mut self, f: impl FnOnce(&mut Node) -> Result<R>) -> Result<R> {
        let name = self.word("td");
        self.change(&name, f)
    }

    /// A dict with nodes of its own and the same tensors and locks.
    pub fn copy(&self, spec: &Json) -> Result<Dict> {
        self.read(spec.str(), |dict| {
            let mut copy = dict.copy()?;
            if dict.is_locked() {
                copy.lock()?;
            }
            Ok(copy)
        })
    }

    pub fn copies(&self, name: &str) -> Result<Vec<Dict>> {
        self.at(name).array().iter().map(|spec| self.copy(spec)).collect()
    }

    /// The dict of a register, to be moved; a copy if another dict has it already.
    pub fn take(&mut self, name: &str, to: Register) -> Result<Dict> {
        if let Some(Register::Dict(_)) = self.registers.get(name) {
            match self.registers.insert(name.to_owned(), to) {
                Some(Register::Dict(dict)) => return Ok(dict),
                _ => unreachable!(),
            }
        }
        self.copy(&Json::Str(name.to_owned()))
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

    pub fn put(&mut self, register: Register) {
        self.put_at("", register);
    }

    pub fn put_at(&mut self, suffix: &str, register: Register) {
        if let Some(to) = self.find("to").cloned() {
            self.replace(&(to.str().to_owned() + suffix), register);
        }
    }

    /// Puts another register in the place of one; what led through it goes on with a copy, as its owner goes.
    pub fn replace(&mut self, name: &str, mut register: Register) {
        let leads = |program: &Self, way: &str| way == name || program.way(way).0 == name;
        let ways: Vec<String> = self
            .registers
            .iter()
            .filter(|(way, held)| matches!(held, Register::Way(..)) && way.as_str() != name && leads(self, way))
            // Of a dict that is being made, the ways are there before it.
            .filter(|_| self.registers.contains_key(name))
            .map(|(way, _)| way.clone())
            .collect();
        for way in ways {
            if let Ok(copy) = self.copy(&Json::Str(way.clone())) {
                self.registers.insert(way, Register::Dict(copy));
            }
        }
        if let Register::Way(owner, steps) = &register {
            if self.registers.contains_key(owner) && leads(self, owner) {
                let whole = Register::Way(owner.clone(), steps.clone());
                self.registers.insert("(new)".to_owned(), whole);
                let copy = self.copy(&Json::Str("(new)".to_owned()));
                self.registers.remove("(new)");
                register = copy.map_or(Register::Gone, Register::Dict);
            }
        }
        self.registers.insert(name.to_owned(), register);
    }

    pub fn put_dict(&mut self, dict: Dict) -> Result<()> {
        self.put(Register::Dict(dict));
        Ok(())
    }

    pub fn put_tensor(&mut self, tensor: Tensor) -> Result<()> {
        self.put(Register::Tensor(tensor));
        Ok(())
    }

    pub fn put_dicts(&mut self, dicts: Vec<Dict>) -> Result<()> {
        for (index, dict) in dicts.into_iter().enumerate() {
            self.put_at(&format!(".{index}"), Register::Dict(dict));
        }
        Ok(())
    }

    pub fn put_tensors(&mut self, tensors: impl IntoIterator<Item = Tensor>) -> Result<()> {
        for (index, tensor) in tensors.into_iter().enumerate() {
            self.put_at(&format!(".{index}"), Register::Tensor(tensor));
        }
        Ok(())
    }

    pub fn put_value(&mut self, value: Json) -> Result<()> {
        self.put(Register::Plain(Json::Object(vec![("value".into(), value)])));
        Ok(())
    }
}

fn read_on<R>(node: &Node, steps: &[Step], f: impl FnOnce(&Node) -> Result<R>) -> Result<R> {
    match steps {
        [] => f(node),
        [Step::Key(key), rest @ ..] => read_on(&**node.get_dict(key)?, rest, f),
        [Step::Member(index), rest @ ..] => read_on(&node.members()?[*index], rest, f),
    }
}

fn change_on<R>(node: &mut Node, steps: &[Step], f: impl FnOnce(&mut Node) -> Result<R>) -> Result<R> {
    // The recursion is over a type of closure that stays the same.
    fn boxed<R>(node: &mut Node, steps: &[Step], f: Box<dyn FnOnce(&mut Node) -> Result<R> + '_>) -> Result<R> {
        match steps {
            [] => f(node),
            [Step::Key(key), rest @ ..] => boxed(&mut *node.get_dict_mut(key)?, rest, f),
            [Step::Member(index), rest @ ..] => boxed(&mut *node.member_mut(*index)?, rest, f),
        }
    }
    boxed(node, steps, Box::new(f))
}
