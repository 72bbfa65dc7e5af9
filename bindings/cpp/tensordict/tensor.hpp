// Tensors: one reference to a LibTorch tensor, with shared storage, any strides and autograd.
//
//     Tensor x = Tensor::of({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3});
//     Tensor y = (x * 2).op("softmax", -1);
//     for (float v : y.view<float>()) std::cout << v << "\n";
#ifndef TENSORDICT_TENSOR_HPP
#define TENSORDICT_TENSOR_HPP

#include <ostream>

#include "format.hpp"
#include "generator.hpp"
#include "index.hpp"
#include "value.hpp"
#include "view.hpp"

struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace tensordict {

// Where and of what a new tensor is made.
struct TensorOptions {
  DType dtype = DType::none;  // float32
  std::string device = {};    // "cpu"
};

class Tensor : public Handle<Tensor, td_tensor, td_tensor_retain, td_tensor_release> {
 public:
  explicit Tensor(Adopted raw) noexcept : Handle(raw) {}

  // Copies of values, row-major; without a shape they are one dim.
  template <class T>
  static Tensor of(std::initializer_list<T> values) {
    return of(values, {static_cast<std::int64_t>(values.size())});
  }
  template <class T>
  static Tensor of(std::initializer_list<T> values, Ints shape) {
    return copied(values.begin(), values.size(), shape);
  }
  template <class C, class T = typename C::value_type>
  static Tensor of(const C& values) {
    return of(values, {static_cast<std::int64_t>(values.size())});
  }
  template <class C, class T = typename C::value_type>
  static Tensor of(const C& values, Ints shape) {
    return copied(static_cast<const T*>(values.data()), values.size(), shape);
  }
  // A tensor without dims.
  template <class T>
  static Tensor scalar(T value) {
    return copied(&value, 1, {});
  }
  // Takes the vector over: nothing is copied.
  template <class T>
  static Tensor from(std::vector<T>&& values, Ints shape) {
    check_count(values.size(), shape);
    auto* owner = new std::vector<T>(std::move(values));
    return from_raw(owner->data(), dtype_of<T>, shape, {}, detail::destroy<std::vector<T>>, owner);
  }
  // A view of memory that stays the caller's: `release()` is called when the last tensor on it is gone, on any thread.
  template <class T, class F>
  static Tensor from_memory(T* data, Ints shape, F release, Ints strides = {}) {
    static_assert(!std::is_const_v<T>, "tensors can be written: copy what is const");
    return from_raw(data, dtype_of<T>, shape, strides, run_and_destroy<F>, detail::keep(std::move(release)));
  }
  // The same without knowing T; `release` may be nullptr for memory that outlives all of its use.
  static Tensor from_raw(void* data, DType dtype, Ints shape, Ints strides, td_release_fn release, void* owner) {
    if (strides.size() != 0 && strides.size() != shape.size()) {
      if (release) release(owner);
      throw ShapeError("there is not one stride for each dim");
    }
    return detail::made<Tensor>(td_tensor_from_memory, data, detail::raw(dtype), shape.data(), shape.size(),
                                strides.size() ? strides.data() : nullptr, release, owner);
  }
  static Tensor copy_of(const void* data, DType dtype, Ints shape) {
    return detail::made<Tensor>(td_tensor_copy_from, data, detail::raw(dtype), shape.data(), shape.size());
  }

  static Tensor empty(Ints shape, const TensorOptions& options = {}) { return fresh(td_tensor_empty, shape, options); }
  static Tensor zeros(Ints shape, const TensorOptions& options = {}) { return fresh(td_tensor_zeros, shape, options); }
  static Tensor full(Ints shape, Number value, const TensorOptions& options = {}) {
    return detail::made<Tensor>(td_tensor_full, shape.data(), shape.size(), value, detail::raw(options.dtype),
                                device(options));
  }
  static Tensor ones(Ints shape, const TensorOptions& options = {}) { return full(shape, 1, options); }
  static Tensor randn(Ints shape, const TensorOptions& options = {}, WithGenerator generator = {}) {
    return detail::made<Tensor>(td_tensor_randn, shape.data(), shape.size(), detail::raw(options.dtype),
                                device(options), generator.get());
  }

  // Files of nothing but the elements of a tensor, open to be written; or the front of such a file.
  static Tensor memmap_zeros(std::string_view path, Ints shape, DType dtype, const SaveOptions& options = {}) {
    const detail::RawSaveOptions raw(options);
    return detail::made<Tensor>(td_tensor_memmap_zeros, detail::str(path), shape.data(), shape.size(),
                                detail::raw(dtype), raw.get());
  }
  static Tensor memmap_full(std::string_view path, Ints shape, Number value, DType dtype,
                            const SaveOptions& options = {}) {
    const detail::RawSaveOptions raw(options);
    return detail::made<Tensor>(td_tensor_memmap_full, detail::str(path), shape.data(), shape.size(), value,
                                detail::raw(dtype), raw.get());
  }
  static Tensor memmap_open(std::string_view path, Ints shape, DType dtype, Mode mode = Mode::read) {
    return detail::made<Tensor>(td_tensor_memmap_open, detail::str(path), shape.data(), shape.size(),
                                detail::raw(dtype), static_cast<td_open_mode>(mode));
  }
  // A copy in such a file.
  Tensor memmap(std::string_view path, const SaveOptions& options = {}) const {
    const detail::RawSaveOptions raw(options);
    return detail::made<Tensor>(td_tensor_memmap_from, get(), detail::str(path), raw.get());
  }
  // Of the file whose elements these are; empty if there is none.
  std::optional<std::string> saved_path() const { return detail::maybe_text_of(td_tensor_saved_path, get()); }

  std::size_t ndim() const noexcept { return td_tensor_ndim(get()); }
  Shape shape() const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_tensor_shape(get(), out, n); });
  }
  Shape strides() const {
    return detail::sizes_of([&](std::int64_t* out, std::size_t n) { return td_tensor_strides(get(), out, n); });
  }
  // Of one dim; negative ones count from the end.
  std::int64_t size(std::int64_t dim) const {
    const Shape all = shape();
    const std::int64_t n = static_cast<std::int64_t>(all.size()), at = dim < 0 ? dim + n : dim;
    if (at < 0 || at >= n) throw IndexError("there is no such dim: " + std::to_string(dim));
    return all[static_cast<std::size_t>(at)];
  }
  std::int64_t numel() const noexcept { return td_tensor_numel(get()); }
  std::int64_t itemsize() const noexcept { return td_tensor_itemsize(get()); }
  std::int64_t nbytes() const noexcept { return td_tensor_nbytes(get()); }
  DType dtype() const noexcept { return static_cast<DType>(td_tensor_dtype(get())); }
  // dtype(), unless this LibTorch lacks the dtype that was opened and the tensor shows its bytes.
  DType stored_dtype() const noexcept { return static_cast<DType>(td_tensor_stored_dtype(get())); }
  std::string device() const { return std::string(detail::view(td_tensor_device(get()))); }
  // All of this in one call; what it points to lives as long as the tensor.
  td_tensor_facts info() const {
    td_tensor_facts facts = TD_TENSOR_FACTS_INIT;
    detail::call(td_tensor_info, get(), &facts);
    return facts;
  }
  bool is_contiguous() const noexcept { return td_tensor_is_contiguous(get()); }
  bool is_read_only() const noexcept { return td_tensor_is_read_only(get()); }
  bool is_shared() const noexcept { return td_tensor_is_shared(get()); }

  // The first element in this process's memory; lives as long as the tensor.
  const void* data() const { return detail::got<const void*>(td_tensor_data, get()); }
  void* mutable_data() { return detail::got<void*>(td_tensor_mutable_data, get()); }

  // The elements where they lie; DTypeError unless they are T. The view keeps the memory alive.
  template <class T>
  View<const T> view() const {
    need(dtype_of<T>);
    return View<const T>(static_cast<const T*>(data()), shape(), strides(), keeper());
  }
  template <class T>
  View<T> mutable_view() {
    need(dtype_of<T>);
    return View<T>(static_cast<T*>(mutable_data()), shape(), strides(), keeper());
  }
  // A copy of the elements, row-major.
  template <class T>
  std::vector<T> to_vector() const {
    const Tensor rows = contiguous();
    const View<const T> all = rows.view<T>();
    return std::vector<T>(all.data(), all.data() + rows.numel());
  }

  // The value of a tensor with one element: an integer, a real number or a truth value.
  Result item() const {
    detail::Outputs out(1);
    detail::call(td_tensor_item, get(), out.data());
    return Result::adopt(out.take(0));
  }
  template <class T>
  T item() const {
    const Result value = item();
    if constexpr (std::is_same_v<T, bool>) return value.kind() == TD_VALUE_BOOL ? value.boolean() : value.real() != 0;
    if (value.kind() == TD_VALUE_BOOL) return static_cast<T>(value.boolean());
    return value.kind() == TD_VALUE_INT ? static_cast<T>(value.integer()) : static_cast<T>(value.real());
  }

  // The text that Python's repr gives; `<<` writes it too.
  std::string repr() const { return detail::text_of(td_tensor_repr, get()); }

  Tensor clone() const { return detail::made<Tensor>(td_tensor_clone, get()); }
  Tensor contiguous() const { return detail::made<Tensor>(td_tensor_contiguous, get()); }
  Tensor to(DType dtype, std::string_view device = {}) const {
    return detail::made<Tensor>(td_tensor_to, get(), detail::raw(dtype), detail::optional_str(device));
  }
  Tensor to(std::string_view device) const { return to(DType::none, device); }
  // Copies `source` into this memory, with broadcasting and a cast.
  void copy_(const Tensor& source) { detail::call(td_tensor_copy_, get(), source.get()); }

  // Calls an operator of ATen by name, with this tensor first: `x.op("softmax", -1)`. For one that gives something else
  // than one tensor, see Op.
  template <class... A>
  Tensor op(std::string_view name, const A&... arguments) const;

  // x[0], x[slice(2, 5)], x[mask]; several components as `x.index({0, newdim, slice(1, to_end, 2)})`.
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  Tensor operator[](I i) const {
    return index({Index(i)});
  }
  Tensor operator[](const Index& i) const { return index({i}); }
  Tensor index(Indices indices) const;
  // Copies `value` there, with broadcasting and a cast.
  void set_at(Indices indices, const Tensor& value);

  Tensor expand_right(Ints shape) const {
    return detail::made<Tensor>(td_tensor_expand_right, get(), shape.data(), shape.size());
  }
  Tensor expand_as_right(const Tensor& other) const {
    return detail::made<Tensor>(td_tensor_expand_as_right, get(), other.get());
  }

  // Exchange with other libraries, without a copy: the receiver calls the struct's deleter once. See dlpack.hpp.
  DLManagedTensorVersioned* to_dlpack() const {
    return detail::got<DLManagedTensorVersioned*>(td_tensor_to_dlpack, get());
  }
  DLManagedTensor* to_dlpack_unversioned() const {
    return detail::got<DLManagedTensor*>(td_tensor_to_dlpack_unversioned, get());
  }
  static Tensor from_dlpack(DLManagedTensorVersioned* managed) {
    return detail::made<Tensor>(td_tensor_from_dlpack, managed);
  }
  static Tensor from_dlpack_unversioned(DLManagedTensor* managed) {
    return detail::made<Tensor>(td_tensor_from_dlpack_unversioned, managed);
  }

  bool requires_grad() const noexcept { return td_tensor_requires_grad(get()); }
  Tensor& requires_grad_(bool on = true) {
    detail::call(td_tensor_requires_grad_, get(), static_cast<td_bool>(on));
    return *this;
  }
  void backward(bool retain_graph = false) const {
    detail::call(td_tensor_backward, get(), nullptr, static_cast<td_bool>(retain_graph));
  }
  void backward(const Tensor& gradient, bool retain_graph = false) const {
    detail::call(td_tensor_backward, get(), gradient.get(), static_cast<td_bool>(retain_graph));
  }
  std::optional<Tensor> grad() const { return detail::maybe_made<Tensor>(td_tensor_grad, get()); }
  Tensor detach() const { return detail::made<Tensor>(td_tensor_detach, get()); }

 private:
  static td_str device(const TensorOptions& options) noexcept { return detail::optional_str(options.device); }
  template <class F>
  static Tensor fresh(F function, Ints shape, const TensorOptions& options) {
    return detail::made<Tensor>(function, shape.data(), shape.size(), detail::raw(options.dtype), device(options));
  }
  template <class T>
  static Tensor copied(const T* data, std::size_t n, Ints shape) {
    check_count(n, shape);
    return copy_of(data, dtype_of<T>, shape);
  }
  static void check_count(std::size_t n, Ints shape) {
    std::size_t wanted = 1;
    for (std::int64_t size : shape)
      if (size == 0) wanted = 0;
    for (std::int64_t size : shape)
      if (wanted <= n) wanted *= static_cast<std::size_t>(size);
    if (wanted != n)
      throw ShapeError("the shape does not have " + std::to_string(n) + " elements, which is how many were given");
  }
  template <class F>
  static void run_and_destroy(void* userdata) noexcept {
    const std::unique_ptr<F> release(static_cast<F*>(userdata));
    (*release)();
  }
  void need(DType wanted) const {
    if (dtype() != wanted)
      throw DTypeError("the elements are of dtype number " + std::to_string(static_cast<int>(dtype())) + ", not " +
                       std::to_string(static_cast<int>(wanted)));
  }
  std::shared_ptr<const void> keeper() const {
    td_tensor_retain(get());
    return std::shared_ptr<const void>(get(),
                                       [](const void* raw) { td_tensor_release(static_cast<const td_tensor*>(raw)); });
  }
};

// The dtype called "float32" or "torch.float32"; DTypeError if there is none.
inline DType dtype_named(std::string_view name) {
  return static_cast<DType>(detail::got<td_dtype>(td_dtype_from_name, detail::str(name)));
}

inline Tensor Generator::state() const {
  return detail::made<Tensor>(td_generator_state, get());
}
inline void Generator::load_state(const Tensor& state) {
  detail::call(td_generator_load_state, get(), state.get());
}

inline std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  return out << tensor.repr();
}

}  // namespace tensordict

#endif
