//! Keys as JSON writes them: "a", or ["a", "b"].
use crate::json::Json;
use tensordict::KeyBuf;

pub fn key_of(spec: &Json) -> KeyBuf {
    match spec {
        Json::Array(parts) => parts.iter().map(|part| part.str().to_owned()).collect(),
        one => KeyBuf::from(one.str()),
    }
}

pub fn keys_of(list: &Json) -> Vec<KeyBuf> {
    list.array().iter().map(key_of).collect()
}
