#include <string.h>

#include "args.h"
#include "channel.h"
#include "cli.h"
#include "json.h"
#include "shared.h"
#include "source.h"
#include "stats.h"
#include "text.h"
#include "tree.h"
#include "tree_json.h"
#include "value.h"

const char help_show[] =
    "usage: tensordict show [--trusted] [--depth N] [--stats] [--json] PATH [KEY...]\n"
    "\n"
    "Prints the tree of keys with dtypes, shapes and sizes, or what is under KEY. No data is read without --stats.\n"
    "Of a channel, shm:NAME, it prints the state, and the tree of its messages.\n"
    "\n"
    "  -d, --depth N   go N levels down (default: all)\n"
    "      --stats     also the least, greatest and mean element of each tensor, and how many are NaN; reads all data\n"
    "      --json      print one JSON object\n"
    "      --trusted   open HDF5 files too; damaged ones crash the HDF5 library\n"
    "  -h, --help      print this text\n"
    "\n"
    "Exit status: 0; 1 if PATH is refused or has no such KEY; 2 wrong usage; 3 output lost.\n";

typedef struct columns {
  size_t key, dtype;
  int stats;
} columns;

static size_t shown_key(text *t, const item *self) {
  size_t begin = t->size;
  if (self->key && self->key_size)
    text_shown(t, self->key, self->key_size);
  else if (self->key)
    text_str(t, "\"\"");
  else if (self->parent)
    text_int(t, (int64_t)self->index);
  size_t width = 0;
  for (size_t i = begin; i < t->size; ++i) width += ((unsigned char)t->data[i] >> 6) != 2;
  return width;
}

static void pad(text *t, size_t from, size_t to) {
  for (; from < to; ++from) text_str(t, " ");
}

static void measure(const item *self, size_t indent, int64_t depth, columns *c) {
  for (size_t i = 0; depth && i < self->n_children; ++i) {
    text t = {0};
    size_t width = indent + shown_key(&t, self->children + i);
    text_clear(&t);
    if (width > c->key && width <= 40) c->key = width;
    const item *child = self->children + i;
    size_t dtype = strlen(child->kind == ITEM_TENSOR ? dtype_word(child->dtype) + 6 * (child->dtype != 0)
                          : child->kind == ITEM_DICT ? child->class_name
                                                     : "data");
    if (dtype > c->dtype && dtype <= 24) c->dtype = dtype;
    measure(child, indent + 2, depth - 1, c);
  }
}

static void describe_dict(text *t, const item *self) {
  text_str(t, "batch ");
  text_dims(t, self->dims, self->ndim);
  if (self->stack_dim >= 0) {
    text_str(t, "  stacked along dim ");
    text_int(t, self->stack_dim);
  }
  if (self->names) {
    text_str(t, "  names [");
    for (size_t i = 0; i < self->ndim; ++i) {
      if (i) text_str(t, ", ");
      text_shown(t, self->names[i] ? self->names[i] : "-", strlen(self->names[i] ? self->names[i] : "-"));
    }
    text_str(t, "]");
  }
}

static void describe(text *t, const item *self, const columns *c) {
  const char *type = self->kind == ITEM_TENSOR ? dtype_word(self->dtype) + 6 * (self->dtype != 0)
                     : self->kind == ITEM_DICT ? self->class_name
                                               : "data";
  text_shown(t, type, strlen(type));
  pad(t, strlen(type), c->dtype);
  text_str(t, "  ");
  if (self->kind == ITEM_DICT) {
    describe_dict(t, self);
  } else if (self->kind == ITEM_DATA) {
    data_list_text(t, self->data, 60);
  } else {
    if (self->nested) {
      text_str(t, "nested, ");
      text_int(t, (int64_t)self->n_members);
      text_str(t, " components");
    } else {
      text_dims(t, self->dims, self->ndim);
    }
    text_str(t, "  ");
    text_bytes(t, self->nbytes);
    if (c->stats && !self->nested) {
      stats s = stats_of(self);
      text_str(t, "  ");
      stats_text(t, &s);
    }
  }
}

static void print_below(const item *self, size_t indent, int64_t depth, const columns *c) {
  for (size_t i = 0; depth && i < self->n_children; ++i) {
    text line = {0};
    pad(&line, 0, indent);
    size_t width = indent + shown_key(&line, self->children + i);
    pad(&line, width, c->key);
    text_str(&line, "  ");
    describe(&line, self->children + i, c);
    puts(line.data);
    text_clear(&line);
    print_below(self->children + i, indent + 2, depth - 1, c);
  }
}

static void print_tree(const item *root, int64_t depth, int with_stats) {
  columns c = {0, 0, with_stats}, none = c;
  text line = {0};
  describe(&line, root, &none);
  if (root->device) {
    text_str(&line, "  device ");
    text_shown(&line, root->device, strlen(root->device));
  }
  puts(line.data);
  text_clear(&line);
  measure(root, 2, depth, &c);
  print_below(root, 2, depth, &c);
}

static void print_sums(const char *format, const item *root) {
  counts n = tree_counts(root);
  text line = {0};
  text_str(&line, format);
  text_str(&line, ": ");
  text_int(&line, n.tensors);
  text_str(&line, n.tensors == 1 ? " tensor, " : " tensors, ");
  text_int(&line, n.values);
  text_str(&line, n.values == 1 ? " value, " : " values, ");
  text_bytes(&line, n.bytes);
  puts(line.data);
  text_clear(&line);
}

static void print_json(const char *path, const char *format, const item *root, int64_t depth, int with_stats) {
  int count = 0;
  json_key(stdout, &count, "path");
  json_text(stdout, path);
  json_key(stdout, &count, "format");
  json_text(stdout, format);
  json_key(stdout, &count, "root");
  tree_json(stdout, root, depth, with_stats);
}

// A channel has a state and the structure of its messages, and no values that would stay while one looks.
static int is_channel(const char *path) {
  shared s;
  const char *name = segment_name(path);
  if (!name || !shared_find(name, &s)) return 0;
  int yes = s.kind && !strcmp(s.kind, "channel");
  shared_clear(&s);
  return yes;
}

int show_source(const char *path, char *const *keys, size_t n_keys, const show_options *o) {
  int64_t levels = o->depth ? parse_number(o->depth, "--depth", 0, 1000000) : -1;
  source s = {path, "channel", NULL, NULL};
  int channel = is_channel(path);
  if (channel && o->stats) die_usage("--stats is for values that stay, and %s is a channel", path);
  if (!channel) s = open_source(path);
  if (o->json) putchar('{');
  if (channel) {
    s.dict = show_channel(segment_name(path), o->json);
    if (o->json) fputs(", ", stdout);
  }
  item *root = tree_of(s.dict);
  const item *shown = tree_find(root, keys, n_keys);
  if (o->json) {
    print_json(path, s.format, shown, levels, o->stats);
    puts("}");
  } else {
    print_tree(shown, levels, o->stats);
    print_sums(s.format, shown);
  }
  tree_free(root);
  close_source(&s);
  return EXIT_GOOD;
}

int cmd_show(int argc, char **argv) {
  show_options o = {NULL, 0, 0};
  const option options[] = {{"depth", 'd', NULL, &o.depth},
                            {"stats", 0, &o.stats, NULL},
                            {"json", 0, &o.json, NULL},
                            TRUSTED_OPTION,
                            {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc < 1) die_usage("a PATH is missing");
  if (o.depth) parse_number(o.depth, "--depth", 0, 1000000);
  return show_source(argv[0], argv + 1, (size_t)argc - 1, &o);
}
