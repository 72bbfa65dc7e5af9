// Recording and running backward, with checks that LibTorch leaves to Python.
#pragma once

#include <cstring>
#include <stdexcept>
#include <thread>

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include "core/error.h"

namespace td {

void set_requires_grad(const at::Tensor& t, bool requires_grad);
// Brings what LibTorch knows about a view up to date. Call it before each of several writes: after a recorded write to
// another view of the same base, LibTorch takes this view for a leaf that requires grad, and refuses to write it.
// Nothing is done where nothing records.
void refresh_view(const at::Tensor& t);
// Calls `go`, which goes through a graph. LibTorch takes a leaf that was overwritten meanwhile for its own mistake.
template <class F>
auto through_graph(F go) -> decltype(go()) {
  try {
    return go();
  } catch (const std::logic_error& e) {
    if (!std::strstr(e.what(), "moved into the graph interior")) throw;
    throw Error(Code::torch,
                "a leaf that requires grad was overwritten by a recorded operator, or is a view of what was")
        .hint_naming("open a scope with {no_grad_begin} for such writes");
  }
}

void backward(const at::Tensor& t, const at::Tensor& gradient, bool retain_graph);

// A no-grad scope as an object: scopes nest per thread and end in reverse order, on the thread that began them. One
// that is dropped while it is open, by whichever thread, changes the mode of no thread; outer scopes can end without
// it.
class NoGradScope : public c10::intrusive_ptr_target {
 public:
  static c10::intrusive_ptr<NoGradScope> begin();
  // Throws Error(argument) on another thread or while an inner scope is open, Error(closed) if it has ended; changes
  // nothing then.
  void end();

 private:
  using Ptr = c10::intrusive_ptr<NoGradScope>;
  struct Thread;  // the scopes of one thread, shared with the handles of their callers

  std::thread::id thread_;
  Ptr outer_;
  bool before_ = true, open_ = true;
};

// No recording on this thread until the end of the block, if it is wanted.
class NoGradBlock {
 public:
  explicit NoGradBlock(bool wanted);
  NoGradBlock(const NoGradBlock&) = delete;
  ~NoGradBlock();

 private:
  bool before_;
};

}  // namespace td
