#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "json.h"
#include "progress.h"
#include "source.h"
#include "text.h"
#include "tree.h"
#include "value.h"

const char help_diff[] =
    "usage: tensordict diff [--trusted] [--quiet|--json] [--structure] [--rtol X] [--atol X]\n"
    "                       [--progress] A B\n"
    "\n"
    "Compares two, of any formats: keys, kinds, batch sizes, names, dtypes, shapes and contents, bit by bit. The order "
    "of\n"
    "keys and the device are no difference. A line for each difference: '- key' only A has, '+ key' only B has, '~ "
    "key'\n"
    "both have and it differs.\n"
    "\n"
    "  -q, --quiet       print nothing; only set the exit status\n"
    "      --json        one JSON object: equal, and differences with sign, key and what\n"
    "      --structure   do not compare contents\n"
    "      --rtol X      numbers may differ by X times the one in B (default 0)\n"
    "      --atol X      and by X (default 0); NaN equals NaN\n"
    "      --progress    show a progress bar even if stderr is not a terminal\n"
    "      --trusted     open HDF5 files too; damaged ones crash the HDF5 library\n"
    "  -h, --help        print this text\n"
    "\n"
    "Exit status: 0 no difference; 1 they differ; 2 error; 3 output lost.\n";

typedef struct comparison {
  int quiet, json, structure;
  double rtol, atol;
  int64_t found;
} comparison;

static void add_path(text *t, const item *self) {
  if (!self->parent) return;
  add_path(t, self->parent);
  if (self->parent->parent) text_str(t, " / ");
  if (!self->key)
    text_int(t, (int64_t)self->index);
  else if (self->key_size)
    text_shown(t, self->key, self->key_size);
  else
    text_str(t, "\"\"");
}

static void key_json(const item *self, int *count) {
  if (!self->parent) return;
  key_json(self->parent, count);
  json_next(stdout, count);
  if (self->key)
    json_string(stdout, self->key, self->key_size);
  else
    printf("%zu", self->index);
}

static void report_json(const comparison *c, const char *sign, const item *self, const text *what) {
  int members = 0, parts = 0;
  fputs(c->found > 1 ? ", {" : "{", stdout);
  json_key(stdout, &members, "sign");
  json_text(stdout, sign);
  json_key(stdout, &members, "key");
  putchar('[');
  key_json(self, &parts);
  putchar(']');
  json_key(stdout, &members, "what");
  json_text(stdout, what ? what->data : NULL);
  putchar('}');
}

// `what` is how it differs, NULL for keys that one side lacks; taken over.
static void report(comparison *c, const char *sign, const item *self, text *what) {
  ++c->found;
  if (c->json) {
    report_json(c, sign, self, what);
  } else if (!c->quiet) {
    text line = {0};
    text_str(&line, sign);
    text_str(&line, " ");
    add_path(&line, self);
    if (!self->parent) text_str(&line, "(root)");
    if (what) {
      text_str(&line, ": ");
      text_add(&line, what->data, what->size);
    }
    hide_reading();
    puts(line.data);
    text_clear(&line);
  }
  if (what) text_clear(what);
}

static void report_words(comparison *c, const item *self, const char *what, const char *a, const char *b) {
  text t = {0};
  text_str(&t, what);
  text_str(&t, " ");
  text_shown(&t, a, strlen(a));
  text_str(&t, " -> ");
  text_shown(&t, b, strlen(b));
  report(c, "~", self, &t);
}

static int same_dims(const item *a, const item *b) {
  return a->ndim == b->ndim && (!a->ndim || !memcmp(a->dims, b->dims, a->ndim * sizeof *a->dims));
}

static void report_dims(comparison *c, const char *what, const item *a, const item *b) {
  text t = {0};
  text_str(&t, what);
  text_str(&t, " ");
  text_dims(&t, a->dims, a->ndim);
  text_str(&t, " -> ");
  text_dims(&t, b->dims, b->ndim);
  report(c, "~", a, &t);
}

// How far apart two numbers are; 0 if they count as equal.
static double distance(const comparison *c, const double a[2], const double b[2]) {
  if (isnan(a[0]) && isnan(b[0]) && (a[1] == b[1] || (isnan(a[1]) && isnan(b[1])))) return 0;
  if (a[0] == b[0] && a[1] == b[1]) return 0;
  double d = hypot(a[0] - b[0], a[1] - b[1]), allowed = c->atol + c->rtol * hypot(b[0], b[1]);
  return d <= allowed ? 0 : d;
}

static void compare_elements(comparison *c, const item *a, td_dtype dtype, size_t itemsize, int64_t n, const char *p,
                             const char *q) {
  int64_t differ = 0, first = 0;
  double most = 0, x[2], y[2];
  for (int64_t i = 0; i < n; ++i, p += itemsize, q += itemsize) {
    if (!memcmp(p, q, itemsize)) continue;
    element_number(dtype, p, x);
    element_number(dtype, q, y);
    double d = distance(c, x, y);
    if (d == 0 && (c->rtol > 0 || c->atol > 0)) continue;
    if (!differ++) first = i;
    if (d > most || isnan(d)) most = d;
  }
  if (!differ) return;
  char words[160];
  snprintf(words, sizeof words, "%" PRId64 " of %" PRId64 " elements differ, the first at %" PRId64 ", by up to %.6g",
           differ, n, first, most);
  text t = {0};
  text_str(&t, words);
  report(c, "~", a, &t);
}

static void compare_dense(comparison *c, const item *a, const td_tensor *x, const td_tensor *y) {
  td_tensor *p, *q;
  const char *left, *right;
  td_error *err = NULL;
  check(dense_bytes(x, &p, &left, &err), &err);
  check(dense_bytes(y, &q, &right, &err), &err);
  int same = 1;
  for (size_t at = 0, size = (size_t)td_tensor_nbytes(p); at < size; at += READ_PIECE) {
    size_t piece = size - at < READ_PIECE ? size - at : READ_PIECE;
    same = same && !memcmp(left + at, right + at, piece);
    have_read((int64_t)piece);
  }
  if (!same) compare_elements(c, a, td_tensor_dtype(p), (size_t)td_tensor_itemsize(p), td_tensor_numel(p), left, right);
  td_tensor_release(p);
  td_tensor_release(q);
}

static void compare_tensors(comparison *c, const item *a, const item *b) {
  td_tensor *x, *y;
  td_error *err = NULL;
  if (a->nested || b->nested) {
    if (a->nested != b->nested || a->n_members != b->n_members)
      report_words(c, a, "components", "some", "others");
    else
      for (size_t i = 0; i < a->n_members; ++i) compare_tensors(c, tree_component(a, i), tree_component(b, i));
    return;
  }
  if (a->dtype != b->dtype) {
    report_words(c, a, "dtype", dtype_word(a->dtype), dtype_word(b->dtype));
  } else if (!same_dims(a, b)) {
    report_dims(c, "shape", a, b);
  } else if (!c->structure) {
    check(tree_tensor(a, &x, &err), &err);
    check(tree_tensor(b, &y, &err), &err);
    compare_dense(c, a, x, y);
    td_tensor_release(x);
    td_tensor_release(y);
  }
}

static int same_value(const td_data *a, const td_data *b) {
  int same_number = a->f == b->f || (isnan(a->f) && isnan(b->f));
  return a->kind == b->kind && a->i == b->i && same_number && a->text.size == b->text.size &&
         (!a->text.size || !memcmp(a->text.data, b->text.data, a->text.size));
}

static void compare_data(comparison *c, const item *a, const item *b) {
  size_t n = td_data_list_size(a->data);
  int same = n == td_data_list_size(b->data) && td_data_list_is_stack(a->data) == td_data_list_is_stack(b->data);
  for (size_t i = 0; same && i < n && !c->structure; ++i) {
    td_data x, y;
    td_error *err = NULL;
    check(td_data_list_get(a->data, i, &x, &err), &err);
    check(td_data_list_get(b->data, i, &y, &err), &err);
    same = same_value(&x, &y);
  }
  if (same) return;
  text t = {0};
  data_list_text(&t, a->data, 40);
  text_str(&t, " -> ");
  data_list_text(&t, b->data, 40);
  report(c, "~", a, &t);
}

static void compare(comparison *c, const item *a, const item *b);

static void compare_children(comparison *c, const item *a, const item *b) {
  const item **left = tree_sorted(a), **right = tree_sorted(b);
  size_t i = 0, j = 0;
  while (i < a->n_children || j < b->n_children) {
    int order = i == a->n_children   ? 1
                : j == b->n_children ? -1
                : a->stack_dim >= 0  ? 0
                                     : tree_by_key(left + i, right + j);
    if (order < 0)
      report(c, "-", left[i++], NULL);
    else if (order > 0)
      report(c, "+", right[j++], NULL);
    else
      compare(c, left[i++], right[j++]);
  }
  free(left);
  free(right);
}

static int same_names(const item *a, const item *b) {
  if (!a->names || !b->names) return a->names == b->names;
  for (size_t i = 0; i < a->ndim; ++i)
    if (!a->names[i] != !b->names[i] || (a->names[i] && strcmp(a->names[i], b->names[i]))) return 0;
  return 1;
}

static void compare_dicts(comparison *c, const item *a, const item *b) {
  // Files that keep no names, and HDF5, whose dicts are of a class of their own, are no difference by that.
  if ((a->stack_dim >= 0) != (b->stack_dim >= 0) || a->stack_dim != b->stack_dim) {
    report_words(c, a, "kind", a->class_name, b->class_name);
    return;
  }
  if (!same_dims(a, b))
    report_dims(c, "batch size", a, b);
  else if (!same_names(a, b))
    report_words(c, a, "names of dims:", a->names ? "some" : "none", b->names ? "others" : "none");
  compare_children(c, a, b);
}

static void compare(comparison *c, const item *a, const item *b) {
  static const char *const kinds[] = {"tensor", "data", "dict"};
  if (a->kind != b->kind)
    report_words(c, a, "kind", kinds[a->kind], kinds[b->kind]);
  else if (a->kind == ITEM_TENSOR)
    compare_tensors(c, a, b);
  else if (a->kind == ITEM_DATA)
    compare_data(c, a, b);
  else
    compare_dicts(c, a, b);
}

static double tolerance(const char *given, const char *name) {
  char *end;
  if (!given) return 0;
  double x = strtod(given, &end);
  if (end == given || *end || !(x >= 0)) die_usage("%s must be a number of at least 0, not '%s'", name, given);
  return x;
}

int cmd_diff(int argc, char **argv) {
  trouble = EXIT_USAGE;
  comparison c = {0, 0, 0, 0, 0, 0};
  const char *rtol = NULL, *atol = NULL;
  int bar = 0;
  const option options[] = {{"quiet", 'q', &c.quiet, NULL},
                            {"json", 0, &c.json, NULL},
                            {"structure", 0, &c.structure, NULL},
                            {"rtol", 0, NULL, &rtol},
                            {"atol", 0, NULL, &atol},
                            {"progress", 0, &bar, NULL},
                            TRUSTED_OPTION,
                            {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc != 2) die_usage("two paths are needed, A and B");
  if (c.structure && (rtol || atol)) die_usage("--structure compares no values, so it takes no tolerance");
  if (c.quiet && bar) die_usage("--progress and --quiet exclude each other");
  if (c.quiet && c.json) die_usage("--quiet and --json exclude each other");
  c.rtol = tolerance(rtol, "--rtol");
  c.atol = tolerance(atol, "--atol");
  source a = open_source(argv[0]), b = open_source(argv[1]);
  item *left = tree_of(a.dict), *right = tree_of(b.dict);
  if (c.json) fputs("{\"differences\": [", stdout);
  begin_reading(c.quiet || c.structure ? 0 : bar ? 2 : 1, tree_counts(left).bytes);
  compare(&c, left, right);
  end_reading();
  if (c.json) printf("], \"equal\": %s}\n", c.found ? "false" : "true");
  tree_free(left);
  tree_free(right);
  close_source(&a);
  close_source(&b);
  return c.found ? EXIT_FAILED : EXIT_GOOD;
}
