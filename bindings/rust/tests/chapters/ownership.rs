//! No result reaches a node of what it was made of: that is what `&mut` rests on.
use crate::{floats, sample};
use tensordict::{Dict, Entry, Index, KeyBuf, Node, Op, Padding, Reduce, Result, Tensor, UpdateOptions};

fn nodes(dict: &Node, found: &mut Vec<usize>) {
    found.push(dict.as_raw() as usize);
    if let Ok(members) = dict.members() {
        // What a lazy stack gives for a key is made anew each time, of the nodes of its members.
        return members.iter().for_each(|member| nodes(member, found));
    }
    for (_, entry) in dict.entries().unwrap().flatten() {
        if let Entry::Dict(inner) = entry {
            nodes(&inner, found);
        }
    }
}

type Operation = (&'static str, fn(&Node) -> Result<Vec<Dict>>);

fn one(dict: Result<Dict>) -> Result<Vec<Dict>> {
    Ok(vec![dict?])
}

const OPERATIONS: &[Operation] = &[
    ("copy", |d| one(d.copy())),
    ("deep_copy", |d| one(d.deep_copy())),
    ("to_tensordict", |d| one(d.to_tensordict())),
    ("contiguous", |d| one(d.contiguous())),
    ("consolidate", |d| one(d.consolidate())),
    ("empty", |d| one(d.empty(true))),
    ("to_dtype", |d| one(d.to_dtype(tensordict::Dtype::Float32))),
    ("to_device", |d| one(d.to_device("cpu"))),
    ("select", |d| one(d.select(["n", "a"], false))),
    ("exclude", |d| one(d.exclude(["missing"]))),
    ("split_keys", |d| d.split_keys(&[vec![KeyBuf::from("n")]], false)),
    ("flatten_keys", |d| one(d.flatten_keys("."))),
    ("unflatten_keys", |d| one(d.unflatten_keys("."))),
    ("i(..)", |d| one(d.i(..))),
    ("i(...)", |d| one(d.i(Index::Ellipsis))),
    ("i(0)", |d| one(d.i(0))),
    ("i(0..2)", |d| one(d.i(0..2))),
    ("index()", |d| one(d.index([]))),
    ("stack", |d| one(Dict::stack(&[d], 0))),
    ("cat", |d| one(Dict::cat(&[d], 0))),
    ("merge", |d| one(Dict::merge([d]))),
    ("pad", |d| one(d.pad(&[0, 0], 0.0))),
    ("to_lazy_stack", |d| one(d.to_lazy_stack(0))),
    ("densify", |d| one(d.densify(&Padding::default()))),
    ("masked_select", |d| one(d.masked_select(&Tensor::from_bools(&[true, true], &[2])?))),
    ("choose", |d| one(d.choose(&Tensor::from_bools(&[true, true], &[2, 1])?, d, None))),
    ("view", |d| one(d.view(&d.batch_size()))),
    ("reshape", |d| one(d.reshape(&d.batch_size()))),
    ("reshape(-1)", |d| one(d.reshape(&[-1]))),
    ("flatten", |d| one(d.flatten(0, 0))),
    ("squeeze", |d| one(d.squeeze(&[]))),
    ("unsqueeze", |d| one(d.unsqueeze(0))),
    ("expand", |d| one(d.expand(&d.batch_size()))),
    ("permute", |d| one(d.permute(&[0, 1]))),
    ("transpose", |d| one(d.transpose(0, 0))),
    ("movedim", |d| one(d.movedim(&[0], &[0]))),
    ("narrow", |d| one(d.narrow(0, 0, 2))),
    ("split", |d| d.split(2, 0)),
    ("split_sizes", |d| d.split_sizes(&[1, 1], 0)),
    ("chunk", |d| d.chunk(1, 0)),
    ("tensor_split", |d| d.tensor_split(1, 0)),
    ("tensor_split_at", |d| d.tensor_split_at(&[1], 0)),
    ("unbind", |d| d.unbind(0)),
    ("repeat", |d| one(d.repeat(&[1, 1]))),
    ("tile", |d| one(d.tile(&[1]))),
    ("flip", |d| one(d.flip(&[]))),
    ("roll", |d| one(d.roll(&[0], &[0]))),
    ("+", |d| one(d + 0)),
    ("pointwise in place", |d| one(Op::find("add_")?.pointwise(&[d.into(), 0.into()]))),
    ("apply", |d| Op::find("add_")?.apply(&[d.into(), 0.into()], &[], 1)),
    ("reduce", |d| one(d.reduce("sum", &Reduce::dim(0)))),
    ("map", |d| one(d.map(|_, tensor| Ok(tensor.clone())))),
    ("detach", |d| one(d.detach())),
    ("state_dict", |d| one(d.state_dict())),
    ("replace", |d| one(d.copy()?.replace(d))),
    ("filter_non_tensor_data", |d| one(d.filter_non_tensor_data())),
    ("update", |d| {
        let mut other = Dict::new(&d.batch_size())?;
        other.update(d)?;
        one(Ok(other))
    }),
    ("update of one key", |d| {
        let mut other = Dict::new(&d.batch_size())?;
        other.update_with(d, &UpdateOptions { keys: Some(vec!["n".into()]), ..Default::default() })?;
        one(Ok(other))
    }),
    ("load_state_dict", |d| {
        let mut other = Dict::new(&d.batch_size())?;
        other.load_state_dict(d, false, true)?;
        one(Ok(other))
    }),
];

fn lazy() -> Dict {
    let part = |value: f32| {
        let mut dict = Dict::new(&[3]).unwrap();
        dict.set("a", &floats(&[value; 3], &[3])).unwrap();
        dict.set(("n", "b"), &floats(&[value; 3], &[3])).unwrap();
        dict
    };
    Dict::lazy_stack(vec![part(0.0), part(1.0)], 0).unwrap()
}

fn lazy_inside() -> Dict {
    let mut dict = Dict::new(&[2]).unwrap();
    dict.set("a", &floats(&[0.0, 1.0], &[2])).unwrap();
    dict.set_dict("n", lazy()).unwrap();
    dict
}

#[test]
fn results_have_nodes_of_their_own() {
    let sources = [("plain", sample()), ("lazy", lazy()), ("lazy inside", lazy_inside())];
    let (mut ran, mut shared) = (0, Vec::new());
    for (kind, source) in &sources {
        let mut own = Vec::new();
        nodes(source, &mut own);
        for (name, operation) in OPERATIONS {
            // Not every operation takes every kind; that each takes one is checked below.
            let results = operation(source).unwrap_or_default();
            ran += usize::from(!results.is_empty());
            for result in &results {
                let mut theirs = Vec::new();
                nodes(result, &mut theirs);
                if theirs.iter().any(|node| own.contains(node)) {
                    shared.push(format!("{name} of a {kind} dict"));
                }
            }
        }
    }
    assert!(shared.is_empty(), "nodes are shared: {shared:?}");
    for (name, operation) in OPERATIONS {
        assert!(sources.iter().any(|(_, source)| operation(source).is_ok()), "{name} never ran");
    }
    assert!(ran > 2 * OPERATIONS.len(), "only {ran} ran");
}

#[test]
fn a_swap_of_lent_dicts_changes_nothing() {
    let (mut left, mut right) = (Dict::new(&[1]).unwrap(), Dict::new(&[2]).unwrap());
    std::mem::swap::<Node>(&mut left, &mut right);
    assert_eq!((left.batch_size(), right.batch_size()), (vec![1], vec![2]));
}

#[test]
fn a_lent_dict_changes_its_owner() {
    let mut dict = sample();
    dict.get_dict_mut("n").unwrap().set("c", &floats(&[0.0; 6], &[2, 3])).unwrap();
    assert!(dict.contains(("n", "c")));
}

#[test]
fn a_view_keeps_its_memory() {
    let view = {
        let tensor = floats(&[1.0, 2.0], &[2]);
        tensor.view::<f32>().unwrap()
    };
    assert_eq!(view.to_vec(), [1.0, 2.0]);
    // What would pull memory or shape away below a view is refused.
    let tensor = floats(&[1.0, 2.0], &[2]);
    for name in ["resize_", "set_", "t_", "squeeze_", "aten::unsqueeze_"] {
        assert!(Op::find(name).unwrap().reshapes(), "{name}");
    }
    let error = tensor.op("resize_", &[(&[100]).into()]).unwrap_err();
    assert_eq!(error.kind(), tensordict::ErrorKind::Unsupported);
    let out = [("out", (&tensor).into())];
    let error = Op::find("add").unwrap().call_with(&[(&tensor).into(), (&tensor).into()], &out).unwrap_err();
    assert_eq!(error.kind(), tensordict::ErrorKind::Unsupported);
}
