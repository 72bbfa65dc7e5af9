// Access by key. The floor knows nothing of batches, locks or errors: a look-up in the fastest map there is.
#include <ATen/ops/zeros.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

using Map = boost::unordered_flat_map<std::string, at::Tensor>;
using Maps = boost::unordered_flat_map<std::string, boost::unordered_flat_map<std::string, Map>>;

constexpr const char* lookup = "flat_map find, copy Tensor";
constexpr const char* lookups = "3 x flat_map find, copy Tensor";
const char* const names[] = {"observation", "action", "reward", "done", "value"};

// Hides from the compiler that a key never changes.
template <class T>
T& opaque(T& value) {
  benchmark::DoNotOptimize(&value);
  benchmark::ClobberMemory();
  return value;
}

void get(td_dict* d, const td_key* key) {
  td_tensor* t;
  must(td_dict_get(d, key, &t, nullptr));
  td_tensor_release(t);
}
void get(td_dict* d, const td_path* path) {
  td_tensor* t;
  must(td_dict_get_p(d, path, &t, nullptr));
  td_tensor_release(t);
}

void copy(const Map& map, const std::string& key) {
  at::Tensor t = map.find(opaque(key))->second;
  benchmark::DoNotOptimize(t);
}

void add_flat(Rows& rows) {
  at::Tensor leaf = at::zeros({128, 4});
  Dict d = new_dict({128});
  Map map;
  for (const char* name : names) {
    must(td_dict_set(d.get(), TD_KEY(name), copy_of(leaf).get(), &failure));
    map[name] = at::zeros({128, 4});
  }
  std::string key = "reward";
  Path ready = path(TD_KEY("reward"));
  Tensor value = copy_of(leaf);

  rows.add("get, td_key").ours([=] { get(d.get(), TD_KEY("reward")); }).floor(lookup, [=] { copy(map, key); });
  rows.add("get, td_path")
      .ours([=] { get(d.get(), ready.get()); })
      .floor(lookup, [=] { copy(map, key); })
      .floor("copy Tensor", [=] {
        at::Tensor t = leaf;
        benchmark::DoNotOptimize(t);
      });
  rows.add("set, td_key")
      .ours([=] { must(td_dict_set(d.get(), TD_KEY("reward"), value.get(), nullptr)); })
      .floor("flat_map find, assign Tensor", [=]() mutable { map.find(opaque(key))->second = leaf; });
  rows.add("set, td_path")
      .ours([=] { must(td_dict_set_p(d.get(), ready.get(), value.get(), nullptr)); })
      .floor("flat_map find, assign Tensor", [=]() mutable { map.find(opaque(key))->second = leaf; });
}

void add_wide(Rows& rows) {
  Tensors leaves(100, at::zeros({128, 4}));
  Dict d = dict_of(leaves, 128);
  Map map;
  for (size_t i = 0; i < leaves.size(); ++i) map[leaf_name(i)] = leaves[i];
  std::string key = "leaf_50";
  Path ready = path(TD_KEY("leaf_50"));

  rows.add("get, td_key, 100 keys").ours([=] { get(d.get(), TD_KEY("leaf_50")); }).floor(lookup, [=] {
    copy(map, key);
  });
  rows.add("get, td_path, 100 keys").ours([=] { get(d.get(), ready.get()); }).floor(lookup, [=] { copy(map, key); });
}

void add_nested(Rows& rows) {
  at::Tensor leaf = at::zeros({128, 4});
  Dict d = new_dict({128});
  must(td_dict_set(d.get(), TD_KEY("next", "agent", "reward"), copy_of(leaf).get(), &failure));
  Maps maps;
  maps["next"]["agent"]["reward"] = leaf;
  std::string a = "next", b = "agent", c = "reward";
  Path ready = path(TD_KEY("next", "agent", "reward"));
  auto by_hand = [=] { copy(maps.find(opaque(a))->second.find(opaque(b))->second, c); };

  rows.add("get, 3 levels, td_key")
      .ours([=] { get(d.get(), TD_KEY("next", "agent", "reward")); })
      .floor(lookups, by_hand);
  rows.add("get, 3 levels, td_path").ours([=] { get(d.get(), ready.get()); }).floor(lookups, by_hand);
}

}  // namespace

void add_dict_rows(Rows& rows) {
  add_flat(rows);
  add_wide(rows);
  add_nested(rows);
}

}  // namespace bench
