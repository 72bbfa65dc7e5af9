/* A forward pass makes no allocation of ours beyond the tensors: counted by an operator new of this program, which looks at
 * who calls it. Tensors are made inside LibTorch and are not counted. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordict.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

int main(void) {
  puts("a sanitizer has an operator new of its own");
  return 0;
}

#else

/* ---- Counting */
static uintptr_t ours_begin, ours_end;
static int counting;
static size_t counted, reported;

static int find_ours(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (!strstr(info->dlpi_name, "libtensordict")) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    ours_begin = info->dlpi_addr + part->p_vaddr;
    ours_end = ours_begin + part->p_memsz;
  }
  return 1;
}

static void *allocated(size_t size, uintptr_t caller) {
  if (counting && caller >= ours_begin && caller < ours_end) {
    ++counted;
    if (reported++ < 20) fprintf(stderr, "  %zu bytes at libtensordict+0x%zx\n", size, (size_t)(caller - ours_begin));
  }
  void *p = malloc(size ? size : 1);
  if (!p) abort();
  return p;
}

/* operator new and new[], plain and aligned; delete frees what malloc gave. */
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define EXPORTED __attribute__((visibility("default"), noinline))
EXPORTED void *_Znwm(size_t size) {
  return allocated(size, CALLER);
}
EXPORTED void *_Znam(size_t size) {
  return allocated(size, CALLER);
}
EXPORTED void *_ZnwmRKSt9nothrow_t(size_t size, const void *unused) {
  (void)unused;
  return allocated(size, CALLER);
}

/* ---- A sequence */
static td_error *err;

static void check(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", what, err ? td_error_message(err).data : "");
  exit(1);
}
#define OK(call) check((call) == TD_OK, #call)

static td_module *layer(const char *type, const char *config, const td_key *in, const td_key *out) {
  td_module *inner, *m;
  OK(td_module_new(TD_STR(type), TD_STR(config), NULL, &inner, &err));
  OK(td_module_tensordict(inner, in, 1, out, 1, NULL, &m, &err));
  td_module_release(inner);
  return m;
}

static size_t allocations(const td_module *m, td_dict *data) {
  for (int i = 0; i < 3; ++i) OK(td_module_forward(m, data, &err));
  counted = 0;
  counting = 1;
  OK(td_module_forward(m, data, &err));
  counting = 0;
  return counted;
}

int main(void) {
  dl_iterate_phdr(find_ours, NULL);
  check(ours_begin < ours_end, "the library is there");
  counting = 1;
  td_dict *data;
  OK(td_dict_new(NULL, 0, NULL, &data, &err));
  counting = 0;
  check(counted > 0, "an allocation of ours is seen");
  reported = 0;

  static const char linear[] = "{\"in_features\": 4, \"out_features\": 4}";
  td_module *members[] = {layer("td.linear", linear, TD_KEY("x"), TD_KEY("h")),
                          layer("td.relu", "{}", TD_KEY("h"), TD_KEY("h")),
                          layer("td.linear", linear, TD_KEY("h"), TD_KEY("next", "h")),
                          layer("td.tanh", "{}", TD_KEY("next", "h"), TD_KEY("y"))},
            *inner, *whole;
  OK(td_module_sequential(members + 1, 3, NULL, &inner, &err));
  td_module *pair[] = {members[0], inner};
  OK(td_module_sequential(pair, 2, NULL, &whole, &err));
  const float numbers[8] = {1, -1, 2, -2, 3, -3, 4, -4};
  td_tensor *x;
  OK(td_tensor_copy_from(numbers, TD_DTYPE_FLOAT32, TD_SHAPE(2, 4), &x, &err));
  OK(td_dict_set(data, TD_KEY("x"), x, &err));
  td_tensor_release(x);
  for (int grad = 0; grad < 2; ++grad) {
    td_no_grad *scope = NULL;
    if (!grad) OK(td_no_grad_begin(&scope, &err));
    size_t n = allocations(whole, data);
    if (!grad) OK(td_no_grad_end(scope, &err));
    if (!grad) td_no_grad_release(scope);
    printf("%zu allocations of ours in a pass %s gradients\n", n, grad ? "with" : "without");
    check(n == 0, "a forward pass after warm-up allocates nothing of ours");
  }
  td_module_release(whole);
  td_module_release(inner);
  for (size_t i = 0; i < 4; ++i) td_module_release(members[i]);
  td_dict_release(data);
  return 0;
}

#endif
