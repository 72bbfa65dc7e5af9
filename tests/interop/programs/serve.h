/* A program of one command a process can also be started once, as "serve", and do each command in a forked child. */
#ifndef TESTS_INTEROP_SERVE_H
#define TESTS_INTEROP_SERVE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SERVE_ARGUMENTS = 32 };

/* Each line on stdin: the files for stdout and stderr, then the arguments, with tabs between. Answers with the status that
 * the command ended with, negative if a signal ended it. */
static int serve(char *name, int (*run)(int argc, char **argv)) {
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin)) {
    char *words[SERVE_ARGUMENTS + 1], *at = line;
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *word; n < SERVE_ARGUMENTS && (word = strsep(&at, "\t"));) words[n++] = word;
    words[n] = NULL;
    if (n < 3 || at) return 2;
    const pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "r", stdin) || !freopen(words[0], "w", stdout) || !freopen(words[1], "w", stderr))
        _exit(2);
      words[1] = name;
      exit(run(n - 1, words + 1));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    fflush(stdout);
  }
  return 0;
}

#define MAIN_THAT_SERVES(run)                                                              \
  int main(int argc, char **argv) {                                                        \
    return argc == 2 && !strcmp(argv[1], "serve") ? serve(argv[0], run) : run(argc, argv); \
  }

#endif
