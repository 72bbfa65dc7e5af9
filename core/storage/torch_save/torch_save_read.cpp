#include <algorithm>
#include <vector>

#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/levels.h"
#include "core/storage/archive/zip.h"
#include "core/storage/data_json.h"
#include "core/storage/memmap/mapped_file.h"
#include "core/storage/torch_save/pickled.h"
#include "core/storage/torch_save/storages.h"
#include "core/storage/torch_save/torch_save.h"
#include "core/tensor/dtype.h"

namespace td::storage {

namespace {

using pickled::Index;
using pickled::Item;
using pickled::Kind;
using pickled::Program;

// A text whose characters are bytes, as UTF-8.
std::string bytes_of(const Item& item) {
  if (!item.latin1) return std::string(item.text);
  std::string out;
  for (size_t i = 0; i < item.text.size(); ++i) {
    const auto c = static_cast<unsigned char>(item.text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < item.text.size() ? item.text[i + 1] : 0);
    if (c < 0x80)
      out += static_cast<char>(c);
    else if ((c & 0xFE) == 0xC2 && (next & 0xC0) == 0x80)
      out += static_cast<char>((c & 3) << 6 | (next & 0x3F)), ++i;
    else
      throw Error(Code::corrupt, "the bytes hold a character that is no byte");
  }
  return out;
}

class Tree {
 public:
  Tree(const Program& program, Storages& storages, bool lenient, size_t pickle_size)
      : p_(program), storages_(storages), lenient_(lenient), left_((size_t{32} << 20) + 64 * pickle_size) {}

  NodePtr root() {
    const Item& item = p_.items[p_.root];
    if (item.kind == Kind::dict) return dict(item, {});
    if (item.kind == Kind::list && std::any_of(item.members.begin(), item.members.end(), [&](Index i) {
          return p_.items[i].kind == Kind::tensor || p_.items[i].kind == Kind::dict;
        }))
      return list(item, {});
    const std::string what = item.kind == Kind::tensor   ? "one tensor"
                             : item.kind == Kind::object ? "an object of " + std::string(item.text)
                                                         : "a value";
    throw Error(Code::unsupported, "the file holds " + what + ", not a dict of tensors")
        .hint(item.kind == Kind::object && item.text.substr(0, 11) == "tensordict."
                  ? "in Python, save a TensorDict with its save(path)"
                  : "in Python, save a dict with it, for instance the state_dict() of a module");
  }

 private:
  // One value may stand in many places: what is made is bounded.
  void charge(size_t bytes) {
    if (bytes > left_)
      throw Error(Code::unsupported, "the values of the file would take far more memory than the file");
    left_ -= bytes;
  }

  std::string key_text(const Item& key) {
    if (key.kind == Kind::text) {
      check_utf8(key.text, "a key");
      return std::string(key.text);
    }
    if (key.kind == Kind::integer && !key.wide) return std::to_string(key.i);
    throw Error(Code::unsupported, "a key of the dict is neither text nor a number");
  }

  NodePtr dict(const Item& item, const Path& path) {
    NodePtr node = begin(path);
    for (size_t i = 0; i < item.members.size(); i += 2) {
      const Key key(located(path, [&] { return key_text(p_.items[item.members[i]]); }));
      if (node->has(key.view()))
        throw Error(Code::corrupt, "the key appears twice in the dict").key(to_string(path + key));
      put(*node, key, p_.items[item.members[i + 1]], path + key);
    }
    return node;
  }

  // Of a list with tensors: its elements are "0", "1"...
  NodePtr list(const Item& item, const Path& path) {
    NodePtr node = begin(path);
    for (size_t i = 0; i < item.members.size(); ++i) {
      const Key key(std::to_string(i));
      put(*node, key, p_.items[item.members[i]], path + key);
    }
    return node;
  }

  NodePtr begin(const Path& path) {
    if (path.size() > max_levels) throw Error(Code::unsupported, "dicts are nested too deeply").key(to_string(path));
    charge(1024);
    return TensorDict::make({});
  }

  template <class F>
  auto located(const Path& path, F&& make) -> decltype(make()) {
    try {
      return make();
    } catch (Error& e) {
      throw e.key().empty() && path.size() > 0 ? e.key(to_string(path)) : e;
    }
  }

  void put(Node& node, const Key& key, const Item& item, const Path& path) {
    charge(1024 + key.text().size());
    if (item.kind == Kind::dict) return node.put(key, Entry(dict(item, path)));
    if (item.kind == Kind::tensor)
      return located(path, [&] {
        try {
          node.put(key, Entry(storages_.tensor(p_, item)));
        } catch (const Error& e) {
          if (!lenient_ || e.code() != Code::dtype) throw;
        }
      });
    Value value;
    if (located(path, [&] { return scalar(item, value) || json(item, value); }))
      return node.put(key, Entry(Data::uniform(std::move(value), {})));
    if (item.kind == Kind::list) return node.put(key, Entry(list(item, path)));
    if (lenient_) return;
    throw Error(Code::unsupported,
                "the entry is " +
                    (item.kind == Kind::storage ? "a storage" : "an object of " + std::string(item.text)) +
                    ", which only Python can make")
        .key(to_string(path))
        .hint(
            "in Python, save only dicts, lists, numbers, text and tensors; with `lenient`, the file opens without it");
  }

  bool scalar(const Item& item, Value& value) {
    charge(item.text.size());
    switch (item.kind) {
      case Kind::none:
        return true;
      case Kind::boolean:
        return value.kind = Value::Kind::boolean, value.i = item.i, true;
      case Kind::integer:
        value.kind = item.wide ? Value::Kind::json : Value::Kind::integer;
        if (item.wide) value.text = std::to_string(static_cast<uint64_t>(item.i));
        value.i = item.wide ? 0 : item.i;
        return true;
      case Kind::real:
        return value.kind = Value::Kind::real, value.f = item.f, true;
      case Kind::text:
        check_utf8(item.text, "a text");
        return value.kind = Value::Kind::text, value.text = item.text, true;
      case Kind::bytes:
        return value.kind = Value::Kind::bytes, value.text = bytes_of(item), true;
      case Kind::name:  // a dtype is one
        value.kind = Value::Kind::text, value.text = item.text;
        return is_dtype(item.text);
      default:
        return false;
    }
  }

  static bool is_dtype(std::string_view name) {
    try {
      return name.substr(0, 6) == "torch." && dtype_code_named(name) != 0;
    } catch (const Error&) {
      return false;
    }
  }

  // A list of nothing but such values, lists of them and dicts of them.
  bool json(const Item& item, Value& value) {
    value.kind = Value::Kind::json;
    value.text.clear();
    return item.kind == Kind::list && append(value.text, item, 1);
  }

  bool append(std::string& out, const Item& item, size_t depth) {
    charge(64);
    if (item.kind == Kind::list || item.kind == Kind::dict) return append_members(out, item, depth);
    Value value;
    if (item.kind == Kind::bytes || !scalar(item, value)) return false;
    append_value(out, value, 0, Path());
    return true;
  }

  bool append_members(std::string& out, const Item& item, size_t depth) {
    if (depth >= deepest_json) throw Error(Code::unsupported, "lists are nested too deeply");
    const bool is_dict = item.kind == Kind::dict;
    out += is_dict ? '{' : '[';
    for (size_t i = 0; i < item.members.size(); ++i) {
      if (i > 0) out += ',';
      if (is_dict) {
        const Item& key = p_.items[item.members[i++]];
        if (key.kind != Kind::text && (key.kind != Kind::integer || key.wide)) return false;
        charge(key.text.size());
        append_json(out, std::string_view(key_text(key)));
        out += ':';
      }
      if (!append(out, p_.items[item.members[i]], depth + 1)) return false;
    }
    out += is_dict ? '}' : ']';
    return true;
  }

  const Program& p_;
  Storages& storages_;
  bool lenient_;
  size_t left_;
};

const zip::Entry* find(const std::vector<zip::Entry>& entries, const std::string& name) {
  for (const zip::Entry& e : entries)
    if (e.name == name) return &e;
  return nullptr;
}

// The directory that holds everything.
std::string folder_of(const std::vector<zip::Entry>& entries) {
  constexpr std::string_view pickle = "/data.pkl";
  for (const zip::Entry& e : entries)
    if (e.name.size() > pickle.size() && e.name.find('/') == e.name.size() - pickle.size() &&
        e.name.compare(e.name.size() - pickle.size(), pickle.size(), pickle) == 0)
      return e.name.substr(0, e.name.size() - pickle.size());
  throw Error(Code::corrupt, "the file has no data.pkl").hint("it is a zip file, but torch.save did not write it");
}

std::string_view bytes(const MappedFile& file, const zip::Entry& e) {
  if (e.method != zip::stored)
    throw Error(Code::unsupported, "the entry is compressed, which torch.save does not do")
        .where(file.path() + "::" + e.name)
        .hint("pack the file again without compression");
  if (e.size == 0) return {};
  return {file.mapping()->data() + e.payload, static_cast<size_t>(e.size)};
}

NodePtr read_file(MappedFile& file, const OpenOptions& options) {
  if (is_legacy_torch_save(file.read(0, std::min<int64_t>(file.size(), 64))))
    throw Error(Code::unsupported, "the file is of torch.save before PyTorch 1.6, which wrote no zip files")
        .hint("in Python: torch.save(torch.load(path), path)");
  const std::vector<zip::Entry> entries = zip::read_directory(file);
  const std::string folder = folder_of(entries);
  if (find(entries, folder + "/constants.pkl"))
    throw Error(Code::unsupported, "it is a TorchScript file, a program")
        .hint("the module td.torchscript runs it; for its tensors, torch.save its state_dict() in Python");
  const zip::Entry* order = find(entries, folder + "/byteorder");
  if (order && bytes(file, *order) != "little")
    throw Error(Code::unsupported, "the numbers in the file are not little-endian")
        .hint("load and save it in Python on this machine");
  const zip::Entry& pickle = *find(entries, folder + "/data.pkl");
  if (pickle.size > longest_metadata)
    throw Error(Code::unsupported, "the pickle has more than 256 MiB").where(file.path() + "::" + pickle.name);
  const std::string_view text = bytes(file, pickle);
  Program program;
  try {
    program = pickled::read_program(text);
  } catch (Error& e) {
    throw e.where(file.path() + "::" + pickle.name);
  }
  Storages storages(file, entries, folder);
  return Tree(program, storages, options.lenient, text.size()).root();
}

}  // namespace

NodePtr open_torch_save(const std::string& path, const OpenOptions& options) {
  MappedFile file(path, options.mode);
  try {
    return read_file(file, options);
  } catch (Error& e) {
    throw e.where().empty() ? e.where(path) : e;
  }
}

}  // namespace td::storage
