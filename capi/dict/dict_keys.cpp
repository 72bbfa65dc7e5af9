// Choosing, renaming and joining keys.
#include "capi/convert.h"
#include "core/dict/change/rename.h"
#include "core/dict/select.h"
#include "core/dict/shape/flatten_keys.h"

using namespace td::capi;

td_status td_dict_rename_key_(td_dict* self, const td_key* old_key, const td_key* new_key, td_bool safe,
                              td_error** err) noexcept {
  return guard(err, [&] { td::rename(ref(self), KeyArg(old_key), KeyArg(new_key), safe != 0); });
}

td_status td_dict_select(const td_dict* self, const td_key* keys, size_t n, td_bool strict, td_dict** out_dict,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::select(ref(self), paths(keys, n, "keys"), strict != 0)); });
}

td_status td_dict_select_(td_dict* self, const td_key* keys, size_t n, td_bool strict, td_error** err) noexcept {
  return guard(err, [&] { td::select_in_place(ref(self), paths(keys, n, "keys"), strict != 0); });
}

td_status td_dict_exclude(const td_dict* self, const td_key* keys, size_t n, td_dict** out_dict,
                          td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::exclude(ref(self), paths(keys, n, "keys"))); });
}

td_status td_dict_exclude_(td_dict* self, const td_key* keys, size_t n, td_error** err) noexcept {
  return guard(err, [&] { td::exclude_in_place(ref(self), paths(keys, n, "keys")); });
}

namespace {

using KeySets = std::vector<std::vector<td::Path>>;

KeySets key_sets(const td_key_set* sets, size_t n) {
  KeySets keys;
  for (size_t i = 0; i < n; ++i) keys.push_back(paths(sets[i].keys, sets[i].n, "the keys of a set"));
  return keys;
}

td_status split(const td_dict* self, const td_key_set* sets, size_t n, td_dict** outs, td_error** err,
                c10::function_ref<void(td::SplitOptions&)> choose) {
  return guard(err, [&] {
    if ((n > 0 && !sets) || !outs) throw_null("sets or outs");
    td::SplitOptions options;
    choose(options);
    std::vector<td::NodePtr> parts = td::split_keys(ref(self), key_sets(sets, n), options);
    for (size_t i = 0; i < parts.size(); ++i) outs[i] = own<td_dict>(std::move(parts[i]));
  });
}

}  // namespace

td_status td_dict_split_keys(const td_dict* self, const td_key_set* sets, size_t n,
                             const td_split_options* given_options, td_dict** outs, td_error** err) noexcept {
  return split(self, sets, n, outs, err, [&](td::SplitOptions& how) {
    td_split_options o = options(given_options);
    how.strict = o.lenient == 0;
    how.structure = o.reproduce_struct != 0;
    if (o.fill) how.fill = tensor(o.fill);
    if (o.names) how.names = key_sets(o.names, n);
  });
}

td_status td_dict_empty(const td_dict* self, td_bool recurse, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::emptied(ref(self), recurse != 0)); });
}

td_bool td_dict_is_empty(const td_dict* self) noexcept {
  return guard_value<td_bool>(1, [&] { return td::is_empty(ref(self)); });
}

td_status td_dict_filter_empty_(td_dict* self, td_error** err) noexcept {
  return guard(err, [&] { td::filter_empty(ref(self)); });
}

td_status td_dict_flatten_keys(const td_dict* self, td_str separator, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    std::string_view joint = given(separator) ? text(separator, "separator") : ".";
    td::check_utf8(joint, "separator");
    give(out_dict, td::flatten_keys(ref(self), joint));
  });
}

td_status td_dict_unflatten_keys(const td_dict* self, td_str separator, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    std::string_view joint = given(separator) ? text(separator, "separator") : ".";
    td::check_utf8(joint, "separator");
    give(out_dict, td::unflatten_keys(ref(self), joint));
  });
}
