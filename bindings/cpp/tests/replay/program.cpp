#include "program.hpp"

#include <cmath>
#include <limits>

namespace replay {
namespace {

constexpr std::int64_t kMaxElements = 1 << 20;  // programs are small; a larger literal is a mistake

struct NamedDType {
  DType dtype;
  const char* name;
};
const NamedDType kDTypes[] = {
    {DType::bool_, "bool"},          {DType::uint8, "uint8"},
    {DType::int8, "int8"},           {DType::int16, "int16"},
    {DType::int32, "int32"},         {DType::int64, "int64"},
    {DType::uint16, "uint16"},       {DType::uint32, "uint32"},
    {DType::uint64, "uint64"},       {DType::float16, "float16"},
    {DType::bfloat16, "bfloat16"},   {DType::float32, "float32"},
    {DType::float64, "float64"},     {DType::complex32, "complex32"},
    {DType::complex64, "complex64"}, {DType::complex128, "complex128"},
};

std::int64_t count(const Shape& shape) {
  std::int64_t n = 1;
  for (std::int64_t size : shape) {
    if (size < 0 || size > kMaxElements) throw std::runtime_error("a literal's size is out of range");
    n *= size;
    if (n > kMaxElements) throw std::runtime_error("a literal is too large");
  }
  return n;
}

}  // namespace

DType dtype_named(const std::string& name) {
  for (const NamedDType& d : kDTypes)
    if (name == d.name) return d.dtype;
  throw std::runtime_error("no such dtype: " + name);
}

json::value number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

double number_of(const json::value& v) {
  if (!v.is_string()) return v.to_number<double>();
  if (v.get_string() == "inf") return std::numeric_limits<double>::infinity();
  if (v.get_string() == "-inf") return -std::numeric_limits<double>::infinity();
  if (v.get_string() == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw std::runtime_error("not a number");
}

Tensor literal(const json::object& spec) {
  const Shape shape = json::value_to<Shape>(spec.at("shape"));
  const json::value* given = spec.if_contains("dtype");
  const DType dtype = given ? dtype_named(json::value_to<std::string>(*given)) : DType::float32;
  const std::int64_t n = count(shape);

  std::vector<json::value> values;
  if (const json::value* data = spec.if_contains("data"))
    values.assign(data->as_array().begin(), data->as_array().end());
  else if (const json::value* full = spec.if_contains("full"))
    values.assign(static_cast<std::size_t>(n), *full);
  else
    for (std::int64_t i = 0, first = spec.at("arange").to_number<std::int64_t>(); i < n; ++i)
      values.push_back(dtype == DType::bool_ ? ((first + i) % 2 + 2) % 2 : first + i);

  // As torch.tensor(numbers).to(dtype): whole numbers through int64, others through float64.
  bool whole = true;
  for (const json::value& v : values) whole = whole && (v.is_int64() || v.is_bool());
  if (whole) {
    std::vector<std::int64_t> numbers;
    for (const json::value& v : values) numbers.push_back(v.is_bool() ? v.get_bool() : v.get_int64());
    return Tensor::of(numbers, shape).to(dtype);
  }
  std::vector<double> numbers;
  for (const json::value& v : values) numbers.push_back(number_of(v));
  return Tensor::of(numbers, shape).to(dtype);
}

void Program::begin(const json::object& step) {
  step_ = &step;
  tensors_.clear();
  texts_.clear();
}

const json::value& Program::at(const char* name) const {
  if (const json::value* v = find(name)) return *v;
  throw BadProgram(std::string("the step has no \"") + name + "\"");
}

bool Program::flag(const char* name, bool otherwise) const {
  const json::value* v = find(name);
  return v ? v->as_bool() : otherwise;
}

std::int64_t Program::integer(const char* name) const {
  return at(name).to_number<std::int64_t>();
}

std::int64_t Program::integer(const char* name, std::int64_t otherwise) const {
  return find(name) ? integer(name) : otherwise;
}

double Program::real(const char* name) const {
  return number_of(at(name));
}

std::string Program::word(const char* name) const {
  return json::value_to<std::string>(at(name));
}

Shape Program::ints(const char* name) const {
  const json::value& v = at(name);
  if (v.is_int64()) return {v.get_int64()};
  return json::value_to<Shape>(v);
}

Shape Program::ints_or_none(const char* name) const {
  const json::value* v = find(name);
  return v && !v->is_null() ? ints(name) : Shape();
}

DType Program::dtype(const char* name) const {
  const json::value* v = find(name);
  return v && !v->is_null() ? dtype_named(word(name)) : DType::none;
}

const Register& Program::at_register(const json::value& name) const {
  const auto found = registers.find(json::value_to<std::string>(name));
  if (found == registers.end()) throw BadProgram("no such register: " + json::serialize(name));
  return found->second;
}

Dict& Program::dict(const json::value& name) {
  auto* d = std::get_if<Dict>(const_cast<Register*>(&at_register(name)));
  if (!d) throw BadProgram("not a dict: " + json::serialize(name));
  return *d;
}

std::vector<Dict> Program::dicts(const char* name) {
  std::vector<Dict> found;
  for (const json::value& v : at(name).as_array()) found.push_back(dict(v).share());
  return found;
}

const Tensor& Program::tensor(const json::value& spec) {
  if (spec.is_object()) return tensors_.emplace_back(literal(spec.get_object()));
  const auto* t = std::get_if<Tensor>(&at_register(spec));
  if (!t) throw BadProgram("not a tensor: " + json::serialize(spec));
  return *t;
}

Key Program::key_of(const json::value& spec) {
  if (spec.is_array()) return Key(json::value_to<std::vector<std::string>>(spec));
  return Key(json::value_to<std::string>(spec));
}

std::vector<Key> Program::keys_of(const json::value& spec) {
  std::vector<Key> found;
  for (const json::value& one : spec.as_array()) found.push_back(key_of(one));
  return found;
}

std::vector<std::optional<std::string>> Program::names(const json::value& spec) {
  std::vector<std::optional<std::string>> found;
  if (spec.is_null()) return found;
  for (const json::value& one : spec.as_array())
    found.push_back(one.is_null() ? std::nullopt : std::optional(json::value_to<std::string>(one)));
  return found;
}

std::vector<Index> Program::index(const char* name) {
  std::vector<Index> found;
  for (const json::value& part : at(name).as_array()) {
    if (part.is_int64()) {
      found.emplace_back(part.get_int64());
    } else if (part.is_null()) {
      found.emplace_back(newdim);
    } else if (part.is_string() && part.get_string() == "...") {
      found.emplace_back(ellipsis);
    } else if (part.is_array()) {
      const json::array& given = part.get_array();
      const auto number = [&](std::size_t i, std::int64_t otherwise) {
        return given.size() > i && !given[i].is_null() ? given[i].as_int64() : otherwise;
      };
      found.emplace_back(slice(number(0, 0), number(1, to_end), number(2, 1)));
    } else {
      found.emplace_back(tensor(part));
    }
  }
  return found;
}

Value Program::value(const json::value& spec) {
  if (spec.is_string()) {
    if (std::holds_alternative<Dict>(at_register(spec))) return dict(spec);
    return tensor(spec);
  }
  if (spec.is_object()) return tensor(spec);
  if (spec.is_bool()) return spec.get_bool();
  if (spec.is_int64()) return spec.get_int64();
  if (spec.is_null()) return std::nullopt;
  return number_of(spec);
}

Data Program::data(const json::value& spec) {
  if (spec.is_null()) return Data();
  if (spec.is_bool()) return Data(spec.get_bool());
  if (spec.is_int64()) return Data(spec.get_int64());
  if (spec.is_double()) return Data(spec.get_double());
  if (spec.is_string()) return json::value_to<std::string>(spec);
  return Json{json::serialize(spec)};
}

Arguments Program::arguments(const char* name, const char* named) {
  Arguments out;
  if (find(name))
    for (const json::value& one : at(name).as_array()) out.add(value(one));
  if (!named || !find(named)) return out;
  for (const auto& pair : at(named).as_object()) {
    const std::string& word = texts_.emplace_back(pair.key());
    out.add(Named(
        word, word == "dtype" ? Value(dtype_named(json::value_to<std::string>(pair.value()))) : value(pair.value())));
  }
  return out;
}

void Program::put_at(const std::string& suffix, Register made) {
  const json::value* to = find("to");
  if (!to) return;
  const std::string name = json::value_to<std::string>(*to) + suffix;
  if (registers.count(name) == 0) order.push_back(name);
  registers.insert_or_assign(name, std::move(made));
}

void Program::release(const std::string& name) {
  if (registers.erase(name) == 0) throw BadProgram("no such register: " + name);
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] == name) order.erase(order.begin() + static_cast<std::ptrdiff_t>(i));
}

}  // namespace replay
