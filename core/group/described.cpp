#include "core/group/described.h"

#include <cstring>
#include <string_view>

#include <ATen/ops/empty.h>

#include "core/error.h"
#include "core/group/message.h"
#include "core/storage/json.h"
#include "core/storage/pickled_json.h"

namespace td::group {

namespace {

namespace bj = boost::json;

// Members of the description that are no entries.
constexpr const char *total_bytes = "_total_bytes", *device = "_storage_device", *type_name = "_tensorclass_type";

std::string_view text_of(const at::Tensor& metadata) {
  return {static_cast<const char*>(metadata.data_ptr()), static_cast<size_t>(metadata.numel())};
}

struct Beside {
  storage::PickledMembers members{{total_bytes, ""}, {device, ""}, {type_name, ""}};
  std::string python_class;
  int64_t bytes = -1;  // where it does not say
};

Beside read_beside(const at::Tensor& metadata, const std::string& where) {
  Beside b;
  storage::find_pickled(text_of(metadata), b.members);
  if (const std::string& text = b.members[total_bytes]; !text.empty()) {
    const bj::value bytes = storage::parse_json(text, where);
    if (!bytes.is_int64() || bytes.get_int64() < 0)
      throw Error(Code::corrupt, "the description has a bad number of bytes: " + text);
    b.bytes = bytes.get_int64();
  }
  if (const std::string& text = b.members[type_name]; !text.empty()) {
    const bj::value name = storage::parse_json(text, where);
    if (name.is_string()) b.python_class.assign(name.get_string().data(), name.get_string().size());
  }
  return b;
}

template <class F>
auto located(const std::string& where, F read) -> decltype(read()) {
  try {
    return read();
  } catch (Error& e) {
    throw e.where().empty() ? e.where(where) : e;
  }
}

}  // namespace

Described describe(const Node& node, Extras extras) {
  const storage::Outline outline = storage::plan(node, 0, 8);
  Described d;
  d.storage = packed(outline, node);
  bj::value json = storage::parse_json(storage::to_json(outline), "the dict");
  if (extras != Extras::none) json.get_object()[total_bytes] = d.storage.numel();
  if (extras == Extras::size_and_device) json.get_object()[device] = "cpu";
  const std::string pickle = storage::pickle_json(json);
  d.metadata = at::empty({static_cast<int64_t>(pickle.size())}, at::kByte);
  std::memcpy(d.metadata.data_ptr(), pickle.data(), pickle.size());
  return d;
}

int64_t announced_bytes(const at::Tensor& metadata, const std::string& where) {
  return located(where, [&] {
    const int64_t bytes = read_beside(metadata, where).bytes;
    if (bytes < 0) throw Error(Code::corrupt, "the description does not say how many bytes follow");
    return bytes;
  });
}

NodePtr read_described(const Described& described, const std::string& where) {
  return located(where, [&] {
    const Beside beside = read_beside(described.metadata, where);
    const int64_t bytes = described.storage.numel();
    if (beside.bytes >= 0 && beside.bytes != bytes)
      throw Error(Code::corrupt, "the description names another number of bytes than was sent");
    const std::string json = storage::json_of_pickle(text_of(described.metadata), beside.members);
    const storage::Outline outline = storage::parse_outline(json, {0, bytes, 8, true, true}, where);
    NodePtr node =
        storage::build(outline, [&](const storage::PlacedLeaf& leaf) { return leaf_of(leaf, described.storage); });
    if (!beside.python_class.empty())
      node->adopt_python_class(std::make_shared<const PythonClass>(PythonClass{beside.python_class, "", ""}));
    storage::lock_again(outline, *node);
    return node;
  });
}

}  // namespace td::group
