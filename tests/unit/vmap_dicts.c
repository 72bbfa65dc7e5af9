/* Dicts under td_vmap: in chunks, and locked. */
#include "sequence_support.h"

TestSuite(vmap_dicts, .init = count_live, .fini = check_live);

/* What the function writes, told by the number of calls so far. */
typedef struct plan {
  int calls;
  const char *keys[2];     /* of the first chunk and of the later ones: "xy" */
  int locked, refused_set; /* what it has seen */
} plan;

static td_status give_keys(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                           td_error **error) {
  plan *p = userdata;
  const char *keys = p->keys[p->calls++ > 0];
  (void)n, (void)n_outs;
  td_dict *in = (td_dict *)args[0].as.dict, *out;
  td_tensor *x;
  p->locked = td_dict_is_locked(in);
  td_status s = td_dict_get(in, TD_KEY("x"), &x, error);
  if (s != TD_OK) return s;
  p->refused_set = td_dict_set(in, TD_KEY("new"), x, NULL) == TD_ERR_LOCKED;
  if (!keys) {
    td_dict_retain(in);
    outs[0] = td_value_dict(in);
  } else {
    ok(td_dict_new(TD_NO_DIMS, NULL, &out, &err));
    for (; *keys; ++keys) {
      char name[] = {*keys, '\0'};
      td_tensor *y = apply(*keys == 'a' ? "neg" : "abs", x, NULL);
      put(out, TD_KEY(name), y);
    }
    outs[0] = td_value_dict(out);
  }
  td_tensor_release(x);
  return TD_OK;
}

static td_dict *numbers(void) {
  td_dict *d = dict(TD_SHAPE(4));
  put(d, TD_KEY("x"), VEC(1, 2, 3, 4));
  return d;
}

Test(vmap_dicts, chunks_are_joined_by_key) {
  static const struct {
    const char *first, *later, *missing; /* missing: NULL if they fit */
  } cases[] = {{"ab", "ab", NULL}, {"ab", "ba", NULL}, {"ab", "a", "\"b\""}, {"a", "ab", "\"b\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    plan p = {0, {cases[i].first, cases[i].later}, 0, 0};
    td_dict *data = numbers();
    td_value arg = td_value_dict(data), out;
    td_vmap_function_options how = TD_VMAP_FUNCTION_OPTIONS_INIT;
    how.chunk_size = 2;
    td_status status = td_vmap(give_keys, &p, &arg, 1, &how, &out, 1, &err);
    cr_assert_eq(p.calls, 2);
    if (cases[i].missing) {
      cr_assert(err && !strcmp(td_error_key(err).data, cases[i].missing));
      fails(status, TD_ERR_KEY, "some chunks only");
    } else {
      ok(status);
      EXPECT(peek(out.as.dict, TD_KEY("a")), -1, -2, -3, -4);
      EXPECT(peek(out.as.dict, TD_KEY("b")), 1, 2, 3, 4);
      td_value_clear(&out);
    }
    td_dict_release(data);
  }
}

Test(vmap_dicts, a_locked_dict_is_locked_inside_and_comes_out_locked) {
  for (int chunks = 0; chunks < 2; ++chunks) {
    plan p = {0, {NULL, NULL}, 0, 0};
    td_dict *data = numbers();
    ok(td_dict_lock(data, &err));
    td_value arg = td_value_dict(data), out;
    td_vmap_function_options how = TD_VMAP_FUNCTION_OPTIONS_INIT;
    how.chunk_size = chunks ? 2 : 0;
    ok(td_vmap(give_keys, &p, &arg, 1, &how, &out, 1, &err));
    cr_assert(p.locked && p.refused_set);
    cr_assert(td_dict_is_locked(out.as.dict));
    EXPECT(peek(out.as.dict, TD_KEY("x")), 1, 2, 3, 4);
    td_value_clear(&out);
    td_dict_release(data);
  }
}
