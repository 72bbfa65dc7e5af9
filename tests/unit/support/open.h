/* Opening files for tests, and what holds for every one that is refused. */
#ifndef TESTS_OPEN_H
#define TESTS_OPEN_H

#include "support/files.h"
#include "support/small_dicts.h"

FILES_UNUSED static td_dict *open_with(const char *path, td_open_mode mode) {
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.mode = mode;
  td_dict *d = NULL;
  must(td_open(TD_STR(path), &options, &d, &err));
  return d;
}

/* A consolidated file of that payload and JSON. */
FILES_UNUSED static const char *consolidated_file(const char *json, const void *payload, size_t size) {
  static char bytes[1 << 16];
  const int64_t n = (int64_t)strlen(json);
  memcpy(bytes, payload, size);
  memcpy(bytes + size, json, (size_t)n);
  memcpy(bytes + size + n, &n, 8);
  const char *path = path_of("%s/made", test_dir);
  write_file(path, bytes, size + (size_t)n + 8);
  return path;
}

/* In each mode that cannot write: the error says what and where, the files are as they were and nothing stays mapped. */
FILES_UNUSED static void expect_refused(const char *path, const char *name, td_format format, td_status status,
                                        const char *words) {
  const tree_size before = size_of_tree(path);
  const int64_t mappings = td_live_objects(TD_OBJECT_MAPPING);
  for (td_open_mode mode = TD_OPEN_READ; mode <= TD_OPEN_COW; ++mode) {
    td_open_options options = TD_OPEN_OPTIONS_INIT;
    options.mode = mode;
    options.format = format;
    td_dict *d = NULL;
    td_error *error = NULL;
    const td_status got = td_open(TD_STR(path), &options, &d, &error);
    const char *text = error ? td_error_message(error).data : "";
    cr_expect_eq(got, status, "%s: wanted %s, got %s: %s", name, td_status_name(status).data, td_status_name(got).data,
                 text);
    cr_expect(strstr(text, words), "%s: no '%s' in '%s'", name, words, text);
    cr_expect(!internal_text(text), "%s: text from inside: %s", name, text);
    cr_expect(!error || td_error_where(error).size > 0, "%s: the error names no file: %s", name, text);
    cr_expect_null(d);
    td_error_release(error), td_dict_release(d);
  }
  const tree_size after = size_of_tree(path);
  cr_expect(before.entries == after.entries && before.bytes == after.bytes, "%s: opening changed the files", name);
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), mappings, "%s: something stays mapped", name);
}

#endif
