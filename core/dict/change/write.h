// Values on their way into tensors that exist: all of them are checked before the first is written.
#pragma once

#include <vector>

#include "core/dict/node.h"
#include "core/tensor/in_place.h"

namespace td {

class Writes {
 public:
  // `value` will be copied into `target`, with broadcasting and a dtype cast. Throws what the copy would throw.
  void add(at::Tensor target, at::Tensor value, const Path& path);
  // The same for the tensor that `parent` shows under `key`, and writes itself.
  void add_stored(const Node& parent, const KeyView& key, at::Tensor value, const Path& path);
  void commit();

 private:
  struct Write {
    at::Tensor target, value;
    Path path;
  };
  struct StoredWrite {
    NodePtr parent;
    Key key;
    at::Tensor value;
  };
  std::vector<Write> writes_;
  InPlaceChecks checks_;
  std::vector<StoredWrite> stored_;
};

}  // namespace td
