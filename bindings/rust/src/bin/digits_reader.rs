//! The second process of the digits demo: reads the predictions that another process made, without copying them.
//!
//!     digits_reader SEGMENT DATA_DIR
//!
//! Prints what it sees, then `ready`; after a line "changed ROW" on stdin it looks again, through what it already
//! holds.
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Instant;
use tensordict::{Dict, Element, Segment, View};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let outcome = match arguments.as_slice() {
        [_, segment, data] => run(segment, Path::new(data)),
        _ => Err("usage: digits_reader SEGMENT DATA_DIR".into()),
    };
    if let Err(error) = outcome {
        eprintln!("digits_reader: {error}");
        std::process::exit(1);
    }
}

fn run(name: &str, data: &Path) -> Result<()> {
    let start = Instant::now();
    let segment = Segment::open(name)?;
    let dict = segment.dict()?;
    let (prediction, probability, row) = (dict.get("prediction")?, dict.get("probability")?, dict.get("row")?);
    let (prediction, probability, row) = (prediction.view::<i64>()?, probability.view::<f32>()?, row.view::<i64>()?);
    let opened = start.elapsed();

    let mapped =
        [lies_in(&prediction, segment.path())?, lies_in(&probability, segment.path())?, lies_in(&row, segment.path())?];
    let copies = mapped.iter().filter(|here| !**here).count();
    println!(
        "{}: {} bytes, opened in {:.2} ms, copies made: {copies}",
        segment.path(),
        segment.nbytes(),
        opened.as_secs_f64() * 1e3
    );

    // The labels come from the file that Python wrote, also mapped.
    let label = Dict::open(data.join("memmap"))?.get("label")?;
    let label = label.view::<i64>()?;
    let confusion = compare(&prediction, &probability, &row, &label)?;
    print_matrix(&confusion);

    // Noted before the other process may go on.
    let before = (segment.version(), prediction.iter().collect::<Vec<_>>());
    println!("ready");
    io::stdout().flush()?;
    let changed = wait_for_change()?;
    let position = row.iter().position(|r| r == changed).ok_or(format!("row {changed} is not in the segment"))?;
    // The same view as before: nothing is opened again.
    let (version, value) = (segment.version(), prediction.get(position));
    println!(
        "row {changed}: prediction {} -> {value} (label {}), version {} -> {version}, copies made: {copies}",
        before.1[position],
        label.get(changed as usize),
        before.0
    );

    let others = (0..row.len()).filter(|i| *i != position && prediction.get(*i) != before.1[*i]).count();
    check(copies == 0, "a tensor is not in the shared memory")?;
    check(value != before.1[position], "the change is not seen")?;
    check(others == 0, "other rows have changed too")?;
    check(version > before.0 && version % 2 == 0, "the version does not show one finished update")
}

fn check(truth: bool, message: &str) -> Result<()> {
    if truth {
        Ok(())
    } else {
        Err(message.into())
    }
}

/// Counts (label, prediction) pairs; checks on the way that what arrived makes sense.
fn compare(
    prediction: &View<i64>,
    probability: &View<f32>,
    row: &View<i64>,
    label: &View<i64>,
) -> Result<[[u32; 10]; 10]> {
    check(probability.len() == 10 * prediction.len() && row.len() == prediction.len(), "sizes do not fit")?;
    let mut confusion = [[0; 10]; 10];
    for (i, row) in row.iter().enumerate() {
        check((0..label.len() as i64).contains(&row), "a row is not in the data")?;
        let (truth, guess) = (label.get(row as usize), prediction.get(i));
        check((0..10).contains(&truth) && (0..10).contains(&guess), "a class is not a digit")?;
        let chance = |digit: usize| probability.get(10 * i + digit);
        let sum: f32 = (0..10).map(chance).sum();
        check((sum - 1.0).abs() < 1e-4, "probabilities do not add up to 1")?;
        check(
            (0..10).all(|digit| chance(digit) <= chance(guess as usize)),
            "a prediction is not the most probable digit",
        )?;
        confusion[truth as usize][guess as usize] += 1;
    }
    Ok(confusion)
}

fn print_matrix(confusion: &[[u32; 10]; 10]) {
    println!("label \\ prediction  0   1   2   3   4   5   6   7   8   9");
    for (digit, counts) in confusion.iter().enumerate() {
        let cells: String = counts.iter().map(|n| if *n == 0 { "   .".into() } else { format!("{n:4}") }).collect();
        println!("{digit:>17}{cells}");
    }
    let total: u32 = confusion.iter().flatten().sum();
    let right: u32 = (0..10).map(|digit| confusion[digit][digit]).sum();
    println!("accuracy {:.4} ({right} of {total})", f64::from(right) / f64::from(total.max(1)));
}

fn wait_for_change() -> Result<i64> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let row = line.trim_end().strip_prefix("changed ").ok_or("the other process ended without a change")?;
    Ok(row.parse()?)
}

/// Do the elements lie in memory that is mapped from `path`? The kernel knows.
fn lies_in<T: Element>(view: &View<T>, path: &str) -> Result<bool> {
    let maps = std::fs::read_to_string("/proc/self/maps")?;
    let (first, last) = (view.as_ptr() as usize, view.as_ptr() as usize + std::mem::size_of::<T>() * view.len());
    Ok(maps.lines().filter(|line| line.ends_with(path)).any(|line| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).unwrap_or(0);
        range.map_or(false, |(begin, end)| number(begin) <= first && last <= number(end))
    }))
}
