//! Rust's operators on tensors and dicts. They can fail, so that the result is a `Result`: `let sum = (&a + &b)?`.
use crate::{Dict, Node, Op, Result, Tensor, Value};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Sub};

macro_rules! binary {
    ($($trait:ident $method:ident $name:literal;)*) => {$(
        impl<'a, V: Into<Value<'a>>> $trait<V> for &'a Tensor {
            type Output = Result<Tensor>;

            fn $method(self, other: V) -> Result<Tensor> {
                Op::run_one($name, &[self.into(), other.into()])
            }
        }

        impl<'a, V: Into<Value<'a>>> $trait<V> for &'a Node {
            type Output = Result<Dict>;

            /// Operands are matched by key and by batch dims.
            fn $method(self, other: V) -> Result<Dict> {
                Op::find($name)?.pointwise(&[self.into(), other.into()])
            }
        }

        impl<'a, V: Into<Value<'a>>> $trait<V> for &'a Dict {
            type Output = Result<Dict>;

            fn $method(self, other: V) -> Result<Dict> {
                (&**self).$method(other)
            }
        }
    )*};
}

binary! {
    Add add "add";
    Sub sub "sub";
    Mul mul "mul";
    Div div "div";
    Rem rem "remainder";
    BitAnd bitand "bitwise_and";
    BitOr bitor "bitwise_or";
    BitXor bitxor "bitwise_xor";
}

macro_rules! unary {
    ($($trait:ident $method:ident $name:literal;)*) => {$(
        impl $trait for &Tensor {
            type Output = Result<Tensor>;

            fn $method(self) -> Result<Tensor> {
                self.op($name, &[])
            }
        }

        impl $trait for &Node {
            type Output = Result<Dict>;

            fn $method(self) -> Result<Dict> {
                self.op($name, &[])
            }
        }

        impl $trait for &Dict {
            type Output = Result<Dict>;

            fn $method(self) -> Result<Dict> {
                self.op($name, &[])
            }
        }
    )*};
}

unary! {
    Neg neg "neg";
    Not not "bitwise_not";
}

macro_rules! comparisons {
    ($($method:ident $name:literal $doc:literal;)*) => {
        impl Tensor {
            $(#[doc = concat!("A bool for each element: ", $doc, ".")]
            pub fn $method<'a>(&'a self, other: impl Into<Value<'a>>) -> Result<Tensor> {
                Op::run_one($name, &[self.into(), other.into()])
            })*
        }

        impl Node {
            $(#[doc = concat!("Bools for each element: ", $doc, ". Operands are matched as for `+`.")]
            pub fn $method<'a>(&'a self, other: impl Into<Value<'a>>) -> Result<Dict> {
                Op::find($name)?.pointwise(&[self.into(), other.into()])
            })*
        }
    };
}

comparisons! {
    equals "eq" "are the two equal";
    differs "ne" "are the two different";
    less "lt" "is this one less";
    less_or_equal "le" "is this one less or equal";
    greater "gt" "is this one greater";
    greater_or_equal "ge" "is this one greater or equal";
}
