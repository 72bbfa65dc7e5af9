#include "core/storage/redis/moment.h"

namespace td::storage::redis {

IndexList canonical(IndexList part, at::IntArrayRef sizes) {
  part = normalized(std::move(part), sizes, "shape");
  bool plain = true;  // whether each index takes one dim
  for (const Index& i : part) plain = plain && (i.kind == Index::Kind::integer || i.kind == Index::Kind::slice);
  auto whole = [&](const Index& i, size_t dim) {
    return i.kind == Index::Kind::slice && i.start == 0 && i.step == 1 && dim < sizes.size() && i.stop == sizes[dim];
  };
  while (plain && !part.empty() && whole(part.back(), part.size() - 1)) part.pop_back();
  return part;
}

bool same_part(const IndexList& a, const IndexList& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const bool same = a[i].kind == b[i].kind && a[i].start == b[i].start && a[i].stop == b[i].stop &&
                      a[i].step == b[i].step && a[i].tensor.is_same(b[i].tensor);
    if (!same) return false;
  }
  return true;
}

}  // namespace td::storage::redis
