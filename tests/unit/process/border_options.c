/* Structs of options between versions of the header: zero means the default, padding has names, older and newer callers
 * are understood. */
#include <string.h>

#include "support/td.h"

/* One call for each of some structs of options, with a struct of the caller's bytes. */
static td_status load(const void *o) {
  td_dict *td = new_dict(TD_SHAPE(2));
  const td_status status = td_dict_load_state_dict(td, td, o, &err);
  td_dict_release(td);
  return status;
}
static td_status adam(const void *o) {
  td_dict *td = new_dict(TD_SHAPE(2));
  td_optimizer *made = NULL;
  put(td, TD_KEY("w"), full_f32(1, TD_SHAPE(2)));
  must(td_dict_requires_grad_(td, 1, &err));
  const td_status status = td_optimizer_adam(td, o, &made, &err);
  td_optimizer_release(made), td_dict_release(td);
  return status;
}
static td_status query(const void *o) {
  td_query *made = NULL;
  const td_status status = td_query_new(TD_KEY("a"), 1, o, &made, &err);
  td_query_release(made);
  return status;
}
static td_status sequence(const void *o) {
  td_module *made = NULL;
  const td_status status = td_module_sequential(NULL, 0, o, &made, &err);
  td_module_release(made);
  return status;
}
static td_status params(const void *o) {
  td_dict *td = new_dict(TD_SHAPE(2)), *made = NULL;
  const td_status status = td_dict_params(td, o, &made, &err);
  td_dict_release(made), td_dict_release(td);
  return status;
}
static td_status separate(const void *o) {
  td_dict *td = new_dict(TD_SHAPE(2)), *made = NULL;
  put(td, TD_KEY("a"), full_f32(1, TD_SHAPE(2)));
  const td_status status = td_dict_separate(td, TD_KEY("a"), 1, o, &made, &err);
  td_dict_release(made), td_dict_release(td);
  return status;
}

static const struct {
  const char *name;
  td_status (*call)(const void *);
  size_t size, reserved, n_reserved;
} structs[] = {
#define OF(call, type) \
  { #type, call, sizeof(type), offsetof(type, reserved), sizeof(((type *)0)->reserved) }
    OF(load, td_load_state_options), OF(adam, td_adam_options),           OF(query, td_query_options),
    OF(params, td_params_options),   OF(sequence, td_sequential_options), OF(separate, td_separate_options),
};

LeaklessTest(border_options, zeros_of_every_earlier_size_are_the_defaults) {
  for (size_t i = 0; i < sizeof structs / sizeof *structs; ++i)
    for (size_t size = sizeof(size_t); size <= structs[i].size + 32; size += sizeof(size_t)) {
      char bytes[512];
      memset(bytes, 0xab, sizeof bytes); /* what lies behind the struct is the caller's own */
      memset(bytes, 0, size);
      memcpy(bytes, &size, sizeof size);
      const td_status status = structs[i].call(bytes);
      cr_expect_eq(status, TD_OK, "%s of %zu bytes: %s", structs[i].name, size, td_status_name(status).data);
      td_error_release(err), err = NULL;
    }
}

LeaklessTest(border_options, a_reserved_byte_that_is_not_zero_is_refused) {
  for (size_t i = 0; i < sizeof structs / sizeof *structs; ++i)
    for (size_t byte = 0; byte < structs[i].n_reserved; ++byte) {
      char bytes[512] = {0};
      memcpy(bytes, &structs[i].size, sizeof structs[i].size);
      bytes[structs[i].reserved + byte] = 1;
      expect_error(structs[i].call(bytes), TD_ERR_ARGUMENT, NULL, "reserved");
    }
}

LeaklessTest(border_options, what_a_newer_caller_wants_is_refused) {
  for (size_t i = 0; i < sizeof structs / sizeof *structs; ++i) {
    char bytes[512] = {0};
    const size_t size = structs[i].size + sizeof(size_t);
    memcpy(bytes, &size, sizeof size);
    bytes[structs[i].size] = 1;
    expect_error(structs[i].call(bytes), TD_ERR_ARGUMENT, NULL, "struct_size");
  }
}

LeaklessTest(border_options, a_number_stands_for_zero_where_zero_is_the_default) {
  td_dict *td = new_dict(TD_SHAPE(1));
  put(td, TD_KEY("w"), full_f32(2, TD_SHAPE(1)));
  must(td_dict_requires_grad_(td, 1, &err));
  td_adamw_options with = TD_ADAMW_OPTIONS_INIT, without = TD_ADAMW_OPTIONS_INIT;
  without.weight_decay = TD_ZERO;
  const td_adamw_options *options[] = {&with, &without};
  const double decayed[] = {0.01, 0};
  for (int i = 0; i < 2; ++i) {
    td_optimizer *o;
    double decay = -1;
    must(td_optimizer_adamw(td, options[i], &o, &err));
    must(td_optimizer_get(o, 0, TD_STR("weight_decay"), &decay, &err));
    cr_expect(decay == decayed[i], "%g", decay);
    td_optimizer_release(o);
  }
  td_dict_release(td);
}
