//! What torch.distributions gives for every type: values, statistics, draws, gradients and divergences (dist.txt).
use crate::values::{check_numbers, numbers, refused};
use std::str::SplitWhitespace;
use tensordict::{Dict, Dist, Dtype, ErrorKind, Generator, Result, Stat, Tensor};

fn ints(words: &mut SplitWhitespace<'_>) -> Vec<i64> {
    let n = words.next().unwrap().parse().unwrap();
    words.take(n).map(|word| word.parse().unwrap()).collect()
}

/// Dtype, number of dims, sizes, elements.
fn tensor(mut words: SplitWhitespace<'_>) -> Result<Tensor> {
    let dtype = match words.next() {
        Some("f32") => Dtype::Float32,
        Some("f64") => Dtype::Float64,
        Some("i64") => Dtype::Int64,
        Some("bool") => Dtype::Bool,
        other => panic!("no dtype: {other:?}"),
    };
    let shape = ints(&mut words);
    let elements = words.map(|word| word.parse().unwrap()).collect::<Vec<f64>>();
    Tensor::from_vec(elements, &shape)?.to_dtype(dtype)
}

fn check_same(got: &Tensor, wanted: &Tensor, tolerance: f64, what: &str) -> Result<()> {
    assert_eq!(got.shape(), wanted.shape(), "the shape of {what}");
    check_numbers(&numbers(got)?, &numbers(wanted)?, 2.0 * tolerance, what);
    Ok(())
}

/// A distribution of which one line after another says something.
struct Case<'a> {
    kind: &'a str,
    config: &'a str,
    transforms: Option<&'a str>,
    independent: i64,
    params: Dict,
    value: Option<Tensor>,
    made: Option<Dist>,
}

impl Case<'_> {
    fn dist(&mut self) -> Result<Dist> {
        if let Some(made) = &self.made {
            return Ok(made.clone());
        }
        let mut dist = Dist::create(self.kind, &self.params, self.config)?;
        if let Some(transforms) = self.transforms {
            dist = dist.transformed(transforms, None)?;
        }
        if self.independent != 0 {
            dist = dist.independent(self.independent)?;
        }
        self.made = Some(dist.clone());
        Ok(dist)
    }

    fn ask(&mut self, what: &str) -> Result<Tensor> {
        let dist = self.dist()?;
        let value = self.value.as_ref();
        match what {
            "log_prob" => dist.log_prob(value.unwrap()),
            "cdf" => dist.cdf(value.unwrap()),
            "enumerate" => dist.enumerate_support(true),
            "icdf" => {
                let mut shape = vec![1; dist.batch_shape().len() + 1];
                shape[0] = 3;
                dist.icdf(&Tensor::from_slice(&[0.1, 0.5, 0.9], &shape)?)
            }
            "mean" => dist.get(Stat::Mean),
            "mode" => dist.get(Stat::Mode),
            "variance" => dist.get(Stat::Variance),
            "entropy" => dist.get(Stat::Entropy),
            "stddev" => dist.get(Stat::Stddev),
            "median" => dist.get(Stat::Median),
            other => panic!("what is {other}"),
        }
    }

    /// Three values of seed 0, and the gradients that follow.
    fn draw(&mut self, wanted: &Tensor) -> Result<()> {
        let (dist, mut generator) = (self.dist()?, Generator::new(0)?);
        let got = match dist.has_rsample() {
            true => dist.rsample(&[3], Some(&mut generator))?,
            false => dist.sample(&[3], Some(&mut generator))?,
        };
        if dist.has_rsample() && got.requires_grad() {
            got.op("sum", &[])?.backward()?;
        }
        check_same(&got, wanted, 1e-6, "a draw")
    }

    fn param(&mut self, mut words: SplitWhitespace<'_>) -> Result<()> {
        let name = words.next().unwrap();
        let mut param = tensor(words)?;
        if ![Dtype::Int64, Dtype::Bool].contains(&param.dtype()) {
            param.set_requires_grad(true)?;
        }
        self.params.set(name, &param)
    }

    /// What is asked for and has a result.
    fn check(&mut self, what: &str, words: SplitWhitespace<'_>) -> Result<()> {
        let wanted = tensor(words)?;
        let tolerance = if wanted.dtype() == Dtype::Float32 { 1e-6 } else { 1e-9 };
        check_same(&self.ask(what)?, &wanted, tolerance, what)
    }
}

pub fn case(lines: &str) -> Result<()> {
    let params = Dict::new(&[])?;
    let mut case = Case { kind: "", config: "{}", transforms: None, independent: 0, params, value: None, made: None };
    for line in lines.lines() {
        let (what, rest) = line.split_once(' ').expect("two words");
        let mut words = rest.split_whitespace();
        match what {
            "type" => case.kind = rest,
            "config" => case.config = rest,
            "transforms" => case.transforms = Some(rest),
            "independent" => case.independent = rest.parse().unwrap(),
            "param" => case.param(words)?,
            "value" => case.value = Some(tensor(words)?),
            "batch" => assert_eq!(case.dist()?.batch_shape(), ints(&mut words), "the batch shape"),
            "event" => assert_eq!(case.dist()?.event_shape(), ints(&mut words), "the event shape"),
            "without" => assert_eq!(refused(case.ask(rest), rest).kind(), ErrorKind::Unsupported, "{rest}"),
            "draw" => case.draw(&tensor(words)?)?,
            "grad" => {
                let name = words.next().unwrap();
                let gradient = case.params.get(name)?.grad()?.expect("a gradient was collected");
                check_same(&gradient, &tensor(words)?, 1e-5, &format!("the gradient of {name}"))?;
            }
            _ => case.check(what, words)?,
        }
    }
    Ok(())
}

/// The divergence of a pair, or that the library has none.
pub fn divergence(lines: &str) -> Result<()> {
    let (mut kinds, mut params, mut wanted) = (["", ""], [Dict::new(&[])?, Dict::new(&[])?], None);
    for line in lines.lines() {
        let mut words = line.split_whitespace();
        let what = words.next().unwrap();
        match what {
            // No result says the same.
            "without" => continue,
            "result" => wanted = Some(tensor(words)?),
            _ => {
                let side = usize::from(words.next() != Some("p"));
                let name = words.next().unwrap();
                if what == "type" {
                    kinds[side] = name;
                } else {
                    params[side].set(name, &tensor(words)?)?;
                }
            }
        }
    }
    let make = |side: usize| Dist::create(kinds[side], &params[side], "{}");
    let found = make(0)?.kl_divergence(&make(1)?);
    match wanted {
        Some(wanted) => check_same(&found?, &wanted, 1e-8, &kinds.join(" from ")),
        None => {
            assert_eq!(refused(found, "the divergence").kind(), ErrorKind::Unsupported);
            Ok(())
        }
    }
}
