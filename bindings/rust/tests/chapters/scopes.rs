use crate::{floats, sample};
use tensordict::*;

#[test]
fn what_is_set_inside_is_in_the_original_afterwards() {
    let mut dict = sample();
    dict.scope_flatten_keys(".", |flat| flat.set("n.c", &floats(&[0.0; 6], &[2, 3]))).unwrap();
    assert!(dict.contains(("n", "c")) && !dict.contains("n.c"));
    dict.scope_view(&[6], |rows| rows.set("r", &floats(&[1.0; 6], &[6]))).unwrap();
    assert_eq!(dict.get("r").unwrap().shape(), [2, 3]);
    dict.scope_transpose(0, 1, |turned| turned.set("t", &floats(&[1.0; 6], &[3, 2]))).unwrap();
    assert_eq!(dict.get("t").unwrap().shape(), [2, 3]);
}

#[test]
fn every_form_is_turned_back() {
    let one = |node: &mut Node| {
        let size = node.batch_size();
        node.set("new", &Tensor::ones(&size, Dtype::Float32)?)
    };
    type Scope = fn(&mut Node, &dyn Fn(&mut Node) -> Result<()>) -> Result<()>;
    let scopes: &[Scope] = &[
        |d, f| d.scope_unflatten_keys("/", f),
        |d, f| d.scope_flatten(0, 1, f),
        |d, f| d.scope_unflatten(1, &[3, 1], f),
        |d, f| d.scope_squeeze(&[], f),
        |d, f| d.scope_unsqueeze(0, f),
        |d, f| d.scope_permute(&[1, 0], f),
        |d, f| d.scope_movedim(&[0], &[1], f),
        |d, f| d.scope_flip(&[0], f),
        |d, f| d.scope_roll(&[1], &[1], f),
        |d, f| d.scope_to_dtype(Dtype::Float64, f),
        |d, f| d.scope_to_device("cpu", f),
    ];
    for (index, scope) in scopes.iter().enumerate() {
        let mut dict = sample();
        scope(&mut dict, &one).unwrap_or_else(|error| panic!("scope {index}: {error}"));
        assert_eq!(dict.get("new").unwrap().shape(), [2, 3], "scope {index}");
    }
}

#[test]
fn a_scope_that_fails_leaves_the_original() {
    let mut dict = sample();
    let error = dict.scope_flatten_keys(".", |flat| {
        flat.set("n.c", &floats(&[0.0; 6], &[2, 3]))?;
        Err::<(), _>(Box::<dyn std::error::Error>::from("enough"))
    });
    assert_eq!(error.unwrap_err().to_string(), "enough");
    assert!(!dict.contains(("n", "c")));
}

#[test]
fn unlocked_for_a_while() {
    let mut dict = sample();
    dict.lock().unwrap();
    dict.scope_unlock(|dict| dict.remove("a")).unwrap();
    assert!(dict.is_locked() && !dict.contains("a"));
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        dict.scope_unlock(|_| -> Result<()> { panic!("out") })
    }));
    assert!(panic.is_err() && dict.is_locked());
}
