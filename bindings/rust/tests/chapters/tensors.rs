use crate::floats;
use tensordict::{no_grad, Dtype, ErrorKind, Generator, Op, Output, Scalar, Tensor};

#[test]
fn a_vector_becomes_a_tensor_without_a_copy() {
    let data = vec![1.5f64, 2.5];
    let address = data.as_ptr();
    let tensor = Tensor::try_from(data).unwrap();
    assert_eq!(tensor.view::<f64>().unwrap().as_ptr(), address);
    assert_eq!(Tensor::from_vec(vec![1u8], &[-1]).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(Tensor::from_vec(vec![1u8], &[-1, -1]).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn a_view_knows_its_shape() {
    let view = Tensor::from_vec((0..6).collect::<Vec<i32>>(), &[2, 3]).unwrap().view::<i32>().unwrap();
    assert_eq!((view.shape(), view.at([1, 2]), view.at([0, 1])), (&[2i64, 3][..], 5, 1));
}

#[test]
#[should_panic(expected = "in a tensor of shape [2, 3]")]
fn a_place_out_of_range_panics_as_in_a_slice() {
    Tensor::zeros(&[2, 3], Dtype::Float32).unwrap().view::<f32>().unwrap().at([0, 3]);
}

#[test]
fn writing_copies_into_the_memory_that_is_there() {
    let mut tensor = Tensor::zeros(&[2], Dtype::Float32).unwrap();
    let view = tensor.view::<f32>().unwrap();
    tensor.write(&[1.0f32, 2.0]).unwrap();
    assert_eq!(view.to_vec(), [1.0, 2.0]);
    tensor.copy_from(&Tensor::scalar(7i64).unwrap()).unwrap();
    assert_eq!(view.to_vec(), [7.0, 7.0]);
    assert_eq!(tensor.write(&[1.0f32]).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn a_tensor_is_printed_as_in_python() {
    assert_eq!(floats(&[1.0, -0.5], &[2]).to_string(), "tensor([ 1.0000, -0.5000])");
    assert_eq!(Tensor::scalar(7i64).unwrap().to_string(), "tensor(7)");
}

#[test]
fn a_generator_goes_back_to_a_state() {
    let (mut a, mut b) = (Generator::new(3).unwrap(), Generator::new(4).unwrap());
    b.load_state(&a.state().unwrap()).unwrap();
    let draw = |generator: &mut Generator| {
        let shape = [2i64];
        let drawn = Op::run("randn.generator", &[(&shape[..]).into()], &[("generator", (&mut *generator).into())], 1);
        drawn.unwrap().pop().unwrap().tensor().unwrap().to_vec::<f32>().unwrap()
    };
    assert_eq!(draw(&mut a), draw(&mut b));
    assert_eq!((a.initial_seed(), b.initial_seed()), (3, 3));
    assert_eq!(a.load_state(&floats(&[0.0], &[1])).unwrap_err().kind(), ErrorKind::Dtype);
}

#[test]
fn an_operator_is_run_by_its_name() {
    let x = floats(&[1.0, 3.0, 2.0, 0.0], &[2, 2]);
    let both = Op::run("max.dim", &[(&x).into(), 1.into()], &[("keepdim", true.into())], 2).unwrap();
    let [values, indices]: [Output; 2] = both.try_into().ok().unwrap();
    assert_eq!(values.tensor().unwrap().to_vec::<f32>().unwrap(), [3.0, 2.0]);
    assert_eq!(indices.tensor().unwrap().shape(), [2, 1]);
    assert_eq!(Op::run("add.Tensors", &[(&x).into()], &[], 1).unwrap_err().kind(), ErrorKind::NotFound);
    for name in ["unsqueeze_", "squeeze_.dim", "aten::resize_.default"] {
        assert_eq!(Op::run(name, &[(&x).into(), 0.into()], &[], 1).unwrap_err().kind(), ErrorKind::Unsupported);
        assert!(name.starts_with("un") || Op::find(name).unwrap().reshapes());
    }
}

#[test]
fn items_are_scalars() {
    assert_eq!(Tensor::scalar(3i32).unwrap().item().unwrap(), Scalar::Int(3));
    assert_eq!(Tensor::scalar(0.5f64).unwrap().item().unwrap(), Scalar::Double(0.5));
    assert_eq!(Tensor::from_bools(&[true], &[]).unwrap().item().unwrap(), Scalar::Bool(true));
    assert_eq!(floats(&[1.0, 2.0], &[2]).item().unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn dlpack_gives_and_takes_the_same_memory() {
    let tensor = floats(&[1.0, 2.0], &[2]);
    let back = Tensor::from_dlpack(tensor.to_dlpack().unwrap()).unwrap();
    assert_eq!(back.data_ptr().unwrap(), tensor.data_ptr().unwrap());
    let back = unsafe { Tensor::from_dlpack_unversioned(tensor.to_dlpack_unversioned().unwrap()) }.unwrap();
    assert_eq!(back.data_ptr().unwrap(), tensor.data_ptr().unwrap());
    drop(tensor.to_dlpack().unwrap());
}

#[test]
fn gradients_flow_through_operators() {
    let mut x = floats(&[1.0, 2.0], &[2]);
    x.set_requires_grad(true).unwrap();
    let y = (&(&x * &x).unwrap() + 1).unwrap();
    y.op("sum", &[]).unwrap().backward().unwrap();
    assert_eq!(x.grad().unwrap().unwrap().to_vec::<f32>().unwrap(), [2.0, 4.0]);
    assert!(y.requires_grad() && !y.detach().unwrap().requires_grad());
    assert!(!no_grad(|| &x * 2.0).unwrap().requires_grad());
}

#[test]
fn no_grad_ends_with_a_panic_too() {
    let caught = std::panic::catch_unwind(|| no_grad(|| no_grad(|| panic!("out of both"))));
    assert!(caught.is_err());
    let mut x = floats(&[1.0], &[1]);
    x.set_requires_grad(true).unwrap();
    assert!((&x + 1).unwrap().requires_grad());
}

#[test]
fn operators_are_those_of_rust() {
    let (a, b) = (floats(&[1.0, 5.0], &[2]), floats(&[2.0, 3.0], &[2]));
    assert_eq!((&a + &b).unwrap().to_vec::<f32>().unwrap(), [3.0, 8.0]);
    assert_eq!((&a - 1).unwrap().to_vec::<f32>().unwrap(), [0.0, 4.0]);
    assert_eq!((&a / 2.0).unwrap().to_vec::<f32>().unwrap(), [0.5, 2.5]);
    assert_eq!((&a % 2).unwrap().to_vec::<f32>().unwrap(), [1.0, 1.0]);
    assert_eq!((-&a).unwrap().to_vec::<f32>().unwrap(), [-1.0, -5.0]);
    assert_eq!(a.less(&b).unwrap().to_vec::<u8>().unwrap(), [1, 0]);
    let both = (&a.less(&b).unwrap() & &a.equals(1).unwrap()).unwrap();
    assert_eq!((!&both).unwrap().to_vec::<u8>().unwrap(), [0, 1]);
    assert_eq!((&a + &floats(&[0.0; 3], &[3])).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn any_operator_is_called_by_name() {
    let x = floats(&[3.0, 1.0, 2.0], &[3]);
    let outs = Op::find("sort").unwrap().call_many(&[(&x).into()], &[("descending", true.into())], 2).unwrap();
    match outs.as_slice() {
        [Output::Tensor(values), Output::Tensor(indices)] => {
            assert_eq!(values.to_vec::<f32>().unwrap(), [3.0, 2.0, 1.0]);
            assert_eq!(indices.to_vec::<i64>().unwrap(), [0, 2, 1]);
        }
        other => panic!("{other:?}"),
    }
    let parts = Op::find("split").unwrap().call_many(&[(&x).into(), 2.into()], &[], 1).unwrap();
    assert!(matches!(parts.as_slice(), [Output::Tensors(parts)] if parts.len() == 2));
    assert_eq!(Tensor::cat(&[x.clone(), x.clone()], 0).unwrap().shape(), [6]);
    assert_eq!(Tensor::stack(&[x.clone(), x], 0).unwrap().shape(), [2, 3]);
    assert_eq!(Op::find("no_such_operator").unwrap_err().kind(), ErrorKind::NotFound);
    assert!(Op::find_overload("add", Some("Tensor")).unwrap().schema().unwrap().contains("add.Tensor"));
}

#[test]
fn generators_repeat_their_seed() {
    let mut generator = Generator::new(7).unwrap();
    let first = Tensor::randn(&[3], Dtype::Float32, Some(&mut generator)).unwrap();
    let second = Tensor::randn(&[3], Dtype::Float32, Some(&mut generator)).unwrap();
    generator.seed(7).unwrap();
    let again = Tensor::randn(&[3], Dtype::Float32, Some(&mut generator)).unwrap();
    assert_eq!(first.to_vec::<f32>().unwrap(), again.to_vec::<f32>().unwrap());
    assert_ne!(first.to_vec::<f32>().unwrap(), second.to_vec::<f32>().unwrap());
}

#[test]
fn casts_and_shapes() {
    let x = floats(&[1.5, -2.5], &[2]);
    assert!(x.to_dtype(Dtype::Float32).unwrap().is_same(&x));
    assert_eq!(x.to_dtype(Dtype::Int64).unwrap().to_vec::<i64>().unwrap(), [1, -2]);
    assert_eq!(x.to_device("cpu").unwrap().device(), "cpu");
    assert_eq!((x.ndim(), x.itemsize(), x.is_shared()), (1, 4, false));
    assert_eq!(x.expand_right(&[2, 3]).unwrap().to_vec::<f32>().unwrap(), [1.5, 1.5, 1.5, -2.5, -2.5, -2.5]);
    let other = Tensor::ones(&[2, 2], Dtype::Bool).unwrap();
    assert_eq!(x.expand_as_right(&other).unwrap().shape(), [2, 2]);
    assert_eq!(Tensor::empty(&[3], Dtype::Int8, Some("cpu")).unwrap().dtype(), Dtype::Int8);
    assert_eq!(Tensor::full(&[1], 300.0, Dtype::Int16).unwrap().to_vec::<i16>().unwrap(), [300]);
}
