// Operations over all leaves. The floors make the tensors only, without the dict that holds them.
#include <cstring>

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/stack.h>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

// The least that a view can cost: no dispatcher, no autograd.
at::Tensor raw_view(const at::Tensor& t, at::IntArrayRef sizes, int64_t offset) {
  at::Tensor view =
      at::detail::make_tensor<at::TensorImpl>(at::TensorImpl::VIEW, c10::Storage(t.storage()), t.key_set(), t.dtype());
  view.unsafeGetTensorImpl()->set_storage_offset(offset);
  view.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, t.strides());
  return view;
}

void index(td_dict* d, const td_index& by) {
  td_dict* out;
  must(td_dict_index(d, &by, 1, &out, nullptr));
  td_dict_release(out);
}

void add_slice(Rows& rows, size_t n) {
  rows.add("td[64:], " + std::to_string(n) + " leaves", [=](Row& row) {
    Tensors leaves = random_leaves(n);
    Dict d = dict_of(leaves, 128);
    row.ours([=] { index(d.get(), TD_SLICE(64, TD_END)); })
        .floor("at::slice", [=] { each(leaves, [](const at::Tensor& t) { return at::slice(t, 0, 64); }); })
        .floor("make_tensor(VIEW)", [=] {
          each(leaves, [](const at::Tensor& t) { return raw_view(t, {64, 4}, 64 * 4); });
        });
  });
}

void add_index(Rows& rows) {
  rows.add("td[64 rows], 3 leaves", [](Row& row) {
    Tensors leaves = random_leaves(3);
    Dict d = dict_of(leaves, 128);
    at::Tensor picked = at::randint(0, 128, {64}, at::kLong);
    Tensor same = copy_of(picked);
    row.ours([=] { index(d.get(), TD_TENSOR(same.get())); }).floor("at::index_select", [=] {
      each(leaves, [&](const at::Tensor& t) { return at::index_select(t, 0, picked); });
    });
  });
}

void add_stack(Rows& rows) {
  rows.add("stack 32 x 3 leaves", [](Row& row) {
    ManyDicts many;
    row.ours([=] {
         td_dict* out;
         must(td_dict_stack(many.dicts.data(), many.dicts.size(), 0, &out, nullptr));
         td_dict_release(out);
       })
        .floor("at::stack",
               [=] {
                 for (const Tensors& column : many.columns) benchmark::DoNotOptimize(at::stack(column));
               })
        .floor("memcpy alone", [=] {
          for (const Tensors& column : many.columns) stack_bytes(column);
        });
  });
}

void add_arithmetic(Rows& rows) {
  rows.add("td + 1, 100 leaves", [](Row& row) {
    Tensors leaves = random_leaves(100);
    Dict d = dict_of(leaves, 128);
    td_op* found = nullptr;
    must(td_op_find(TD_STR("add"), TD_STR("Scalar"), &found, &failure));
    std::shared_ptr<td_op> add(found, td_op_release);
    row.ours([=] {
         td_value args[] = {td_value_dict(d.get()), td_value_double(1.0)};
         td_dict* out;
         must(td_dict_apply_op(add.get(), args, 2, nullptr, 0, &out, 1, nullptr));
         td_dict_release(out);
       })
        .floor("at::_foreach_add", [=] { benchmark::DoNotOptimize(at::_foreach_add(leaves, 1.0)); })
        .floor("at::add in a loop", [=] { each(leaves, [](const at::Tensor& t) { return at::add(t, 1.0); }); });
  });
}

void add_clone(Rows& rows) {
  rows.add("clone, 100 leaves", [](Row& row) {
    Tensors leaves = random_leaves(100);
    Dict d = dict_of(leaves, 128);
    row.ours([=] {
         td_dict* out;
         must(td_dict_clone(d.get(), &out, nullptr));
         td_dict_release(out);
       })
        .floor("at::clone", [=] { each(leaves, [](const at::Tensor& t) { return at::clone(t); }); })
        .floor("memcpy into one tensor", [=] {
          at::Tensor all = at::empty({100, 128, 4});
          float* to = all.data_ptr<float>();
          for (const at::Tensor& t : leaves) {
            std::memcpy(to, t.data_ptr(), t.nbytes());
            to += t.numel();
          }
          benchmark::ClobberMemory();
        });
  });
}

}  // namespace

void add_op_rows(Rows& rows) {
  add_slice(rows, 3);
  add_slice(rows, 100);
  add_index(rows);
  add_stack(rows);
  add_arithmetic(rows);
  add_clone(rows);
}

}  // namespace bench
