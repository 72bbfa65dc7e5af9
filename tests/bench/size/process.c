/* A process that does one thing and then says what it holds. It is linked with nothing but C's own library, so that what it
 * loads is all that it has.
 * usage: process ["load" LIBRARY | "map" FILE | "open" SEGMENT]...
 * Prints a line "load NANOSECONDS" for each library, and at the end "resident BYTES ANONYMOUS". */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "tensordict.h"

static volatile unsigned char seen;

static void stop(const char* what) {
  fprintf(stderr, "process: %s\n", what);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void* load(const char* path) {
  const double begin = now();
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  printf("load %.0f\n", now() - begin);
  if (!library) stop(dlerror());
  return library;
}

/* Reads a byte of each page, as a reader of all leaves would. */
static void look_at(const unsigned char* bytes, size_t size) {
  for (size_t i = 0; i < size; i += 4096) seen = bytes[i];
}

static void map(const char* path) {
  struct stat about;
  const int fd = open(path, O_RDONLY);
  if (fd < 0 || fstat(fd, &about)) stop(path);
  const size_t size = (size_t)about.st_size;
  const void* bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  if (bytes == MAP_FAILED) stop(path);
  look_at(bytes, size);
}

/* A function of the header in what was loaded. */
#define FIND(library, function) ((__typeof__(&function))find(library, #function))
static void* find(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (!found) stop(name);
  return found;
}

/* Opens a segment and reads all of its leaves. The handles stay until the process ends. */
static void open_segment(void* library, const char* name) {
  td_segment* segment;
  td_dict* dict;
  td_keys* keys;
  if (FIND(library, td_segment_open)((td_str){name, strlen(name)}, NULL, &segment, NULL) ||
      FIND(library, td_segment_dict)(segment, &dict, NULL) ||
      FIND(library, td_dict_keys)(dict, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, NULL))
    stop(name);
  const size_t n = FIND(library, td_keys_size)(keys);
  for (size_t i = 0; i < n; ++i) {
    td_key key;
    td_tensor* leaf;
    const void* bytes;
    if (FIND(library, td_keys_get)(keys, (int64_t)i, &key, NULL) ||
        FIND(library, td_dict_get)(dict, &key, &leaf, NULL) || FIND(library, td_tensor_data)(leaf, &bytes, NULL))
      stop(name);
    look_at(bytes, (size_t)FIND(library, td_tensor_nbytes)(leaf));
    FIND(library, td_tensor_release)(leaf);
  }
}

static long kilobytes(const char* field) {
  char line[256];
  long found = -1;
  FILE* status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, field, strlen(field))) found = strtol(line + strlen(field), NULL, 10);
  if (status) fclose(status);
  return found;
}

int main(int argc, char** argv) {
  void* library = NULL;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "load"))
      library = load(argv[i + 1]);
    else if (!strcmp(argv[i], "map"))
      map(argv[i + 1]);
    else if (!strcmp(argv[i], "open") && library)
      open_segment(library, argv[i + 1]);
    else
      stop(argv[i]);
  }
  printf("resident %ld %ld\n", kilobytes("VmRSS:") * 1024, kilobytes("RssAnon:") * 1024);
  return 0;
}
