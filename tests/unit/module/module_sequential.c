#include "support/nn_support.h"

TestSuite(module_sequential, .init = count_live, .fini = check_live);

typedef struct keys {
  size_t n;
  const char *key[4][2]; /* one or two parts */
} keys;

static void fill_keys(const keys *from, td_key *out, td_str parts[4][2]) {
  for (size_t i = 0; i < from->n; ++i) {
    size_t n = from->key[i][1] ? 2 : 1;
    for (size_t j = 0; j < n; ++j) parts[i][j] = TD_STR(from->key[i][j]);
    out[i] = (td_key){parts[i], n};
  }
}

/* The vectors seq_keys.* that stock Python gave. A sequence called on tensors shows its keys: it takes one tensor for
 * each in_key and gives one for each out_key; member i produces 100 * (i + 1). */
static const struct {
  size_t n;
  keys in[3], out[3];
  size_t n_in, n_out;
  double produced[4];
} cases[] = {
    {2, {{1, {{"a"}}}, {1, {{"b"}}}}, {{1, {{"b"}}}, {1, {{"c"}}}}, 1, 2, {100, 300}},
    {3, {{1, {{"a"}}}, {1, {{"a"}}}, {1, {{"a"}}}}, {{1, {{"b"}}}, {1, {{"c"}}}, {1, {{"b"}}}}, 1, 2, {200, 300}},
    {3,
     {{2, {{"key1"}, {"key2"}}}, {2, {{"key1"}, {"key3"}}}, {2, {{"foo1"}, {"key3"}}}},
     {{1, {{"foo1"}}}, {1, {{"key1"}}}, {1, {{"key2"}}}},
     3,
     3,
     {100, 200, 400}},
    {2, {{1, {{"a"}}}, {1, {{"q"}}}}, {{1, {{"n", "b"}}}, {1, {{"c"}}}}, 2, 2, {100, 200}},
    {0, {{0, {{0}}}}, {{0, {{0}}}}, 0, 0, {0}},
};

Test(module_sequential, a_sequence_reads_first_and_produces_last) {
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    function f[3];
    td_module *members[3], *seq;
    for (size_t i = 0; i < cases[c].n; ++i) {
      f[i] = (function){.writes = 1, .value = 100.0 * (double)(i + 1)};
      td_module *fn = function_module(&f[i]);
      td_str in_parts[4][2], out_parts[4][2];
      td_key in[4], out[4];
      fill_keys(&cases[c].in[i], in, in_parts);
      fill_keys(&cases[c].out[i], out, out_parts);
      must(td_module_tensordict(fn, in, cases[c].in[i].n, out, cases[c].out[i].n, NULL, &members[i], &err));
      td_module_release(fn);
    }
    must(td_module_sequential(members, cases[c].n, NULL, &seq, &err));
    td_tensor *zero = VEC(0), *inputs[] = {zero, zero, zero, zero}, *outputs[4];
    must(td_module_call(seq, inputs, cases[c].n_in, outputs, cases[c].n_out, &err));
    for (size_t i = 0; i < cases[c].n_out; ++i) {
      cr_assert_eq(at(outputs[i], 0), cases[c].produced[i], "case %d, output %d is %g", (int)c, (int)i,
                   at(outputs[i], 0));
      td_tensor_release(outputs[i]);
    }
    expect_error(td_module_call(seq, inputs, cases[c].n_in + 1, outputs, cases[c].n_out, &err), TD_ERR_ARGUMENT, NULL,
                 "inputs");
    td_tensor_release(zero);
    for (size_t i = 0; i < cases[c].n; ++i) td_module_release(members[i]);
    td_module_release(seq);
  }
}

Test(module_sequential, a_failing_member_is_named_and_earlier_results_stay) {
  function good = {.writes = 1, .value = 1}, bad = {.status = TD_ERR_IO};
  td_module *members[] = {keyed(function_module(&good), "x", "y"), keyed(function_module(&bad), "y", "z")}, *seq,
            *outer;
  must(td_module_sequential(members, 2, NULL, &seq, &err));
  must(td_module_sequential(&seq, 1, NULL, &outer, &err));
  td_dict *td = dict(TD_NO_DIMS);
  put(td, TD_KEY("x"), VEC(1));
  expect_error(td_module_forward(outer, td, &err), TD_ERR_CALLBACK, NULL, "module 0: module 1: refused on purpose");
  EXPECT(peek(td, TD_KEY("y")), 2);
  td_dict_release(td);

  td_module *plain = known_linear(), *mixed[] = {members[0], plain}, *none[] = {NULL}, *result;
  expect_error(td_module_sequential(mixed, 2, NULL, &result, &err), TD_ERR_ARGUMENT, NULL, "module 1 has no keys");
  expect_error(td_module_sequential(none, 1, NULL, &result, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_module_sequential(NULL, 1, NULL, &result, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  td_module_release(plain);
  td_module_release(members[0]);
  td_module_release(members[1]);
  td_module_release(seq);
  td_module_release(outer);
}
