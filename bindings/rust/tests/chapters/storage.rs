use crate::{floats, sample, unique};
use std::path::PathBuf;
use tensordict::*;

/// A place for files that goes with the test.
struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(unique(test));
        std::fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_format_opens_again() {
    let place = Place::new("formats");
    let dict = sample().exclude(["task"]).unwrap();
    for (name, format, feature) in [
        ("dict", Format::Memmap, None),
        ("dict.td", Format::Consolidated, None),
        ("dict.tdz", Format::Archive, Some("archive")),
        ("dict.h5", Format::Hdf5, Some("hdf5")),
        ("dict.safetensors", Format::Safetensors, None),
    ] {
        if feature.map_or(false, |feature| !has_feature(feature)) {
            assert_eq!(dict.save(place.at(name)).unwrap_err().kind(), ErrorKind::Unsupported);
            continue;
        }
        dict.save(place.at(name)).unwrap();
        assert_eq!(Format::detect(place.at(name)).unwrap(), format, "{}", format.name());
        if format == Format::Hdf5 {
            assert_eq!(Dict::open(place.at(name)).unwrap_err().kind(), ErrorKind::Unsupported);
        }
        let opened = Dict::open_with(place.at(name), OpenOptions { trusted: true, ..OpenOptions::default() }).unwrap();
        assert_eq!(opened.get(("n", "b")).unwrap().to_vec::<i64>().unwrap(), (0..12).collect::<Vec<_>>(), "{name}");
        assert_eq!(dict.save(place.at(name)).unwrap_err().kind(), ErrorKind::Exists);
    }
    assert_eq!(Format::of_ending("x/run.safetensors").unwrap(), Format::Safetensors);
    assert_eq!(Format::detect(place.at("nothing")).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_save_tells_how_far_it_is_and_may_be_given_up() {
    let place = Place::new("progress");
    let dict = sample();
    let mut told = 0;
    let progress = Box::new(|done, total| {
        told += 1;
        assert!(done <= total);
        Ok(())
    });
    dict.save_with(place.at("a"), SaveOptions { progress: Some(progress), ..Default::default() }).unwrap();
    assert!(told > 0);
    let progress: Box<Progress<'_>> = Box::new(|_, _| Err(std::io::Error::new(std::io::ErrorKind::Other, "no").into()));
    let options = SaveOptions { progress: Some(progress), overwrite: true, ..Default::default() };
    let error = dict.save_with(place.at("a"), options).unwrap_err();
    assert!(error.own::<std::io::Error>().is_some(), "{error:?}");
    assert!(Dict::open(place.at("a")).is_ok(), "the old one is still there");
}

#[test]
fn a_directory_is_the_dict() {
    let place = Place::new("live");
    let like = sample().exclude(["task"]).unwrap();
    let mut live = like.memmap_like(place.at("d"), SaveOptions::default()).unwrap();
    assert!(live.is_memmap() && live.is_locked() && live.saved_path().unwrap().unwrap().ends_with("/d"));
    live.make_memmap("done", &[2, 3], Dtype::Bool).unwrap();
    live.make_memmap_from("more", &floats(&[1.0; 6], &[2, 3])).unwrap();
    live.copy_into("a", &Tensor::scalar(4.0f32).unwrap()).unwrap();
    let mut other =
        Dict::open_with(place.at("d"), OpenOptions { mode: Mode::ReadWrite, ..Default::default() }).unwrap();
    assert_eq!(other.get("a").unwrap().to_vec::<f32>().unwrap(), [4.0; 6]);
    live.make_memmap("late", &[2, 3], Dtype::Int8).unwrap();
    assert!(!other.contains("late"));
    other.refresh_memmap().unwrap();
    assert!(other.contains("late"));
    assert_eq!((other.python_class().unwrap(), other.python_fields().unwrap()), (None, "{}".to_owned()));
}

#[test]
fn a_part_is_opened_and_rows_are_appended() {
    let place = Place::new("part");
    let dict = sample().exclude(["task"]).unwrap();
    dict.save(place.at("d")).unwrap();
    let part = Dict::open_part(place.at("d"), "n", OpenOptions::default()).unwrap();
    assert!(part.contains("b") && !part.contains("a"));
    let error = Dict::open_part(place.at("d"), ("n", "b"), OpenOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    dict.append_memmap(place.at("d"), true).unwrap();
    assert_eq!(Dict::open(place.at("d")).unwrap().batch_size(), [4, 3]);
    let error = dict.exclude(["a"]).unwrap().append_memmap(place.at("d"), false).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Key);
}

#[test]
fn a_tensor_is_a_file() {
    let place = Place::new("tensor");
    let file = place.at("x");
    let zeros = Tensor::memmap_zeros(&file, &[2, 3], Dtype::Float32, SaveOptions::default()).unwrap();
    let seen = Tensor::memmap_open(&file, &[2, 3], Dtype::Float32, Mode::Read).unwrap();
    assert_eq!(
        (seen.to_vec::<f32>().unwrap(), seen.saved_path().unwrap().unwrap()),
        (vec![0.0; 6], file.to_str().unwrap().into())
    );
    let copy = floats(&[1.0; 6], &[2, 3]).memmap(place.at("y"), SaveOptions::default()).unwrap();
    assert_eq!(copy.to_vec::<f32>().unwrap(), [1.0; 6]);
    let error = zeros.memmap(place.at("y"), SaveOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exists);
    let options = SaveOptions { overwrite: true, ..Default::default() };
    let full = Tensor::memmap_full(place.at("y"), &[4], 2.5, Dtype::Float64, options).unwrap();
    assert_eq!(full.to_vec::<f64>().unwrap(), [2.5; 4]);
    let error = Tensor::memmap_open(&file, &[7], Dtype::Float32, Mode::ReadWrite).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
}

#[test]
fn archives_are_verified() {
    if !has_feature("archive") {
        return assert!(verify_archive("x.tdz").is_err());
    }
    let place = Place::new("archive");
    let file = place.at("a.tdz");
    let options = SaveOptions { compression: Compression::Deflate, ..Default::default() };
    sample().save_with(&file, options).unwrap();
    verify_archive(&file).unwrap();
    refresh_archive_checksums(&file).unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle] ^= 0xff;
    std::fs::write(&file, bytes).unwrap();
    assert!(verify_archive(&file).is_err());
}

#[test]
fn a_dict_lives_in_a_file() {
    if !has_feature("hdf5") {
        let error = Dict::open_persistent("x.h5", &PersistentOptions::default()).unwrap_err();
        return assert!([ErrorKind::Unsupported, ErrorKind::NotFound].contains(&error.kind()));
    }
    let place = Place::new("persistent");
    let file = place.at("replay.h5");
    let options = PersistentOptions { batch_size: Some(vec![2, 3]), ..Default::default() };
    let mut dict = Dict::create_persistent(&file, &options).unwrap();
    dict.set("a", &floats(&[1.0; 6], &[2, 3])).unwrap();
    assert_eq!((dict.kind(), dict.is_persistent_writable()), (DictKind::Persistent, true));
    assert_eq!(dict.persistent_file().unwrap(), file.to_str().unwrap());
    dict.close_persistent().unwrap();
    assert_eq!(dict.get("a").unwrap_err().kind(), ErrorKind::Closed);
    let again = Dict::open_persistent(&file, &PersistentOptions::default()).unwrap();
    assert_eq!(again.i(0).unwrap().get("a").unwrap().to_vec::<f32>().unwrap(), [1.0; 3]);
}
