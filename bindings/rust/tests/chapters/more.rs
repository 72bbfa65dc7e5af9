//! Distributions, hashes, queries, plugins.
use crate::{floats, unique};
use std::sync::{Arc, Mutex};
use tensordict::*;

fn near(tensor: &Tensor, expected: f64) -> bool {
    (tensor.item().unwrap().to_f64() - expected).abs() < 1e-4
}

fn normal(loc: f32) -> Dist {
    let mut params = Dict::new(&[]).unwrap();
    params.set("loc", &Tensor::scalar(loc).unwrap()).unwrap();
    params.set("scale", &Tensor::scalar(2.0f32).unwrap()).unwrap();
    Dist::create("td.normal", &params, "{}").unwrap()
}

#[test]
fn distributions_draw_and_tell() {
    let dist = normal(1.0);
    let (mut a, mut b) = (Generator::new(3).unwrap(), Generator::new(3).unwrap());
    let (x, y) = (dist.sample(&[5], Some(&mut a)).unwrap(), dist.rsample(&[5], Some(&mut b)).unwrap());
    assert_eq!(x.to_vec::<f32>().unwrap(), y.to_vec::<f32>().unwrap());
    assert!(near(&dist.get(Stat::Mean).unwrap(), 1.0) && near(&dist.get(Stat::Stddev).unwrap(), 2.0));
    let one = Tensor::scalar(1.0f32).unwrap();
    assert!(near(&dist.log_prob(&one).unwrap(), -1.612_086) && near(&dist.cdf(&one).unwrap(), 0.5));
    assert!(near(&dist.icdf(&Tensor::scalar(0.5f32).unwrap()).unwrap(), 1.0));
    assert!(dist.has_rsample() && !dist.has_enumerate_support() && dist.to_string().starts_with("Normal("));
    assert_eq!(dist.enumerate_support(true).unwrap_err().kind(), ErrorKind::Unsupported);
    let wide = dist.expand(&[2, 3]).unwrap();
    assert_eq!((wide.batch_shape(), wide.event_shape()), (vec![2, 3], vec![]));
    assert_eq!(wide.independent(1).unwrap().event_shape(), [3]);
    assert!(near(&normal(1.0).kl_divergence(&dist).unwrap(), 0.0));
    let mut weights = Dict::new(&[]).unwrap();
    weights.set("probs", &floats(&[0.5, 0.5], &[2])).unwrap();
    let mixture = Dist::create("td.categorical", &weights, "{}").unwrap();
    assert_eq!(mixture.enumerate_support(true).unwrap().shape(), [2]);
    let mixed = Dist::mixture(&mixture, &dist.expand(&[2]).unwrap()).unwrap();
    assert!(near(&mixed.get(Stat::Mean).unwrap(), 1.0));
    assert_eq!(Dist::create("td.no_such", &weights, "{}").unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn transforms_go_both_ways() {
    let exp = Transform::create(r#""exp""#, None).unwrap();
    let x = Tensor::scalar(1.0f64).unwrap();
    let y = exp.forward(&x).unwrap();
    assert!(near(&y, std::f64::consts::E) && near(&exp.inverse(&y).unwrap(), 1.0));
    assert!(near(&exp.log_abs_det_jacobian(&x, &y).unwrap(), 1.0));
    assert!(near(&exp.inverted().unwrap().forward(&y).unwrap(), 1.0));
    let both = Transform::compose(&[exp.clone(), exp.inverted().unwrap()]).unwrap();
    assert!(near(&both.forward(&x).unwrap(), 1.0) && exp.to_string().contains("Exp"));
    let log_normal = normal(0.0).transformed_by(&[exp]).unwrap();
    assert!(near(&log_normal.cdf(&Tensor::scalar(1.0f32).unwrap()).unwrap(), 0.5));
    assert!(normal(0.0).transformed(r#"["exp", "tanh"]"#, None).is_ok());
    let uniform = Transform::cdf_of(&normal(1.0)).unwrap();
    assert!(near(&uniform.forward(&Tensor::scalar(1.0f32).unwrap()).unwrap(), 0.5));
}

#[test]
fn composites_are_over_dicts() {
    let part = |loc: f32| (floats(&[loc; 3], &[3]), floats(&[1.0; 3], &[3]));
    let mut params = Dict::new(&[3]).unwrap();
    for (name, loc) in [("a", 0.0), ("b", 5.0)] {
        let (loc, scale) = part(loc);
        params.set((name, "loc"), &loc).unwrap();
        params.set((name, "scale"), &scale).unwrap();
    }
    let parts = [DistPart::new("a", "td.normal"), DistPart::new("b", "td.normal")];
    let dist = Dist::composite(&params, &parts).unwrap();
    let mut sample = dist.sample_dict(&[], None).unwrap();
    assert_eq!(sample.keys(Keys::Here).unwrap(), ["a", "b"]);
    assert!(dist.rsample_dict(&[2], None).unwrap().batch_size() == [2, 3]);
    assert!(dist.get_dict(Stat::Mean).unwrap().contains("b"));
    assert!(dist.interact_dict(Interaction::Mode, &[], 0, None).unwrap().contains("a"));
    assert!(dist.log_prob_dict(&sample, true).unwrap().contains("sample_log_prob"));
    assert_eq!(dist.log_prob_sum(&sample).unwrap().shape(), [3]);
    dist.cdf_into(&mut sample).unwrap();
    dist.icdf_into(&mut sample).unwrap();
    assert!(sample.contains("a_cdf") && sample.contains("a_icdf"));
    assert!(Dist::composite_of(&[], [("x", normal(0.0))]).unwrap().sample_dict(&[], None).unwrap().contains("x"));

    let module = Module::probabilistic_composite("params", &parts, Probabilistic::default()).unwrap();
    let mut data = Dict::new(&[3]).unwrap();
    data.set_dict("params", params).unwrap();
    assert!(module.get_dist(&mut data, None).is_ok());
}

#[test]
fn probabilistic_modules_draw_as_they_are_told() {
    let options = || Probabilistic {
        return_log_prob: true,
        generator: Some(Generator::new(1).unwrap()),
        default_interaction: Some(Interaction::Random),
        ..Default::default()
    };
    let policy = Module::probabilistic("td.normal", "{}", ["loc", "scale"], ["action"], options()).unwrap();
    let mut data = Dict::new(&[4]).unwrap();
    data.set("loc", &floats(&[2.0; 4], &[4])).unwrap();
    data.set("scale", &floats(&[1.0; 4], &[4])).unwrap();
    policy.forward(&mut data).unwrap();
    assert!(data.contains("action_log_prob") && policy.default_interaction() == Interaction::Random);
    let drawn = data.get("action").unwrap().to_vec::<f32>().unwrap();
    with_interaction(Interaction::Mean, || policy.forward(&mut data)).unwrap();
    assert_eq!(data.get("action").unwrap().to_vec::<f32>().unwrap(), [2.0; 4]);
    assert_ne!(drawn, [2.0; 4]);
    assert_eq!(
        (Interaction::current(), Interaction::from_name("MoDe").unwrap()),
        (Interaction::Default, Interaction::Mode)
    );
    assert!(policy.log_prob(&mut data, &LogProb::default()).unwrap().shape() == [4]);
    assert!(policy.log_prob_dict(&mut data, &LogProb::default()).unwrap().contains("action_log_prob"));
    assert!(policy.dist_from_params(&data).is_ok() && policy.num_samples().is_empty());
    assert_eq!(policy.dist_params_keys().unwrap().len(), 2);
    assert_eq!((policy.dist_sample_keys().unwrap(), policy.log_prob_keys().unwrap().len()), (vec!["action".into()], 1));

    let own = Module::probabilistic_fn(["loc", "scale"], ["action"], Probabilistic::default(), |params| {
        Ok(Dist::create("td.normal", params, "{}")?.transformed(r#""tanh""#, None)?)
    });
    let first = Module::from_fn(["x"], ["loc"], |x| Ok(vec![x[0].clone()])).unwrap();
    let sequence = Module::probabilistic_sequential(
        vec![first, own.unwrap()],
        ReturnComposite::Default,
        &SequenceOptions::default(),
    );
    let sequence = sequence.unwrap();
    data.set("x", &floats(&[0.0; 4], &[4])).unwrap();
    assert!(sequence.get_dist(&mut data, None).is_ok());
    assert!(sequence.get_dist_params(&mut data, None).unwrap().is_none());
    let value = normal(1.0).interact(Interaction::Mean, &[], 0, None).unwrap();
    assert!(near(&value, 1.0));
}

#[test]
fn hashes_hash_and_keep_their_state() {
    let mut hash = Hash::create("td.siphash", r#"{"seed": 42}"#).unwrap();
    let rows = hash.rows(&[1, 2, 3, 1, 2, 3], 3).unwrap();
    assert_eq!((rows.len(), rows[0]), (2, rows[1]));
    let tensor = Tensor::from_slice(&[1u8, 2, 3, 1, 2, 4], &[2, 3]).unwrap();
    let hashes = hash.call(&tensor).unwrap().to_vec::<i64>().unwrap();
    assert!(hashes[0] as u64 == rows[0] && hashes[0] != hashes[1]);
    assert_eq!(hash.copy().unwrap().rows(&[1, 2, 3], 3).unwrap(), rows[..1]);
    assert!(hash.describe().unwrap().contains("td.siphash"));
    assert_eq!(hash.rows(&[1, 2], 3).unwrap_err().kind(), ErrorKind::Argument);
    let mut bytes = Vec::new();
    hash.save(&mut bytes).unwrap();
    hash.load(&mut bytes.as_slice()).unwrap();
    struct Broken;
    impl std::io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from_raw_os_error(28))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = hash.save(&mut Broken).unwrap_err();
    assert_eq!(error.own::<std::io::Error>().and_then(std::io::Error::raw_os_error), Some(28), "{error:?}");
    let own = Hash::from_fn(|rows| Ok(rows.op("sum", &[(&[1]).into()])?)).unwrap();
    let numbers = Tensor::from_slice(&[1i64, 2, 3, 4], &[2, 2]).unwrap();
    assert_eq!(own.call(&numbers).unwrap().to_vec::<i64>().unwrap(), [3, 7]);
}

fn words(values: &[i64]) -> Dict {
    let mut dict = Dict::new(&[values.len() as i64]).unwrap();
    dict.set("word", &Tensor::try_from(values).unwrap()).unwrap();
    dict
}

#[test]
fn queries_give_rows_their_indices() {
    let mut query = Query::new_with(["word"], QueryOptions { miss: Miss::MinusOne, ..Default::default() }).unwrap();
    let mut data = words(&[5, 6, 5]);
    query.forward(&mut data).unwrap();
    assert_eq!(data.get("_index").unwrap().to_vec::<i64>().unwrap(), [0, 1, 0]);
    let found = query.call(&words(&[6, 9]), false, Some(&"known".into())).unwrap();
    assert_eq!(found.get("_index").unwrap().to_vec::<i64>().unwrap(), [1, -1]);
    assert_eq!(found.get("known").unwrap().to_vec::<u8>().unwrap(), [1, 0]);
    assert_eq!(query.look_up(&words(&[9, 5])).unwrap().to_vec::<i64>().unwrap(), [-1, 0]);
    assert_eq!(query.contains(&words(&[9, 5])).unwrap().to_vec::<u8>().unwrap(), [0, 1]);
    assert_eq!(query.hash(&words(&[5])).unwrap().numel(), 1);
    assert_eq!((query.in_keys().unwrap(), query.out_keys().unwrap().len()), (vec!["word".into()], 2));
    let state = query.state().unwrap();
    assert_eq!((query.erase(&words(&[5])).unwrap(), query.len()), (1, 1));
    query.clear().unwrap();
    query.load_state(&state, false).unwrap();
    assert_eq!((query.len(), query.statistics().unwrap().next), (2, 2));
    query.select_out_keys(["_index"]).unwrap();
    query.reset_out_keys().unwrap();
    let module = query.into_module().unwrap();
    let mut more = words(&[6, 7]);
    module.forward(&mut more).unwrap();
    assert_eq!(more.get("_index").unwrap().to_vec::<i64>().unwrap(), [1, 2]);
    let hashes = vec![Hash::create("td.xxh3", "{}").unwrap()];
    let own = Query::new_with(["word"], QueryOptions { hashes, exact: true, ..Default::default() });
    assert!(own.unwrap().is_empty());
}

/// Indices from 10 on, in the order of insertion.
#[derive(Clone, Default)]
struct Table(Arc<Mutex<Vec<i64>>>);

impl IndexMap for Table {
    fn look_up(&self, hashes: &[i64], indices: &mut [i64]) -> std::result::Result<(), BoxError> {
        let table = self.0.lock().unwrap();
        let at = |hash| table.iter().position(|h| h == hash).map_or(-1, |i| 10 + i as i64);
        hashes.iter().zip(indices).for_each(|(hash, index)| *index = at(hash));
        Ok(())
    }
    fn insert(&self, hashes: &[i64], indices: &mut [i64]) -> std::result::Result<(), BoxError> {
        for (hash, index) in hashes.iter().zip(indices) {
            let mut table = self.0.lock().unwrap();
            if table.len() > 3 {
                return Err("the table is full".into());
            }
            table.push(*hash);
            *index = 9 + table.len() as i64;
        }
        Ok(())
    }
    fn erase(&self, hashes: &[i64]) -> std::result::Result<(), BoxError> {
        self.0.lock().unwrap().retain(|h| !hashes.contains(h));
        Ok(())
    }
    fn size(&self) -> std::result::Result<(i64, i64), BoxError> {
        let n = self.0.lock().unwrap().len() as i64;
        Ok((n, 10 + n))
    }
    fn state(&self, state: &mut Node) -> std::result::Result<(), BoxError> {
        let table = self.0.lock().unwrap();
        Ok(state.set("all", &Tensor::from_slice(&table, &[table.len() as i64])?)?)
    }
    fn load(&self, state: &Node) -> std::result::Result<(), BoxError> {
        *self.0.lock().unwrap() = state.get("all")?.to_vec::<i64>()?;
        Ok(())
    }
}

#[test]
fn a_map_may_be_the_caller_s() {
    let (table, other) = (Table::default(), Table::default());
    let with = |table: &Table| Query::new_with_map(["word"], QueryOptions::default(), table.clone());
    let (mut query, mut second) = (with(&table).unwrap(), with(&other).unwrap());
    let mut data = words(&[5, 6, 5]);
    query.forward(&mut data).unwrap();
    assert_eq!(data.get("_index").unwrap().to_vec::<i64>().unwrap(), [10, 11, 10]);
    assert_eq!((query.len(), table.0.lock().unwrap().len()), (2, 2));
    second.load_state(&query.state().unwrap(), false).unwrap();
    assert_eq!(second.look_up(&words(&[6, 7])).unwrap().to_vec::<i64>().unwrap(), [11, -1]);
    assert_eq!(second.erase(&words(&[6])).unwrap(), 1);
    let full = query.forward(&mut words(&[1, 2, 3])).unwrap_err();
    assert!(full.message().contains("the table is full") && query.len() == 2);
    assert_eq!(query.clear().unwrap_err().kind(), ErrorKind::Unsupported);
    let exact = QueryOptions { exact: true, ..Default::default() };
    let refused = Query::new_with_map(["word"], exact, table.clone()).unwrap_err();
    assert_eq!((refused.kind(), Arc::strong_count(&table.0)), (ErrorKind::Argument, 2));
    drop(query);
    assert_eq!(Arc::strong_count(&table.0), 1);
}

#[test]
fn maps_are_shared_and_saved() {
    let (name, file) = (unique("map"), std::env::temp_dir().join(unique("map.file")));
    let mut query = Query::new(["word"]).unwrap();
    query.forward(&mut words(&[5, 6])).unwrap();
    query.save(&file, QuerySave::default()).unwrap();
    query.share(&name, QueryShare { capacity: 1000, ..Default::default() }).unwrap();
    let mut reader = Query::new(["word"]).unwrap();
    reader.open(&name, MapMode::Read).unwrap();
    query.forward(&mut words(&[7])).unwrap();
    assert_eq!(reader.look_up(&words(&[7])).unwrap().to_vec::<i64>().unwrap(), [2]);
    let mut saved = Query::new(["word"]).unwrap();
    saved.open_file(&file, MapMode::Copy).unwrap();
    assert_eq!(saved.len(), 2);
    std::fs::remove_file(file).unwrap();
    Query::unlink(&name).unwrap();
    assert_eq!(Query::unlink(&name).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn rows_stand_under_rows() {
    let mut store = Store::new(&StoreOptions { capacity: 10, ..Default::default() }).unwrap();
    store.set(&Tensor::try_from(vec![3i64, 4]).unwrap(), &words(&[30, 40])).unwrap();
    let index = Tensor::try_from(vec![4i64]).unwrap();
    assert_eq!(store.get(&index).unwrap().get("word").unwrap().to_vec::<i64>().unwrap(), [40]);
    assert_eq!(store.contains(&index).unwrap().to_vec::<u8>().unwrap(), [1]);
    assert_eq!(store.len(), 2);
    let (rows, index) = store.sample(2, false, Some(&mut Generator::new(1).unwrap())).unwrap();
    let mut drawn = rows.get("word").unwrap().to_vec::<i64>().unwrap();
    assert_eq!(index.to_vec::<i64>().unwrap().iter().map(|at| at * 10).collect::<Vec<_>>(), drawn);
    drawn.sort();
    assert_eq!(drawn, [30, 40]);
    assert_eq!(store.sample(3, true, None).unwrap().1.shape(), [3]);
    assert_eq!(store.sample(3, false, None).unwrap_err().kind(), ErrorKind::Argument);
    let options = store.options().unwrap();
    assert_eq!((options.capacity, options.preallocate, options.path), (10, false, None));
    let of_query = Query::new(["word"]).unwrap().options().unwrap();
    assert_eq!((of_query.capacity, of_query.threads, of_query.hash_type.as_deref()), (0, 1, Some("td.siphash")));
    store.clear().unwrap();
    let mut map = RowMap::new(Query::new(["word"]).unwrap(), store).unwrap();
    let mut values = Dict::new(&[2]).unwrap();
    values.set("value", &floats(&[0.5, 1.5], &[2])).unwrap();
    map.set(&words(&[8, 9]), &values).unwrap();
    assert_eq!(map.get(&words(&[9])).unwrap().get("value").unwrap().to_vec::<f32>().unwrap(), [1.5]);
    assert_eq!(map.get(&words(&[1])).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!((map.contains(&words(&[1, 8])).unwrap().to_vec::<u8>().unwrap(), map.len()), (vec![0, 1], 2));
    map.clear().unwrap();
    assert!(map.is_empty());
}

#[test]
fn plugins_are_listed_and_written_in_rust() {
    assert!(plugins::list().unwrap().contains("td.siphash"));
    assert!(!plugins::report().unwrap().is_empty());
    assert_eq!(plugins::load("/nowhere/at/all.so").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(plugins::add_path("/nowhere/at/all").unwrap_err().kind(), ErrorKind::NotFound);

    let flags = sys::TD_PLUGIN_DETERMINISTIC | sys::TD_PLUGIN_THREAD_SAFE;
    let info = plugins::TypeInfo { id: "rust.sum", version: Some("1.2.3"), flags, ..Default::default() };
    let sum = |_: &str, rows: plugins::HashRows<'_>, out: &mut [u64]| -> std::result::Result<(), BoxError> {
        out.iter_mut().zip(rows.iter()).for_each(|(out, row)| *out = row.iter().map(|byte| u64::from(*byte)).sum());
        Ok(())
    };
    plugins::register_hash(info, sum).unwrap();
    assert_eq!(plugins::register_hash(info, sum).unwrap_err().kind(), ErrorKind::Exists);
    let options = QueryOptions { hash_type: Some("rust.sum".into()), ..Default::default() };
    let mut query = Query::new_with(["word"], options).unwrap();
    let mut data = words(&[1, 256, 2]);
    query.forward(&mut data).unwrap();
    assert_eq!(data.get("_index").unwrap().to_vec::<i64>().unwrap(), [0, 0, 1]);
    assert_eq!(Hash::create("rust.sum", "{}").unwrap().rows(&[1, 2, 3, 4], 2).unwrap(), [3, 7]);
    plugins::unregister(plugins::PluginKind::Hash, "rust.sum").unwrap();
    assert_eq!(Hash::create("rust.sum", "{}").unwrap_err().kind(), ErrorKind::NotFound);
}

struct Shift;

impl plugins::ModuleType for Shift {
    fn init(
        &self,
        _: &str,
        _: Option<&mut Generator>,
        parameters: &mut Node,
        _: &mut Node,
    ) -> std::result::Result<(), BoxError> {
        Ok(parameters.set("by", &floats(&[3.0], &[1]))?)
    }

    fn forward(
        &self,
        config: &str,
        state: &[Tensor],
        inputs: &[Tensor],
        _: bool,
        n: usize,
    ) -> std::result::Result<Vec<Tensor>, BoxError> {
        if config.contains("fail") {
            return Err("as the config says".into());
        }
        assert_eq!((state.len(), n), (1, 1));
        Ok(vec![(&inputs[0] + &state[0])?])
    }
}

struct Point;

impl plugins::DistType for Point {
    fn names(&self) -> Vec<&str> {
        vec!["at"]
    }

    fn sample(
        &self,
        _: &str,
        params: &[Tensor],
        shape: &[i64],
        _: Option<&mut Generator>,
    ) -> std::result::Result<Tensor, BoxError> {
        Ok(params[0].op("expand", &[shape.into()])?)
    }

    fn log_prob(&self, _: &str, params: &[Tensor], value: &Tensor) -> std::result::Result<Tensor, BoxError> {
        Ok(params[0].equals(value)?.op("log", &[])?)
    }
}

#[test]
fn modules_and_distributions_are_types_too() {
    let info = |id| plugins::TypeInfo { id, ..Default::default() };
    plugins::register_module(info("rust.shift"), Shift).unwrap();
    let shift = Module::create("rust.shift", "{}", None).unwrap();
    assert_eq!(shift.call(&[floats(&[1.0], &[1])], 1).unwrap()[0].to_vec::<f32>().unwrap(), [4.0]);
    assert_eq!(shift.parameters().unwrap().len(), 1);
    let failing = Module::create("rust.shift", r#"{"fail": true}"#, None).unwrap();
    let error = failing.call(&[floats(&[1.0], &[1])], 1).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Callback, "as the config says"));

    plugins::register_dist(info("rust.point"), Point).unwrap();
    let mut params = Dict::new(&[]).unwrap();
    params.set("at", &Tensor::scalar(4.0f32).unwrap()).unwrap();
    let point = Dist::create("rust.point", &params, "{}").unwrap();
    assert_eq!(point.sample(&[3], None).unwrap().to_vec::<f32>().unwrap(), [4.0; 3]);
    assert!(near(&point.log_prob(&Tensor::scalar(4.0f32).unwrap()).unwrap(), 0.0));
    assert_eq!(point.get(Stat::Variance).unwrap_err().kind(), ErrorKind::Unsupported);
    Dist::set_default_validate_args(true);
}

#[test]
fn the_library_tells_about_itself() {
    assert_eq!(abi_version(), sys::TD_ABI_MAJOR);
    assert!(build_info().unwrap().contains(version()) && !has_feature("no such feature"));
    set_fast_level(FastLevel::Views).unwrap();
    set_fast_level(FastLevel::Arena).unwrap();
    assert_eq!(set_num_threads(0).unwrap_err().kind(), ErrorKind::Argument);
    set_num_threads(1).unwrap();
    manual_seed(1).unwrap();
    assert_eq!(live_objects(-1), -1);
    assert!(live_bytes() >= 0);
}

static WARNED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

fn count(text: &str, place: &str) {
    if text.contains(".grad") && !place.is_empty() {
        WARNED.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

#[test]
fn warnings_go_to_a_function() {
    let mut x = floats(&[1.0], &[1]);
    x.set_requires_grad(true).unwrap();
    let doubled = (&x * 2.0).unwrap();
    set_warning_callback(Some(count)).unwrap();
    assert!(doubled.grad().unwrap().is_none());
    set_warning_callback(None).unwrap();
    assert_eq!(WARNED.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[test]
fn parameters_are_a_module_and_modules_get_new_tensors() {
    let params = Module::create("td.linear", r#"{"in_features": 2, "out_features": 3}"#, None).unwrap();
    let dict = Dict::from_module(&params).unwrap();
    let module = Module::from_params(&dict).unwrap();
    assert_eq!(module.parameters().unwrap().len(), 2);
    let mut other = Module::create("td.linear", r#"{"in_features": 2, "out_features": 3}"#, None).unwrap();
    other.to_empty("meta").unwrap();
    assert_eq!(other.parameters().unwrap()[0].1.device(), "meta");
}

#[test]
fn a_dict_moves_to_memory_that_forks_share() {
    let mut dict = Dict::new(&[2]).unwrap();
    dict.set("a", &floats(&[1.0, 2.0], &[2])).unwrap();
    assert!(!dict.is_shared());
    // SAFETY: no view of the tensor lives.
    unsafe { dict.share_memory().unwrap() };
    assert!(dict.is_shared() && dict.is_locked());
    assert_eq!(dict.get("a").unwrap().to_vec::<f32>().unwrap(), [1.0, 2.0]);
}
