#include "capi/indices.h"

#include "core/tensor/factory.h"

namespace td::capi {

namespace {

Index component(const td_index& i) {
  using Kind = Index::Kind;
  if (i.reserved != 0) throw Error(Code::argument, "the member reserved of a td_index is not 0");
  switch (i.kind) {
    case TD_INDEX_KIND_INT:
      return {Kind::integer, i.start, 0, 1, {}};
    case TD_INDEX_KIND_SLICE:
      return {Kind::slice, i.start, i.stop, i.step, {}};
    case TD_INDEX_KIND_NONE:
      return {Kind::none, 0, 0, 1, {}};
    case TD_INDEX_KIND_ELLIPSIS:
      return {Kind::ellipsis, 0, 0, 1, {}};
    case TD_INDEX_KIND_TENSOR:
      return {Kind::tensor, 0, 0, 1, tensor(i.tensor)};
    case TD_INDEX_KIND_INTS: {
      const auto n = static_cast<int64_t>(i.n);
      return {Kind::tensor, 0, 0, 1, copy_of(i.ints, at::kLong, at::IntArrayRef(&n, 1))};
    }
    default:
      throw Error(Code::argument, "unknown kind of index " + std::to_string(i.kind));
  }
}

}  // namespace

IndexList indices(const td_index* given, size_t n) {
  if (n > 0 && !given) throw_null("indices");
  IndexList components;
  components.reserve(n);
  for (size_t i = 0; i < n; ++i) components.push_back(component(given[i]));
  return components;
}

}  // namespace td::capi
