// A part of Dict: choosing and renaming keys. New dicts hold the same tensors, and are not locked; a trailing underscore
// changes the dict itself, all or nothing.
#ifndef TENSORDICT_DICT_CHOOSE_HPP
#define TENSORDICT_DICT_CHOOSE_HPP

#include "part.hpp"

namespace tensordict {

struct SplitOptions {
  bool strict = true;                        // missing keys are refused; else left out, or filled
  bool reproduce_struct = false;             // every part has all nodes, also those that are empty then
  const Tensor* fill = nullptr;              // without `strict`: the tensor for missing keys
  std::vector<std::vector<Key>> names = {};  // what the entries of each part are called there; none: as before
};

struct SeparateOptions {
  bool strict = true;            // missing keys are refused, unless they are filled
  bool keep_empty = false;       // nodes that nothing is left of stay
  const Tensor* fill = nullptr;  // what the new dict has for a missing key
};

template <class D>
class DictChoose : public detail::DictPart<D, DictChoose<D>> {
  using Part = detail::DictPart<D, DictChoose<D>>;
  using Part::done, Part::made, Part::self;
  using Key_ = detail::KeyArgument;

 public:
  // Moves an entry: to the end, or to the place of the one that it replaces; `safe` refuses a key that is taken.
  D& rename(const KeyView& old_key, const KeyView& new_key, bool safe = false) {
    return done(td_dict_rename_key_, Key_(old_key), Key_(new_key), detail::raw(safe));
  }

  D select(const KeyViews& keys, bool strict = true) const {
    return made(td_dict_select, keys.data(), keys.size(), detail::raw(strict));
  }
  D& select_(const KeyViews& keys, bool strict = true) {
    return done(td_dict_select_, keys.data(), keys.size(), detail::raw(strict));
  }
  D exclude(const KeyViews& keys) const { return made(td_dict_exclude, keys.data(), keys.size()); }
  D& exclude_(const KeyViews& keys) { return done(td_dict_exclude_, keys.data(), keys.size()); }
  // Removes the entries, and gives a dict of them.
  D separates(const KeyViews& keys, bool strict = true) {
    SeparateOptions options;
    options.strict = strict;
    return separates(keys, options);
  }
  D separates(const KeyViews& keys, const SeparateOptions& options) {
    td_separate_options raw = TD_SEPARATE_OPTIONS_INIT;
    raw.lenient = !options.strict;
    raw.keep_empty = options.keep_empty;
    raw.fill = options.fill ? options.fill->get() : nullptr;
    return made(td_dict_separate, keys.data(), keys.size(), &raw);
  }

  // One dict for each set of keys, and one for what is left.
  std::vector<D> split_keys(const std::vector<std::vector<Key>>& sets, bool strict = true) const {
    SplitOptions options;
    options.strict = strict;
    return split_keys(sets, options);
  }
  std::vector<D> split_keys(const std::vector<std::vector<Key>>& sets, const SplitOptions& options) const {
    if (!options.names.empty() && options.names.size() != sets.size())
      throw ArgumentError("there is not one set of names for each part");
    const Sets raw(sets), names(options.names);
    td_split_options raw_options = TD_SPLIT_OPTIONS_INIT;
    raw_options.lenient = !options.strict;
    raw_options.reproduce_struct = options.reproduce_struct;
    raw_options.fill = options.fill ? options.fill->get() : nullptr;
    raw_options.names = names.size() ? names.data() : nullptr;
    detail::NewHandles<D> out(sets.size() + 1);
    detail::call(td_dict_split_keys, self(), raw.data(), raw.size(), &raw_options, out.data());
    return out.take();
  }

  D filter_non_tensor_data() const { return made(td_dict_filter_non_tensor_data); }
  // Of the same batch size, device and names, without entries; `recurse` keeps the nodes.
  D empty(bool recurse = false) const { return made(td_dict_empty, detail::raw(recurse)); }
  // Whether there is nothing but nodes, at any depth.
  bool is_empty() const noexcept { return td_dict_is_empty(self()); }
  D& filter_empty_() { return done(td_dict_filter_empty_); }

  D flatten_keys(std::string_view separator = ".") const { return made(td_dict_flatten_keys, detail::str(separator)); }
  D unflatten_keys(std::string_view separator = ".") const {
    return made(td_dict_unflatten_keys, detail::str(separator));
  }

 private:
  class Sets {
   public:
    explicit Sets(const std::vector<std::vector<Key>>& sets) {
      for (const std::vector<Key>& set : sets) views_.emplace_back(set);
      for (const KeyViews& keys : views_) raws_.push_back(td_key_set{keys.data(), keys.size()});
    }
    const td_key_set* data() const noexcept { return raws_.data(); }
    std::size_t size() const noexcept { return raws_.size(); }

   private:
    std::vector<KeyViews> views_;
    std::vector<td_key_set> raws_;
  };
};

}  // namespace tensordict

#endif
