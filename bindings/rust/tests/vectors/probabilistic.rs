//! Modules that write a value of a distribution.
use crate::distributions::distribution_in;
use crate::json::Json;
use crate::keys::keys_of;
use crate::values::*;
use tensordict::{Dict, Dist, Dtype, Generator, Interaction, KeyBuf, Module, Probabilistic, Result, Tensor};

fn normal_module(ins: &[KeyBuf], outs: &[KeyBuf], options: Probabilistic) -> Result<Module> {
    Module::probabilistic("td.normal", "{}", ins, outs, options)
}

fn loc_and_scale() -> [KeyBuf; 2] {
    ["loc".into(), "scale".into()]
}

pub fn keys(v: &Json) -> Result<()> {
    let options = Probabilistic {
        return_log_prob: flag(v, "return_log_prob"),
        aggregate: flag(v, "aggregate"),
        ..Default::default()
    };
    let ins = v.get("in_keys_arg").map_or(loc_and_scale().to_vec(), keys_of);
    let outs = v.get("out_keys_arg").map_or(vec!["a".into()], keys_of);
    let m = normal_module(&ins, &outs, options)?;
    assert_eq!(m.in_keys()?, keys_of(v.at("in_keys")), "the in-keys");
    assert_eq!(m.out_keys()?, keys_of(v.at("out_keys")), "the out-keys");
    assert_eq!(m.log_prob_keys()?, keys_of(v.at("log_prob_keys")), "the log-probability keys");
    Ok(())
}

/// The dims before those of the data are the samples; the last dim is that of the features.
pub fn shapes(v: &Json) -> Result<()> {
    let shapes = v.at("shapes");
    let all = shapes.at("loc").ints();
    let options = Probabilistic {
        default_interaction: Some(Interaction::Random),
        return_log_prob: shapes.get("a_log_prob").is_some(),
        num_samples: vec![all[0]],
        ..Default::default()
    };
    let m = normal_module(&loc_and_scale(), &["a".into()], options)?;
    let mut data = Dict::new(&all[1..2])?;
    for key in loc_and_scale() {
        data.set(&key, &Tensor::ones(&all[1..], Dtype::Float32)?)?;
    }
    let result = m.run(&mut data)?.expect("another dict");
    assert_eq!(leaf_keys(&data)?, loc_and_scale(), "the input is as it was");
    assert_eq!(result.batch_size(), v.at("out_batch").ints(), "the batch size");
    for (name, shape) in shapes.object() {
        assert_eq!(result.get(name)?.shape(), shape.ints(), "the shape of {name}");
    }
    Ok(())
}

pub fn random_numbers(v: &Json) -> Result<()> {
    let (seed, n) = (v.at("seed").int() as u64, v.at("value").array().len() as i64);
    let mut params = Dict::new(&[])?;
    params.set("loc", &Tensor::scalar(0f32)?)?;
    params.set("scale", &Tensor::scalar(1f32)?)?;
    let drawn = Dist::create("td.normal", &params, "{}")?.rsample(&[n], Some(&mut Generator::new(seed)?))?;
    check_values(&drawn, v.at("value"), 1e-7, "the sample")?;

    let options = Probabilistic {
        default_interaction: Some(Interaction::Random),
        generator: Some(Generator::new(seed)?),
        num_samples: vec![n],
        ..Default::default()
    };
    let m = normal_module(&loc_and_scale(), &["a".into()], options)?;
    let result = m.run(&mut params)?.expect("another dict");
    check_values(&result.get("a")?, v.at("via_module_generator_0"), 1e-7, "the module's sample")
}

// Deterministic values: "LogNormal(0,1)" has its parameters in its name, in the order that the original has; those of a
// name without are the last member.
const TYPICAL: [(&str, &str, &str); 14] = [
    ("Bernoulli", "probs", r#"{"probs": 0.3}"#),
    ("Categorical", "", r#"{"probs": [0.2, 0.5, 0.3]}"#),
    ("OneHotCategorical", "", r#"{"probs": [0.2, 0.5, 0.3]}"#),
    ("LogNormal", "loc scale", r#"{"loc": 0, "scale": 1}"#),
    ("Normal", "loc scale", r#"{"loc": 0, "scale": 1}"#),
    ("Uniform", "low high", r#"{"low": 0, "high": 1}"#),
    ("Beta", "concentration1 concentration0", r#"{"concentration1": 2, "concentration0": 3}"#),
    ("Gamma", "concentration rate", r#"{"concentration": 2, "rate": 3}"#),
    ("Exponential", "rate", r#"{"rate": 1.5}"#),
    ("Geometric", "probs", r#"{"probs": 0.3}"#),
    ("Poisson", "rate", r#"{"rate": 2.5}"#),
    ("RelaxedBernoulli", "probs", r#"{"temperature": 0.5, "probs": 0.3}"#),
    ("Cauchy", "loc scale", r#"{"loc": 0, "scale": 1}"#),
    ("Independent(Categorical)", "", r#"{"probs": [[0.1, 0.7, 0.2], [0.6, 0.3, 0.1]]}"#),
];

fn typical(id: &str) -> Result<Dist> {
    let fits = |name: &str| id.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with('('));
    let found = TYPICAL.iter().find_map(|(name, order, params)| Some((name, order, params, fits(name)?)));
    let (name, order, params, arguments) = found.expect("this distribution is not known");
    let mut params = Json::parse(params);
    let given = arguments.split(&['(', ')', ','][..]).filter(|word| !word.is_empty());
    if let Json::Object(members) = &mut params {
        for (parameter, value) in order.split(' ').zip(given) {
            let member = members.iter_mut().find(|(name, _)| name == parameter).expect(parameter);
            member.1 = Json::Str(value.to_owned());
        }
    }
    distribution_in(&params, name, Dtype::Float64)
}

pub fn deterministic(v: &Json) -> Result<()> {
    let d = typical(v.at("id").str().trim_start_matches("deterministic."))?;
    let value = d.interact(Interaction::Deterministic, &[], 0, None)?;
    check_values(&value, v.at("value"), 1e-9, "the value")?;
    let no_keys: [&str; 0] = [];
    let m = Module::probabilistic_fn(no_keys, ["a"], Probabilistic::default(), move |_| Ok(d.clone()))?;
    let mut data = Dict::new(&[])?;
    m.forward(&mut data)?;
    check_values(&data.get("a")?, v.at("value"), 1e-9, "the module's value")
}
