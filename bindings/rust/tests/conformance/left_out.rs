//! Programs that are left out, with the reasons.
use crate::json::Json;

/// By their operations.
const OPERATIONS: &[(&str, &str)] = &[
    ("scope_", "a scope is a closure here, in which the original is out of reach: see tests/chapters/scopes.rs"),
    ("same", "two registers are never one dict here"),
];

/// By their names.
const NAMED: &[(&str, &str)] = &[
    ("access/set_itself", "a dict that is moved into itself does not compile"),
    ("behaviours/09_two_locked_parents", "a dict has one parent"),
    ("behaviours/11_select_keeps_the_node", "what select gives has nodes of its own"),
    ("functions/map_nothing_keeps_empty", "a closure over data cannot keep the nodes that it empties"),
    ("keys/select_of_locked", "what select gives has nodes of its own, which are not locked"),
    ("keys/exclude_of_locked", "what exclude gives has nodes of its own, which are not locked"),
    ("lazy/stack_of_one_twice", "a dict is a member of one stack, once"),
    ("metadata/unnamed_into_named", "the dict without names was moved in, and is not seen without them"),
    ("metadata/lock_after_exclude", "what exclude gives has nodes of its own, which are not locked"),
    ("params/clone", "the dict that became parameters has moved into them"),
];

/// Why a program is left out, if it is.
pub fn reason(name: &str, vector: &Json) -> Option<&'static str> {
    let named = NAMED.iter().find(|(one, _)| *one == name);
    let uses = |operation: &str| {
        let steps = vector.get("steps").unwrap().array();
        steps.iter().any(|step| step.get("op").unwrap().str().starts_with(operation))
    };
    named.or_else(|| OPERATIONS.iter().find(|(operation, _)| uses(operation))).map(|(_, reason)| *reason)
}

/// True if it is left out by its name.
pub fn is_named(name: &str) -> bool {
    NAMED.iter().any(|(one, _)| *one == name)
}
