// Scopes: a step begins one, later steps work inside, a step ends it.
#include "ops.h"

namespace conformance {
namespace {

// A function of tensordict.h that begins a scope; the dict inside goes to the step's "to", under which the scope is kept.
template <class F, class... A>
void begin(Program &p, F function, A... arguments) {
  td_dict *inside = nullptr;
  td_scope *scope = nullptr;
  call(function, p.dict(), arguments..., &inside, &scope);
  p.scopes[p.word("to")] = own(scope);
  p.put(inside);
}

void unlock(Program &p) {
  p.scopes[p.word("to")] = own(made<td_scope>(td_scope_unlock, p.dict()));
  p.put(p.at_register(p.at("td")));
}

void roll(Program &p) {
  auto shifts = p.ints("shifts"), dims = p.ints("dims");
  begin(p, td_scope_roll, shifts.data(), shifts.size(), dims.data(), dims.size());
}

void movedim(Program &p) {
  auto from = p.ints("source"), to = p.ints("destination");
  begin(p, td_scope_movedim, from.data(), to.data(), from.size());
}

void unflatten(Program &p) {
  auto sizes = p.ints("sizes");
  begin(p, td_scope_unflatten, p.integer("dim"), sizes.data(), sizes.size());
}

template <class F>
void with_ints(Program &p, F function, const char *name) {
  auto ints = p.ints(name);
  begin(p, function, ints.data(), ints.size());
}

const NamedOperation kOperations[] = {
    {"scope_unlock", unlock},
    {"scope_flatten_keys", [](Program &p) { begin(p, td_scope_flatten_keys, p.str(p.at("separator"))); }},
    {"scope_unflatten_keys", [](Program &p) { begin(p, td_scope_unflatten_keys, p.str(p.at("separator"))); }},
    {"scope_view", [](Program &p) { with_ints(p, td_scope_view, "sizes"); }},
    {"scope_flatten", [](Program &p) { begin(p, td_scope_flatten, p.integer("start"), p.integer("end")); }},
    {"scope_unflatten", unflatten},
    {"scope_squeeze", [](Program &p) { with_ints(p, td_scope_squeeze, "dim"); }},
    {"scope_unsqueeze", [](Program &p) { begin(p, td_scope_unsqueeze, p.integer("dim")); }},
    {"scope_permute", [](Program &p) { with_ints(p, td_scope_permute, "dims"); }},
    {"scope_transpose", [](Program &p) { begin(p, td_scope_transpose, p.integer("dim0"), p.integer("dim1")); }},
    {"scope_movedim", movedim},
    {"scope_flip", [](Program &p) { with_ints(p, td_scope_flip, "dims"); }},
    {"scope_roll", roll},
    {"scope_end", [](Program &p) { call(td_scope_end, p.scopes.at(p.word("scope")).get()); }},
};

}  // namespace

Operations scope_operations() {
  return {std::begin(kOperations), std::end(kOperations)};
}

}  // namespace conformance
