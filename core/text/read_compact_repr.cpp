// The form on few lines: shapes without the batch dims, short names of dtypes, and the mere type of other data.
#include "core/text/read_compact_repr.h"

#include "core/text/repr_cursor.h"
#include "core/text/repr_tree.h"

namespace td {

namespace {

// "f32" is float32; empty for what is no such name.
std::string long_type(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"bool", "bool"},   {"u8", "uint8"},      {"i8", "int8"},       {"i16", "int16"},
      {"i32", "int32"},   {"i64", "int64"},     {"u16", "uint16"},    {"u32", "uint32"},
      {"u64", "uint64"},  {"f16", "float16"},   {"bf16", "bfloat16"}, {"f32", "float32"},
      {"f64", "float64"}, {"c32", "complex32"}, {"c64", "complex64"}, {"c128", "complex128"}};
  for (const auto& [brief, full] : names)
    if (brief == name) return std::string(full);
  return {};
}

bool dict_type(std::string_view name) {
  return name.empty() || name == "TensorDict" || name == "_SubTensorDict" || name == "LazyStackedTensorDict" ||
         name == "TensorDictParams";
}

bool data_type(std::string_view name) {
  for (std::string_view known : {"str", "int", "float", "bool", "NoneType", "bytes", "list", "dict", "NonTensorStack"})
    if (name == known) return true;
  return false;
}

Dims joined(Dims batch, const Dims& rest) {
  batch.append(rest.begin(), rest.end());
  return batch;
}

class CompactRepr {
 public:
  explicit CompactRepr(ReprCursor& cursor) : c_(cursor) {}

  ReprNode root(size_t depth) {
    ReprNode out;
    out.at = c_.at();
    out.type = c_.word();
    c_.expect("(");
    if (c_.take("batch_size=")) {
      out.batch = c_.dims(",");
      if (!out.batch) c_.fail("expected a batch size like [3,4]");
      c_.expect(", ");
    }
    out.device.emplace();
    if (c_.take("device=")) {
      *out.device = c_.until(", )");
      c_.expect(", ");
    }
    if (c_.take("stack_dim=")) {
      out.stack_dim = c_.number();
      c_.expect(", ");
    }
    c_.expect("fields=");
    Dims batch = out.batch.value_or(Dims());
    out.fields = fields(batch, *out.device, 0, depth);
    if (c_.take(", exclusive_fields=")) exclusive(out, batch, depth);
    c_.expect(")");
    return out;
  }

 private:
  // Between braces: on one line, or on one line each, `indent` spaces and four more.
  template <class F>
  void entries(size_t indent, F&& entry) {
    c_.expect("{");
    if (c_.take("}")) return;
    bool lines = c_.take_line(indent + 4);
    for (;;) {
      entry(lines ? indent + 4 : indent);
      if (c_.take("}")) return;
      c_.expect(",");
      if (lines)
        c_.expect_line(indent + 4);
      else
        c_.expect(" ");
    }
  }

  std::vector<ReprField> fields(const Dims& batch, const std::string& device, size_t indent, size_t depth) {
    c_.check_depth(depth);
    std::vector<ReprField> out;
    entries(indent, [&](size_t inner) { out.push_back(field(batch, device, inner, depth)); });
    return out;
  }

  void exclusive(ReprNode& out, const Dims& batch, size_t depth) {
    if (!out.stack_dim || *out.stack_dim < 0 || *out.stack_dim >= static_cast<int64_t>(batch.size()))
      c_.fail("exclusive fields require the batch size and the stack dim");
    Dims member = batch;
    member.erase(member.begin() + *out.stack_dim);
    entries(0, [&](size_t indent) {
      auto place = c_.number();
      if (!place || *place < 0) c_.fail("expected the number of a member");
      c_.expect(": ");
      out.exclusive.emplace_back(*place, fields(member, *out.device, indent, depth));
    });
  }

  ReprField field(const Dims& batch, const std::string& device, size_t indent, size_t depth) {
    size_t begin = c_.at();
    optional<size_t> unknown;
    for (size_t colon = c_.text().find(": ", begin); colon != std::string_view::npos;
         colon = c_.text().find(": ", colon + 1)) {
      c_.seek(colon + 2);
      ReprField out;
      out.at = colon + 2;
      if (value(out, batch, device, indent, depth, unknown)) {
        out.key = c_.text().substr(begin, colon - begin);
        return out;
      }
      if (unknown) break;
    }
    if (unknown) c_.fail("an entry of this class cannot be made from text", *unknown, Code::unsupported);
    c_.fail("expected an entry", begin);
  }

  bool ends() const { return c_.sees(", ") || c_.sees(",\n") || c_.sees("}"); }

  bool value(ReprField& out, const Dims& batch, const std::string& device, size_t indent, size_t depth,
             optional<size_t>& unknown) {
    std::string type(c_.word());
    optional<Dims> dims = c_.dims(",");
    if (dict_type(type) && c_.sees("{")) {
      auto node = std::make_unique<ReprNode>();
      node->at = out.at;
      node->params = type == "TensorDictParams";
      node->type = type.empty() || node->params ? "TensorDict" : type;
      node->batch = joined(batch, dims.value_or(Dims()));
      node->device = device;
      node->fields = fields(*node->batch, device, indent, depth + 1);
      out.value = std::move(node);
      return true;
    }
    if (dims && (type.empty() || !long_type(type).empty())) {
      ReprLeaf leaf;
      leaf.shape = joined(batch, *dims);
      leaf.dtype = long_type(type);
      leaf.device = device;
      if (c_.take("@")) leaf.device = c_.until(", }\n");
      out.value = std::move(leaf);
      return ends();
    }
    if (dims || type.empty() || !ends()) {
      if (c_.sees("{") && !type.empty()) unknown = out.at;
      return false;
    }
    if (!data_type(type)) {
      unknown = out.at;
      return false;
    }
    ReprData data;
    data.text = type;
    data.batch = batch;
    data.stacked = type == "NonTensorStack";
    data.named_only = true;
    out.value = std::move(data);
    return true;
  }

  ReprCursor& c_;
};

}  // namespace

ReprNode read_compact_repr(ReprCursor& cursor, size_t depth) {
  return CompactRepr(cursor).root(depth);
}

}  // namespace td
