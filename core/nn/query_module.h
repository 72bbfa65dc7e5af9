// A query among modules: its in-keys are the rows, its out-keys the index and the hash.
#pragma once

#include <mutex>

#include "core/nn/keyed_module.h"
#include "core/query/query.h"

namespace td {

class QueryModule final : public KeyedModule {
 public:
  explicit QueryModule(c10::intrusive_ptr<Query> query);
  std::string type_name() const override { return "QueryModule"; }
  bool has_gradients() const override { return false; }

 protected:
  NodePtr do_run(State state, const NodePtr& data, const Run& how) const override;

 private:
  c10::intrusive_ptr<Query> query_;
  mutable std::mutex mutex_;  // modules run on many threads at once, maps grow on one
};

}  // namespace td
