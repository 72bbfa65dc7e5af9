//! Saves and segments.
use crate::{lines, say, Result};
use tensordict::{Dict, Dtype, Mode, Node, Op, OpenOptions, Segment, SegmentOptions, Tensor, Value};

pub fn run(words: &[&str]) -> Option<Result<()>> {
    Some(match *words {
        ["save", path] => save(path),
        ["copy", from, to] => copy(from, to),
        ["show", path] => Dict::open(path).map_err(Into::into).and_then(|td| print(&td)),
        ["watch", path] => watch(path),
        ["live", path] => live(path),
        ["own", name] => own(name, 0),
        ["own-snapshots", name] => own(name, 3),
        ["spin", name] => spin(name),
        ["map", name] => map(name, Segment::dict),
        ["map-snapshots", name] => map(name, Segment::snapshot),
        ["prune", prefix] => prune(prefix),
        _ => return None,
    })
}

/// What every language's peer saves, with `offset` added to "a".
fn example(offset: f32) -> Result<Dict> {
    let mut td = Dict::new(&[2])?;
    let a: Vec<f32> = (0..6u8).map(|i| f32::from(i) + offset).collect();
    td.set("a", &Tensor::from_slice(&a, &[2, 3])?)?;
    td.set(("n", "b/c"), &Tensor::from_slice(&[-1, i64::MAX], &[2])?)?;
    td.set(("n", "ж"), &Tensor::from_bools(&[true, false], &[2, 1])?)?;
    let pairs = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0], &[2, 2])?;
    td.set(("n", "deep", "z"), &pairs.op("view_as_complex", &[])?)?;
    td.set("half", &Tensor::from_slice(&[1.0f32, 2.0], &[2])?.to_dtype(Dtype::Bfloat16)?)?;
    td.set("none", &Tensor::zeros(&[2, 0], Dtype::Float64)?)?;
    Ok(td)
}

/// Each leaf: key, dtype, shape and the bytes of its elements, row-major.
fn print(td: &Node) -> Result<()> {
    for (key, t) in td.leaves()? {
        let shape: Vec<String> = t.shape().iter().map(ToString::to_string).collect();
        let bytes: String = bytes(&t)?.iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{}\t{}\t{}\t{bytes}", key.parts().join("|"), t.dtype(), shape.join(","));
    }
    Ok(())
}

fn bytes(t: &Tensor) -> Result<Vec<u8>> {
    if t.numel() == 0 {
        return Ok(Vec::new());
    }
    let flat = t.contiguous()?.op("flatten", &[])?;
    let view = Op::find_overload("view", Some("dtype"))?;
    Ok(view.call(&[Value::from(&flat), Value::Dtype(Dtype::Uint8)])?.to_vec()?)
}

fn save(path: &str) -> Result<()> {
    Ok(example(0.0)?.save(path)?)
}

fn copy(from: &str, to: &str) -> Result<()> {
    Ok(Dict::open(from)?.save(to)?)
}

/// Prints what `get` returns and a ".", now and for each line on stdin.
fn again(get: impl Fn() -> tensordict::Result<Dict>) -> Result<()> {
    let once = |_: &str| {
        let td = get()?;
        print(&td)?;
        say(".")
    };
    once("")?;
    lines(once)
}

fn watch(path: &str) -> Result<()> {
    let td = Dict::open(path)?;
    again(|| td.copy())
}

/// Obeys "fill KEY VALUE", "first KEY", "make KEY" and "refresh" on a directory that is open for writing.
fn live(path: &str) -> Result<()> {
    let mut td = Dict::open_with(path, OpenOptions { mode: Mode::ReadWrite, ..OpenOptions::default() })?;
    say("ready")?;
    lines(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut value = 0.0;
        match *words.as_slice() {
            ["refresh"] => td.refresh_memmap()?,
            ["make", key] => drop(td.make_memmap(key, &[2], Dtype::Float32)?),
            ["fill", key, number] => {
                value = number.parse()?;
                let mut t = td.get(key)?;
                t.write(&vec![value; t.numel()])?;
            }
            ["first", key] => value = td.get(key)?.view::<f32>()?.get(0),
            _ => return Err("an unknown line".into()),
        }
        say(value)
    })
}

fn segment(name: &str, snapshots: i32) -> Result<Segment> {
    let first = example(0.0)?;
    let made = Segment::create_with(name, &first, SegmentOptions { snapshots, ..SegmentOptions::default() })?;
    say(made.path())?;
    Ok(made)
}

fn own(name: &str, snapshots: i32) -> Result<()> {
    let mut mine = segment(name, snapshots)?;
    let mut offset = 0.0;
    lines(|_| {
        offset += 1.0;
        let next = example(offset)?;
        mine.update(&next)?;
        say(mine.version())
    })
}

fn spin(name: &str) -> Result<()> {
    let mut mine = segment(name, 3)?;
    let mut offset = 0.0;
    loop {
        offset += 1.0;
        let next = example(offset)?;
        mine.update(&next)?;
    }
}

fn map(name: &str, get: fn(&Segment) -> tensordict::Result<Dict>) -> Result<()> {
    let theirs = Segment::open(name)?;
    again(|| get(&theirs))
}

fn prune(prefix: &str) -> Result<()> {
    say(Segment::prune(prefix)?)
}
