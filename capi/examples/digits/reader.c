/* The second process: started with pipes for its stdin and stdout, so that the two can take turns. */
#include "digits.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void make_pipe(int ends[2]) {
  if (pipe(ends)) fail("pipe", strerror(errno));
  /* Only what is duplicated on purpose reaches the child. */
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

reader reader_start(const char *program, const char *segment, const char *data) {
  reader self;
  int in[2], out[2];
  make_pipe(in);
  make_pipe(out);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  char *arguments[] = {(char *)program, (char *)segment, (char *)data, NULL};
  int failed = posix_spawn(&self.pid, program, &actions, NULL, arguments, environ);
  if (failed) fail(program, strerror(failed));
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  self.to = fdopen(in[1], "w");
  self.from = fdopen(out[0], "r");
  signal(SIGPIPE, SIG_IGN); /* a child that has died shows in reader_finish */
  return self;
}

void reader_print(reader *self) {
  char line[256];
  while (fgets(line, sizeof line, self->from) && strcmp(line, "ready\n") != 0) printf("   rust | %s", line);
  fflush(stdout);
}

void reader_tell(reader *self, int64_t row) {
  fprintf(self->to, "changed %" PRId64 "\n", row);
  fflush(self->to);
}

void reader_finish(reader *self) {
  int status;
  fclose(self->to);
  fclose(self->from);
  if (waitpid(self->pid, &status, 0) != self->pid || status != 0)
    fail("the Rust reader", "it found a mismatch or died");
}
