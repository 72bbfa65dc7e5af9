// Modules with keys as the vectors describe them; the keys of sequences and of their parts.
#include "modules.h"

namespace {

using namespace vectors;  // NOLINT: a test

// Output i is input i (of the n there are) plus n, as in the examples of the original.
td_status add_count(void *, td_tensor *const *inputs, size_t n, td_tensor **outputs, size_t n_outputs, td_error **err) {
  td_op *add;
  td_status s = td_op_find(TD_STR("add"), TD_STR("Scalar"), &add, err);
  for (size_t i = 0; i < n_outputs && s == TD_OK; ++i) {
    td_value args[] = {td_value_tensor(inputs[i % n]), td_value_int(static_cast<int64_t>(n))}, y;
    s = td_op_call(add, args, 2, nullptr, 0, &y, 1, err);
    if (s == TD_OK) outputs[i] = y.as.tensor;
  }
  td_op_release(add);
  return s;
}

}  // namespace

namespace vectors {

Own<td_module> keyed(const Object &spec) {
  Err err;
  td_module *inner, *out;
  must(td_module_from_function(TD_CALLBACKS(td_module_function, add_count, nullptr, nullptr), &inner, err), err,
       "a function");
  Own<td_module> hold(inner);
  KeyList in = keys_of(spec.at("in")), outs = keys_of(spec.at("out"));
  std::vector<td_key> raw_in = raw(in), raw_out = raw(outs);
  must(td_module_tensordict(inner, raw_in.data(), raw_in.size(), raw_out.data(), raw_out.size(), nullptr, &out, err),
       err, "a module");
  return Own<td_module>(out);
}

Own<td_module> sequence(const json::value &spec, const td_sequential_options *options) {
  std::vector<Own<td_module>> members;
  std::vector<td_module *> handles;
  for (const json::value &m : spec.as_array()) {
    const Object &o = m.as_object();
    members.push_back(o.contains("seq") ? sequence(o.at("seq")) : keyed(o));
    handles.push_back(members.back().get());
  }
  Err err;
  td_module *out;
  must(td_module_sequential(handles.data(), handles.size(), options, &out, err), err, "a sequence");
  return Own<td_module>(out);
}

KeyList in_keys(const td_module *m) {
  Err err;
  td_keys *keys;
  must(td_module_in_keys(m, &keys, err), err, "in_keys");
  return keys_of(Own<td_keys>(keys).get());
}

KeyList out_keys(const td_module *m) {
  Err err;
  td_keys *keys;
  must(td_module_out_keys(m, &keys, err), err, "out_keys");
  return keys_of(Own<td_keys>(keys).get());
}

Own<td_dict> dict_of(const KeyList &keys) {
  Err err;
  td_dict *d;
  must(td_dict_new(TD_NO_DIMS, nullptr, &d, err), err, "a dict");
  Own<td_dict> out(d);
  double value = 0;
  for (const Key &k : keys) {
    Own<td_tensor> t = tensor(json::value(value++), TD_DTYPE_FLOAT32);
    must(td_dict_set(d, k.get(), t.get(), err), err, k.text());
  }
  return out;
}

KeyList leaf_keys(const td_dict *d) {
  Err err;
  td_keys *keys;
  must(td_dict_keys(d, TD_KEYS_LEAVES | TD_KEYS_NESTED, &keys, err), err, "keys");
  return keys_of(Own<td_keys>(keys).get());
}

void check_leaf_values(const td_dict *d, const json::array &expected, double tolerance) {
  check(leaf_keys(d).size() == expected.size(), "there are " + std::to_string(leaf_keys(d).size()) + " leaves");
  for (const json::value &leaf : expected) {
    Key key(leaf.as_array()[0]);
    Err err;
    td_tensor *t;
    must(td_dict_get(d, key.get(), &t, err), err, key.text());
    check_values(Own<td_tensor>(t).get(), leaf.as_array()[1], tolerance, key.text());
  }
}

std::vector<td_module *> handles_of(const std::vector<Own<td_module>> &modules) {
  std::vector<td_module *> out;
  for (const auto &m : modules) out.push_back(m.get());
  return out;
}

void check_shape(const td_tensor *t, const json::value &expected, const std::string &what) {
  std::vector<int64_t> dims;
  for (const json::value &d : expected.as_array()) dims.push_back(d.as_int64());
  check(shape(t) == dims, "the shape of " + what);
}

}  // namespace vectors

namespace {

// The members have the keys of the spec, at every depth.
void check_members(const td_module *m, const json::array &spec) {
  check(td_module_size(m) == spec.size(), "there are " + std::to_string(td_module_size(m)) + " members");
  for (size_t i = 0; i < spec.size(); ++i) {
    Err err;
    td_module *member;
    must(td_module_member(m, static_cast<int64_t>(i), &member, err), err, "a member");
    Own<td_module> hold(member);
    const Object &o = spec[i].as_object();
    if (o.contains("seq")) {
      check_members(member, o.at("seq").as_array());
      continue;
    }
    check_keys(in_keys(member), keys_of(o.at("in")), "the in-keys of member " + std::to_string(i));
    check_keys(out_keys(member), keys_of(o.at("out")), "the out-keys of member " + std::to_string(i));
  }
}

const Kind seq_keys("seq_keys", [](const Object &v) {
  Own<td_module> s = sequence(v.at("spec"));
  check_keys(in_keys(s.get()), keys_of(v.at("in_keys")), "the in-keys");
  check_keys(out_keys(s.get()), keys_of(v.at("out_keys")), "the out-keys");
});

const Kind select_subsequence("select_subsequence", [](const Object &v) {
  Own<td_module> s = sequence(v.at("spec"));
  static const td_key no_key = {nullptr, 0};
  KeyList in, out;
  if (!v.at("in_keys").is_null()) in = keys_of(v.at("in_keys"));
  if (!v.at("out_keys").is_null()) out = keys_of(v.at("out_keys"));
  std::vector<td_key> raw_in = raw(in), raw_out = raw(out);
  const td_key *given_in = v.at("in_keys").is_null() ? nullptr : raw_in.empty() ? &no_key : raw_in.data();
  const td_key *given_out = v.at("out_keys").is_null() ? nullptr : raw_out.empty() ? &no_key : raw_out.data();
  Err err;
  td_module *result = nullptr;
  td_status status =
      td_module_select_subsequence(s.get(), given_in, raw_in.size(), given_out, raw_out.size(), &result, err);
  if (v.contains("error")) return refused(status, err, "the selection");
  must(status, err, "the selection");
  Own<td_module> hold(result);
  check_members(result, v.at("result").as_array());
  check_keys(in_keys(result), keys_of(v.at("result_in_keys")), "the in-keys");
  check_keys(out_keys(result), keys_of(v.at("result_out_keys")), "the out-keys");
});

}  // namespace
