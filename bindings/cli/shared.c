#include "shared.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report.h"

char *shared_list(const char *prefix) {
  td_string *list;
  td_error *err = NULL;
  check(td_segment_list(prefix ? TD_STR(prefix) : TD_NO_STR, &list, &err), &err);
  char *copy = xcopy(td_string_view(list).data, td_string_view(list).size);
  td_string_release(list);
  return copy;
}

static int is_true(const char *object, const char *name) {
  char *found = json_member(object, name);
  int yes = found && !strcmp(found, "true");
  free(found);
  return yes;
}

shared shared_of(const char *object) {
  shared s = {json_member(object, "name"), json_member(object, "kind"), json_member(object, "bytes"),
              json_member(object, "pid"),  is_true(object, "alive"),    is_true(object, "keep")};
  return s;
}

void shared_clear(shared *self) {
  free(self->name);
  free(self->kind);
  free(self->bytes);
  free(self->pid);
  memset(self, 0, sizeof *self);
}

int shared_find(const char *name, shared *out) {
  int found = 0;
  char *all = shared_list(name);
  for (size_t i = 0, n = json_objects(all); i < n && !found; ++i) {
    char *object = json_object(all, i);
    *out = shared_of(object);
    found = out->name && !strcmp(out->name, name);
    if (!found) shared_clear(out);
    free(object);
  }
  free(all);
  return found;
}
