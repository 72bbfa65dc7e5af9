//! Running modules on dicts and on values.
use crate::json::Json;
use crate::keys::keys_of;
use crate::modules::{keyed, sequence};
use crate::values::*;
use tensordict::{no_grad, Dict, Dtype, Inplace, Module, Node, Output, Randomness, Result, SequenceOptions, Value};

pub fn run(v: &Json) -> Result<()> {
    match (v.get("module"), v.get("spec")) {
        (Some(module), _) => run_module(v, keyed(module)?),
        (_, Some(spec)) => run_sequence(v, spec),
        _ => {
            assert_eq!(v.at("id").str(), "run.seq_inplace_false", "this vector is not known");
            run_to_new_dict(v)
        }
    }
}

/// Runs the module, and calls `f` with the data, the result, and whether that is another dict.
fn ran(module: &Module, data: &mut Dict, f: impl FnOnce(&Node, &Node, bool) -> Result<()>) -> Result<()> {
    let other = module.run(data)?;
    f(data, other.as_deref().unwrap_or(data), other.is_some())
}

fn run_module(v: &Json, mut module: Module) -> Result<()> {
    if let Some(keys) = v.get("select") {
        module.select_out_keys(&keys_of(keys))?;
    }
    ran(&module, &mut dict_of(v.at("input_keys"))?, |_, result, is_other| {
        check_same_set(leaf_keys(result)?, v.at("output_keys"), "the keys of the output");
        if v.get("same_object").is_some() {
            assert_eq!(!is_other, flag(v, "same_object"), "the same object");
        }
        Ok(())
    })?;
    match v.get("dispatch_value") {
        Some(wanted) => check_outputs(module.dispatch(&[0.0.into(), 1.0.into()], &[], "_")?, wanted),
        None => Ok(()),
    }
}

fn check_outputs(outputs: Vec<Output>, wanted: &Json) -> Result<()> {
    let wanted = if let Json::Array(all) = wanted { all.as_slice() } else { std::slice::from_ref(wanted) };
    assert_eq!(outputs.len(), wanted.len(), "the number of outputs");
    outputs
        .into_iter()
        .zip(wanted)
        .try_for_each(|(one, wanted)| check_values(&one.tensor()?, wanted, 1e-6, "an output"))
}

/// [a->b, b->c] with inplace=False.
fn run_to_new_dict(v: &Json) -> Result<()> {
    let spec = Json::parse(r#"[{"in": ["a"], "out": ["b"]}, {"in": ["b"], "out": ["c"]}]"#);
    let module = sequence(&spec, &SequenceOptions { inplace: Inplace::False, ..Default::default() })?;
    let mut data = Dict::new(&[3])?;
    data.set("a", &tensor(&Json::parse("[0, 1, 2]"), Dtype::Float32)?)?;
    ran(&module, &mut data, |data, result, is_other| {
        assert!(is_other, "another dict");
        check_same_set(leaf_keys(result)?, v.at("output_keys"), "the keys of the output");
        check_same_set(leaf_keys(data)?, v.at("input_keys_after"), "the keys of the input");
        assert_eq!(result.batch_size(), v.at("output_batch_size").ints(), "the batch size");
        Ok(())
    })
}

fn options_of(v: &Json) -> SequenceOptions {
    SequenceOptions {
        inplace: match v.get("inplace") {
            None | Some(Json::Null) => Inplace::None,
            Some(Json::Bool(true)) => Inplace::True,
            Some(Json::Bool(false)) => Inplace::False,
            Some(other) => {
                assert_eq!(other.str(), "empty");
                Inplace::Empty
            }
        },
        partial_tolerant: flag(v, "partial_tolerant"),
        selected_out_keys: v.get("select").map(keys_of),
        ..Default::default()
    }
}

/// A sequence with options, or a part of it, on a dict of the "input_keys" or on a lazy stack of dicts of such keys.
fn run_sequence(v: &Json, spec: &Json) -> Result<()> {
    let whole = sequence(spec, &options_of(v))?;
    let part;
    let module = match v.get("part") {
        Some(keys) => {
            let keys = |name: &str| keys.get(name).map(keys_of);
            part = whole.select_subsequence(keys("in_keys").as_deref(), keys("out_keys").as_deref())?;
            &*part
        }
        None => &whole,
    };
    let mut data = match v.get("lazy") {
        Some(members) => Dict::lazy_stack(members.array().iter().map(dict_of).collect::<Result<_>>()?, 0)?,
        None => dict_of(v.at("input_keys"))?,
    };
    ran(module, &mut data, |data, result, is_other| {
        assert_eq!(!is_other, flag(v, "same_object"), "the same object");
        if let Some(wanted) = v.get("members") {
            let members = result.members()?;
            assert_eq!(members.len(), wanted.array().len(), "the number of members");
            return members.iter().zip(wanted.array()).try_for_each(|(member, keys)| {
                check_same_set(leaf_keys(member)?, keys, "the keys of a member");
                Ok(())
            });
        }
        check_same_set(leaf_keys(result)?, v.at("output_keys"), "the keys of the output");
        check_same_set(leaf_keys(data)?, v.at("input_keys_after"), "the keys of the input");
        v.get("values").map_or(Ok(()), |values| check_leaf_values(result, values, 1e-6))
    })
}

pub fn dispatch(v: &Json) -> Result<()> {
    let module = keyed(v.at("module"))?;
    let args = v.get("args").map_or(&[][..], Json::array);
    let args: Vec<Value<'_>> = args.iter().map(|one| number(one).into()).collect();
    let kwargs = v.get("kwargs").map_or(&[][..], Json::object);
    let kwargs: Vec<(&str, Value<'_>)> = kwargs.iter().map(|(name, one)| (name.as_str(), number(one).into())).collect();
    let outputs = module.dispatch(&args, &kwargs, "_");
    if v.get("error").is_some() {
        let error = refused(outputs, "dispatch");
        let says = v.get("message").map_or("", Json::str);
        assert!(error.message().contains(says), "{error:?} is not {says:?}");
        return Ok(());
    }
    check_outputs(outputs?, v.at("out"))
}

fn linear() -> Result<Module> {
    Module::create("td.linear", r#"{"in_features": 2, "out_features": 1}"#, None)
}

fn several(n: usize, make: impl Fn() -> Result<Module>) -> Result<Vec<Module>> {
    (0..n).map(|_| make()).collect()
}

/// Three linear layers over data of a batch size: what batch size and shapes come out.
fn vmap_batch_sizes(v: &Json) -> Result<()> {
    let modules = several(3, || linear()?.with_keys(["x"], ["y"]))?;
    let states = Dict::from_modules(&modules)?;
    let batch = v.at("batch").ints();
    let ones = |features: i64| tensordict::Tensor::ones(&[batch.as_slice(), &[features]].concat(), Dtype::Float32);
    let mut data = Dict::new(&batch)?;
    data.set("x", &ones(2)?)?;
    data.set(("n", "z"), &ones(4)?)?;
    let dim = if let Json::Int(dim) = v.at("data_dim") { Some(*dim as i32) } else { None };
    let result = modules[0].vmap(&states, &data, dim, Randomness::Error)?;
    assert_eq!(result.batch_size(), v.at("out_batch").ints(), "the batch size");
    assert_eq!(leaf_keys(&result)?.len(), v.at("shapes").array().len(), "the number of leaves");
    check_leaf_shapes(&result, v.at("shapes"))
}

/// An ensemble of linear layers, forwards and backwards.
pub fn vmap(v: &Json) -> Result<()> {
    if v.get("out_batch").is_some() {
        return vmap_batch_sizes(v);
    }
    let weights = v.at("weights");
    let n = weights.array().len();
    let mut states = Dict::from_modules(&several(n, linear)?)?;
    let biases = Json::Array(vec![Json::Array(vec![v.at("bias").clone()]); n]);
    no_grad(|| -> Result<()> {
        states.copy_into("weight", &tensor(weights, Dtype::Float32)?)?;
        states.copy_into("bias", &tensor(&biases, Dtype::Float32)?)
    })?;
    let policy = linear()?.with_keys(["x"], ["y"])?;
    let mut data = Dict::new(&[])?;
    data.set("x", &tensor(v.at("x"), Dtype::Float32)?)?;
    // The states as the module with keys has them.
    let mut under = Dict::new(&[n as i64])?;
    under.set_dict("module", states)?;
    let y = policy.vmap(&under, &data, None, Randomness::Error)?.get("y")?;
    check_values(&y, v.at("y"), 1e-6, "y")?;
    y.op("sum", &[])?.backward()?;
    for (name, wanted) in [("weight", "grad_weight"), ("bias", "grad_bias")] {
        let gradient = under.get(("module", name))?.grad()?.expect("a gradient was collected");
        check_values(&gradient, v.at(wanted), 1e-6, wanted)?;
    }
    Ok(())
}
