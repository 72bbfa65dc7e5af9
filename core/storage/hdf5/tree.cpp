#include "core/storage/hdf5/tree.h"

#include <algorithm>

#include <boost/json/value.hpp>

#include "core/storage/hdf5/attributes.h"
#include "core/storage/hdf5/dataset.h"
#include "core/storage/hdf5/values.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/tensor/memory.h"

namespace td::storage::hdf5 {

namespace {

namespace bj = boost::json;

constexpr const char* labels_name = "__tensordict__";

std::string labels_text(const Labels& labels) {
  std::string json = "{\"batch_size\":";
  append_json(json, labels.batch);
  json += ",\"version\":1";
  if (!labels.names.empty()) {
    json += ",\"names\":";
    append_names(json, labels.names);
  }
  return json + "}";
}

Names parse_names(const bj::value& given) {
  Names names;
  if (const bj::array* list = given.if_array())
    for (const bj::value& item : *list) {
      const bj::string* name = item.if_string();
      names.push_back(name ? Name(std::string(name->data(), name->size())) : Name());
    }
  return names;
}

}  // namespace

bool is_link_name(std::string_view key) {
  return !key.empty() && key != "." && key.find('/') == key.npos && key.find('\0') == key.npos;
}

std::string checked_link_name(std::string_view key, const Path& prefix) {
  if (is_link_name(key) && key != set_aside) return std::string(key);
  throw Error(Code::key, "HDF5 files have no place for this key")
      .key(to_string(prefix + Key(KeyView(key))))
      .hint("keys there are not empty, not \".\" nor \"__tensordict_old__\", and have no \"/\" or NUL in them");
}

Hid link_creation(const std::string& key) {
  Hid names(H5Pcreate(H5P_LINK_CREATE));
  bool ascii = std::all_of(key.begin(), key.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii) H5Pset_char_encoding(names.get(), H5T_CSET_UTF8);
  return names;
}

Hid make_object(const Entry& value, const Path& path, const File& file, const Told& told) {
  std::string key = to_string(path);
  if (value.is_data()) return make_values(file.id(), *value.data(), key, file.path());
  if (value.is_tensor()) {
    LeafType type = leaf_type(value.tensor(), path);
    if (type.stored != 0)
      throw Error(Code::dtype, "HDF5 files have no place for " + python_dtype(type))
          .key(key)
          .hint("save another format");
    Hid made = make_tensor(value.tensor(), key, file);
    if (told) told(type.bytes);
    return made;
  }
  Hid group = opened(H5Gcreate_anon(file.id(), H5P_DEFAULT, H5P_DEFAULT), Code::io, "make a group", file.path());
  write_entries(group.get(), *value.node(), file, path, told);
  return group;
}

void write_entries(hid_t group, const Node& node, const File& file, const Path& prefix, const Told& told) {
  node.visit([&](const Key& k, const Entry& e) {
    std::string key = checked_link_name(k.text(), prefix);
    Hid object = make_object(e, prefix + k, file, told);
    Hid names = link_creation(key);
    done(H5Olink(object.get(), group, key.c_str(), names.get(), H5P_DEFAULT), Code::io, "link", file.path());
  });
  write_labels(group, {Dims(node.batch_size().begin(), node.batch_size().end()), node.names()}, file.path());
}

// Any other text was written by other software and is ignored.
optional<Labels> read_labels(hid_t group, const std::string& file) {
  optional<std::string> text = text_attribute(group, labels_name, file);
  if (!text) return nullopt;
  try {
    bj::value json = parse_json(*text, file);
    const bj::object* object = json.if_object();
    const bj::value* batch = object ? member(*object, "batch_size") : nullptr;
    if (!batch) return nullopt;
    Labels labels{parse_batch(*batch), {}};
    if (const bj::value* names = member(*object, "names")) labels.names = parse_names(*names);
    if (!labels.names.empty()) check_names(labels.names, labels.batch.size());
    return labels;
  } catch (const Error&) {
    return nullopt;
  }
}

void write_labels(hid_t group, const Labels& labels, const std::string& file) {
  set_text(group, labels_name, labels_text(labels), file);
}

}  // namespace td::storage::hdf5
