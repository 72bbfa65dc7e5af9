use crate::floats;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use tensordict::*;

const MLP: &str = r#"{"in_features": 2, "hidden": [3], "out_features": 1}"#;

fn mlp(seed: u64) -> Module {
    Module::create("td.mlp", MLP, Some(&mut Generator::new(seed).unwrap())).unwrap()
}

fn data() -> Dict {
    let mut dict = Dict::new(&[4]).unwrap();
    dict.set("x", &floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], &[4, 2])).unwrap();
    dict
}

#[test]
fn a_plugin_s_module_trains() {
    let net = mlp(0).with_keys(["x"], ["y"]).unwrap();
    let params = Dict::from_module(&net).unwrap();
    let mut adam = Optimizer::adam(&params, &Adam { lr: 0.05, ..Default::default() }).unwrap();
    let mut losses = Vec::new();
    for _ in 0..20 {
        let mut batch = data();
        net.forward(&mut batch).unwrap();
        let loss = batch.get("y").unwrap().op("square", &[]).unwrap().op("mean", &[]).unwrap();
        adam.zero_grad().unwrap();
        loss.backward().unwrap();
        adam.step().unwrap();
        losses.push(loss.item().unwrap().to_f64());
    }
    assert!(losses[19] < losses[0] / 2.0, "{losses:?}");
    assert_eq!(adam.get(0, "lr").unwrap(), 0.05);
    adam.set(0, "lr", 0.01).unwrap();
    let state = adam.state().unwrap();
    adam.load_state(&state).unwrap();
    assert_eq!(adam.get(0, "momentum").unwrap_err().kind(), ErrorKind::Key);
}

#[test]
fn optimizers_have_their_own_defaults() {
    let params = Dict::from_module(&mlp(0)).unwrap();
    let decay = |optimizer: Optimizer| optimizer.get(0, "weight_decay").unwrap();
    assert_eq!(decay(Optimizer::adam(&params, &Adam::default()).unwrap()), 0.0);
    assert_eq!(decay(Optimizer::adamw(&params, &AdamW::default()).unwrap()), 1e-2);
    assert_eq!(decay(Optimizer::rmsprop(&params, &RmsProp::default()).unwrap()), 0.0);
    let mut sgd = Optimizer::sgd(&params, &Sgd { momentum: 0.5, ..Default::default() }).unwrap();
    assert_eq!(sgd.get(0, "momentum").unwrap(), 0.5);
    assert_eq!((sgd.type_name().as_str(), sgd.group_count(), sgd.get(0, "nesterov").unwrap()), ("SGD", 1, 0.0));
    assert_eq!(mlp(0).type_name().unwrap(), "td.mlp");
    assert!(mlp(0).config().unwrap().contains("in_features"));
    assert!(Dist::default_validate_args());
    assert_eq!(sgd.add_group(&params).unwrap_err().kind(), ErrorKind::Exists);
    let mut other = Dict::from_module(&mlp(1)).unwrap();
    sgd.add_group(&other).unwrap();
    assert!(other.clip_grad_norm(1.0, 2.0, false).is_ok() && other.clip_grad_value(1.0).is_ok());
}

#[test]
fn schedules_change_learning_rates() {
    let params = Dict::from_module(&mlp(0)).unwrap();
    let mut adam = Optimizer::adam(&params, &Adam { lr: 0.5, ..Default::default() }).unwrap();
    let mut other = Optimizer::adam(&params, &Adam::default()).unwrap();
    let mut halves = Schedule::new(&mut adam, &Rates::Exponential { gamma: 0.5 }).unwrap();
    halves.step(&mut adam).unwrap();
    assert_eq!((adam.get(0, "lr").unwrap(), halves.steps()), (0.25, 1));
    assert_eq!(halves.step(&mut other).unwrap_err().kind(), ErrorKind::Argument);
    let state = halves.state(&mut adam).unwrap();
    halves.load_state(&mut adam, &state).unwrap();
    let options = OneCycle { pct_start: 0.0, ..Default::default() };
    for rates in [
        Rates::Step { size: 1, gamma: 0.5 },
        Rates::MultiStep { milestones: vec![1], gamma: 0.5 },
        Rates::Cosine { steps: 2, min_lr: 0.0 },
        Rates::Linear { start: 0.5, end: 0.0, steps: 2 },
        Rates::Constant { factor: 0.5, steps: 2 },
        Rates::OneCycle { max_lr: 0.5, steps: 4, options },
    ] {
        let mut schedule = Schedule::new(&mut other, &rates).unwrap();
        let before = other.get(0, "lr").unwrap();
        schedule.step(&mut other).unwrap();
        assert!(other.get(0, "lr").unwrap() < before || matches!(rates, Rates::Constant { .. }));
    }
    let wrong = Schedule::new(&mut other, &Rates::Step { size: 0, gamma: 1.0 });
    assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn closures_are_modules() {
    let double = Module::from_fn(["x"], ["y"], |x| Ok(vec![(&x[0] * 2)?])).unwrap();
    assert_eq!((double.in_keys().unwrap(), double.out_keys().unwrap()), (vec!["x".into()], vec!["y".into()]));
    let mut dict = data();
    double.forward(&mut dict).unwrap();
    assert_eq!(dict.get("y").unwrap().to_vec::<f32>().unwrap()[7], 14.0);
    assert_eq!(double.forward(&mut Dict::new(&[4]).unwrap()).unwrap_err().kind(), ErrorKind::Key);
    let outputs = double.dispatch(&[(&dict.get("x").unwrap()).into()], &[], "_").unwrap();
    assert!(matches!(outputs.as_slice(), [Output::Tensor(y)] if y.shape() == [4, 2]));
    assert_eq!(double.dispatch(&[(&dict).into()], &[], "_").unwrap_err().kind(), ErrorKind::Argument);

    let counted = Arc::new(AtomicUsize::new(0));
    let wrapped = {
        let counted = counted.clone();
        Module::wrap(["x"], ["z"], false, move |data| {
            counted.fetch_add(1, Ordering::Relaxed);
            let x = data.get("x")?;
            data.set("z", &x)?;
            Ok(None)
        })
    };
    let wrapped = wrapped.unwrap();
    assert!(wrapped.run(&mut dict).unwrap().is_none() && dict.contains("z"));
    drop(wrapped);
    assert_eq!((counted.load(Ordering::Relaxed), Arc::strong_count(&counted)), (1, 1));

    let values = Module::from_values(|args, _| match args {
        [Value::Tensor(x), Value::None] => Ok(vec![(*x).clone().into(), Output::Scalar(Scalar::Int(3))]),
        _ => Err("other arguments".into()),
    });
    let values = values.unwrap().with_keys_and(["x", "missing"], ["same", "three"], &KeyedOptions::default()).unwrap();
    dict.set_batch_size(&[]).unwrap();
    values.forward(&mut dict).unwrap();
    assert!(dict.get("same").unwrap().is_same(&dict.get("x").unwrap()) && dict.contains("three"));
    let pair = Module::from_tensors(|x| Ok(vec![x[0].clone(), x[0].clone()])).unwrap();
    assert_eq!(pair.call(&[floats(&[1.0], &[1])], 2).unwrap().len(), 2);
    assert_eq!(pair.call(&[floats(&[1.0], &[1])], 3).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn what_a_closure_fails_with_comes_back_as_itself() {
    let failing = |f: fn() -> BoxError| Module::from_fn(["x"], ["y"], move |_| Err(f())).unwrap();
    let sequence = |member| {
        let pass = Module::from_fn(["x"], ["p"], |x| Ok(vec![x[0].clone()])).unwrap();
        Module::sequential(vec![pass, member]).unwrap()
    };
    let run = |module: Module| sequence(module).forward(&mut data()).unwrap_err();

    let error = run(failing(|| std::io::Error::from_raw_os_error(2).into()));
    assert_eq!(error.own::<std::io::Error>().unwrap().raw_os_error(), Some(2));
    assert_eq!(error.kind(), ErrorKind::Callback);
    let error = run(failing(|| Error::new(ErrorKind::Closed, "the source is dry").into()));
    assert_eq!((error.kind(), error.message()), (ErrorKind::Closed, "the source is dry"));
    let error = run(failing(|| Dict::new(&[]).unwrap().get("gone").unwrap_err().into()));
    assert_eq!((error.kind(), error.key()), (ErrorKind::Key, r#""gone""#));

    let panicking = sequence(Module::from_fn(["x"], ["y"], |_| std::panic::panic_any(7u8)).unwrap());
    let panic = std::panic::catch_unwind(|| panicking.forward(&mut data())).unwrap_err();
    assert_eq!(panic.downcast_ref::<u8>(), Some(&7));
    // A later failure is not taken for that one.
    assert_eq!(Dict::new(&[-1]).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn a_closure_may_use_the_library_and_other_threads_run_it() {
    let module = Module::from_fn(["x"], ["y"], |x| {
        let mut inner = Dict::new(&[])?;
        inner.set("x", &x[0])?;
        Ok(vec![(&inner + 1)?.get("x")?])
    });
    let module = Arc::new(module.unwrap());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let module = module.clone();
            std::thread::spawn(move || {
                let mut dict = data();
                module.forward(&mut dict).unwrap();
                dict.get("y").unwrap().to_vec::<f32>().unwrap()[0]
            })
        })
        .collect();
    assert!(threads.into_iter().all(|thread| thread.join().unwrap() == 1.0));
}

#[test]
fn sequences_own_their_members() {
    let names = Some(vec!["net".to_owned(), "head".to_owned()]);
    let head = Module::from_fn(["y"], ["z"], |y| Ok(vec![(-&y[0])?])).unwrap();
    let members = vec![mlp(0).with_keys(["x"], ["y"]).unwrap(), head];
    let options = SequenceOptions { names, ..Default::default() };
    let mut sequence = Module::sequential_with(members, &options).unwrap();
    assert_eq!((sequence.len(), sequence.has_keys()), (2, true));
    assert_eq!(sequence.member(-1).unwrap().out_keys().unwrap(), ["z"]);
    assert_eq!(sequence.member(5).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(sequence.slice(0, 1, 1).unwrap().len(), 1);
    assert_eq!(sequence.select_subsequence(None, Some(&["y".into()])).unwrap().out_keys().unwrap(), ["y"]);
    sequence.select_out_keys(["z"]).unwrap();
    let mut dict = data();
    let given = sequence.run(&mut dict).unwrap();
    assert!(given.as_deref().unwrap_or(&dict).contains("z") && !dict.contains("y"));
    sequence.reset_out_keys().unwrap();
    assert_eq!(sequence.out_keys_source().unwrap(), sequence.out_keys().unwrap());
    let other = Module::from_fn(["y"], ["w"], |y| Ok(vec![y[0].clone()])).unwrap();
    sequence.set_member(1, other).unwrap();
    sequence.remove_member(0).unwrap();
    assert_eq!(sequence.out_keys().unwrap(), ["w"]);
    let chain = Module::chain(vec![mlp(0)], None).unwrap();
    assert_eq!(chain.call(&[floats(&[0.0, 0.0], &[1, 2])], 1).unwrap()[0].shape(), [1, 1]);
    let short = ["one".to_owned()];
    assert_eq!(Module::list(Vec::new(), Some(&short)).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn outputs_go_where_they_are_told() {
    let options = KeyedOptions { inplace: Inplace::Empty, strict: true, argument_names: None };
    let module = Module::from_tensors(|x| Ok(vec![x[0].clone()])).unwrap();
    let module = module.with_keys_and(["x"], ["y"], &options).unwrap();
    let mut dict = data();
    let made = module.run(&mut dict).unwrap().expect("another dict");
    assert!(made.contains("y") && !dict.contains("y") && made.batch_size() == [4]);
    let mut out = Dict::new(&[4]).unwrap();
    assert!(module.run_with(&mut dict, Some(&mut out), RunOptions::default()).unwrap().is_none() && out.contains("y"));
}

#[test]
fn state_is_a_dict() {
    let mut net = mlp(0);
    let state = net.state_dict("", false).unwrap();
    assert!(state.count() >= 4 && !state.requires_grad());
    assert_eq!(net.parameters().unwrap().len(), net.parameters_with(&ListOptions::default()).unwrap().len());
    assert!(net.buffers().unwrap().is_empty() && net.buffers_with(&ListOptions::default()).unwrap().is_empty());
    let loaded = net.load_state_dict(&state, true, false).unwrap();
    assert_eq!(loaded, Loaded::default());
    let empty = Dict::new(&[]).unwrap();
    assert_eq!(net.load_state_dict(&empty, true, false).unwrap_err().kind(), ErrorKind::Key);
    assert!(!net.load_state_dict(&empty, false, false).unwrap().missing.is_empty());
    let input = [floats(&[1.0, 2.0], &[1, 2])];
    let before = net.call(&input, 1).unwrap()[0].item().unwrap();
    let zeros = state.masked_fill(&Tensor::from_bools(&[true], &[]).unwrap(), 0.0).unwrap();
    let pure = net.functional_call(&[&zeros], true, true, &input, 1).unwrap();
    assert_eq!(pure[0].item().unwrap().to_f64(), 0.0);
    let mut params = Dict::from_module(&net).unwrap().deep_copy().unwrap();
    params.set_requires_grad(false).unwrap_or(());
    let same: Result<Scalar> = net.with_params(&mut params, false, |net| net.call(&input, 1)?[0].item());
    assert_eq!(same.unwrap(), before);
    assert!(net.reset_parameters(Some(&mut Generator::new(5).unwrap())).unwrap() > 0);
    assert_ne!(net.call(&input, 1).unwrap()[0].item().unwrap(), before);
    let drawn = net.draw_parameters(&Dict::from_module(&net).unwrap(), None);
    assert!(drawn.unwrap().requires_grad());
}

#[test]
fn a_view_stays_valid_when_a_module_is_cast() {
    let mut net = mlp(0);
    let (name, parameter) = net.parameters().unwrap().remove(0);
    let view = parameter.view::<f32>().unwrap();
    let before = view.to_vec();
    net.to_dtype(Dtype::Float64).unwrap();
    assert_eq!(net.get_parameter(&name).unwrap().dtype(), Dtype::Float64);
    assert_eq!(view.to_vec(), before);
    net.to_device("cpu").unwrap();
    net.cast_all(Dtype::Float32).unwrap();
    net.set_requires_grad(false).unwrap();
    net.zero_grad(true).unwrap();
    drop((view, parameter));
    unsafe { net.share_memory() }.unwrap();
    assert!(net.parameters().unwrap()[0].1.is_shared());
}

#[test]
fn trees_are_walked_and_changed() {
    let mut net = Module::list(vec![mlp(0)], None).unwrap();
    let mut names = Vec::new();
    net.visit(Visit::Children, &ListOptions::default(), |name, module| {
        names.push((name.to_string(), module.is_training()));
        Ok(())
    })
    .unwrap();
    assert_eq!(names, [("'0'".to_owned(), true)]);
    let error = net.visit(Visit::Modules, &ListOptions::default(), |_, _| Err("stop".into())).unwrap_err();
    assert_eq!(error.message(), "stop");
    net.train(false).unwrap();
    assert!(!net.get_submodule("0").unwrap().is_training() && net.to_string().contains("List"));
    net.register_buffer("steps", Some(&Tensor::scalar(1i64).unwrap()), true).unwrap();
    net.set_buffer("steps", Some(&Tensor::scalar(2i64).unwrap())).unwrap();
    assert_eq!(net.get_buffer("steps").unwrap().item().unwrap(), Scalar::Int(2));
    net.register_parameter("gain", None).unwrap();
    net.set_parameter("gain", Some(&floats(&[1.0], &[1]))).unwrap();
    net.register_module("later", None).unwrap();
    net.set_submodule("later", mlp(1)).unwrap();
    assert_eq!(net.get_parameter("nothing").unwrap_err().kind(), ErrorKind::Key);
}

#[test]
fn hooks_see_and_replace() {
    let mut net = Module::from_fn(["x"], ["y"], |x| Ok(vec![x[0].clone()])).unwrap();
    let before = net.add_pre_hook(HookFlags::default(), |_, call| {
        let data = call.data().ok_or("no data")?;
        data.op_in_place("add_", &[1.into()])?;
        Ok(())
    });
    let before = before.unwrap();
    net.add_hook(HookFlags { always_call: true, prepend: true }, |_, call| {
        call.result().ok_or("no result")?.set("seen", &Tensor::zeros(&[4], Dtype::Bool)?)?;
        Ok(())
    })
    .unwrap();
    let mut dict = data();
    net.forward(&mut dict).unwrap();
    assert!(dict.contains("seen") && dict.get("y").unwrap().to_vec::<f32>().unwrap()[0] == 1.0);
    net.remove_hook(before).unwrap();
    assert_eq!(net.remove_hook(before).unwrap_err().kind(), ErrorKind::NotFound);

    let mut bare = Module::from_tensors(|x| Ok(vec![x[0].clone()])).unwrap();
    bare.add_hook(HookFlags::default(), |_, call| {
        assert_eq!(call.inputs().len(), 1);
        let doubled = (&call.outputs()[0] * 2)?;
        call.set_output(0, doubled)?;
        assert_eq!(call.set_output(1, floats(&[0.0], &[1])).unwrap_err().kind(), ErrorKind::Index);
        Ok(())
    })
    .unwrap();
    bare.add_pre_hook(HookFlags::default(), |_, call| Ok(call.set_input(0, floats(&[5.0], &[1]))?)).unwrap();
    assert_eq!(bare.call(&[floats(&[1.0], &[1])], 1).unwrap()[0].to_vec::<f32>().unwrap(), [10.0]);
}

#[test]
fn backward_hooks_see_and_replace() {
    let mut net = Module::create("td.tanh", "{}", None).unwrap();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let pre = net.add_backward_pre_hook(false, move |_, call| {
        assert_eq!((call.n_inputs(), call.n_outputs()), (0, 1));
        let tripled = (call.grad_output(0)?.ok_or("no gradient")? * 3)?;
        call.set_grad_output(0, Some(tripled))?;
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    net.add_backward_hook(true, |_, call| {
        assert_eq!(call.grad_input(1).unwrap_err().kind(), ErrorKind::Index);
        let more = (call.grad_input(0)?.ok_or("no gradient")? + 1)?;
        call.set_grad_input(0, None)?;
        call.set_grad_input(0, Some(more))?;
        Ok(())
    })
    .unwrap();
    let mut x = floats(&[0.0], &[1]);
    x.set_requires_grad(true).unwrap();
    net.call(&[x.clone()], 1).unwrap()[0].backward().unwrap();
    assert_eq!(x.grad().unwrap().unwrap().to_vec::<f32>().unwrap(), [4.0]);
    net.remove_hook(pre.unwrap()).unwrap();
    net.add_backward_hook(false, |_, _| Err("not this time".into())).unwrap();
    let failed = net.call(&[x.clone()], 1).unwrap()[0].backward().unwrap_err();
    assert!(failed.message().contains("not this time") && seen.load(Ordering::Relaxed) == 1);
}

#[test]
fn states_have_hooks_and_extras() {
    let mut net = mlp(0);
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    net.add_state_hook(StateHook::StateDict, false, move |_, state, prefix| {
        count.fetch_add(state.count(), Ordering::Relaxed);
        assert_eq!(prefix, "p.");
        Ok(())
    })
    .unwrap();
    let epoch = Arc::new(AtomicUsize::new(3));
    let (give, take) = (epoch.clone(), epoch.clone());
    net.set_extra_state(
        Some(move |_: &Module, state: &mut Node| {
            state.set_data("_extra_state", give.load(Ordering::Relaxed) as i64)?;
            Ok(())
        }),
        Some(move |_: &Module, state: &Node| match state.get_data("_extra_state")?.get(0)? {
            Data::Int(epoch) => {
                take.store(epoch as usize, Ordering::Relaxed);
                Ok(())
            }
            other => Err(format!("{other:?}").into()),
        }),
    )
    .unwrap();
    let state = net.state_dict("p.", false).unwrap();
    assert!(state.contains("p._extra_state") && seen.load(Ordering::Relaxed) > 0);
    epoch.store(0, Ordering::Relaxed);
    let mut plain = state.flatten_keys(".").unwrap();
    for key in plain.keys(Keys::Here).unwrap() {
        plain.rename(&key, &KeyBuf::from(key.name().trim_start_matches("p.")), false).unwrap();
    }
    net.load_state_dict(&plain, true, false).unwrap();
    assert_eq!(epoch.load(Ordering::Relaxed), 3);
}

#[test]
fn ensembles_and_vmap() {
    let modules = [mlp(0).with_keys(["x"], ["y"]).unwrap(), mlp(1).with_keys(["x"], ["y"]).unwrap()];
    let states = Dict::from_modules(&modules).unwrap();
    let options = FromModules { lock: false, ..Default::default() };
    assert_eq!(Dict::from_modules_with(&modules, options).unwrap().batch_size(), [2]);
    assert!(Module::stack_state(&modules).unwrap().0.count() >= 4);
    let all = modules[0].vmap(&states, &data(), None, Randomness::Error).unwrap();
    assert_eq!(all.get("y").unwrap().shape(), [2, 4, 1]);
    let mut alone = data();
    modules[1].forward(&mut alone).unwrap();
    let (mine, theirs) = (alone.get("y").unwrap(), all.i(1).unwrap().get("y").unwrap());
    let difference = (&mine - &theirs).unwrap().op("abs", &[]).unwrap().op("max", &[]).unwrap();
    assert!(difference.item().unwrap().to_f64() < 1e-5);

    let one = mlp(0).with_keys(["x"], ["y"]).unwrap();
    let ensemble = one.ensemble(3, true, Some(&mut Generator::new(0).unwrap())).unwrap();
    let mut dict = data();
    let given = ensemble.run(&mut dict).unwrap();
    assert_eq!(given.as_deref().unwrap_or(&dict).get("y").unwrap().shape()[0], 3);

    let rows = floats(&[1.0, 2.0, 3.0, 4.0], &[2, 2]);
    let options = VmapOptions { in_dims: Some(vec![Some(1), None]), ..Default::default() };
    let sums = vmap(&[(&rows).into(), (&floats(&[10.0], &[])).into()], 1, &options, |args| match args {
        [Value::Tensor(column), Value::Tensor(ten)] => Ok(vec![(&column.op("sum", &[])? + *ten)?.into()]),
        other => Err(format!("{} arguments", other.len()).into()),
    });
    let sums: Vec<_> = sums.unwrap().into_iter().map(|sum| sum.tensor().unwrap().to_vec::<f32>().unwrap()).collect();
    assert_eq!(sums, [[14.0, 16.0]]);
    let error = vmap(&[(&rows).into()], 1, &options, |_| Ok(vec![])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    let error = vmap(&[(&rows).into()], 1, &VmapOptions::default(), |_| Ok(vec![])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
}
