#include <algorithm>
#include <cstring>
#include <memory>

#include <ATen/core/Tensor.h>

#include "core/dict/key.h"
#include "core/storage/data_json.h"
#include "core/storage/hdf5/values.h"
#include "core/tensor/memory.h"

namespace td::storage::hdf5 {

namespace {

Value text_value(std::string text) {
  Value v;
  v.kind = Value::Kind::text;
  try {
    check_utf8(text, "text");
  } catch (const Error&) {
    v.kind = Value::Kind::bytes;
  }
  v.text = std::move(text);
  return v;
}

size_t count_of(at::IntArrayRef dims) {
  size_t n = 1;
  for (int64_t d : dims) n *= static_cast<size_t>(d);
  return n;
}

std::vector<Value> read_text(hid_t dataset, size_t n, const std::string& file) {
  Hid type = opened(H5Dget_type(dataset), Code::corrupt, "read a dataset", file);
  std::vector<Value> out;
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> texts(n, nullptr);
    if (n)
      done(H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), Code::corrupt, "read text", file);
    std::unique_ptr<std::vector<char*>, void (*)(std::vector<char*>*)> owner(&texts, [](std::vector<char*>* all) {
      for (char* p : *all)
        if (p) H5free_memory(p);
    });
    for (const char* p : texts) out.push_back(text_value(p ? p : ""));
    return out;
  }
  size_t size = H5Tget_size(type.get());
  std::string bytes(n * size, '\0');
  if (n) done(H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &bytes[0]), Code::corrupt, "read text", file);
  bool spaces = H5Tget_strpad(type.get()) == H5T_STR_SPACEPAD;
  for (size_t i = 0; i < n; ++i) {
    std::string text = bytes.substr(i * size, size);
    if (spaces)
      text.erase(text.find_last_not_of(' ') + 1);
    else
      text = text.c_str();
    out.push_back(text_value(std::move(text)));
  }
  return out;
}

// One element as NumPy lays it out: byte order, kind and size are in its description.
class NumpyElement {
 public:
  NumpyElement(const std::string& descr, size_t bytes) : bytes_(bytes) {
    swapped_ = !descr.empty() && descr[0] == '>';
    kind_ = descr.size() > 1 ? descr[1] : '?';
  }

  bool known() const {
    switch (kind_) {
      case 'b':
        return bytes_ == 1;
      case 'i':
      case 'u':
        return bytes_ == 1 || bytes_ == 2 || bytes_ == 4 || bytes_ == 8;
      case 'f':
        return bytes_ == 2 || bytes_ == 4 || bytes_ == 8;
      case 'U':
        return bytes_ % 4 == 0;
      case 'S':
        return true;
      default:
        return false;
    }
  }

  Value value(const char* at) const {
    Value v;
    if (kind_ == 'S') {
      v.kind = Value::Kind::bytes;
      v.text.assign(at, bytes_);
      v.text.erase(v.text.find_last_not_of('\0') + 1);
    } else if (kind_ == 'U') {
      v = text_value(utf8(at));
    } else if (kind_ == 'f') {
      v.kind = Value::Kind::real;
      v.f = bytes_ == 2   ? static_cast<double>(static_cast<float>(as<at::Half>(at)))
            : bytes_ == 4 ? static_cast<double>(as<float>(at))
                          : as<double>(at);
    } else {
      v.kind = kind_ == 'b' ? Value::Kind::boolean : Value::Kind::integer;
      uint64_t raw = bytes_ == 1   ? as<uint8_t>(at)
                     : bytes_ == 2 ? as<uint16_t>(at)
                     : bytes_ == 4 ? as<uint32_t>(at)
                                   : as<uint64_t>(at);
      unsigned unused = static_cast<unsigned>(64 - 8 * bytes_);
      v.i = kind_ == 'i' ? static_cast<int64_t>(raw << unused) >> unused : static_cast<int64_t>(raw);
      if (kind_ == 'b') v.i = v.i != 0;
      if (kind_ == 'u' && v.i < 0) v = parse_value(std::to_string(raw));
    }
    return v;
  }

 private:
  template <class T>
  T as(const char* at) const {
    char raw[sizeof(T)];
    std::memcpy(raw, at, sizeof raw);
    if (swapped_) std::reverse(raw, raw + sizeof raw);
    T out;
    std::memcpy(&out, raw, sizeof raw);
    return out;
  }

  std::string utf8(const char* at) const {
    std::string out;
    for (size_t i = 0; i < bytes_; i += 4) {
      auto c = as<uint32_t>(at + i);
      if (c == 0 && std::all_of(at + i, at + bytes_, [](char b) { return b == 0; })) break;
      if (c < 0x80) {
        out += static_cast<char>(c);
      } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3f));
      } else if (c < 0x10000) {
        out += static_cast<char>(0xe0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
      } else {
        out += static_cast<char>(0xf0 | (c >> 18 & 7));
        out += static_cast<char>(0x80 | (c >> 12 & 0x3f));
        out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
      }
    }
    return out;
  }

  char kind_;
  bool swapped_;
  size_t bytes_;
};

std::vector<Value> read_numpy(hid_t dataset, const ElementType& type, size_t n, const std::string& file) {
  Hid opaque = opened(H5Dget_type(dataset), Code::corrupt, "read a dataset", file);
  size_t bytes = H5Tget_size(opaque.get());
  NumpyElement element(type.descr, bytes);
  if (!element.known())
    throw Error(Code::unsupported, "there is no value for NumPy's type '" + type.descr + "'").where(file);
  std::string all(n * bytes, '\0');
  if (n) done(H5Dread(dataset, opaque.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &all[0]), Code::corrupt, "read data", file);
  std::vector<Value> out;
  for (size_t i = 0; i < n; ++i) out.push_back(element.value(all.data() + i * bytes));
  return out;
}

void append_list(std::string& out, const std::vector<Value>& values, at::IntArrayRef dims, size_t& next) {
  if (dims.empty()) return append_value(out, values[next++], 0, PathView(nullptr, 0));
  out += '[';
  for (int64_t i = 0; i < dims[0]; ++i) {
    if (i) out += ',';
    append_list(out, values, dims.slice(1), next);
  }
  out += ']';
}

}  // namespace

std::vector<Value> read_values(hid_t dataset, const ElementType& type, at::IntArrayRef dims, const std::string& file) {
  size_t n = count_of(dims);
  if (type.kind == ElementType::Kind::text) return read_text(dataset, n, file);
  return read_numpy(dataset, type, n, file);
}

Value list_of(const std::vector<Value>& values, at::IntArrayRef dims) {
  std::string json;
  size_t next = 0;
  append_list(json, values, dims, next);
  return parse_value(json);
}

}  // namespace td::storage::hdf5
