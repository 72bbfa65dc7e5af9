// A dict as a tree in memory, without its data: what show, dump, diff and verify walk over.
#ifndef CLI_TREE_H
#define CLI_TREE_H

#include "tensordict.h"

typedef enum item_kind { ITEM_TENSOR, ITEM_DATA, ITEM_DICT } item_kind;

typedef struct item {
  item_kind kind;
  char *key;  // under its parent, with a NUL behind it; NULL for the root and for members of a stack
  size_t key_size;
  struct item *parent;
  size_t index;  // among its siblings

  int64_t *dims;  // of a tensor or data its shape, of a dict its batch size
  size_t ndim;

  td_dtype dtype;  // of a tensor
  int64_t nbytes;
  // A nested tensor is one of several shapes: members are dicts, with one component each.
  int nested;
  struct item *members;
  size_t n_members;

  td_data_list *data;

  td_dict *dict;
  char *class_name;   // "TensorDict"
  char *fields;       // JSON of a tensorclass's own fields; NULL for other dicts
  char *device;       // NULL: none
  char **names;       // one for each batch dim, NULL where there is none; NULL if no dim has one
  int64_t stack_dim;  // -1 unless it is a lazy stack, whose children are its members
  struct item *children;
  size_t n_children;
} item;

// Ends the process on failure. The tree borrows nothing from `dict`.
item *tree_of(td_dict *dict);
void tree_free(item *root);

// The tensor of an item: from its dict, so that what is read from a file lives as long as it is needed.
td_status tree_tensor(const item *leaf, td_tensor **out, td_error **err);

// A component of a nested tensor.
const item *tree_component(const item *leaf, size_t i);

// What `parts` lead to from `root`: keys, and numbers in lazy stacks. Ends the process if there is none.
const item *tree_find(const item *root, char *const *parts, size_t n);

// The children by key, as formats keep them in orders of their own; the members of a lazy stack as they are. To be freed.
const item **tree_sorted(const item *self);
int tree_by_key(const void *x, const void *y);  // for qsort over pointers to items

typedef struct counts {
  int64_t tensors, values, dicts, bytes;
} counts;
counts tree_counts(const item *root);

const char *dtype_word(td_dtype dtype);  // "torch.float32"

#endif
