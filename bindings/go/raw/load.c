#include "load.h"

#include <dlfcn.h>
#include <string.h>

#include "tensordict.h"

struct td_table td_table;

static const char *const names[] = {TD_FUNCTION_NAMES};

const char *td_go_load(const char *file, int *abi) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  int32_t (*version)(void);
  void *found = dlsym(library, "td_abi_version");
  memcpy(&version, &found, sizeof version);
  *abi = version ? version() : 0;
  if (*abi != TD_ABI_MAJOR) return NULL;
  // The members of the table are pointers to functions in the order of their names.
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    found = dlsym(library, names[i]);
    memcpy((char *)&td_table + i * sizeof found, &found, sizeof found);
  }
  return NULL;
}

int td_go_count(void) {
  return (int)(sizeof names / sizeof *names);
}

const char *td_go_missing(int i) {
  void *found;
  memcpy(&found, (char *)&td_table + (size_t)i * sizeof found, sizeof found);
  return found ? NULL : names[i];
}
