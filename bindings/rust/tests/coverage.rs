//! Every function of the header is used by the safe layer, or named here with the reason.
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Left out on purpose. A name that ends with `*` stands for all that begin so.
const LEFT_OUT: &[(&str, &str)] = &[
    ("td_status_name", "ErrorKind prints the same"),
    ("td_string_retain", "text is copied into a String"),
    ("td_keys_retain", "keys are copied into a Vec"),
    ("td_tensor_list_retain", "tensors are moved into a Vec"),
    ("td_dict_list_retain", "dicts are moved into a Vec"),
    ("td_entries_retain", "entries are iterated once"),
    ("td_entry_clear", "what was looked up is owned by the parts of Entry"),
    ("td_release_many", "Drop gives each reference back"),
    ("td_tensor_list_size", "tensors are moved into a Vec"),
    ("td_tensor_list_get", "tensors are moved into a Vec"),
    ("td_dict_list_size", "dicts are moved into a Vec"),
    ("td_keys_size", "keys are copied into a Vec"),
    ("td_keys_get", "keys are copied into a Vec"),
    ("td_tensor_info", "its parts have functions of their own, which are inlined"),
    ("td_dtype_name", "Dtype prints the same"),
    ("td_generator_retain", "a generator is changed by who draws, so that it has one owner"),
    ("td_scope_retain", "a scope is a closure"),
    ("td_no_grad_retain", "no_grad takes a closure"),
    ("td_no_grad_run", "no_grad takes a closure that gives a value, between td_no_grad_begin and td_no_grad_end"),
    ("td_interaction_run", "with_interaction takes a closure that gives a value"),
    ("td_segment_retain", "a segment has one owner; others open it by its name"),
    ("td_channel_retain", "a channel is shared by reference"),
    ("td_message_retain", "a message has one owner, which frees the slot"),
    ("td_module_retain", "a module has one owner, as a dict has"),
    ("td_schedule_retain", "a schedule has one owner"),
    ("td_optimizer_retain", "an optimizer has one owner"),
    ("td_hash_retain", "a hash has one owner; Hash::copy makes an independent one"),
    ("td_query_retain", "a query has one owner"),
    ("td_store_retain", "a store has one owner"),
    ("td_row_map_retain", "a row map has one owner"),
];

/// Not done yet: new functions of the header go here until the safe layer has them.
const NOT_YET: &[(&str, &str)] = &[];

fn sources(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().map_or(false, |extension| extension == "rs") && !path.ends_with("sys.rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

fn names(text: &str) -> BTreeSet<&str> {
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split(word).filter(|name| name.starts_with("td_")).collect()
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

#[test]
fn every_function_is_used_or_left_out_with_a_reason() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let raw = fs::read_to_string(source.join("sys.rs")).unwrap();
    let functions: BTreeSet<&str> = raw
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("pub fn ")?.split('(').next())
        .filter(|name| name.starts_with("td_"))
        .collect();
    assert!(functions.len() > 500, "only {} functions were found", functions.len());
    let mut text = String::new();
    sources(&source, &mut text);
    let used = names(&text);

    let excused = |name: &str| LEFT_OUT.iter().chain(NOT_YET).any(|(pattern, _)| fits(pattern, name));
    let missing: Vec<_> = functions.iter().filter(|name| !used.contains(*name) && !excused(name)).collect();
    assert!(missing.is_empty(), "{} functions are not in the safe layer: {missing:#?}", missing.len());

    for (pattern, reason) in LEFT_OUT.iter().chain(NOT_YET) {
        assert!(!reason.is_empty(), "{pattern} has no reason");
        assert!(functions.iter().any(|name| fits(pattern, name)), "{pattern} is no function any more");
        let in_use = functions.iter().any(|name| fits(pattern, name) && used.contains(name));
        assert!(!in_use, "{pattern} is used: take it off the list");
    }
}
