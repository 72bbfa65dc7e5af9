#include "core/storage/memmap/memmap_data.h"

#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/pickle.h"
#include "core/tensor/ops.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

Value pickled(std::shared_ptr<const Pickle> pickle, int64_t index) {
  Value v;
  v.kind = Value::Kind::pickle;
  v.i = index;
  v.pickle = std::move(pickle);
  return v;
}

Value bytes_value(std::string bytes) {
  Value v;
  v.kind = Value::Kind::bytes;
  v.text = std::move(bytes);
  return v;
}

// Nothing is known of the list but that Python would have checked its length.
DataPtr read_pickled_list(const Folder& folder, at::IntArrayRef batch) {
  constexpr int64_t max_values = int64_t{1} << 24;
  int64_t count = checked_numel(batch, 1);
  if (batch.empty() || count > max_values)
    throw Error(Code::unsupported, "a pickled list for the batch size " + to_string(batch))
        .where(folder.where() + '/' + pickled_list);
  optional<std::string> file = folder.file(pickled_list, longest_meta);
  if (!file) throw Error(Code::corrupt, "the file is missing").where(folder.where() + '/' + pickled_list);
  if (static_cast<uint64_t>(count) > file->size())  // the shortest opcode has a byte
    throw Error(Code::corrupt, "the pickle has fewer bytes than the batch size " + to_string(batch) + " has values")
        .where(folder.where() + '/' + pickled_list);
  auto pickle = std::make_shared<const Pickle>(Pickle{std::move(*file), count});
  std::vector<Value> values;
  if (optional<std::vector<Value>> bytes = unpickle_bytes(pickle->bytes, batch))
    return Data::stack(std::move(*bytes), batch);
  for (int64_t i = 0; i < count; ++i) values.push_back(pickled(pickle, i));
  return Data::stack(std::move(values), batch);
}

// A stack whose elements have directories of their own.
DataPtr read_elements(const Folder& folder, at::IntArrayRef batch, const std::function<Entry(const Folder&)>& element) {
  std::vector<DataPtr> elements;
  while (std::unique_ptr<Folder> below = folder.folder(std::to_string(elements.size()))) {
    Entry e = element(*below);
    if (!e.is_data())
      throw Error(Code::corrupt, "an element of the stack is not non-tensor data").where(below->where());
    elements.push_back(e.data());
    if (elements.back()->batch() != elements.front()->batch())
      throw Error(Code::corrupt, "the elements of the stack differ in batch size").where(below->where());
  }
  if (elements.empty()) throw Error(Code::corrupt, "the stack has no elements").hint("the directory 0 is missing");
  Merged merged = merge(elements);
  DataPtr stack = c10::make_intrusive<Data>(at::stack(merged.ids, 0), merged.pool, true);
  check_batch(stack->batch(), batch);
  return stack;
}

Value read_pickled(const Folder& folder) {
  optional<std::string> file = folder.file(pickled_value, longest_meta);
  if (!file) throw Error(Code::corrupt, "the member data is missing");
  auto pickle = std::make_shared<const Pickle>(Pickle{std::move(*file), -1});
  if (optional<std::string> bytes = unpickle_bytes(pickle->bytes)) return bytes_value(*bytes);
  return pickled(std::move(pickle), -1);
}

}  // namespace

bool is_data_class(const std::string& name) {
  return name == python_data || name == python_metadata || name == python_stack;
}

DataPtr read_data(const Folder& folder, const std::string& kind, const bj::object& meta, at::IntArrayRef batch,
                  const std::function<Entry(const Folder&)>& element) {
  const bj::value* data = member(meta, "data");
  if (kind != python_stack) {
    Value one = data ? value_of(*data) : read_pickled(folder);  // a pickle beside it has nothing to add
    one.metadata = kind == python_metadata;
    return Data::uniform(std::move(one), batch);
  }
  if (!data) throw Error(Code::corrupt, "the member data is missing");
  if (data->is_string() && data->get_string() == pickled_list) return read_pickled_list(folder, batch);
  return data->is_null() ? read_elements(folder, batch, element) : stack_of_lists(*data, batch);
}

std::shared_ptr<const PythonClass> read_tensorclass(const Folder& folder, const std::string& name,
                                                    const bj::object& meta) {
  PythonClass c{name, "", ""};
  for (const auto& [field, value] : meta) {
    std::string_view key(field.data(), field.size());
    if (key == "_type" || key == "_format_version" || key == "_class" || key == "_names") continue;
    if (!c.fields.empty()) c.fields += ',';
    append_json(c.fields, key);
    c.fields += ':';
    append_value(c.fields, value_of(value), 1, Path());
  }
  if (optional<std::string> pickle = folder.file(pickled_value, longest_meta)) c.pickle = std::move(*pickle);
  return std::make_shared<const PythonClass>(std::move(c));
}

}  // namespace td::storage
