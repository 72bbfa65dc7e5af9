/* A worker whose weights a learner in Python keeps up to date, by the protocol of torchrl's
 * DistributedWeightSyncScheme:
 *
 *   weights STORE RANK SIZE SAVE
 *
 * The group of SIZE ranks meets at STORE, "tcp://127.0.0.1:29500" for example; the learner is rank 0 and serves it. SAVE
 * holds weights of the same structure. For each update the learner sets NODE_<RANK>_in to "update_weights", calls
 * weights.send(RANK), and waits for NODE_<RANK>_out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensordict.h"

static td_error *err;

/* An actor would run its policy with them; this one prints the sum of all weights. */
static td_status use(const td_dict *weights) {
  td_tensor *flat = NULL;
  td_value sum;
  td_status status = td_dict_pack(weights, 0, NULL, &flat, NULL, &err);
  if (status == TD_OK) {
    const td_value arguments[] = {td_value_tensor(flat)};
    status = td_op_run(TD_STR("sum"), arguments, 1, NULL, 0, &sum, 1, &err);
  }
  if (status == TD_OK) {
    td_value number;
    status = td_tensor_item(sum.as.tensor, &number, &err);
    if (status == TD_OK) printf("updated: the sum is %g\n", number.as.f), fflush(stdout);
    td_tensor_release(sum.as.tensor);
  }
  td_tensor_release(flat);
  return status;
}

/* Waits for the learner, without limit, and obeys. */
static td_status obey_once(const td_group *group, td_dict *weights) {
  char in[32], out[32];
  td_string *order = NULL;
  td_bool removed;
  td_transfer_options leaf_by_leaf = TD_TRANSFER_OPTIONS_INIT;
  leaf_by_leaf.by_leaf = 1; /* as weights.send(rank) sends */
  snprintf(in, sizeof in, "NODE_%d_in", (int)td_group_rank(group));
  snprintf(out, sizeof out, "NODE_%d_out", (int)td_group_rank(group));

  td_status status = td_group_get(group, TD_STR(in), -1, NULL, &order, &err);
  if (status == TD_OK) status = td_group_remove(group, TD_STR(in), &removed, &err);
  if (status == TD_OK && strcmp(td_string_view(order).data, "update_weights") != 0)
    fprintf(stderr, "weights: '%s' is not known here\n", td_string_view(order).data);
  else if (status == TD_OK)
    status = td_dict_recv(weights, group, 0, &leaf_by_leaf, &err);
  if (status == TD_OK) status = use(weights);
  if (status == TD_OK) status = td_group_set(group, TD_STR(out), TD_STR("updated"), &err);
  td_string_release(order);
  return status;
}

int main(int argc, char **argv) {
  td_group_options options = TD_GROUP_OPTIONS_INIT;
  td_open_options as_copies = TD_OPEN_OPTIONS_INIT;
  td_group *group = NULL;
  td_dict *weights = NULL;
  if (argc != 5) return fprintf(stderr, "usage: weights STORE RANK SIZE SAVE\n"), 2;
  options.rank = atoi(argv[2]), options.size = atoi(argv[3]);
  as_copies.mode = TD_OPEN_COW; /* what arrives is not written to the file */

  td_status status = td_open(TD_STR(argv[4]), &as_copies, &weights, &err);
  if (status == TD_OK) status = td_group_open(TD_STR(argv[1]), &options, &group, &err);
  while (status == TD_OK) status = obey_once(group, weights);
  const int ended = status == TD_ERR_CLOSED; /* the learner is gone */
  if (!ended) fprintf(stderr, "weights: %s\n", td_error_message(err).data);
  td_group_release(group), td_dict_release(weights), td_error_release(err);
  return !ended;
}
