#include "core/tensor/view_meta.h"

#include <memory>
#include <type_traits>

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/variable.h>

namespace td {

namespace {

using torch::autograd::CreationMeta;
using torch::autograd::DifferentiableViewMeta;
using torch::autograd::ViewInfo;

// The relation of a strided view to its base is in its strides; LibTorch 2.x takes one more null than 1.13.
template <class Info>
Info strided_view_of(const at::Tensor& base) {
  if constexpr (std::is_constructible_v<Info, at::Tensor, std::nullptr_t, std::nullptr_t>)
    return Info(base, nullptr, nullptr);
  else
    return Info(base, nullptr);
}

DifferentiableViewMeta* meta_of(const at::Tensor& t) {
  return t.unsafeGetTensorImpl()->autograd_meta() ? torch::autograd::impl::get_view_autograd_meta(t) : nullptr;
}

}  // namespace

bool can_link_view(const at::Tensor& base) {
  DifferentiableViewMeta* meta = meta_of(base);
  if (!meta) return true;
  return meta->has_bw_view() && meta->shared_view_info() && !meta->get_backward_view().has_view_fn() &&
         meta->get_creation_meta() == CreationMeta::DEFAULT;
}

void link_view(const at::Tensor& base, const at::Tensor& view) {
  DifferentiableViewMeta* meta = meta_of(base);
  const at::Tensor& root = meta ? meta->get_backward_view().base_ : base;
  at::TensorImpl* impl = view.unsafeGetTensorImpl();
  auto created = c10::GradMode::is_enabled() ? CreationMeta::DEFAULT : CreationMeta::NO_GRAD_MODE;
  impl->set_autograd_meta(
      std::make_unique<DifferentiableViewMeta>(impl, strided_view_of<ViewInfo>(root), c10::nullopt, true, created));
}

}  // namespace td
