//! The rows of tests/bench/languages/bench.c in Rust.
use tensordict::{sys, Dict, Dtype, Entry, Module, Path, Result, Tensor};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, out: *mut Timespec) -> i32;
}

/// The processor time of this process, which std does not tell.
fn now() -> f64 {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the layout is that of C on 64-bit Linux.
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.seconds as f64 * 1e9 + time.nanoseconds as f64
}

fn row(name: &str, mut call: impl FnMut() -> Result<()>) -> Result<()> {
    let mut run = |calls: u64| -> Result<f64> {
        let start = now();
        for _ in 0..calls {
            call()?;
        }
        Ok(now() - start)
    };
    let mut calls = 1;
    while run(calls)? < 20e6 {
        calls *= 2;
    }
    let mut times = Vec::new();
    for _ in 0..9 {
        times.push(run(calls)? / calls as f64);
    }
    times.sort_by(f64::total_cmp);
    println!("{name}\t{:.1}", times[4]);
    Ok(())
}

fn main() -> Result<()> {
    let (obs, small) = (Tensor::zeros(&[128, 4], Dtype::Float32)?, Tensor::zeros(&[4], Dtype::Float32)?);
    let (mut td, mut wide) = (Dict::new(&[128])?, Dict::new(&[])?);
    td.set(("next", "obs"), &obs)?;
    for i in 0..100 {
        wide.set(format!("leaf_{i}").as_str(), &small)?;
    }
    let inputs = [obs.clone()];
    let path = Path::new(("next", "obs"))?;
    let identity = Module::from_tensors(|x| Ok(vec![x[0].clone()]))?;

    row("an empty call", || {
        // SAFETY: it takes nothing and returns a number.
        unsafe { sys::td_abi_version() };
        Ok(())
    })?;
    row("get, prepared key", || td.get_path(&path).map(drop))?;
    row("get, two strings", || td.get(("next", "obs")).map(drop))?;
    row("look-up of a missing key", || {
        assert!(td.find(("next", "none"))?.is_none());
        Ok(())
    })?;
    row("iterate 100 entries", || {
        let mut elements = 0;
        for entry in wide.entries()? {
            if let (_, Entry::Tensor(tensor)) = entry? {
                elements += tensor.numel();
            }
        }
        assert_eq!(elements, 400);
        Ok(())
    })?;
    row("view of a tensor", || {
        assert_eq!(obs.view::<f32>()?.get(511), 0.0);
        Ok(())
    })?;
    row("a callback", || identity.call(&inputs, 1).map(drop))
}
