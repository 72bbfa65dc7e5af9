//! Programs that are left out, with the reasons.
const PROGRAMS: &[(&str, &str)] = &[
    ("access/set_itself", "a dict that is moved into itself does not compile"),
    ("behaviours/09_two_locked_parents", "a dict has one parent"),
    ("behaviours/11_select_keeps_the_node", "what select gives has nodes of its own"),
    ("keys/select_of_locked", "what select gives has nodes of its own, which are not locked"),
    ("keys/exclude_of_locked", "what exclude gives has nodes of its own, which are not locked"),
    (
        "lazy/index_is_the_member",
        "what an index gives has nodes of its own; members() and member_mut() lend the member",
    ),
    ("lazy/stack_of_one_twice", "a dict is a member of one stack, once"),
    ("metadata/lock_after_exclude", "what exclude gives has nodes of its own, which are not locked"),
];

/// Why a program is left out, if it is.
pub fn reason(name: &str) -> Option<&'static str> {
    PROGRAMS.iter().find(|(one, _)| *one == name).map(|(_, reason)| *reason)
}

/// Those on the list that are none of these.
pub fn unknown(names: &[String]) -> Vec<&'static str> {
    PROGRAMS.iter().map(|(one, _)| *one).filter(|one| !names.iter().any(|name| name == one)).collect()
}
