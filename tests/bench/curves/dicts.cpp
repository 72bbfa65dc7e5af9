// Leaves of a dict, its depth, and members of a lazy stack.
#include <ATen/ops/clone.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "tests/bench/curves/curves.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

using Map = boost::unordered_flat_map<std::string, at::Tensor>;

template <class F>
void drop(F make) {
  td_dict* out = nullptr;
  must(make(&out));
  td_dict_release(out);
}

template <class F>
double each_ns(size_t n, F body) {
  return least_ns(body) / static_cast<double>(n);
}

void set_all(td_dict* d, const std::vector<td_str>& names, const std::vector<Tensor>& values) {
  for (size_t i = 0; i < names.size(); ++i) {
    const td_key key = {&names[i], 1};
    must(td_dict_set(d, &key, values[i].get(), &failure));
  }
}

Map map_of(const std::vector<std::string>& names, const Tensors& values) {
  Map map;
  for (size_t i = 0; i < names.size(); ++i) map.emplace(names[i], values[i]);
  return map;
}

// All different, as the same one would always be in the cache.
Tensors zeros(size_t n, at::IntArrayRef shape) {
  Tensors made;
  for (size_t i = 0; i < n; ++i) made.push_back(at::zeros(shape));
  return made;
}

std::vector<Tensor> copies_of(const Tensors& all) {
  std::vector<Tensor> made;
  for (const at::Tensor& t : all) made.push_back(copy_of(t));
  return made;
}

std::vector<td_str> parts_of(const std::vector<std::string>& names) {
  std::vector<td_str> parts;
  for (const std::string& name : names) parts.push_back({name.data(), name.size()});
  return parts;
}

void add_leaves(Panel& panel, size_t n) {
  std::vector<std::string> names;
  for (size_t i = 0; i < n; ++i) names.push_back(leaf_name(i));
  const std::vector<td_str> parts = parts_of(names);
  const Tensors by_hand = zeros(n, {2, 4});
  const std::vector<Tensor> values = copies_of(by_hand);
  panel.add("set in a new dict", n, each_ns(n, [&] { set_all(new_dict({2}).get(), parts, values); }));
  panel.add("flat_map emplace", n, each_ns(n, [&] { map_of(names, by_hand); }), "set in a new dict");
  const Dict d = new_dict({2});
  set_all(d.get(), parts, values);
  panel.add("get", n, each_ns(n, [&] {
              for (const td_str& part : parts) {
                const td_key key = {&part, 1};
                td_tensor* t;
                must(td_dict_get(d.get(), &key, &t, nullptr));
                td_tensor_release(t);
              }
            }));
  const Map map = map_of(names, by_hand);
  panel.add("flat_map find, copy Tensor", n,
            each_ns(n,
                    [&] {
                      for (const std::string& name : names)
                        benchmark::DoNotOptimize(at::Tensor(map.find(name)->second));
                    }),
            "get");
  const td_index index = TD_SLICE(0, 1);
  panel.add("td[:1]", n,
            each_ns(n, [&] { drop([&](td_dict** out) { return td_dict_index(d.get(), &index, 1, out, nullptr); }); }));
  panel.add("at::slice", n,
            each_ns(n, [&] { each(by_hand, [](const at::Tensor& t) { return at::slice(t, 0, 0, 1); }); }), "td[:1]");
  panel.add("clone", n, each_ns(n, [&] { drop([&](td_dict** out) { return td_dict_clone(d.get(), out, nullptr); }); }));
  panel.add("at::clone", n, each_ns(n, [&] { each(by_hand, [](const at::Tensor& t) { return at::clone(t); }); }),
            "clone");
}

// A chain of maps by hand.
struct Level {
  at::Tensor leaf;
  boost::unordered_flat_map<std::string, std::unique_ptr<Level>> below;
};

void add_depth(Panel& panel, size_t depth) {
  const std::vector<td_str> parts(depth, TD_STR("node"));
  const td_key key = {parts.data(), depth};
  const Tensor value = copy_of(at::zeros({2, 4}));
  const Dict d = new_dict({2});
  must(td_dict_set(d.get(), &key, value.get(), &failure));
  panel.add("set", depth, each_ns(depth, [&] { must(td_dict_set(d.get(), &key, value.get(), nullptr)); }));
  panel.add("get", depth, each_ns(depth, [&] {
              td_tensor* t;
              must(td_dict_get(d.get(), &key, &t, nullptr));
              td_tensor_release(t);
            }));
  Level root;
  Level* last = &root;
  for (size_t i = 0; i < depth; ++i) last = (last->below["node"] = std::make_unique<Level>()).get();
  last->leaf = at::zeros({2, 4});
  const std::string name = "node";
  panel.add("flat_map find in each level", depth,
            each_ns(depth,
                    [&] {
                      const Level* at = &root;
                      for (size_t i = 0; i < depth; ++i) at = at->below.find(name)->second.get();
                      benchmark::DoNotOptimize(at::Tensor(at->leaf));
                    }),
            "get");
  panel.add("clone", depth,
            each_ns(depth, [&] { drop([&](td_dict** out) { return td_dict_clone(d.get(), out, nullptr); }); }));
  panel.add("flatten_keys", depth, each_ns(depth, [&] {
              drop([&](td_dict** out) { return td_dict_flatten_keys(d.get(), TD_NO_STR, out, nullptr); });
            }));
}

void add_members(Panel& panel, size_t n) {
  std::vector<Dict> owned;
  std::vector<td_dict*> members;
  const Tensors by_hand = zeros(n, {4});
  for (size_t i = 0; i < n; ++i) {
    owned.push_back(new_dict({}));
    must(td_dict_set(owned.back().get(), TD_KEY("a"), copy_of(by_hand[i]).get(), &failure));
    members.push_back(owned.back().get());
  }
  const auto stack = [&](td_dict** out) { return td_dict_lazy_stack(members.data(), n, 0, out, &failure); };
  panel.add("make the stack", n, each_ns(n, [&] { drop(stack); }));
  td_dict* made = nullptr;
  must(stack(&made));
  const Dict d = own(made);
  panel.add("get", n, each_ns(n, [&] {
              td_tensor* t;
              must(td_dict_get(d.get(), TD_KEY("a"), &t, nullptr));
              td_tensor_release(t);
            }));
  panel.add("at::stack", n, each_ns(n, [&] { benchmark::DoNotOptimize(at::stack(by_hand)); }), "get");
  panel.add("clone", n, each_ns(n, [&] { drop([&](td_dict** out) { return td_dict_clone(d.get(), out, nullptr); }); }));
  panel.add("at::clone", n, each_ns(n, [&] { each(by_hand, [](const at::Tensor& t) { return at::clone(t); }); }),
            "clone");
  panel.add("append", n, each_ns(n, [&] {
              td_dict* grows = nullptr;
              must(td_dict_lazy_new(nullptr, 0, 0, &grows, &failure));
              for (td_dict* m : members) must(td_dict_append(grows, m, nullptr));
              td_dict_release(grows);
            }));
}

}  // namespace

Panel leaves_panel() {
  Panel panel = {"Leaves of a dict", "leaves", "a leaf", {}};
  for (size_t n : {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000}) add_leaves(panel, n);
  return panel;
}

Panel depth_panel() {
  Panel panel = {"Depth of a dict with one leaf", "levels", "a level", {}};
  for (size_t n : {1, 2, 5, 10, 20, 50, 100, 200}) add_depth(panel, n);
  return panel;
}

Panel members_panel() {
  Panel panel = {"Members of a lazy stack", "members", "a member", {}};
  for (size_t n : {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000}) add_members(panel, n);
  return panel;
}

}  // namespace bench
