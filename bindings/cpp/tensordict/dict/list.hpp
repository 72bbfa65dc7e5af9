// Lists of dicts: pieces of one, and members of a stack.
#ifndef TENSORDICT_DICT_LIST_HPP
#define TENSORDICT_DICT_LIST_HPP

#include "part.hpp"

namespace tensordict {

// Immutable. Functions here give a std::vector of dicts; this is what tensordict.h gives.
class DictList : public Handle<DictList, td_dict_list, td_dict_list_retain, td_dict_list_release> {
 public:
  explicit DictList(Adopted raw) noexcept : Handle(raw) {}
  std::size_t size() const noexcept { return td_dict_list_size(get()); }
  template <class D>
  D at(std::size_t i) const {
    return detail::made<D>(td_dict_list_get, get(), i);
  }
};

namespace detail {

template <class D>
std::vector<D> dicts_in(const DictList& list) {
  td_dict* const* dicts = nullptr;
  std::size_t n = 0;
  call(td_dict_list_view, list.get(), &dicts, &n);
  std::vector<D> out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) out.push_back(D::borrow(dicts[i]));
  return out;
}

// A function whose last output is a list of dicts.
template <class D, class F, class... A>
std::vector<D> dicts_of(F function, A... arguments) {
  return dicts_in<D>(made<DictList>(function, arguments...));
}

}  // namespace detail
}  // namespace tensordict

#endif
