// convert, and pack and unpack, which are convert with a format chosen.
#include <string.h>

#include "args.h"
#include "cli.h"
#include "progress.h"
#include "source.h"

#define SAVE_OPTIONS                                                                  \
  "  -f, --force         replace DST; the old one stays whole until the new one is\n" \
  "      --sync          have it on the disk before it becomes visible\n"             \
  "  -j, --threads N     write with N threads (default 1)\n"                          \
  "      --progress      show a bar even if stderr is no terminal\n"                  \
  "  -q, --quiet         no bar\n"                                                    \
  "  -h, --help          this text\n"                                                 \
  "\n"                                                                                \
  "Exit status: 0; 1 if SRC is refused, DST exists or cannot be written (DST is then as it was); 2 wrong usage.\n"

const char help_convert[] =
    "usage: tensordict convert [OPTION...] SRC DST\n"
    "\n"
    "Saves SRC as DST. The format is that of DST's ending: .tdz an archive, .h5 .hdf5 HDF5, .safetensors, .td a\n"
    "consolidated file, anything else a memmap directory. What a format cannot hold is refused, not dropped.\n"
    "\n"
    "  -t, --to FORMAT     memmap, consolidated, archive, h5 or safetensors, whatever the ending\n"
    "      --from FORMAT   what SRC is, if that cannot be recognised\n"
    "  -z, --compress      deflate (archives and HDF5)\n"
    "      --lenient       take damaged input as Python does, as far as that is safe\n" SAVE_OPTIONS;

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
    die_usage("no format '%s': there are memmap, consolidated, archive, h5 and safetensors", word);
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
  check(td_open(TD_STR(path), &o, &s.dict, &err), &err);
  return s;
}

static int save_as(const char *from, const char *to, const choices *c) {
  progress bar;
  td_error *err = NULL;
  td_save_options o = TD_SAVE_OPTIONS_INIT;
  o.overwrite = c->force != 0;
  o.sync = c->sync != 0;
  o.threads = c->threads ? (size_t)parse_number(c->threads, "--threads", 1, 1024) : 1;
  o.format = chosen(c->to);
  o.compression = c->compress ? TD_COMPRESSION_DEFLATE : TD_COMPRESSION_NONE;
  source s = open_chosen(from, c);
  o.progress = begin_progress(&bar, command_name, c->quiet ? 0 : c->bar ? 2 : 1);
  td_status status = td_save(s.dict, TD_STR(to), &o, &err);
  end_progress(&bar);
  if (status == TD_ERR_EXISTS && err) die("%s; --force replaces it", td_error_message(err).data);
  check(status, &err);
  close_source(&s);
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
                            {"threads", 'j', NULL, &c.threads},
                            {"progress", 0, &c.bar, NULL},
                            {"quiet", 'q', &c.quiet, NULL},
                            {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc != 2) die_usage("SRC and DST are needed");
  return save_as(argv[0], argv[1], &c);
}

int cmd_pack(int argc, char **argv) {
  choices c;
  memset(&c, 0, sizeof c);
  const option options[] = {{"force", 'f', &c.force, NULL},
                            {"sync", 0, &c.sync, NULL},
                            {"compress", 'z', &c.compress, NULL},
                            {"threads", 'j', NULL, &c.threads},
                            {"progress", 0, &c.bar, NULL},
                            {"quiet", 'q', &c.quiet, NULL},
                            {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc != 2) die_usage("SRC and DST are needed");
  c.to = "archive";
  return save_as(argv[0], argv[1], &c);
}

int cmd_unpack(int argc, char **argv) {
  choices c;
  memset(&c, 0, sizeof c);
  const option options[] = {{"force", 'f', &c.force, NULL},     {"sync", 0, &c.sync, NULL},
                            {"threads", 'j', NULL, &c.threads}, {"progress", 0, &c.bar, NULL},
                            {"quiet", 'q', &c.quiet, NULL},     {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc != 2) die_usage("SRC and DST are needed");
  c.to = "memmap";
  return save_as(argv[0], argv[1], &c);
}
