// convert, and pack and unpack, which are convert with a format chosen.
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "args.h"
#include "cli.h"
#include "progress.h"
#include "remote.h"
#include "segment.h"
#include "source.h"

#define TRUSTED_HELP "      --trusted       SRC is an HDF5 file that you trust; damaged ones crash the HDF5 library\n"
#define SAVE_OPTIONS                                                                                             \
  TRUSTED_HELP                                                                                                   \
  "  -f, --force         replace DST; the old one stays complete until the new one is\n"                         \
  "      --sync          write everything to the disk before DST becomes visible\n"                              \
  "  -j, --threads N     write with N threads (default 1)\n"                                                     \
  "      --progress      show a progress bar even if stderr is not a terminal\n"                                 \
  "  -q, --quiet         no progress bar\n"                                                                      \
  "  -h, --help          print this text\n"                                                                      \
  "\n"                                                                                                           \
  "Exit status: 0; 1 if SRC is refused, or DST exists, has no directory or cannot be written (it is then as it " \
  "was);\n"                                                                                                      \
  "2 wrong usage.\n"

const char help_convert[] =
    "usage: tensordict convert [OPTION...] SRC DST\n"
    "\n"
    "Saves SRC as DST. The format is that of DST's ending: .tdz an archive, .h5 .hdf5 HDF5, .safetensors, .td a\n"
    "consolidated file, anything else a memmap directory; endings of other formats, like .npz, are refused without\n"
    "--to. Data that a format cannot hold is refused, not dropped.\n"
    "DST shm:NAME is a shared segment that stays until `tensordict shm rm NAME`; of the options it takes --force,\n"
    "--from, --lenient and --trusted. For a file with such a name write ./shm:NAME. SRC and DST may be URLs of dicts\n"
    "on a server: see tensordict remote --help.\n"
    "\n"
    "  -t, --to FORMAT     memmap, consolidated, archive, h5 or safetensors, whatever the ending\n"
    "      --from FORMAT   the format of SRC if it cannot be recognised; h5 implies --trusted\n"
    "  -z, --compress      deflate (archives and HDF5)\n"
    "      --lenient       accept damaged input as Python does, if that is safe\n" SAVE_OPTIONS;

const char help_pack[] =
    "usage: tensordict pack [OPTION...] SRC DST.tdz\n"
    "\n"
    "Saves SRC as one archive: a ZIP of the memmap directory, aligned, which is read in place.\n"
    "\n"
    "  -z, --compress      deflate; smaller, but it cannot be read in place\n" SAVE_OPTIONS;

const char help_unpack[] =
    "usage: tensordict unpack [OPTION...] SRC DST\n"
    "\n"
    "Saves SRC, of any format, as a memmap directory.\n"
    "\n" SAVE_OPTIONS;

typedef struct choices {
  int force, sync, compress, quiet, bar, lenient;
  const char *to, *from, *threads;
} choices;

static td_format chosen(const char *word) {
  td_format format = word ? format_of_word(word) : TD_FORMAT_AUTO;
  if (word && format == TD_FORMAT_AUTO)
    die_usage("unknown format '%s'; use memmap, consolidated, archive, h5 or safetensors", word);
  return format;
}

static source open_chosen(const char *path, const choices *c) {
  if (!c->from && !c->lenient) return open_source(path);
  source s;
  td_error *err = NULL;
  td_open_options o = TD_OPEN_OPTIONS_INIT;
  memset(&s, 0, sizeof s);
  o.format = chosen(c->from);
  o.lenient = c->lenient != 0;
  o.trusted = trust_files != 0;
  if (segment_name(path)) die_usage("--from and --lenient are for files, but SRC is a segment");
  if (is_url(path)) die_usage("--from and --lenient are for files, but SRC is on a server");
  check(td_open(TD_STR(path), &o, &s.dict, &err), &err);
  return s;
}

// The library makes what is missing for some formats; here a path with an error in it makes nothing.
static void need_parent(const char *path) {
  struct stat s;
  char *copy = xcopy(path, strlen(path)), *parent = dirname(copy);
  if (stat(parent, &s) && (errno == ENOENT || errno == ENOTDIR))
    die("the directory '%s' for %s does not exist; make it with mkdir -p", parent, path);
  if (!stat(parent, &s) && !S_ISDIR(s.st_mode)) die("'%s' is not a directory, so nothing can be put into it", parent);
  free(copy);
}

// A directory with the ending of a file that another program would open is hardly what was meant.
static void refuse_other_endings(const char *path) {
  static const char *const others[] = {".npz",   ".npy",  ".pt",   ".pth",  ".pkl", ".pickle", ".parquet",
                                       ".arrow", ".csv",  ".tsv",  ".json", ".zip", ".tar",    ".jsonl",
                                       ".mat",   ".onnx", ".gguf", ".png",  ".jpg", ".gz"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof others / sizeof *others; ++i)
    if (!strcasecmp(dot, others[i]))
      die_usage("%s files are not written; choose the ending .tdz, .td, .safetensors or .h5, or --to FORMAT", dot);
}

static void save_file(const char *from, const char *to, const choices *c) {
  progress bar;
  td_error *err = NULL;
  td_save_options o = TD_SAVE_OPTIONS_INIT;
  o.overwrite = c->force != 0;
  o.sync = c->sync != 0;
  o.threads = c->threads ? (size_t)parse_number(c->threads, "--threads", 1, 1024) : 1;
  o.format = chosen(c->to);
  o.compression = c->compress ? TD_COMPRESSION_DEFLATE : TD_COMPRESSION_NONE;
  td_format format = o.format;
  if (format == TD_FORMAT_AUTO) td_format_of_ending(TD_STR(to), &format, NULL);
  if (c->compress && format != TD_FORMAT_ARCHIVE && format != TD_FORMAT_HDF5)
    die_usage("--compress is for the formats archive and h5, and DST is %s", format_word(format));
  if (!c->to) refuse_other_endings(to);
  need_parent(to);
  source s = open_chosen(from, c);
  o.progress = begin_progress(&bar, command_name, c->quiet ? 0 : c->bar ? 2 : 1);
  td_status status = td_save(s.dict, TD_STR(to), &o, &err);
  end_progress(&bar);
  if (status != TD_OK && bar.stopped) die("interrupted; nothing has changed");
  if (status == TD_ERR_EXISTS && err && !c->force) die("%s; --force replaces it", td_error_message(err).data);
  check(status, &err);
  close_source(&s);
}

static void refuse_choices(const char *what, const choices *c, int forced) {
  const char *given = c->to                ? "--to"
                      : c->compress        ? "--compress"
                      : c->sync            ? "--sync"
                      : c->threads         ? "--threads"
                      : c->bar             ? "--progress"
                      : forced && c->force ? "--force"
                                           : NULL;
  if (given) die_usage("DST is %s, which takes no %s", what, given);
}

static void save_segment(const char *from, const char *name, const choices *c) {
  if (strcmp(command_name, "convert")) die_usage("it makes files; tensordict convert also makes segments");
  refuse_choices("a segment", c, 0);
  source s = open_chosen(from, c);
  put_segment(s.dict, name, c->force);
  close_source(&s);
}

static void save_remote(const char *from, const char *url, const choices *c) {
  if (!strcmp(command_name, "pack") || !strcmp(command_name, "unpack"))
    die_usage("it makes files; tensordict convert also copies to servers");
  refuse_choices("on a server", c, 1);
  source s = open_chosen(from, c);
  put_remote(s.dict, url);
  close_source(&s);
}

static int save_as(int argc, char **argv, const option *options, const choices *c) {
  argc = parse_options(argc, argv, options);
  if (argc != 2) die_usage("SRC and DST are needed");
  if (c->quiet && c->bar) die_usage("--progress and --quiet exclude each other");
  const char *segment = segment_name(argv[1]);
  if (segment)
    save_segment(argv[0], segment, c);
  else if (is_url(argv[1]))
    save_remote(argv[0], argv[1], c);
  else
    save_file(argv[0], argv[1], c);
  return EXIT_GOOD;
}

int cmd_convert(int argc, char **argv) {
  choices c;
  memset(&c, 0, sizeof c);
  const option options[] = {{"to", 't', NULL, &c.to},
                            {"from", 0, NULL, &c.from},
                            {"force", 'f', &c.force, NULL},
                            {"sync", 0, &c.sync, NULL},
                            {"compress", 'z', &c.compress, NULL},
                            {"lenient", 0, &c.lenient, NULL},
                            TRUSTED_OPTION,
                            {"threads", 'j', NULL, &c.threads},
                            {"progress", 0, &c.bar, NULL},
                            {"quiet", 'q', &c.quiet, NULL},
                            {NULL, 0, NULL, NULL}};
  return save_as(argc, argv, options, &c);
}

int cmd_pack(int argc, char **argv) {
  choices c;
  memset(&c, 0, sizeof c);
  const option options[] = {{"force", 'f', &c.force, NULL},       {"sync", 0, &c.sync, NULL},
                            {"compress", 'z', &c.compress, NULL}, TRUSTED_OPTION,
                            {"threads", 'j', NULL, &c.threads},   {"progress", 0, &c.bar, NULL},
                            {"quiet", 'q', &c.quiet, NULL},       {NULL, 0, NULL, NULL}};
  c.to = "archive";
  return save_as(argc, argv, options, &c);
}

int cmd_unpack(int argc, char **argv) {
  choices c;
  memset(&c, 0, sizeof c);
  const option options[] = {TRUSTED_OPTION,
                            {"force", 'f', &c.force, NULL},
                            {"sync", 0, &c.sync, NULL},
                            {"threads", 'j', NULL, &c.threads},
                            {"progress", 0, &c.bar, NULL},
                            {"quiet", 'q', &c.quiet, NULL},
                            {NULL, 0, NULL, NULL}};
  c.to = "memmap";
  return save_as(argc, argv, options, &c);
}
