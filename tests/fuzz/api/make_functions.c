/* Functions of the caller's: they work, fail, or give what they should not, and each userdata is destroyed once. */
#include "api/api.h"
#include "api/made.h"
#include "support/children.h"

static td_status fail(td_error **err) {
  const td_str text = TD_STR("the caller's function fails");
  if (err && chance(80)) *err = td_error_new_with(TD_ERR_IO, text, counted_userdata(), destroy_counted);
  return TD_ERR_IO;
}

static int fails(void) {
  return chance(15);
}

#define FILL(type, member, function)                                                \
  void fill_##type(type *s, const char *of, const char *name) {                     \
    (void)of, (void)name;                                                           \
    memset(s, 0, sizeof *s);                                                        \
    s->struct_size = pick_struct_size(sizeof *s);                                   \
    s->member = pick_wrong() ? NULL : function;                                     \
    if (chance(85)) s->userdata = counted_userdata(), s->destroy = destroy_counted; \
  }

/* ---- Tensors and dicts ---------------------------------------------------------------------------------------------- */

static td_status visit(void *userdata, const td_key *name, td_module *module, td_error **err) {
  (void)userdata;
  hold(name && module, "a visitor gets a module");
  return fails() ? fail(err) : TD_OK;
}
td_module_visitor pick_td_module_visitor(const char *of, const char *name) {
  (void)of, (void)name;
  return pick_wrong() ? NULL : visit;
}

static td_status mapped(void *userdata, const td_value *args, size_t n_args, td_value *outs, size_t n_outs,
                        td_error **err) {
  (void)userdata;
  if (fails() || n_args == 0) return fail(err);
  for (size_t i = 0; i < n_outs; ++i) {
    outs[i] = args[i % n_args];
    if (outs[i].kind == TD_VALUE_TENSOR) td_tensor_retain(outs[i].as.tensor);
    if (outs[i].kind == TD_VALUE_DICT) td_dict_retain(outs[i].as.dict);
  }
  return TD_OK;
}
td_vmap_function pick_td_vmap_function(const char *of, const char *name) {
  (void)of, (void)name;
  return pick_wrong() ? NULL : mapped;
}

static td_status run_once(void *userdata, td_error **err) {
  (void)userdata;
  return fails() ? fail(err) : TD_OK;
}
td_run_function pick_td_run_function(const char *of, const char *name) {
  (void)of, (void)name;
  return pick_wrong() ? NULL : run_once;
}

static void warned(void *userdata, td_str text, td_str where) {
  (void)userdata;
  read_text(text), read_text(where);
}
FILL(td_warning_function, fn, warned)

static td_status map_one(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                         td_error **err) {
  (void)userdata, (void)key;
  if (fails()) return fail(err);
  *out = n > 0 && chance(90) ? (td_tensor *)tensors[below(n)] : NULL;
  td_tensor_retain(*out);
  return TD_OK;
}
FILL(td_map_function, fn, map_one)

static td_status map_list(void *userdata, const td_key *key, td_data_list *const *lists, size_t n,
                          td_data_list **out_data, td_tensor **out_tensor, td_error **err) {
  (void)userdata, (void)key, (void)out_tensor;
  if (fails()) return fail(err);
  if (n > 0 && chance(80)) td_data_list_retain(*out_data = (td_data_list *)lists[0]);
  return TD_OK;
}
FILL(td_map_data_function, fn, map_list)

static td_status progress(void *userdata, int64_t done, int64_t total, td_error **err) {
  (void)userdata;
  hold(done >= 0 && (total < 0 || done <= total), "progress is a part of the whole");
  return fails() ? fail(err) : TD_OK;
}
FILL(td_progress, fn, progress)

/* ---- Bytes ---------------------------------------------------------------------------------------------------------- */

static td_status write_all(void *target, const void *bytes, size_t size, td_error **err) {
  (void)target;
  read_text((td_str){bytes, size});
  return fails() ? fail(err) : TD_OK;
}
void fill_td_writer(td_writer *s, const char *of, const char *name) {
  (void)of, (void)name;
  *s = (td_writer){pick_struct_size(sizeof *s), pick_wrong() ? NULL : write_all, NULL};
}

static td_status read_some(void *source, void *bytes, size_t size, size_t *got, td_error **err) {
  int none = 0, *left = source ? source : &none; /* a struct_size may leave the source out */
  if (fails()) return fail(err);
  *got = size < (size_t)*left ? size : (size_t)*left;
  memset(bytes, (int)below(256), *got);
  *left -= (int)*got;
  return TD_OK;
}
void fill_td_reader(td_reader *s, const char *of, const char *name) {
  int *left = keep(sizeof *left);
  (void)of, (void)name;
  *left = (int)below(300);
  *s = (td_reader){pick_struct_size(sizeof *s), pick_wrong() ? NULL : read_some, left};
}

/* ---- Modules -------------------------------------------------------------------------------------------------------- */

static td_status same_tensors(void *userdata, td_tensor *const *inputs, size_t n, td_tensor **outputs, size_t n_out,
                              td_error **err) {
  (void)userdata;
  if (fails() || n == 0) return fail(err);
  for (size_t i = 0; i < n_out; ++i) td_tensor_retain(outputs[i] = (td_tensor *)inputs[i % n]);
  return TD_OK;
}
FILL(td_module_function, fn, same_tensors)

static td_status same_values(void *userdata, const td_value *args, size_t n, const td_named_value *kwargs,
                             size_t n_kwargs, td_value *outs, size_t capacity, size_t *n_outs, td_error **err) {
  (void)userdata, (void)kwargs, (void)n_kwargs;
  if (fails()) return fail(err);
  *n_outs = 0;
  for (size_t i = 0; i < n && i < capacity; ++i) {
    outs[i] = td_value_int((int64_t)i);
    if (args[i].kind == TD_VALUE_TENSOR && chance(80)) {
      outs[i] = args[i];
      td_tensor_retain(args[i].as.tensor);
    }
    ++*n_outs;
  }
  return TD_OK;
}
FILL(td_values_function, fn, same_values)

static td_status same_dict(void *userdata, td_dict *data, td_dict **out, td_error **err) {
  (void)userdata;
  if (fails()) return fail(err);
  td_dict_retain(*out = data);
  return TD_OK;
}
FILL(td_dict_function, fn, same_dict)

static td_status get_state(void *userdata, const td_module *module, td_dict *state, td_error **err) {
  (void)userdata, (void)module;
  if (fails()) return fail(err);
  return td_dict_set_data(state, TD_KEY("extra"), TD_DATA(td_data_int(3)), err);
}
static td_status set_state(void *userdata, const td_module *module, const td_dict *state, td_error **err) {
  (void)userdata, (void)module, (void)state;
  return fails() ? fail(err) : TD_OK;
}
void fill_td_extra_state(td_extra_state *s, const char *of, const char *name) {
  (void)of, (void)name;
  *s = (td_extra_state){pick_struct_size(sizeof *s), pick_wrong() ? NULL : get_state, pick_wrong() ? NULL : set_state,
                        counted_userdata(), destroy_counted};
}

static td_status on_forward(void *userdata, const td_module *module, td_hook_call *call, td_error **err) {
  (void)userdata, (void)module;
  for (size_t i = 0; i < call->n_inputs; ++i) hold(call->inputs != NULL, "a hook sees the inputs");
  if (fails()) return fail(err);
  td_tensor *other = chance(30) ? any_handle(KIND_td_tensor, "replacement") : NULL;
  if (other && call->n_inputs > 0 && chance(50)) return td_hook_call_set_input(call, 0, other, err);
  if (other && call->n_outputs > 0) return td_hook_call_set_output(call, (int64_t)below(call->n_outputs), other, err);
  return call->data && chance(20) ? td_hook_call_set_data(call, call->data, err) : TD_OK;
}
FILL(td_forward_hook, fn, on_forward)

static td_status on_state(void *userdata, const td_module *module, td_dict *state, td_str prefix, td_error **err) {
  (void)userdata, (void)module, (void)state;
  read_text(prefix);
  return fails() ? fail(err) : TD_OK;
}
FILL(td_state_hook, fn, on_state)

static td_status on_backward(void *userdata, const td_module *module, td_backward_call *call, td_error **err) {
  (void)userdata, (void)module;
  if (fails()) return fail(err);
  if (call->n_inputs == 0 && chance(30)) return td_backward_call_set_grad_output(call, 0, call->grad_outputs[0], err);
  return call->n_inputs > 0 && chance(30) ? td_backward_call_set_grad_input(call, 0, NULL, err) : TD_OK;
}
FILL(td_backward_hook, fn, on_backward)

static td_status one_dist(void *userdata, const td_dict *params, td_dist **out, td_error **err) {
  (void)userdata;
  return fails() ? fail(err) : td_dist_new(TD_STR("td.normal"), params, TD_STR("{}"), out, err);
}
FILL(td_dist_function, fn, one_dist)

/* ---- Queries -------------------------------------------------------------------------------------------------------- */

static td_status one_hash(void *userdata, const td_tensor *rows, td_tensor **out, td_error **err) {
  (void)userdata;
  int64_t dims[64];
  if (fails()) return fail(err);
  const size_t n = td_tensor_shape(rows, dims, 64);
  return td_tensor_zeros(dims, n > 0 ? 1 : 0, chance(90) ? TD_DTYPE_INT64 : TD_DTYPE_FLOAT32, TD_NO_STR, out, err);
}
FILL(td_hash_function, fn, one_hash)

typedef struct table {
  int64_t hashes[256], n;
} table;
static table the_table;

static int64_t place(const table *t, int64_t hash) {
  int64_t i = t->n;
  while (--i >= 0 && t->hashes[i] != hash) continue;
  return i;
}
static td_status map_look_up(void *u, const int64_t *hashes, size_t n, int64_t *indices, td_error **err) {
  (void)u;
  for (size_t i = 0; i < n; ++i) indices[i] = place(&the_table, hashes[i]);
  return fails() ? fail(err) : TD_OK;
}
static td_status map_insert(void *u, const int64_t *hashes, size_t n, int64_t *indices, td_error **err) {
  (void)u;
  if (the_table.n + (int64_t)n > 256 || fails()) return fail(err);
  for (size_t i = 0; i < n; ++i) the_table.hashes[indices[i] = the_table.n++] = hashes[i];
  return TD_OK;
}
static td_status map_erase(void *u, const int64_t *hashes, size_t n, td_error **err) {
  (void)u, (void)hashes, (void)n;
  return fails() ? fail(err) : TD_OK;
}
static td_status map_size(void *u, int64_t *out_size, int64_t *out_next, td_error **err) {
  (void)u;
  *out_size = *out_next = the_table.n;
  return fails() ? fail(err) : TD_OK;
}
static td_status map_clear(void *u, td_error **err) {
  (void)u;
  the_table.n = 0;
  return fails() ? fail(err) : TD_OK;
}
void fill_td_index_map(td_index_map *s, const char *of, const char *name) {
  (void)of, (void)name;
  *s = (td_index_map){
      pick_struct_size(sizeof *s), map_look_up,    map_insert, map_erase, map_size, map_clear, NULL, NULL,
      counted_userdata(),          destroy_counted};
  if (pick_wrong()) s->insert = NULL;
}

/* ---- Types ---------------------------------------------------------------------------------------------------------- */

static td_status hash_rows(void *u, td_str config, const void *rows, size_t n, size_t row_bytes, size_t stride,
                           uint64_t *out, td_error **err) {
  (void)u;
  read_text(config);
  for (size_t i = 0; i < n; ++i) {
    out[i] = 14695981039346656037u;
    for (size_t k = 0; k < row_bytes; ++k)
      out[i] = (out[i] ^ ((const unsigned char *)rows)[i * stride + k]) * 1099511628211u;
  }
  return fails() ? fail(err) : TD_OK;
}
void fill_td_hash_callbacks(td_hash_callbacks *s, const char *of, const char *name) {
  (void)of, (void)name;
  *s = (td_hash_callbacks){pick_struct_size(sizeof *s), pick_wrong() ? NULL : hash_rows, counted_userdata(),
                           destroy_counted};
  if (s->struct_size < sizeof *s) s->userdata = NULL, s->destroy = NULL;
}

static td_status module_init(void *u, td_str config, td_generator *g, td_dict *parameters, td_dict *buffers,
                             td_error **err) {
  (void)u, (void)g, (void)buffers;
  read_text(config);
  if (fails()) return fail(err);
  td_tensor *t = NULL;
  const td_status s = td_tensor_zeros(TD_SHAPE(3), TD_DTYPE_FLOAT32, TD_NO_STR, &t, err);
  if (s != TD_OK) return s;
  const td_status set = td_dict_set(parameters, TD_KEY("weight"), t, err);
  td_tensor_release(t);
  return set;
}
static td_status module_forward(void *u, td_str config, td_tensor *const *state, size_t n_state,
                                td_tensor *const *inputs, size_t n_inputs, td_bool training, td_tensor **outputs,
                                size_t n_outputs, td_error **err) {
  (void)config, (void)state, (void)n_state, (void)training;
  return same_tensors(u, inputs, n_inputs, outputs, n_outputs, err);
}
void fill_td_module_callbacks(td_module_callbacks *s, const char *of, const char *name) {
  (void)of, (void)name;
  *s = (td_module_callbacks){pick_struct_size(sizeof *s), chance(70) ? module_init : NULL,
                             pick_wrong() ? NULL : module_forward, counted_userdata(), destroy_counted};
  if (s->struct_size < sizeof *s) s->userdata = NULL, s->destroy = NULL;
}

static td_status dist_sample(void *u, td_str config, td_tensor *const *params, const int64_t *dims, size_t ndim,
                             td_generator *g, td_tensor **out, td_error **err) {
  (void)u, (void)config, (void)params, (void)g;
  return fails() ? fail(err) : td_tensor_zeros(dims, ndim, TD_DTYPE_FLOAT32, TD_NO_STR, out, err);
}
static td_status dist_log_prob(void *u, td_str config, td_tensor *const *params, const td_tensor *value,
                               td_tensor **out, td_error **err) {
  (void)u, (void)config, (void)params;
  return fails() ? fail(err) : td_tensor_clone(value, out, err);
}
static td_status dist_stat(void *u, td_str config, td_tensor *const *params, td_dist_stat which, td_tensor **out,
                           td_error **err) {
  (void)u, (void)config;
  if (fails() || which > TD_DIST_STAT_MODE) return fail(err);
  return td_tensor_clone(params[0], out, err);
}
void fill_td_dist_callbacks(td_dist_callbacks *s, const char *of, const char *name) {
  static const td_str names[] = {{"loc", TD_STRLEN}, {"scale", TD_STRLEN}};
  (void)of, (void)name;
  *s = (td_dist_callbacks){pick_struct_size(sizeof *s),
                           names,
                           pick_wrong() ? 0 : 1 + below(2),
                           pick_wrong() ? NULL : dist_sample,
                           chance(50) ? dist_sample : NULL,
                           pick_wrong() ? NULL : dist_log_prob,
                           chance(60) ? dist_stat : NULL,
                           counted_userdata(),
                           destroy_counted};
  if (s->struct_size < sizeof *s) s->userdata = NULL, s->destroy = NULL;
}
