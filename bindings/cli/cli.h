// What the commands of `tensordict` share. A command is one file cmd_X.c with one function and a line in main.c.
#ifndef CLI_H
#define CLI_H

#include <stdint.h>
#include <stdio.h>

#include "tensordict.h"

// What the process says by its exit status; `tensordict --help` and the man page have the same words.
enum {
  EXIT_GOOD = 0,
  EXIT_FAILED = 1,  // a file was refused, things differ, or a check found a problem
  EXIT_USAGE = 2,   // wrong arguments; of diff: any trouble
  EXIT_OUTPUT = 3   // what there was to say could not be written
};

typedef struct command {
  const char *name;
  const char *summary;  // one line, for the list of commands
  const char *help;     // all of `tensordict NAME --help`
  int (*run)(int argc, char **argv);
} command;

extern const command commands[];
const command *find_command(const char *name);

int cmd_cat(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_pack(int argc, char **argv);
int cmd_plugin(int argc, char **argv);
int cmd_remote(int argc, char **argv);
int cmd_shm(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_unpack(int argc, char **argv);
int cmd_verify(int argc, char **argv);

extern const char help_cat[], help_convert[], help_diff[], help_doctor[], help_dump[], help_pack[], help_plugin[],
    help_remote[], help_shm[], help_show[], help_unpack[], help_verify[];

// What `show` and `shm show` do.
typedef struct show_options {
  const char *depth;  // as it was given; NULL: all levels
  int stats, json;
} show_options;
int show_source(const char *path, char *const *keys, size_t n_keys, const show_options *o);

// ---- Failing: one line on stderr, in which nothing can reach the terminal but text ------------------------------------
extern const char *command_name;  // of the command that runs, for messages
extern int trouble;               // the status of `die`: EXIT_FAILED, unless the command is diff

#if defined(__GNUC__)
#define CLI_FORMAT(n) __attribute__((format(printf, n, n + 1)))
#define CLI_NORETURN __attribute__((noreturn))
#else
#define CLI_FORMAT(n)
#define CLI_NORETURN
#endif
void warn(const char *format, ...) CLI_FORMAT(1);
CLI_NORETURN void die(const char *format, ...) CLI_FORMAT(1);
CLI_NORETURN void die_usage(const char *format, ...) CLI_FORMAT(1);

// Nothing if the call succeeded; else the message of the error, and the end.
void check(td_status status, td_error **err);

// Flushes stdout; EXIT_OUTPUT if anything was lost, else `status`.
int finish(int status);

// ---- Memory: a command line tool that gets none ends ------------------------------------------------------------------
void *xalloc(size_t size);
void *xrealloc(void *memory, size_t size);
char *xcopy(const char *text, size_t size);  // with a NUL behind it

#endif
