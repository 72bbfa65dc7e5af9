//! The vectors of hash types and of queries: hash.json.
use crate::json::Json;
use crate::keys::keys_of;
use crate::replay::Replay;
use crate::values::flag;
use tensordict::{plugins, Dict, Dtype, Hash, Query, Result, Tensor, Value};

fn bytes_of(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digit).collect()
}

fn unsigned(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

fn hash_of(kind: &str, config: &str, message: &[u8]) -> Result<u64> {
    let hash = Hash::create(kind, config)?;
    if message.is_empty() {
        // One row without bytes.
        return Ok(hash.call(&Tensor::zeros(&[1, 0], Dtype::Uint8)?)?.to_vec::<i64>()?[0] as u64);
    }
    Ok(hash.rows(message, message.len())?[0])
}

fn compare(replay: &mut Replay, what: &str, (kind, config): (&str, &str), message: &[u8], wanted: u64) {
    replay.run(&format!("{what} of {} bytes", message.len()), || {
        assert_eq!(hash_of(kind, config, message)?, wanted);
        Ok(())
    });
}

pub fn run_hashes(all: &Json, replay: &mut Replay) {
    as_cpython(all.at("cpython_hash_bytes"), replay);
    for (name, rounds) in [("siphash24_official", "[2, 4]"), ("siphash13_reference", "[1, 3]")] {
        let key = "000102030405060708090a0b0c0d0e0f";
        let config = format!(r#"{{"cpython": false, "key": "{key}", "rounds": {rounds}}}"#);
        let message: Vec<u8> = (0..=255).collect();
        for (n, wanted) in all.at(name).at("values").array().iter().enumerate() {
            compare(replay, name, ("td.siphash", &config), &message[..n], unsigned(wanted.str()));
        }
    }
    // A library may be built without xxHash.
    if plugins::list().unwrap().contains("\"td.xxh3\"") {
        xxh3(all.at("xxh3_64"), replay);
    }
}

fn as_cpython(o: &Json, replay: &mut Replay) {
    for one in o.at("vectors").array() {
        let n = one.at("len").int();
        // Vectors without their bytes say how these are made.
        let message =
            one.get("hex").map_or_else(|| (0..n).map(|i| (i * 7 + n) as u8).collect(), |hex| bytes_of(hex.str()));
        for seed in [0, 42] {
            for (rounds, spelled) in [("13", "[1, 3]"), ("24", "[2, 4]")] {
                let name = format!("siphash{rounds}_seed{seed}");
                let config = format!(r#"{{"seed": {seed}, "rounds": {spelled}}}"#);
                compare(replay, &name, ("td.siphash", &config), &message, one.at(&name).int() as u64);
            }
        }
    }
}

fn xxh3(o: &Json, replay: &mut Replay) {
    let vectors = o.at("vectors").array();
    let longest = vectors.iter().map(|one| one.at("len").int()).max().unwrap();
    let mut state = 2_654_435_761_u64;
    let mut next = || {
        let byte = (state >> 56) as u8;
        state = state.wrapping_mul(11_400_714_785_074_694_797);
        byte
    };
    let buffer: Vec<u8> = (0..longest).map(|_| next()).collect();
    for one in vectors {
        for (name, seed) in [("seed0", "0x0"), ("seedP32", o.at("P32").str()), ("seedP64", o.at("P64").str())] {
            let config = format!(r#"{{"seed": {}}}"#, unsigned(seed));
            let message = &buffer[..one.at("len").int() as usize];
            compare(replay, name, ("td.xxh3", &config), message, unsigned(one.at(name).str()));
        }
    }
}

/// The elements that bytes spell in row-major order.
fn tensor_of_bytes(o: &Json) -> Result<Tensor> {
    let (dtype, shape): (Dtype, _) = (o.at("dtype").str().parse()?, o.at("shape").ints());
    let bytes = Tensor::try_from(bytes_of(o.at("bytes_hex").str()))?;
    if bytes.numel() == 0 {
        return Tensor::zeros(&shape, dtype);
    }
    bytes.op("view.dtype", &[dtype.into()])?.op("reshape", &[Value::Ints(&shape)])
}

pub fn query(v: &Json) -> Result<()> {
    let mut query = Query::new(&keys_of(v.at("in_keys")))?;
    for step in v.at("steps").array() {
        let mut data = Dict::new(&step.at("batch_size").ints())?;
        for (name, input) in step.at("inputs").object() {
            data.set(name, &tensor_of_bytes(input)?)?;
        }
        let extend = step.at("call").get("extend").is_none() || flag(step.at("call"), "extend");
        let data = query.call(&data, extend, None)?;
        assert_eq!(data.get("_index")?.to_vec::<i64>()?, step.at("index").ints(), "the indices");
        assert_eq!(data.get("_hash")?.to_vec::<i64>()?, step.at("hash").ints(), "the hashes");
        assert_eq!(query.len() as i64, step.at("map_size_after").int(), "the rows of the map");
    }
    Ok(())
}
