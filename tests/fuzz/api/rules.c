/* What holds for every call: its error, its outputs, and what it must not have changed. */
#include "api/api.h"

#include <fcntl.h>
#include <unistd.h>

#include "../../unit/support/messages.h"
#include "support/children.h"

enum { SPOILT = 0x5E, LONGEST_MESSAGE = 8192, MOST_WATCHED = 16 };

int wild, wrong_size;
static const char *name_of_call;

/* ---- Userdata ------------------------------------------------------------------------------------------------------- */

static struct counted {
  int destroyed, unknown;
  const char *of;
} counted[4096];
static size_t n_counted, counted_before; /* the call under way */

void *held_userdata(void) {
  static int nothing;
  return &nothing;
}

void *counted_userdata(void) {
  hold(n_counted < sizeof counted / sizeof *counted, "a child has not so many callbacks");
  counted[n_counted].of = name_of_call;
  return &counted[n_counted++];
}

void destroy_counted(void *userdata) {
  struct counted *c = userdata;
  hold(c >= counted && c < counted + n_counted, "destroy gets the userdata");
  if (c->destroyed++) child_fails("the userdata of %s is destroyed twice", c->of);
}

/* A struct of a size that is not understood is not read, so that nothing in it is destroyed. */
void forget_counted(void) {
  for (size_t i = counted_before; i < n_counted; ++i) counted[i].unknown = 1;
}

void expect_all_destroyed(void) {
  for (size_t i = 0; i < n_counted; ++i)
    if (counted[i].destroyed != 1 && !counted[i].unknown)
      child_fails("the userdata of %s is not destroyed", counted[i].of);
}

/* ---- Arguments ------------------------------------------------------------------------------------------------------ */

static void *kept[1 << 14];
static size_t n_kept;

void *keep(size_t size) {
  hold(n_kept < sizeof kept / sizeof *kept, "a call has not so many arguments");
  return kept[n_kept++] = calloc(1, size ? size : 1);
}

void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  child_log(format, arguments);
  va_end(arguments);
}

int pick_wrong(void) {
  return wild > 0 && chance(wild);
}

static const td_dict *watched[MOST_WATCHED];
static snapshot before[MOST_WATCHED];
static size_t n_watched;

void begin_call(const char *name) {
  counted_before = n_counted, wrong_size = 0;
  name_of_call = name;
  wild = chance(60) ? 0 : chance(70) ? 8 : 30;
  of_call = NULL;
  n_watched = 0;
  say("\n%s(", name);
}

void (*before_call)(void), (*after_call)(const char *of);
void (*before_leaf)(void), (*after_leaf)(const char *of);

void leaf_begins(void) {
  if (before_leaf) before_leaf();
}

void leaf_ends(const char *of) {
  if (after_leaf) after_leaf(of);
}

void called(void) {
  say(")");
  if (before_call) before_call();
}

void end_call(void) {
  if (wrong_size) forget_counted();
  while (n_kept > 0) free(kept[--n_kept]);
  of_call = NULL;
  trim_pool();
}

/* ---- The dicts of a call that fails --------------------------------------------------------------------------------- */

void remember(const td_dict *dict) {
  if (!dict || n_watched == MOST_WATCHED) return;
  before[n_watched] = snapshot_of(dict);
  watched[n_watched++] = dict;
}

void forget_dicts(int in_files_only) {
  size_t n = 0;
  for (size_t i = 0; i < n_watched; ++i)
    if (in_files_only && td_dict_kind_of(watched[i]) != TD_DICT_KIND_PERSISTENT)
      watched[n] = watched[i], before[n] = before[i], ++n;
  n_watched = n;
}

void expect_as_before(td_status status) {
  for (size_t i = 0; status != TD_OK && i < n_watched; ++i) {
    const snapshot after = snapshot_of(watched[i]);
    const char *what = snapshot_difference(&before[i], &after);
    if (!what) continue;
    say("\n  dict %p has changed: %s", (const void *)watched[i], what);
    child_fails("%s failed with %s and changed a dict: %s", name_of_call, td_status_name(status).data, what);
  }
}

/* ---- Errors --------------------------------------------------------------------------------------------------------- */

static void expect_text(const char *of, td_str text, const char *which) {
  if (!text.data) return;
  if (text.data[text.size] != '\0') child_fails("%s: the %s of its error does not end with a NUL", of, which);
}

void ended(const char *of, td_status status, td_error *error, int null_err) {
  if (after_call) after_call(of);
  say(" -> %s", td_status_name(status).data);
  count_result(status == TD_OK);
  if (status < TD_OK || status > TD_ERR_BUSY) child_fails("%s gave the status %d", of, status);
  if (!null_err && (status == TD_OK) != (error == NULL))
    child_fails("%s gave %s and %s error", of, td_status_name(status).data, error ? "an" : "no");
  if (status == TD_ERR_INTERNAL)
    child_fails("%s gave TD_ERR_INTERNAL: %s", of, error ? td_error_message(error).data : "(not asked)");
  if (!error) return;
  const td_str message = td_error_message(error);
  say(": %.300s", message.data);
  if (td_error_code(error) != status) child_fails("%s: the error has another code than the call", of);
  if (message.size == 0 || message.size > LONGEST_MESSAGE || memchr(message.data, '\n', message.size) ||
      memchr(message.data, '\0', message.size))
    child_fails("%s: its message is no line of text: %s", of, message.data);
  expect_text(of, message, "message");
  expect_text(of, td_error_key(error), "key");
  expect_text(of, td_error_where(error), "place");
  expect_text(of, td_error_hint(error), "hint");
  if (internal_text(message.data)) child_fails("%s: text from inside: %s", of, message.data);
  if (chance(5))
    adopt(KIND_td_error, error);
  else
    td_error_release(error);
}

/* ---- Outputs -------------------------------------------------------------------------------------------------------- */

void spoil(void *out, size_t size) {
  memset(out, SPOILT, size);
}

static int spoilt(const void *out, size_t size) {
  for (size_t i = 0; i < size; ++i)
    if (((const unsigned char *)out)[i] != SPOILT) return 0;
  return 1;
}

void settle_handle(const char *of, td_status status, void *out, int kind, int was_null) {
  const int untouched = spoilt(&out, sizeof out);
  if ((status != TD_OK || was_null) && !untouched) child_fails("%s failed and wrote its output", of);
  const int may_give_nothing = strcmp(of, "td_module_reset_parameters") == 0;
  if (status == TD_OK && !was_null && untouched && !may_give_nothing) child_fails("%s succeeded and gave nothing", of);
  if (!untouched && out) adopt(kind, out);
}

void expect_allowed(const char *of, const char *name, td_status status, int was_null, int nullable) {
  if (status == TD_OK && was_null && !nullable) child_fails("%s takes NULL for %s, which is not TD_NULLABLE", of, name);
}

void expect_given(const char *of, const char *name, td_status status, const void *out, int was_null, int nullable) {
  if (status == TD_OK && !was_null && !out && !nullable)
    child_fails("%s gives NULL in %s, which is not TD_OUT_NULLABLE", of, name);
}

void settle_handles(const char *of, td_status status, void **outs, int kind) {
  for (size_t i = 0; i < OUTPUTS; ++i) {
    const int untouched = spoilt(&outs[i], sizeof *outs);
    if (status != TD_OK && !untouched) child_fails("%s failed and wrote its output %zu", of, i);
    if (!untouched && outs[i]) adopt(kind, outs[i]);
  }
}

void settle_plain(const char *of, td_status status, const void *out, size_t size, int was_null) {
  if ((status != TD_OK || was_null) && !spoilt(out, size)) child_fails("%s failed and wrote its output", of);
}

void settle_sizes(const char *of, const int64_t *out, size_t capacity) {
  if (!spoilt(out + capacity, (OUTPUTS - capacity) * sizeof *out)) child_fails("%s wrote past the capacity", of);
}

void settle_values(const char *of, td_status status, td_value *outs, size_t n) {
  if (status != TD_OK && !spoilt(outs, OUTPUTS * sizeof *outs)) child_fails("%s failed and wrote its output", of);
  if (!spoilt(outs + n, (OUTPUTS - n) * sizeof *outs)) child_fails("%s wrote more values than it was asked for", of);
  for (size_t i = 0; status == TD_OK && i < n; ++i)
    if (!spoilt(&outs[i].kind, sizeof outs[i].kind)) td_value_clear(&outs[i]);
}

void settle_descriptor(const char *of, td_status status, int fd, int is_ours) {
  if (spoilt(&fd, sizeof fd)) return;
  if (status != TD_OK) child_fails("%s failed and wrote its output", of);
  if (fcntl(fd, F_GETFD) < 0) child_fails("%s gave a descriptor that is not open", of);
  if (is_ours) close(fd);
}

void read_text(td_str text) {
  volatile char seen = 0;
  for (size_t i = 0; text.data && i < text.size; ++i) seen = (char)(seen ^ text.data[i]);
}

void read_static(const char *text) {
  hold(text && strlen(text) < 200, "a static text is there");
}
