#include "remote.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "progress.h"

int is_url(const char *path) {
  return !strncmp(path, "redis://", 8) || !strncmp(path, "unix://", 7);
}

void put_remote(const td_dict *dict, const char *url) {
  progress patience;  // a Ctrl-C between the two steps would leave a dict without entries
  td_error *err = NULL;
  td_dict *made = NULL;
  td_remote_options o = TD_REMOTE_OPTIONS_INIT;
  o.ndim = td_dict_batch_size(dict, NULL, 0);
  int64_t *batch = xalloc(o.ndim * sizeof *batch);
  td_dict_batch_size(dict, batch, o.ndim);
  o.batch_size = batch;
  begin_progress(&patience, command_name, 0);
  td_status status = td_remote_create(TD_STR(url), &o, &made, &err);
  free(batch);
  if (status == TD_ERR_EXISTS && err) die("%s; `tensordict remote rm URL` removes it", td_error_message(err).data);
  check(status, &err);
  status = td_dict_update(made, dict, NULL, &err);
  td_dict_release(made);
  if (status != TD_OK) td_remote_remove(TD_STR(url), NULL, NULL);
  end_progress(&patience);
  check(status, &err);
}
