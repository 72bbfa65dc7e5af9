//! What distributions are, give and refuse.
use crate::json::Json;
use crate::keys::key_of;
use crate::values::*;
use tensordict::{plugins, Dict, Dist, DistPart, Dtype, ErrorKind, Interaction, Result, Stat, Tensor};

type Members<'a> = Vec<(&'a str, &'a Json)>;

/// "LKJCholesky" is td.lkj_cholesky; tensordict's own types have names that torch.distributions uses for others.
fn type_of(name: &str) -> String {
    if name == "OneHotCategorical(tensordict)" {
        return "td.int_one_hot_categorical".into();
    }
    let plain: Vec<char> = name.split('(').next().unwrap().chars().collect();
    let is_lower = |at: Option<usize>| at.and_then(|at| plain.get(at)).map_or(false, char::is_ascii_lowercase);
    let mut out = String::from("td.");
    for (i, c) in plain.iter().enumerate() {
        let begins_a_word = i > 0 && c.is_ascii_uppercase() && (is_lower(i.checked_sub(1)) || is_lower(Some(i + 1)));
        out.extend(begins_a_word.then_some('_'));
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn params_of<'a>(params: impl IntoIterator<Item = (&'a str, &'a Json)>, dtype: Dtype) -> Result<Dict> {
    let mut out = Dict::new(&[])?;
    for (name, value) in params {
        out.set(name, &tensor(value, dtype)?)?;
    }
    Ok(out)
}

/// What Python gives by name may be in the config here: the type's schema says what is.
fn config_members(kind: &str) -> Result<Vec<String>> {
    let types = Json::parse(&plugins::list()?);
    let found = types.array().iter().find(|one| one.at("id").str() == kind);
    let properties = found.and_then(|one| one.at("schema").get("properties"));
    Ok(properties.map_or(&[][..], Json::object).iter().map(|(name, _)| name.clone()).collect())
}

fn taken<'a>(params: &mut Members<'a>, name: &str) -> Option<&'a Json> {
    params.iter().position(|(one, _)| *one == name).map(|place| params.remove(place).1)
}

fn members(object: &Json) -> Members<'_> {
    object.object().iter().map(|(name, value)| (name.as_str(), value)).collect()
}

/// {"dist": its name, and its parameters}
fn part(spec: &Json, dtype: Dtype) -> Result<Dist> {
    let mut params = members(spec);
    let name = taken(&mut params, "dist").expect("a name").str();
    distribution(name, params, dtype)
}

/// "Independent(Normal,2)" takes two dims; the parameters may say how many, too.
fn independent(inside: &str, mut params: Members<'_>, dtype: Dtype) -> Result<Dist> {
    let (base, dims) = inside.rsplit_once(',').map_or((inside, 1), |(base, dims)| (base, dims.parse().unwrap()));
    let dims = taken(&mut params, "reinterpreted_batch_ndims").map_or(dims, Json::int);
    distribution(base, params, dtype)?.independent(dims)
}

/// Of its parameters by name; those that the type does not take as tensors go into its config.
pub fn distribution(name: &str, mut params: Members<'_>, dtype: Dtype) -> Result<Dist> {
    if let Some(inside) = name.strip_prefix("Independent(").and_then(|rest| rest.strip_suffix(')')) {
        return independent(inside, params, dtype);
    }
    if name == "MixtureSameFamily" {
        let mut of = |name: &str| part(taken(&mut params, name).expect(name), dtype);
        return Dist::mixture(&of("mixture")?, &of("components")?);
    }
    let kind = type_of(name);
    let mut config = Vec::new();
    for member in config_members(&kind)? {
        config.extend(taken(&mut params, &member).map(|value| (member, value.clone())));
    }
    Dist::create(&kind, &*params_of(params, dtype)?, &Json::Object(config).write())
}

pub fn distribution_in(object: &Json, name: &str, dtype: Dtype) -> Result<Dist> {
    distribution(name, members(object), dtype)
}

const STATS: [(&str, Stat); 4] =
    [("mean", Stat::Mean), ("variance", Stat::Variance), ("mode", Stat::Mode), ("entropy", Stat::Entropy)];

fn check_not_offered(d: &Dist, name: &str, points: &Tensor) {
    let result = match name {
        "cdf" => d.cdf(points),
        "icdf" => d.icdf(points),
        _ => d.get(STATS.iter().find(|(one, _)| *one == name).expect(name).1),
    };
    assert_eq!(refused(result, name).kind(), ErrorKind::Unsupported, "{name}");
}

pub fn distribution_kind(v: &Json) -> Result<()> {
    let dtype = dtype_of(v)?;
    let tolerance = if dtype == Dtype::Float32 { 1e-6 } else { 1e-9 };
    let d = distribution_in(v.at("params"), v.at("dist").str(), dtype)?;
    if let Some(shape) = v.get("batch_shape") {
        assert_eq!(d.batch_shape(), shape.ints(), "the batch shape");
    }
    if let Some(shape) = v.get("event_shape") {
        assert_eq!(d.event_shape(), shape.ints(), "the event shape");
    }
    if let Some(has) = v.get("has_rsample") {
        assert_eq!(Json::Bool(d.has_rsample()), *has, "has_rsample");
    }
    let points = tensor(v.at("points"), dtype)?;
    check_values(&d.log_prob(&points)?, v.at("log_prob"), tolerance, "log_prob")?;
    for (name, stat) in STATS {
        if let Some(wanted) = v.get(name) {
            check_values(&d.get(stat)?, wanted, tolerance, name)?;
        }
    }
    if let Some(wanted) = v.get("cdf") {
        check_values(&d.cdf(&points)?, wanted, tolerance, "cdf")?;
    }
    if let Some(wanted) = v.get("icdf") {
        check_values(&d.icdf(&tensor(v.at("icdf_q"), dtype)?)?, wanted, tolerance, "icdf")?;
    }
    let not_offered = v.get("not_implemented").map_or(&[][..], Json::array);
    not_offered.iter().for_each(|name| check_not_offered(&d, name.str(), &points));
    Ok(())
}

pub fn divergence(v: &Json) -> Result<()> {
    let (p, q) = (part(v.at("p"), Dtype::Float64)?, part(v.at("q"), Dtype::Float64)?);
    check_values(&p.kl_divergence(&q)?, v.at("value"), 1e-9, "the divergence")
}

// The older vectors name the case of an error: its distribution, its parameters, and the value of log_prob.
const REFUSALS: [(&str, &str, &str, &str); 13] = [
    ("Normal_nan_loc", "Normal", r#"{"loc": "nan", "scale": 1}"#, ""),
    ("Normal_scale_0", "Normal", r#"{"loc": 0, "scale": 0}"#, ""),
    ("Uniform_low_eq_high", "Uniform", r#"{"low": 1, "high": 1}"#, ""),
    ("Bernoulli_p_1.5", "Bernoulli", r#"{"probs": 1.5}"#, ""),
    ("Bernoulli_both", "Bernoulli", r#"{"probs": 0.5, "logits": 0}"#, ""),
    ("Categorical_0d", "Categorical", r#"{"probs": 0.5}"#, ""),
    (
        "MVN_two",
        "MultivariateNormal",
        r#"{"loc": [0, 0], "covariance_matrix": [[1, 0], [0, 1]], "scale_tril": [[1, 0], [0, 1]]}"#,
        "",
    ),
    ("Geometric_0", "Geometric", r#"{"probs": 0}"#, ""),
    ("Exponential_logprob_neg", "Exponential", r#"{"rate": 1}"#, "-1"),
    ("Normal_shape", "Normal", r#"{"loc": [0, 0, 0], "scale": [1, 1, 1]}"#, "[0, 0, 0, 0]"),
    ("Poisson_negative", "Poisson", r#"{"rate": -1}"#, ""),
    ("Dirichlet_0d", "Dirichlet", r#"{"concentration": 1}"#, ""),
    ("Independent_ndims", "Independent(Normal,2)", r#"{"loc": [0, 0], "scale": [1, 1]}"#, ""),
];

/// The distribution is refused, or the value that it is asked about.
fn check_refused(v: &Json, name: &str, params: &Json, value: Option<&Json>) -> Result<()> {
    let made = distribution_in(params, name, Dtype::Float32);
    let error = match value {
        Some(value) => refused(made?.log_prob(&tensor(value, Dtype::Float32)?), name),
        None => refused(made, name),
    };
    let expected = v.get("says").unwrap_or_else(|| &v.at("error").array()[1]).str();
    assert!(error.message().contains(expected), "{:?} is not {expected:?}", error.message());
    Ok(())
}

pub fn dist_error(v: &Json) -> Result<()> {
    if let Some(name) = v.get("dist") {
        return check_refused(v, name.str(), v.at("params"), v.get("value"));
    }
    let id = v.at("id").str().trim_start_matches("dist_error.");
    let case = REFUSALS.iter().find(|case| case.0 == id).expect("this case is not known");
    let value = (!case.3.is_empty()).then(|| Json::parse(case.3));
    check_refused(v, case.1, &Json::parse(case.2), value.as_ref())
}

fn composite_of(spec: &Json, batch: &[i64]) -> Result<Dist> {
    let (mut params, mut parts) = (Dict::new(batch)?, Vec::new());
    for one in spec.array() {
        let mut given = params_of(members(one.at("params")), Dtype::Float64)?;
        given.set_batch_size(batch)?;
        let name = key_of(one.at("name"));
        params.set_dict(&name, given)?;
        parts.push(DistPart::new(name, &type_of(one.at("dist").str())));
    }
    Dist::composite(&params, &parts)
}

/// Several distributions under keys.
pub fn composite(v: &Json) -> Result<()> {
    // The numbers of Python are float64 here, those of a categorical value too.
    const TOLERANCE: f64 = 1e-9;
    let batch = v.at("batch").ints();
    let d = composite_of(v.at("parts"), &batch)?;
    let mut sample = Dict::new(&batch)?;
    for leaf in v.at("sample").array() {
        sample.set(&key_of(&leaf.array()[0]), &tensor(&leaf.array()[1], Dtype::Float64)?)?;
    }
    check_leaf_values(&*d.log_prob_dict(&sample, false)?, v.at("log_prob"), TOLERANCE)?;
    check_values(&d.log_prob_sum(&sample)?, v.at("log_prob_sum"), TOLERANCE, "the sum of the log-probabilities")?;
    check_leaf_values(&*d.get_dict(Stat::Entropy)?, v.at("entropy"), TOLERANCE)?;
    check_values(&d.get(Stat::Entropy)?, v.at("entropy_sum"), TOLERANCE, "the sum of the entropies")?;
    for (name, stat) in [("mean", Stat::Mean), ("mode", Stat::Mode)] {
        if let Some(wanted) = v.get(name) {
            check_leaf_values(&*d.get_dict(stat)?, wanted, TOLERANCE)?;
        }
    }
    if let Some(wanted) = v.get("deterministic_sample") {
        check_leaf_values(&*d.interact_dict(Interaction::Deterministic, &[], 0, None)?, wanted, TOLERANCE)?;
    }
    check_leaf_shapes(&*d.sample_dict(&[4], None)?, v.at("shape_of_draws"))?;
    let done = d.cdf_into(&mut sample);
    if *v.at("cdf") == Json::Null {
        refused(done, "cdf");
        return Ok(());
    }
    done?;
    check_leaf_values(&sample, v.at("cdf"), TOLERANCE)
}
