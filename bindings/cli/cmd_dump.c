#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "json.h"
#include "progress.h"
#include "sha256.h"
#include "source.h"
#include "tree.h"
#include "value.h"

const char help_dump[] =
    "usage: tensordict dump [--trusted] [--json] [--values] [--progress] PATH\n"
    "\n"
    "Prints one JSON object:\n"
    "  format       memmap, consolidated, archive, h5, safetensors, torch or segment\n"
    "  root         the tree: kind, batch_size, device, names and entries [[KEY, NODE]...] of a dict; stack_dim and\n"
    "               items of a lazy stack; dtype and shape of a tensor; data of non-tensor data\n"
    "  leaves       [{path, dtype, shape, sha256}...] of all tensors; a path has numbers for members of stacks, and\n"
    "               the digest is over the elements in row-major order, little endian. Nested tensors have nested\n"
    "               (strided or jagged) and components [{shape, values, sha256}...] instead of shape and sha256\n"
    "  non_tensors  [{path, kind, data, batch_size, device}...]\n"
    "Bytes are {\"__bytes_hex__\": \"00ff\"}, NaN and infinities \"nan\", \"inf\" and \"-inf\". Nothing is printed "
    "unless PATH\n"
    "can be read as a whole.\n"
    "\n"
    "      --json     the only format, and the default\n"
    "      --values   add the values of every leaf\n"
    "      --progress show a progress bar even if stderr is not a terminal\n"
    "      --trusted  open HDF5 files too; damaged ones crash the HDF5 library\n"
    "  -h, --help     print this text\n"
    "\n"
    "Exit status: 0; 1 with one line on stderr if PATH is refused; 2 wrong usage; 3 output lost.\n";

typedef struct dump {
  FILE *out;
  int numpy, values;
  int mapped;               // memmap directories and archives
  const char *nested;       // what Python calls nested tensors of this format
  const char *data_device;  // of non-tensor data; "" for that of the dict they are in
  int count;                // of what was written in the array at hand
} dump;

static void put_names(FILE *out, const item *self) {
  if (!self->names) {
    fputs("null", out);
    return;
  }
  putc('[', out);
  for (size_t i = 0; i < self->ndim; ++i) {
    if (i) fputs(", ", out);
    json_text(out, self->names[i]);
  }
  putc(']', out);
}

static const char *device_of(const dump *d, const item *self) {
  return self->kind == ITEM_DICT ? self->device : *d->data_device ? d->data_device : self->parent->device;
}

static const char *data_kind(const item *self) {
  return td_data_list_is_stack(self->data) ? "NonTensorStack" : "NonTensorData";
}

// Python's readers set tensors before nodes and data; of the consolidated format, data of one value comes first.
static int rank(const dump *d, const item *self) {
  int early = self->kind == ITEM_DATA && !td_data_list_is_stack(self->data) && !d->mapped;
  return self->parent->stack_dim >= 0 || d->numpy ? 0 : early ? 0 : self->kind == ITEM_TENSOR ? 1 : 2;
}

// Calls fn(d, child) in the order in which Python would list the children.
static void for_each_child(dump *d, const item *self, void (*fn)(dump *d, const item *child)) {
  for (int r = 0; r < 3; ++r)
    for (size_t i = 0; i < self->n_children; ++i)
      if (rank(d, self->children + i) == r) fn(d, self->children + i);
}

static void put_node(dump *d, const item *self);

static void put_child(dump *d, const item *child) {
  if (d->count++) fputs(", ", d->out);
  if (child->key) {
    putc('[', d->out);
    json_string(d->out, child->key, child->key_size);
    fputs(", ", d->out);
  }
  put_node(d, child);
  if (child->key) putc(']', d->out);
}

static void put_children(dump *d, const item *self) {
  int stacked = self->stack_dim >= 0, outer = d->count;
  if (stacked) fprintf(d->out, ", \"stack_dim\": %" PRId64, self->stack_dim);
  fputs(stacked ? ", \"items\": [" : ", \"entries\": [", d->out);
  d->count = 0;
  for_each_child(d, self, put_child);
  d->count = outer;
  putc(']', d->out);
}

static void put_type(dump *d, const item *self) {
  fprintf(d->out, "\"dtype\": \"%s\", ", dtype_word(self->dtype));
  if (self->nested) {
    fprintf(d->out, "\"nested\": \"%s\"", d->nested);
  } else {
    fputs("\"shape\": ", d->out);
    json_dims(d->out, self->dims, self->ndim);
  }
}

static void put_node(dump *d, const item *self) {
  fputs("{\"kind\": ", d->out);
  json_text(d->out, self->kind == ITEM_TENSOR ? "Tensor"
                    : self->kind == ITEM_DATA ? data_kind(self)
                                              : self->class_name);
  fputs(", ", d->out);
  if (self->kind == ITEM_TENSOR) {
    put_type(d, self);
  } else {
    fputs("\"batch_size\": ", d->out);
    json_dims(d->out, self->dims, self->ndim);
    fputs(", \"device\": ", d->out);
    json_text(d->out, device_of(d, self));
    fputs(", \"names\": ", d->out);
    put_names(d->out, self);
    if (self->fields) fprintf(d->out, ", \"non_tensor_fields\": %s", self->fields);
    if (self->kind == ITEM_DICT) {
      put_children(d, self);
    } else {
      if (td_data_list_is_stack(self->data)) fputs(", \"stack_dim\": 0", d->out);
      fputs(", \"data\": ", d->out);
      data_list_json(d->out, self->data, d->numpy);
    }
  }
  putc('}', d->out);
}

static void put_path(FILE *out, const item *self, int *count) {
  if (!self->parent) return;
  put_path(out, self->parent, count);
  json_next(out, count);
  if (self->key)
    json_string(out, self->key, self->key_size);
  else
    fprintf(out, "%zu", self->index);
}

// Begins the next element of an array: an object with its path.
static void put_head(dump *d, const item *self) {
  int parts = 0;
  fputs(d->count++ ? ",\n  {\"path\": [" : "\n  {\"path\": [", d->out);
  put_path(d->out, self, &parts);
  fputs("], ", d->out);
}

static void put_content(dump *d, const td_tensor *t) {
  td_tensor *held;
  const char *bytes;
  td_error *err = NULL;
  char hex[65];
  check(dense_bytes(t, &held, &bytes, &err), &err);
  td_dtype dtype = td_tensor_dtype(held);
  size_t itemsize = (size_t)td_tensor_itemsize(held);
  int64_t n = td_tensor_numel(held);
  if (d->values) {
    fputs(", \"values\": [", d->out);
    for (int64_t i = 0; i < n; ++i) {
      if (i) fputs(", ", d->out);
      element_json(d->out, dtype, bytes + (size_t)i * itemsize);
    }
    putc(']', d->out);
  }
  sha256 *hash = sha256_begin();
  for (size_t at = 0, size = (size_t)td_tensor_nbytes(held); at < size; at += READ_PIECE) {
    size_t piece = size - at < READ_PIECE ? size - at : READ_PIECE;
    sha256_add(hash, bytes + at, piece);
    have_read((int64_t)piece);
  }
  sha256_end(hash, hex);
  fprintf(d->out, ", \"sha256\": \"%s\"", hex);
  td_tensor_release(held);
}

static void put_tensor(dump *d, const item *self) {
  td_tensor *t;
  td_error *err = NULL;
  check(tree_tensor(self, &t, &err), &err);
  put_content(d, t);
  td_tensor_release(t);
}

static void put_components(dump *d, const item *self) {
  int values = d->values;
  d->values = 1;
  fputs(", \"components\": [", d->out);
  for (size_t i = 0; i < self->n_members; ++i) {
    const item *component = tree_component(self, i);
    fputs(i ? ", {\"shape\": " : "{\"shape\": ", d->out);
    json_dims(d->out, component->dims, component->ndim);
    put_tensor(d, component);
    putc('}', d->out);
  }
  putc(']', d->out);
  d->values = values;
}

static void put_leaf(dump *d, const item *self) {
  put_head(d, self);
  put_type(d, self);
  (self->nested ? put_components : put_tensor)(d, self);
  putc('}', d->out);
}

static void put_leaves(dump *d, const item *self) {
  if (self->kind == ITEM_TENSOR) put_leaf(d, self);
  for_each_child(d, self, put_leaves);
}

static void put_data(dump *d, const item *self) {
  if (self->kind == ITEM_DATA) {
    put_head(d, self);
    fprintf(d->out, "\"kind\": \"%s\", \"data\": ", data_kind(self));
    data_list_json(d->out, self->data, d->numpy);
    fputs(", \"batch_size\": ", d->out);
    json_dims(d->out, self->dims, self->ndim);
    fputs(", \"device\": ", d->out);
    json_text(d->out, device_of(d, self));
    putc('}', d->out);
  }
  for_each_child(d, self, put_data);
}

static void put_all(dump *d, const char *format, const item *root) {
  fprintf(d->out, "{\"format\": \"%s\",\n \"root\": ", format);
  put_node(d, root);
  fputs(",\n \"leaves\": [", d->out);
  d->count = 0;
  put_leaves(d, root);
  fputs("],\n \"non_tensors\": [", d->out);
  d->count = 0;
  put_data(d, root);
  fputs("]}\n", d->out);
}

// What fails half-way must not have printed half of it: the text is made in memory first.
static void print_whole(dump *d, const char *format, const item *root) {
  char *memory = NULL;
  size_t size = 0;
  d->out = open_memstream(&memory, &size);
  if (!d->out) die("out of memory");
  put_all(d, format, root);
  if (fclose(d->out)) die("out of memory");
  end_reading();
  fwrite(memory, 1, size, stdout);
  free(memory);
}

int cmd_dump(int argc, char **argv) {
  int json = 0, values = 0, bar = 0;
  const option options[] = {{"json", 0, &json, NULL},
                            {"values", 0, &values, NULL},
                            {"progress", 0, &bar, NULL},
                            TRUSTED_OPTION,
                            {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc != 1) die_usage("one PATH is needed");
  source s = open_source(argv[0]);
  item *root = tree_of(s.dict);
  // Only the consolidated format keeps the device of data; Python's readers of the others give "cpu".
  int kept = !strcmp(s.format, "consolidated") || !strcmp(s.format, "segment");
  int mapped = !strcmp(s.format, "memmap") || !strcmp(s.format, "archive");
  dump d = {NULL, !strcmp(s.format, "h5"), values, mapped, mapped ? "strided" : "jagged", kept ? "" : "cpu", 0};
  begin_reading(bar ? 2 : 1, tree_counts(root).bytes);
  print_whole(&d, s.format, root);
  tree_free(root);
  close_source(&s);
  return EXIT_GOOD;
}
