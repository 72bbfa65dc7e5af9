// Parameters of distributions: mappings of scales, and what extracts loc and scale.
#include "modules.h"

namespace {

using namespace vectors;  // NOLINT: a test

Own<td_tensor> call_one(const td_module *m, const td_tensor *x, size_t n_outputs, std::vector<Own<td_tensor>> *all) {
  Err err;
  td_tensor *in = const_cast<td_tensor *>(x), *outs[4];
  must(td_module_call(m, &in, 1, outs, n_outputs, err), err, "call");
  for (size_t i = 1; i < n_outputs; ++i) all->emplace_back(outs[i]);
  return Own<td_tensor>(outs[0]);
}

// A mapping is what the extractor does to the second half of its input, if its bound is out of the way.
const Kind mapping("mapping", [](const Object &v) {
  std::string name(v.at("name").as_string());
  td_dtype dtype = dtype_of(v);
  if (name == "inv_softplus") {
    Own<td_module> inverse = made("td.inv_softplus", "{}");
    return check_values(call_one(inverse.get(), tensor(v.at("x"), dtype).get(), 1, nullptr).get(), v.at("y"), 1e-6,
                        "y");
  }
  Own<td_module> m = made("td.normal_param_extractor", "{\"scale_mapping\": \"" + name + "\", \"scale_lb\": -1e30}");
  json::array both(v.at("x").as_array().size(), json::value(0.0));
  for (const json::value &x : v.at("x").as_array()) both.push_back(x);
  std::vector<Own<td_tensor>> more;
  call_one(m.get(), tensor(both, dtype).get(), 2, &more);
  check_values(more[0].get(), v.at("y"), 1e-6, "y");
});

const Kind npe("npe", [](const Object &v) {
  std::string config = "{\"scale_mapping\": \"" + std::string(v.at("scale_mapping").as_string()) +
                       "\", \"scale_lb\": " + std::to_string(number(v.at("scale_lb"))) + "}";
  Own<td_module> m = made("td.normal_param_extractor", config);
  std::vector<Own<td_tensor>> more;
  Own<td_tensor> x = tensor(v.at("x"), TD_DTYPE_FLOAT32);
  if (v.contains("error")) {
    Err err;
    td_tensor *in = x.get(), *outs[2];
    return refused(td_module_call(m.get(), &in, 1, outs, 2, err), err, "the extractor");
  }
  Own<td_tensor> loc = call_one(m.get(), x.get(), 2, &more);
  check_values(loc.get(), v.at("loc"), 1e-6, "loc");
  check_values(more[0].get(), v.at("scale"), 1e-6, "scale");
});

}  // namespace
