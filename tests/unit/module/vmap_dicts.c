/* Dicts under td_vmap: in chunks, and locked. */
#include "support/sequence_support.h"

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
    must(td_dict_new(TD_NO_DIMS, NULL, &out, &err));
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
      expect_error(status, TD_ERR_KEY, NULL, "some chunks only");
    } else {
      must(status);
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
    must(td_dict_lock_(data, &err));
    td_value arg = td_value_dict(data), out;
    td_vmap_function_options how = TD_VMAP_FUNCTION_OPTIONS_INIT;
    how.chunk_size = chunks ? 2 : 0;
    must(td_vmap(give_keys, &p, &arg, 1, &how, &out, 1, &err));
    cr_assert(p.locked && p.refused_set);
    cr_assert(td_dict_is_locked(out.as.dict));
    EXPECT(peek(out.as.dict, TD_KEY("x")), 1, 2, 3, 4);
    td_value_clear(&out);
    td_dict_release(data);
  }
}

/* ---- Non-tensor data, which every member keeps ------------------------------------------------------------------- */

/* "[4,3]:a,b,..." for a stack of values, "{4,3}:a" for one value. */
static const char *texts_of(const td_dict *d, const td_key *key) {
  static char text[128];
  td_data_list *list;
  int64_t dims[4];
  must(td_dict_get_data(d, key, &list, &err));
  td_bool stack = td_data_list_is_stack(list);
  size_t ndim = td_data_list_shape(list, dims, 4);
  strcpy(text, stack ? "[" : "{");
  for (size_t i = 0; i < ndim; ++i) sprintf(text + strlen(text), "%s%d", i ? "," : "", (int)dims[i]);
  strcat(text, stack ? "]:" : "}:");
  for (size_t i = 0; i < td_data_list_size(list); ++i) {
    td_data v;
    must(td_data_list_get(list, i, &v, &err));
    sprintf(text + strlen(text), "%s%.*s", i ? "," : "", (int)v.text.size, v.text.data);
  }
  td_data_list_release(list);
  return text;
}

/* Batch size [2, 3]: "x", one text under "s" and under ("n", "t"), and a text for each element under "u". */
static td_dict *labelled(void) {
  td_dict *d = dict(TD_SHAPE(2, 3));
  put(d, TD_KEY("x"), floats((const float[]){0, 1, 2, 3, 4, 5}, TD_SHAPE(2, 3)));
  must(td_dict_set_data(d, TD_KEY("s"), TD_DATA(td_data_str(TD_STR("one"))), &err));
  must(td_dict_set_data(d, TD_KEY("n", "t"), TD_DATA(td_data_str(TD_STR("in"))), &err));
  td_data values[6];
  static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
  for (size_t i = 0; i < 6; ++i) values[i] = td_data_str(TD_STR(names[i]));
  must(td_dict_set_data_stack(d, TD_KEY("u"), values, 6, &err));
  return d;
}

typedef struct seen {
  int64_t batch;
  char one[16];
  td_status stacked; /* what reading a stack of the members' values gives */
} seen;

static td_status same_dict(void *userdata, const td_value *args, size_t n, td_value *outs, size_t n_outs,
                           td_error **error) {
  seen *s = userdata;
  (void)n, (void)n_outs, (void)error;
  td_dict *in = (td_dict *)args[0].as.dict;
  td_data_list *list = NULL;
  int64_t batch[2];
  cr_assert_eq(td_dict_batch_size(in, batch, 2), 1);
  s->batch = batch[0];
  strcpy(s->one, texts_of(in, TD_KEY("s")));
  s->stacked = td_dict_get_data(in, TD_KEY("u"), &list, NULL);
  td_data v;
  if (s->stacked == TD_OK) s->stacked = td_data_list_get(list, 0, &v, NULL);
  td_data_list_release(list);
  td_dict_retain(in);
  outs[0] = td_value_dict(in);
  return TD_OK;
}

Test(vmap_dicts, members_keep_their_data) {
  static const struct {
    int32_t in;
    int64_t out, chunk;
    const char *one, *each, *below;
  } cases[] = {
      {0, 0, 0, "{2,3}:one", "[2,3]:a,b,c,d,e,f", "{2,3}:in"}, {1, 1, 0, "{2,3}:one", "[2,3]:a,b,c,d,e,f", "{2,3}:in"},
      {0, 1, 0, "{3,2}:one", "[3,2]:a,d,b,e,c,f", "{3,2}:in"}, {1, 0, 0, "{3,2}:one", "[3,2]:a,d,b,e,c,f", "{3,2}:in"},
      {0, 0, 1, "{2,3}:one", "[2,3]:a,b,c,d,e,f", "{2,3}:in"}, {1, 1, 2, "{2,3}:one", "[2,3]:a,b,c,d,e,f", "{2,3}:in"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    td_dict *data = labelled();
    td_value arg = td_value_dict(data), out;
    td_vmap_function_options how = TD_VMAP_FUNCTION_OPTIONS_INIT;
    how.in_dims = &cases[i].in;
    how.out_dims = &cases[i].out;
    how.chunk_size = cases[i].chunk;
    seen s = {0, "", TD_OK};
    must(td_vmap(same_dict, &s, &arg, 1, &how, &out, 1, &err));
    cr_assert_eq(s.batch, cases[i].in ? 2 : 3);
    cr_assert_str_eq(s.one, cases[i].in ? "{2}:one" : "{3}:one");
    cr_assert_eq(s.stacked, TD_ERR_UNSUPPORTED, "the values of several members are not one value");
    cr_assert_str_eq(texts_of(out.as.dict, TD_KEY("s")), cases[i].one);
    cr_assert_str_eq(texts_of(out.as.dict, TD_KEY("u")), cases[i].each);
    cr_assert_str_eq(texts_of(out.as.dict, TD_KEY("n", "t")), cases[i].below);
    td_value_clear(&out);
    td_dict_release(data);
  }
}

/* Of a batch with no other dim each member has one value, and outside they are a stack again. */
Test(vmap_dicts, modules_and_ensembles_keep_the_data) {
  td_dict *whole = labelled(), *row, *states = dict(TD_SHAPE(3)), *out;
  must(td_dict_index(whole, (td_index[]){TD_INT(1)}, 1, &row, &err));
  td_module *plus = mod("x", "y"), *many;
  for (int mapped = 0; mapped < 2; ++mapped) {
    td_vmap_options how = TD_VMAP_OPTIONS_INIT;
    how.map_data = mapped;
    for (int ensemble = 0; ensemble < 2; ++ensemble) {
      if (ensemble) {
        must(td_module_ensemble(plus, 3, !mapped, NULL, &many, &err));
        must(td_module_run(many, row, NULL, &out, &err));
        td_module_release(many);
      } else {
        must(td_module_vmap(plus, states, row, &how, &out, &err));
      }
      cr_assert_str_eq(texts_of(out, TD_KEY("u")), mapped ? "[3]:d,e,f" : "[3,3]:d,e,f,d,e,f,d,e,f");
      cr_assert_str_eq(texts_of(out, TD_KEY("s")), mapped ? "{3}:one" : "{3,3}:one");
      if (mapped) EXPECT(peek(out, TD_KEY("y")), 4, 5, 6);
      td_dict_release(out);
    }
  }
  cr_assert_str_eq(texts_of(row, TD_KEY("u")), "[3]:d,e,f");
  td_dict *const dicts[] = {whole, row, states};
  for (size_t i = 0; i < 3; ++i) td_dict_release(dicts[i]);
  td_module_release(plus);
}

/* ---- Lazy stacks -------------------------------------------------------------------------------------------------- */

/* `n` members of batch size [2] that have "x", and "only" that has another shape in each, stacked along `dim`. */
static td_dict *lazy_of(size_t n, int64_t dim) {
  td_dict *members[4], *stack;
  for (size_t i = 0; i < n; ++i) {
    members[i] = dict(TD_SHAPE(2));
    put(members[i], TD_KEY("x"), floats((const float[]){(float)i, (float)i + 10}, TD_SHAPE(2)));
    td_tensor *ragged;
    must(td_tensor_full(TD_SHAPE(2, (int64_t)i + 1), TD_VALUE(td_value_double(1)), TD_DTYPE_FLOAT32, TD_NO_STR, &ragged,
                        &err));
    put(members[i], TD_KEY("only"), ragged);
  }
  must(td_dict_lazy_stack(members, n, dim, &stack, &err));
  for (size_t i = 0; i < n; ++i) td_dict_release(members[i]);
  return stack;
}

Test(vmap_dicts, ensembles_take_lazy_stacks) {
  for (int below = 0; below < 2; ++below) { /* the data, or a node of it */
    td_dict *lazy = lazy_of(3, 1), *data = lazy, *out;
    td_module *inner = function_module(&plus_one), *plus, *many;
    if (below) {
      data = dict(TD_SHAPE(2));
      must(td_dict_set_dict(data, TD_KEY("l"), lazy, &err));
      td_dict_release(lazy);
    }
    must(td_module_tensordict(inner, below ? TD_KEY("l", "x") : TD_KEY("x"), 1, below ? TD_KEY("l", "y") : TD_KEY("y"),
                              1, NULL, &plus, &err));
    for (int expand = 0; expand < 2; ++expand) {
      must(td_module_ensemble(plus, 2, expand, NULL, &many, &err));
      must(td_module_run(many, data, NULL, &out, &err));
      td_dict *stack = out;
      if (below) must(td_dict_get_dict(out, TD_KEY("l"), &stack, &err));
      cr_assert_eq(td_dict_kind_of(stack), TD_DICT_KIND_LAZY_STACK);
      td_tensor *y = get(stack, TD_KEY("y"));
      if (expand) {
        expect_shape(y, TD_SHAPE(2, 2, 3));
        EXPECT(y, 1, 2, 3, 11, 12, 13, 1, 2, 3, 11, 12, 13);
      } else {
        expect_shape(y, TD_SHAPE(2, 3));
        EXPECT(y, 1, 2, 3, 11, 12, 13);
      }
      td_tensor_release(y);
      if (below) td_dict_release(stack);
      td_dict_release(out);
      td_module_release(many);
    }
    td_dict_release(data);
    td_module_release(plus);
    td_module_release(inner);
  }
}

/* Along its own dim a stack is taken apart for the copies: its members must be alike. */
Test(vmap_dicts, an_ensemble_over_the_dim_of_a_stack_gives_each_copy_a_member) {
  td_dict *stack = lazy_of(3, 0), *alike, *out;
  td_module *plus = mod("x", "y"), *many;
  must(td_module_ensemble(plus, 3, 0, NULL, &many, &err));
  expect_error(td_module_run(many, stack, NULL, &out, &err), TD_ERR_SHAPE, NULL, "only");
  must(td_dict_exclude(stack, TD_KEY("only"), 1, &alike, &err));
  must(td_module_run(many, alike, NULL, &out, &err));
  EXPECT(peek(out, TD_KEY("y")), 1, 11, 2, 12, 3, 13);
  td_dict *const dicts[] = {stack, alike, out};
  for (size_t i = 0; i < 3; ++i) td_dict_release(dicts[i]);
  td_module_release(many);
  td_module_release(plus);
}
