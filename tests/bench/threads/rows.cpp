#include "tests/bench/threads/rows.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/zeros.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "tests/bench/setup.h"

namespace bench {

namespace {

using Map = boost::unordered_flat_map<std::string, at::Tensor>;
constexpr size_t leaves = 10;

void read(td_dict* d) {
  td_tensor* t;
  must(td_dict_get(d, TD_KEY("leaf_3"), &t, nullptr));
  td_tensor_release(t);
}

void copy(const at::Tensor& from) {
  at::Tensor t = from;
  benchmark::DoNotOptimize(t);
}

void slice(td_dict* d) {
  const td_index index = TD_SLICE(0, 64);
  td_dict* out;
  must(td_dict_index(d, &index, 1, &out, nullptr));
  td_dict_release(out);
}

void slice(const Tensors& all) {
  each(all, [](const at::Tensor& t) { return at::slice(t, 0, 0, 64); });
}

void list_keys(td_dict* d) {
  td_keys* keys;
  must(td_dict_keys(d, TD_KEYS_LEAVES, &keys, nullptr));
  td_keys_release(keys);
}

Map map_of(const Tensors& all) {
  Map map;
  for (size_t i = 0; i < all.size(); ++i) map[leaf_name(i)] = all[i];
  return map;
}

Dict random_dict() {
  return dict_of(random_leaves(leaves), 128);
}

void add_reads(std::vector<ThreadRow>& rows) {
  const Dict all = random_dict();
  const auto by_hand = std::make_shared<Tensors>(random_leaves(leaves));
  const char* const copied = "copy of one Tensor";
  rows.push_back({"get of a leaf, one dict", [=] { return [=] { read(all.get()); }; }, copied,
                  [=] { return [=] { copy((*by_hand)[3]); }; }});
  rows.push_back({"get of a leaf, a dict each",
                  [] {
                    const Dict own = random_dict();
                    return [=] { read(own.get()); };
                  },
                  "copy of a Tensor each",
                  [] {
                    const auto own = std::make_shared<Tensors>(random_leaves(1));
                    return [=] { copy((*own)[0]); };
                  }});
  rows.push_back({"keys, one dict of 10 leaves", [=] { return [=] { list_keys(all.get()); }; }, copied,
                  [=] { return [=] { copy((*by_hand)[3]); }; }});
  rows.push_back({"td[:64], one dict of 10 leaves", [=] { return [=] { slice(all.get()); }; },
                  "at::slice of the same Tensors", [=] { return [=] { slice(*by_hand); }; }});
  rows.push_back({"td[:64], a dict of 10 leaves each",
                  [] {
                    const Dict own = random_dict();
                    return [=] { slice(own.get()); };
                  },
                  "at::slice of Tensors of its own",
                  [] {
                    const auto own = std::make_shared<Tensors>(random_leaves(leaves));
                    return [=] { slice(*own); };
                  }});
}

// Each sets one of two tensors in turn, so that each set puts another one there.
ThreadRow::Make set_in_own(const std::function<Tensor()>& value) {
  return [=] {
    const Dict own = random_dict();
    const Tensor a = value(), b = value();
    return [=, turn = false]() mutable {
      turn = !turn;
      must(td_dict_set(own.get(), TD_KEY("leaf_3"), (turn ? a : b).get(), nullptr));
    };
  };
}

ThreadRow::Make assign_in_own(const std::function<at::Tensor()>& value) {
  return [=] {
    const auto own = std::make_shared<Map>(map_of(random_leaves(leaves)));
    const at::Tensor a = value(), b = value();
    return [=, key = leaf_name(3), turn = false]() mutable {
      turn = !turn;
      own->find(key)->second = turn ? a : b;
    };
  };
}

void add_writes(std::vector<ThreadRow>& rows) {
  const at::Tensor by_hand = at::zeros({128, 4});
  const Tensor ours = copy_of(by_hand);
  const auto fresh = [] { return at::zeros({128, 4}); };
  rows.push_back({"set of an own tensor, a dict each", set_in_own([=] { return copy_of(fresh()); }),
                  "assign in a flat_map", assign_in_own(fresh)});
  rows.push_back({"set of one tensor, a dict each", set_in_own([=] { return ours; }), "assign in a flat_map",
                  assign_in_own([=] { return by_hand; })});
  rows.push_back({"new dict, 3 own tensors set",
                  [=] {
                    const Tensor value = copy_of(fresh());
                    return [=] {
                      td_dict* d;
                      must(td_dict_new(TD_SHAPE(128), nullptr, &d, nullptr));
                      for (const char* key : {"a", "b", "c"}) must(td_dict_set(d, TD_KEY(key), value.get(), nullptr));
                      td_dict_release(d);
                    };
                  },
                  "new flat_map, 3 assigned",
                  [=] {
                    const at::Tensor value = fresh();
                    return [=] {
                      Map map;
                      for (const char* key : {"a", "b", "c"}) map[key] = value;
                      benchmark::DoNotOptimize(map);
                    };
                  }});
}

void add_modules(std::vector<ThreadRow>& rows) {
  td_module *linear = nullptr, *keyed = nullptr;
  must(td_module_new(TD_STR("td.linear"), TD_STR(R"({"in_features": 64, "out_features": 64})"), nullptr, &linear,
                     &failure));
  must(td_module_tensordict(linear, TD_KEY("x"), 1, TD_KEY("y"), 1, nullptr, &keyed, &failure));
  td_module_release(linear);
  const std::shared_ptr<td_module> module(keyed, td_module_release);
  const at::Tensor weight = at::randn({64, 64}).requires_grad_(), bias = at::randn({64}).requires_grad_();
  rows.push_back({"one module (linear, 4 x 64), a dict each",
                  [=] {
                    const Dict own = new_dict({4});
                    must(td_dict_set(own.get(), TD_KEY("x"), copy_of(at::randn({4, 64})).get(), &failure));
                    return [=] { must(td_module_forward(module.get(), own.get(), nullptr)); };
                  },
                  "at::linear, one weight",
                  [=] {
                    const at::Tensor x = at::randn({4, 64});
                    return [=] { benchmark::DoNotOptimize(at::linear(x, weight, bias)); };
                  }});
}

}  // namespace

std::vector<ThreadRow> thread_rows() {
  std::vector<ThreadRow> rows;
  add_reads(rows);
  add_writes(rows);
  add_modules(rows);
  return rows;
}

}  // namespace bench
