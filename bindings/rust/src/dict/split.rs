//! Pieces of a dict.
use super::{Dict, DictList, Node};
use crate::Result;

fn pieces(list: Result<DictList>) -> Result<Vec<Dict>> {
    list?.take_apart()
}

impl Node {
    /// Pieces of `size` elements of `dim`, of which the last may be shorter. Errors: Index; Argument.
    pub fn split(&self, size: i64, dim: i64) -> Result<Vec<Dict>> {
        pieces(made!(td_dict_split(self.as_raw(), size, dim)))
    }

    /// Pieces of sizes that sum up to the dim's. Errors: Index; Argument; Shape.
    pub fn split_sizes(&self, sizes: &[i64], dim: i64) -> Result<Vec<Dict>> {
        pieces(made!(td_dict_split_sizes(self.as_raw(), sizes.as_ptr(), sizes.len(), dim)))
    }

    /// `chunks` pieces of `dim`, or fewer. Errors: Index; Argument.
    pub fn chunk(&self, chunks: i64, dim: i64) -> Result<Vec<Dict>> {
        pieces(made!(td_dict_chunk(self.as_raw(), chunks, dim)))
    }

    /// Exactly `sections` pieces of `dim`, whose sizes differ by 1 at most. Errors: Index; Argument.
    pub fn tensor_split(&self, sections: i64, dim: i64) -> Result<Vec<Dict>> {
        pieces(made!(td_dict_tensor_split(self.as_raw(), sections, dim)))
    }

    /// The pieces between `indices`, one more than them. Errors: Index.
    pub fn tensor_split_at(&self, indices: &[i64], dim: i64) -> Result<Vec<Dict>> {
        pieces(made!(td_dict_tensor_split_at(self.as_raw(), indices.as_ptr(), indices.len(), dim)))
    }

    /// The elements of `dim`, without it. Errors: Index.
    pub fn unbind(&self, dim: i64) -> Result<Vec<Dict>> {
        pieces(made!(td_dict_unbind(self.as_raw(), dim)))
    }
}
