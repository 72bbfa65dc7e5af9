// tensordict: look into TensorDicts on disk and in shared memory, convert them, and check plugins.
//
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "near.h"

const command commands[] = {
    {"show", "the tree of keys with dtypes, shapes and sizes", help_show, cmd_show},
    {"dump", "structure and contents as JSON", help_dump, cmd_dump},
    {"cat", "the values under one key", help_cat, cmd_cat},
    {"diff", "the differences between two", help_diff, cmd_diff},
    {"verify", "read all of it strictly and report what is wrong", help_verify, cmd_verify},
    {"convert", "save it in another format", help_convert, cmd_convert},
    {"pack", "a directory as one archive (.tdz)", help_pack, cmd_pack},
    {"unpack", "a file as a directory", help_unpack, cmd_unpack},
    {"shm", "shared segments of this user: ls, show, prune, rm", help_shm, cmd_shm},
    {"remote", "dicts on a Redis or Valkey server: ls, show, cat, copy, rm", help_remote, cmd_remote},
    {"plugin", "plugins: list, why, check", help_plugin, cmd_plugin},
    {"doctor", "what is wrong with this installation, and how to repair it", help_doctor, cmd_doctor},
    {NULL, NULL, NULL, NULL},
};

const command *find_command(const char *name) {
  for (const command *c = commands; c->name; ++c)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

static const char help_all[] =
    "usage: tensordict COMMAND [OPTION...] [ARGUMENT...]\n"
    "\n"
    "Commands:\n";
static const char help_rest[] =
    "\n"
    "`tensordict COMMAND --help` tells more. PATH is a directory or a file of any format that td_open knows, or\n"
    "shm:NAME for a shared segment, or redis://HOST?id=ID for a dict on a server. KEY is given as one argument a "
    "level: tensordict cat run.tdz next obs.\n"
    "\n"
    "Exit status: 0 all is well; 1 something was refused, differs or is wrong; 2 wrong usage (for diff: any trouble);\n"
    "3 the output could not be written.\n";

static int help(void) {
  fputs(help_all, stdout);
  for (const command *c = commands; c->name; ++c) printf("  %-9s %s\n", c->name, c->summary);
  fputs(help_rest, stdout);
  return finish(EXIT_GOOD);
}

// Of the header: `doctor` compares it with the library, which takes half a second to load.
static int version(void) {
  printf("tensordict %d.%d.%d (ABI %d)\n", TD_VERSION_MAJOR, TD_VERSION_MINOR, TD_VERSION_PATCH, TD_ABI_MAJOR);
  return finish(EXIT_GOOD);
}

static void die_unknown(const char *name) {
  for (const command *c = commands; c->name; ++c)
    if (is_near(name, c->name)) die_usage("there is no command '%s'; did you mean '%s'?", name, c->name);
  die_usage("there is no command '%s'", name);
}

// A mapped file that another process cuts while we read it is an error like others, not a crash.
static void file_was_cut(int number) {
  static const char words[] = "tensordict: a file shrank while it was read\n";
  (void)number;
  if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(EXIT_OUTPUT);
  _exit(trouble);
}

static int dispatch(const command *c, int argc, char **argv) {
  command_name = c->name;
  struct sigaction cut;
  memset(&cut, 0, sizeof cut);
  cut.sa_handler = file_was_cut;
  sigemptyset(&cut.sa_mask);
  sigaction(SIGBUS, &cut, NULL);
  return finish(c->run(argc, argv));
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write, and our exit status
  if (argc < 2) {
    help();
    return EXIT_USAGE;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    const command *c = argc > 2 ? find_command(argv[2]) : NULL;
    if (c) fputs(c->help, stdout);
    return c ? finish(EXIT_GOOD) : help();
  }
  if (!strcmp(argv[1], "--version")) return version();
  const command *c = find_command(argv[1]);
  if (!c) die_unknown(argv[1]);
  return dispatch(c, argc - 2, argv + 2);
}
