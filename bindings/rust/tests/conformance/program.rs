//! A running program: registers, and the arguments of the step at hand.
//!
//! A register that holds a dict owns it. When the dict moves into another one, or is asked for there, the register
//! becomes a way to it: the register of the owner, and the steps from there.
use crate::json::Json;
use std::collections::HashMap;
use tensordict::{Dict, Error, KeyBuf, Node, Result, Tensor};

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
pub struct Program<'a> {
    pub registers: HashMap<String, Register>,
    pub step: Option<Json>,
    /// The number of that step.
    pub index: usize,
    /// The dict that a scope lends its closure, with its name.
    pub lent: Option<(String, &'a mut Node)>,
}

impl Program<'_> {
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
        match (&self.lent, self.registers.get(&root)) {
            (Some((lent, node)), _) if *lent == root => read_on(node, &steps, f),
            (_, Some(Register::Dict(dict))) => read_on(dict, &steps, f),
            _ => panic!("{name} is no dict"),
        }
    }

    pub fn change<R>(&mut self, name: &str, f: impl FnOnce(&mut Node) -> Result<R>) -> Result<R> {
        let (root, steps) = self.way(name);
        match (&mut self.lent, self.registers.get_mut(&root)) {
            (Some((lent, node)), _) if *lent == root => change_on(node, &steps, f),
            (_, Some(Register::Dict(dict))) => change_on(dict, &steps, f),
            _ => panic!("{name} is no dict"),
        }
    }

    /// As `change`, where `f` also gets the rest of the program: all but the dict that the register leads into.
    pub fn change_beside<R, E: From<Error>>(
        &mut self,
        name: &str,
        f: impl FnOnce(&mut Node, &mut Self) -> std::result::Result<R, E>,
    ) -> std::result::Result<R, E> {
        let (root, steps) = self.way(name);
        let mut dict = match self.registers.remove(&root) {
            Some(Register::Dict(dict)) => dict,
            _ => panic!("{name} is no dict"),
        };
        let result = change_on(&mut dict, &steps, |node| f(node, self));
        self.registers.insert(root, Register::Dict(dict));
        result
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
        let leads = |program: &Program<'_>, way: &str| way == name || program.way(way).0 == name;
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

fn change_on<R, E: From<Error>, F>(node: &mut Node, steps: &[Step], f: F) -> std::result::Result<R, E>
where
    F: FnOnce(&mut Node) -> std::result::Result<R, E>,
{
    match steps {
        [] => f(node),
        [Step::Key(key), rest @ ..] => change_on(&mut *node.get_dict_mut(key)?, rest, f),
        [Step::Member(index), rest @ ..] => change_on(&mut *node.member_mut(*index)?, rest, f),
    }
}
