//! Operators over dicts: pointwise, reductions, and raw ones over leaves.
use super::list::{filled, make_several};
use super::{Dict, Node};
use crate::op::Named;
use crate::{handle, sys, Op, Result, Tensor, Value};

/// What a pointwise operator does with leaves that not every dict has.
#[derive(Clone, Copy)]
pub enum Missing<'a> {
    /// It fails with Key.
    Error,
    /// The result lacks them too.
    Skip,
    /// This number, or tensor without dims, stands for them.
    Fill(Value<'a>),
}

/// What a reduction goes over.
#[derive(Clone, Debug, Default)]
pub struct Reduce {
    /// Batch dims; without any every leaf becomes one number.
    pub dims: Vec<i64>,
    /// The dims stay, with size 1.
    pub keepdim: bool,
    /// What a leaf has beyond the batch dims becomes one number, instead.
    pub feature: bool,
}

impl Reduce {
    /// Over one batch dim, which goes away.
    pub fn dim(dim: i64) -> Self {
        Reduce { dims: vec![dim], ..Default::default() }
    }

    fn raw(&self) -> sys::td_reduce_options {
        sys::td_reduce_options {
            dims: self.dims.as_ptr(),
            n_dims: self.dims.len(),
            keepdim: self.keepdim.into(),
            feature: self.feature.into(),
            ..Default::default()
        }
    }
}

impl Op {
    /// Calls the pointwise operator for each leaf. Operands are dicts, of which there is at least one, tensors and
    /// numbers, matched by key and by batch dims. An operator in place ("add_") writes the leaves of its first operand.
    /// Errors: Argument without a dict; Key; Shape; Locked; and those of [`call`](Op::call), with the key.
    pub fn pointwise(&self, operands: &[Value<'_>]) -> Result<Dict> {
        self.pointwise_with(operands, &[], Missing::Error)
    }

    /// The same with arguments by name, and a choice about leaves that not every dict has.
    pub fn pointwise_with(
        &self,
        operands: &[Value<'_>],
        kwargs: &[(&str, Value<'_>)],
        missing: Missing<'_>,
    ) -> Result<Dict> {
        let op = self.checked(kwargs)?;
        let raw: Vec<_> = operands.iter().map(Value::raw).collect();
        let named = Named::new(kwargs);
        let fill = if let Missing::Fill(value) = missing { Some(value.raw()) } else { None };
        let options = sys::td_pointwise_options {
            missing: match missing {
                Missing::Error => sys::TD_MISSING_ERROR,
                Missing::Skip => sys::TD_MISSING_SKIP,
                Missing::Fill(_) => sys::TD_MISSING_FILL,
            },
            fill: fill.as_ref().map_or(std::ptr::null(), |fill| fill),
            ..Default::default()
        };
        // What an operator in place gives is its first operand.
        super::apart!(td_dict_pointwise(op, raw.as_ptr(), raw.len(), named.as_ptr(), named.len(), &options))
    }

    /// Calls the operator once for each leaf, handing tensors over unchanged, with `n` results.
    /// Errors: Argument; Key if the leaves differ; Shape; as [`call`](Op::call).
    pub fn apply(&self, args: &[Value<'_>], kwargs: &[(&str, Value<'_>)], n: usize) -> Result<Vec<Dict>> {
        let op = self.checked(kwargs)?;
        let raw: Vec<_> = args.iter().map(Value::raw).collect();
        let named = Named::new(kwargs);
        let dicts = make_several(n, |outs, err| unsafe {
            sys::td_dict_apply_op(op, raw.as_ptr(), raw.len(), named.as_ptr(), named.len(), outs, n, err)
        })?;
        dicts.into_iter().flatten().map(Dict::own_nodes).collect()
    }
}

impl Node {
    /// Calls a pointwise operator with this dict as its first operand: `td.op("clamp", &[0.into(), 1.into()])`.
    /// Errors: NotFound; as [`Op::pointwise`].
    pub fn op(&self, name: &str, operands: &[Value<'_>]) -> Result<Dict> {
        let mut all = vec![Value::Dict(self)];
        all.extend_from_slice(operands);
        Op::find(name)?.pointwise(&all)
    }

    /// The same with an operator in place ("add_"), which writes this dict's leaves. Errors: as [`Op::pointwise`].
    pub fn op_in_place(&mut self, name: &str, operands: &[Value<'_>]) -> Result<()> {
        let op = Op::find(name)?;
        let op = op.checked(&[])?;
        let mut raw = vec![Value::Dict(self).raw()];
        raw.extend(operands.iter().map(Value::raw));
        let no_out = std::ptr::null_mut();
        done!(td_dict_pointwise(op, raw.as_ptr(), raw.len(), std::ptr::null(), 0, std::ptr::null(), no_out))
    }

    /// Calls a reduction for each leaf: `td.reduce("mean", &Reduce::dim(0))`. Errors: Index; Argument; Shape; Dtype;
    /// Torch.
    pub fn reduce(&self, name: &str, over: &Reduce) -> Result<Dict> {
        filled(self.reduce_with(&Op::find(name)?, &[], over)?.into_iter().next())
    }

    /// The same with arguments by name; max, min, cummax and cummin along a dim give values and indices.
    pub fn reduce_with(&self, op: &Op, kwargs: &[(&str, Value<'_>)], over: &Reduce) -> Result<Vec<Dict>> {
        let (op, named, options) = (op.checked(kwargs)?, Named::new(kwargs), over.raw());
        let dicts = make_several(2, |outs, err| unsafe {
            sys::td_dict_reduce(self.as_raw(), op, named.as_ptr(), named.len(), &options, outs, 2, err)
        })?;
        dicts.into_iter().flatten().map(Dict::own_nodes).collect()
    }

    /// Reduces all leaves together to one tensor. Errors: as [`reduce`](Node::reduce); Argument without tensors.
    pub fn reduce_all(&self, op: &Op, kwargs: &[(&str, Value<'_>)], over: &Reduce) -> Result<Tensor> {
        let (op, named, options) = (op.checked(kwargs)?, Named::new(kwargs), over.raw());
        handle::make(|out, err| unsafe {
            sys::td_dict_reduce_all(self.as_raw(), op, named.as_ptr(), named.len(), &options, out, err)
        })
    }

    /// True if every element of every tensor is true, or not 0.
    pub fn all(&self) -> Result<bool> {
        let mut out = 0;
        done!(td_dict_all(self.as_raw(), &mut out))?;
        Ok(out != 0)
    }

    /// True if one element is.
    pub fn any(&self) -> Result<bool> {
        let mut out = 0;
        done!(td_dict_any(self.as_raw(), &mut out))?;
        Ok(out != 0)
    }
}
