// Rows to dense indices. The floor hashes one row after another and has no plugin in between.
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/randint.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

uint64_t rotate(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

// SipHash-1-3 with the key 0, as CPython hashes bytes under PYTHONHASHSEED=0.
class SipHash {
 public:
  int64_t operator()(const uint8_t* row, size_t size) {
    uint64_t block;
    size_t at = 0;
    for (; at + 8 <= size; at += 8) {
      std::memcpy(&block, row + at, 8);
      absorb(block);
    }
    block = 0;
    std::memcpy(&block, row + at, size - at);
    absorb(block | static_cast<uint64_t>(size) << 56);
    c_ ^= 0xff;
    for (int i = 0; i < 3; ++i) round();
    auto hash = static_cast<int64_t>(a_ ^ b_ ^ c_ ^ d_);
    return size == 0 ? 0 : hash == -1 ? -2 : hash;
  }

 private:
  void absorb(uint64_t block) {
    d_ ^= block;
    round();
    a_ ^= block;
  }
  void round() {
    a_ += b_, b_ = rotate(b_, 13) ^ a_, a_ = rotate(a_, 32);
    c_ += d_, d_ = rotate(d_, 16) ^ c_;
    a_ += d_, d_ = rotate(d_, 21) ^ a_;
    c_ += b_, b_ = rotate(b_, 17) ^ c_, c_ = rotate(c_, 32);
  }

  uint64_t a_ = 0x736f6d6570736575, b_ = 0x646f72616e646f6d, c_ = 0x6c7967656e657261, d_ = 0x7465646279746573;
};

struct Answer {
  at::Tensor hashes, indices;
};

Answer index_by_hand(const at::Tensor& data) {
  int64_t n = data.size(0);
  Answer answer{at::empty({n}, at::kLong), at::empty({n}, at::kLong)};
  auto* hashes = answer.hashes.data_ptr<int64_t>();
  auto* indices = answer.indices.data_ptr<int64_t>();
  const auto* rows = data.data_ptr<uint8_t>();
  auto size = static_cast<size_t>(data.size(1));
  boost::unordered_flat_map<int64_t, int64_t> map;
  for (int64_t i = 0; i < n; ++i) {
    hashes[i] = SipHash()(rows + static_cast<size_t>(i) * size, size);
    indices[i] = map.emplace(hashes[i], static_cast<int64_t>(map.size())).first->second;
  }
  return answer;
}

void index(td_dict* data) {
  td_query* query;
  must(td_query_new(TD_KEY("row"), 1, nullptr, &query, nullptr));
  must(td_query_forward(query, data, TD_QUERY_DEFAULT, &failure));
  td_query_release(query);
}

// A floor that computes something else would be no floor.
void check_same_hashes(td_dict* data, const at::Tensor& rows) {
  index(data);
  td_tensor* hashes = nullptr;
  const void* ours = nullptr;
  must(td_dict_get(data, TD_KEY("_hash"), &hashes, &failure));
  must(td_tensor_data(hashes, &ours, &failure));
  if (std::memcmp(ours, index_by_hand(rows).hashes.data_ptr(), static_cast<size_t>(rows.size(0)) * 8) != 0)
    stop("the floor's hashes are not the library's");
  td_tensor_release(hashes);
}

void add_width(Rows& rows, int64_t bytes) {
  constexpr int64_t n = 100000;
  rows.add("query, 100000 rows of " + std::to_string(bytes) + " B", [=](Row& row) {
    at::Tensor values = at::randint(0, 256, {n, bytes}, at::kByte);
    Dict data = new_dict({n});
    must(td_dict_set(data.get(), TD_KEY("row"), copy_of(values).get(), &failure));
    check_same_hashes(data.get(), values);
    row.ours([=] { index(data.get()); }).floor("SipHash-1-3, flat_map emplace", [=] {
      benchmark::DoNotOptimize(index_by_hand(values));
    });
  });
}

// Hashes alone: rows that fit the cache.
void add_hash(Rows& rows, int64_t bytes) {
  const int64_t n = 262144 / bytes;
  rows.add("siphash, " + std::to_string(n) + " rows of " + std::to_string(bytes) + " B", [=](Row& row) {
    at::Tensor values = at::randint(0, 256, {n, bytes}, at::kByte);
    td_hash* made;
    must(td_hash_new(TD_STR("td.siphash"), TD_NO_STR, &made, &failure));
    std::shared_ptr<td_hash> hash(made, td_hash_release);
    auto size = static_cast<size_t>(bytes);
    auto out = std::make_shared<std::vector<uint64_t>>(static_cast<size_t>(n));
    row.ours([=] {
         must(td_hash_rows(hash.get(), values.data_ptr(), static_cast<size_t>(n), size, size, out->data(), nullptr));
       })
        .floor("SipHash-1-3, a row at a time", [=] {
          const auto* p = values.data_ptr<uint8_t>();
          for (size_t i = 0; i < out->size(); ++i) (*out)[i] = static_cast<uint64_t>(SipHash()(p + i * size, size));
          benchmark::DoNotOptimize(out->data());
        });
  });
}

using Query = std::shared_ptr<td_query>;

Query query_over(const td_key* keys, size_t n) {
  td_query* made;
  must(td_query_new(keys, n, nullptr, &made, &failure));
  return Query(made, td_query_release);
}

Dict two_columns(const at::Tensor& a, const at::Tensor& b) {
  Dict data = new_dict({a.size(0)});
  must(td_dict_set(data.get(), TD_KEY("a"), copy_of(a).get(), &failure));
  must(td_dict_set(data.get(), TD_KEY("b"), copy_of(b).get(), &failure));
  return data;
}

// A map of a million rows over two keys of 16 bytes, asked for rows that it has.
enum class Map { own, shared };

void add_warm(Rows& rows, const char* what, int64_t n, bool only_ask, Map where = Map::own) {
  rows.add(what, [=](Row& row) {
    constexpr int64_t entries = 1000000;
    at::Tensor a = at::randint(0, 1 << 30, {entries, 2}, at::kLong),
               b = at::randint(0, 1 << 30, {entries, 2}, at::kLong);
    static const td_str names[] = {{"a", 1}, {"b", 1}};
    static const td_key keys[] = {{&names[0], 1}, {&names[1], 1}};
    Query query = query_over(keys, 2);
    Dict all = two_columns(a, b);
    must(td_query_forward(query.get(), all.get(), TD_QUERY_DEFAULT, &failure));
    if (where == Map::shared) {
      const std::string name = "bench.map." + std::to_string(getpid());
      Query reader = query_over(keys, 2);
      must(td_query_share(query.get(), TD_STR(name.c_str()), nullptr, &failure));
      must(td_query_attach(reader.get(), TD_STR(name.c_str()), TD_QUERY_MAP_READ, &failure));
      query = reader;  // the writer lets go, and the name goes with it
    }
    at::Tensor chosen = at::randint(0, entries, {n}, at::kLong);
    Dict asked = two_columns(a.index_select(0, chosen), b.index_select(0, chosen));
    if (only_ask)
      row.ours([=] {
        td_tensor* there;
        must(td_query_contains(query.get(), asked.get(), &there, &failure));
        td_tensor_release(there);
      });
    else
      row.ours([=] { must(td_query_forward(query.get(), asked.get(), TD_QUERY_DEFAULT, &failure)); });
    auto map = std::make_shared<boost::unordered_flat_map<int64_t, int64_t>>();
    at::Tensor hashes = at::randint(INT64_MIN, INT64_MAX, {entries}, at::kLong);
    for (int64_t i = 0; i < entries; ++i) map->emplace(hashes.data_ptr<int64_t>()[i], i);
    at::Tensor wanted = hashes.index_select(0, chosen), found = at::empty({n}, at::kLong);
    row.floor("flat_map find alone", [=] {
      for (int64_t i = 0; i < n; ++i) found.data_ptr<int64_t>()[i] = map->find(wanted.data_ptr<int64_t>()[i])->second;
    });
  });
}

void add_growth(Rows& rows, int64_t n) {
  rows.add("query, " + std::to_string(n) + " new rows of 8 B", [=](Row& row) {
    at::Tensor values = at::randint(INT64_MIN, INT64_MAX, {n}, at::kLong);
    Dict data = new_dict({n});
    must(td_dict_set(data.get(), TD_KEY("a"), copy_of(values).get(), &failure));
    row.ours([=] {
         Query query = query_over(TD_KEY("a"), 1);
         must(td_query_forward(query.get(), data.get(), TD_QUERY_DEFAULT, &failure));
       })
        .floor("flat_map emplace alone", [=] {
          boost::unordered_flat_map<int64_t, int64_t> map;
          const auto* p = values.data_ptr<int64_t>();
          for (int64_t i = 0; i < n; ++i) map.emplace(p[i], i);
          benchmark::DoNotOptimize(map.size());
        });
  });
}

// The same map as a floor's, behind the functions of a caller.
struct OwnMap {
  boost::unordered_flat_map<int64_t, int64_t> map;

  static OwnMap& of(void* self) { return *static_cast<OwnMap*>(self); }
  static td_status look_up(void* self, const int64_t* hashes, size_t n, int64_t* indices, td_error**) {
    const auto& map = of(self).map;
    for (size_t i = 0; i < n; ++i) {
      auto at = map.find(hashes[i]);
      indices[i] = at == map.end() ? -1 : at->second;
    }
    return TD_OK;
  }
  static td_status insert(void* self, const int64_t* hashes, size_t n, int64_t* indices, td_error**) {
    auto& map = of(self).map;
    for (size_t i = 0; i < n; ++i) indices[i] = map.emplace(hashes[i], static_cast<int64_t>(map.size())).first->second;
    return TD_OK;
  }
  static td_status size(void* self, int64_t* size, int64_t* next, td_error**) {
    *size = *next = static_cast<int64_t>(of(self).map.size());
    return TD_OK;
  }
  static void destroy(void* self) { delete &of(self); }
};

Query query_over_own_map() {
  td_index_map functions = {sizeof functions, OwnMap::look_up, OwnMap::insert, nullptr,      OwnMap::size,
                            nullptr,          nullptr,         nullptr,        new OwnMap(), OwnMap::destroy};
  td_query* made;
  must(td_query_new_with_map(TD_KEY("a"), 1, nullptr, &functions, &made, &failure));
  return Query(made, td_query_release);
}

// A map of the caller's beside the library's: rows that are there, and new ones.
void add_own_map(Rows& rows, int64_t n, bool grows) {
  rows.add("query, the caller's map, " + std::to_string(n) + (grows ? " new rows of 8 B" : " rows of 8 B"),
           [=](Row& row) {
             at::Tensor values = at::randint(INT64_MIN, INT64_MAX, {n}, at::kLong);
             Dict data = new_dict({n});
             must(td_dict_set(data.get(), TD_KEY("a"), copy_of(values).get(), &failure));
             Query own = query_over_own_map(), builtin = query_over(TD_KEY("a"), 1);
             auto ask = [=](const Query& query) {
               must(td_query_forward(query.get(), data.get(), TD_QUERY_DEFAULT, nullptr));
             };
             ask(own), ask(builtin);
             if (grows)
               row.ours([=] { ask(query_over_own_map()); }).floor("the library's map", [=] {
                 ask(query_over(TD_KEY("a"), 1));
               });
             else
               row.ours([=] { ask(own); }).floor("the library's map", [=] { ask(builtin); });
           });
}

}  // namespace

void add_query_rows(Rows& rows) {
  for (int64_t bytes : {16, 64, 256}) add_width(rows, bytes);
  for (int64_t bytes : {16, 64, 1024}) add_hash(rows, bytes);
  add_warm(rows, "query, 2 keys, 100000 rows, 1e6 entries", 100000, false);
  add_warm(rows, "query, 2 keys, 1 row, 1e6 entries", 1, false);
  add_warm(rows, "contains, 2 keys, 100000 rows, 1e6 entries", 100000, true);
  add_warm(rows, "contains, 2 keys, 100000 rows, 1e6 entries, shared map", 100000, true, Map::shared);
  for (int64_t n : {1000, 100000, 1000000, 10000000}) add_growth(rows, n);
  for (int64_t n : {1000, 100000}) add_own_map(rows, n, false), add_own_map(rows, n, true);
  // Rows, maps and what they grow from want about 8 GiB.
  if (sysconf(_SC_PHYS_PAGES) / 1024 * (sysconf(_SC_PAGESIZE) / 1024) > 16 * 1024) add_growth(rows, 100000000);
}

}  // namespace bench
