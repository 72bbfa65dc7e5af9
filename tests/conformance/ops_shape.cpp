// Other shapes of the batch dims.
#include "ops.h"

namespace conformance {
namespace {

// (self, ints, n, &out) under the argument `name`.
template <class F>
void with_ints(Program &p, const char *name, F function) {
  std::vector<int64_t> ints;
  if (p.find(name)) ints = p.ints(name);
  p.put(made<td_dict>(function, p.dict(), ints.data(), ints.size()));
}

void split(Program &p) {
  if (!p.at("size").is_array())
    return p.put(made<td_dict_list>(td_dict_split, p.dict(), p.integer("size"), p.integer("dim")));
  auto sizes = p.ints("size");
  p.put(made<td_dict_list>(td_dict_split_sizes, p.dict(), sizes.data(), sizes.size(), p.integer("dim")));
}

void tensor_split(Program &p) {
  if (!p.at("sections").is_array())
    return p.put(made<td_dict_list>(td_dict_tensor_split, p.dict(), p.integer("sections"), p.integer("dim")));
  auto indices = p.ints("sections");
  p.put(made<td_dict_list>(td_dict_tensor_split_at, p.dict(), indices.data(), indices.size(), p.integer("dim")));
}

const NamedOperation kOperations[] = {
    {"view", [](Program &p) { with_ints(p, "sizes", td_dict_view); }},
    {"reshape", [](Program &p) { with_ints(p, "sizes", td_dict_reshape); }},
    {"expand", [](Program &p) { with_ints(p, "sizes", td_dict_expand); }},
    {"expand_as", [](Program &p) { p.put(made<td_dict>(td_dict_expand_as, p.dict(), p.dict("other"))); }},
    {"permute", [](Program &p) { with_ints(p, "dims", td_dict_permute); }},
    {"repeat", [](Program &p) { with_ints(p, "repeats", td_dict_repeat); }},
    {"tile", [](Program &p) { with_ints(p, "repeats", td_dict_tile); }},
    {"flip", [](Program &p) { with_ints(p, "dims", td_dict_flip); }},
    {"squeeze", [](Program &p) { with_ints(p, "dim", td_dict_squeeze); }},
    {"flatten",
     [](Program &p) { p.put(made<td_dict>(td_dict_flatten, p.dict(), p.integer("start"), p.integer("end"))); }},
    {"unflatten",
     [](Program &p) {
       auto sizes = p.ints("sizes");
       p.put(made<td_dict>(td_dict_unflatten, p.dict(), p.integer("dim"), sizes.data(), sizes.size()));
     }},
    {"unsqueeze", [](Program &p) { p.put(made<td_dict>(td_dict_unsqueeze, p.dict(), p.integer("dim"))); }},
    {"transpose",
     [](Program &p) { p.put(made<td_dict>(td_dict_transpose, p.dict(), p.integer("dim0"), p.integer("dim1"))); }},
    {"movedim",
     [](Program &p) {
       auto from = p.ints("source"), to = p.ints("destination");
       if (from.size() != to.size()) throw Failure{TD_ERR_ARGUMENT, "movedim takes one number for both"};
       p.put(made<td_dict>(td_dict_movedim, p.dict(), from.data(), to.data(), from.size()));
     }},
    {"narrow",
     [](Program &p) {
       p.put(made<td_dict>(td_dict_narrow, p.dict(), p.integer("dim"), p.integer("start"), p.integer("length")));
     }},
    {"split", split},
    {"chunk",
     [](Program &p) { p.put(made<td_dict_list>(td_dict_chunk, p.dict(), p.integer("chunks"), p.integer("dim"))); }},
    {"tensor_split", tensor_split},
    {"unbind", [](Program &p) { p.put(made<td_dict_list>(td_dict_unbind, p.dict(), p.integer("dim"))); }},
    {"contiguous", [](Program &p) { p.put(made<td_dict>(td_dict_contiguous, p.dict())); }},
    {"repeat_interleave",
     [](Program &p) {
       auto repeats = p.ints("repeats");
       p.put(made<td_dict>(td_dict_repeat_interleave, p.dict(), repeats.data(), repeats.size(), p.integer("dim")));
     }},
    {"roll",
     [](Program &p) {
       auto shifts = p.ints("shifts");
       std::vector<int64_t> dims;
       if (p.find("dims") && !p.at("dims").is_null()) dims = p.ints("dims");
       p.put(made<td_dict>(td_dict_roll, p.dict(), shifts.data(), shifts.size(), dims.data(), dims.size()));
     }},
    {"rot90",
     [](Program &p) {
       p.put(made<td_dict>(td_dict_rot90, p.dict(), p.integer("times"), p.integer("dim0"), p.integer("dim1")));
     }},
};

}  // namespace

Operations shape_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
