#include "core/text/from_repr.h"

#include <algorithm>

#include "core/dict/copy.h"
#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/params/params.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/factory.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"
#include "core/text/python_literal.h"
#include "core/text/read_repr.h"
#include "core/text/repr_tree.h"

namespace td {

namespace {

constexpr int64_t max_entries = 1 << 22;  // a number in the text must not make more members than fit

class FromRepr {
 public:
  FromRepr(std::string_view text, const optional<c10::Device>& device) : text_(text), device_(device) {}

  NodePtr node(const ReprNode& from, const Dims& outer) {
    Dims batch = from.batch.value_or(outer);
    NodePtr made = from.type == "LazyStackedTensorDict" ? lazy(from, batch) : dict(from, batch);
    if (!from.params) return made;
    Params::Options options;
    options.convert = converts(from);
    return Params::make(std::move(made), options);
  }

 private:
  // Data shows the device of its node, also where that is hidden.
  static std::string device_of_data(const ReprNode& from) {
    for (const ReprField& f : from.fields)
      if (const auto* data = std::get_if<ReprData>(&f.value)) return data->device;
    return {};
  }

  NodePtr empty_dict(const ReprNode& from, const Dims& batch) const {
    checked_numel(batch, 1);
    std::string device = from.device ? *from.device : device_of_data(from);
    return TensorDict::make(batch, device.empty() ? optional<c10::Device>() : place(device));
  }

  NodePtr dict(const ReprNode& from, const Dims& batch) {
    NodePtr made = empty_dict(from, batch);
    bool mapped = false;
    for (const ReprField& f : from.fields) {
      const auto* leaf = std::get_if<ReprLeaf>(&f.value);
      mapped = mapped || (leaf && leaf->type == "MemoryMappedTensor");
      put(*made, f);
    }
    if (from.shared) made->mark_shared();
    if (mapped) made->mark_memmap();
    return made;
  }

  // Where the text says that members differ, the first has size 1 and the others 2.
  NodePtr lazy(const ReprNode& from, const Dims& batch) {
    int64_t dim = from.stack_dim.value_or(0);
    if (dim < 0 || dim >= static_cast<int64_t>(batch.size()) || batch[dim] < 0)
      fail(from, "the dim of the lazy stack is out of range");
    for (const auto& [place, fields] : from.exclusive)
      if (place >= batch[dim]) fail(from, "the lazy stack has exclusive fields of a member that it does not have");
    if (batch[dim] > max_entries) fail(from, "the lazy stack has too many members");
    Nodes members;
    for (int64_t i = 0; i < batch[dim]; ++i) members.push_back(member(from, batch, dim, i));
    Dims element = batch;
    element.erase(element.begin() + dim);
    return LazyStack::make(std::move(members), dim, element);
  }

  NodePtr member(const ReprNode& from, const Dims& batch, int64_t dim, int64_t i) {
    NodePtr made = empty_dict(from, of_member(batch, dim, i));
    for (const ReprField& f : from.fields) put_member(*made, f, batch, dim, i);
    for (const auto& [place, fields] : from.exclusive)
      if (place == i)
        for (const ReprField& f : fields) put(*made, f);
    return made;
  }

  static Dims of_member(Dims dims, int64_t dim, int64_t i) {
    if (dim < static_cast<int64_t>(dims.size())) dims.erase(dims.begin() + dim);
    for (int64_t& size : dims)
      if (size == -1) size = i == 0 ? 1 : 2;
    return dims;
  }

  void put_member(Node& into, const ReprField& f, const Dims& batch, int64_t dim, int64_t i) {
    placed(f, [&](const Path& path) {
      if (const auto* leaf = std::get_if<ReprLeaf>(&f.value)) {
        ReprLeaf own = *leaf;
        bool unlike = leaf->shape == Dims{-1};  // members with different numbers of dims
        own.shape = of_member(unlike ? batch : leaf->shape.value_or(batch), dim, i);
        if (unlike && i > 0) own.shape->push_back(1);
        if (leaf->type == unbatched) own.shape = leaf->shape;
        into.set(path, entry(own, {}));
      } else if (const auto* data = std::get_if<ReprData>(&f.value)) {
        Dims own = data->batch.value_or(batch);
        if (!data->stacked) {
          ReprData one = *data;
          one.batch = of_member(own, dim, i);
          into.set(path, values(one, {}));
        } else {
          DataPtr whole = values(*data, batch);
          into.set(path, whole->with(whole->ids().select(dim, i), true));
        }
      } else {
        const ReprNode& child = *std::get<2>(f.value);
        into.set(path, member(child, child.batch.value_or(batch), dim, i));
      }
    });
  }

  [[noreturn]] void fail(const ReprNode& from, const char* what) const {
    throw Error(Code::argument, std::string(what) + " at " + position_text(text_, from.at));
  }

  // False where tensors are printed as buffers that parameters would be made of.
  static bool converts(const ReprNode& from) {
    for (const ReprField& f : from.fields) {
      const auto* leaf = std::get_if<ReprLeaf>(&f.value);
      if (leaf && leaf->type == "Tensor") {
        at::ScalarType type = leaf->dtype.empty() ? at::kFloat : scalar_type_named(leaf->dtype);
        if (at::isFloatingType(type) || at::isComplexType(type)) return false;
      }
      if (f.value.index() == 2 && !converts(*std::get<2>(f.value))) return false;
    }
    return true;
  }

  // What goes wrong with an entry is told with its place in the text.
  template <class F>
  void placed(const ReprField& f, F&& body) {
    Path path({Key(f.key)});
    if (++entries_ > max_entries) throw Error(Code::argument, "too many entries at " + position_text(text_, f.at));
    try {
      body(path);
    } catch (Error& e) {
      if (e.message().find(" at line ") != std::string::npos) throw;
      Error told(e.code(), e.message() + " at " + position_text(text_, f.at));
      throw told.key(to_string(path.view())).hint(e.hint());
    }
  }

  void put(Node& into, const ReprField& f) {
    Dims batch(into.batch_size().begin(), into.batch_size().end());
    placed(f, [&](const Path& path) {
      if (into.find(path.view()[0])) throw Error(Code::argument, "the key appears twice");
      if (const auto* leaf = std::get_if<ReprLeaf>(&f.value))
        into.set(path, entry(*leaf, batch));
      else if (const auto* data = std::get_if<ReprData>(&f.value))
        into.set(path, values(*data, batch));
      else
        into.set(path, node(*std::get<2>(f.value), batch));
    });
  }

  c10::Device place(const std::string& name) const { return device_ ? *device_ : parse_device(name); }

  static constexpr const char* unbatched = "UnbatchedTensor";

  Entry entry(const ReprLeaf& leaf, const Dims& batch) const {
    at::Tensor made = tensor(leaf, batch);
    return leaf.type == unbatched ? Entry::unbatched(std::move(made)) : Entry(std::move(made));
  }

  at::Tensor tensor(const ReprLeaf& leaf, const Dims& batch) const {
    at::ScalarType type = leaf.dtype.empty() ? at::kFloat : scalar_type_named(leaf.dtype);
    c10::Device device = leaf.device.empty() ? device_.value_or(c10::Device(c10::kCPU)) : place(leaf.device);
    at::Tensor made = full(leaf.shape.value_or(batch), 0, type, device.str());
    if (leaf.requires_grad.value_or(leaf.type == "Parameter")) {
      if (!made.is_floating_point() && !made.is_complex())
        throw Error(Code::dtype, "only floating and complex tensors can require grad");
      made.set_requires_grad(true);
    }
    return made;
  }

  static DataPtr values(const ReprData& data, const Dims& node_batch) {
    Dims batch = data.batch.value_or(node_batch);
    checked_numel(batch, sizeof(int64_t));
    if (data.named_only) return data.stacked ? unknown_stack(batch) : Data::uniform(unknown(data.text), batch);
    if (data.stacked) return stack(data.text, batch);
    Value v;
    v.kind = Value::Kind::text;
    v.text = data.text;
    v = literal(data.text).value_or(v);
    v.metadata = data.metadata;
    return Data::uniform(std::move(v), batch);
  }

  static Value unknown(const std::string& type) {
    Value v;
    v.kind = type == "str"                      ? Value::Kind::text
             : type == "int"                    ? Value::Kind::integer
             : type == "float"                  ? Value::Kind::real
             : type == "bool"                   ? Value::Kind::boolean
             : type == "bytes"                  ? Value::Kind::bytes
             : type == "list" || type == "dict" ? Value::Kind::json
                                                : Value::Kind::none;
    if (v.kind == Value::Kind::json) v.text = type == "list" ? "[]" : "{}";
    return v;
  }

  static DataPtr unknown_stack(Dims batch) {
    if (batch.empty()) batch.push_back(0);
    return numbered({Value()}, batch, 0);
  }

  // The first values have numbers of their own, all others the last one.
  static DataPtr numbered(std::vector<Value> pool, const Dims& batch, int64_t known) {
    int64_t n = checked_numel(batch, sizeof(int64_t));
    at::Tensor ids = at::full({n}, c10::Scalar(static_cast<int64_t>(pool.size()) - 1), at::TensorOptions(at::kLong));
    if (n > 0 && known > 0) {
      known = std::min(n, known);
      ids.narrow(0, 0, known).copy_(at::arange(known, at::TensorOptions(at::kLong)));
    }
    auto shared = std::make_shared<const std::vector<Value>>(std::move(pool));
    return c10::make_intrusive<Data>(ids.view(batch), std::move(shared), true);
  }

  // Nested lists, of which only the beginning may be there.
  static DataPtr stack(std::string_view list, const Dims& batch) {
    constexpr std::string_view ellipsis = "...";
    constexpr size_t cut_characters = 50;
    std::vector<Value> pool;
    std::string_view rest = list;
    if (lists(rest, batch, 0, false, pool) && rest.empty()) return Data::stack(std::move(pool), batch);
    pool.clear();
    if (list.size() < cut_characters + ellipsis.size() || list.substr(list.size() - ellipsis.size()) != ellipsis)
      throw Error(Code::unsupported, "the values of this stack cannot be made from text");
    rest = list.substr(0, list.size() - ellipsis.size());
    if (!lists(rest, batch, 0, true, pool))
      throw Error(Code::unsupported, "the values of this stack cannot be made from text");
    auto known = static_cast<int64_t>(pool.size());
    pool.emplace_back();  // None
    return numbered(std::move(pool), batch, known);
  }

  // With `cut` the text may end anywhere.
  static bool lists(std::string_view& text, const Dims& batch, size_t dim, bool cut, std::vector<Value>& out) {
    if (cut && text.empty()) return true;
    if (dim == batch.size()) {
      std::string_view before = text;
      auto v = take_literal(text);
      if (cut && (!v || text.empty())) {
        v = completed_literal(before);
        text = {};
      }
      if (v) out.push_back(std::move(*v));
      return static_cast<bool>(v);
    }
    auto take = [&](std::string_view what) {
      if (cut && text.size() < what.size() && what.substr(0, text.size()) == text) text = what;
      if (text.substr(0, what.size()) != what) return false;
      text.remove_prefix(what.size());
      return true;
    };
    if (!take("[")) return false;
    for (int64_t i = 0; i < batch[dim] && !(cut && text.empty()); ++i) {
      if (i > 0 && !take(", ")) return false;
      if (!lists(text, batch, dim + 1, cut, out)) return false;
    }
    return (cut && text.empty()) || take("]");
  }

  std::string_view text_;
  optional<c10::Device> device_;
  int64_t entries_ = 0;
};

}  // namespace

NodePtr from_repr(std::string_view text, const optional<c10::Device>& device) {
  check_utf8(text, "the text");
  return FromRepr(text, device).node(read_repr(text), Dims());
}

}  // namespace td
