#include <stdlib.h>

#include "args.h"
#include "cli.h"
#include "json.h"
#include "slices.h"
#include "source.h"
#include "text.h"
#include "tree.h"
#include "value.h"

const char help_cat[] =
    "usage: tensordict cat [--trusted] [--json|--raw] [--limit N] [--at SLICES] PATH KEY...\n"
    "\n"
    "Prints the values under KEY: one row of the last dim per line, or non-tensor data as it is.\n"
    "\n"
    "      --json      nested lists, as JSON\n"
    "      --raw       the bytes, row-major and little endian; text without quotes\n"
    "      --at SLICES part of a tensor, as in Python: 3 or -1 or 2:5 or 0,:,1:3; steps are not known\n"
    "  -n, --limit N   at most N elements (default: all); not with --json and --raw\n"
    "      --trusted   open HDF5 files too; damaged ones crash the HDF5 library\n"
    "  -h, --help      print this text\n"
    "\n"
    "Exit status: 0; 1 if PATH is refused or has no such KEY; 2 wrong usage; 3 output lost.\n";

typedef struct values {
  const char *bytes;
  td_dtype dtype;
  size_t itemsize;
  const int64_t *dims;
  size_t ndim;
} values;

static void json_of_values(const values *v, size_t dim, const char **next) {
  if (dim == v->ndim) {
    element_json(stdout, v->dtype, *next);
    *next += v->itemsize;
    return;
  }
  putchar('[');
  for (int64_t i = 0; i < v->dims[dim]; ++i) {
    if (i) fputs(", ", stdout);
    json_of_values(v, dim + 1, next);
  }
  putchar(']');
}

static void print_rows(const values *v, int64_t n, int64_t limit) {
  int64_t row = v->ndim ? v->dims[v->ndim - 1] : 1;
  text line = {0};
  for (int64_t i = 0; i < n && i < limit; ++i) {
    element_text(&line, v->dtype, v->bytes + (size_t)i * v->itemsize);
    int last = (i + 1) % row == 0 || i + 1 == n || i + 1 == limit;
    text_str(&line, last ? "\n" : " ");
    if (line.size < 4096 && !last) continue;
    fwrite(line.data, 1, line.size, stdout);
    line.size = 0;
    if (ferror(stdout)) break;
  }
  text_clear(&line);
  if (n > limit) printf("... %lld more\n", (long long)(n - limit));
}

static void print_tensor(const td_tensor *t, int json, int raw, int64_t limit) {
  td_tensor *held;
  td_error *err = NULL;
  values v;
  check(dense_bytes(t, &held, &v.bytes, &err), &err);
  v.ndim = td_tensor_shape(held, NULL, 0);
  int64_t *dims = xalloc(v.ndim * sizeof *dims);
  td_tensor_shape(held, dims, v.ndim);
  v.dims = dims;
  v.dtype = td_tensor_dtype(held);
  v.itemsize = (size_t)td_tensor_itemsize(held);
  const char *next = v.bytes;
  if (raw) {
    fwrite(v.bytes, 1, (size_t)td_tensor_nbytes(held), stdout);
  } else if (json) {
    json_of_values(&v, 0, &next);
    putchar('\n');
  } else {
    print_rows(&v, td_tensor_numel(held), limit);
  }
  td_tensor_release(held);
  free(dims);
}

static void print_raw_data(const td_data_list *list) {
  for (size_t i = 0; i < td_data_list_size(list); ++i) {
    td_data value;
    td_error *err = NULL;
    check(td_data_list_get(list, i, &value, &err), &err);
    if (value.kind == TD_DATA_STR || value.kind == TD_DATA_BYTES)
      fwrite(value.text.data, 1, value.text.size, stdout);
    else
      data_json(stdout, &value, 0);
    if (value.kind != TD_DATA_BYTES) putchar('\n');
  }
}

static void print_item(const item *self, int json, int raw, int64_t limit, const char *at) {
  td_tensor *t;
  td_error *err = NULL;
  if (self->kind == ITEM_DICT)
    die("this is a %s; give a key in it (`tensordict show` lists the keys)", self->class_name);
  if (at && (self->kind == ITEM_DATA || self->nested)) die("--at is for tensors of one shape, which this is not");
  if (self->kind == ITEM_DATA) {
    if (raw) {
      print_raw_data(self->data);
    } else {
      data_list_json(stdout, self->data, 0);
      putchar('\n');
    }
    return;
  }
  for (size_t i = 0; i < self->n_members; ++i) print_item(tree_component(self, i), json, raw, limit, NULL);
  if (self->nested) return;
  check(tree_tensor(self, &t, &err), &err);
  if (at) t = slices_of(t, at);
  print_tensor(t, json, raw, limit);
  td_tensor_release(t);
}

int cmd_cat(int argc, char **argv) {
  int json = 0, raw = 0;
  const char *limit = NULL, *at = NULL;
  const option options[] = {{"at", 0, NULL, &at},         {"json", 0, &json, NULL}, {"raw", 0, &raw, NULL},
                            {"limit", 'n', NULL, &limit}, TRUSTED_OPTION,           {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc < 2) die_usage("a PATH and a KEY are needed");
  if (json + raw + (limit != NULL) > 1) die_usage("--json, --raw and --limit exclude each other");
  if (at) check_slices(at);
  if (limit) parse_number(limit, "--limit", 0, INT64_MAX);
  source s = open_source(argv[0]);
  item *root = tree_of(s.dict);
  print_item(tree_find(root, argv + 1, (size_t)argc - 1), json, raw,
             limit ? parse_number(limit, "--limit", 0, INT64_MAX) : INT64_MAX, at);
  tree_free(root);
  close_source(&s);
  return EXIT_GOOD;
}
