/* What other users of the machine may do: tests that become them. They need root, and setfacl for access lists. */
#ifndef TESTS_USERS_H
#define TESTS_USERS_H

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "support/files.h"

enum { VICTIM = 61001, STRANGER = 61002, SHARED_GROUP = 61003 };

/* 1 if this process may become other users; else says on stderr that the test is skipped. */
FILES_UNUSED static int can_be_others(const char *test) {
  if (geteuid() == 0) return 1;
  fprintf(stderr, "skipped: %s needs root, to become other users\n", test);
  return 0;
}

/* 1 if access control lists can be made in test_dir; else says on stderr what is left out. */
FILES_UNUSED static int can_make_lists(const char *test) {
  char command[2 * PATH_MAX + 80];
  snprintf(command, sizeof command, "setfacl -m u:%d:rwx '%s' 2>/dev/null && setfacl -b '%s'", STRANGER, test_dir,
           test_dir);
  if (system(command) == 0) return 1;
  fprintf(stderr, "skipped: the access lists of %s need setfacl of the package acl, and a file system with them\n",
          test);
  return 0;
}

/* What `act` returns in a child process that is that user, in that group only. */
FILES_UNUSED static int as_user(uid_t user, gid_t group, int (*act)(void *), void *context) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    td_after_fork();
    if (setgroups(0, NULL) != 0 || setgid(group) != 0 || setuid(user) != 0) _exit(120);
    _exit(act(context));
  }
  int status = -1;
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_assert(WIFEXITED(status), "the child of user %d ended with %d", (int)user, status);
  cr_assert_neq(WEXITSTATUS(status), 120, "the child could not become user %d", (int)user);
  return WEXITSTATUS(status);
}

#endif
