// Whole-dict operations: index, stack, operators over leaves.
#include "capi/indices.h"
#include "capi/value.h"
#include "core/dict/shape/index.h"
#include "core/dict/shape/stack.h"
#include "core/dict/window/window.h"
#include "core/math/apply.h"

using namespace td::capi;

td_status td_dict_index(const td_dict* self, const td_index* indices, size_t n, td_dict** out_dict,
                        td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::index(ref(self), td::capi::indices(indices, n))); });
}

td_status td_dict_window(td_dict* self, const td_index* indices, size_t n, td_dict** out_dict,
                         td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::Window::make(share(self), td::capi::indices(indices, n))); });
}

td_status td_dict_stack(const td_dict* const* dicts, size_t n, int64_t dim, td_dict** out_dict,
                        td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !dicts) throw_null("dicts");
    std::vector<const td::Node*> nodes;
    nodes.reserve(n);
    for (size_t i = 0; i < n; ++i) nodes.push_back(&ref(dicts[i]));
    give(out_dict, td::stack(nodes, dim));
  });
}

td_status td_dict_apply_op(const td_op* op, const td_value* args, size_t n_args, const td_named_value* kwargs,
                           size_t n_kwargs, td_dict** outs, size_t n_outs, td_error** err) noexcept {
  return guard(err, [&] {
    if ((n_args > 0 && !args) || (n_kwargs > 0 && !kwargs) || (n_outs > 0 && !outs)) throw_null("args, kwargs or outs");
    std::vector<td::DictArg> positional;
    for (size_t i = 0; i < n_args; ++i) positional.push_back(dict_argument(args[i]));
    std::vector<td::NamedDictArg> named;
    for (size_t i = 0; i < n_kwargs; ++i)
      named.push_back({text(kwargs[i].name, "an argument's name"), dict_argument(kwargs[i].value)});
    std::vector<td::NodePtr> results = td::apply_op(ref(op), positional, named, n_outs);
    for (size_t i = 0; i < n_outs; ++i) outs[i] = i < results.size() ? own<td_dict>(std::move(results[i])) : nullptr;
  });
}
