/* Which files are loaded, which are refused and why, and what the report says. Each test is a process of its own. */
#include "support/files.h"
#include "support/td.h"

#include <pthread.h>

TestSuite(plugin, .init = make_test_dir, .fini = remove_test_dir);

static const char *plugin_file(const char *name) {
  return path_of("%s/%s.so", TD_TEST_PLUGINS, name);
}

static td_status load(const char *file) {
  return td_plugins_load(TD_STR(file), &err);
}

static int report_says(const char *file, const char *words) {
  td_string *report;
  must(td_plugins_report(&report, &err));
  const char *line = td_string_view(report).data;
  int found = 0;
  for (; !found && line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    const size_t length = strcspn(line, "\n");
    char text[8192];
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    found = strstr(text, file) && strstr(text, words);
  }
  if (!found) fprintf(stderr, "no line with '%s' and '%s' in\n%s", file, words, td_string_view(report).data);
  td_string_release(report);
  return found;
}

static int list_says(const char *words) {
  td_string *list;
  must(td_plugins_list(&list, &err));
  const int found = strstr(td_string_view(list).data, words) != NULL;
  td_string_release(list);
  return found;
}

/* Refused with this code and these words, in the error as in the report, and without a trace in the list. */
static void expect_refused(const char *file, td_status code, const char *words) {
  expect_error(load(file), code, NULL, words);
  char real[PATH_MAX];
  check(report_says(realpath(file, real) ? real : file, "refused: "));
  check(report_says(realpath(file, real) ? real : file, words));
  check(!list_says(file));
}

/* A copy of good.so in the test's directory, with every `from` in it replaced by `to`. */
static const char *changed_copy(const char *from, const char *to) {
  size_t size, n = strlen(from), changes = 0;
  char *bytes = file_bytes(plugin_file("good"), &size);
  check(bytes && n == strlen(to));
  for (size_t i = 0; i + n <= size; ++i)
    if (memcmp(bytes + i, from, n) == 0) memcpy(bytes + i, to, n), ++changes;
  check(changes > 0);
  const char *copy = path_of("%s/changed.so", test_dir);
  write_file(copy, bytes, size);
  free(bytes);
  return copy;
}

LeaklessTest(plugin, the_bundled_types_are_there_without_loading_anything) {
  const char *types[] = {"\"kind\":\"hash\",\"id\":\"td.siphash\"", "\"kind\":\"module\",\"id\":\"td.linear\"",
                         "\"kind\":\"module\",\"id\":\"td.mlp\"", "\"kind\":\"module\",\"id\":\"td.relu\"",
                         "\"kind\":\"distribution\",\"id\":\"td.normal\""};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) cr_assert(list_says(types[i]), "no %s", types[i]);
  check(report_says("siphash.so", "loaded: td.siphash"));
}

LeaklessTest(plugin, a_good_file_adds_its_types) {
  check(!list_says("org.test.sum"));
  must(load(plugin_file("good")));
  check(list_says("{\"kind\":\"hash\",\"id\":\"org.test.sum\",\"plugin\":\"org.test.plugin\",\"version\":\"1.2.3\""));
  check(report_says("good.so", "loaded: org.test.plugin 4.5.6 (Tests, MIT), hash org.test.sum"));
}

LeaklessTest(plugin, a_kind_from_the_future_is_skipped_and_noted) {
  must(load(plugin_file("good")));
  check(!list_says("org.test.future"));
  check(report_says("good.so", "skipped org.test.future"));
}

LeaklessTest(plugin, loading_the_same_file_again_does_nothing) {
  must(load(plugin_file("good")));
  must(load(plugin_file("good")));
  const char *link = path_of("%s/another_name.so", test_dir);
  cr_assert_eq(symlink(plugin_file("good"), link), 0);
  must(load(link));
  must(load(path_of("%s/../plugins/./good.so", TD_TEST_PLUGINS)));
}

LeaklessTest(plugin, refused_plugins_are_refused_for_their_own_reason) {
  static const struct {
    const char *name;
    td_status code;
    const char *words;
  } cases[] = {
      {"other_major", TD_ERR_VERSION, "built for plugin ABI 3.0, but this library offers 2.0"},
      {"newer_minor", TD_ERR_VERSION, "built for plugin ABI 2.7, but this library offers 2.0"},
      {"host_too_old", TD_ERR_VERSION, "needs a host with wings"},
      {"wrong_magic", TD_ERR_PLUGIN, "magic"},
      {"short_head", TD_ERR_PLUGIN, "td_plugin has 24 bytes"},
      {"no_id", TD_ERR_PLUGIN, "id is empty"},
      {"null_type", TD_ERR_PLUGIN, "type 1 is NULL"},
      {"null_function", TD_ERR_PLUGIN, "no function \"hash_rows\""},
      {"small_table", TD_ERR_PLUGIN, "bytes, "},
      {"odd_table", TD_ERR_PLUGIN, "ends inside a member"},
      {"odd_head", TD_ERR_PLUGIN, "ends inside a member"},
      {"twice", TD_ERR_PLUGIN, "twice"},
      {"entry_fails", TD_ERR_PLUGIN, "the moon is full"},
      {"entry_throws", TD_ERR_PLUGIN, "an exception left the plugin"},
      {"id_taken", TD_ERR_EXISTS, "siphash.so"},
      {"other_libtorch", TD_ERR_VERSION, "built with LibTorch 0.4.0, but this library with "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect_refused(plugin_file(cases[i].name), cases[i].code, cases[i].words);
  must(load(plugin_file("good")));
}

LeaklessTest(plugin, what_is_no_plugin_is_not_even_loaded) {
  const char *text = path_of("%s/text.so", test_dir), *empty = path_of("%s/empty.so", test_dir);
  write_text(text, "#!/bin/sh\necho this is a script, and much longer than the head of a shared library is\n");
  write_text(empty, "");
  expect_refused(text, TD_ERR_PLUGIN, "not a shared library");
  expect_refused(empty, TD_ERR_PLUGIN, "not a shared library");
  expect_refused(test_dir, TD_ERR_PLUGIN, "not a regular file");
  expect_refused(changed_copy("td_plugin_entry", "td_plugin_entrx"), TD_ERR_PLUGIN, "does not export td_plugin_entry");
  expect_refused(path_of("%s/missing.so", test_dir), TD_ERR_NOT_FOUND, "No such file");
  expect_error(td_plugins_load(TD_NO_STR, &err), TD_ERR_ARGUMENT, NULL, "empty");
  expect_error(td_plugins_load((td_str){NULL, 3}, &err), TD_ERR_ARGUMENT, NULL, "file");
}

LeaklessTest(plugin, a_file_that_links_libtorch_or_openmp_is_refused) {
  expect_refused(path_of("%s/libtensordict.so", TD_BUILD_DIR), TD_ERR_PLUGIN, "it links libtorch");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* there a plugin links the sanitizer, not libc */
  expect_refused(changed_copy("libc.so.6", "libc10.so"), TD_ERR_PLUGIN, "it links libc10.so");
  expect_refused(changed_copy("libc.so.6", "libgomp.1"), TD_ERR_PLUGIN, "it links libgomp");
#endif
}

LeaklessTest(plugin, a_file_cut_short_anywhere_is_refused) {
  size_t size;
  char *bytes = file_bytes(plugin_file("good"), &size);
  check(bytes);
  const char *cut = path_of("%s/cut.so", test_dir);
  for (size_t length = 1; length < size; length += length < 128 ? 1 : 997) {
    write_file(cut, bytes, length);
    expect_error(load(cut), TD_ERR_PLUGIN, NULL, NULL);
  }
  free(bytes);
}

LeaklessTest(plugin, a_file_that_others_could_have_written_is_refused) {
  const char *file = path_of("%s/good.so", test_dir);
  copy_tree(plugin_file("good"), file);
  cr_assert_eq(chmod(file, 0666), 0);
  expect_refused(file, TD_ERR_PLUGIN, "other users may write to the file");
  cr_assert_eq(chmod(file, 0644), 0);
  cr_assert_eq(chmod(test_dir, 0777), 0);
  expect_refused(file, TD_ERR_PLUGIN, "other users may write to its directory");
  cr_assert_eq(chmod(test_dir, 01777), 0); /* as /tmp: nobody else can replace what is mine */
  must(load(file));
}

LeaklessTest(plugin, a_directory_is_loaded_in_the_order_of_names_and_refusals_are_reported) {
  copy_tree(plugin_file("good"), path_of("%s/b.so", test_dir));
  copy_tree(plugin_file("good"), path_of("%s/c.so", test_dir)); /* another file with the same types */
  copy_tree(plugin_file("other_major"), path_of("%s/a.so", test_dir));
  copy_tree(plugin_file("wrong_vector"), path_of("%s/.hidden.so", test_dir));
  copy_tree(plugin_file("wrong_vector"), path_of("%s/notes.txt", test_dir));
  must(td_plugins_add_path(TD_STR(test_dir), &err));
  check(report_says("/a.so", "refused: the plugin was built for plugin ABI"));
  check(report_says("/b.so", "loaded: org.test.plugin"));
  check(report_says("/c.so", "refused: the type id is already registered by"));
  check(!list_says("org.test.wrong_vector"));
  expect_error(td_plugins_add_path(TD_STR("/no/such/directory"), &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_plugins_add_path(TD_STR(plugin_file("good")), &err), TD_ERR_NOT_FOUND, NULL, NULL);
}

static void *load_and_use(void *file) {
  td_error *own_error = NULL;
  td_query_options options = TD_QUERY_OPTIONS_INIT;
  options.hash_type = TD_STR("org.test.sum");
  td_query *query = NULL;
  td_string *list = NULL;
  cr_assert_eq(td_plugins_load(TD_STR(file), &own_error), TD_OK);
  cr_assert_eq(td_plugins_list(&list, &own_error), TD_OK);
  cr_assert_eq(td_query_new(TD_KEY("a"), 1, &options, &query, &own_error), TD_OK);
  td_query_release(query);
  td_string_release(list);
  return NULL;
}

LeaklessTest(plugin, threads_may_load_and_use_at_once) {
  pthread_t threads[8];
  char *file = strdup(plugin_file("good"));
  for (int i = 0; i < 8; ++i) cr_assert_eq(pthread_create(&threads[i], NULL, load_and_use, file), 0);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  free(file);
}

/* Before any other plugin is loaded: the list shows what each config may be. */
LeaklessTest(plugin, bundled_types_say_what_their_config_may_be) {
  check(list_says("\"schema\":{"));
  check(!list_says("\"schema\":null"));
  td_dict *params = new_dict(TD_NO_DIMS);
  td_dist *dist = NULL;
  put(params, TD_KEY("loc"), full_f32(0, TD_NO_DIMS));
  put(params, TD_KEY("scale"), full_f32(1, TD_NO_DIMS));
  must(td_dist_new(TD_STR("td.normal"), params, TD_STR("{\"validate_args\":false}"), &dist, &err)); /* the host's own */
  td_dist_release(dist), dist = NULL;
  expect_error(td_dist_new(TD_STR("td.normal"), params, TD_STR("{\"low\":0}"), &dist, &err), TD_ERR_ARGUMENT, NULL,
               "\"low\"");
  check(!dist);
  td_dict_release(params);
}
