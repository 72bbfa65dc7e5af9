// The launcher `tensordict`: all of the tool but the library. Loading LibTorch takes half a second, which help, versions
// and wrong usage need not wait for. The linker leads each function of the library that the sources call to this one
// (--defsym), so that whatever needs the library first becomes the real tool, with the same arguments.
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cli.h"

void become_the_tool(void);

// The arguments as the process got them: options were taken out of argv already.
static char **arguments(void) {
  FILE *file = fopen("/proc/self/cmdline", "r");
  if (!file) die("open /proc/self/cmdline: %s", strerror(errno));
  size_t n = 0, capacity = 0;
  char **all = NULL, *one = NULL;
  size_t size = 0;
  while (getdelim(&one, &size, 0, file) > 0) {
    if (n + 2 > capacity) all = xrealloc(all, (capacity = 2 * capacity + 8) * sizeof *all);
    all[n++] = one;
    all[n] = NULL;
    one = NULL;
    size = 0;
  }
  fclose(file);
  free(one);
  if (!n) die("/proc/self/cmdline is empty");
  return all;
}

// Who asks the doctor may have a library that the loader cannot load, of which the tool itself can say nothing.
static void await_doctor(const char *path, char **all) {
  pid_t child = fork();
  if (child < 0) return;
  if (!child) {
    execv(path, all);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 127) exit(WEXITSTATUS(status));
  printf("  BAD   %-15s %s\n        %-15s %s\n1 problem\n", "library",
         "the tool cannot be started; the line above says why", "-> to do:",
         "if libtorch is not found: its environment was moved or removed, so build and install again with "
         "LIBTORCH=DIR, or "
         "set LD_LIBRARY_PATH to its directory; if libtensordict is not found: run ldconfig, or install it again");
  exit(finish(EXIT_FAILED));
}

void become_the_tool(void) {
  __fpurge(stdout);  // the tool begins anew, also with what was said
  char path[4096 + sizeof TD_TOOL_FROM_LAUNCHER];
  ssize_t size = readlink("/proc/self/exe", path, 4095);
  if (size < 0) die("read /proc/self/exe: %s", strerror(errno));
  path[size] = 0;
  strcpy(strrchr(path, '/') + 1, TD_TOOL_FROM_LAUNCHER);
  char **all = arguments();
  if (!strcmp(command_name, "doctor")) await_doctor(path, all);
  execv(path, all);
  die("start %s: %s; reinstall the tool", path, strerror(errno));
}
