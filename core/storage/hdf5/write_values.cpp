#include <algorithm>
#include <cstring>

#include <boost/json/value.hpp>

#include "core/storage/hdf5/attributes.h"
#include "core/storage/hdf5/values.h"
#include "core/storage/json.h"

namespace td::storage::hdf5 {

namespace {

namespace bj = boost::json;

[[noreturn]] void refuse(const std::string& what, const std::string& key) {
  throw Error(Code::unsupported, "HDF5 files have no place for " + what)
      .key(key)
      .hint("save as a memmap directory, or remove the entry");
}

// Elements of one type behind each other, as NumPy has them.
struct NumpyArray {
  std::string descr;
  size_t element;
  std::string bytes;
};

template <class T>
void append_raw(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// UTF-8 that has been checked, as code points.
std::vector<uint32_t> code_points(const std::string& text) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < text.size();) {
    auto lead = static_cast<unsigned char>(text[i]);
    size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t c = length == 1 ? lead : lead & (0x7fU >> length);
    for (size_t k = 1; k < length; ++k) c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
    out.push_back(c);
    i += length;
  }
  return out;
}

bool little_endian() {
  const uint16_t one = 1;
  return *reinterpret_cast<const char*>(&one) == 1;
}

// What numpy.array makes of values of one kind; text becomes code points.
NumpyArray numpy_array(const std::vector<const Value*>& values, const std::string& key) {
  const char* order = little_endian() ? "<" : ">";
  NumpyArray out;
  Value::Kind kind = values.empty() ? Value::Kind::real : values[0]->kind;
  for (const Value* v : values)
    if (v->kind != kind) refuse("values of different kinds in one list", key);
  switch (kind) {
    case Value::Kind::boolean:
      out = {"|b1", 1, ""};
      for (const Value* v : values) append_raw(out.bytes, static_cast<char>(v->i != 0));
      return out;
    case Value::Kind::integer:
      out = {order + std::string("i8"), 8, ""};
      for (const Value* v : values) append_raw(out.bytes, v->i);
      return out;
    case Value::Kind::real:
      out = {order + std::string("f8"), 8, ""};
      for (const Value* v : values) append_raw(out.bytes, v->f);
      return out;
    case Value::Kind::bytes: {
      size_t longest = 1;
      for (const Value* v : values) {
        if (!v->text.empty() && v->text.back() == '\0') refuse("bytes that end with a NUL", key);
        longest = std::max(longest, v->text.size());
      }
      out = {"|S" + std::to_string(longest), longest, ""};
      for (const Value* v : values) out.bytes += v->text + std::string(longest - v->text.size(), '\0');
      return out;
    }
    case Value::Kind::text: {
      std::vector<std::vector<uint32_t>> all;
      size_t longest = 1;
      for (const Value* v : values) {
        all.push_back(code_points(v->text));
        if (!all.back().empty() && all.back().back() == 0) refuse("text that ends with a NUL", key);
        longest = std::max(longest, all.back().size());
      }
      out = {order + ("U" + std::to_string(longest)), 4 * longest, ""};
      for (std::vector<uint32_t>& points : all) {
        points.resize(longest);
        for (uint32_t c : points) append_raw(out.bytes, c);
      }
      return out;
    }
    default:
      refuse(kind == Value::Kind::none ? "an entry without a value" : "such JSON", key);
  }
}

// A nested list of one shape, taken apart.
void take_apart(const bj::value& json, size_t depth, Dims& dims, std::vector<Value>& out, const std::string& key) {
  if (!odd_number(json).empty()) refuse("numbers beyond 64 bits, NaN or Infinity in a list", key);
  if (const bj::array* list = json.if_array()) {
    auto size = static_cast<int64_t>(list->size());
    if (dims.size() == depth && out.empty()) dims.push_back(size);
    if (dims.size() <= depth || dims[depth] != size) refuse("lists of different lengths", key);
    for (const bj::value& item : *list) take_apart(item, depth + 1, dims, out, key);
    return;
  }
  if (depth != dims.size()) refuse("lists of different depths", key);
  Value v;
  if (json.is_bool())
    v.kind = Value::Kind::boolean, v.i = json.get_bool();
  else if (json.is_int64())
    v.kind = Value::Kind::integer, v.i = json.get_int64();
  else if (json.is_double())
    v.kind = Value::Kind::real, v.f = json.get_double();
  else if (json.is_string())
    v.kind = Value::Kind::text, v.text = std::string(json.get_string().data(), json.get_string().size());
  else
    refuse("null, objects or integers beyond 64 bits", key);
  out.push_back(std::move(v));
}

// As numpy.array: integers among floating-point numbers are such numbers too.
void unite_numbers(std::vector<Value>& values) {
  auto of = [](Value::Kind kind) { return [kind](const Value& v) { return v.kind == kind; }; };
  bool numbers = std::all_of(values.begin(), values.end(), [&](const Value& v) {
    return v.kind == Value::Kind::integer || v.kind == Value::Kind::real;
  });
  if (!numbers || std::none_of(values.begin(), values.end(), of(Value::Kind::real))) return;
  for (Value& v : values)
    if (v.kind == Value::Kind::integer) v.kind = Value::Kind::real, v.f = static_cast<double>(v.i), v.i = 0;
}

Hid dataspace(at::IntArrayRef dims, const std::string& file) {
  if (dims.empty()) return opened(H5Screate(H5S_SCALAR), Code::oom, "describe data", file);
  std::vector<hsize_t> sizes(dims.begin(), dims.end());
  return opened(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), Code::unsupported,
                "describe data", file);
}

Hid make_dataset(hid_t file_id, hid_t type, at::IntArrayRef dims, const void* bytes, const std::string& file) {
  Hid space = dataspace(dims, file);
  Hid made =
      opened(H5Dcreate_anon(file_id, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), Code::io, "make a dataset", file);
  if (std::find(dims.begin(), dims.end(), 0) == dims.end())
    done(H5Dwrite(made.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes), Code::io, "write a dataset", file);
  return made;
}

Hid make_text(hid_t file_id, const std::vector<const Value*>& values, at::IntArrayRef dims, const std::string& key,
              const std::string& file) {
  std::vector<const char*> texts;
  for (const Value* v : values) {
    if (v->text.find('\0') != std::string::npos) refuse("text with a NUL in it", key);
    texts.push_back(v->text.c_str());
  }
  return make_dataset(file_id, text_type().get(), dims, texts.data(), file);
}

Hid make_numpy(hid_t file_id, const std::vector<const Value*>& values, at::IntArrayRef dims, const std::string& key,
               const std::string& file) {
  NumpyArray array = numpy_array(values, key);
  return make_dataset(file_id, numpy_type(array.descr, array.element).get(), dims, array.bytes.data(), file);
}

}  // namespace

Hid make_values(hid_t file_id, const Data& data, const std::string& key, const std::string& file) {
  if (data.stacked()) {
    std::vector<const Value*> values = data.values();
    bool text = !values.empty() &&
                std::all_of(values.begin(), values.end(), [](const Value* v) { return v->kind == Value::Kind::text; });
    Hid made = text ? make_text(file_id, values, data.batch(), key, file)
                    : make_numpy(file_id, values, data.batch(), key, file);
    set_numbers(made.get(), stack_mark, data.batch(), file);
    return made;
  }
  const Value& value = data.value();
  if (value.kind == Value::Kind::text) {
    Hid made = make_text(file_id, {&value}, {}, key, file);
    set_truth(made.get(), text_mark, file);
    return made;
  }
  if (value.kind != Value::Kind::json) return make_numpy(file_id, {&value}, {}, key, file);
  bj::value json = parse_json(value.text, file);
  if (!json.is_array() || !odd_number(json).empty()) refuse("such JSON", key);
  Dims dims;
  std::vector<Value> items;
  take_apart(json, 0, dims, items, key);
  unite_numbers(items);
  std::vector<const Value*> all;
  for (const Value& v : items) all.push_back(&v);
  return make_numpy(file_id, all, dims, key, file);
}

}  // namespace td::storage::hdf5
