#include "core/nn/query_module.h"

#include "core/dict/change/edit.h"

namespace td {

QueryModule::QueryModule(c10::intrusive_ptr<Query> query)
    : KeyedModule(query->in_keys(), query->out_keys()), query_(std::move(query)) {}

NodePtr QueryModule::do_run(State, const NodePtr& data, const Run& how) const {
  if (skips(*data, how)) return data;
  query_->check_outside();  // before the lock, which this thread would hold already
  Query::Call call;
  if (how.out) call.clone = true;
  NodePtr result;
  {
    std::lock_guard<std::mutex> hold(mutex_);
    result = query_->forward(data, call);
  }
  if (how.out) {
    Edit edit;
    for (const Path& key : out_keys()) edit.set(*how.out, key, result->tensor(key));
    edit.keep();
    return how.out;
  }
  if (selected()) prune(*result);
  return result;
}

}  // namespace td
