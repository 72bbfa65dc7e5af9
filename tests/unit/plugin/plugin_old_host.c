/* Today's plugins on a host of plugin ABI 1.0, whose header is kept here: they say what they miss, and never write past
 * its structs. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../abi/frozen/tensordict_plugin_1_0.h"

struct td_error {
  td_status code;
  char message[200];
};
static struct td_error last;

static td_error *error_new(td_status code, td_str message) {
  last.code = code;
  snprintf(last.message, sizeof last.message, "%.*s",
           (int)(message.size == TD_STRLEN ? strlen(message.data) : message.size), message.data);
  return &last;
}
static td_status no_int(const td_config *c, td_str n, int64_t *v, td_error **e) {
  return (void)c, (void)n, (void)v, (void)e, TD_OK;
}
static td_status no_bool(const td_config *c, td_str n, td_bool *v, td_error **e) {
  return (void)c, (void)n, (void)v, (void)e, TD_OK;
}
static td_status no_str(const td_config *c, td_str n, td_str *v, td_error **e) {
  return (void)c, (void)n, (void)v, (void)e, TD_OK;
}
static td_status no_ints(const td_config *c, td_str n, const int64_t **v, size_t *k, td_error **e) {
  return (void)c, (void)n, (void)v, (void)k, (void)e, TD_OK;
}
static const void *no_extension(td_str id) {
  return (void)id, NULL;
}

static const td_host old_host = {.magic = TD_PLUGIN_MAGIC,
                                 .abi_major = 1,
                                 .abi_minor = 0,
                                 .struct_size = sizeof(td_host),
                                 .error_new = error_new,
                                 .config_int = no_int,
                                 .config_bool = no_bool,
                                 .config_str = no_str,
                                 .config_ints = no_ints,
                                 .get_extension = no_extension};

/* The plugin's own head, followed by bytes that must stay. */
typedef struct guarded {
  td_plugin plugin;
  unsigned char after[64];
} guarded;

static td_status enter(const char *name, guarded *g, td_error **err) {
  char file[4096];
  snprintf(file, sizeof file, "%s/plugins/%s.so", TD_BUILD_DIR, name);
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  cr_assert_not_null(library, "%s", dlerror());
  td_status (*entry)(const td_host *, td_plugin *, td_error **);
  *(void **)&entry = dlsym(library, "td_plugin_entry");
  cr_assert_not_null(*(void **)&entry);
  memset(g, 0, sizeof *g);
  memset(g->after, 0x5a, sizeof g->after);
  g->plugin.magic = TD_PLUGIN_MAGIC, g->plugin.abi_major = 1, g->plugin.struct_size = sizeof(td_plugin);
  const td_status status = entry(&old_host, &g->plugin, err);
  for (size_t i = 0; i < sizeof g->after; ++i)
    cr_assert_eq(g->after[i], 0x5a, "%s wrote past the host's td_plugin", name);
  return status;
}

Test(plugin_old_host, plugins_refuse_a_host_of_another_major) {
  static const char *const names[] = {"siphash", "random_projection", "binary_to_decimal"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    guarded g;
    td_error *err = NULL;
    cr_assert_eq(enter(names[i], &g, &err), TD_ERR_VERSION);
    cr_assert(err == &last && strstr(last.message, "needs plugin ABI 2.0"), "%s", last.message);
  }
}
