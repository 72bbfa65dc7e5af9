// Options of the command line: --name, --name=value, --name value, -x, -xy, -x4, -x 4; "--" ends them.
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdint.h>

typedef struct option {
  const char *name;    // "json", without dashes
  char letter;         // 0: none
  int *flag;           // set to 1, if it takes no value
  const char **value;  // set to the value, if it takes one
} option;

// Puts what is no option into argv[0..) and returns its number; wrong options end the process. `options` ends with a
// NULL name. --help is handled here.
int parse_options(int argc, char **argv, const option *options);

// One of the commands in a command, with options of its own. `all` ends with a NULL name; `names` lists them for people.
typedef struct subcommand {
  const char *name;  // "shm ls"
  int (*run)(int argc, char **argv);
} subcommand;

int run_subcommand(int argc, char **argv, const subcommand *all, const char *names);

// A whole number in [low, high]; ends the process otherwise.
int64_t parse_number(const char *text, const char *what, int64_t low, int64_t high);
uint64_t parse_seed(const char *text);

#endif
