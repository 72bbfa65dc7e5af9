//! An actor whose learner is stock Python: they share dicts on a Redis server. `make demo-cluster` runs this actor and
//! one in C, capi/examples/cluster.c, which does the same; the learner is capi/examples/cluster/learner.py.
//!
//!     cluster SERVER FIRST ROUNDS
//!
//! SERVER is `redis://HOST:PORT` or `unix:///PATH`. The learner makes both dicts: "demo-weights" has the policy and the
//! step at which it was written, "demo-experience" has rows for what all actors see; those from FIRST on are this
//! one's. It acts ROUNDS times, each time with new weights.
use std::time::{Duration, Instant};
use tensordict::{Dict, Element, ErrorKind, Mode, RemoteOptions, Tensor};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const EPISODES: usize = 4;
const MOVES: usize = 8;
const ROWS: i64 = (EPISODES * MOVES) as i64;
const LONG: Duration = Duration::from_secs(60);

/// A linear layer with two inputs and one output.
struct Policy {
    weight: Vec<f32>,
    bias: f32,
    /// Of the learner.
    step: i64,
}

/// A boat on a line has to come back to 0 in spite of the wind.
#[derive(Default)]
struct Moves {
    /// Its place, and the wind.
    obs: Vec<f32>,
    /// How far it rows.
    action: Vec<f32>,
    /// Minus the square of its next place.
    reward: Vec<f32>,
}

/// Numbers from -1 to 1, the same on every machine.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// Each episode begins at another place; the random part of an action shows the learner what would have been better.
fn act(policy: &Policy, random: &mut Random) -> Moves {
    let mut seen = Moves::default();
    for _ in 0..EPISODES {
        let mut place = random.next();
        for _ in 0..MOVES {
            let wind = random.next();
            let action = policy.weight[0] * place + policy.weight[1] * wind + policy.bias + random.next();
            seen.obs.extend([place, wind]);
            seen.action.push(action);
            place += wind + action;
            seen.reward.push(-place * place);
        }
    }
    seen
}

/// The learner writes the step last: once it is there, all the rest is. A copy reads everything in one transaction.
fn read_policy(weights: &Dict) -> Result<Option<Policy>> {
    let copy = weights.deep_copy()?;
    if !copy.contains("step") {
        return Ok(None);
    }
    Ok(Some(Policy {
        weight: elements(&copy.get(("policy", "weight"))?, 2)?,
        bias: elements(&copy.get(("policy", "bias"))?, 1)?[0],
        step: elements(&copy.get("step")?, 1)?[0],
    }))
}

/// Out of a dict that another program wrote.
fn elements<T: Element>(tensor: &Tensor, n: usize) -> Result<Vec<T>> {
    let elements = tensor.to_vec::<T>()?;
    if elements.len() != n {
        return Err("the weights are not those of a layer with two inputs and one output".into());
    }
    Ok(elements)
}

/// Asks again and again, until there is something.
fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let begin = Instant::now();
    while begin.elapsed() < LONG {
        if let Some(found) = ask()? {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Err(format!("the learner writes no {what}").into())
}

fn open(server: &str, id: &str, mode: Mode) -> tensordict::Result<Dict> {
    Dict::open_remote(&format!("{server}?id={id}"), RemoteOptions { mode, ..Default::default() })
}

/// One transaction: who sees the step in these rows sees all of them.
fn send(experience: &mut Dict, first: i64, seen: &Moves, step: i64) -> Result<()> {
    let mut rows = Dict::new(&[ROWS])?;
    rows.set("obs", &Tensor::from_slice(&seen.obs, &[ROWS, 2])?)?;
    rows.set("action", &Tensor::from_slice(&seen.action, &[ROWS, 1])?)?;
    rows.set("reward", &Tensor::from_slice(&seen.reward, &[ROWS, 1])?)?;
    rows.set("step", &Tensor::from_slice(&[step; ROWS as usize], &[ROWS, 1])?)?;
    Ok(experience.set_at(first..first + ROWS, &rows)?)
}

fn run(server: &str, first: &str, rounds: &str) -> Result<()> {
    let (first, rounds): (i64, u32) = (first.parse()?, rounds.parse()?);
    let mut random = Random(first as u32); // each actor sees something else
    let weights = wait_for("weights", || match open(server, "demo-weights", Mode::Read) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        opened => Ok(Some(opened?)),
    })?;
    let mut experience = open(server, "demo-experience", Mode::ReadWrite)?;
    let mut last = -1;
    for round in 1..=rounds {
        let policy = wait_for("new weights", || Ok(read_policy(&weights)?.filter(|policy| policy.step > last)))?;
        last = policy.step;
        let seen = act(&policy, &mut random);
        send(&mut experience, first, &seen, last)?;
        let mean = seen.reward.iter().sum::<f32>() / ROWS as f32;
        println!("Rust actor round {round}: weights of step {last}, sent {ROWS} rows, mean reward {mean:.2}");
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let outcome = match arguments.as_slice() {
        [_, server, first, rounds] => run(server, first, rounds),
        _ => Err("usage: cluster SERVER FIRST ROUNDS".into()),
    };
    if let Err(error) = outcome {
        eprintln!("Rust actor: {error}");
        std::process::exit(1);
    }
}
