use tensordict::{Dict, Tensor};

fn main() -> tensordict::Result<()> {
    let mut td = Dict::new(&[32])?;
    td.set("a", &Tensor::from_slice(&[1.0f32; 32], &[32])?)?;
    let works = (&td + 1.0)?.get("a")?.view::<f32>()?.get(0) == 2.0;
    println!("{}, in Rust: {}", tensordict::version(), if works { "works" } else { "fails" });
    std::process::exit(i32::from(!works))
}
