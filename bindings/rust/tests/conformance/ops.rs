//! The operations, by their names.
use crate::json::Json;
use crate::program::Program;
use crate::{entries, lazy, math, rows, shapes, structure};
use tensordict::{Dict, KeyBuf, Node, Result};

/// None for an operation that is not offered.
pub fn run(p: &mut Program, op: &str) -> Option<Result<()>> {
    let files = [entries::run, structure::run, rows::run, shapes::run, math::run, lazy::run];
    files.iter().find_map(|run| run(p, op))
}

pub fn dict(p: &mut Program, f: impl FnOnce(&Program, &Node) -> Result<Dict>) -> Result<()> {
    let made = p.td(|d| f(p, d))?;
    p.put_dict(made)
}

pub fn number(p: &mut Program, f: impl FnOnce(&Node) -> i64) -> Result<()> {
    let value = p.td(|d| Ok(f(d)))?;
    p.put_value(Json::Int(value))
}

pub fn truth(p: &mut Program, f: impl FnOnce(&Node) -> bool) -> Result<()> {
    let value = p.td(|d| Ok(f(d)))?;
    p.put_value(Json::Bool(value))
}

pub fn with_key(p: &mut Program, f: impl FnOnce(&mut Node, &KeyBuf) -> Result<()>) -> Result<()> {
    let key = p.key("key");
    p.td_mut(|d| f(d, &key))
}
