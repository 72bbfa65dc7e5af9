/* The steps: what a caller does with dicts, each with what must be true when it has succeeded. */
#include "programs/world.h"

#define TRY(call)                     \
  do {                                \
    const td_status try_s = (call);   \
    if (try_s != TD_OK) return try_s; \
  } while (0)

#define MAKES(name, call)                                          \
  static td_status name(world *w, td_dict *self, td_error **err) { \
    td_dict *made = NULL;                                          \
    (void)w;                                                       \
    TRY(call);                                                     \
    add_dict(w, made);                                             \
    return TD_OK;                                                  \
  }
#define CHANGES(name, call)                                        \
  static td_status name(world *w, td_dict *self, td_error **err) { \
    some_key k, other;                                             \
    (void)w, (void)k, (void)other;                                 \
    return call;                                                   \
  }

/* ---- Copies, and ways there and back -------------------------------------------------------------------------------- */

static void expect_same(const td_dict *a, const td_dict *b, const char *what) {
  /* One value for all may become as many as there are elements; and a file keeps no values of an empty list. */
  const int data = strcmp(what, "what was apart") != 0 && strcmp(what, "a file") != 0;
  if (!same_content(a, b, data)) child_fails("%s gives other keys or values", what);
}

static td_status clone(world *w, td_dict *self, td_error **err) {
  td_dict *made = NULL;
  TRY(td_dict_clone(self, &made, err));
  expect_same(self, made, "a clone");
  if (shares_memory(self, made)) child_fails("a clone shares memory with what it was made of");
  add_dict(w, made);
  return TD_OK;
}

static td_status copy(world *w, td_dict *self, td_error **err) {
  td_dict *made = NULL;
  TRY(td_dict_copy(self, &made, err));
  expect_same(self, made, "a copy");
  add_dict(w, made);
  return TD_OK;
}

static td_status there_and_back(world *w, td_dict *self, td_error **err) {
  (void)w;
  td_dict *there = NULL, *back = NULL;
  td_status s;
  const int64_t n = (int64_t)td_dict_batch_size(self, NULL, 0), dim = between(0, n);
  const uint64_t how = below(3);
  switch (how) {
    case 0:
      TRY(td_dict_unsqueeze(self, dim, &there, err));
      s = td_dict_squeeze(there, &dim, 1, &back, err);
      break;
    case 1:
      TRY(td_dict_flatten_keys(self, TD_STR("|"), &there, err));
      s = td_dict_unflatten_keys(there, TD_STR("|"), &back, err);
      break;
    default:
      TRY(td_dict_transpose(self, 0, -1, &there, err));
      s = td_dict_transpose(there, 0, -1, &back, err);
  }
  td_dict_release(there);
  if (s != TD_OK) return s;
  /* An empty dict among the members has no flat key. */
  if (how != 1 || !has_mixed_entries(self)) expect_same(self, back, "the way there and back");
  td_dict_release(back);
  return TD_OK;
}

static td_status apart_and_together(world *w, td_dict *self, td_error **err) {
  (void)w;
  td_dict_list *parts = NULL;
  td_dict *all[64] = {NULL}, *made = NULL;
  const int64_t dim = any_dim(self);
  const int unbound = chance(50);
  TRY(unbound ? td_dict_unbind(self, dim, &parts, err) : td_dict_split(self, between(1, 2), dim, &parts, err));
  const size_t n = td_dict_list_size(parts);
  td_status s = TD_OK;
  for (size_t i = 0; i < n && i < 64; ++i) td_dict_list_get(parts, i, &all[i], NULL);
  if (n > 0 && n <= 64) {
    const td_dict *const *members = (const td_dict *const *)all;
    s = unbound ? td_dict_stack(members, n, dim, &made, err) : td_dict_cat(members, n, dim, &made, err);
  }
  for (size_t i = 0; i < n && i < 64; ++i) td_dict_release(all[i]);
  td_dict_list_release(parts);
  if (s == TD_OK && made && td_dict_kind_of(self) == TD_DICT_KIND_TENSORDICT) expect_same(self, made, "what was apart");
  td_dict_release(made);
  return s;
}

static td_status save_and_open(world *w, td_dict *self, td_error **err) {
  static const td_format formats[] = {TD_FORMAT_MEMMAP, TD_FORMAT_CONSOLIDATED, TD_FORMAT_ARCHIVE, TD_FORMAT_HDF5};
  static int n;
  char path[32];
  td_dict *opened = NULL;
  td_save_options save = TD_SAVE_OPTIONS_INIT;
  td_open_options open = TD_OPEN_OPTIONS_INIT;
  save.format = open.format = ONE_OF(formats);
  open.mode = chance(50) ? TD_OPEN_READ : TD_OPEN_COW;
  if (open.format == TD_FORMAT_HDF5) open.mode = TD_OPEN_READ_WRITE;
  snprintf(path, sizeof path, "saved%d", ++n);
  TRY(td_save(self, TD_STR(path), &save, err));
  TRY(td_open(TD_STR(path), &open, &opened, err));
  if (open.format != TD_FORMAT_HDF5) expect_same(self, opened, "a file");
  add_dict(w, opened);
  return TD_OK;
}

/* ---- Views ---------------------------------------------------------------------------------------------------------- */

static td_index any_index(void) {
  td_index i = {TD_INDEX_KIND_SLICE, 0, 0, TD_END, 1, NULL, NULL, 0};
  switch (below(4)) {
    case 0:
      i = (td_index)TD_INT(between(-1, 1));
      break;
    case 1:
      i.start = between(0, 2), i.stop = between(0, 3);
      break;
    case 2:
      i = (td_index){chance(50) ? TD_INDEX_KIND_NONE : TD_INDEX_KIND_ELLIPSIS, 0, 0, 0, 0, NULL, NULL, 0};
      break;
    default:
      i.step = 2;
  }
  return i;
}

static td_status index_of(world *w, td_dict *self, td_error **err) {
  const td_index i[] = {any_index(), any_index()};
  td_dict *made = NULL;
  TRY(td_dict_index(self, i, 1 + below(2), &made, err));
  add_dict(w, made);
  return TD_OK;
}

static td_status index_by_tensor(world *w, td_dict *self, td_error **err) {
  int64_t n = td_dict_len(self);
  td_tensor *t = chance(50) ? numbers(TD_DTYPE_BOOL, &n, 1) : numbers(TD_DTYPE_INT64, TD_SHAPE(2));
  const td_index i = {TD_INDEX_KIND_TENSOR, 0, 0, 0, 0, t, NULL, 0};
  td_dict *made = NULL;
  const td_status s = chance(50) ? td_dict_index(self, &i, 1, &made, err) : td_dict_masked_select(self, t, &made, err);
  td_tensor_release(t);
  add_dict(w, made);
  return s;
}

MAKES(view, td_dict_view(self, (const int64_t[]){-1}, 1, &made, err))
MAKES(reshape, td_dict_reshape(self, (const int64_t[]){1, -1}, 2, &made, err))
MAKES(flatten, td_dict_flatten(self, 0, -1, &made, err))
MAKES(unsqueeze, td_dict_unsqueeze(self, any_dim(self), &made, err))
MAKES(squeeze, td_dict_squeeze(self, NULL, 0, &made, err))
MAKES(transpose, td_dict_transpose(self, any_dim(self), any_dim(self), &made, err))
MAKES(flip, td_dict_flip(self, (const int64_t[]){any_dim(self)}, 1, &made, err))
MAKES(narrow, td_dict_narrow(self, any_dim(self), 0, between(0, 2), &made, err))
MAKES(expand, td_dict_expand(self, (const int64_t[]){2, -1, -1}, 1 + td_dict_batch_size(self, NULL, 0) % 3, &made, err))
MAKES(tile, td_dict_tile(self, (const int64_t[]){2, 1}, 1, &made, err))
MAKES(contiguous, td_dict_contiguous(self, &made, err))
MAKES(detach, td_dict_detach(self, &made, err))
MAKES(to_double, td_dict_to(self, TD_DTYPE_FLOAT64, TD_NO_STR, &made, err))
MAKES(to_cpu, td_dict_to(self, TD_DTYPE_NONE, TD_STR("cpu"), &made, err))
MAKES(consolidate, td_dict_consolidate(self, &made, err))
MAKES(state, td_dict_state_dict(self, &made, err))
MAKES(flatten_keys, td_dict_flatten_keys(self, TD_STR("."), &made, err))
MAKES(unflatten_keys, td_dict_unflatten_keys(self, TD_STR("."), &made, err))
MAKES(empty, td_dict_empty(self, (td_bool)below(2), &made, err))
MAKES(filter_data, td_dict_filter_non_tensor_data(self, &made, err))
MAKES(params, td_dict_params(self, NULL, &made, err))
MAKES(to_lazy, td_dict_to_lazy_stack(self, any_dim(self), &made, err))
MAKES(replace, td_dict_replace(self, any_like(w, self), &made, err))
MAKES(stack, td_dict_stack((const td_dict *const[]){self, any_like(w, self)}, 2, any_dim(self), &made, err))
MAKES(cat, td_dict_cat((const td_dict *const[]){self, any_like(w, self)}, 2, any_dim(self), &made, err))
MAKES(lazy_stack, td_dict_lazy_stack((td_dict *const[]){self, any_like(w, self)}, 2, between(0, 1), &made, err))
MAKES(maybe_dense, td_dict_maybe_dense_stack((td_dict *const[]){self, any_like(w, self)}, 2, 0, &made, err))
MAKES(new_full, td_dict_new_full(self, TD_SHAPE(2), TD_VALUE(td_value_double(1.5)), TD_DTYPE_NONE, &made, err))

static td_status select_keys(world *w, td_dict *self, td_error **err) {
  some_key k;
  td_dict *made = NULL;
  any_key(&k, self);
  TRY(chance(50) ? td_dict_select(self, &k.key, 1, (td_bool)below(2), &made, err)
                 : td_dict_exclude(self, &k.key, 1, &made, err));
  add_dict(w, made);
  return TD_OK;
}

static td_status get_dict(world *w, td_dict *self, td_error **err) {
  some_key k;
  td_dict *made = NULL;
  TRY(td_dict_get_dict(self, any_key(&k, self), &made, err));
  add_dict(w, made);
  return TD_OK;
}

/* ---- Arithmetic ----------------------------------------------------------------------------------------------------- */

static td_status with_op(world *w, td_dict *self, td_error **err, const char *name, const td_value *args, size_t n) {
  td_op *op = NULL;
  td_dict *made = NULL;
  TRY(td_op_find(TD_STR(name), TD_NO_STR, &op, err));
  const td_status s = td_dict_apply_op(op, args, n, NULL, 0, &made, 1, err);
  td_op_release(op);
  (void)self;
  if (s == TD_OK && made) add_dict(w, made);
  return s;
}

static td_status add(world *w, td_dict *self, td_error **err) {
  static const char *const names[] = {"add", "sub", "mul", "div", "maximum"};
  const td_value args[] = {td_value_dict(self), chance(50) ? td_value_dict(any_like(w, self)) : td_value_int(2)};
  return with_op(w, self, err, ONE_OF(names), args, 2);
}
static td_status one_operand(world *w, td_dict *self, td_error **err) {
  static const char *const names[] = {"neg", "abs", "exp", "sign", "square", "bitwise_not"};
  const td_value args[] = {td_value_dict(self)};
  return with_op(w, self, err, ONE_OF(names), args, 1);
}
static td_status in_place(world *w, td_dict *self, td_error **err) {
  static const char *const names[] = {"add_", "mul_", "sub_", "div_", "clamp_min_", "copy_", "fill_", "pow_"};
  const td_value args[] = {td_value_dict(self), chance(60)   ? td_value_dict(any_like(w, self))
                                                : chance(50) ? td_value_double(1.5)
                                                             : td_value_int(2)};
  return with_op(w, self, err, ONE_OF(names), args, 2);
}
static td_status in_place_alone(world *w, td_dict *self, td_error **err) {
  static const char *const names[] = {"neg_", "abs_", "exp_", "sqrt_", "zero_", "bitwise_not_"};
  const td_value args[] = {td_value_dict(self)};
  return with_op(w, self, err, ONE_OF(names), args, 1);
}

static td_status reduce(world *w, td_dict *self, td_error **err) {
  static const char *const names[] = {"sum", "mean", "amax", "prod"};
  td_op *op = NULL;
  td_dict *made = NULL;
  td_reduce_options options = TD_REDUCE_OPTIONS_INIT;
  const int64_t dim = any_dim(self);
  options.dims = &dim, options.n_dims = chance(70), options.keepdim = (td_bool)below(2);
  TRY(td_op_find(TD_STR(ONE_OF(names)), TD_NO_STR, &op, err));
  const td_status s = td_dict_reduce(self, op, NULL, 0, &options, &made, 1, err);
  td_op_release(op);
  add_dict(w, made);
  return s;
}

static td_status where(world *w, td_dict *self, td_error **err) {
  int64_t batch[64];
  td_dict *made = NULL;
  td_tensor *mask = numbers(TD_DTYPE_BOOL, batch, td_dict_batch_size(self, batch, 64));
  const td_status s = td_dict_where(self, mask, any_like(w, self), NULL, &made, err);
  td_tensor_release(mask);
  add_dict(w, made);
  return s;
}

static td_status masked_fill(world *w, td_dict *self, td_error **err) {
  (void)w;
  int64_t batch[64];
  td_tensor *mask = numbers(TD_DTYPE_BOOL, batch, td_dict_batch_size(self, batch, 64));
  const td_status s = td_dict_masked_fill_(self, mask, TD_VALUE(td_value_double(chance(80) ? 2 : 1e300)), err);
  td_tensor_release(mask);
  return s;
}

/* ---- Changes -------------------------------------------------------------------------------------------------------- */

static td_status set(world *w, td_dict *self, td_error **err) {
  (void)w;
  some_key k;
  td_tensor *t = fitting(self, any_key(&k, self)), *there = NULL;
  td_status s = chance(60)   ? td_dict_set(self, &k.key, t, err)
                : chance(75) ? td_dict_copy_into(self, &k.key, t, err)
                             : td_dict_set_unbatched(self, &k.key, t, err);
  const td_status got = td_dict_get(self, &k.key, &there, NULL); /* SHAPE: in a stack whose members differ */
  if (s == TD_OK && got != TD_OK && got != TD_ERR_SHAPE && td_dict_kind_of(self) == TD_DICT_KIND_TENSORDICT)
    child_fails("what was set is not there");
  td_tensor_release(t), td_tensor_release(there);
  return s;
}

static td_status set_dict(world *w, td_dict *self, td_error **err) {
  some_key k;
  return td_dict_set_dict(self, chance(50) ? new_key(&k) : any_key(&k, self), any_like(w, self), err);
}

static td_status set_data(world *w, td_dict *self, td_error **err) {
  (void)w;
  some_key k;
  const td_data values[] = {td_data_int(1), td_data_str(TD_STR("two")), td_data_int(3)};
  chance(50) ? new_key(&k) : any_key(&k, self);
  if (chance(50)) return td_dict_set_data(self, &k.key, &values[below(3)], err);
  if (chance(50)) return td_dict_set_data_(self, &k.key, &values[below(3)], err);
  return td_dict_set_data_stack(self, &k.key, values, chance(90) ? (size_t)(td_dict_len(self) % 4) : 2, err);
}

static td_status set_at(world *w, td_dict *self, td_error **err) {
  td_dict *part = NULL;
  const td_index i = any_index();
  if (chance(40)) return td_dict_set_at_value(self, &i, 1, TD_VALUE(td_value_double(chance(80) ? 3 : 1e300)), err);
  if (td_dict_index(self, &i, 1, &part, NULL) != TD_OK) return td_dict_set_at(self, &i, 1, any_dict(w), err);
  const td_status s = td_dict_set_at(self, &i, 1, chance(80) ? part : any_dict(w), err);
  td_dict_release(part);
  return s;
}

static td_status update(world *w, td_dict *self, td_error **err) {
  td_dict_update_options options = TD_DICT_UPDATE_OPTIONS_INIT;
  options.inplace = (td_bool)below(2), options.clone = (td_bool)below(2), options.update_batch_size = chance(20);
  if (options.update_batch_size) w->resized = 1;
  return td_dict_update(self, chance(90) ? any_like(w, self) : self, &options, err);
}

static td_status pop(world *w, td_dict *self, td_error **err) {
  some_key k;
  td_tensor *t = NULL;
  td_dict *d = NULL;
  any_key(&k, self);
  if (chance(50)) {
    TRY(td_dict_pop(self, &k.key, &t, err));
    td_tensor_release(t);
  } else {
    TRY(td_dict_pop_dict(self, &k.key, &d, err));
    add_dict(w, d);
  }
  return TD_OK;
}

static td_status set_names(world *w, td_dict *self, td_error **err) {
  (void)w;
  const td_str names[] = {TD_STR("one"), chance(10) ? TD_STR("one") : TD_STR("two"), TD_STR("three")};
  return td_dict_set_names(self, names, chance(85) ? td_dict_batch_size(self, NULL, 0) % 4 : below(4), err);
}

static td_status set_batch_size(world *w, td_dict *self, td_error **err) {
  (void)w;
  int64_t batch[64];
  size_t n = td_dict_batch_size(self, batch, 60);
  if (chance(50) && n > 0)
    --n;
  else
    batch[n++] = 3;
  w->resized = 1;
  return td_dict_set_batch_size(self, batch, n, err);
}

static td_status into(world *w, td_dict *self, td_error **err) {
  td_dict *target = any_dict(w);
  const td_dict *const parts[] = {any_like(w, self), any_like(w, self)};
  return chance(50) ? td_dict_stack_into(parts, 2, 0, target, err) : td_dict_cat_into(parts, 2, 0, target, err);
}

static td_status member(world *w, td_dict *self, td_error **err) {
  td_dict *other = any_dict(w);
  w->resized = 1;
  return chance(50) ? td_dict_append(self, other, err) : td_dict_insert(self, below(3), &other, 1, err);
}

CHANGES(zero, td_dict_zero_(self, err))
CHANGES(fill, td_dict_fill_(self, any_key(&k, self), TD_VALUE(td_value_double(chance(80) ? 4 : 1e300)), err))
CHANGES(update_values, td_dict_update_(self, any_like(w, self), err))
CHANGES(delete_key, td_dict_remove(self, any_key(&k, self), err))
CHANGES(rename_key, td_dict_rename_key_(self, any_key(&k, self), new_key(&other), (td_bool)below(2), err))
CHANGES(select_, td_dict_select_(self, any_key(&k, self), 1, (td_bool)below(2), err))
CHANGES(exclude_, td_dict_exclude_(self, any_key(&k, self), 1, err))
CHANGES(create_nested, td_dict_create_nested(self, new_key(&k), err))
CHANGES(filter_empty, td_dict_filter_empty_(self, err))
CHANGES(lock, td_dict_lock_(self, err))
CHANGES(unlock, td_dict_unlock_(self, err))
CHANGES(become, (w->resized = 1, td_dict_become(self, any_like(w, self), err)))
CHANGES(auto_batch, (w->resized = 1, td_dict_auto_batch_size_(self, between(-1, 2), err)))
CHANGES(detach_, td_dict_detach_(self, err))
CHANGES(clear, chance(20) ? td_dict_clear(self, err) : td_dict_clear_device_(self, err))
CHANGES(share, td_dict_share_memory_(self, err))
CHANGES(requires_grad, td_dict_requires_grad_(self, (td_bool)below(2), err))
CHANGES(zero_grad, td_dict_zero_grad(self, (td_bool)below(2), err))
static const td_backward_options retain = {sizeof retain, 1, 0, 0, TD_RESERVED};
CHANGES(backward, td_dict_backward(self, chance(50) ? NULL : any_like(w, self), NULL, chance(50) ? NULL : &retain, err))
CHANGES(load_state, (w->resized = 1, td_dict_load_state_dict(self, any_like(w, self), NULL, err)))
CHANGES(cat_tensors, td_dict_cat_tensors(self, ((const td_key[]){*any_key(&k, self), *any_key(&other, self)}), 2,
                                         TD_KEY("joined"), any_dim(self), (td_bool)below(2), err))

/* ---- Scopes, vmap, threads: in other files -------------------------------------------------------------------------- */

td_status in_scope(world *w, td_dict *self, td_error **err);
td_status in_vmap(world *w, td_dict *self, td_error **err);
td_status in_threads(world *w, td_dict *self, td_error **err);

const step steps[] = {
    {"clone", clone, PURE},
    {"copy", copy, PURE},
    {"there and back", there_and_back, PURE},
    {"apart and together", apart_and_together, PURE},
    {"save and open", save_and_open, PURE},
    {"index", index_of, PURE},
    {"index by tensor", index_by_tensor, PURE},
    {"view", view, PURE},
    {"reshape", reshape, PURE},
    {"flatten", flatten, PURE},
    {"unsqueeze", unsqueeze, PURE},
    {"squeeze", squeeze, PURE},
    {"transpose", transpose, PURE},
    {"flip", flip, PURE},
    {"narrow", narrow, PURE},
    {"expand", expand, PURE},
    {"tile", tile, PURE},
    {"contiguous", contiguous, PURE},
    {"detach", detach, PURE},
    {"to double", to_double, PURE},
    {"to cpu", to_cpu, PURE},
    {"consolidate", consolidate, PURE},
    {"state", state, PURE},
    {"flatten keys", flatten_keys, PURE},
    {"unflatten keys", unflatten_keys, PURE},
    {"empty", empty, PURE},
    {"filter data", filter_data, PURE},
    {"params", params, WRITES},
    {"to lazy", to_lazy, PURE},
    {"replace", replace, PURE},
    {"stack", stack, PURE},
    {"cat", cat, PURE},
    {"lazy stack", lazy_stack, PURE},
    {"maybe dense", maybe_dense, PURE},
    {"new full", new_full, PURE},
    {"select", select_keys, PURE},
    {"get dict", get_dict, PURE},
    {"add", add, PURE},
    {"one operand", one_operand, PURE},
    {"in place", in_place, WRITES},
    {"in place alone", in_place_alone, WRITES},
    {"reduce", reduce, PURE},
    {"where", where, PURE},
    {"masked fill", masked_fill, WRITES},
    {"set", set, WRITES},
    {"set dict", set_dict, WRITES},
    {"set data", set_data, WRITES},
    {"set at", set_at, WRITES},
    {"update", update, WRITES},
    {"pop", pop, WRITES},
    {"set names", set_names, WRITES},
    {"set batch size", set_batch_size, WRITES},
    {"into", into, WRITES},
    {"member", member, WRITES},
    {"zero", zero, WRITES},
    {"fill", fill, WRITES},
    {"update values", update_values, WRITES},
    {"delete", delete_key, WRITES},
    {"rename", rename_key, WRITES},
    {"select_", select_, WRITES},
    {"exclude_", exclude_, WRITES},
    {"create nested", create_nested, WRITES},
    {"filter empty", filter_empty, WRITES},
    {"lock", lock, WRITES},
    {"unlock", unlock, WRITES},
    {"become", become, WRITES},
    {"auto batch size", auto_batch, WRITES},
    {"detach_", detach_, WRITES},
    {"clear", clear, WRITES},
    {"share memory", share, WRITES},
    {"requires grad", requires_grad, WRITES},
    {"zero grad", zero_grad, WRITES},
    {"backward", backward, PARTLY},
    {"load state", load_state, WRITES},
    {"cat tensors", cat_tensors, WRITES},
    {"in a scope", in_scope, PARTLY},
    {"in vmap", in_vmap, PURE},
    {"in threads", in_threads, PURE},
};
const size_t n_steps = sizeof steps / sizeof *steps;
