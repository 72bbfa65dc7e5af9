#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "progress.h"
#include "text.h"

const char *command_name = "";
int trouble = EXIT_FAILED;

static void say(const char *format, va_list arguments) {
  char line[8192];
  int size = vsnprintf(line, sizeof line, format, arguments);
  text shown = {0};
  text_str(&shown, "tensordict: ");
  if (*command_name) {
    text_str(&shown, command_name);
    text_str(&shown, ": ");
  }
  text_shown(&shown, line, size < 0 ? 0 : (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
  fflush(stdout);
  hide_reading();
  fprintf(stderr, "%s\n", shown.data);
  text_clear(&shown);
}

void warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  exit(trouble);
}

void die_usage(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  fprintf(stderr, "Try 'tensordict %s%s--help'.\n", command_name, *command_name ? " " : "");
  exit(EXIT_USAGE);
}

void check(td_status status, td_error **err) {
  if (status == TD_OK) return;
  if (*err) die("%s", td_error_message(*err).data);
  die("%s", td_status_name(status).data);
}

int finish(int status) {
  int lost = ferror(stdout);
  if (fflush(stdout) || lost) {
    // A reader that has seen enough, as `head` does, needs no message.
    if (errno != EPIPE) warn("the output could not be written: %s", strerror(errno));
    return EXIT_OUTPUT;
  }
  return status;
}

void *xalloc(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory) die("out of memory");
  return memory;
}

void *xrealloc(void *memory, size_t size) {
  memory = realloc(memory, size ? size : 1);
  if (!memory) die("out of memory");
  return memory;
}

char *xcopy(const char *text, size_t size) {
  char *copy = xalloc(size + 1);
  if (size) memcpy(copy, text, size);
  return copy;
}
