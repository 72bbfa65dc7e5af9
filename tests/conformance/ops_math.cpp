// Pointwise operators, reductions, and functions over leaves.
#include "dtypes.h"
#include "ops.h"
#include "tensors.h"

namespace conformance {
namespace {

using OpHandle = std::shared_ptr<td_op>;

OpHandle operator_named(Program &p, const json::value &overload = nullptr) {
  const td_str which = overload.is_string() ? p.str(overload) : td_str{nullptr, 0};
  return OpHandle(made<td_op>(td_op_find, p.str(p.at("call")), which), td_op_release);
}

std::vector<td_named_value> keywords(Program &p) {
  std::vector<td_named_value> found;
  const json::value *given = p.find("kwargs");
  if (!given) return found;
  for (const auto &pair : given->as_object()) {
    td_value v;
    if (pair.key() == "dtype")
      v = td_value_dtype(dtype_of(json::value_to<std::string>(pair.value())));
    else
      v = p.value(pair.value());
    found.push_back({p.str(json::string(pair.key())), v});
  }
  return found;
}

void pointwise(Program &p) {
  OpHandle op = operator_named(p);
  std::vector<td_value> operands;
  for (const json::value &one : p.at("operands").as_array()) operands.push_back(p.value(one));
  std::vector<td_named_value> named = keywords(p);
  td_pointwise_options options = TD_POINTWISE_OPTIONS_INIT;
  td_value fill;
  if (const json::value *otherwise = p.find("default")) {
    const bool skip = otherwise->is_string() && otherwise->get_string() == "intersection";
    options.missing = skip ? TD_MISSING_SKIP : TD_MISSING_FILL;
    if (!skip) fill = p.value(*otherwise), options.fill = &fill;
  }
  if (p.word("call").back() == '_')  // in place: the original gives its operand back
    return call(td_dict_pointwise, op.get(), operands.data(), operands.size(), named.data(), named.size(), &options,
                nullptr);
  p.put(made<td_dict>(td_dict_pointwise, op.get(), operands.data(), operands.size(), named.data(), named.size(),
                      &options));
}

struct Reduction {
  OpHandle op;
  std::vector<td_named_value> named;
  std::vector<int64_t> dims;
  td_reduce_options options = TD_REDUCE_OPTIONS_INIT;

  explicit Reduction(Program &p) : op(operator_named(p)), named(keywords(p)) {
    if (p.find("dims")) dims = p.ints("dims");
    options.dims = dims.data();
    options.n_dims = dims.size();
    options.keepdim = p.flag("keepdim");
    options.feature = p.flag("feature");
  }
  Reduction(const Reduction &) = delete;
};

void reduce(Program &p) {
  const Reduction r(p);
  td_dict *outs[2] = {nullptr, nullptr};
  call(td_dict_reduce, p.dict(), r.op.get(), r.named.data(), r.named.size(), &r.options, outs, size_t{2});
  Dict first = own(outs[0]), second = own(outs[1]);
  if (!second) return p.put(Register(first));
  p.put_at(".0", first);
  p.put_at(".1", second);
}

void reduce_all(Program &p) {
  const Reduction r(p);
  p.put(made<td_tensor>(td_dict_reduce_all, p.dict(), r.op.get(), r.named.data(), r.named.size(), &r.options));
}

template <class F>
void truth(Program &p, F function) {
  td_bool found = 0;
  call(function, p.dict(), &found);
  p.put(json::value(found != 0));
}

// ---- Functions over leaves ----

td_tensor *torch(const char *name, std::initializer_list<td_value> arguments) {
  OpHandle op(made<td_op>(td_op_find, td_str{name, TD_STRLEN}, td_str{nullptr, 0}), td_op_release);
  td_value result;
  call(td_op_call, op.get(), arguments.begin(), arguments.size(), nullptr, size_t{0}, &result, size_t{1});
  return result.as.tensor;
}

td_tensor *kept(td_tensor *t) {
  td_tensor_retain(t);
  return t;
}

td_tensor *mapped(const std::string &fn, const td_key *key, td_tensor *const *ts, size_t n) {
  const td_str last = key->parts[key->n - 1];
  if (fn == "add_one") return torch("add", {td_value_tensor(ts[0]), td_value_int(1)});
  if (fn == "first_row") return torch("select", {td_value_tensor(ts[0]), td_value_int(0), td_value_int(0)});
  if (fn == "drop_a" && std::string(last.data, last.size) == "a") return nullptr;
  if (fn == "drop_a") return torch("mul", {td_value_tensor(ts[0]), td_value_int(2)});
  if (fn != "total") return kept(ts[0]);
  td_tensor *sum = torch("add", {td_value_tensor(ts[0]), td_value_int(0)});
  for (size_t i = 1; i < n; ++i) {
    if (!ts[i]) continue;
    Tensor before = own(sum);
    sum = torch("add", {td_value_tensor(before.get()), td_value_tensor(ts[i])});
  }
  return sum;
}

td_map_function function_over(std::string &fn) {
  return {sizeof(td_map_function),
          [](void *userdata, const td_key *key, td_tensor *const *ts, size_t n, td_tensor **out, td_error **err) {
            try {
              *out = mapped(*static_cast<std::string *>(userdata), key, ts, n);
              return td_status{TD_OK};
            } catch (const Failure &f) {
              if (err) *err = td_error_new(f.status, td_str{f.message.c_str(), TD_STRLEN});
              return f.status;
            }
          },
          &fn, nullptr};
}

// What data becomes: itself, "z" for all, ones of its batch size, or nothing.
void mapped_data(const std::string &fn, td_data_list *list, td_data_list **out_data, td_tensor **out_tensor) {
  const td_data text = {TD_DATA_STR, 0, 0, 0, TD_STR("z")};
  if (fn == "itself") td_data_list_retain(*out_data = list);
  if (fn == "text") *out_data = made<td_data_list>(td_data_list_new, &text, nullptr, size_t{0});
  if (fn != "ones") return;
  std::vector<int64_t> shape(td_data_list_shape(list, nullptr, 0));
  td_data_list_shape(list, shape.data(), shape.size());
  const td_value sizes = td_value_ints(shape.data(), shape.size());
  *out_tensor = torch("ones", {sizes});
}

td_map_data_function function_over_data(std::string &fn) {
  return {sizeof(td_map_data_function),
          [](void *userdata, const td_key *, td_data_list *const *lists, size_t, td_data_list **out_data,
             td_tensor **out_tensor, td_error **err) {
            try {
              mapped_data(*static_cast<std::string *>(userdata), lists[0], out_data, out_tensor);
              return td_status{TD_OK};
            } catch (const Failure &f) {
              if (err) *err = td_error_new(f.status, td_str{f.message.c_str(), TD_STRLEN});
              return f.status;
            }
          },
          &fn, nullptr};
}

void map(Program &p) {
  std::string fn = p.word("fn"), data_fn;
  td_map_function function = function_over(fn);
  td_map_options options = TD_MAP_OPTIONS_INIT;
  td_map_data_function over_data{};
  if (p.find("data")) {
    data_fn = p.word("data");
    over_data = function_over_data(data_fn);
    options.data = &over_data;
  }
  std::vector<int64_t> batch;
  if (p.find("batch")) {
    batch = p.ints("batch");
    static const int64_t kNone = 0;
    options.batch_size = batch.empty() ? &kNone : batch.data();
    options.ndim = batch.size();
  }
  const std::string emptied = p.find("emptied") ? p.word("emptied") : "drop";
  options.emptied = emptied == "keep" ? TD_EMPTIED_KEEP : emptied == "drop_all" ? TD_EMPTIED_DROP_ALL : TD_EMPTIED_DROP;
  options.in_place = p.flag("inplace");
  options.missing_as_null = p.flag("missing_as_null");
  std::vector<const td_dict *> others;
  if (p.find("others")) others = p.dicts("others");
  p.put(made<td_dict>(td_dict_map, p.dict(), &function, others.data(), others.size(), &options));
}

void merge_with(Program &p) {
  std::string fn = p.word("fn");
  auto tds = p.dicts();
  const td_map_function function = function_over(fn);
  p.put(made<td_dict>(td_dict_merge_with, tds.data(), tds.size(), &function));
}

void aten(Program &p) {
  OpHandle op = operator_named(p, p.find("overload") ? p.at("overload") : json::value());
  std::vector<td_value> arguments;
  for (const json::value &one : p.at("args").as_array()) arguments.push_back(p.value(one));
  td_value result;
  call(td_op_call, op.get(), arguments.data(), arguments.size(), nullptr, size_t{0}, &result, size_t{1});
  if (result.kind == TD_VALUE_TENSOR) return p.put(result.as.tensor);
  td_value_clear(&result);
  throw BadProgram("the operator gives no tensor");
}

const NamedOperation kOperations[] = {
    {"pointwise", pointwise},
    {"reduce", reduce},
    {"reduce_all", reduce_all},
    {"all", [](Program &p) { truth(p, td_dict_all); }},
    {"any", [](Program &p) { truth(p, td_dict_any); }},
    {"map", map},
    {"merge_with", merge_with},
    {"torch", aten},
};

}  // namespace

Operations math_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
