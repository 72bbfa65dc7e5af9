#include "slices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct slice {
  int is_range, has_begin, has_end;
  int64_t begin, end;  // of an index only `begin`
} slice;

// Takes a number if one is there.
static int take_number(const char **p, int64_t *n, const char *text) {
  char *end;
  if (**p != '-' && (**p < '0' || **p > '9')) return 0;
  errno = 0;
  long long found = strtoll(*p, &end, 10);
  if (errno || end == *p) die_usage("--at: '%s' holds a number that is none", text);
  *n = found;
  *p = end;
  return 1;
}

// The next of them; 0 at the end.
static int take_slice(const char **p, slice *out, const char *text) {
  memset(out, 0, sizeof *out);
  if (!**p) return 0;
  out->has_begin = take_number(p, &out->begin, text);
  if (**p == ':') {
    ++*p;
    out->is_range = 1;
    out->has_end = take_number(p, &out->end, text);
  }
  int good = (out->is_range || out->has_begin) && (!**p || (**p == ',' && (*p)[1]));
  if (!good) die_usage("--at takes indices and ranges with commas between them, like 0,:,1:3, not '%s'", text);
  if (**p) ++*p;
  return 1;
}

void check_slices(const char *text) {
  slice s;
  if (!*text) die_usage("--at takes indices and ranges, like 0,:,1:3");
  for (const char *p = text; take_slice(&p, &s, text);) {
  }
}

static td_tensor *called(const char *name, const char *overload, td_tensor *t, const td_value *more, size_t n) {
  td_op *op;
  td_error *err = NULL;
  td_value all[4], out;
  all[0] = td_value_tensor(t);
  memcpy(all + 1, more, n * sizeof *more);
  check(td_op_find(TD_STR(name), TD_STR(overload), &op, &err), &err);
  check(td_op_call(op, all, n + 1, NULL, 0, &out, 1, &err), &err);
  td_op_release(op);
  td_tensor_release(t);
  return out.as.tensor;
}

static int64_t within(int64_t i, int64_t size) {
  if (i < 0) i += size;
  return i < 0 ? 0 : i > size ? size : i;
}

td_tensor *slices_of(td_tensor *t, const char *text) {
  slice s;
  int64_t dim = 0;
  for (const char *p = text; take_slice(&p, &s, text);) {
    size_t ndim = td_tensor_shape(t, NULL, 0);
    int64_t *dims = xalloc(ndim * sizeof *dims);
    td_tensor_shape(t, dims, ndim);
    if ((size_t)dim >= ndim) die("--at %s has more parts than the tensor has dims", text);
    int64_t size = dims[dim];
    free(dims);
    if (!s.is_range) {
      if (s.begin < -size || s.begin >= size)
        die("--at %s: index %lld is out of range, the dim has %lld elements", text, (long long)s.begin,
            (long long)size);
      const td_value index[] = {td_value_int(dim), td_value_int(s.begin)};
      t = called("select", "int", t, index, 2);
      continue;
    }
    int64_t begin = s.has_begin ? within(s.begin, size) : 0, end = s.has_end ? within(s.end, size) : size;
    const td_value range[] = {td_value_int(dim), td_value_int(begin), td_value_int(end < begin ? begin : end)};
    t = called("slice", "Tensor", t, range, 3);
    ++dim;
  }
  return t;
}
