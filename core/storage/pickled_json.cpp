#include "core/storage/pickled_json.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"
#include "core/storage/torch_save/pickled.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

class Pickler {
 public:
  explicit Pickler(std::string& out) : out_(out) {}

  void write(const bj::value& v) {
    if (const std::string_view odd = odd_number(v); !odd.empty()) return odd_one(odd);
    switch (v.kind()) {
      case bj::kind::null:
        out_ += 'N';
        break;
      case bj::kind::bool_:
        out_ += v.get_bool() ? '\x88' : '\x89';
        break;
      case bj::kind::int64:
        out_ += "\x8a\x08";
        number(static_cast<uint64_t>(v.get_int64()), 8);
        break;
      case bj::kind::uint64:  // a ninth byte, or it would be negative
        out_ += "\x8a\x09";
        number(v.get_uint64(), 9);
        break;
      case bj::kind::double_:
        real(v.get_double());
        break;
      case bj::kind::string:
        text({v.get_string().data(), v.get_string().size()});
        break;
      case bj::kind::array:
        out_ += "](";
        for (const bj::value& member : v.get_array()) write(member);
        out_ += 'e';
        break;
      case bj::kind::object:
        out_ += "}(";
        for (const auto& [key, member] : v.get_object()) text({key.data(), key.size()}), write(member);
        out_ += 'u';
    }
  }

 private:
  void number(uint64_t n, size_t width) {
    for (size_t i = 0; i < width; ++i, n >>= 8) out_ += static_cast<char>(n & 0xFF);
  }

  void text(std::string_view s) {
    const bool is_short = s.size() <= UINT32_MAX;
    out_ += is_short ? 'X' : '\x8d';
    number(s.size(), is_short ? 4 : 8);
    out_ += s;
  }

  void real(double d) {
    uint64_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    out_ += 'G';
    for (int shift = 56; shift >= 0; shift -= 8) out_ += static_cast<char>(bits >> shift & 0xFF);
  }

  void odd_one(std::string_view s) {
    if (s == "NaN") return real(std::nan(""));
    if (s == "Infinity" || s == "-Infinity") return real(s[0] == '-' ? -HUGE_VAL : HUGE_VAL);
    throw Error(Code::unsupported, "an integer beyond 64 bits cannot be sent").hint("send it as text");
  }

  std::string& out_;
};

class Reader {
 public:
  Reader(const pickled::Program& program, size_t size, const PickledMembers& without)
      : p_(program), longest_((size_t{1} << 20) + 64 * size), without_(without) {}

  void write(const pickled::Item& item, size_t depth) {
    using pickled::Kind;
    // One value may stand in many places: what is made is bounded.
    if (out.size() > longest_ || depth > deepest_json)
      throw Error(Code::unsupported, "the pickle is nested too deeply, or repeats a value too often");
    Value value;
    switch (item.kind) {
      case Kind::list:
        return list(item, depth);
      case Kind::dict:
        return dict(item, depth);
      case Kind::name:
        return append_json(out, std::string_view("<class '" + std::string(item.text) + "'>"));
      case Kind::none:
        break;
      case Kind::boolean:
        value.kind = Value::Kind::boolean, value.i = item.i;
        break;
      case Kind::integer:
        if (item.wide) return out += std::to_string(static_cast<uint64_t>(item.i)), void();
        value.kind = Value::Kind::integer, value.i = item.i;
        break;
      case Kind::real:
        value.kind = Value::Kind::real, value.f = item.f;
        break;
      case Kind::text:
        value.kind = Value::Kind::text, value.text = item.text;
        break;
      default:
        throw Error(Code::unsupported, "the pickle has " + what(item) + ", which is no JSON")
            .hint("send plain data: numbers, text, None, lists and dicts of them");
    }
    append_value(out, value, depth, Path());
  }

  std::string out;

 private:
  static std::string what(const pickled::Item& item) {
    using pickled::Kind;
    if (item.kind == Kind::bytes) return "bytes";
    if (item.kind == Kind::tensor || item.kind == Kind::storage) return "a tensor";
    return "an object of " + std::string(item.text);
  }

  void list(const pickled::Item& item, size_t depth) {
    const char* comma = "";
    out += '[';
    for (pickled::Index i : item.members) {
      out += comma;
      write(p_.items[i], depth + 1);
      comma = ",";
    }
    out += ']';
  }

  void dict(const pickled::Item& item, size_t depth) {
    const char* comma = "";
    out += '{';
    for (size_t i = 0; i < item.members.size(); i += 2) {
      const pickled::Item &key = p_.items[item.members[i]], &value = p_.items[item.members[i + 1]];
      if (key.kind != pickled::Kind::text) throw Error(Code::unsupported, "a key of the pickle is no text");
      if (depth == 0 && without_.count(key.text)) continue;
      out += comma;
      append_json(out, key.text);
      out += ':';
      write(value, depth + 1);
      comma = ",";
    }
    out += '}';
  }

  const pickled::Program& p_;
  size_t longest_;
  const PickledMembers& without_;
};

}  // namespace

std::string pickle_json(const bj::value& value) {
  std::string out("\x80\x04", 2);
  Pickler(out).write(value);
  return out + '.';
}

void find_pickled(std::string_view pickle, PickledMembers& members) {
  const pickled::Program program = pickled::read_program(pickle);
  const pickled::Item& root = program.items[program.root];
  if (root.kind != pickled::Kind::dict) throw Error(Code::corrupt, "the pickle is no dict");
  const PickledMembers none;
  for (size_t i = 0; i < root.members.size(); i += 2) {
    const pickled::Item& key = program.items[root.members[i]];
    auto found = key.kind == pickled::Kind::text ? members.find(key.text) : members.end();
    if (found == members.end()) continue;
    Reader reader(program, pickle.size(), none);
    reader.write(program.items[root.members[i + 1]], 1);
    found->second = std::move(reader.out);
  }
}

std::string json_of_pickle(std::string_view pickle, const PickledMembers& without) {
  const pickled::Program program = pickled::read_program(pickle);
  Reader reader(program, pickle.size(), without);
  reader.write(program.items[program.root], 0);
  return std::move(reader.out);
}

}  // namespace td::storage
