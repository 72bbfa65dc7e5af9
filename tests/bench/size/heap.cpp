#include "tests/bench/size/heap.h"

#include <cstring>
#include <map>
#include <utility>

#include <malloc.h>
#include <unistd.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/zeros.h>
#include <boost/unordered/unordered_flat_map.hpp>

namespace bench {

namespace {

constexpr size_t many = 10000;
using Map = boost::unordered_flat_map<std::string, at::Tensor>;

struct Release {
  void operator()(td_tensor* t) const { td_tensor_release(t); }
  void operator()(td_dict* d) const { td_dict_release(d); }
  void operator()(td_query* q) const { td_query_release(q); }
};
template <class T>
using Handle = std::unique_ptr<T, Release>;  // without the block of a shared_ptr

// What a function of the library makes: made<td_dict>(td_dict_clone, d).
template <class T, class F, class... A>
Handle<T> made(F function, A... arguments) {
  T* out = nullptr;
  must(function(arguments..., &out, &failure));
  return Handle<T>(out);
}

double used() {
  const struct mallinfo2 now = mallinfo2();
  return static_cast<double>(now.uordblks + now.hblkhd);
}

// Bytes of one result of `make`. The first, which is not counted, also makes what is made only once.
template <class F>
double bytes(F make) {
  static_cast<void>(make());
  const double before = used();
  const auto kept = make();
  return used() - before;
}

// Bytes of one of many results, without the room for them.
template <class F>
double bytes_of_one_of_many(F make) {
  std::vector<decltype(make())> kept;
  kept.reserve(many + 1);
  kept.push_back(make());
  const double before = used();
  for (size_t i = 0; i < many; ++i) kept.push_back(make());
  return (used() - before) / many;
}

at::Tensor four() {
  return at::zeros({1, 4});
}

Handle<td_tensor> tensor() {
  return made<td_tensor>(td_tensor_zeros, TD_SHAPE(1, 4), TD_DTYPE_FLOAT32, TD_NO_STR);
}

Handle<td_dict> dict(size_t leaves) {
  Handle<td_dict> d = made<td_dict>(td_dict_new, TD_SHAPE(1), nullptr);
  for (size_t i = 0; i < leaves; ++i)
    must(td_dict_set(d.get(), TD_KEY(leaf_name(i).c_str()), tensor().get(), &failure));
  return d;
}

std::unique_ptr<Map> map(size_t leaves) {
  auto m = std::make_unique<Map>();
  for (size_t i = 0; i < leaves; ++i) m->emplace(leaf_name(i), four());
  return m;
}

// In room that counts: 8 bytes each.
template <class F>
Tensors tensors(F make) {
  Tensors kept;
  kept.reserve(many);
  for (size_t i = 0; i < many; ++i) kept.push_back(make(i));
  return kept;
}

void add_dicts(std::vector<HeapRow>& rows) {
  rows.push_back({"an empty dict", bytes_of_one_of_many([] { return dict(0); }),
                  bytes_of_one_of_many([] { return std::make_unique<std::map<std::string, at::Tensor>>(); }),
                  "an empty std::map"});
  rows.push_back({"a dict of 3 leaves of 16 bytes", bytes_of_one_of_many([] { return dict(3); }),
                  bytes_of_one_of_many([] { return map(3); }), "a flat_map of names and Tensors"});
}

// Of 10,000 in a dict.
void add_leaves(std::vector<HeapRow>& rows) {
  const double n = many, alone = bytes_of_one_of_many(four), ours = bytes([] { return dict(many); }) / n;
  rows.push_back({"a tensor of 16 bytes", bytes_of_one_of_many(tensor), alone, "an at::Tensor"});
  rows.push_back({"a leaf of 16 bytes", ours, alone, "an at::Tensor"});
  rows.push_back(
      {"the same", ours, bytes([] { return map(many); }) / n, "an entry of a flat_map of names and Tensors"});
  const Handle<td_dict> d = dict(many);
  const Tensors by_hand = tensors([](size_t) { return four(); });
  const td_index all = TD_SLICE(0, 1);
  rows.push_back({"a leaf of `td[:1]`", bytes([&] { return made<td_dict>(td_dict_index, d.get(), &all, 1); }) / n,
                  bytes([&] { return tensors([&](size_t i) { return at::slice(by_hand[i], 0, 0, 1); }); }) / n,
                  "at::slice, in a vector"});
  rows.push_back({"a leaf of a clone", bytes([&] { return made<td_dict>(td_dict_clone, d.get()); }) / n,
                  bytes([&] { return tensors([&](size_t i) { return at::clone(by_hand[i]); }); }) / n,
                  "at::clone, in a vector"});
  rows.push_back({"a leaf of a copy that shares tensors",
                  bytes([&] { return made<td_dict>(td_dict_copy, d.get()); }) / n,
                  bytes([&] { return tensors([&](size_t i) { return by_hand[i]; }); }) / n, "a Tensor in a vector"});
}

void add_opened(std::vector<HeapRow>& rows) {
  const std::string name = "td.bench.heap." + std::to_string(getpid());
  const Segment segment = segment_of(many, name);
  float byte = 0;
  const auto open = [&] {
    td_segment* opened = nullptr;
    must(td_segment_open(TD_STR(name.c_str()), nullptr, &opened, &failure));
    td_dict* views = nullptr;
    must(td_segment_dict(opened, &views, &failure));
    td_segment_release(opened);
    return Handle<td_dict>(views);
  };
  rows.push_back({"a leaf of an opened segment", bytes(open) / many,
                  bytes([&] { return tensors([&](size_t) { return at::from_blob(&byte, {1}); }); }) / many,
                  "at::from_blob, in a vector"});
}

void add_members(std::vector<HeapRow>& rows) {
  std::vector<Handle<td_dict>> members;
  std::vector<td_dict*> pointers;
  for (size_t i = 0; i < many; ++i) members.push_back(dict(1)), pointers.push_back(members.back().get());
  rows.push_back({"a member of a lazy stack, beyond its own",
                  bytes([&] { return made<td_dict>(td_dict_lazy_stack, pointers.data(), many, 0); }) / many,
                  bytes([&] { return std::vector<td_dict*>(pointers); }) / many, "a pointer in a vector"});
}

void add_map_rows(std::vector<HeapRow>& rows) {
  constexpr int64_t n = 1000000;
  const at::Tensor values = at::randint(INT64_MIN, INT64_MAX, {n}, at::kLong);
  const auto query = [&] {
    Handle<td_query> q = made<td_query>(td_query_new, TD_KEY("row"), 1, nullptr);
    const Handle<td_dict> data = made<td_dict>(td_dict_new, &n, 1, nullptr);
    must(td_dict_set(data.get(), TD_KEY("row"), copy_of(values).get(), &failure));
    must(td_query_forward(q.get(), data.get(), TD_QUERY_DEFAULT, &failure));
    return q;
  };
  rows.push_back({"a row of a map of 1,000,000", bytes(query) / n, bytes([&] {
                                                                     boost::unordered_flat_map<int64_t, int64_t> m;
                                                                     for (int64_t i = 0; i < n; ++i)
                                                                       m.emplace(values.data_ptr<int64_t>()[i], i);
                                                                     return m;
                                                                   }) / n,
                  "an entry of a flat_map"});
}

}  // namespace

Segment segment_of(size_t leaves, const std::string& name) {
  const Handle<td_dict> d = made<td_dict>(td_dict_new, TD_SHAPE(1), nullptr);
  for (size_t i = 0; i < leaves; ++i)
    must(td_dict_set(d.get(), TD_KEY(leaf_name(i).c_str()),
                     made<td_tensor>(td_tensor_zeros, TD_SHAPE(1, 1024), TD_DTYPE_FLOAT32, TD_NO_STR).get(), &failure));
  td_segment* made = nullptr;
  must(td_segment_create(TD_STR(name.c_str()), d.get(), nullptr, &made, &failure));
  return Segment(made, td_segment_release);
}

std::vector<HeapRow> heap_rows() {
  std::vector<HeapRow> rows;
  add_dicts(rows);
  add_leaves(rows);
  add_opened(rows);
  add_members(rows);
  add_map_rows(rows);
  return rows;
}

void without_caches_of_malloc(char** argv) {
  const char* const setting = "glibc.malloc.tcache_count=0";
  const char* now = std::getenv("GLIBC_TUNABLES");
  if (now && std::strcmp(now, setting) == 0) return;
  setenv("GLIBC_TUNABLES", setting, 1);
  execv("/proc/self/exe", argv);
  stop("cannot start itself again");
}

}  // namespace bench
