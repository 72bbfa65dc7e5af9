#include "core/tensor/in_place.h"

#include <algorithm>

#include <ATen/MemoryOverlap.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/variable.h>

#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

Error refusal(const char* says, const std::string& key, const char* hint) {
  return Error(Code::torch, says).key(key).hint(hint);
}

// As the operators of LibTorch ask it: leaves, views of leaves, and views that came from a place where nothing
// recorded.
void check_recorded(const at::Tensor& t, const std::string& key) {
  if (t.requires_grad() && t.is_leaf())
    throw refusal("cannot write in place to a leaf that requires grad", key, "open a no-grad scope");
  auto* view = torch::autograd::impl::get_view_autograd_meta(t);
  if (!view || !view->has_bw_view()) return;
  if (t.requires_grad() && t._base().is_leaf())
    throw refusal("cannot write in place to a view of a leaf that requires grad", key, "open a no-grad scope");
  try {
    torch::autograd::handle_view_on_rebase(view);
  } catch (const c10::Error&) {
    throw current_error().key(key);
  }
}

}  // namespace

void check_in_place(const at::Tensor& t, const std::string& key, bool recorded) {
  check_writable(t, key);
  if (c10::GradMode::is_enabled() && (recorded || t.requires_grad())) check_recorded(t, key);
  if (t.layout() == at::kStrided && t.numel() > 0 && at::has_internal_overlap(t) == at::MemOverlap::Yes)
    throw refusal("several elements of the tensor share one place in memory", key, "clone it first");
}

void check_readable(const at::Tensor& t, const std::string& key) {
  if (!c10::GradMode::is_enabled() || !t.requires_grad()) return;
  try {
    t.grad_fn();
  } catch (const c10::Error&) {
    throw current_error().key(key);
  }
}

void InPlaceChecks::check(const at::Tensor& t, const std::string& key, bool recorded) {
  const auto* view = torch::autograd::impl::get_view_autograd_meta(t);
  const bool has_base = view && view->has_bw_view();
  const void* base = has_base ? view->get_backward_view().base_.unsafeGetTensorImpl() : t.unsafeGetTensorImpl();
  const bool after = has_base && std::find(bases_.begin(), bases_.end(), base) != bases_.end();
  check_in_place(t, key, recorded || after);
  if (c10::GradMode::is_enabled() && !after && (recorded || t.requires_grad())) bases_.push_back(base);
}

void InPlaceChecks::check_copy(const at::Tensor& t, const at::Tensor& value, const std::string& key) {
  check_readable(value, key);
  check(t, key, value.requires_grad());
}

}  // namespace td
