use crate::{floats, sample};
use tensordict::*;

fn ints(data: &[i64]) -> Tensor {
    Tensor::try_from(data).unwrap()
}

#[test]
fn one_look_up_tells_what_stands_there() {
    let dict = sample();
    assert!(matches!(dict.find("a").unwrap(), Some(Entry::Tensor(a)) if a.shape() == [2, 3]));
    assert!(matches!(dict.find("n").unwrap(), Some(Entry::Dict(n)) if n.contains("b")));
    assert_eq!(dict.find("task").unwrap().unwrap().text().as_deref(), Some("digits"));
    assert!(dict.find("missing").unwrap().is_none());
    assert!(dict.find(("a", "below a tensor")).unwrap().is_none());
    let names: Vec<_> = dict.entries().unwrap().map(|entry| entry.unwrap().0).collect();
    assert_eq!(names, ["a", "n", "task"]);
}

#[test]
fn entries_are_taken_out() {
    let mut dict = sample();
    assert!(matches!(dict.pop("a").unwrap(), Taken::Tensor(_)));
    assert!(matches!(dict.pop_last().unwrap(), (name, Taken::Data(_)) if name == "task"));
    let mut inner = match dict.pop("n").unwrap() {
        Taken::Dict(inner) => inner,
        other => panic!("{other:?}"),
    };
    inner.set("c", &floats(&[0.0; 6], &[2, 3])).unwrap();
    assert_eq!((dict.count(), inner.count()), (0, 2));
    assert_eq!(dict.pop("a").unwrap_err().kind(), ErrorKind::Key);
    assert_eq!(dict.pop_last().unwrap_err().kind(), ErrorKind::Key);
}

#[test]
fn keys_made_ready_look_up_the_same() {
    let mut dict = sample();
    let (a, b) = (Path::new("a").unwrap(), Path::new(("n", "b")).unwrap());
    assert!(dict.get_path(&a).unwrap().is_same(&dict.get("a").unwrap()));
    assert_eq!(dict.get_many(&[b.clone(), a.clone()]).unwrap().len(), 2);
    let c = Path::new("c").unwrap();
    assert_eq!(dict.get_path(&c).unwrap_err().kind(), ErrorKind::Key);
    let zeros = floats(&[0.0; 6], &[2, 3]);
    dict.set_many([(&c, &zeros), (&a, &zeros)]).unwrap();
    dict.set_path(&b, &zeros).unwrap();
    assert!(dict.get(("n", "b")).unwrap().is_same(&zeros) && dict.get("c").unwrap().is_same(&zeros));
}

#[test]
fn data_is_one_value_or_one_for_each() {
    let mut dict = Dict::new(&[2]).unwrap();
    dict.set_data("lr", 0.5).unwrap();
    dict.set_data_stack("who", &["ann".into(), Data::None]).unwrap();
    dict.set_data(("deep", "json"), Data::Json("[1, 2]")).unwrap();
    dict.set_data("bytes", &b"\x00\xff"[..]).unwrap();
    assert_eq!(dict.get_data("lr").unwrap().get(0).unwrap(), Data::Double(0.5));
    let who = dict.get_data("who").unwrap();
    assert_eq!((who.is_stack(), who.shape(), who.len()), (true, vec![2], 2));
    assert_eq!(who.iter().collect::<Vec<_>>(), [Data::Str("ann"), Data::None]);
    assert_eq!(dict.get_data(("deep", "json")).unwrap().get(0).unwrap(), Data::Json("[1,2]"));
    assert_eq!(dict.get_data("bytes").unwrap().get(0).unwrap(), Data::Bytes(b"\x00\xff"));
    assert_eq!(who.get(2).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(dict.set_data("bad", Data::Json("{")).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(dict.set_data_stack("bad", &[Data::None]).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(dict.filter_non_tensor_data().unwrap().keys(Keys::LeavesAndData).unwrap(), [] as [&str; 0]);
}

#[test]
fn many_entries_at_once() {
    let inner = Dict::build(&[2, 3], vec![("x".into(), Item::Int(1))]);
    assert_eq!(inner.unwrap_err().kind(), ErrorKind::Shape);
    let inner = Dict::new(&[2]).unwrap();
    let dict = Dict::build(&[2], vec![("x".into(), ints(&[1, 2]).into()), ("n".into(), inner.into())]).unwrap();
    assert_eq!(dict.keys(Keys::Here).unwrap(), ["x", "n"]);
    let other = Dict::from_keys(["x", "y"], &ints(&[5, 6])).unwrap();
    let merged = Dict::merge([&dict, &other]).unwrap();
    assert_eq!(merged.get("x").unwrap().to_vec::<i64>().unwrap(), [1, 2]);
    assert_eq!(merged.leaves().unwrap().len(), 2);
    assert_eq!(merged.stack_leaves(0, true).unwrap().shape(), [2, 2]);
    assert_eq!(merged.cat_leaves(0, false).unwrap().to_vec::<i64>().unwrap(), [1, 2, 5, 6]);
}

#[test]
fn updates_share_tensors_and_no_nodes() {
    let (mut dict, other) = (Dict::new(&[2, 3]).unwrap(), sample());
    dict.update(&other).unwrap();
    assert!(dict.get(("n", "b")).unwrap().is_same(&other.get(("n", "b")).unwrap()));
    dict.remove(("n", "b")).unwrap();
    assert!(other.contains(("n", "b")));
    let only = UpdateOptions { clone: true, keys: Some(vec!["a".into()]), ..Default::default() };
    let mut copy = Dict::new(&[2, 3]).unwrap();
    copy.update_with(&other, &only).unwrap();
    assert!(copy.count() == 1 && !copy.get("a").unwrap().is_same(&other.get("a").unwrap()));
    copy.zero().unwrap();
    copy.update_values(&other.select(["a"], true).unwrap()).unwrap();
    assert_eq!(copy.get("a").unwrap().to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    copy.fill("a", 2.0).unwrap();
    copy.copy_into("a", &Tensor::scalar(3.0f32).unwrap()).unwrap();
    assert_eq!(copy.get("a").unwrap().to_vec::<f32>().unwrap(), [3.0; 6]);
}

#[test]
fn keys_are_chosen_split_and_renamed() {
    let mut dict = sample();
    dict.rename("a", ("n", "a"), true).unwrap();
    assert_eq!(dict.rename(("n", "a"), ("n", "b"), true).unwrap_err().kind(), ErrorKind::Exists);
    assert_eq!(dict.select([("n", "a")], true).unwrap().keys(Keys::Leaves).unwrap(), [("n", "a")]);
    assert_eq!(dict.select(["missing"], true).unwrap_err().kind(), ErrorKind::Key);
    assert_eq!(dict.exclude(["task"]).unwrap().keys(Keys::Here).unwrap(), ["n"]);
    let parts = dict.split_keys(&[vec!["task".into()]], true).unwrap();
    assert_eq!((parts.len(), parts[0].count(), parts[1].count()), (2, 1, 1));
    let names = Some(vec![vec!["mission".into()]]);
    let parts = dict.split_keys_with(&[vec!["task".into()]], &SplitOptions { names, ..Default::default() }).unwrap();
    assert!(parts[0].contains("mission"));
    let flat = dict.flatten_keys("/").unwrap();
    assert_eq!(flat.keys(Keys::Here).unwrap().len(), 3);
    assert!(flat.unflatten_keys("/").unwrap().contains(("n", "b")));
    let apart = dict.separate([("n", "a")], true).unwrap();
    assert!(apart.contains(("n", "a")) && !dict.contains(("n", "a")));
    dict.remove_all(["task", "missing"]).unwrap();
    dict.keep_only([("n", "b")], true).unwrap();
    dict.create_nested("empty").unwrap();
    dict.remove_empty_nodes().unwrap();
    assert_eq!(dict.keys_sorted(Keys::Nested).unwrap().len(), 2);
}

#[test]
fn indices_are_ranges_and_tuples() {
    let dict = sample();
    let shape = |index: Indices<'_>| dict.i(index).unwrap().batch_size();
    assert_eq!(shape(1.into()), [3]);
    assert_eq!(shape((.., 1..).into()), [2, 2]);
    assert_eq!(shape((Index::NewDim, 0, ..-1).into()), [1, 2]);
    #[allow(clippy::reversed_empty_ranges)] // -1 is the last row here
    let to_the_last = 1..=-1;
    assert_eq!(shape((0..=0, to_the_last).into()), [1, 2]);
    assert_eq!(shape((Index::Ellipsis, -1).into()), [2]);
    let picked = ints(&[1, 1, 0]);
    assert_eq!(shape((&picked).into()), [3, 3]);
    assert_eq!(shape(Index::Slice { start: 0, stop: i64::MAX, step: 2 }.into()), [1, 3]);
    assert_eq!(dict.i((0, 0, 0)).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(dict.get_at(("n", "b"), (0, 0, 1)).unwrap().item().unwrap(), Scalar::Int(1));
}

#[test]
fn rows_are_written_where_an_index_says() {
    let mut dict = sample();
    dict.fill_at((0, ..), 9.0).unwrap();
    let row = dict.i(0).unwrap();
    dict.set_at(1, &row).unwrap();
    assert_eq!(dict.get("a").unwrap().to_vec::<f32>().unwrap(), [9.0; 6]);
    dict.copy_into_at("a", (1, 1..), &Tensor::scalar(1.0f32).unwrap()).unwrap();
    assert_eq!(dict.get("a").unwrap().to_vec::<f32>().unwrap(), [9.0, 9.0, 9.0, 9.0, 1.0, 1.0]);
}

#[test]
fn math_matches_leaves_by_key() {
    let dict = sample().exclude(["task"]).unwrap();
    let sum = (&dict + &dict).unwrap();
    assert_eq!(sum.get("a").unwrap().to_vec::<f32>().unwrap(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    let scaled = (&dict * &floats(&[1.0, 10.0], &[2, 1])).unwrap();
    assert_eq!(scaled.get("a").unwrap().to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 30.0, 40.0, 50.0]);
    assert!(dict.equals(&dict).unwrap().all().unwrap() && !dict.differs(&dict).unwrap().any().unwrap());
    assert_eq!((-&dict).unwrap().get("a").unwrap().to_vec::<f32>().unwrap()[5], -5.0);
    let mean = dict.to_dtype(Dtype::Float64).unwrap().reduce("mean", &Reduce::dim(0)).unwrap();
    assert_eq!(mean.get("a").unwrap().to_vec::<f64>().unwrap(), [1.5, 2.5, 3.5]);
    let max = Op::find("max").unwrap();
    assert_eq!(dict.reduce_with(&max, &[], &Reduce::dim(1)).unwrap().len(), 2);
    assert_eq!(dict.reduce_all(&max, &[], &Reduce::default()).unwrap().item().unwrap().to_f64(), 11.0);
    let mut dict = dict;
    dict.op_in_place("add_", &[1.into()]).unwrap();
    assert_eq!(dict.get("a").unwrap().to_vec::<f32>().unwrap()[0], 1.0);
    let fewer = dict.exclude(["a"]).unwrap();
    let add = Op::find("add").unwrap();
    let operands = [Value::from(&dict), Value::from(&fewer)];
    assert_eq!(add.pointwise(&operands).unwrap_err().kind(), ErrorKind::Key);
    assert!(!add.pointwise_with(&operands, &[], Missing::Skip).unwrap().contains("a"));
    let filled = add.pointwise_with(&operands, &[], Missing::Fill(1.into())).unwrap();
    assert_eq!(filled.get("a").unwrap().to_vec::<f32>().unwrap()[0], 2.0);
}

#[test]
fn closures_over_leaves_fail_with_their_own_error() {
    let mut dict = sample();
    let doubled = dict.map(|_, tensor| Ok((tensor * 2)?)).unwrap();
    assert_eq!(doubled.get("a").unwrap().to_vec::<f32>().unwrap()[5], 10.0);
    let dropped = dict.map_with(&[] as &[&Dict], &MapOptions::default(), |key, tensors| {
        Ok(tensors[0].filter(|_| key.name() != "a").cloned())
    });
    assert!(!dropped.unwrap().contains("a"));
    dict.map_in_place(|_, tensor| Ok(Some((tensor + 1)?))).unwrap();
    assert_eq!(dict.get("a").unwrap().to_vec::<f32>().unwrap()[0], 1.0);

    let error = dict.map(|_, _| Err("not this one".parse::<i32>().unwrap_err().into())).unwrap_err();
    assert!(error.own::<std::num::ParseIntError>().is_some(), "{error}");
    assert_eq!(error.kind(), ErrorKind::Callback);
    let error = dict.map(|_, _| Err(Error::new(ErrorKind::Timeout, "too slow").into())).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Timeout, "too slow"));
    let panic = std::panic::catch_unwind(|| dict.map(|_, _| std::panic::panic_any(42))).unwrap_err();
    assert_eq!(panic.downcast_ref::<i32>(), Some(&42));
}

#[test]
fn lazy_stacks_keep_their_members() {
    let episode = |steps: i64| {
        let mut dict = Dict::new(&[]).unwrap();
        dict.set("obs", &Tensor::ones(&[steps], Dtype::Float32).unwrap()).unwrap();
        dict
    };
    let mut stack = Dict::lazy_stack(vec![episode(2), episode(3)], 0).unwrap();
    assert_eq!((stack.kind(), stack.stack_dim(), stack.batch_size()), (DictKind::LazyStack, Some(0), vec![2]));
    assert_eq!(stack.get("obs").unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(stack.entry_shape("obs").unwrap(), [2, -1]);
    assert_eq!(stack.ragged_keys().unwrap(), ["obs"]);
    stack.append(episode(1)).unwrap();
    stack.insert(0, vec![episode(4)]).unwrap();
    let lengths: Vec<_> = stack.get_list("obs").unwrap().iter().map(Tensor::numel).collect();
    assert_eq!(lengths, [4, 2, 3, 1]);
    let (padded, mask) = stack.get_padded("obs", &Padding { value: -1.0, ..Default::default() }).unwrap();
    assert_eq!((padded.shape(), mask.to_vec::<u8>().unwrap()[4..8].to_vec()), (vec![4, 4], vec![1, 1, 0, 0]));
    let (values, offsets) = stack.get_jagged("obs").unwrap();
    assert_eq!((values.numel(), offsets.to_vec::<i64>().unwrap()), (10, vec![0, 4, 6, 9, 10]));
    stack.member_mut(0).unwrap().set("own", &ints(&[1])).unwrap();
    assert_eq!(stack.exclusive_keys(0).unwrap(), ["own"]);
    assert_eq!(stack.members().unwrap().len(), 4);
    let mask_key = Some("mask".into());
    assert!(stack.densify(&Padding { mask_key, ..Default::default() }).unwrap().contains(("mask", "obs")));
    assert_eq!(sample().members().unwrap_err().kind(), ErrorKind::Unsupported);
    let views = sample().to_lazy_stack(1).unwrap();
    assert_eq!((views.stack_dim(), views.members().unwrap().len()), (Some(1), 3));
    let mut empty = Dict::lazy_new(&[2], 0).unwrap();
    empty.append(Dict::new(&[2]).unwrap()).unwrap();
    empty.set_list("x", &[ints(&[1, 2])]).unwrap();
    assert_eq!(Dict::maybe_dense_stack(vec![episode(1), episode(1)], 0).unwrap().kind(), DictKind::TensorDict);
}

#[test]
fn parameters_collect_gradients() {
    let mut dict = Dict::new(&[]).unwrap();
    dict.set("w", &floats(&[2.0], &[1])).unwrap();
    dict.set("steps", &ints(&[0])).unwrap();
    let mut params = dict.into_params().unwrap();
    assert_eq!(params.kind(), DictKind::Params);
    assert_eq!((params.parameters().unwrap().len(), params.buffers().unwrap().len()), (1, 1));
    (&params.select(["w"], true).unwrap() * 3).unwrap().backward(None, false).unwrap();
    assert_eq!(params.grad().unwrap().unwrap().get("w").unwrap().to_vec::<f32>().unwrap(), [3.0]);
    params.zero_grad(true).unwrap();
    assert!(params.grad().unwrap().is_none() && params.requires_grad());
    assert!(!params.detach().unwrap().requires_grad());
}

#[test]
fn gradients_of_dicts() {
    let mut x = sample().select(["a"], true).unwrap();
    x.set_requires_grad(true).unwrap();
    let y = (&x * &x).unwrap();
    let ones = x.new_full(&[2, 3], 1.0, None).unwrap();
    let grad = y.autograd_grad(&x, Some(&ones), Backward { retain_graph: true, ..Default::default() }).unwrap();
    assert_eq!(grad.get("a").unwrap().to_vec::<f32>().unwrap(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    y.backward_with(Some(&ones), Some(&x), Backward::default()).unwrap();
    assert_eq!(x.grad().unwrap().unwrap().get("a").unwrap().to_vec::<f32>().unwrap()[5], 10.0);
    let mut y = y;
    y.forget_history().unwrap();
    assert!(!y.requires_grad());
    let state = x.state_dict().unwrap();
    let mut other = x.new_empty(&[2, 3], None).unwrap();
    other.load_state_dict(&state, true, false).unwrap();
    assert_eq!(other.get("a").unwrap().to_vec::<f32>().unwrap()[5], 5.0);
}

#[test]
fn rows_are_selected_by_value() {
    let dict = sample();
    let mask = Tensor::from_bools(&[false, true], &[2]).unwrap();
    assert_eq!(dict.masked_select(&mask).unwrap().batch_size(), [1, 3]);
    let filled = dict.masked_fill(&mask, 0.0).unwrap();
    assert_eq!(filled.get("a").unwrap().to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 0.0, 0.0, 0.0]);
    let condition = Tensor::from_bools(&[true, false], &[2, 1]).unwrap();
    let chosen = dict.choose(&condition, &filled, None).unwrap();
    assert_eq!(chosen.get("a").unwrap().to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 0.0, 0.0, 0.0]);
    let mut dict = dict;
    dict.fill_where(&mask, 7.0).unwrap();
    assert_eq!(dict.gather(0, &Tensor::from_slice(&[1i64, 1, 1], &[1, 3]).unwrap()).unwrap().batch_size(), [1, 3]);
    let mut rows = Dict::new(&[4]).unwrap();
    rows.set("x", &ints(&[3, 1, 3, 2])).unwrap();
    let (unique, inverse) = rows.remove_duplicates("x", 0).unwrap();
    assert_eq!(unique.get("x").unwrap().to_vec::<i64>().unwrap(), [1, 2, 3]);
    assert_eq!(inverse.to_vec::<i64>().unwrap(), [2, 0, 2, 1]);
    assert_eq!(rows.is_in(&unique.i(0..1).unwrap(), "x", 0).unwrap().to_vec::<u8>().unwrap(), [0, 1, 0, 0]);
}

#[test]
fn shapes_change_and_memory_stays() {
    let dict = sample();
    let rows = dict.reshape(&[-1]).unwrap();
    assert_eq!(rows.batch_size(), [6]);
    assert_eq!(rows.get("a").unwrap().data_ptr().unwrap(), dict.get("a").unwrap().data_ptr().unwrap());
    assert_eq!(dict.view(&[3, 2]).unwrap().batch_size(), [3, 2]);
    assert_eq!(dict.transpose(0, 1).unwrap().batch_size(), [3, 2]);
    assert_eq!(dict.movedim(&[0], &[1]).unwrap().batch_size(), [3, 2]);
    assert_eq!(dict.movedim(&[0], &[]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(dict.unsqueeze(-1).unwrap().squeeze(&[]).unwrap().batch_size(), [2, 3]);
    assert_eq!(rows.unflatten(0, &[3, -1]).unwrap().flatten(0, 1).unwrap().batch_size(), [6]);
    assert_eq!(dict.narrow(1, 1, 2).unwrap().get("a").unwrap().to_vec::<f32>().unwrap(), [1.0, 2.0, 4.0, 5.0]);
    assert_eq!(rows.split(4, 0).unwrap().len(), 2);
    assert_eq!(rows.split_sizes(&[1, 5], 0).unwrap()[1].batch_size(), [5]);
    assert_eq!(rows.chunk(3, 0).unwrap().len(), 3);
    assert_eq!(dict.unbind(1).unwrap().len(), 3);
    assert_eq!(dict.rot90(1, 0, 1).unwrap().batch_size(), [3, 2]);
    assert_eq!(rows.flip(&[0]).unwrap().get("a").unwrap().to_vec::<f32>().unwrap()[0], 5.0);
    assert_eq!(rows.roll(&[1], &[0]).unwrap().get("a").unwrap().to_vec::<f32>().unwrap()[0], 5.0);
    assert_eq!(rows.repeat_interleave(&[2], 0).unwrap().len(), 12);
    let stacked = Dict::stack(&[&dict, &dict], 0).unwrap();
    let mut target = stacked.new_empty(&[2, 2, 3], None).unwrap();
    target.fill_with_stack(&[&dict, &dict], 0).unwrap();
    let mut longer = dict.new_empty(&[4, 3], None).unwrap();
    longer.fill_with_cat(&[&dict, &dict], 0).unwrap();
    assert_eq!(longer.get("a").unwrap().to_vec::<f32>().unwrap()[11], 5.0);
    let padded = Dict::pad_sequence(&rows.split_sizes(&[2, 4], 0).unwrap(), &PadSequence::default()).unwrap();
    assert_eq!(padded.batch_size(), [2, 4]);
    let mut dict = dict;
    dict.become_dict(rows).unwrap();
    dict.set_batch_size(&[]).unwrap();
    dict.auto_batch_size(Some(1)).unwrap();
    assert_eq!(dict.batch_size(), [6]);
}

#[test]
fn names_go_along() {
    let mut dict = sample();
    dict.set_names(&[Some("time"), None]).unwrap();
    dict.refine_names(&[Some("time"), Some("env")]).unwrap();
    dict.rename_names(&[("time", Some("t"))]).unwrap();
    let names = dict.transpose(0, 1).unwrap().names().unwrap();
    assert_eq!(names, [Some("env".to_owned()), Some("t".to_owned())]);
    assert_eq!(dict.set_names(&[Some("x"), Some("x")]).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn locks_text_and_metadata() {
    let mut dict = sample();
    dict.lock().unwrap();
    assert_eq!(dict.set("x", &floats(&[0.0; 6], &[2, 3])).unwrap_err().kind(), ErrorKind::Locked);
    assert!(dict.select(["a"], true).is_ok() && dict.reshape(&[2, 3]).unwrap().is_locked());
    dict.unlock().unwrap();
    assert_eq!(Dict::parse(&dict.to_string(), None).unwrap().keys(Keys::Here).unwrap(), ["a", "n", "task"]);
    assert!(dict.repr_with(sys::TD_REPR_BRIEF).unwrap().len() < dict.to_string().len());
    assert_eq!((dict.depth(), dict.numel(), dict.dtype(), dict.nbytes()), (1, 6, None, 6 * 4 + 12 * 8));
    assert_eq!((dict.param_count(false), dict.param_bytes(true)), (18, 120));
    assert!(dict.is_contiguous() && !dict.is_floating_point() && !dict.is_empty());
    let mut there = Dict::new_on(&[], "cpu").unwrap();
    assert_eq!(there.device(), Some("cpu"));
    there.clear_device().unwrap();
    assert_eq!(there.device(), None);
    dict.auto_device().unwrap();
    assert_eq!(dict.device(), Some("cpu"));
    assert!(dict.pin_memory().is_ok() || !has_feature("cuda"));
}

#[test]
fn records_are_entries_without_a_copy() {
    let fields = [
        Field { key: "id".into(), dtype: Dtype::Int32, shape: vec![], offset: 0 },
        Field { key: "xy".into(), dtype: Dtype::Int16, shape: vec![2], offset: 4 },
    ];
    let bytes: Vec<u8> = [1u8, 0, 0, 0, 2, 0, 3, 0, 4, 0, 0, 0, 5, 0, 6, 0].to_vec();
    let dict = Dict::from_records(bytes.clone(), 8, &[2], &fields).unwrap();
    assert_eq!(dict.get("id").unwrap().to_vec::<i32>().unwrap(), [1, 4]);
    assert_eq!(dict.get("xy").unwrap().to_vec::<i16>().unwrap(), [2, 3, 5, 6]);
    let mut back = vec![0; 16];
    dict.write_records(&fields, 8, &mut back).unwrap();
    assert_eq!(back, bytes);
    assert_eq!(Dict::from_records(bytes, 8, &[3], &fields).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn another_dict_gives_shapes_and_values() {
    let (mut thin, mut wide) = (Dict::new(&[2]).unwrap(), Dict::new(&[3, 2]).unwrap());
    thin.set("a", &floats(&[1.0, 2.0], &[2, 1])).unwrap();
    wide.set("a", &floats(&[0.0; 12], &[3, 2, 2])).unwrap();
    let out = thin.expand_as(&wide).unwrap();
    assert_eq!((out.batch_size(), out.get("a").unwrap().shape()), (vec![3, 2], vec![3, 2, 2]));
    assert_eq!(wide.expand_as(&thin).unwrap_err().kind(), ErrorKind::Shape);
    let options = NewTensor { dtype: Some(Dtype::Float64), requires_grad: true, device: Some("cpu".into()) };
    let out = thin.new_tensor(&[5, 6], &options).unwrap();
    assert_eq!(out.get("a").unwrap().detach().unwrap().to_vec::<f64>().unwrap(), [5.0, 6.0]);
    assert!(out.get("a").unwrap().requires_grad());
    assert_eq!(thin.new_tensor(&*wide, &NewTensor::default()).unwrap().batch_size(), [3, 2]);
    assert_eq!(thin.new_tensor("text", &NewTensor::default()).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn rows_are_grouped_and_unpadded() {
    let mut dict = Dict::new(&[3]).unwrap();
    dict.set("id", &ints(&[2, 0, 2])).unwrap();
    dict.set_data_stack("who", &["b".into(), "a".into(), "b".into()]).unwrap();
    match dict.group_by("id").unwrap() {
        (GroupValues::Tensor(ids), groups) => {
            assert_eq!((ids.to_vec::<i64>().unwrap(), groups[1].batch_size()), (vec![0, 2], vec![2]));
        }
        (other, _) => panic!("{other:?}"),
    }
    match dict.group_by("who").unwrap() {
        (GroupValues::Data(who), groups) => assert_eq!((who.get(0).unwrap(), groups.len()), (Data::Str("a"), 2)),
        (other, _) => panic!("{other:?}"),
    }
    let sample = |n: usize| {
        let mut sample = Dict::new(&[n as i64]).unwrap();
        sample.set("a", &floats(&vec![1.0; n], &[n as i64])).unwrap();
        sample
    };
    let options = PadSequence { mask_key: Some("masks".into()), ..Default::default() };
    let padded = Dict::pad_sequence(&[sample(1), sample(3)], &options).unwrap();
    let sizes = |stack: Dict, i: usize| stack.members().unwrap()[i].batch_size();
    assert_eq!(sizes(padded.unpad_sequence(0, None).unwrap(), 0), [1]);
    let masks = padded.get_dict("masks").unwrap();
    let rest = padded.select(["a"], true).unwrap();
    assert_eq!(sizes(rest.unpad_sequence(0, Some(Masks::Dict(&masks))).unwrap(), 1), [3]);
    let mask = masks.get("a").unwrap();
    assert_eq!(sizes(rest.unpad_sequence(0, Some(Masks::Tensor(&mask))).unwrap(), 0), [1]);
    let key = KeyBuf::from("masks");
    assert!(padded.unpad_sequence(0, Some(Masks::Key(&key))).is_ok());
    assert_eq!(rest.unpad_sequence(0, None).unwrap_err().kind(), ErrorKind::Key);
}

#[test]
fn all_tensors_are_packed_into_one() {
    let mut dict = Dict::new(&[2, 3]).unwrap();
    dict.set("a", &floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &[2, 3])).unwrap();
    dict.set(("n", "b"), &floats(&[1.0; 6], &[2, 3])).unwrap();
    let (flat, layout) = dict.pack(-1).unwrap();
    assert_eq!(flat.shape(), [2, 3, 2]);
    assert_eq!(layout.unpack(&flat).unwrap().batch_size(), [2, 3]);
    assert_eq!((layout.keys().unwrap().len(), layout.nested().unwrap().len()), (2, 1));
    assert_eq!(
        (layout.shape(0), layout.nested_shape(0), layout.offset(1), layout.offset(2)),
        (vec![], vec![], Some(1), None)
    );
    assert_eq!((layout.numel(), layout.dim(), layout.device()), (2, -1, None));
    assert!(layout.to_string().starts_with("PackLayout(keys=('a', ('n', 'b'))"));
    let swapped = PackLayout::new(
        &[(["n", "b"].iter().map(|s| s.to_string()).collect(), vec![]), ("a".into(), vec![])],
        &[("n".into(), vec![])],
        -1,
        None,
    );
    let swapped = swapped.unwrap();
    assert!(layout == layout.clone() && layout != swapped);
    assert_eq!(dict.pack_like(&swapped, -1).unwrap().1, swapped);
    assert_eq!(sample().pack(-1).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn a_schema_says_what_is_to_be() {
    let schema = [SchemaEntry { key: "x".into(), dtype: Dtype::Int8, shape: vec![2] }];
    let made = |storage: Storage<'_>| Dict::from_schema(&schema, &[3], storage);
    assert_eq!(made(Storage::Memory).unwrap().get("x").unwrap().shape(), [3, 2]);
    assert!(made(Storage::Shared).unwrap().is_shared());
    assert!(made(Storage::Device("cpu")).unwrap().device().is_some());
    let directory = std::env::temp_dir().join(format!("td-schema-{}", std::process::id()));
    let opened = made(Storage::Memmap(&directory, SaveOptions::default())).unwrap();
    assert!(opened.is_memmap());
    assert_eq!(made(Storage::Memmap(&directory, SaveOptions::default())).unwrap_err().kind(), ErrorKind::Exists);
    std::fs::remove_dir_all(&directory).unwrap();
    let missing = std::path::Path::new("/nowhere/x.h5");
    assert!(made(Storage::Hdf5(missing, SaveOptions::default())).is_err());
}

#[test]
fn closures_see_data_too() {
    let mut dict = sample();
    let none: [&Dict; 0] = [];
    let out = dict.map_data(&none, |_, lists| match lists[0].unwrap().get(0)? {
        Data::Str(text) => Ok(MappedData::Data(DataList::one(&format!("{text}!"))?)),
        _ => Ok(MappedData::None),
    });
    assert_eq!(out.unwrap().get_data("task").unwrap().get(0).unwrap(), Data::Str("digits!"));
    let tensor = dict.get("a").unwrap();
    let out = dict.map_data(&none, |_, _| Ok(MappedData::Tensor(tensor.clone()))).unwrap();
    assert!(out.get("task").unwrap().is_same(&tensor));
    assert!(!dict.map_data(&none, |_, _| Ok(MappedData::None)).unwrap().contains("task"));
    assert!(dict.map_data(&none, |_, _| Err("no".into())).is_err());
    assert_eq!(DataList::stack(&[Data::Int(1)], &[2]).unwrap_err().kind(), ErrorKind::Shape);
    let stack = DataList::stack(&[Data::Int(1), Data::None], &[2]).unwrap();
    assert_eq!((stack.shape(), stack.get(0).unwrap()), (vec![2], Data::Int(1)));
    dict.write_data("task", "words").unwrap();
    assert_eq!(dict.get_data("task").unwrap().get(0).unwrap(), Data::Str("words"));
    assert_eq!(dict.write_data("missing", 1).unwrap_err().kind(), ErrorKind::Key);
    let sum = Dict::merge_with(&[&dict, &dict], |_, tensors| Ok(Some((tensors[0] + tensors[1])?))).unwrap();
    assert_eq!(sum.get("a").unwrap().shape(), [2, 3]);
    let options = SeparateOptions { strict: false, keep_empty: true, fill: None };
    let out = dict.separate_with([("n", "b")], &options).unwrap();
    assert!(out.contains(("n", "b")) && dict.contains("n"));
}

#[test]
fn entries_of_any_kind_are_found_in_one_call() -> Result<()> {
    let mut td = Dict::new(&[2])?;
    td.set(("n", "x"), &Tensor::from_slice(&[1f32, 2.0], &[2])?)?;
    let path = Path::new(("n", "x"))?;
    assert!(matches!(td.find(&path)?, Some(Entry::Tensor(_))));
    assert!(matches!(td.find("n")?, Some(Entry::Dict(_))));
    assert!(td.find(("n", "y"))?.is_none() && td.contains(&path));
    assert_eq!(path.key()?, ("n", "x"));
    let names: Vec<String> = td.entries()?.map(|entry| entry.map(|(name, _)| name)).collect::<Result<_>>()?;
    assert_eq!(names, ["n"]);
    Ok(())
}

#[test]
fn dicts_say_what_differs() -> Result<()> {
    let mut a = Dict::new(&[3])?;
    a.set("x", &Tensor::from_slice(&[1f32, 2.0, 3.0], &[3])?)?;
    let b = a.deep_copy()?;
    assert_eq!(a.difference(&b, Tolerance::default())?, None);
    let mut x = b.get("x")?;
    x.set_at(Index::Ints(&[2, 0]), &Tensor::from_slice(&[3.5f32, 1.0], &[2])?)?;
    let text = "\"x\": 1 of 3 elements differ, the first at [2]: 3 and 3.5";
    assert_eq!(a.difference(&b, Tolerance::default())?.as_deref(), Some(text));
    assert_eq!(a.difference(&b, Tolerance { absolute: 0.5, ..Tolerance::default() })?, None);
    assert_eq!(b.get("x")?.i(1..)?.to_vec::<f32>()?, [2.0, 3.5]);
    assert_eq!("torch.int64".parse::<Dtype>()?, Dtype::Int64);
    Ok(())
}
