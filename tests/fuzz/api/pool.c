/* The objects of a child: those it has made and those that calls gave. */
#include "api/api.h"

enum { MOST = 14 }; /* of one kind */

typedef struct pool {
  void *handles[512];
  int n;
} pool;
static pool pools[N_HANDLE_KINDS];
static void *last[N_HANDLE_KINDS]; /* what a call got last, so that it may get it twice */
long made[N_HANDLE_KINDS], not_made[N_HANDLE_KINDS];
const td_dict *of_call;

static const char *const kind_names[] = {
#define X(type) #type,
    HANDLE_KINDS(X)
#undef X
};

#define X(type) type *make_##type(void);
HANDLE_KINDS(X)
#undef X

static void *make(int kind) {
  switch (kind) {
#define X(type)     \
  case KIND_##type: \
    return make_##type();
    HANDLE_KINDS(X)
#undef X
  }
  return NULL;
}

static void end_no_grad(td_no_grad *scope) {
  hold(td_no_grad_end(scope, NULL) == TD_OK, "scopes without gradients end in reverse order");
  td_no_grad_release(scope);
}

static void release(int kind, void *handle) {
  switch (kind) {
#define td_no_grad_release(x) end_no_grad(x)
#define X(type)             \
  case KIND_##type:         \
    type##_release(handle); \
    return;
    HANDLE_KINDS(X)
#undef X
#undef td_no_grad_release
  }
}

int pool_size(int kind) {
  return pools[kind].n;
}

/* Dicts and tensors that have grown would make the rest of a child slow. */
static int too_large(int kind, const void *handle) {
  if (kind == KIND_td_tensor) return td_tensor_numel(handle) > 20000;
  if (kind == KIND_td_dict)
    return td_dict_nbytes(handle) > 1 << 18 || td_dict_len(handle) > 4096 || td_dict_count(handle) > 200;
  if (kind == KIND_td_dict_list) return td_dict_list_size(handle) > 100;
  return 0;
}

void adopt(int kind, void *handle) {
  pool *p = &pools[kind];
  hold(p->n < 512, "a child has not so many objects of one kind");
  p->handles[p->n++] = handle;
}

void *take_handle(int kind) {
  pool *p = &pools[kind];
  return p->n > 0 ? p->handles[--p->n] : NULL;
}

void trim_pool(void) {
  for (int kind = 0; kind < N_HANDLE_KINDS; ++kind) {
    pool *p = &pools[kind];
    last[kind] = NULL;
    if (kind == KIND_td_no_grad) {
      while (p->n > 2) release(kind, p->handles[--p->n]);
      continue;
    }
    for (int i = 0; i < p->n;)
      if (too_large(kind, p->handles[i])) {
        release(kind, p->handles[i]);
        p->handles[i] = p->handles[--p->n];
      } else {
        ++i;
      }
    while (p->n > MOST) {
      const int i = (int)below((uint64_t)p->n);
      release(kind, p->handles[i]);
      p->handles[i] = p->handles[--p->n];
    }
  }
}

void give_back_all(void) {
  int order[N_HANDLE_KINDS];
  for (int i = 0; i < N_HANDLE_KINDS; ++i) order[i] = i;
  while (pools[KIND_td_no_grad].n > 0) release(KIND_td_no_grad, take_handle(KIND_td_no_grad));
  for (int i = N_HANDLE_KINDS; i > 1; --i) { /* in any order: what an object needs it keeps */
    const int j = (int)below((uint64_t)i), other = order[j];
    order[j] = order[i - 1], order[i - 1] = other;
    for (void *handle; (handle = take_handle(other));) release(other, handle);
  }
  for (void *handle; (handle = take_handle(order[0]));) release(order[0], handle);
}

void *any_handle(int kind, const char *name) {
  pool *p = &pools[kind];
  void *handle = NULL;
  const int optional = strstr(name, "gradient") || strstr(name, "generator") || strstr(name, "tensordict_out");
  if (pick_wrong() || (optional && chance(60))) {
    say(" %s=NULL", name);
    return NULL;
  }
  if (last[kind] && chance(15))
    handle = last[kind];
  else if (p->n > 0 && chance(kind == KIND_td_no_grad ? 100 : 65))
    handle = p->handles[below((uint64_t)p->n)];
  else if ((handle = make(kind)))
    adopt(kind, handle), ++made[kind];
  else
    ++not_made[kind];
  last[kind] = handle;
  if (kind == KIND_td_dict) {
    int64_t batch[64];
    of_call = handle;
    say(" %s=%s@%p[", name, kind_names[kind], handle);
    for (size_t i = 0, n = td_dict_batch_size(handle, batch, 64); i < n && i < 8; ++i)
      say("%s%lld", i ? "," : "", (long long)batch[i]);
    say("]kind%d%s", td_dict_kind_of(handle), td_dict_is_locked(handle) ? "locked" : "");
  } else if (kind == KIND_td_tensor) {
    int64_t dims[64];
    say(" %s=tensor@%p:%d[", name, handle, td_tensor_dtype(handle));
    for (size_t i = 0, n = td_tensor_shape(handle, dims, 64); i < n && i < 8; ++i)
      say("%s%lld", i ? "," : "", (long long)dims[i]);
    say("]");
  } else {
    say(" %s=%s@%p", name, kind_names[kind], handle);
  }
  return handle;
}
