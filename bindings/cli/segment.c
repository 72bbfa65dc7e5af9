#include "segment.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"
#include "shared.h"
#include "text.h"

static td_status create(const td_dict *dict, const char *name, td_segment **out, td_error **err) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.keep = 1;
  return td_segment_create(TD_STR(name), dict, &o, out, err);
}

static void need_segment(const char *name, const td_error *err) {
  shared s;
  if (!shared_find(name, &s)) die("%s", td_error_message(err).data);
  if (strcmp(s.kind, "segment"))
    die("shm:%s is a %s, which is not replaced; `tensordict shm rm %s` removes it", name,
        strcmp(s.kind, "damaged") ? s.kind : "damaged segment", name);
  shared_clear(&s);
}

// There is no name to take, so another one is taken and renamed. What was there stays with who has it open.
static void replace_segment(const td_dict *dict, const char *name) {
  char beside[201];
  progress patience;  // a Ctrl-C between the two steps would leave the other name
  td_error *err = NULL;
  td_segment *made = NULL;
  snprintf(beside, sizeof beside, "%.180s.new-%ld", name, (long)getpid());
  begin_progress(&patience, command_name, 0);
  check(create(dict, beside, &made, &err), &err);
  text path = {0};
  const char *from = td_segment_path(made).data;
  text_add(&path, from, strlen(from) - strlen(beside));
  text_str(&path, name);
  if (rename(from, path.data)) {
    int why = errno;
    td_segment_unlink(TD_STR(beside), NULL);
    die("shm:%s: it could not be replaced: %s", name, strerror(why));
  }
  end_progress(&patience);
  text_clear(&path);
  td_segment_release(made);
}

void put_segment(const td_dict *dict, const char *name, int replace) {
  td_error *err = NULL;
  td_segment *made = NULL;
  td_status status = create(dict, name, &made, &err);
  if (status == TD_ERR_EXISTS && err) {
    need_segment(name, err);
    if (!replace) die("shm:%s: a segment of this name exists; --force replaces it", name);
    replace_segment(dict, name);
    td_error_release(err);
    return;
  }
  check(status, &err);
  td_segment_release(made);
}
