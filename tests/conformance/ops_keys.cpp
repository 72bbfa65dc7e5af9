// Choosing and renaming keys, names of dims, batch sizes.
#include "ops.h"

namespace conformance {
namespace {

void split_keys(Program &p) {
  std::vector<std::vector<td_key>> held;
  for (const json::value &one : p.at("sets").as_array()) held.push_back(p.keys(one));
  std::vector<td_key_set> sets;
  for (const std::vector<td_key> &keys : held) sets.push_back({keys.data(), keys.size()});
  std::vector<td_dict *> outs(sets.size() + 1, nullptr);
  td_split_options options = TD_SPLIT_OPTIONS_INIT;
  options.lenient = !p.flag("strict", true);
  call(td_dict_split_keys, p.dict(), sets.data(), sets.size(), &options, outs.data());
  for (size_t i = 0; i < outs.size(); ++i) p.put_at("." + std::to_string(i), own(outs[i]));
}

void separates(Program &p) {
  td_separate_options options = TD_SEPARATE_OPTIONS_INIT;
  options.lenient = !p.flag("strict", true);
  options.keep_empty = p.flag("keep_empty");
  options.fill = p.find("fill") ? p.tensor("fill") : nullptr;
  auto keys = p.keys(p.at("keys"));
  p.put(made<td_dict>(td_dict_separate, p.dict(), keys.data(), keys.size(), &options));
}

void rename_names(Program &p) {
  std::vector<td_str> from, to;
  for (const auto &pair : p.at("map").as_object()) {
    from.push_back(p.str(json::string(pair.key())));
    to.push_back(pair.value().is_null() ? td_str{nullptr, 0} : p.str(pair.value()));
  }
  call(td_dict_rename_names, p.dict(), from.data(), to.data(), from.size());
}

td_str separator(Program &p) {
  return p.find("separator") ? p.str(p.at("separator")) : td_str{nullptr, 0};
}

const NamedOperation kOperations[] = {
    {"rename_key",
     [](Program &p) { call(td_dict_rename_key_, p.dict(), p.key("old"), p.key("new"), td_bool(p.flag("safe"))); }},
    {"select",
     [](Program &p) {
       auto keys = p.keys(p.at("keys"));
       p.put(made<td_dict>(td_dict_select, p.dict(), keys.data(), keys.size(), td_bool(p.flag("strict", true))));
     }},
    {"select_",
     [](Program &p) {
       auto keys = p.keys(p.at("keys"));
       call(td_dict_select_, p.dict(), keys.data(), keys.size(), td_bool(p.flag("strict", true)));
     }},
    {"exclude",
     [](Program &p) {
       auto keys = p.keys(p.at("keys"));
       p.put(made<td_dict>(td_dict_exclude, p.dict(), keys.data(), keys.size()));
     }},
    {"exclude_",
     [](Program &p) {
       auto keys = p.keys(p.at("keys"));
       call(td_dict_exclude_, p.dict(), keys.data(), keys.size());
     }},
    {"split_keys", split_keys},
    {"separates", separates},
    {"empty", [](Program &p) { p.put(made<td_dict>(td_dict_empty, p.dict(), td_bool(p.flag("recurse")))); }},
    {"filter_data", [](Program &p) { p.put(made<td_dict>(td_dict_filter_non_tensor_data, p.dict())); }},
    {"filter_empty_", [](Program &p) { call(td_dict_filter_empty_, p.dict()); }},
    {"flatten_keys", [](Program &p) { p.put(made<td_dict>(td_dict_flatten_keys, p.dict(), separator(p))); }},
    {"unflatten_keys", [](Program &p) { p.put(made<td_dict>(td_dict_unflatten_keys, p.dict(), separator(p))); }},
    {"set_batch_size",
     [](Program &p) {
       auto batch = p.ints("batch");
       call(td_dict_set_batch_size, p.dict(), batch.data(), batch.size());
     }},
    {"auto_batch_size",
     [](Program &p) {
       const bool limited = p.find("limit") && !p.at("limit").is_null();
       call(td_dict_auto_batch_size_, p.dict(), limited ? p.integer("limit") : int64_t{-1});
     }},
    {"set_names",
     [](Program &p) {
       auto names = p.names(p.at("names"));
       call(td_dict_set_names, p.dict(), names.data(), names.size());
     }},
    {"refine_names",
     [](Program &p) {
       auto names = p.names(p.at("names"));
       call(td_dict_refine_names, p.dict(), names.data(), names.size());
     }},
    {"rename_names", rename_names},
};

}  // namespace

Operations keys_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
