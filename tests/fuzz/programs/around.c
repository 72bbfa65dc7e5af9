/* Steps inside of something: a scope, vmap, other threads. */
#include <pthread.h>

#include "programs/world.h"

td_status in_scope(world *w, td_dict *self, td_error **err);
td_status in_vmap(world *w, td_dict *self, td_error **err);
td_status in_threads(world *w, td_dict *self, td_error **err);

/* ---- Scopes: what is done to the transformed dict is in the original afterwards --------------------------------------- */

td_status in_scope(world *w, td_dict *self, td_error **err) {
  (void)w;
  td_scope *scope = NULL;
  td_dict *made = NULL;
  td_status s;
  switch (below(4)) {
    case 0:
      s = td_scope_unlock(self, &scope, err);
      break;
    case 1:
      s = td_scope_flatten_keys(self, TD_STR("."), &made, &scope, err);
      break;
    case 2:
      s = td_scope_unsqueeze(self, 0, &made, &scope, err);
      break;
    default:
      s = td_scope_transpose(self, 0, -1, &made, &scope, err);
  }
  if (s != TD_OK) return s;
  if (chance(70)) {
    td_dict *into = made ? made : self;
    some_key k;
    td_tensor *t = fitting(into, new_key(&k));
    td_dict_set(into, &k.key, t, NULL);
    td_tensor_release(t);
  }
  s = td_scope_end(scope, err);
  td_scope_release(scope);
  td_dict_release(made);
  return s;
}

/* ---- vmap ------------------------------------------------------------------------------------------------------------- */

static td_status mapped(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs, td_error **err) {
  const uint64_t how = *(const uint64_t *)userdata;
  (void)n, (void)n_outs;
  td_dict *made = NULL;
  const td_dict *self = args[0].as.dict;
  td_op *op = NULL;
  td_status s = TD_OK;
  switch (how % 6) {
    case 0:
      s = td_dict_clone(self, &made, err);
      break;
    case 1:
      s = td_dict_unsqueeze(self, 0, &made, err);
      break;
    case 2:
      s = td_dict_flatten_keys(self, TD_STR("."), &made, err);
      break;
    case 3:
      s = td_dict_index(self, (const td_index[]){TD_SLICE(0, 1)}, 1, &made, err);
      break;
    case 4:
      s = td_dict_copy(self, &made, err);
      if (s == TD_OK) s = td_dict_set_data(made, TD_KEY("told"), TD_DATA(td_data_int(1)), err);
      break;
    default:
      if ((s = td_op_find(TD_STR("mul"), TD_STR("Scalar"), &op, err)) == TD_OK)
        s = td_dict_apply_op(op, (const td_value[]){td_value_dict(self), td_value_int(2)}, 2, NULL, 0, &made, 1, err);
      td_op_release(op);
  }
  if (s != TD_OK) {
    td_dict_release(made);
    return s;
  }
  outs[0] = td_value_dict(made);
  return TD_OK;
}

td_status in_vmap(world *w, td_dict *self, td_error **err) {
  uint64_t how = below(6);
  const td_value args[] = {td_value_dict(self)};
  td_value out = td_value_none();
  note(" how %llu", (unsigned long long)how);
  const td_status s = td_vmap(mapped, &how, args, 1, NULL, &out, 1, err);
  if (s != TD_OK) return s;
  if (out.kind != TD_VALUE_DICT) child_fails("vmap gives a dict for a dict");
  if (how == 0 && td_dict_kind_of(self) == TD_DICT_KIND_TENSORDICT && !same_content(self, out.as.dict, 0))
    child_fails("vmap over a clone gives other keys or values");
  add_dict(w, (td_dict *)out.as.dict);
  return TD_OK;
}

/* ---- Threads: functions of a const dict may be called at once --------------------------------------------------------- */

enum { THREADS = 3, ROUNDS = 4 };

typedef struct reader {
  const td_dict *dict;
  snapshot seen;
  int which;
} reader;

static void *read_all(void *p) {
  reader *r = p;
  for (int i = 0; i < ROUNDS; ++i) {
    td_dict *made = NULL;
    td_string *text = NULL;
    if ((r->which + i) % 3 == 0) td_dict_clone(r->dict, &made, NULL);
    if ((r->which + i) % 3 == 1) td_dict_index(r->dict, (const td_index[]){TD_SLICE(0, 1)}, 1, &made, NULL);
    if ((r->which + i) % 3 == 2) td_dict_repr(r->dict, 0, &text, NULL);
    td_dict_release(made);
    td_string_release(text);
    r->seen = snapshot_of(r->dict);
  }
  return NULL;
}

td_status in_threads(world *w, td_dict *self, td_error **err) {
  (void)w, (void)err;
  pthread_t threads[THREADS];
  reader readers[THREADS];
  int started = 0;
  for (int i = 0; i < THREADS; ++i) {
    readers[i] = (reader){self, {0, 0, 0, 0}, 2 * i};
    if (pthread_create(&threads[i], NULL, read_all, &readers[i]) != 0) break;
    ++started;
  }
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  for (int i = 1; i < started; ++i) {
    const char *what = snapshot_difference(&readers[0].seen, &readers[i].seen);
    if (what) child_fails("threads that read see different dicts: %s", what);
  }
  return TD_OK;
}
