// A part of Dict: changing many entries at once; every change is made, or none.
#ifndef TENSORDICT_DICT_UPDATE_HPP
#define TENSORDICT_DICT_UPDATE_HPP

#include "part.hpp"

namespace tensordict {

struct UpdateOptions {
  bool inplace = false;            // copy into tensors that exist, which a locked dict allows; new keys are set
  bool clone = false;              // what is stored is a copy
  bool update_batch_size = false;  // a source of another batch size replaces all, if it has every key there is
  std::vector<Key> keys = {};      // only these entries of the source; none: all
};

template <class D>
class DictUpdate : public detail::DictPart<D, DictUpdate<D>> {
  using Part = detail::DictPart<D, DictUpdate<D>>;
  using Part::done, Part::made, Part::self;
  using Key_ = detail::KeyArgument;

 public:
  // Sets every entry of `source`. A node that both have stays and is updated in turn.
  D& update(const D& source) { return done(td_dict_update, source.get(), nullptr); }
  D& update(const D& source, const UpdateOptions& options) {
    td_dict_update_options raw = TD_DICT_UPDATE_OPTIONS_INIT;
    const KeyViews keys(options.keys);
    raw.inplace = options.inplace;
    raw.clone = options.clone;
    raw.update_batch_size = options.update_batch_size;
    raw.keys = keys.size() ? keys.data() : nullptr;
    raw.n_keys = keys.size();
    return done(td_dict_update, source.get(), &raw);
  }
  // Copies the values of `source` into the tensors under the same keys; allowed on a locked dict.
  D& update_values(const D& source) { return done(td_dict_update_, source.get()); }
  // A copy of this dict, updated with `source`.
  D replace(const D& source) const { return made(td_dict_replace, source.get()); }
  // Takes over the batch size, the names and the entries of `other`.
  D& become(const D& other) { return done(td_dict_become, other.get()); }

  // Write one value over the tensor under `key`, or over all tensors below it; zero over all tensors.
  D& fill_(const KeyView& key, Number value) { return done(td_dict_fill_, Key_(key), value); }
  D& zero_() { return done(td_dict_zero_); }

  // Join the tensors under `keys` along `dim`, or stack them along a new one, under `out_key`.
  D& cat_tensors(const KeyViews& keys, const KeyView& out_key, std::int64_t dim, bool keep_entries = false) {
    return done(td_dict_cat_tensors, keys.data(), keys.size(), Key_(out_key), dim, detail::raw(keep_entries));
  }
  D& stack_tensors(const KeyViews& keys, const KeyView& out_key, std::int64_t dim, bool keep_entries = false) {
    return done(td_dict_stack_tensors, keys.data(), keys.size(), Key_(out_key), dim, detail::raw(keep_entries));
  }
  // All tensors, nested ones too, as one.
  Tensor cat_leaves(std::int64_t dim, bool sorted = false) const {
    return detail::made<Tensor>(td_dict_cat_leaves, self(), dim, detail::raw(sorted));
  }
  Tensor stack_leaves(std::int64_t dim, bool sorted = false) const {
    return detail::made<Tensor>(td_dict_stack_leaves, self(), dim, detail::raw(sorted));
  }
};

}  // namespace tensordict

#endif
