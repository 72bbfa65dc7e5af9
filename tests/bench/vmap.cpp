// Operations on a dict inside vmap, beside the same loop over LibTorch's own operators inside functorch.
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/ops/add.h>
#include <ATen/ops/slice.h>

#include "harness.h"
#include "setup.h"

namespace bench {

namespace {

namespace functorch = at::functorch;

// What td_vmap calls for all members: td + 1, and td[:64].
td_status added(void* add, const td_value* args, size_t, td_value* outs, size_t, td_error** err) {
  td_value with_one[] = {args[0], td_value_double(1.0)};
  td_dict* out = nullptr;
  td_status status = td_dict_apply_op(static_cast<const td_op*>(add), with_one, 2, nullptr, 0, &out, 1, err);
  if (status == TD_OK) outs[0] = td_value_dict(out);
  return status;
}

td_status sliced(void*, const td_value* args, size_t, td_value* outs, size_t, td_error** err) {
  td_index first = TD_SLICE(0, 64);
  td_dict* out = nullptr;
  td_status status = td_dict_index(args[0].as.dict, &first, 1, &out, err);
  if (status == TD_OK) outs[0] = td_value_dict(out);
  return status;
}

void run(td_vmap_function fn, void* userdata, const Dict& d) {
  td_value arg = td_value_dict(d.get()), out;
  must(td_vmap(fn, userdata, &arg, 1, nullptr, &out, 1, nullptr));
  td_value_clear(&out);
}

// The same for each leaf, inside a level of functorch's.
template <class F>
void by_hand(const Tensors& leaves, F make) {
  const int64_t members = leaves[0].size(0);
  const int64_t level =
      functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, members, functorch::RandomnessType::Error);
  Tensors results;
  for (const at::Tensor& t : leaves) {
    at::Tensor y = make(functorch::makeBatched(t, 0, level));
    const auto* batched = functorch::maybeGetBatchedImpl(y);
    results.push_back(batched->value().movedim(batched->bdim(), 0));
  }
  functorch::popDynamicLayerAndDeleteMetadata();
  benchmark::DoNotOptimize(results.data());
}

struct Members {
  Tensors leaves;
  Dict dict = new_dict({8, 128});

  Members() {
    for (size_t i = 0; i < 100; ++i) {
      leaves.push_back(at::randn({8, 128, 4}));
      must(td_dict_set(dict.get(), TD_KEY(leaf_name(i).c_str()), copy_of(leaves.back()).get(), &failure));
    }
  }
};

}  // namespace

void add_vmap_rows(Rows& rows) {
  rows.add("vmap of 8: td + 1, 100 leaves", [](Row& row) {
    auto m = std::make_shared<Members>();
    td_op* found = nullptr;
    must(td_op_find(TD_STR("add"), TD_STR("Scalar"), &found, &failure));
    std::shared_ptr<td_op> add(found, td_op_release);
    row.ours([=] { run(added, add.get(), m->dict); }).floor("at::add in functorch", [=] {
      by_hand(m->leaves, [](const at::Tensor& t) { return at::add(t, 1.0); });
    });
  });
  rows.add("vmap of 8: td[:64], 100 leaves", [](Row& row) {
    auto m = std::make_shared<Members>();
    row.ours([=] { run(sliced, nullptr, m->dict); }).floor("at::slice in functorch", [=] {
      by_hand(m->leaves, [](const at::Tensor& t) { return at::slice(t, 0, 0, 64); });
    });
  });
}

}  // namespace bench
