// Lists of tensors, and what tensors and values have to do with each other.
#ifndef TENSORDICT_TENSOR_LIST_HPP
#define TENSORDICT_TENSOR_LIST_HPP

#include "tensor.hpp"

namespace tensordict {

// Immutable. `to_vector` takes the tensors out, which is what most functions here give in the first place.
class TensorList : public Handle<TensorList, td_tensor_list, td_tensor_list_retain, td_tensor_list_release> {
 public:
  explicit TensorList(Adopted raw) noexcept : Handle(raw) {}

  std::size_t size() const noexcept { return td_tensor_list_size(get()); }
  Tensor operator[](std::size_t i) const { return detail::made<Tensor>(td_tensor_list_get, get(), i); }
  std::vector<Tensor> to_vector() const {
    td_tensor* const* tensors = nullptr;
    std::size_t n = 0;
    detail::call(td_tensor_list_view, get(), &tensors, &n);
    std::vector<Tensor> out;
    out.reserve(n);
    for (std::size_t i = 0; i < n; ++i) out.push_back(Tensor::borrow(tensors[i]));
    return out;
  }
};

using Tensors = detail::Borrowed<Tensor>;

// `return tensors(mean, variance);`
template <class... T>
std::vector<Tensor> tensors(T&&... each) {
  std::vector<Tensor> out;
  (out.push_back(std::forward<T>(each)), ...);
  return out;
}

inline Value::Value(const std::vector<Tensor>& tensors) : raw_(array(TD_VALUE_TENSORS, tensors.size())) {
  for (const Tensor& tensor : tensors) tensors_.push_back(tensor.get());
}

inline Value::Value(const std::vector<std::optional<Tensor>>& tensors) : raw_(array(TD_VALUE_TENSORS, tensors.size())) {
  for (const std::optional<Tensor>& tensor : tensors) tensors_.push_back(tensor ? tensor->get() : nullptr);
}

inline Tensor Result::tensor() const {
  return Tensor::borrow(need(TD_VALUE_TENSOR, "a tensor").tensor);
}

inline std::vector<Tensor> Result::tensors() const {
  return TensorList::borrow(need(TD_VALUE_TENSOR_LIST, "a list of tensors").list).to_vector();
}

namespace detail {

// Room for n new references, which are given back if something fails.
template <class H>
class NewHandles {
 public:
  explicit NewHandles(std::size_t n) : raws_(n, nullptr) {}
  NewHandles(const NewHandles&) = delete;
  ~NewHandles() {
    for (auto* raw : raws_)
      if (raw) H::adopt(raw);
  }
  typename H::Raw** data() noexcept { return raws_.data(); }
  // Those that are there.
  std::vector<H> take() {
    std::vector<H> out;
    out.reserve(raws_.size());
    for (auto*& raw : raws_)
      if (raw) out.push_back(H::adopt(std::exchange(raw, nullptr)));
    return out;
  }

 private:
  std::vector<typename H::Raw*> raws_;
};

}  // namespace detail
}  // namespace tensordict

#endif
