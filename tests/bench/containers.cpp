// Copies, shapes, keys and lazy stacks; how the cost of a leaf depends on how many there are and how deep they lie; and the
// same where autograd records. The floors make the tensors only, without the dict that holds them.
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/stack.h>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

using Make = td_status (*)(const td_dict*, td_dict**);

void run(const Dict& d, Make make) {
  td_dict* out;
  must(make(d.get(), &out));
  td_dict_release(out);
}

// Two leaves at the root and one below it.
Dict nested_of(const Tensors& leaves) {
  Dict d = new_dict({128});
  must(td_dict_set(d.get(), TD_KEY("a"), copy_of(leaves[0]).get(), &failure));
  must(td_dict_set(d.get(), TD_KEY("b"), copy_of(leaves[1]).get(), &failure));
  must(td_dict_set(d.get(), TD_KEY("n", "c"), copy_of(leaves[2]).get(), &failure));
  return d;
}

// One leaf below `depth` nodes.
Dict deep(size_t depth) {
  std::vector<td_str> parts(depth + 1, TD_STR("node"));
  td_key key = {parts.data(), parts.size()};
  Dict d = new_dict({128});
  must(td_dict_set(d.get(), &key, copy_of(at::randn({128, 4})).get(), &failure));
  return d;
}

td_status copied(const td_dict* d, td_dict** out) {
  return td_dict_copy(d, out, nullptr);
}
td_status cloned(const td_dict* d, td_dict** out) {
  return td_dict_clone(d, out, nullptr);
}
td_status reshaped(const td_dict* d, td_dict** out) {
  return td_dict_reshape(d, TD_SHAPE(8, 16), out, nullptr);
}
td_status flat_keys(const td_dict* d, td_dict** out) {
  return td_dict_flatten_keys(d, TD_NO_STR, out, nullptr);
}
td_status sliced(const td_dict* d, td_dict** out) {
  const td_index index = TD_SLICE(0, 64);
  return td_dict_index(d, &index, 1, out, nullptr);
}

std::shared_ptr<td_op> operator_named(const char* name, const char* overload) {
  td_op* found = nullptr;
  must(td_op_find(TD_STR(name), TD_STR(overload), &found, &failure));
  return {found, td_op_release};
}

void add_one(const td_op* add, const td_dict* d) {
  td_value args[] = {td_value_dict(d), td_value_double(1.0)};
  td_dict* out;
  must(td_dict_apply_op(add, args, 2, nullptr, 0, &out, 1, nullptr));
  td_dict_release(out);
}

void add_copies(Rows& rows) {
  rows.add("copy, 3 leaves nested", [](Row& row) {
    Tensors leaves = random_leaves(3);
    Dict d = nested_of(leaves);
    row.ours([=] { run(d, copied); }).floor("copy 3 Tensors", [=] {
      each(leaves, [](const at::Tensor& t) { return t; });
    });
  });
  rows.add("clone, 3 leaves nested", [](Row& row) {
    Tensors leaves = random_leaves(3);
    Dict d = nested_of(leaves);
    row.ours([=] { run(d, cloned); }).floor("at::clone", [=] {
      each(leaves, [](const at::Tensor& t) { return at::clone(t); });
    });
  });
}

void add_shapes(Rows& rows) {
  for (size_t n : {size_t{3}, size_t{100}})
    rows.add("td[:64], " + std::to_string(n) + " leaves", [=](Row& row) {
      Tensors leaves = random_leaves(n);
      Dict d = dict_of(leaves, 128);
      row.ours([=] { run(d, sliced); }).floor("at::slice", [=] {
        each(leaves, [](const at::Tensor& t) { return at::slice(t, 0, 0, 64); });
      });
    });
  rows.add("reshape, 100 leaves", [](Row& row) {
    Tensors leaves = random_leaves(100);
    Dict d = dict_of(leaves, 128);
    row.ours([=] { run(d, reshaped); }).floor("Tensor::view", [=] {
      each(leaves, [](const at::Tensor& t) { return t.view({8, 16, 4}); });
    });
  });
  rows.add("cat 32 x 3 leaves", [](Row& row) {
    ManyDicts many;
    row.ours([=] {
         td_dict* out;
         must(td_dict_cat(many.dicts.data(), many.dicts.size(), 0, &out, nullptr));
         td_dict_release(out);
       })
        .floor("at::cat",
               [=] {
                 for (const Tensors& column : many.columns) benchmark::DoNotOptimize(at::cat(column));
               })
        .floor("memcpy alone", [=] {
          for (const Tensors& column : many.columns) stack_bytes(column);
        });
  });
}

void add_keys(Rows& rows) {
  rows.add("keys of all leaves, 3 nested", [](Row& row) {
    Dict d = nested_of(random_leaves(3));
    row.ours([=] {
         td_keys* keys;
         must(td_dict_keys(d.get(), TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, nullptr));
         td_keys_release(keys);
       })
        .floor("3 lists of strings", [] {
          std::vector<std::vector<std::string>> made = {{"a"}, {"b"}, {"n", "c"}};
          benchmark::DoNotOptimize(made.data());
        });
  });
  rows.add("flatten_keys, 3 leaves nested", [](Row& row) {
    Tensors leaves = random_leaves(3);
    Dict d = nested_of(leaves);
    row.ours([=] { run(d, flat_keys); }).floor("copy 3 Tensors", [=] {
      each(leaves, [](const at::Tensor& t) { return t; });
    });
  });
}

struct Members {
  std::vector<Dict> owned;
  std::vector<td_dict*> dicts;
  Tensors leaves;
  Dict stack;
  Path key = path(TD_KEY("leaf_0"));

  Members() {
    for (size_t i = 0; i < 32; ++i) {
      Tensors three = random_leaves(3);
      leaves.push_back(three[0]);
      owned.push_back(dict_of(three, 128));
      dicts.push_back(owned.back().get());
    }
    stack = own(made());
  }
  td_dict* made() const {
    td_dict* out = nullptr;
    must(td_dict_lazy_stack(dicts.data(), dicts.size(), 0, &out, nullptr));
    return out;
  }
};

void add_lazy(Rows& rows) {
  rows.add("lazy_stack of 32", [](Row& row) {
    auto m = std::make_shared<Members>();
    row.ours([=] { td_dict_release(m->made()); }).floor("copy 32 pointers", [=] {
      std::vector<Dict> copy = m->owned;
      benchmark::DoNotOptimize(copy.data());
    });
  });
  rows.add("lazy get of 32", [](Row& row) {
    auto m = std::make_shared<Members>();
    row.ours([=] {
         td_tensor* t;
         must(td_dict_get_path(m->stack.get(), m->key.get(), &t, nullptr));
         td_tensor_release(t);
       })
        .floor("at::stack", [=] { benchmark::DoNotOptimize(at::stack(m->leaves)); })
        .floor("memcpy alone", [=] { stack_bytes(m->leaves); });
  });
  rows.add("lazy index", [](Row& row) {
    auto m = std::make_shared<Members>();
    row.ours([=] {
         const td_index third = TD_INT(3);
         td_dict* out;
         must(td_dict_index(m->stack.get(), &third, 1, &out, nullptr));
         td_dict_release(out);
       })
        .floor("copy a pointer", [=] {
          Dict copy = m->owned[3];
          benchmark::DoNotOptimize(copy.get());
        });
  });
}

// Rows of one kind for more and more leaves: divide by them.
void add_scaling(Rows& rows) {
  for (size_t n : {10, 100, 1000, 10000}) {
    std::string of = ", " + std::to_string(n) + " leaves";
    rows.add("scaling: get" + of, [=](Row& row) {
      Dict d = dict_of(random_leaves(n), 128);
      Path middle = path(TD_KEY(leaf_name(n / 2).c_str()));
      at::Tensor leaf = at::randn({1});
      row.ours([=] {
           td_tensor* t;
           must(td_dict_get_path(d.get(), middle.get(), &t, nullptr));
           td_tensor_release(t);
         })
          .floor("copy Tensor", [=] {
            at::Tensor t = leaf;
            benchmark::DoNotOptimize(t);
          });
    });
    rows.add("scaling: td[:64]" + of, [=](Row& row) {
      Tensors leaves = random_leaves(n);
      Dict d = dict_of(leaves, 128);
      row.ours([=] { run(d, sliced); }).floor("at::slice", [=] {
        each(leaves, [](const at::Tensor& t) { return at::slice(t, 0, 0, 64); });
      });
    });
    rows.add("scaling: clone" + of, [=](Row& row) {
      Tensors leaves = random_leaves(n);
      Dict d = dict_of(leaves, 128);
      row.ours([=] { run(d, cloned); }).floor("at::clone", [=] {
        each(leaves, [](const at::Tensor& t) { return at::clone(t); });
      });
    });
  }
  for (size_t depth : {1, 4, 16, 64})
    rows.add("scaling: copy, depth " + std::to_string(depth), [=](Row& row) {
      Dict d = deep(depth);
      at::Tensor leaf = at::randn({1});
      row.ours([=] { run(d, copied); }).floor("copy Tensor", [=] {
        at::Tensor t = leaf;
        benchmark::DoNotOptimize(t);
      });
    });
}

// Where operators have to run, a dict must not cost more than a loop over them.
void add_recorded(Rows& rows) {
  auto recorded = [](size_t n) {
    Tensors leaves = random_leaves(n);
    for (at::Tensor& t : leaves) t.set_requires_grad(true);
    return leaves;
  };
  auto dict = [](const Tensors& leaves) {
    Dict d = dict_of(leaves, 128);
    must(td_dict_requires_grad_(d.get(), 1, &failure));
    return d;
  };
  rows.add("recorded: td[:64], 100 leaves", [=](Row& row) {
    Tensors leaves = recorded(100);
    Dict d = dict(leaves);
    row.ours([=] { run(d, sliced); }).floor("at::slice", [=] {
      each(leaves, [](const at::Tensor& t) { return at::slice(t, 0, 0, 64); });
    });
  });
  rows.add("recorded: td + 1, 100 leaves", [=](Row& row) {
    Tensors leaves = recorded(100);
    Dict d = dict(leaves);
    auto add = operator_named("add", "Scalar");
    row.ours([=] { add_one(add.get(), d.get()); }).floor("at::add in a loop", [=] {
      each(leaves, [](const at::Tensor& t) { return at::add(t, 1.0); });
    });
  });
  rows.add("recorded: stack 8 x 100 leaves", [=](Row& row) {
    std::vector<Tensors> columns;
    std::vector<Dict> owned;
    std::vector<const td_dict*> dicts;
    for (int i = 0; i < 8; ++i) {
      columns.push_back(recorded(100));
      owned.push_back(dict(columns.back()));
      dicts.push_back(owned.back().get());
    }
    row.ours([owned, dicts] {
         td_dict* out;
         must(td_dict_stack(dicts.data(), dicts.size(), 0, &out, nullptr));
         td_dict_release(out);
       })
        .floor("at::stack", [=] {
          for (size_t leaf = 0; leaf < 100; ++leaf) {
            Tensors column;
            for (const Tensors& c : columns) column.push_back(c[leaf]);
            benchmark::DoNotOptimize(at::stack(column));
          }
        });
  });
}

}  // namespace

void add_container_rows(Rows& rows) {
  add_copies(rows);
  add_shapes(rows);
  add_keys(rows);
  add_lazy(rows);
  add_recorded(rows);
  add_scaling(rows);
}

}  // namespace bench
