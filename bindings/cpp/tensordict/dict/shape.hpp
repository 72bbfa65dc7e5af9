// A part of Dict: other shapes of the batch dims. Feature dims stay behind them, untouched. Negative dims count from the last
// batch dim. Results share memory with the dict, unless they say that they are copies.
#ifndef TENSORDICT_DICT_SHAPE_HPP
#define TENSORDICT_DICT_SHAPE_HPP

#include "list.hpp"

namespace tensordict {

struct NewTensorOptions {
  DType dtype = DType::none;  // none: that of each tensor of the dict
  bool requires_grad = false;
  std::string device = {};  // "": that of the data
};

template <class D>
class DictShape : public detail::DictPart<D, DictShape<D>> {
  using Part = detail::DictPart<D, DictShape<D>>;
  using Part::done, Part::made, Part::self;

 public:
  // -1 is a size in which the members of a lazy stack differ.
  Shape batch_size() const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_dict_batch_size(self(), out, n); });
  }
  D& set_batch_size(Ints sizes) { return done(td_dict_set_batch_size, sizes.data(), sizes.size()); }
  std::size_t batch_dims() const noexcept { return td_dict_batch_size(self(), nullptr, 0); }
  std::int64_t numel() const noexcept { return td_dict_numel(self()); }

  // view never copies, reshape copies the leaves whose strides leave no other way. One size may be -1.
  D view(Ints sizes) const { return made(td_dict_view, sizes.data(), sizes.size()); }
  D reshape(Ints sizes) const { return made(td_dict_reshape, sizes.data(), sizes.size()); }
  // One dim in place of the dims `start` to `last`, inclusive.
  D flatten(std::int64_t start = 0, std::int64_t last = -1) const { return made(td_dict_flatten, start, last); }
  D unflatten(std::int64_t dim, Ints sizes) const { return made(td_dict_unflatten, dim, sizes.data(), sizes.size()); }
  // Without dims: all batch dims of size 1.
  D squeeze(Ints dims = {}) const { return made(td_dict_squeeze, dims.data(), dims.size()); }
  D unsqueeze(std::int64_t dim) const { return made(td_dict_unsqueeze, dim); }
  D expand(Ints sizes) const { return made(td_dict_expand, sizes.data(), sizes.size()); }
  // To the shapes that the tensors of `other` have, features too.
  D expand_as(const D& other) const { return made(td_dict_expand_as, other.get()); }
  D permute(Ints dims) const { return made(td_dict_permute, dims.data(), dims.size()); }
  D transpose(std::int64_t dim0, std::int64_t dim1) const { return made(td_dict_transpose, dim0, dim1); }
  D movedim(Ints source, Ints destination) const {
    if (source.size() != destination.size()) throw ArgumentError("there is not one destination for each dim");
    return made(td_dict_movedim, source.data(), destination.data(), source.size());
  }
  D narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
    return made(td_dict_narrow, dim, start, length);
  }

  // Pieces of `size` elements, or of sizes that sum up to the dim's.
  std::vector<D> split(std::int64_t size, std::int64_t dim = 0) const {
    return detail::dicts_of<D>(td_dict_split, self(), size, dim);
  }
  std::vector<D> split_sizes(Ints sizes, std::int64_t dim = 0) const {
    return detail::dicts_of<D>(td_dict_split_sizes, self(), sizes.data(), sizes.size(), dim);
  }
  std::vector<D> chunk(std::int64_t chunks, std::int64_t dim = 0) const {
    return detail::dicts_of<D>(td_dict_chunk, self(), chunks, dim);
  }
  // Exactly `sections` pieces, or those between `indices`.
  std::vector<D> tensor_split(std::int64_t sections, std::int64_t dim = 0) const {
    return detail::dicts_of<D>(td_dict_tensor_split, self(), sections, dim);
  }
  std::vector<D> tensor_split_at(Ints indices, std::int64_t dim = 0) const {
    return detail::dicts_of<D>(td_dict_tensor_split_at, self(), indices.data(), indices.size(), dim);
  }
  std::vector<D> unbind(std::int64_t dim = 0) const { return detail::dicts_of<D>(td_dict_unbind, self(), dim); }

  // Copies.
  D repeat(Ints repeats) const { return made(td_dict_repeat, repeats.data(), repeats.size()); }
  D tile(Ints repeats) const { return made(td_dict_tile, repeats.data(), repeats.size()); }
  // One number for all elements of `dim`, or one for each.
  D repeat_interleave(Ints repeats, std::int64_t dim) const {
    return made(td_dict_repeat_interleave, repeats.data(), repeats.size(), dim);
  }
  D flip(Ints dims) const { return made(td_dict_flip, dims.data(), dims.size()); }
  // Without dims one shift applies to the batch as if it were flattened.
  D roll(Ints shifts, Ints dims = {}) const {
    return made(td_dict_roll, shifts.data(), shifts.size(), dims.data(), dims.size());
  }
  D rot90(std::int64_t times = 1, std::int64_t dim0 = 0, std::int64_t dim1 = 1) const {
    return made(td_dict_rot90, times, dim0, dim1);
  }

  // Row-major leaves: those that are so already are kept.
  D contiguous() const { return made(td_dict_contiguous); }
  bool is_contiguous() const noexcept { return td_dict_is_contiguous(self()); }
  // The longest batch size that all entries share; -1 is no limit of its dims.
  D& auto_batch_size_(std::int64_t limit = -1) { return done(td_dict_auto_batch_size_, limit); }

  // Dicts like this one, of another batch size: contents undefined, or one value in every tensor.
  D new_empty(Ints batch_size, DType dtype = DType::none) const {
    return made(td_dict_new_empty, batch_size.data(), batch_size.size(), detail::raw(dtype));
  }
  D new_full(Ints batch_size, Number value, DType dtype = DType::none) const {
    return made(td_dict_new_full, batch_size.data(), batch_size.size(), value, detail::raw(dtype));
  }
  D new_zeros(Ints batch_size, DType dtype = DType::none) const { return new_full(batch_size, 0, dtype); }
  D new_ones(Ints batch_size, DType dtype = DType::none) const { return new_full(batch_size, 1, dtype); }
  // Copies of `data` in the place of each tensor, or of the tensors of a dict under the same keys.
  D new_tensor(const Value& data, const NewTensorOptions& options = {}) const {
    td_new_tensor_options raw = TD_NEW_TENSOR_OPTIONS_INIT;
    raw.dtype = detail::raw(options.dtype);
    raw.requires_grad = options.requires_grad;
    raw.device = detail::optional_str(options.device);
    const td_value value = data.raw();
    return made(td_dict_new_tensor, &value, &raw);
  }

  // Names of the batch dims; an empty optional is a dim without a name.
  std::vector<std::optional<std::string>> names() const {
    std::vector<std::optional<std::string>> out;
    for (std::size_t dim = 0; dim < batch_dims(); ++dim)
      out.push_back(detail::maybe_text_of(td_dict_name, self(), static_cast<std::int64_t>(dim)));
    return out;
  }
  // No names at all take the names away.
  D& set_names(const Texts& names) { return done(td_dict_set_names, names.data(), names.size()); }
  D& refine_names(const Texts& names) { return done(td_dict_refine_names, names.data(), names.size()); }
  D& rename_names(const Texts& from, const Texts& to) {
    if (from.size() != to.size()) throw ArgumentError("there is not one new name for each");
    return done(td_dict_rename_names, from.data(), to.data(), from.size());
  }
};

}  // namespace tensordict

#endif
