// Many members at once.
#include "core/nn/vmap.h"

#include "capi/callback.h"
#include "capi/entry_value.h"
#include "core/nn/ensemble.h"

using namespace td::capi;

namespace {

td::VmapFunctionOptions vmap_function_options(const td_vmap_function_options* given, size_t n_args, size_t n_outs) {
  td_vmap_function_options o = options(given);
  td::VmapFunctionOptions core;
  core.randomness = randomness(o.randomness);
  core.chunk_size = o.chunk_size;
  for (size_t i = 0; i < n_args; ++i) {
    int32_t dim = o.in_dims ? o.in_dims[i] : 0;
    core.in_dims.push_back(dim == TD_VMAP_SHARED ? td::optional<int64_t>() : td::optional<int64_t>(dim));
  }
  for (size_t i = 0; i < n_outs && o.out_dims; ++i) core.out_dims.push_back(o.out_dims[i]);
  return core;
}

std::vector<td::Entry> call_mapped(td_vmap_function fn, void* userdata, const std::vector<td::Entry>& arguments,
                                   size_t n_outs) {
  std::vector<td_value> args;
  FilledValues outs(n_outs);
  for (const td::Entry& e : arguments) args.push_back(borrowed_value(e));
  call_back(fn, userdata, "a mapped function", args.data(), args.size(), outs.data(), outs.size());
  std::vector<td::Entry> results = outs.take();
  for (const td::Entry& e : results)
    if (!e) throw td::Error(td::Code::callback, "a mapped function returned success but left an output NONE");
  return results;
}

}  // namespace

td_status td_vmap(td_vmap_function fn, void* userdata, const td_value* args, size_t n_args,
                  const td_vmap_function_options* given, td_value* outs, size_t n_outs, td_error** err) noexcept {
  return guard(err, [&] {
    if (!fn) throw_null("fn");
    if (n_outs > 0) out(outs, "outs");
    td::Inputs inputs = inputs_of(args, n_args, nullptr, 0);
    std::vector<td::Entry> results =
        td::vmap([&](const std::vector<td::Entry>& members) { return call_mapped(fn, userdata, members, n_outs); },
                 inputs.positional, vmap_function_options(given, n_args, n_outs));
    for (size_t i = 0; i < n_outs; ++i) outs[i] = owned_value(results[i]);
  });
}

td_status td_module_ensemble(td_module* module, int64_t copies, td_bool expand_input, td_generator* generator,
                             td_module** out_module, td_error** err) noexcept {
  return guard(err, [&] {
    td::Generator* drawn_from = generator ? &ref(generator) : nullptr;
    give(out_module, c10::make_intrusive<td::Ensemble>(share(module), copies, expand_input != 0, drawn_from));
  });
}
