/* What an older save of Python's becomes when it is written as 0.15 writes it. */
#ifndef TESTS_SAVES_H
#define TESTS_SAVES_H

#include "support/files.h"

/* Puts `to` where `from` stands, wherever it does; `text` has room for `room` bytes. */
FILES_UNUSED static void replace_all(char *text, size_t room, const char *from, const char *to) {
  for (char *at = text; (at = strstr(at, from)); at += strlen(to)) {
    cr_assert_lt(strlen(text) + strlen(to), room);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
  }
}

#define PYTHON_CLASS(module, name) "\"_type\":\"<class 'tensordict." module "." name "'>\""
#define WITH_VERSION(module, name) \
  PYTHON_CLASS(module, name) ",\"_format_version\":1,\"_class\":\"tensordict:" name "\""

/* The text of a meta.json that 0.14 wrote, as 0.15 writes it with orjson. */
FILES_UNUSED static void as_newer_meta(char *text, size_t room) {
  if (strstr(text, "_format_version")) return;
  if (strstr(text, "LazyStackedTensorDict'>")) replace_all(text, room, "}", ",\"stack_dim_name\":null}");
  replace_all(text, room, PYTHON_CLASS("_td", "TensorDict"), WITH_VERSION("_td", "TensorDict"));
  replace_all(text, room, PYTHON_CLASS("_lazy", "LazyStackedTensorDict"),
              WITH_VERSION("_lazy", "LazyStackedTensorDict"));
  replace_all(text, room, PYTHON_CLASS("tensorclass", "NonTensorStack"), WITH_VERSION("tensorclass", "NonTensorStack"));
  replace_all(text, room, "\"_is_non_tensor\":true,\"_metadata\":null", "\"_metadata\":null,\"_is_non_tensor\":true");
}

/* Expects every file below `older` to be below `got`: with the same bytes, but for what 0.15 writes otherwise. */
FILES_UNUSED static void expect_same_save(const char *older, const char *got) {
  DIR *d = opendir(older);
  cr_assert(d, "no %s", older);
  for (struct dirent *e; (e = readdir(d));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    char a[PATH_MAX], b[PATH_MAX];
    struct stat s;
    snprintf(a, sizeof a, "%s/%s", older, e->d_name);
    snprintf(b, sizeof b, "%s/%s", got, e->d_name);
    cr_assert_eq(lstat(a, &s), 0);
    if (S_ISDIR(s.st_mode)) {
      expect_same_save(a, b);
    } else if (strcmp(e->d_name, "meta.json")) {
      expect_same_files(a, b);
    } else {
      enum { ROOM = 1 << 20 };
      size_t n = 0, m = 0;
      char *want = calloc(1, ROOM), *old = file_bytes(a, &n), *new = file_bytes(b, &m);
      cr_assert(old && n < ROOM);
      memcpy(want, old, n);
      as_newer_meta(want, ROOM);
      cr_expect(new && !strcmp(want, new), "%s differs:\n  %.300s\n  %.300s", b, new, want);
      free(want), free(old), free(new);
    }
  }
  closedir(d);
}

#endif
