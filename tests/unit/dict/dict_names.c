/* Names of batch dims: set, refined and renamed, shared with nodes, and carried along. */
#include "support/td.h"

/* One letter a name, - for none. */
static td_status set_names(td_dict *td, const char *letters) {
  td_str names[8];
  for (size_t i = 0; letters[i]; ++i) names[i] = (td_str){letters[i] == '-' ? NULL : letters + i, letters[i] != '-'};
  return td_dict_set_names(td, names, strlen(letters), &err);
}
static td_status refine(td_dict *td, const char *letters) {
  td_str names[8];
  for (size_t i = 0; letters[i]; ++i) names[i] = (td_str){letters[i] == '-' ? NULL : letters + i, letters[i] != '-'};
  return td_dict_refine_names(td, names, strlen(letters), &err);
}

static void expect_names_at(int line, const td_dict *td, const char *letters) {
  char there[9] = "";
  const size_t n = td_dict_batch_size(td, NULL, 0);
  for (size_t i = 0; i < n; ++i) {
    td_string *name;
    must(td_dict_name(td, (int64_t)i, &name, &err));
    there[i] = name ? td_string_view(name).data[0] : '-';
    td_string_release(name);
  }
  if (strcmp(there, letters) != 0) failed_at(__FILE__, line, there, NULL);
}
#define expect_names(td, letters) expect_names_at(__LINE__, (td), (letters))

/* A dict of one tensor. */
static td_dict *dict_of(const int64_t *batch, size_t ndim, const char *names) {
  td_dict *td = new_dict(batch, ndim);
  put(td, TD_KEY("b"), full_f32(1, TD_SHAPE(2, 3, 4)));
  if (names) must(set_names(td, names));
  return td;
}

LeaklessTest(dict_names, names_reach_the_nodes_below) {
  td_dict *td = dict_of(TD_SHAPE(2, 3), NULL), *n = dict_of(TD_SHAPE(2, 3, 4), "--w");
  expect_names(td, "--");
  put_dict(td, TD_KEY("m", "n"), n);
  n = get_dict(td, TD_KEY("m", "n"));
  must(set_names(td, "xy"));
  expect_names(td, "xy");
  expect_names(n, "xyw");
  must(set_names(td, "z-"));
  expect_names(n, "z-w");
  must(td_dict_lock_(td, &err));
  must(set_names(td, ""));
  expect_names(td, "--");
  expect_names(n, "--w");
  td_dict_release(n);
  td_dict_release(td);
}

LeaklessTest(dict_names, setting_a_node_joins_the_names_of_both) {
  const struct {
    const char *parent, *value, *parent_then, *value_then;
    int same; /* stored itself, not as a copy */
  } table[] = {
      {NULL, NULL, "--", "---", 1},  {NULL, "qrs", "qr", "qrs", 1}, {NULL, "q--", "q-", "q--", 1},
      {NULL, "--s", "--", "--s", 1}, {"xy", NULL, "xy", "xy-", 0},  {"xy", "xy-", "xy", "xy-", 1},
      {"xy", "x-s", "xy", "xys", 0}, {"x-", "x--", "x-", "x--", 1}, {"x-", "--s", "x-", "x-s", 0},
      {"xy", "qr-", NULL, NULL, 0},  {"x-", "xq-", NULL, NULL, 0},  {"xy", "yx-", NULL, NULL, 0},
      {"xy", "--x", NULL, NULL, 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_dict *td = dict_of(TD_SHAPE(2, 3), table[i].parent), *n = dict_of(TD_SHAPE(2, 3, 4), table[i].value), *there;
    td_dict *sibling = new_dict(TD_SHAPE(2, 3));
    must(td_dict_set_dict(td, TD_KEY("m"), sibling, &err));
    td_dict_release(sibling);
    sibling = get_dict(td, TD_KEY("m"));
    if (!table[i].parent_then) {
      expect_error(td_dict_set_dict(td, TD_KEY("n"), n, &err), TD_ERR_ARGUMENT, "\"n\"", "name");
      check(td_dict_count(td) == 2);
      expect_names(td, table[i].parent);
    } else {
      must(td_dict_set_dict(td, TD_KEY("n"), n, &err));
      there = get_dict(td, TD_KEY("n"));
      expect_names(td, table[i].parent_then);
      expect_names(sibling, table[i].parent_then);
      expect_names(there, table[i].value_then);
      check((there == n) == table[i].same);
      td_dict_release(there);
    }
    expect_names(n, table[i].value ? table[i].value : "---"); /* the caller's is as it was */
    td_dict_release(sibling);
    td_dict_release(n);
    td_dict_release(td);
  }
}

LeaklessTest(dict_names, nodes_made_on_the_way_have_the_names_too) {
  td_dict *td = dict_of(TD_SHAPE(2, 3), "xy"), *n;
  put(td, TD_KEY("p", "q", "a"), full_f32(1, TD_SHAPE(2, 3)));
  n = get_dict(td, TD_KEY("p", "q"));
  expect_names(n, "xy");
  td_dict_release(n);
  td_dict_release(td);
  td = dict_of(TD_SHAPE(2, 3), NULL); /* a node names the dict that it stands in, and no other */
  put_dict(td, TD_KEY("p", "q", "n"), dict_of(TD_SHAPE(2, 3), "ab"));
  n = get_dict(td, TD_KEY("p", "q"));
  expect_names(n, "ab");
  expect_names(td, "--");
  td_dict_release(n);
  n = get_dict(td, TD_KEY("p"));
  expect_names(n, "--");
  td_dict_release(n);
  td_dict_release(td);
  td = dict_of(TD_SHAPE(2, 3), NULL); /* a value of fewer batch dims grows first */
  put_dict(td, TD_KEY("n"), dict_of(TD_SHAPE(2), "q"));
  expect_names(td, "q-");
  td_dict_release(td);
}

LeaklessTest(dict_names, names_are_refined_and_renamed) {
  td_dict *td = dict_of(TD_SHAPE(2, 3), NULL);
  must(refine(td, "x-"));
  must(refine(td, "xy"));
  expect_names(td, "xy");
  expect_error(refine(td, "zy"), TD_ERR_ARGUMENT, NULL, "(\"x\", \"y\")");
  expect_error(refine(td, "-y"), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(refine(td, "x"), TD_ERR_ARGUMENT, NULL, NULL);
  const td_str xy[] = {TD_STR("x"), TD_STR("y")}, yx[] = {TD_STR("y"), TD_STR("x")}, other[] = {TD_STR("k")};
  must(td_dict_rename_names(td, xy, yx, 2, &err));
  expect_names(td, "yx");
  must(td_dict_rename_names(td, xy, other, 1, &err));
  expect_names(td, "yk");
  expect_error(td_dict_rename_names(td, xy, other, 1, &err), TD_ERR_ARGUMENT, NULL, "\"x\"");
  expect_error(td_dict_rename_names(td, yx, other, 1, &err), TD_ERR_ARGUMENT, NULL, "two dims");
  expect_names(td, "yk");
  const td_str none[] = {TD_STR(NULL)};
  expect_error(td_dict_rename_names(td, none, other, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  must(td_dict_rename_names(td, other, none, 1, &err));
  expect_names(td, "y-");
  must(td_dict_rename_names(td, NULL, NULL, 0, &err));
  td_dict_release(td);
}

LeaklessTest(dict_names, names_that_cannot_be_are_refused) {
  td_dict *td = dict_of(TD_SHAPE(2, 3), "xy");
  td_string *name = NULL;
  const td_str broken[] = {TD_STR("\xff"), TD_STR("y")};
  expect_error(set_names(td, "x"), TD_ERR_ARGUMENT, NULL, "1 names");
  expect_error(set_names(td, "xyz"), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(set_names(td, "qq"), TD_ERR_ARGUMENT, NULL, "two dims");
  expect_error(td_dict_set_names(td, broken, 2, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_set_names(td, NULL, 2, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_set_names(NULL, broken, 2, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_name(td, 2, &name, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_dict_name(td, -3, &name, &err), TD_ERR_INDEX, NULL, NULL);
  expect_error(td_dict_name(NULL, 0, &name, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_name(td, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_refine_names(NULL, broken, 2, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_rename_names(NULL, broken, broken, 1, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!name);
  must(td_dict_name(td, -1, &name, &err));
  expect_text(name, "y");
  expect_names(td, "xy");
  td_dict_release(td);
}

LeaklessTest(dict_names, a_name_of_a_further_dim_below_is_refused) {
  td_dict *td = dict_of(TD_SHAPE(2), NULL), *n;
  put_dict(td, TD_KEY("m", "n"), dict_of(TD_SHAPE(2, 3, 4), "--w"));
  n = get_dict(td, TD_KEY("m", "n"));
  expect_error(set_names(td, "w"), TD_ERR_ARGUMENT, "(\"m\", \"n\")", "two dims");
  expect_names(td, "-");
  expect_names(n, "--w");
  must(set_names(td, "x"));
  expect_names(n, "x-w");
  expect_error(td_dict_rename_names(td, &TD_STR("x"), &TD_STR("w"), 1, &err), TD_ERR_ARGUMENT, NULL, "two dims");
  must(td_dict_set_names(td, NULL, 0, &err));
  expect_names(n, "--w");
  td_dict *named = dict_of(TD_SHAPE(2, 3), "w-"); /* would name td, and with it the node that has the name */
  expect_error(td_dict_set_dict(td, TD_KEY("other"), named, &err), TD_ERR_ARGUMENT, "(\"m\", \"n\")", "two dims");
  check(kind_at(td, TD_KEY("other")) == TD_ENTRY_NONE);
  must(td_dict_set_dict(td, TD_KEY("m"), named, &err)); /* in its place */
  expect_names(td, "w");
  td_dict_release(named);
  td_dict_release(n);
  td_dict_release(td);
}

LeaklessTest(dict_names, a_stack_names_its_nodes_and_refuses_what_they_have) {
  td_dict *a = new_dict(TD_SHAPE(3)), *b, *stack, *x;
  x = new_dict(TD_SHAPE(3, 4));
  put(x, TD_KEY("y"), full_f32(1, TD_SHAPE(3, 4)));
  put_dict(a, TD_KEY("m", "x"), x);
  must(td_dict_clone(a, &b, &err));
  must(td_dict_lazy_stack((td_dict *const[]){a, b}, 2, 1, &stack, &err));
  must(set_names(stack, "te"));
  x = get_dict(stack, TD_KEY("m", "x"));
  expect_names(x, "te-");
  must(set_names(x, "tew"));
  td_dict_release(x);
  expect_error(set_names(stack, "wz"), TD_ERR_ARGUMENT, "(\"m\", \"x\")", "two dims"); /* of a member's dim */
  expect_error(set_names(stack, "zw"), TD_ERR_ARGUMENT, "(\"m\", \"x\")", "two dims"); /* of the stack's own */
  expect_names(stack, "te");
  x = get_dict(a, TD_KEY("m", "x"));
  expect_names(x, "tw");
  td_dict_release(x);

  td_dict *root = new_dict(TD_SHAPE(3));
  put_dict(root, TD_KEY("s"), stack); /* brings its first name */
  expect_names(root, "t");
  expect_error(set_names(root, "e"), TD_ERR_ARGUMENT, "\"s\"", "two dims");
  must(set_names(root, "q"));
  x = get_dict(root, TD_KEY("s", "m", "x"));
  expect_names(x, "qew");
  td_dict_release(x);
  td_dict_release(root);
  td_dict_release(a), td_dict_release(b);
}

LeaklessTest(dict_names, segments_keep_names) {
  td_dict *td = dict_of(TD_SHAPE(2, 3), "x-"), *read, *n;
  char segment_name[64];
  td_segment *segment;
  put_dict(td, TD_KEY("n"), dict_of(TD_SHAPE(2, 3, 4), "--w"));
  snprintf(segment_name, sizeof segment_name, "dict_names.%p.%d", (void *)td, rand());
  must(td_segment_create(TD_STR(segment_name), td, NULL, &segment, &err));
  must(td_segment_dict(segment, &read, &err));
  expect_names(read, "x-");
  n = get_dict(read, TD_KEY("n"));
  expect_names(n, "x-w");
  td_dict_release(n);
  td_dict_release(read);
  td_segment_release(segment);
  td_dict_release(td);
}

/* ---- Along with the dims (the shapes of dicts: dict_shape.c) ---------------------------------------------------------- */

#define INDEX(...) ((const td_index[]){__VA_ARGS__}), (sizeof((const td_index[]){__VA_ARGS__}) / sizeof(td_index))
static td_dict *other; /* of the same shape, other names */
static td_tensor *numbers, *mask;

#define OP(name, call)                      \
  static td_dict *name(const td_dict *td) { \
    td_dict *out = NULL;                    \
    must(call);                             \
    return out;                             \
  }
OP(copy, td_dict_copy(td, &out, &err))
OP(cloned, td_dict_clone(td, &out, &err))
OP(integer, td_dict_index(td, INDEX(TD_INT(0)), &out, &err))
OP(slice, td_dict_index(td, INDEX(TD_SLICE(0, 2), TD_SLICE(1, 2)), &out, &err))
OP(new_dim, td_dict_index(td, INDEX({TD_INDEX_KIND_NONE, 0, 0, 0, 0, NULL, NULL, 0}), &out, &err))
OP(by_numbers, td_dict_index(td, INDEX(TD_TENSOR(numbers)), &out, &err))
OP(by_mask, td_dict_index(td, INDEX(TD_TENSOR(mask)), &out, &err))
OP(stacked_equal, td_dict_stack((const td_dict *const[]){td, td}, 2, 1, &out, &err))
OP(stacked_other, td_dict_stack((const td_dict *const[]){td, other}, 2, 1, &out, &err))
OP(contiguous, td_dict_contiguous(td, &out, &err))

static td_dict *negated(const td_dict *td) {
  td_op *op = operator_named("neg", "");
  td_dict *out;
  must(td_dict_apply_op(op, ARGS(td_value_dict(td)), NULL, 0, &out, 1, &err));
  td_op_release(op);
  return out;
}

LeaklessTest(dict_names, other_operations_carry_names_as_the_original_does) {
  const struct {
    td_dict *(*run)(const td_dict *);
    const char *names;
  } table[] = {{copy, "xy"},           {cloned, "xy"},      {integer, "y"},  {slice, "xy"},
               {new_dim, "-xy"},       {by_numbers, "--y"}, {by_mask, "xy"}, {stacked_equal, "x-y"},
               {stacked_other, "---"}, {contiguous, "xy"},  {negated, "xy"}};
  td_dict *td = dict_of(TD_SHAPE(2, 3), "xy");
  other = dict_of(TD_SHAPE(2, 3), "pq");
  numbers = counted(TD_DTYPE_INT64, TD_SHAPE(2, 1));
  mask = counted(TD_DTYPE_BOOL, TD_SHAPE(2));
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_dict *r = table[i].run(td);
    expect_names_at((int)i, r, table[i].names);
    td_dict_release(r);
  }
  must(td_dict_set_batch_size(td, TD_SHAPE(2, 3, 4), &err)); /* grows and shrinks from the end */
  expect_names(td, "xy-");
  must(td_dict_set_batch_size(td, TD_SHAPE(2), &err));
  expect_names(td, "x");
  td_tensor_release(numbers);
  td_tensor_release(mask);
  td_dict_release(other);
  td_dict_release(td);
}
