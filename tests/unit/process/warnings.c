/* LibTorch's warnings: nobody is told, or a function of the caller's. */
#include "support/nn_support.h"

#include <unistd.h>

TestSuite(warnings, .init = count_live, .fini = check_live);

typedef struct heard {
  int n;
  char text[256], where[64];
} heard;

static void hear(void *userdata, td_str text, td_str where) {
  heard *h = userdata;
  ++h->n;
  snprintf(h->text, sizeof h->text, "%.*s", (int)text.size, text.data);
  snprintf(h->where, sizeof h->where, "%.*s", (int)where.size, where.data);
}

/* Asks a tensor that is no leaf for its gradient, of which LibTorch warns each time. */
static void be_warned(void) {
  td_tensor *leaf = VEC(1), *grad = NULL;
  must(td_tensor_requires_grad_(leaf, 1, &err));
  td_tensor *twice = apply("add", leaf, leaf);
  (void)td_tensor_grad(twice, &grad, &err);
  td_error_release(err);
  err = NULL;
  td_tensor_release(grad);
  td_tensor_release(twice);
  td_tensor_release(leaf);
}

/* The bytes that `act` writes to stderr. */
static long written_by(void (*act)(void)) {
  FILE *file = tmpfile();
  fflush(stderr);
  int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  act();
  fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  fclose(file);
  return size;
}

Test(warnings, go_nowhere_unless_somebody_asks) {
  heard h = {0};
  cr_assert_eq(written_by(be_warned), 0);
  must(td_set_warning_callback(TD_CALLBACKS(td_warning_function, hear, &h, NULL), &err));
  cr_assert_eq(written_by(be_warned), 0);
  cr_assert_eq(h.n, 1);
  cr_assert(strstr(h.text, ".grad"), "%s", h.text);
  cr_assert(strstr(h.where, "TensorBody.h:") == h.where, "%s", h.where);
  must(td_set_warning_callback(NULL, &err));
  cr_assert_eq(written_by(be_warned), 0);
  cr_assert_eq(h.n, 1);
}

/* A function may call the library, which may warn again. */
static void hear_once_more(void *userdata, td_str text, td_str where) {
  (void)text, (void)where;
  if (++*(int *)userdata < 3) be_warned();
}

Test(warnings, may_be_caused_by_those_who_hear_them) {
  int n = 0;
  must(td_set_warning_callback(TD_CALLBACKS(td_warning_function, hear_once_more, &n, NULL), &err));
  be_warned();
  cr_assert_eq(n, 3);
  must(td_set_warning_callback(NULL, &err));
}
