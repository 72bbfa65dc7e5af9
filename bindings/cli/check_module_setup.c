#include <stdlib.h>
#include <string.h>

#include "check_module.h"
#include "check_schema.h"
#include "report.h"
#include "value.h"

static const char *const in_names[MOST_INPUTS] = {"in 0", "in 1", "in 2"};
static const char *const out_names[MOST_INPUTS] = {"out 0", "out 1", "out 2"};

static td_status create(const subject *s, uint64_t seed, td_module **out, td_error **err) {
  td_generator *g;
  td_status status = td_generator_new(seed, &g, err);
  if (status == TD_OK) status = td_module_new(TD_STR(s->t->id), TD_STR(s->config), g, out, err);
  td_generator_release(g);
  if (status == TD_OK) status = td_module_train(*out, 0, err);
  return status;
}

td_module *make_module(const subject *s, uint64_t seed) {
  td_module *m;
  td_error *err = NULL;
  must(create(s, seed, &m, &err), &err, "making a module");
  return m;
}

td_module *with_keys(const subject *s, td_module *inner) {
  td_key in[MOST_INPUTS], out[MOST_INPUTS];
  td_str parts[2 * MOST_INPUTS];
  td_module *m;
  td_error *err = NULL;
  for (size_t i = 0; i < MOST_INPUTS; ++i) {
    parts[i] = TD_STR(in_names[i]);
    parts[MOST_INPUTS + i] = TD_STR(out_names[i]);
    in[i] = (td_key){parts + i, 1};
    out[i] = (td_key){parts + MOST_INPUTS + i, 1};
  }
  must(td_module_tensordict(inner, in, s->n_in, out, s->n_out, NULL, &m, &err), &err, "giving it keys");
  td_module_release(inner);
  return m;
}

td_tensor *make_input(const subject *s, uint64_t seed, td_dtype dtype) {
  td_tensor *t;
  td_error *err = NULL;
  if (s->dtype == TD_DTYPE_INT64) {
    must(td_tensor_zeros(s->shape, s->ndim, TD_DTYPE_INT64, TD_NO_STR, &t, &err), &err, "making an input");
    return t;
  }
  td_generator *g;
  must(td_generator_new(seed, &g, &err), &err, "making a generator");
  must(td_tensor_randn(s->shape, s->ndim, dtype, TD_NO_STR, g, &t, &err), &err, "making an input");
  td_generator_release(g);
  return t;
}

void release_all(td_tensor **tensors, size_t n) {
  for (size_t i = 0; i < n; ++i) td_tensor_release(tensors[i]);
}

static td_status call(const subject *s, const td_module *m, uint64_t seed, td_tensor **outputs, td_error **err) {
  td_tensor *inputs[MOST_INPUTS];
  for (size_t i = 0; i < s->n_in; ++i) inputs[i] = make_input(s, seed + i, s->dtype);
  td_status status = td_module_call(m, inputs, s->n_in, outputs, s->n_out, err);
  release_all(inputs, s->n_in);
  return status;
}

void run_module(const subject *s, const td_module *m, uint64_t seed, td_tensor **outputs) {
  td_error *err = NULL;
  must(call(s, m, seed, outputs, &err), &err, "running it");
}

td_dict *input_dict(const subject *s, uint64_t seed, td_dtype dtype) {
  td_dict *d;
  td_error *err = NULL;
  must(td_dict_new(TD_NO_DIMS, NULL, &d, &err), &err, "making a dict");
  for (size_t i = 0; i < s->n_in; ++i) {
    td_tensor *t = make_input(s, seed + i, dtype);
    must(td_dict_set(d, TD_KEY(in_names[i]), t, &err), &err, "setting an input");
    td_tensor_release(t);
  }
  return d;
}

td_tensor *output_of(const td_dict *data, size_t i) {
  td_tensor *t;
  td_error *err = NULL;
  must(td_dict_get(data, TD_KEY(out_names[i]), &t, &err), &err, "reading an output");
  return t;
}

td_dict *state_of(const td_module *m) {
  td_dict *d;
  td_error *err = NULL;
  must(td_dict_from_module(m, &d, &err), &err, "reading its state");
  return d;
}

int same_tensors(const td_tensor *a, const td_tensor *b) {
  td_tensor *x, *y;
  const char *p, *q;
  td_error *err = NULL;
  int64_t dims[2][64];
  size_t n = td_tensor_shape(a, dims[0], 64);
  if (n != td_tensor_shape(b, dims[1], 64) || memcmp(dims[0], dims[1], n * sizeof **dims)) return 0;
  if (td_tensor_dtype(a) != td_tensor_dtype(b)) return 0;
  must(dense_bytes(a, &x, &p, &err), &err, "reading a tensor");
  must(dense_bytes(b, &y, &q, &err), &err, "reading a tensor");
  int same = !td_tensor_nbytes(x) || !memcmp(p, q, (size_t)td_tensor_nbytes(x));
  td_tensor_release(x);
  td_tensor_release(y);
  return same;
}

int same_dicts(const td_dict *a, const td_dict *b) {
  td_keys *keys[2];
  td_tensor_list *leaves[2];
  td_error *err = NULL;
  must(td_dict_leaves(a, &keys[0], &leaves[0], &err), &err, "reading a state");
  must(td_dict_leaves(b, &keys[1], &leaves[1], &err), &err, "reading a state");
  size_t n = td_tensor_list_size(leaves[0]);
  int same = n == td_tensor_list_size(leaves[1]);
  for (size_t i = 0; same && i < n; ++i) {
    td_tensor *x, *y;
    must(td_tensor_list_get(leaves[0], i, &x, &err), &err, "reading a state");
    must(td_tensor_list_get(leaves[1], i, &y, &err), &err, "reading a state");
    same = same_tensors(x, y);
    td_tensor_release(x);
    td_tensor_release(y);
  }
  for (int i = 0; i < 2; ++i) {
    td_keys_release(keys[i]);
    td_tensor_list_release(leaves[i]);
  }
  return same;
}

// ---- Finding a config and inputs ------------------------------------------------------------------------------------------
static int takes(subject *s, const td_module *m) {
  td_tensor *outputs[MOST_INPUTS];
  td_error *err = NULL;
  int good = call(s, m, 1, outputs, &err) == TD_OK;
  if (good) release_all(outputs, s->n_out);
  forget(&err);
  return good;
}

// Sizes that mean something to it: those of its parameters, and 4.
static size_t sizes_of(const td_module *m, int64_t *sizes, size_t most) {
  td_keys *keys;
  td_tensor_list *leaves;
  td_error *err = NULL;
  td_dict *state = state_of(m);
  size_t n = 0;
  must(td_dict_leaves(state, &keys, &leaves, &err), &err, "reading its state");
  sizes[n++] = 4;
  for (size_t i = 0; i < td_tensor_list_size(leaves); ++i) {
    td_tensor *t;
    int64_t dims[8];
    must(td_tensor_list_get(leaves, i, &t, &err), &err, "reading its state");
    size_t ndim = td_tensor_shape(t, dims, 8);
    for (size_t k = 0; k < ndim && k < 8; ++k) {
      int known = 0;
      for (size_t j = 0; j < n; ++j) known |= sizes[j] == dims[k];
      if (!known && dims[k] < 4096 && n < most) sizes[n++] = dims[k];
    }
    td_tensor_release(t);
  }
  td_keys_release(keys);
  td_tensor_list_release(leaves);
  td_dict_release(state);
  return n;
}

// Rows, sequences and images, and whole numbers: of how many inputs, and with how many outputs.
static int find_inputs(subject *s, const td_module *m) {
  int64_t sizes[24];
  size_t n = sizes_of(m, sizes, 24);
  for (s->n_in = 1; s->n_in <= MOST_INPUTS; ++s->n_in)
    for (s->n_out = 1; s->n_out <= MOST_INPUTS; ++s->n_out)
      for (size_t i = 0; i < n; ++i)
        for (int form = 0; form < 6; ++form) {
          const int64_t k = sizes[i], shapes[6][4] = {{3, k}, {3, 5, k}, {3, k, 12}, {3, k, 12, 12}, {3}, {3, 5}};
          static const size_t ndims[6] = {2, 3, 3, 4, 1, 2};
          memcpy(s->shape, shapes[form], sizeof s->shape);
          s->ndim = ndims[form];
          s->dtype = form < 4 ? TD_DTYPE_FLOAT32 : TD_DTYPE_INT64;
          if (takes(s, m)) return 1;
        }
  return 0;
}

subject find_subject(trial *t) {
  subject s;
  td_module *m;
  td_error *err = NULL;
  memset(&s, 0, sizeof s);
  s.t = t;
  char *schema = about(t, "schema", NULL);
  int given = strcmp(t->config, "{}");
  s.config = given || !schema ? xcopy(t->config, strlen(t->config)) : sample_config(schema);
  td_status status = create(&s, 1, &m, &err);
  if (status != TD_OK && !given)
    skip_trial("it cannot be made with the config %s: give one with --config (%s)", s.config,
               td_error_message(err).data);
  must(status, &err, "making a module");
  if (!find_inputs(&s, m)) skip_trial("no inputs were found that it takes with the config %s", s.config);
  td_module_release(m);
  return s;
}
