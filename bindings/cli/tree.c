#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "text.h"

enum { DEEPEST = 1000 };  // the formats end far above it

static void fill_dict(item *self, td_dict *dict, int depth);

const char *dtype_word(td_dtype dtype) {
  static const char *const words[] = {"?",
                                      "torch.bool",
                                      "torch.uint8",
                                      "torch.int8",
                                      "torch.int16",
                                      "torch.int32",
                                      "torch.int64",
                                      "torch.uint16",
                                      "torch.uint32",
                                      "torch.uint64",
                                      "torch.float16",
                                      "torch.bfloat16",
                                      "torch.float32",
                                      "torch.float64",
                                      "torch.complex32",
                                      "torch.complex64",
                                      "torch.complex128",
                                      "torch.float8_e4m3fn",
                                      "torch.float8_e5m2",
                                      "torch.float8_e4m3fnuz",
                                      "torch.float8_e5m2fnuz",
                                      "torch.float8_e8m0fnu",
                                      "torch.float4_e2m1fn_x2"};
  return dtype > 0 && (size_t)dtype < sizeof words / sizeof *words ? words[dtype] : words[0];
}

static char *taken(td_string *s) {
  if (!s) return NULL;
  td_str view = td_string_view(s);
  char *copy = xcopy(view.data, view.size);
  td_string_release(s);
  return copy;
}

static void fill_tensor(item *self, const td_dict *dict, const td_key *key) {
  td_tensor *t;
  td_error *err = NULL;
  check(td_dict_get(dict, key, &t, &err), &err);
  self->kind = ITEM_TENSOR;
  self->ndim = td_tensor_shape(t, NULL, 0);
  self->dims = xalloc(self->ndim * sizeof(int64_t));
  td_tensor_shape(t, self->dims, self->ndim);
  self->dtype = td_tensor_stored_dtype(t);
  if (self->dtype != td_tensor_dtype(t) && td_dtype_size(self->dtype) > 1) --self->ndim;  // the bytes of an element
  self->nbytes = td_tensor_nbytes(t);
  td_tensor_release(t);
}

static void fill_data(item *self, const td_dict *dict, const td_key *key) {
  td_error *err = NULL;
  check(td_dict_get_data(dict, key, &self->data, &err), &err);
  self->kind = ITEM_DATA;
  self->ndim = td_data_list_shape(self->data, NULL, 0);
  self->dims = xalloc(self->ndim * sizeof(int64_t));
  td_data_list_shape(self->data, self->dims, self->ndim);
}

static void fill_names(item *self) {
  int any = 0;
  char **names = xalloc(self->ndim * sizeof *names);
  for (size_t i = 0; i < self->ndim; ++i) {
    td_string *name = NULL;
    td_error *err = NULL;
    check(td_dict_name(self->dict, (int64_t)i, &name, &err), &err);
    names[i] = taken(name);
    any |= names[i] != NULL;
  }
  if (any)
    self->names = names;
  else
    free(names);
}

// A nested tensor without components has a dtype all the same.
static td_dtype dtype_of_none(const td_dict *nested) {
  td_tensor *values = NULL, *offsets = NULL;
  if (td_dict_get_jagged(nested, TD_KEY("values"), &values, &offsets, NULL) != TD_OK) return TD_DTYPE_NONE;
  td_dtype dtype = td_tensor_dtype(values);
  td_tensor_release(values), td_tensor_release(offsets);
  return dtype;
}

// The library shows a nested tensor as a lazy stack of dicts, each with one tensor.
static void make_nested(item *self) {
  for (size_t i = 0; i < self->n_children; ++i)
    if (self->children[i].n_children != 1 || self->children[i].children->kind != ITEM_TENSOR) return;
  self->kind = ITEM_TENSOR;
  self->nested = 1;
  self->members = self->children;
  self->n_members = self->n_children;
  self->children = NULL;
  self->n_children = 0;
  self->dtype = self->n_members ? self->members->children->dtype : dtype_of_none(self->dict);
  for (size_t i = 0; i < self->n_members; ++i) self->nbytes += self->members[i].children->nbytes;
}

// The class that Python would show.
static void fill_class(item *self) {
  static const char *const kinds[] = {"TensorDict", "LazyStackedTensorDict", "TensorDictParams",
                                      "PersistentTensorDict"};
  td_string *name = NULL, *fields = NULL;
  td_error *err = NULL;
  td_dict_kind kind = td_dict_kind_of(self->dict);
  check(td_dict_python_class(self->dict, &name, &err), &err);
  char *own = taken(name), *dot = own ? strrchr(own, '.') : NULL;
  const char *shown = dot ? dot + 1 : own ? own : kinds[kind >= 0 && kind < 4 ? kind : 0];
  self->class_name = xcopy(shown, strlen(shown));
  if (own && !strcmp(own, "torch.nested")) {
    make_nested(self);
  } else if (own) {
    check(td_dict_python_fields(self->dict, &fields, &err), &err);
    self->fields = taken(fields);
  }
  free(own);
}

static void fill_entry(item *child, td_dict *dict, const td_key *key, int depth) {
  td_entry_kind kind;
  td_error *err = NULL;
  check(td_dict_entry_kind(dict, key, &kind, &err), &err);
  if (kind == TD_ENTRY_DICT) {
    td_dict *below;
    check(td_dict_get_dict(dict, key, &below, &err), &err);
    fill_dict(child, below, depth + 1);
  } else if (kind == TD_ENTRY_DATA) {
    fill_data(child, dict, key);
  } else {
    fill_tensor(child, dict, key);
  }
}

static void fill_children(item *self, int depth) {
  td_keys *keys;
  td_error *err = NULL;
  check(td_dict_keys(self->dict, 0, &keys, &err), &err);
  self->n_children = td_keys_size(keys);
  self->children = xalloc(self->n_children * sizeof *self->children);
  for (size_t i = 0; i < self->n_children; ++i) {
    item *child = self->children + i;
    td_key key;
    check(td_keys_get(keys, i, &key, &err), &err);
    child->key = xcopy(key.parts[0].data, key.parts[0].size);
    child->key_size = key.parts[0].size;
    child->parent = self;
    child->index = i;
    fill_entry(child, self->dict, &key, depth);
  }
  td_keys_release(keys);
}

static void fill_members(item *self, int depth) {
  td_dict_list *members;
  td_error *err = NULL;
  check(td_dict_members(self->dict, &members, &err), &err);
  self->n_children = td_dict_list_size(members);
  self->children = xalloc(self->n_children * sizeof *self->children);
  for (size_t i = 0; i < self->n_children; ++i) {
    td_dict *member;
    check(td_dict_list_get(members, i, &member, &err), &err);
    self->children[i].parent = self;
    self->children[i].index = i;
    fill_dict(self->children + i, member, depth + 1);
  }
  td_dict_list_release(members);
}

// Takes `dict` over.
static void fill_dict(item *self, td_dict *dict, int depth) {
  if (depth > DEEPEST) die("dicts are nested more than %d levels deep", DEEPEST);
  self->kind = ITEM_DICT;
  self->dict = dict;
  self->ndim = td_dict_batch_size(dict, NULL, 0);
  self->dims = xalloc(self->ndim * sizeof(int64_t));
  td_dict_batch_size(dict, self->dims, self->ndim);
  const td_str device = td_dict_device(dict);
  self->device = device.data ? xcopy(device.data, device.size) : NULL;
  self->stack_dim = td_dict_stack_dim(dict);
  fill_names(self);
  if (self->stack_dim >= 0)
    fill_members(self, depth);
  else
    fill_children(self, depth);
  fill_class(self);
}

item *tree_of(td_dict *dict) {
  item *root = xalloc(sizeof *root);
  td_dict_retain(dict);
  fill_dict(root, dict, 0);
  return root;
}

static void clear(item *self) {
  for (size_t i = 0; i < self->n_children; ++i) clear(self->children + i);
  for (size_t i = 0; i < self->n_members; ++i) clear(self->members + i);
  free(self->members);
  for (size_t i = 0; self->names && i < self->ndim; ++i) free(self->names[i]);
  free(self->children);
  free(self->names);
  free(self->key);
  free(self->dims);
  free(self->class_name);
  free(self->fields);
  free(self->device);
  td_data_list_release(self->data);
  td_dict_release(self->dict);
}

void tree_free(item *root) {
  if (!root) return;
  clear(root);
  free(root);
}

td_status tree_tensor(const item *leaf, td_tensor **out, td_error **err) {
  const td_str part = {leaf->key, leaf->key_size};
  const td_key key = {&part, 1};
  return td_dict_get(leaf->parent->dict, &key, out, err);
}

const item *tree_component(const item *leaf, size_t i) {
  return leaf->members[i].children;
}

static const item *child_named(const item *self, const char *name) {
  size_t size = strlen(name);
  for (size_t i = 0; i < self->n_children; ++i) {
    const item *child = self->children + i;
    if (child->key && child->key_size == size && !memcmp(child->key, name, size)) return child;
  }
  return NULL;
}

static const item *child_numbered(const item *self, const char *number) {
  char *end;
  unsigned long long i = strtoull(number, &end, 10);
  return *number < '0' || *number > '9' || *end || i >= self->n_children ? NULL : self->children + i;
}

const item *tree_find(const item *root, char *const *parts, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const item *child =
        root->stack_dim >= 0 && root->kind == ITEM_DICT ? child_numbered(root, parts[i]) : child_named(root, parts[i]);
    if (!child && root->kind != ITEM_DICT) die("the key ends before '%s': the entry there is not a dict", parts[i]);
    if (!child && root->stack_dim >= 0)
      die("no member '%s': this lazy stack has the members 0 to %zu", parts[i], root->n_children - 1);
    if (!child) die("no key '%s'; `tensordict show` lists the keys", parts[i]);
    root = child;
  }
  return root;
}

static void add_counts(const item *self, counts *sum) {
  sum->tensors += self->kind == ITEM_TENSOR;
  sum->values += self->kind == ITEM_DATA;
  sum->dicts += self->kind == ITEM_DICT;
  sum->bytes += self->nbytes;
  for (size_t i = 0; i < self->n_children; ++i) add_counts(self->children + i, sum);
}

counts tree_counts(const item *root) {
  counts sum = {0, 0, 0, 0};
  add_counts(root, &sum);
  return sum;
}

int tree_by_key(const void *x, const void *y) {
  const item *a = *(const item *const *)x, *b = *(const item *const *)y;
  size_t size = a->key_size < b->key_size ? a->key_size : b->key_size;
  int order = size ? memcmp(a->key, b->key, size) : 0;
  return order ? order : (a->key_size > b->key_size) - (a->key_size < b->key_size);
}

const item **tree_sorted(const item *self) {
  const item **children = xalloc(self->n_children * sizeof *children);
  for (size_t i = 0; i < self->n_children; ++i) children[i] = self->children + i;
  if (self->stack_dim < 0) qsort(children, self->n_children, sizeof *children, tree_by_key);
  return children;
}
