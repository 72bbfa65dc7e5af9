// A part of Module: the keys that it reads and writes, and members of sequences.
#ifndef TENSORDICT_MODULE_KEYS_HPP
#define TENSORDICT_MODULE_KEYS_HPP

#include "state.hpp"

namespace tensordict {

template <class D>
class ModuleKeys : public detail::ModulePart<D, ModuleKeys<D>> {
  using Part = detail::ModulePart<D, ModuleKeys<D>>;
  using Part::done, Part::self;

 public:
  Keys in_keys() const { return detail::made<Keys>(td_module_in_keys, self()); }
  Keys out_keys() const { return detail::made<Keys>(td_module_out_keys, self()); }
  // Without what select_out_keys has narrowed.
  Keys out_keys_source() const { return detail::made<Keys>(td_module_out_keys_source, self()); }
  D& select_out_keys(const KeyViews& keys) { return done(td_module_select_out_keys, keys.data(), keys.size()); }
  D& reset_out_keys() { return done(td_module_reset_out_keys); }

  // Members of a sequence, a chain or a list; negative indices count from the end.
  std::size_t size() const noexcept { return td_module_size(self()); }
  D member(std::int64_t index) const { return detail::made<D>(td_module_member, self(), index); }
  D operator[](std::int64_t index) const { return member(index); }
  // A new sequence of some of them.
  D slice(std::int64_t start, std::int64_t stop = TD_END, std::int64_t step = 1) const {
    return detail::made<D>(td_module_slice, self(), start, stop, step);
  }
  D& set_member(std::int64_t index, const D& member) { return done(td_module_set_member, index, member.get()); }
  D& delete_member(std::int64_t index) { return done(td_module_remove_member, index); }
  // A new sequence of the members that can run given `in_keys`, and that `out_keys` depend on; none stand for the
  // sequence's own keys.
  D select_subsequence(const std::optional<std::vector<Key>>& in_keys,
                       const std::optional<std::vector<Key>>& out_keys) const {
    static const td_key none{nullptr, 0};
    const KeyViews in = in_keys ? KeyViews(*in_keys) : KeyViews(), out = out_keys ? KeyViews(*out_keys) : KeyViews();
    const auto given = [](const auto& keys, const KeyViews& views) {
      return !keys ? nullptr : views.size() ? views.data() : &none;
    };
    return detail::made<D>(td_module_select_subsequence, self(), given(in_keys, in), in.size(), given(out_keys, out),
                           out.size());
  }
};

}  // namespace tensordict

#endif
