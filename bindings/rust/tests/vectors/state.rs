//! The state of modules: from_module(s), stack_module_state.
use crate::json::Json;
use crate::values::{flag, leaf_keys, refused};
use std::collections::BTreeMap;
use tensordict::{Dict, DictKind, FromModules, Generator, Module, Node, Result};

/// Sequential(Linear(2, 3), ReLU, Sequential(BatchNorm1d(3), Linear(3, 1, bias=False)))
fn nested_network(seed: u64) -> Result<Module> {
    let mut rng = Generator::new(seed)?;
    let norm = Module::create("td.batch_norm1d", r#"{"num_features": 3}"#, None)?;
    let config = r#"{"in_features": 3, "out_features": 1, "bias": false}"#;
    let inner = vec![norm, Module::create("td.linear", config, Some(&mut rng))?];
    let first = Module::create("td.linear", r#"{"in_features": 2, "out_features": 3}"#, Some(&mut rng))?;
    let relu = Module::create("td.relu", "{}", None)?;
    Module::chain(vec![first, relu, Module::chain(inner, None)?], None)
}

/// A module whose tensors are those of `other`.
fn network_over(other: &Module) -> Result<Module> {
    let mut made = nested_network(0)?;
    for (name, parameter) in other.parameters()? {
        made.set_parameter(&name, Some(&parameter))?;
    }
    for (name, buffer) in other.buffers()? {
        made.set_buffer(&name, Some(&buffer))?;
    }
    Ok(made)
}

fn linear(out: i64, bias: bool) -> Result<Module> {
    Module::create("td.linear", &format!(r#"{{"in_features": 1, "out_features": {out}, "bias": {bias}}}"#), None)
}

fn check_leaves(d: &Node, leaves: &Json) -> Result<()> {
    let keys: BTreeMap<_, _> = leaf_keys(d)?.into_iter().map(|key| (key.parts().join("."), key)).collect();
    assert_eq!(keys.len(), leaves.object().len(), "the number of leaves");
    for (name, leaf) in leaves.object() {
        let t = d.get(keys.get(name).unwrap_or_else(|| panic!("there is no {name}")))?;
        assert_eq!(t.shape(), leaf.at("shape").ints(), "the shape of {name}");
        assert_eq!(t.dtype().to_string(), leaf.at("dtype").str(), "the dtype of {name}");
        assert_eq!(t.requires_grad(), flag(leaf, "requires_grad"), "requires_grad of {name}");
        if let Some(stride) = leaf.get("stride0") {
            assert_eq!(t.strides()[0], stride.int(), "the first stride of {name}");
        }
    }
    Ok(())
}

pub fn from_module(v: &Json) -> Result<()> {
    check_leaves(&*Dict::from_module(&nested_network(0)?)?, v.at("leaves"))
}

fn options_of(kwargs: &Json) -> FromModules {
    FromModules {
        expand_identical: flag(kwargs, "expand_identical"),
        lazy_stack: flag(kwargs, "lazy_stack"),
        as_module: flag(kwargs, "as_module"),
        use_state_dict: flag(kwargs, "use_state_dict"),
        ..Default::default()
    }
}

pub fn from_modules(v: &Json) -> Result<()> {
    let n = v.at("leaves").object()[0].1.at("shape").ints()[0];
    let mut modules = vec![nested_network(0)?];
    for seed in 1..n as u64 {
        modules.push(if flag(v, "shared") { network_over(&modules[0])? } else { nested_network(seed)? });
    }
    let mut options = v.get("kwargs").map_or(FromModules::default(), options_of);
    options.use_state_dict |= v.at("id").str() == "from_modules.use_state_dict";
    let state = Dict::from_modules_with(&modules, options)?;
    check_leaves(&state, v.at("leaves"))?;
    assert_eq!(state.batch_size(), [n], "the batch size");
    if let Some(locked) = v.get("locked") {
        assert_eq!(Json::Bool(state.is_locked()), *locked, "the lock");
    }
    if v.get("kwargs").is_some() {
        let kind = match options {
            FromModules { as_module: true, .. } => DictKind::Params,
            FromModules { lazy_stack: true, .. } => DictKind::LazyStack,
            _ => DictKind::TensorDict,
        };
        assert_eq!(state.kind(), kind, "the kind of dict");
    }
    Ok(())
}

fn says(v: &Json, part: &str) -> bool {
    v.at("id").str().contains(part)
}

pub fn from_modules_error(v: &Json) -> Result<()> {
    let modules = match says(v, "none") {
        true => Vec::new(),
        false => {
            vec![linear(1, true)?, if says(v, "shape") { linear(2, true)? } else { linear(1, !says(v, "missing"))? }]
        }
    };
    refused(Dict::from_modules_with(&modules, options_of(v.at("kwargs"))), "from_modules");
    Ok(())
}

/// {name: [shape, requires_grad]}
fn check_stacked(d: &Node, leaves: &Json) -> Result<()> {
    assert_eq!(leaf_keys(d)?.len(), leaves.object().len(), "the number of leaves");
    for (name, leaf) in leaves.object() {
        let t = d.get(name)?;
        assert_eq!(t.shape(), leaf.array()[0].ints(), "the shape of {name}");
        assert_eq!(Json::Bool(t.requires_grad()), leaf.array()[1], "requires_grad of {name}");
    }
    Ok(())
}

pub fn stack_state(v: &Json) -> Result<()> {
    let (params, buffers) = Module::stack_state(&[nested_network(0)?, nested_network(1)?])?;
    check_stacked(&params, v.at("params"))?;
    check_stacked(&buffers, v.at("buffers"))
}

pub fn stack_state_error(v: &Json) -> Result<()> {
    let mut modules = Vec::new();
    if !says(v, "empty") {
        modules = vec![linear(1, true)?, linear(if says(v, "shape") { 2 } else { 1 }, true)?];
    }
    if says(v, "train") {
        modules[1].train(false)?;
    }
    if says(v, "requires_grad") {
        modules[1].get_parameter("weight")?.set_requires_grad(false)?;
    }
    refused(Module::stack_state(&modules), "stack_state");
    Ok(())
}
