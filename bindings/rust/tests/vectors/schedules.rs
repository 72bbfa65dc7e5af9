//! Learning rates and momenta of torch.optim.lr_scheduler, step by step (schedule.txt).
use tensordict::{Adam, Dict, OneCycle, Optimizer, Rates, Result, Schedule, Sgd, Tensor};

/// A number as `float.hex` writes it: 0x1.8p-4.
fn hex(text: &str) -> f64 {
    if let Some(positive) = text.strip_prefix('-') {
        return -hex(positive);
    }
    let (digits, exponent) = text.trim_start_matches("0x").split_once('p').expect("an exponent");
    let (whole, fraction) = digits.split_once('.').expect("a point");
    let mantissa = u64::from_str_radix(&[whole, fraction].concat(), 16).unwrap() as f64;
    mantissa * 2f64.powi(exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32)
}

/// "cosine,0x1.4p+2,0x0.0p+0"
fn rates_of(spelled: &str) -> Rates {
    let mut words = spelled.split(',');
    let name = words.next().unwrap();
    let x: Vec<f64> = words.map(hex).collect();
    let one_cycle = |options| Rates::OneCycle { max_lr: x[0], steps: x[1] as i64, options };
    match name {
        "step" => Rates::Step { size: x[0] as i64, gamma: x[1] },
        "multi_step" => Rates::MultiStep { milestones: x[1..].iter().map(|at| *at as i64).collect(), gamma: x[0] },
        "exponential" => Rates::Exponential { gamma: x[0] },
        "cosine" => Rates::Cosine { steps: x[0] as i64, min_lr: x[1] },
        "linear" => Rates::Linear { start: x[0], end: x[1], steps: x[2] as i64 },
        "constant" => Rates::Constant { factor: x[0], steps: x[1] as i64 },
        "one_cycle" => one_cycle(OneCycle::default()),
        "one_cycle_kept" => one_cycle(OneCycle { keep_momentum: true, ..Default::default() }),
        "one_cycle_other" => one_cycle(OneCycle {
            pct_start: 0.4,
            div_factor: 10.0,
            final_div_factor: 100.0,
            base_momentum: 0.5,
            max_momentum: 0.9,
            linear: true,
            three_phases: true,
            ..Default::default()
        }),
        other => panic!("there is no schedule {other}"),
    }
}

/// Over one tensor of two elements.
fn optimizer_of(name: &str, lr: f64) -> Result<Optimizer> {
    let mut params = Dict::new(&[])?;
    let mut w = Tensor::from_slice(&[1f32, -2.0], &[2])?;
    w.set_requires_grad(true)?;
    params.set("w", &w)?;
    match name {
        "adam" => Optimizer::adam(&params, &Adam { lr, ..Default::default() }),
        _ => Optimizer::sgd(&params, &Sgd { lr, momentum: 0.7, ..Default::default() }),
    }
}

/// The last bits of a cosine are those of the C library.
fn check(got: f64, wanted: f64, what: &str, step: usize) {
    assert!((got - wanted).abs() <= 1e-14 * wanted.abs() + 1e-18, "step {step}: the {what} is {got}, not {wanted}");
}

/// "case", the optimizer, its learning rate, and the schedules; the learning rate and the momentum of each step.
pub fn case(head: &str, numbers: &str) -> Result<()> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let mut optimizer = optimizer_of(words[1], hex(words[2]))?;
    let make = |spelled: &&str| Schedule::new(&mut optimizer, &rates_of(spelled));
    let mut schedules = words[3..].iter().map(make).collect::<Result<Vec<_>>>()?;
    let numbers: Vec<f64> = numbers.split_whitespace().map(hex).collect();
    assert!(numbers.len() > 14, "only {} numbers", numbers.len());
    for (step, pair) in numbers.chunks(2).enumerate() {
        if step > 0 {
            schedules.iter_mut().try_for_each(|schedule| schedule.step(&mut optimizer))?;
        }
        let rate = optimizer.get(0, "lr")?;
        check(rate, pair[0], "learning rate", step);
        let momentum = if words[1] == "adam" { "beta1" } else { "momentum" };
        check(optimizer.get(0, momentum)?, pair[1], "momentum", step);
        assert_eq!(schedules[0].steps(), step as i64, "the number of steps");
        if words[1] == "by_hand" && step == 3 {
            optimizer.set(0, "lr", 2.0 * rate)?;
        }
    }
    Ok(())
}
