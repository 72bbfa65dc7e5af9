#include "core/dict/data/map_data.h"

#include "core/dict/batch_size.h"
#include "core/dict/change/edit.h"
#include "core/dict/entries.h"
#include "core/error.h"

namespace td {

namespace {

using Visit =
    c10::function_ref<void(Node& parent, const Key&, const DataPtr&, const std::vector<DataPtr>& others, const Path&)>;

// Entries of the others are empty where they are missing, or of another kind.
void each_data(Node& node, const Nodes& others, const Path& prefix, Visit visit) {
  if (node.has_members()) {
    std::vector<Nodes> parts;
    for (const NodePtr& o : others) parts.push_back(o ? *node.apart(*o) : Nodes());
    node.each_member([&](const NodePtr& m, size_t i) {
      Nodes beside;
      for (const Nodes& p : parts) beside.push_back(p.empty() ? NodePtr() : p[i]);
      each_data(*m, beside, prefix, visit);
    });
    return;
  }
  for (const auto& [k, e] : entries(node)) {
    if (e.is_tensor()) continue;
    Path path = prefix + k;
    Nodes nodes;
    std::vector<DataPtr> data;
    for (const NodePtr& o : others) {
      Entry other = o ? o->find(k) : Entry();
      nodes.push_back(other.is_node() ? other.node() : NodePtr());
      data.push_back(other.is_data() ? other.data() : DataPtr());
    }
    if (e.is_node())
      each_data(*e.node(), nodes, path, visit);
    else
      visit(node, k, e.data(), data, path);
  }
}

DataPtr fitted(const DataPtr& data, at::IntArrayRef batch, const Path& path) {
  if (!data->stacked()) return Data::uniform(data->value(), batch);
  if (begins_with(data->batch(), batch)) return data;
  throw Error(Code::shape, "the result has values for batch size " + to_string(data->batch()) +
                               ", but the dict has batch size " + to_string(batch))
      .key(to_string(path));
}

}  // namespace

MappedData::MappedData(Node& tree, const std::vector<const Node*>& others, const MapOptions& options) {
  if (!options.on_data) return;
  Nodes beside;
  for (const Node* o : others) beside.push_back(itself(*o));
  each_data(tree, beside, Path(),
            [&](Node& parent, const Key& k, const DataPtr& own, const std::vector<DataPtr>& found, const Path& path) {
              std::vector<DataPtr> row{own};
              for (const DataPtr& d : found) {
                if (!d && !options.missing_as_none)
                  throw Error(Code::key, "the non-tensor data is not in all dicts").key(to_string(path));
                row.push_back(d);
              }
              Entry result;
              try {
                result = options.on_data(path, row);
              } catch (Error& e) {
                throw e.key(to_string(path));
              }
              if (result.is_data()) {
                result = Entry(fitted(result.data(), parent.batch_size(), path));
                parent.put(k, result);
              }
              results_.push_back(std::move(result));
              paths_.push_back(path);
            });
}

void MappedData::finish(Node& made) const {
  if (results_.empty()) return;
  size_t next = 0;
  each_data(made, {}, Path(),
            [&](Node& parent, const Key& k, const DataPtr&, const std::vector<DataPtr>&, const Path&) {
              const Entry& result = results_[next++];
              if (!result) parent.put(k, Entry(at::Tensor()));  // which settle drops, and nodes that it leaves empty
              if (result.is_tensor()) parent.put(k, result);
            });
}

void MappedData::check(Node& node) const {
  for (size_t i = 0; i < results_.size(); ++i)
    if (results_[i].is_tensor())
      throw Error(Code::argument, "a tensor cannot replace non-tensor data in place").key(to_string(paths_[i]));
  if (results_.empty()) return;
  size_t next = 0;
  auto changed = [] { return Error(Code::argument, "the function added or removed non-tensor data of the dict"); };
  each_data(node, {}, Path(), [&](Node&, const Key&, const DataPtr&, const std::vector<DataPtr>&, const Path& path) {
    if (next >= paths_.size() || to_string(paths_[next]) != to_string(path)) throw changed().key(to_string(path));
    ++next;
  });
  if (next < paths_.size()) throw changed().key(to_string(paths_[next]));
}

void MappedData::write(Node& node) const {
  if (results_.empty()) return;
  Edit edit;
  size_t next = 0;
  each_data(node, {}, Path(),
            [&](Node& parent, const Key& k, const DataPtr&, const std::vector<DataPtr>&, const Path&) {
              const Entry& result = results_[next++];
              if (result.is_data()) edit.put(parent, k, Entry(result.data()));
            });
  edit.keep();
}

}  // namespace td
