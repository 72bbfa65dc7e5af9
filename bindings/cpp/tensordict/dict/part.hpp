// What the parts of Dict share. A part is a base class that brings the functions of one chapter, and has no members.
#ifndef TENSORDICT_DICT_PART_HPP
#define TENSORDICT_DICT_PART_HPP

#include "../tensor_list.hpp"

namespace tensordict {

class Dict;

namespace detail {

// D is Dict, P the part.
template <class D, class P>
class DictPart {
 protected:
  td_dict* self() const noexcept { return static_cast<const D*>(static_cast<const P*>(this))->get(); }

  // `function(self, arguments..., &out, &err)`, which gives a dict.
  template <class F, class... A>
  D made(F function, A... arguments) const {
    return detail::made<D>(function, self(), arguments...);
  }
  // `function(self, arguments..., &err)`, and this dict again, for one more call.
  template <class F, class... A>
  D& done(F function, A... arguments) {
    detail::call(function, self(), arguments...);
    return *static_cast<D*>(static_cast<P*>(this));
  }
};

// A truth value as tensordict.h has it.
inline td_bool raw(bool truth) noexcept {
  return static_cast<td_bool>(truth);
}

}  // namespace detail
}  // namespace tensordict

#endif
