// The vectors of hash types and of queries: hash.json.
#include "vectors.hpp"

namespace vectors {
namespace {

std::string bytes_of_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

std::uint64_t unsigned_of(const json::value& v) {
  return std::stoull(text(v), nullptr, 0);
}

std::string config_of(object members) {
  return json::serialize(members);
}

std::uint64_t hash_of(const std::string& type, const std::string& config, const std::string& message) {
  const Hash hash = Hash::create(type, config);
  if (!message.empty()) return hash.rows(message.data(), 1, message.size())[0];
  TensorOptions bytes;
  bytes.dtype = DType::uint8;
  return static_cast<std::uint64_t>(hash(Tensor::zeros({1, 0}, bytes)).to_vector<std::int64_t>()[0]);
}

class Hashes {
 public:
  void compare(const std::string& what, const std::string& type, const std::string& config, const std::string& message,
               std::uint64_t expected) {
    ++count_;
    check(hash_of(type, config, message) == expected, what + " of " + std::to_string(message.size()) + " bytes");
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

// Vectors without their bytes say how these are made.
std::string message_of(const object& o) {
  if (const json::value* hex = o.if_contains("hex")) return bytes_of_hex(text(*hex));
  const std::int64_t n = o.at("len").as_int64();
  std::string out;
  for (std::int64_t i = 0; i < n; ++i) out += static_cast<char>(i * 7 + n);
  return out;
}

void siphash(const object& all, Hashes& hashes) {
  const std::map<std::string, json::array> rounds = {{"13", {1, 3}}, {"24", {2, 4}}};
  for (const json::value& one : all.at("cpython_hash_bytes").at("vectors").as_array())
    for (int seed : {0, 42})
      for (const auto& [name, pair] : rounds) {
        const std::string what = "siphash" + name + "_seed" + std::to_string(seed);
        hashes.compare(what, "td.siphash", config_of({{"seed", seed}, {"rounds", pair}}), message_of(one.as_object()),
                       static_cast<std::uint64_t>(one.at(what).as_int64()));
      }
  for (const auto& [what, name] :
       std::map<std::string, std::string>{{"siphash24_official", "24"}, {"siphash13_reference", "13"}}) {
    std::string message;
    for (const json::value& expected : all.at(what).at("values").as_array()) {
      hashes.compare(
          what, "td.siphash",
          config_of({{"cpython", false}, {"key", "000102030405060708090a0b0c0d0e0f"}, {"rounds", rounds.at(name)}}),
          message, unsigned_of(expected));
      message += static_cast<char>(message.size());
    }
  }
}

void xxh3(const object& o, Hashes& hashes) {
  if (plugins::list().find("\"td.xxh3\"") == std::string::npos) return;  // this library was built without it
  std::size_t longest = 0;
  for (const json::value& one : o.at("vectors").as_array())
    longest = std::max(longest, static_cast<std::size_t>(one.at("len").as_int64()));
  std::string buffer;
  for (std::uint64_t g = 2654435761u; buffer.size() < longest; g *= 11400714785074694797u)
    buffer += static_cast<char>(g >> 56);
  const std::map<std::string, std::uint64_t> seeds = {
      {"seed0", 0}, {"seedP32", unsigned_of(o.at("P32"))}, {"seedP64", unsigned_of(o.at("P64"))}};
  for (const json::value& one : o.at("vectors").as_array())
    for (const auto& [name, seed] : seeds)
      hashes.compare("xxh3 " + name, "td.xxh3", config_of({{"seed", seed}}),
                     buffer.substr(0, static_cast<std::size_t>(one.at("len").as_int64())), unsigned_of(one.at(name)));
}

// The elements that bytes spell in row-major order.
Tensor tensor_of_bytes(const object& o) {
  const std::string bytes = bytes_of_hex(text(o.at("bytes_hex")));
  return Tensor::copy_of(bytes.data(), dtype_named(text(o.at("dtype"))), ints(o.at("shape")));
}

void query(const object& v) {
  Query q(keys_of(v.at("in_keys")));
  for (const json::value& step : v.at("steps").as_array()) {
    Dict data(ints(step.at("batch_size")));
    for (const auto& input : step.at("inputs").as_object())
      data.set(std::string(input.key()), tensor_of_bytes(input.value().as_object()));
    QueryCallOptions options;
    if (const json::value* extend = step.at("call").as_object().if_contains("extend"))
      options.extend = extend->as_bool();
    q(data, options);
    check(data.get("_index").to_vector<std::int64_t>() == ints(step.at("index")), "the indices");
    check(data.get("_hash").to_vector<std::int64_t>() == ints(step.at("hash")), "the hashes");
    check(q.size() == step.at("map_size_after").as_int64(), "the map has " + std::to_string(q.size()) + " rows");
  }
}

}  // namespace

int replay_hashes(const object& all, const Report& report) {
  Hashes hashes;
  report("hashes", [&] {
    siphash(all, hashes);
    xxh3(all.at("xxh3_64").as_object(), hashes);
  });
  int cases = 0;
  for (const json::value& one : all.at("query_module").at("cases").as_array())
    if (one.as_object().contains("steps")) {
      ++cases;
      report("query " + text(one.at("name")), [&] { query(one.as_object()); });
    }
  return hashes.count() + cases;
}

}  // namespace vectors
