#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "args.h"
#include "cli.h"
#include "json.h"
#include "report.h"
#include "text.h"

const char help_doctor[] =
    "usage: tensordict doctor [--verbose] [--json]\n"
    "\n"
    "Looks at the library, its LibTorch and BLAS, its plugins, shared memory and the limits of this process, and says "
    "for each problem what "
    "to\n"
    "do about it.\n"
    "\n"
    "      --json      one JSON object: problems, and checks with ok, what, found and fix\n"
    "  -v, --verbose   all of td_build_info, and every plugin file\n"
    "  -h, --help      print this text\n"
    "\n"
    "Exit status: 0 no problem; 1 at least one; 2 wrong usage; 3 output lost.\n";

static int problems, checks, as_json;

static void print_json(const char *what, const char *found, const char *fix) {
  int members = 0;
  fputs(checks++ ? ", {" : "{", stdout);
  json_key(stdout, &members, "ok");
  fputs(fix ? "false" : "true", stdout);
  json_key(stdout, &members, "what");
  json_text(stdout, what);
  json_key(stdout, &members, "found");
  json_text(stdout, found);
  json_key(stdout, &members, "fix");
  json_text(stdout, fix);
  putchar('}');
}

static void good(const char *what, const char *found) {
  if (as_json) {
    print_json(what, found, NULL);
    return;
  }
  text t = {0};
  text_shown(&t, found, strlen(found));
  printf("  ok    %-15s %s\n", what, t.data ? t.data : "");
  text_clear(&t);
}

static void bad(const char *what, const char *found, const char *fix) {
  ++problems;
  if (as_json) {
    print_json(what, found, fix);
    return;
  }
  text t = {0};
  text_shown(&t, found, strlen(found));
  printf("  BAD   %-15s %s\n        %-15s %s\n", what, t.data ? t.data : "", "-> to do:", fix);
  text_clear(&t);
}

static void look_at_versions(int verbose) {
  char words[128];
  td_string *info;
  td_error *err = NULL;
  snprintf(words, sizeof words, "%s, header %d.%d.%d, ABI %d", td_version().data, TD_VERSION_MAJOR, TD_VERSION_MINOR,
           TD_VERSION_PATCH, (int)td_abi_version());
  if (td_abi_version() == TD_ABI_MAJOR)
    good("library", words);
  else
    bad("library", words, "install the libtensordict that this tool was built with, or the tool of that library");
  check(td_build_info(&info, &err), &err);
  const char *json = td_string_view(info).data;
  char *torch = json_member(json, "libtorch"), *path = json_member(json, "libtorch_path");
  text t = {0};
  text_str(&t, torch ? torch : "?");
  text_str(&t, " in ");
  text_str(&t, path ? path : "?");
  good("LibTorch", t.data);
  if (verbose) good("build", json);
  text_clear(&t);
  free(torch);
  free(path);
  td_string_release(info);
}

// Two LibTorch, or two OpenMP runtimes, in one process crash or hang.
static void look_at_libraries(void) {
  static const char *const single[] = {"/libtorch_cpu.so", "/libgomp", "/libomp", "/libiomp5"};
  char line[4352], first[4][4096] = {"", "", "", ""};
  FILE *maps = fopen("/proc/self/maps", "r");
  if (!maps) return;
  int twice = 0;
  while (fgets(line, sizeof line, maps)) {
    char *file = strchr(line, '/');
    for (int i = 0; file && i < 4; ++i) {
      if (!strstr(file, single[i])) continue;
      file[strcspn(file, "\n")] = 0;
      if (!*first[i])
        snprintf(first[i], sizeof first[i], "%s", file);
      else if (strcmp(first[i], file) && !twice++)
        bad("libraries", file, "two copies of one library are loaded: let LD_LIBRARY_PATH lead to one LibTorch only");
    }
  }
  fclose(maps);
  int runtimes = (*first[1] != 0) + (*first[2] != 0) + (*first[3] != 0);
  if (runtimes > 1)
    bad("OpenMP", "more than one runtime is loaded", "use a LibTorch and a BLAS that were built with the same OpenMP");
  else if (!twice)
    good("libraries", "one LibTorch, one OpenMP");
}

// LibTorch multiplies matrices with the BLAS that is loaded; wheels have one inside.
static void look_at_blas(void) {
  char line[4352], found[4096] = "";
  FILE *maps = fopen("/proc/self/maps", "r");
  if (!maps) return;
  while (!*found && fgets(line, sizeof line, maps)) {
    char *file = strchr(line, '/');
    const char *name = file ? strrchr(file, '/') + 1 : "";
    if (strncmp(name, "libblas", 7) && strncmp(name, "libopenblas", 11) && strncmp(name, "libmkl", 6)) continue;
    file[strcspn(file, "\n")] = 0;
    snprintf(found, sizeof found, "%s", file);
  }
  fclose(maps);
  if (!*found)
    good("BLAS", "that of LibTorch");
  else if (strstr(found, "/blas/") || strstr(found, "/atlas/"))
    bad("BLAS", found, "this one multiplies matrices slowly: apt install libopenblas0-pthread");
  else
    good("BLAS", found);
}

static void look_at_plugins(int verbose) {
  td_string *list, *report;
  td_error *err = NULL;
  char words[64];
  check(td_plugins_list(&list, &err), &err);
  check(td_plugins_report(&report, &err), &err);
  size_t types = json_objects(td_string_view(list).data);
  snprintf(words, sizeof words, "%zu types", types);
  if (types)
    good("plugins", words);
  else
    bad("plugins", "there are none",
        "reinstall: the bundled plugins must be in tensordict/2/plugins beside the library");
  char *text = xcopy(td_string_view(report).data, td_string_view(report).size);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (strstr(line, ": refused: "))
      bad("plugin", line, "repair or remove the file; `tensordict plugin check FILE` shows details");
    else if (verbose)
      good("plugin", line);
  }
  free(text);
  td_string_release(list);
  td_string_release(report);
}

static void look_at_shared_memory(void) {
  struct statvfs fs;
  text t = {0};
  if (statvfs("/dev/shm", &fs)) {
    bad("shared memory", strerror(errno), "mount it: mount -t tmpfs tmpfs /dev/shm");
    return;
  }
  int64_t total = (int64_t)(fs.f_blocks * fs.f_frsize), left = (int64_t)(fs.f_bavail * fs.f_frsize);
  text_bytes(&t, left);
  text_str(&t, " of ");
  text_bytes(&t, total);
  text_str(&t, " are free in /dev/shm");
  if (access("/dev/shm", W_OK))
    bad("shared memory", "/dev/shm cannot be written", "chmod 1777 /dev/shm");
  else if (left < 64 << 20)
    bad("shared memory", t.data,
        "remove what is left over with `tensordict shm prune`, or enlarge it: mount -o remount,size=50% /dev/shm "
        "(containers: --shm-size)");
  else
    good("shared memory", t.data);
  text_clear(&t);
}

static void look_at_limits(void) {
  struct rlimit files, size;
  char words[96];
  if (!getrlimit(RLIMIT_NOFILE, &files)) {
    snprintf(words, sizeof words, "%llu open files", (unsigned long long)files.rlim_cur);
    if (files.rlim_cur < 256)
      bad("limits", words, "ulimit -n 1024");
    else
      good("limits", words);
  }
  if (!getrlimit(RLIMIT_FSIZE, &size) && size.rlim_cur != RLIM_INFINITY && size.rlim_cur < 1 << 30) {
    snprintf(words, sizeof words, "files of at most %llu bytes", (unsigned long long)size.rlim_cur);
    bad("limits", words, "ulimit -f unlimited, or saves of more end with TD_ERR_NOSPACE");
  }
  if (!getrlimit(RLIMIT_AS, &size) && size.rlim_cur != RLIM_INFINITY) {
    snprintf(words, sizeof words, "%llu MiB of address space", (unsigned long long)(size.rlim_cur >> 20));
    bad("limits", words, "ulimit -v unlimited: files are mapped, which takes address space and no memory");
  }
}

static void look_at_features(void) {
  static const struct {
    const char *name, *without;
  } optional[] = {{"hdf5", " (built without libhdf5)"},
                  {"redis", " (built without libhiredis)"},
                  {"group", " (this LibTorch has no Gloo)"},
                  {"uint16", " (since LibTorch 2.3)"},
                  {"cuda", ""}};
  text t = {0};
  for (size_t i = 0; i < sizeof optional / sizeof *optional; ++i) {
    const int there = td_has_feature(TD_STR(optional[i].name));
    if (i) text_str(&t, ", ");
    text_str(&t, there ? "" : "no ");
    text_str(&t, optional[i].name);
    text_str(&t, there ? "" : optional[i].without);
  }
  good("features", t.data);
  text_clear(&t);
  if (!td_has_feature(TD_STR("segment")))
    bad("segments", "this build has none here", "use Linux with /dev/shm mounted; files in memmap directories work");
}

int cmd_doctor(int argc, char **argv) {
  int verbose = 0;
  const option options[] = {{"verbose", 'v', &verbose, NULL}, {"json", 0, &as_json, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc) die_usage("no argument is needed");
  if (as_json) fputs("{\"checks\": [", stdout);
  look_at_versions(verbose);
  look_at_libraries();
  look_at_blas();
  look_at_features();
  look_at_plugins(verbose);
  look_at_shared_memory();
  look_at_limits();
  if (as_json)
    printf("], \"problems\": %d}\n", problems);
  else
    printf("%d problem%s\n", problems, problems == 1 ? "" : "s");
  return problems ? EXIT_FAILED : EXIT_GOOD;
}
