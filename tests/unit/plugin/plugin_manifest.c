/* Manifests beside plugin files, directories that the environment lists, versions of one id, machines, forks. */
#include "support/files.h"
#include "support/td.h"

#include <sys/wait.h>

TestSuite(plugin_manifest, .init = make_test_dir, .fini = remove_test_dir);

static const char *plugin_file(const char *name) {
  return path_of("%s/%s.so", TD_TEST_PLUGINS, name);
}

static td_status load(const char *file) {
  return td_plugins_load(TD_STR(file), &err);
}

static int text_has(td_status get(td_string **, td_error **), const char *words) {
  td_string *text;
  must(get(&text, &err));
  const int found = strstr(td_string_view(text).data, words) != NULL;
  if (!found) fprintf(stderr, "nothing of '%s' in\n%s\n", words, td_string_view(text).data);
  td_string_release(text);
  return found;
}

static const char *with_manifest(const char *name, const char *manifest) {
  const char *file = path_of("%s/%s.so", test_dir, name);
  copy_tree(plugin_file("good"), file);
  write_text(path_of("%s/%s.toml", test_dir, name), manifest);
  return file;
}

static void digest_of(const char *file, char hex[65]) {
  char command[4200];
  snprintf(command, sizeof command, "sha256sum '%s'", file);
  FILE *pipe = popen(command, "r");
  cr_assert_not_null(pipe);
  cr_assert_eq(fread(hex, 1, 64, pipe), 64);
  hex[64] = '\0';
  pclose(pipe);
}

LeaklessTest(plugin_manifest, a_file_that_agrees_with_its_manifest_is_loaded) {
  char digest[65];
  digest_of(plugin_file("good"), digest);
  with_manifest("fine", path_of("schema = 1\nid = \"org.test.plugin\"\nversion = \"4.5.6\"\nlicense = \"MIT\"\n"
                                "kinds = [\"hash\"]\nabi = \"2.0\"\nfile = \"fine.so\"\nsha256 = \"%s\"\n",
                                digest));
  must(load(path_of("%s/fine.toml", test_dir)));
  check(text_has(td_plugins_list, "org.test.sum"));
}

LeaklessTest(plugin_manifest, what_differs_from_its_manifest_is_refused) {
  static const struct {
    const char *manifest;
    td_status code;
    const char *says;
  } cases[] = {
      {"schema = 1\nsha256 = \"0000000000000000000000000000000000000000000000000000000000000000\"", TD_ERR_PLUGIN,
       "its sha256 is"},
      {"schema = 1\nsha256 = \"00\"", TD_ERR_PLUGIN, "64 lower-case hexadecimal digits"},
      {"schema = 1\nid = \"org.test.other\"", TD_ERR_PLUGIN, "its manifest says org.test.other"},
      {"schema = 1\nversion = \"4.5.7\"", TD_ERR_PLUGIN, "its version is 4.5.6"},
      {"schema = 1\nkinds = [\"module\"]", TD_ERR_PLUGIN, "does not list"},
      {"schema = 1\nabi = \"1.0\"", TD_ERR_VERSION, "plugin ABI 1.0"},
      {"schema = 1\nabi = \"two\"", TD_ERR_PLUGIN, "two numbers"},
      {"schema = 2", TD_ERR_VERSION, "schema 2"},
      {"id = \"org.test.plugin\"", TD_ERR_PLUGIN, "schema = 1"},
      {"schema = 1\nfile = \"../good.so\"", TD_ERR_PLUGIN, "not beside it"},
      {"schema = 1\nfile = \"other.so\"", TD_ERR_PLUGIN, "is for another file"},
      {"schema = 1\nfile = 7", TD_ERR_PLUGIN, "\"file\""},
      {"schema = 1\nchecksum = \"a\"", TD_ERR_PLUGIN, "unknown member \"checksum\""},
      {"schema = = 1", TD_ERR_PLUGIN, "is not TOML"},
      {"schema = 1\n[platform.pdp11-unix]\nfile = \"p.so\"", TD_ERR_PLUGIN, "no file for"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char name[8]; /* a file that was loaded must not be written over */
    snprintf(name, sizeof name, "p%zu", i);
    const char *file = with_manifest(name, cases[i].manifest);
    expect_error(load(file), cases[i].code, NULL, cases[i].says);
    check(text_has(td_plugins_report, cases[i].says));
  }
  with_manifest("p", "schema = 1");
  must(load(path_of("%s/p.so", test_dir)));
}

/* good.so with every `from` in it replaced by `to`. */
static const char *changed(const char *name, const char *from, const char *to, size_t n) {
  size_t size = 0;
  char *bytes = file_bytes(plugin_file("good"), &size);
  check(bytes);
  for (size_t i = 0; i + n <= size; ++i)
    if (memcmp(bytes + i, from, n) == 0) memcpy(bytes + i, to, n);
  const char *copy = path_of("%s/%s.so", test_dir, name);
  write_file(copy, bytes, size);
  free(bytes);
  return copy;
}

LeaklessTest(plugin_manifest, of_one_id_the_higher_version_is_used) {
  must(load(changed("b", "1.2.3", "1.2.3", 5)));
  expect_error(load(changed("c", "1.2.3", "1.2.3", 5)), TD_ERR_EXISTS, NULL, "already registered by");
  expect_error(load(changed("d", "1.2.3", "1.1.9", 5)), TD_ERR_EXISTS, NULL, "already registered by");
  must(load(changed("e", "1.2.3", "1.3.0", 5)));
  check(text_has(td_plugins_list, "\"version\":\"1.3.0\""));
  check(text_has(td_plugins_report, "was replaced by version 1.3.0"));
  check(text_has(td_plugins_report, "in place of 1.2.3"));
}

LeaklessTest(plugin_manifest, ids_of_the_library_are_its_own) {
  expect_error(load(changed("f", "org.test.sum", "td.test.summ", 12)), TD_ERR_PLUGIN, NULL, "bundled");
}

LeaklessTest(plugin_manifest, files_for_other_machines_say_so) {
  size_t size = 0;
  char *bytes = file_bytes(plugin_file("good"), &size);
  check(bytes);
  const char *file = path_of("%s/other.so", test_dir);
  bytes[18] ^= 0x40; /* e_machine */
  write_file(file, bytes, size);
  expect_error(load(file), TD_ERR_PLUGIN, NULL, "another machine");
  bytes[18] ^= 0x40, bytes[4] = 1; /* 32 bits */
  write_file(file, bytes, size);
  expect_error(load(file), TD_ERR_PLUGIN, NULL, "another machine");
  bytes[4] = 2, bytes[16] = 2; /* a program */
  write_file(file, bytes, size);
  expect_error(load(file), TD_ERR_PLUGIN, NULL, "another kind of ELF file");
  free(bytes);
}

LeaklessTest(plugin_manifest, directories_above_count_too) {
  const char *inner = path_of("%s/inner", test_dir), *file = path_of("%s/inner/good.so", test_dir);
  cr_assert_eq(mkdir(inner, 0755), 0);
  copy_tree(plugin_file("good"), file);
  cr_assert_eq(chmod(test_dir, 0777), 0);
  expect_error(load(file), TD_ERR_PLUGIN, NULL, "above it");
  cr_assert_eq(chmod(test_dir, 0755), 0);
  must(load(file));
}

LeaklessTest(plugin_manifest, the_environment_may_list_directories) {
  copy_tree(plugin_file("good"), path_of("%s/good.so", test_dir));
  setenv("TENSORDICT_PLUGIN_PATH", path_of("relative:%s:/no/such/place:", test_dir), 1);
  check(text_has(td_plugins_list, "org.test.sum"));
  check(text_has(td_plugins_report, "relative: refused: TENSORDICT_PLUGIN_PATH contains a path that is not absolute"));
  check(text_has(td_plugins_report, "/no/such/place: refused"));
}

LeaklessTest(plugin_manifest, a_plugin_of_the_first_header_is_refused) {
  expect_error(load(plugin_file("frozen_1_0")), TD_ERR_VERSION, NULL, "this is no host of plugin ABI 1");
  expect_error(load(plugin_file("claims_1_0")), TD_ERR_VERSION, NULL, "built for plugin ABI 1.0");
}

LeaklessTest(plugin_manifest, a_forked_child_loads_for_itself) {
  check(text_has(td_plugins_list, "td.siphash"));
  const pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    td_hash *hash = NULL;
    uint64_t value = 0;
    int ok = td_plugins_load(TD_STR(plugin_file("good")), NULL) == TD_OK;
    ok = ok && td_hash_new(TD_STR("org.test.sum"), TD_NO_STR, &hash, NULL) == TD_OK;
    ok = ok && td_hash_rows(hash, "\x05", 1, 1, 1, &value, NULL) == TD_OK && value == 5;
    _exit(ok ? 0 : 1);
  }
  int status = -1;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %d", status);
}
