//! Learning rates that follow from the number of steps, as in `torch.optim.lr_scheduler`.
use super::Optimizer;
use crate::{sys, Dict, Error, ErrorKind, Node, Result};
use std::fmt;

/// What a schedule does to the learning rates.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rates {
    /// Multiplies by `gamma` after every `size` steps.
    Step {
        /// Steps between two changes.
        size: i64,
        /// The factor.
        gamma: f64,
    },
    /// Multiplies by `gamma` at each of the milestones.
    MultiStep {
        /// Numbers of steps, in any order.
        milestones: Vec<i64>,
        /// The factor.
        gamma: f64,
    },
    /// Multiplies by `gamma` in every step.
    Exponential {
        /// The factor.
        gamma: f64,
    },
    /// Half a cosine wave down to `min_lr` in `steps` steps, and up again after that.
    Cosine {
        /// Steps of the way down.
        steps: i64,
        /// The lowest learning rate.
        min_lr: f64,
    },
    /// Factors from `start` to `end` in the first `steps` steps.
    Linear {
        /// The factor of step 0.
        start: f64,
        /// The factor of step `steps` and of later ones.
        end: f64,
        /// Steps of the way.
        steps: i64,
    },
    /// A factor for the first `steps` steps.
    Constant {
        /// The factor.
        factor: f64,
        /// Steps with the factor.
        steps: i64,
    },
    /// Up to `max_lr` and down again, once, in `steps` steps.
    OneCycle {
        /// The highest learning rate.
        max_lr: f64,
        /// Steps of the cycle.
        steps: i64,
        /// The rest.
        options: OneCycle,
    },
}

/// How a cycle runs, with the names of `torch.optim.lr_scheduler.OneCycleLR`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct OneCycle {
    pub pct_start: f64,
    pub div_factor: f64,
    pub final_div_factor: f64,
    pub base_momentum: f64,
    pub max_momentum: f64,
    pub linear: bool,
    pub three_phases: bool,
    pub keep_momentum: bool,
}

impl Default for OneCycle {
    fn default() -> Self {
        OneCycle {
            pct_start: 0.3,
            div_factor: 25.0,
            final_div_factor: 1e4,
            base_momentum: 0.85,
            max_momentum: 0.95,
            linear: false,
            three_phases: false,
            keep_momentum: false,
        }
    }
}

handle! {
    pub(crate) ScheduleHandle: td_schedule, td_schedule_release
}

/// Changes the learning rates of an optimizer, which is lent to each call.
pub struct Schedule {
    handle: ScheduleHandle,
    optimizer: usize, // its address, to compare
}

impl Schedule {
    /// A schedule for `optimizer`, with the learning rates of step 0. Errors: Argument for a number out of range.
    pub fn new(optimizer: &mut Optimizer, rates: &Rates) -> Result<Self> {
        let of = optimizer.as_raw();
        let handle: ScheduleHandle = match rates {
            Rates::Step { size, gamma } => made!(td_schedule_new_step(of, *size, *gamma)),
            Rates::MultiStep { milestones, gamma } => {
                made!(td_schedule_new_multi_step(of, milestones.as_ptr(), milestones.len(), *gamma))
            }
            Rates::Exponential { gamma } => made!(td_schedule_new_exponential(of, *gamma)),
            Rates::Cosine { steps, min_lr } => made!(td_schedule_new_cosine(of, *steps, *min_lr)),
            Rates::Linear { start, end, steps } => made!(td_schedule_new_linear(of, *start, *end, *steps)),
            Rates::Constant { factor, steps } => made!(td_schedule_new_constant(of, *factor, *steps)),
            Rates::OneCycle { max_lr, steps, options } => {
                let given = |value: f64| if value == 0.0 { sys::TD_ZERO } else { value };
                let raw = sys::td_one_cycle_options {
                    pct_start: given(options.pct_start),
                    div_factor: given(options.div_factor),
                    final_div_factor: given(options.final_div_factor),
                    base_momentum: given(options.base_momentum),
                    max_momentum: given(options.max_momentum),
                    linear: options.linear.into(),
                    three_phases: options.three_phases.into(),
                    keep_momentum: options.keep_momentum.into(),
                    ..Default::default()
                };
                made!(td_schedule_new_one_cycle(of, *max_lr, *steps, &raw))
            }
        }?;
        Ok(Schedule { handle, optimizer: of as usize })
    }

    /// Sets the learning rates of the next step. Errors: Argument after the last step of a cycle, and for an optimizer
    /// that the schedule was not made for.
    pub fn step(&mut self, optimizer: &mut Optimizer) -> Result<()> {
        self.check(optimizer)?;
        done!(td_schedule_step(self.handle.as_raw()))
    }

    /// Steps so far.
    pub fn steps(&self) -> i64 {
        unsafe { sys::td_schedule_steps(self.handle.as_raw()) }
    }

    /// Its state as a dict of copies. Errors: Argument for another optimizer.
    pub fn state(&self, optimizer: &mut Optimizer) -> Result<Dict> {
        self.check(optimizer)?;
        made!(td_schedule_state(self.handle.as_raw()))
    }

    /// Goes on from the state of a schedule that was made in the same way. Errors: Key; Shape; Argument.
    pub fn load_state(&mut self, optimizer: &mut Optimizer, state: &Node) -> Result<()> {
        self.check(optimizer)?;
        done!(td_schedule_load_state(self.handle.as_raw(), state.as_raw()))
    }

    // Two ways to one optimizer must not exist: whoever steps shows that he has it.
    fn check(&self, optimizer: &Optimizer) -> Result<()> {
        if optimizer.as_raw() as usize == self.optimizer {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Argument, "the schedule was made for another optimizer"))
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schedule({} steps)", self.steps())
    }
}
