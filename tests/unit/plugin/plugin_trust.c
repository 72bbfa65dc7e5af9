/* A plugin that anybody but its user could have put there is refused before any of it runs. */
#include <grp.h>
#include <pwd.h>

#include "support/td.h"
#include "support/users.h"

TestSuite(plugin_trust, .init = make_test_dir, .fini = remove_test_dir);

static const char *plugin_file(const char *name) {
  return path_of("%s/%s.so", TD_TEST_PLUGINS, name);
}

/* Whether the user's primary group has the user's name and no second user: a group that Debian makes for each user. */
static int private_group(uid_t user) {
  const struct passwd *entry = getpwuid(user);
  if (!entry || user == 0) return 0;
  const gid_t group = entry->pw_gid;
  const struct group *set = getgrgid(group);
  if (!set || strcmp(set->gr_name, entry->pw_name) != 0 || set->gr_mem[0]) return 0;
  int users = 0;
  setpwent();
  while ((entry = getpwent())) users += entry->pw_gid == group;
  endpwent();
  return users == 1;
}

static void expect_writers(const char *file, const char *words) {
  expect_error(td_plugins_load(TD_STR(file), &err), TD_ERR_PLUGIN, NULL, words);
}

LeaklessTest(plugin_trust, what_a_group_may_write_is_refused) {
  if (private_group(geteuid())) {
    printf("plugin_trust: left out, as the group of this user is nobody else's\n");
    return;
  }
  const char *inner = path_of("%s/inner", test_dir), *file = path_of("%s/inner/good.so", test_dir),
             *manifest = path_of("%s/inner/good.toml", test_dir);
  make_dir(inner);
  cr_assert_eq(chmod(inner, 0755), 0);
  copy_tree(plugin_file("good"), file); /* of this process' own group */
  cr_assert_eq(chmod(file, 0664), 0);
  expect_writers(file, "may write to the file");
  cr_assert_eq(chmod(file, 0644), 0);
  cr_assert_eq(chmod(inner, 0775), 0);
  expect_writers(file, "may write to its directory");
  cr_assert_eq(chmod(inner, 0755), 0);
  cr_assert_eq(chmod(test_dir, 0775), 0);
  expect_writers(file, "above it");
  cr_assert_eq(chmod(test_dir, 0755), 0);
  write_text(manifest, "schema = 1\nid = \"org.test.plugin\"\n");
  cr_assert_eq(chmod(manifest, 0664), 0);
  expect_writers(file, "may write to the file");
  expect_writers(manifest, "may write to the file");
  cr_assert_eq(chmod(manifest, 0644), 0);
  must(td_plugins_load(TD_STR(file), &err));
}

/* ---- With a second user ---------------------------------------------------------------------------------------------------- */

static int write_into(void *path) {
  struct stat s;
  if (stat(path, &s) != 0) return 2;
  if (S_ISDIR(s.st_mode)) return open(path_of("%s/planted", (char *)path), O_CREAT | O_WRONLY, 0600) >= 0 ? 0 : 1;
  return open(path, O_WRONLY | O_APPEND) >= 0 ? 0 : 1;
}

/* 0 if it was loaded, 1 if it was refused because of those who may write, else 2. */
static int load_it(void *file) {
  td_error *error = NULL;
  const td_status status = td_plugins_load(TD_STR((const char *)file), &error);
  if (status == TD_OK) return 0;
  const int refused = status == TD_ERR_PLUGIN && strstr(td_error_message(error).data, "may write to");
  if (!refused) fprintf(stderr, "%s\n", td_error_message(error).data);
  td_error_release(error);
  return refused ? 1 : 2;
}

static void runs(const char *command, const char *path) {
  char line[PATH_MAX + 400];
  snprintf(line, sizeof line, "F='%s'; %s", path, command);
  cr_assert_eq(system(line), 0, "%s", line);
}

/* With a umask of 002 all that a user makes is writable by the user's group. */
Test(plugin_trust, what_the_group_of_the_user_alone_may_write_is_loaded) {
  if (!can_be_others("plugin_trust")) return;
  uid_t user = 0;
  gid_t group = 0;
  for (uid_t u = 1; u < 2000 && !user; ++u) {
    if (!private_group(u)) continue;
    user = u;
    group = getpwuid(u)->pw_gid;
  }
  if (!user) {
    printf("plugin_trust: left out, as no user of this system has a group of its own\n");
    return;
  }
  const char *own = path_of("%s/own", test_dir), *file = path_of("%s/own/p.so", test_dir);
  char line[PATH_MAX + 100];
  cr_assert_eq(chmod(test_dir, 0755), 0);
  make_dir(own);
  copy_tree(plugin_file("good"), file);
  snprintf(line, sizeof line, "chown -R %u:%u \"$F\" && chmod 775 \"$F\" && chmod 664 \"$F\"/*", user, group);
  runs(line, own);
  check(as_user(user, group, load_it, (void *)file) == 0);
  if (!can_make_lists("plugin_trust")) return;
  runs("setfacl -m u:61002:rw \"$F\"", file);
  check(as_user(user, group, load_it, (void *)file) == 1);
}

typedef struct way {
  const char *what; /* the file or the directory that a stranger may write: "$F" below */
  const char *command;
  int list; /* it needs setfacl */
} way;

Test(plugin_trust, what_a_second_user_could_write_is_never_loaded) {
  static const way ways[] = {
      {"p.so", "chgrp 61003 \"$F\" && chmod 664 \"$F\"", 0},
      {"p.toml", "chgrp 61003 \"$F\" && chmod 664 \"$F\"", 0},
      {"", "chgrp 61003 \"$F\" && chmod 775 \"$F\"", 0},
      {"p.so", "setfacl -m u:61002:rw \"$F\"", 1},
      {"p.so", "setfacl -m g:61003:rw \"$F\"", 1},
      {"p.toml", "setfacl -m u:61002:rw \"$F\"", 1},
      {"", "setfacl -m u:61002:rwx \"$F\"", 1},
      {"p.so", "chown 0:0 \"$F\" && setfacl -m u:61002:rw \"$F\"", 1}, /* root's own group says nothing either */
  };
  if (!can_be_others("plugin_trust")) return;
  const int lists = can_make_lists("plugin_trust");
  cr_assert_eq(chmod(test_dir, 0755), 0);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (ways[i].list && !lists) continue;
    const char *own = path_of("%s/%zu", test_dir, i), *file = path_of("%s/p.so", own),
               *manifest = path_of("%s/p.toml", own), *open = path_of("%s/%s", own, ways[i].what);
    make_dir(own);
    copy_tree(plugin_file("good"), file);
    runs("printf 'schema = 1\\nsha256 = \"%s\"\\n' $(sha256sum \"$F/p.so\" | cut -c 1-64) > \"$F/p.toml\"", own);
    runs("chown -R 61001:61003 \"$F\" && chmod 755 \"$F\" && chmod 644 \"$F\"/*", own);
    check(as_user(STRANGER, SHARED_GROUP, write_into, (void *)open) == 1);
    check(as_user(VICTIM, SHARED_GROUP, load_it, (void *)file) == 0);
    check(as_user(VICTIM, SHARED_GROUP, load_it, (void *)manifest) == 0);
    runs(ways[i].command, open);
    check(as_user(STRANGER, SHARED_GROUP, write_into, (void *)open) == 0);
    check(as_user(VICTIM, SHARED_GROUP, load_it, (void *)file) == 1);
    check(as_user(VICTIM, SHARED_GROUP, load_it, (void *)manifest) == 1);
  }
}
