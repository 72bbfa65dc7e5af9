// Running modules on dicts and on values.
#include <algorithm>

#include "modules.h"

namespace {

using namespace vectors;  // NOLINT: a test

void check_same_set(KeyList got, KeyList expected, const std::string &what) {
  auto order = [](const Key &a, const Key &b) { return a.text() < b.text(); };
  std::sort(got.begin(), got.end(), order);
  std::sort(expected.begin(), expected.end(), order);
  check_keys(got, expected, what);
}

std::vector<Own<td_tensor>> dispatched(const td_module *m, const std::vector<td_value> &args,
                                       const std::vector<td_named_value> &kwargs, Err &err, td_status &status) {
  td_value outs[8];
  size_t n = 0;
  status = td_module_dispatch(m, args.data(), args.size(), kwargs.data(), kwargs.size(), TD_NO_STR, outs, 8, &n, err);
  std::vector<Own<td_tensor>> results;
  for (size_t i = 0; i < n; ++i) {
    check(outs[i].kind == TD_VALUE_TENSOR, "an output is no tensor");
    results.emplace_back(outs[i].as.tensor);
  }
  return results;
}

void run_module(const Object &v) {
  Own<td_module> m = keyed(v.at("module").as_object());
  Err err;
  if (v.contains("select")) {
    KeyList keys = keys_of(v.at("select"));
    std::vector<td_key> chosen = raw(keys);
    must(td_module_select_out_keys(m.get(), chosen.data(), chosen.size(), err), err, "select_out_keys");
  }
  Own<td_dict> data = dict_of(keys_of(v.at("input_keys")));
  td_dict *result;
  must(td_module_run(m.get(), data.get(), nullptr, &result, err), err, "run");
  Own<td_dict> hold(result);
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  if (v.contains("same_object")) check((result == data.get()) == v.at("same_object").as_bool(), "the same object");
  if (!v.contains("dispatch_value")) return;
  td_status status;
  std::vector<td_value> args = {td_value_double(0), td_value_double(1)};
  auto outs = dispatched(m.get(), args, {}, err, status);
  must(status, err, "dispatch");
  check(outs.size() == 1, "one value is dispatched");
  check_values(outs[0].get(), v.at("dispatch_value"), 1e-6, "the dispatched value");
}

// [a->b, b->c] with inplace=False.
void run_sequence_to_new_dict(const Object &v) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.inplace = TD_INPLACE_FALSE;
  Own<td_module> s = sequence(json::parse(R"([{"in": ["a"], "out": ["b"]}, {"in": ["b"], "out": ["c"]}])"), &options);
  Err err;
  td_dict *data_handle, *result;
  must(td_dict_new(TD_SHAPE(3), nullptr, &data_handle, err), err, "a dict");
  Own<td_dict> data(data_handle);
  Own<td_tensor> a = tensor(json::parse("[0, 1, 2]"), TD_DTYPE_FLOAT32);
  must(td_dict_set(data_handle, TD_KEY("a"), a.get(), err), err, "a");
  must(td_module_run(s.get(), data_handle, nullptr, &result, err), err, "run");
  Own<td_dict> hold(result);
  check(result != data_handle, "another dict");
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  check_same_set(leaf_keys(data_handle), keys_of(v.at("input_keys_after")), "the keys of the input");
  check(td_dict_batch_size(result, nullptr, 0) == v.at("output_batch_size").as_array().size(), "the batch size");
}

td_inplace inplace_of(const Object &v) {
  if (!v.contains("inplace") || v.at("inplace").is_null()) return TD_INPLACE_NONE;
  const json::value &given = v.at("inplace");
  if (given.is_string()) return TD_INPLACE_EMPTY;
  return given.as_bool() ? TD_INPLACE_TRUE : TD_INPLACE_FALSE;
}

// "lazy": the keys of each member of a lazy stack; "members": those that it has afterwards.
Own<td_dict> lazy_of(const json::value &members) {
  std::vector<Own<td_dict>> dicts;
  std::vector<td_dict *> handles;
  for (const json::value &keys : members.as_array()) {
    dicts.push_back(dict_of(keys_of(keys)));
    handles.push_back(dicts.back().get());
  }
  Err err;
  td_dict *stack;
  must(td_dict_lazy_stack(handles.data(), handles.size(), 0, &stack, err), err, "a lazy stack");
  return Own<td_dict>(stack);
}

void check_members_of(const td_dict *stack, const json::array &expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    Err err;
    td_dict *one;
    td_index index = TD_INT(static_cast<int64_t>(i));
    must(td_dict_index(stack, &index, 1, &one, err), err, "a member");
    check_same_set(leaf_keys(Own<td_dict>(one).get()), keys_of(expected[i]), "the keys of a member");
  }
}

// "part": the keys of select_subsequence.
Own<td_module> part_of(const td_module *whole, const Object &keys) {
  KeyList in, out;
  if (keys.contains("in_keys")) in = keys_of(keys.at("in_keys"));
  if (keys.contains("out_keys")) out = keys_of(keys.at("out_keys"));
  std::vector<td_key> raw_in = raw(in), raw_out = raw(out);
  Err err;
  td_module *part;
  must(td_module_select_subsequence(whole, raw_in.empty() ? nullptr : raw_in.data(), raw_in.size(),
                                    raw_out.empty() ? nullptr : raw_out.data(), raw_out.size(), &part, err),
       err, "the selection");
  return Own<td_module>(part);
}

// A sequence with options, or a part of it, on a dict of the "input_keys" or on a lazy stack.
void run_sequence(const Object &v) {
  td_sequential_options options = TD_SEQUENTIAL_OPTIONS_INIT;
  options.inplace = inplace_of(v);
  options.partial_tolerant = v.contains("partial_tolerant") && v.at("partial_tolerant").as_bool();
  KeyList selected = v.contains("select") ? keys_of(v.at("select")) : KeyList();
  std::vector<td_key> chosen = raw(selected);
  options.selected_out_keys = chosen.data();
  options.n_selected = chosen.size();
  Own<td_module> s = sequence(v.at("spec"), &options);
  if (v.contains("part")) s = part_of(s.get(), v.at("part").as_object());
  Own<td_dict> data = v.contains("lazy") ? lazy_of(v.at("lazy")) : dict_of(keys_of(v.at("input_keys")));
  Err err;
  td_dict *result;
  must(td_module_run(s.get(), data.get(), nullptr, &result, err), err, "run");
  Own<td_dict> hold(result);
  check((result == data.get()) == v.at("same_object").as_bool(), "the same object");
  if (v.contains("members")) return check_members_of(result, v.at("members").as_array());
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  check_same_set(leaf_keys(data.get()), keys_of(v.at("input_keys_after")), "the keys of the input");
  if (v.contains("values")) check_leaf_values(result, v.at("values").as_array(), 1e-6);
}

const Kind run("run", [](const Object &v) {
  if (v.contains("module")) return run_module(v);
  if (v.contains("spec")) return run_sequence(v);
  check(v.at("id").as_string() == "run.seq_inplace_false", "a vector of this kind that this program does not know");
  run_sequence_to_new_dict(v);
});

const Kind dispatch("dispatch", [](const Object &v) {
  Own<td_module> m = keyed(v.at("module").as_object());
  std::vector<td_value> args;
  std::vector<td_named_value> kwargs;
  std::vector<std::string> names;
  if (v.contains("args"))
    for (const json::value &a : v.at("args").as_array()) args.push_back(td_value_double(number(a)));
  if (v.contains("kwargs"))
    for (const auto &[name, a] : v.at("kwargs").as_object())
      kwargs.push_back({{name.data(), name.size()}, td_value_double(number(a))});
  Err err;
  td_status status;
  auto outs = dispatched(m.get(), args, kwargs, err, status);
  if (v.contains("error")) {
    refused(status, err, "dispatch");
    if (v.contains("message"))
      check(err.message().find(std::string(v.at("message").as_string())) != std::string::npos, err.message());
    return;
  }
  must(status, err, "dispatch");
  json::array expected = v.at("out").is_array() ? v.at("out").as_array() : json::array{v.at("out")};
  check(outs.size() == expected.size(), "the number of outputs");
  for (size_t i = 0; i < outs.size(); ++i) check_values(outs[i].get(), expected[i], 1e-6, "an output");
});

}  // namespace
