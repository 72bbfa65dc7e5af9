// Access by key. The floor knows nothing of batches, locks or errors: a look-up in the fastest map there is.
#include <ATen/ops/zeros.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

using Map = boost::unordered_flat_map<std::string, at::Tensor>;
using Maps = boost::unordered_flat_map<std::string, boost::unordered_flat_map<std::string, Map>>;

// Hides from the compiler that a key never changes.
const std::string& opaque(const std::string& key) {
  benchmark::DoNotOptimize(&key);
  benchmark::ClobberMemory();
  return key;
}

void get(td_dict* d, const td_key* key) {
  td_tensor* t;
  must(td_dict_get(d, key, &t, nullptr));
  td_tensor_release(t);
}
void look_up_entry(td_dict* d, const td_key* key) {
  td_entry entry;
  must(td_dict_lookup(d, key, &entry, nullptr));
  td_entry_clear(&entry);
}
void get(td_dict* d, const td_path* path) {
  td_tensor* t;
  must(td_dict_get_path(d, path, &t, nullptr));
  td_tensor_release(t);
}

void copy(const at::Tensor& from) {
  at::Tensor t = from;
  benchmark::DoNotOptimize(t);
}

// A dict and a map with the same keys.
struct Flat {
  Dict dict = new_dict({128});
  Map map;
  at::Tensor leaf = at::zeros({128, 4});
  Tensor value = copy_of(leaf);
  std::string key;
  Path ready;

  Flat(const std::vector<std::string>& names, const char* looked_up) : key(looked_up), ready(path(TD_KEY(looked_up))) {
    for (const std::string& name : names) {
      must(td_dict_set(dict.get(), TD_KEY(name.c_str()), value.get(), &failure));
      map[name] = leaf;
    }
  }
  at::Tensor& find() { return map.find(opaque(key))->second; }
};

Flat small() {
  return Flat({"observation", "action", "reward", "done", "value"}, "reward");
}

Flat wide() {
  std::vector<std::string> names;
  for (size_t i = 0; i < 100; ++i) names.push_back(leaf_name(i));
  return Flat(names, "leaf_50");
}

void add_gets(Rows& rows, const std::string& suffix, Flat (*make)()) {
  constexpr const char* look_up = "flat_map find, copy Tensor";
  rows.add("get, td_key" + suffix, [=](Row& row) {
    Flat f = make();
    row.ours([=] { get(f.dict.get(), TD_KEY(f.key.c_str())); }).floor(look_up, [=]() mutable { copy(f.find()); });
  });
  rows.add("lookup, td_key" + suffix, [=](Row& row) {
    Flat f = make();
    row.ours([=] { look_up_entry(f.dict.get(), TD_KEY(f.key.c_str())); }).floor(look_up, [=]() mutable {
      copy(f.find());
    });
  });
  rows.add("lookup of a missing key" + suffix, [=](Row& row) {
    Flat f = make();
    row.ours([=] { look_up_entry(f.dict.get(), TD_KEY("missing")); }).floor(look_up, [=]() mutable { copy(f.find()); });
  });
  rows.add("get, td_path" + suffix, [=](Row& row) {
    Flat f = make();
    row.ours([=] { get(f.dict.get(), f.ready.get()); })
        .floor(look_up, [=]() mutable { copy(f.find()); })
        .floor("copy Tensor", [=] { copy(f.leaf); });
  });
}

void add_sets(Rows& rows) {
  constexpr const char* assign = "flat_map find, assign Tensor";
  rows.add("set, td_key", [=](Row& row) {
    Flat f = small();
    row.ours([=] { must(td_dict_set(f.dict.get(), TD_KEY(f.key.c_str()), f.value.get(), nullptr)); })
        .floor(assign, [=]() mutable { f.find() = f.leaf; });
  });
  rows.add("set, td_path", [=](Row& row) {
    Flat f = small();
    row.ours([=] { must(td_dict_set_path(f.dict.get(), f.ready.get(), f.value.get(), nullptr)); })
        .floor(assign, [=]() mutable { f.find() = f.leaf; });
  });
}

struct Nested {
  Dict dict = new_dict({128});
  Maps maps;
  std::string a = "next", b = "agent", c = "reward";
  Path ready = path(TD_KEY("next", "agent", "reward"));

  Nested() {
    at::Tensor leaf = at::zeros({128, 4});
    must(td_dict_set(dict.get(), TD_KEY("next", "agent", "reward"), copy_of(leaf).get(), &failure));
    maps[a][b][c] = leaf;
  }
  void get_by_hand() const { copy(maps.find(opaque(a))->second.find(opaque(b))->second.find(opaque(c))->second); }
};

void add_nested(Rows& rows) {
  constexpr const char* look_ups = "3 x flat_map find, copy Tensor";
  rows.add("get, 3 levels, td_key", [=](Row& row) {
    Nested n;
    row.ours([=] { get(n.dict.get(), TD_KEY(n.a.c_str(), n.b.c_str(), n.c.c_str())); }).floor(look_ups, [=] {
      n.get_by_hand();
    });
  });
  rows.add("get, 3 levels, td_path", [=](Row& row) {
    Nested n;
    row.ours([=] { get(n.dict.get(), n.ready.get()); }).floor(look_ups, [=] { n.get_by_hand(); });
  });
}

}  // namespace

void add_dict_rows(Rows& rows) {
  add_gets(rows, "", small);
  add_gets(rows, ", 100 keys", wide);
  add_nested(rows);
  add_sets(rows);
}

}  // namespace bench
