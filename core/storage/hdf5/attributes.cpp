#include "core/storage/hdf5/attributes.h"

#include <memory>
#include <vector>

#include "core/storage/hdf5/types.h"

namespace td::storage::hdf5 {

namespace {

// Under another name first, so that there is always one of the two.
constexpr const char* next_name = "__tensordict_next__";

void set_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* value,
                   const std::string& file) {
  if (has_attribute(object, next_name)) H5Adelete(object, next_name);
  {
    Hid made = opened(H5Acreate2(object, next_name, type, space, H5P_DEFAULT, H5P_DEFAULT), Code::io,
                      "make an attribute", file);
    done(H5Awrite(made.get(), type, value), Code::io, "write an attribute", file);
  }
  if (has_attribute(object, name)) done(H5Adelete(object, name), Code::io, "replace an attribute", file);
  done(H5Arename(object, next_name, name), Code::io, "name an attribute", file);
}

}  // namespace

bool has_attribute(hid_t object, const char* name) {
  return H5Aexists(object, name) > 0;
}

optional<std::string> text_attribute(hid_t object, const char* name, const std::string& file) {
  if (!has_attribute(object, name)) return nullopt;
  Hid attribute = opened(H5Aopen(object, name, H5P_DEFAULT), Code::corrupt, "read an attribute", file);
  Hid type = opened(H5Aget_type(attribute.get()), Code::corrupt, "read an attribute", file);
  Hid space = opened(H5Aget_space(attribute.get()), Code::corrupt, "read an attribute", file);
  bool one = H5Sget_simple_extent_type(space.get()) == H5S_SCALAR;
  if (!one || H5Tget_class(type.get()) != H5T_STRING) return nullopt;
  if (H5Tis_variable_str(type.get()) == 0) {
    std::string fixed(H5Tget_size(type.get()), '\0');
    done(H5Aread(attribute.get(), type.get(), &fixed[0]), Code::corrupt, "read an attribute", file);
    return std::string(fixed.c_str());
  }
  char* text = nullptr;
  done(H5Aread(attribute.get(), type.get(), &text), Code::corrupt, "read an attribute", file);
  std::unique_ptr<char, herr_t (*)(void*)> owner(text, H5free_memory);
  return std::string(text ? text : "");
}

void set_text(hid_t object, const char* name, const std::string& text, const std::string& file) {
  if (optional<std::string> there = text_attribute(object, name, file); there && *there == text) return;
  Hid type = text_type(text.size() + 1);
  Hid space = opened(H5Screate(H5S_SCALAR), Code::oom, "make an attribute", file);
  set_attribute(object, name, type.get(), space.get(), text.c_str(), file);
}

void set_numbers(hid_t object, const char* name, at::IntArrayRef numbers, const std::string& file) {
  hsize_t size = numbers.size();
  Hid space = opened(H5Screate_simple(1, &size, nullptr), Code::oom, "make an attribute", file);
  set_attribute(object, name, H5T_NATIVE_INT64, space.get(), numbers.data(), file);
}

void set_truth(hid_t object, const char* name, const std::string& file) {
  Hid type = truth_type();
  Hid space = opened(H5Screate(H5S_SCALAR), Code::oom, "make an attribute", file);
  const int8_t truth = 1;
  set_attribute(object, name, type.get(), space.get(), &truth, file);
}

}  // namespace td::storage::hdf5
