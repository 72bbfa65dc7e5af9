//! Modules with keys, the keys of sequences and of their parts, and mappings of parameters.
use crate::json::Json;
use crate::keys::keys_of;
use crate::values::*;
use tensordict::{Dtype, KeyBuf, Module, Result, SequenceOptions};

/// {"in": [...], "out": [...]}: output i is input i (of the n there are) plus n, as in the examples of the original.
pub fn keyed(spec: &Json) -> Result<Module> {
    let (ins, outs) = (keys_of(spec.at("in")), keys_of(spec.at("out")));
    let n = outs.len();
    Module::from_fn(&ins, &outs, move |inputs| {
        let count = inputs.len() as f64;
        Ok((0..n).map(|i| &inputs[i % inputs.len()] + count).collect::<Result<_>>()?)
    })
}

/// A list of those and of {"seq": [...]}.
pub fn sequence(spec: &Json, options: &SequenceOptions) -> Result<Module> {
    let member = |one: &Json| match one.get("seq") {
        Some(inner) => sequence(inner, &SequenceOptions::default()),
        None => keyed(one),
    };
    Module::sequential_with(spec.array().iter().map(member).collect::<Result<_>>()?, options)
}

fn check_keys(m: &Module, ins: &Json, outs: &Json, what: &str) -> Result<()> {
    assert_eq!(m.in_keys()?, keys_of(ins), "the in-keys of {what}");
    assert_eq!(m.out_keys()?, keys_of(outs), "the out-keys of {what}");
    Ok(())
}

/// The members have the keys of the spec, at every depth.
fn check_members(m: &Module, spec: &Json) -> Result<()> {
    assert_eq!(m.len(), spec.array().len(), "the number of members");
    for (i, one) in spec.array().iter().enumerate() {
        let member = m.member(i as i64)?;
        match one.get("seq") {
            Some(inner) => check_members(&member, inner)?,
            None => check_keys(&member, one.at("in"), one.at("out"), &format!("member {i}"))?,
        }
    }
    Ok(())
}

pub fn sequence_keys(v: &Json) -> Result<()> {
    let s = sequence(v.at("spec"), &SequenceOptions::default())?;
    check_keys(&s, v.at("in_keys"), v.at("out_keys"), "the sequence")
}

pub fn select_subsequence(v: &Json) -> Result<()> {
    let s = sequence(v.at("spec"), &SequenceOptions::default())?;
    let keys = |name: &str| -> Option<Vec<KeyBuf>> { (*v.at(name) != Json::Null).then(|| keys_of(v.at(name))) };
    let part = s.select_subsequence(keys("in_keys").as_deref(), keys("out_keys").as_deref());
    if v.get("error").is_some() {
        refused(part, "the selection");
        return Ok(());
    }
    let part = part?;
    check_members(&part, v.at("result"))?;
    check_keys(&part, v.at("result_in_keys"), v.at("result_out_keys"), "the selection")
}

fn extractor(mapping: &Json, bound: &str) -> Result<Module> {
    let config = format!(r#"{{"scale_mapping": {}, "scale_lb": {bound}}}"#, mapping.write());
    Module::create("td.normal_param_extractor", &config, None)
}

/// A mapping is what the extractor does to the second half of its input, if its bound is out of the way.
pub fn mapping(v: &Json) -> Result<()> {
    let dtype = dtype_of(v)?;
    let mapped = if v.at("name").str() == "inv_softplus" {
        Module::create("td.inv_softplus", "{}", None)?.call(&[tensor(v.at("x"), dtype)?], 1)?.remove(0)
    } else {
        let x = v.at("x").array();
        let both = vec![Json::Int(0); x.len()].into_iter().chain(x.iter().cloned()).collect();
        extractor(v.at("name"), "-1e30")?.call(&[tensor(&Json::Array(both), dtype)?], 2)?.remove(1)
    };
    check_values(&mapped, v.at("y"), 1e-6, "y")
}

pub fn normal_param_extractor(v: &Json) -> Result<()> {
    let module = extractor(v.at("scale_mapping"), &v.at("scale_lb").write())?;
    let both = module.call(&[tensor(v.at("x"), Dtype::Float32)?], 2);
    if v.get("error").is_some() {
        refused(both, "the extractor");
        return Ok(());
    }
    let both = both?;
    check_values(&both[0], v.at("loc"), 1e-6, "loc")?;
    check_values(&both[1], v.at("scale"), 1e-6, "scale")
}
