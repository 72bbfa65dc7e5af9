//! Reads and writes what other processes do: Python, C, and programs in other languages. One command a process, text on
//! stdout. bindings/go/examples/peer/main.go describes the commands; tests/interop/test_matrix.py runs them.
mod channel;
mod storage;

use std::io::{self, BufRead, Write};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = storage::run(&words).or_else(|| channel::run(&words));
    match done {
        Some(Ok(())) => {}
        Some(Err(error)) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
        None => {
            eprintln!("usage: peer COMMAND ARGUMENTS");
            std::process::exit(2);
        }
    }
}

/// Prints a line that the other process sees at once.
fn say(line: impl std::fmt::Display) -> Result<()> {
    println!("{line}");
    Ok(io::stdout().flush()?)
}

/// Calls `each` for every line on stdin.
fn lines(mut each: impl FnMut(&str) -> Result<()>) -> Result<()> {
    for line in io::stdin().lock().lines() {
        each(&line?)?;
    }
    Ok(())
}
