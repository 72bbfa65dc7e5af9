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
};

namespace detail {

template <class D>
std::vector<D> dicts_in(const DictList& list) {
  std::vector<D> out;
  out.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) out.push_back(made<D>(td_dict_list_get, list.get(), i));
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
