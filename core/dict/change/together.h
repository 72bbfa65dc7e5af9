// Changes of one dict that arrive as a whole, where its store can do that.
#pragma once

#include <memory>

#include "core/dict/node.h"
#include "core/error.h"

namespace td {

class Together {
 public:
  // Throws Error(unsupported) for a version of what has none.
  explicit Together(const Node& node, optional<int64_t> version = nullopt) : change_(node.change(version)) {
    if (version && !change_) throw Error(Code::unsupported, "only a dict on a server has a version");
  }
  void commit() {
    if (change_) change_->commit();
  }

 private:
  std::unique_ptr<Gathered> change_;
};

}  // namespace td
