// The form of many lines. Keys and text may hold anything, so the lines' indentation says where entries begin and end.
#include "core/text/read_repr.h"

#include <algorithm>

#include "core/text/indent.h"
#include "core/text/read_compact_repr.h"
#include "core/text/repr_cursor.h"
#include "core/text/repr_tree.h"

namespace td {

namespace {

constexpr size_t step = 4;

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class DetailedRepr {
 public:
  explicit DetailedRepr(ReprCursor& cursor) : c_(cursor) {}

  // A dict whose class name begins here, on a line indented by `indent`; the root's own lines say what theirs is.
  ReprNode node(size_t indent, size_t depth, bool root = false) {
    c_.check_depth(depth);
    ReprNode out;
    out.at = c_.at();
    out.type = c_.word();
    if (out.type == "TensorDictParams" && c_.take("(params=")) {
      out = node(indent, depth + 1, root);
      if (out.params) c_.fail("parameters cannot contain parameters", out.at);
      out.params = true;
      c_.expect(")");
      return out;
    }
    if (!one_of(out.type, {"TensorDict", "_SubTensorDict", "LazyStackedTensorDict"}))
      out.type.empty()
          ? c_.fail("expected the text of a dict", out.at)
          : c_.fail("a dict of class '" + out.type + "' cannot be made from text", out.at, Code::unsupported);
    c_.expect("(");
    if (!c_.sees("\n")) {
      c_.seek(out.at);
      return read_compact_repr(c_, depth);
    }
    if (root) indent = root_indent();
    c_.expect_line(indent + step);
    c_.expect("fields={");
    out.fields = fields(indent, depth);
    while (c_.take(",")) {
      c_.expect_line(indent + step);
      part(out, indent, depth);
    }
    c_.expect(")");
    return out;
  }

 private:
  size_t root_indent() {
    size_t spaces = c_.rest().substr(1).find_first_not_of(' ');
    if (spaces == std::string_view::npos || spaces < step) c_.fail("expected indented lines");
    return spaces - step;
  }

  void part(ReprNode& out, size_t indent, size_t depth) {
    size_t at = c_.at();
    std::string_view name = c_.word();
    if (name == "exclusive_fields") {
      c_.expect("={");
      out.exclusive = exclusive(indent, depth);
      return;
    }
    c_.expect("=");
    if (name == "batch_size") {
      out.batch = c_.size();
    } else if (name == "device") {
      out.device = device(",)");
    } else if (name == "is_shared") {
      out.shared = c_.until(",)\n") == "True";
    } else if (name == "stack_dim") {
      out.stack_dim = c_.number();
      if (!out.stack_dim) c_.fail("expected a number");
    } else {
      c_.fail("unknown field '" + std::string(name) + "' of a dict", at);
    }
  }

  std::string device(std::string_view stops) {
    std::string_view name = c_.until(stops);
    return name == "None" ? "" : std::string(name);
  }

  std::vector<ReprField> fields(size_t indent, size_t depth) {
    std::vector<ReprField> out;
    size_t begin = c_.at();
    if (c_.take_line(indent + step) && c_.take("}")) return out;
    c_.seek(begin);
    do {
      entry_line(indent + 2 * step);
      out.push_back(field(indent + 2 * step, depth));
    } while (c_.take(","));
    c_.expect("}");
    return out;
  }

  // The line of an entry whose key begins with a line end is blank, and so not indented.
  void entry_line(size_t indent) {
    if (c_.sees("\n") && begins_blank(c_.rest().substr(1)))
      c_.expect("\n");
    else
      c_.expect_line(indent);
  }

  // Members that have keys of their own: "0 ->", and their fields one step deeper.
  std::vector<std::pair<int64_t, std::vector<ReprField>>> exclusive(size_t indent, size_t depth) {
    std::vector<std::pair<int64_t, std::vector<ReprField>>> out;
    size_t begin = c_.at();
    if (c_.take_line(indent + step) && c_.take("}")) return out;
    c_.seek(begin);
    bool more = true;
    while (more) {
      c_.expect_line(indent + 2 * step);
      auto member = c_.number();
      if (!member || *member < 0) c_.fail("expected the number of a member");
      c_.expect(" ->");
      out.emplace_back(*member, std::vector<ReprField>());
      bool same = true;
      while (same) {
        entry_line(indent + 3 * step);
        out.back().second.push_back(field(indent + 3 * step, depth));
        more = c_.take(",");
        size_t here = c_.at();
        same = more && c_.take_line(indent + 3 * step);
        c_.seek(here);
      }
    }
    c_.expect("}");
    return out;
  }

  // The key is what stands before the first ": " that a value follows.
  ReprField field(size_t indent, size_t depth) {
    size_t begin = c_.at();
    size_t line = find("\n", begin);
    optional<size_t> head;  // where something looked like a value
    for (size_t colon = find(": ", begin); colon != std::string_view::npos; colon = find(": ", colon + 1)) {
      if (head && colon > line) break;
      c_.seek(colon + 2);
      ReprField out;
      out.at = c_.at();
      if (value(out, indent, depth)) {
        out.key = dedented(c_.text().substr(begin, colon - begin), indent);
        return out;
      }
      c_.seek(colon + 2);
      if (!head && !c_.word().empty() && c_.sees("(")) head = colon + 2;
    }
    if (!head) c_.fail("expected an entry", begin);
    c_.seek(*head);
    std::string type(c_.word());
    bool known = one_of(type, {"Tensor", "Parameter", "Buffer", "MemoryMappedTensor", "UnbatchedTensor"});
    c_.fail(known ? "cannot read this " + type : "an entry of class '" + type + "' cannot be made from text", *head,
            known ? Code::argument : Code::unsupported);
  }

  size_t find(std::string_view what, size_t from) const { return c_.text().find(what, from); }

  bool ends() const { return c_.sees(",\n") || c_.sees("}"); }

  // False if the text here is not a value; throws once it has begun as one that has an end of its own.
  bool value(ReprField& out, size_t indent, size_t depth) {
    size_t begin = c_.at();
    std::string type(c_.word());
    if (one_of(type, {"NonTensorData", "MetaData"}) && c_.take("(data=")) {
      ReprData read = data(indent, type);
      read.metadata = type == "MetaData";
      out.value = std::move(read);
      return true;
    }
    if (type == "NonTensorStack" && c_.take("(") && c_.take_line(indent + step)) {
      out.value = stack(indent);
      return true;
    }
    bool params = type == "TensorDictParams" && c_.sees("(params=");
    bool dict = one_of(type, {"TensorDict", "_SubTensorDict", "LazyStackedTensorDict"}) && c_.take("(") &&
                c_.take_line(indent + step) && c_.sees("fields={");
    if (params || dict) {
      c_.seek(begin);
      out.value = std::make_unique<ReprNode>(node(indent, depth + 1));
      return true;
    }
    c_.seek(begin + type.size());
    if (!one_of(type, {"Tensor", "Parameter", "Buffer", "MemoryMappedTensor", "UnbatchedTensor"}) || !c_.take("("))
      return false;
    ReprLeaf leaf;
    leaf.type = type;
    if (!leaf_parts(leaf)) return false;
    out.value = std::move(leaf);
    return ends();
  }

  bool leaf_parts(ReprLeaf& leaf) {
    for (bool first = true; !c_.take(")"); first = false) {
      if (!first && !c_.take(", ")) return false;
      if (c_.take("shape=torch.Size(")) {
        leaf.shape = c_.dims(", ");
        if (!leaf.shape || !c_.take(")")) return false;
        continue;
      }
      std::string_view name = c_.until("=,)\n");
      if (!c_.take("=")) {
        if (name != "[]") return false;
        continue;
      }
      std::string_view text = c_.until(",)\n");
      if (name == "device")
        leaf.device = text;
      else if (name == "dtype" && text.substr(0, 6) == "torch.")
        leaf.dtype = text.substr(6);
      else if (name == "is_shared")
        leaf.shared = text == "True";
      else if (name == "requires_grad")
        leaf.requires_grad = text == "True";
      else if (!one_of(name, {"is_contiguous", "is_view", "storage_size", "mean", "std", "min", "max"}))
        return false;
    }
    return true;
  }

  ReprData data(size_t indent, const std::string& type) {
    constexpr std::string_view mark = ", batch_size=torch.Size(";
    size_t begin = c_.at();
    for (size_t end = find(mark, begin); end != std::string_view::npos; end = find(mark, end + 1)) {
      c_.seek(end + mark.size());
      ReprData out;
      out.batch = c_.dims(", ");
      if (!out.batch || !c_.take("), device=")) continue;
      out.device = device(")\n");
      if (!c_.take(")") || !ends()) continue;
      out.text = dedented(c_.text().substr(begin, end - begin), indent);
      return out;
    }
    c_.fail("the end of this " + type + " is missing", begin);
  }

  ReprData stack(size_t indent) {
    ReprData out;
    out.stacked = true;
    std::string_view line = c_.until("\n");
    if (line.empty() || line.back() != ',') c_.fail("expected ',' and a new line");
    out.text = line.substr(0, line.size() - 1);
    c_.expect_line(indent + step);
    c_.expect("batch_size=");
    out.batch = c_.size();
    c_.expect(",");
    c_.expect_line(indent + step);
    c_.expect("device=");
    out.device = device(")\n");
    c_.expect(")");
    return out;
  }

  ReprCursor& c_;
};

}  // namespace

ReprNode read_repr(std::string_view text) {
  ReprCursor cursor(text);
  constexpr std::string_view white = " \t\r\n";
  cursor.seek(std::min(text.find_first_not_of(white), text.size()));
  ReprNode out = DetailedRepr(cursor).node(0, 1, true);
  if (cursor.rest().find_first_not_of(white) != std::string_view::npos) cursor.fail("text after the end of the dict");
  return out;
}

}  // namespace td
