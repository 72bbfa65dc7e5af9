/* The one list of what arguments are made of. generate.py reads it: a parameter of a type that is not here cannot be made,
 * and `ctest -R fuzz.coverage` says so. `of` is the function that is called and `name` its parameter. */
#ifndef TESTS_FUZZ_MAKERS_H
#define TESTS_FUZZ_MAKERS_H

#include "tensordict.h"

/* Handles: each has a function make_<type>, and is taken from the pool, or made. */
/* clang-format off */
#define HANDLE_KINDS(X) \
  X(td_error) X(td_string) X(td_keys) X(td_entries) X(td_path) X(td_tensor) X(td_tensor_list) X(td_generator) X(td_op) \
  X(td_dict) X(td_dict_list) X(td_data_list) X(td_scope) X(td_segment) X(td_channel) X(td_message) X(td_module) \
  X(td_optimizer) X(td_schedule) X(td_dist) X(td_transform) X(td_query) X(td_store) X(td_row_map) X(td_pack_layout) X(td_hash) \
  X(td_no_grad) X(td_cancel) X(td_group) X(td_work)
/* clang-format on */

/* Numbers. */
td_bool pick_bool(const char *of, const char *name);
int64_t pick_i64(const char *of, const char *name);
int32_t pick_i32(const char *of, const char *name);
uint64_t pick_u64(const char *of, const char *name);
size_t pick_size(const char *of, const char *name);
double pick_double(const char *of, const char *name);
td_dtype pick_td_dtype(const char *of, const char *name);
int64_t pick_enum(const char *of, const char *name, const int64_t *values, size_t n);
size_t pick_count(const char *of, const char *name); /* of an array */
size_t pick_outputs(const char *of);                 /* places for results */
size_t pick_struct_size(size_t size);
size_t pick_filled_size(size_t size);              /* of a struct that the call fills: up to 64 bytes more are there */
int pick_null(void);                               /* 1: NULL in place of an output */
int pick_none(const char *type, const char *name); /* 1: NULL in place of a struct */
int pick_this(void);                               /* 1: a member of a struct gets another value than its default */
const int64_t *pick_int64s(const char *of, const char *name, size_t n);
const int32_t *pick_int32s(const char *of, const char *name, size_t n);
const double *pick_doubles(const char *of, const char *name, size_t n);

/* Text, keys and values. */
void fill_td_str(td_str *s, const char *of, const char *name);
void fill_td_key(td_key *s, const char *of, const char *name);
void fill_td_value(td_value *s, const char *of, const char *name);
void fill_td_named_value(td_named_value *s, const char *of, const char *name);
void fill_td_data(td_data *s, const char *of, const char *name);
void fill_td_index(td_index *s, const char *of, const char *name);

/* Functions of the caller's. */
td_module_visitor pick_td_module_visitor(const char *of, const char *name);
td_vmap_function pick_td_vmap_function(const char *of, const char *name);
td_run_function pick_td_run_function(const char *of, const char *name);
void fill_td_warning_function(td_warning_function *s, const char *of, const char *name);
void fill_td_writer(td_writer *s, const char *of, const char *name);
void fill_td_reader(td_reader *s, const char *of, const char *name);
void fill_td_map_function(td_map_function *s, const char *of, const char *name);
void fill_td_map_data_function(td_map_data_function *s, const char *of, const char *name);
void fill_td_progress(td_progress *s, const char *of, const char *name);
void fill_td_module_function(td_module_function *s, const char *of, const char *name);
void fill_td_values_function(td_values_function *s, const char *of, const char *name);
void fill_td_dict_function(td_dict_function *s, const char *of, const char *name);
void fill_td_extra_state(td_extra_state *s, const char *of, const char *name);
void fill_td_forward_hook(td_forward_hook *s, const char *of, const char *name);
void fill_td_state_hook(td_state_hook *s, const char *of, const char *name);
void fill_td_backward_hook(td_backward_hook *s, const char *of, const char *name);
void fill_td_dist_function(td_dist_function *s, const char *of, const char *name);
void fill_td_hash_function(td_hash_function *s, const char *of, const char *name);
void fill_td_index_map(td_index_map *s, const char *of, const char *name);
void fill_td_hash_callbacks(td_hash_callbacks *s, const char *of, const char *name);
void fill_td_module_callbacks(td_module_callbacks *s, const char *of, const char *name);
void fill_td_dist_callbacks(td_dist_callbacks *s, const char *of, const char *name);

#endif
