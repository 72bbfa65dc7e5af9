/* A worker whose weights a learner in Python keeps up to date with torchrl's DistributedWeightSyncScheme
 * (run with torchrl 0.14.1):
 *
 *   weights GROUP ORDERS RANK SIZE SAVE
 *
 * GROUP is where the ranks meet, "tcp://127.0.0.1:29500" for example: the learner is rank 0 and serves it. ORDERS is the
 * store of the scheme: "tcp://" with the host and the port of its _store_info. SAVE holds weights of the same structure.
 *
 * The learner says in STATELESS_MODEL whether it sends weights at the start. For each update it sets NODE_<RANK>_in,
 * sends the weights leaf by leaf, and waits for NODE_<RANK>_out. */
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

static td_status receive(const td_group *group, td_dict *weights) {
  td_transfer_options leaf_by_leaf = TD_TRANSFER_OPTIONS_INIT;
  leaf_by_leaf.by_leaf = 1; /* as weights.send(rank) sends */
  const td_status status = td_dict_recv(weights, group, 0, &leaf_by_leaf, &err);
  return status == TD_OK ? use(weights) : status;
}

static int says(const td_string *order, const char *text) {
  return strcmp(td_string_view(order).data, text) == 0;
}

static td_status begin(const td_group *group, const td_group *orders, td_dict *weights) {
  td_string *stateless = NULL;
  td_status status = td_group_get(orders, TD_STR("STATELESS_MODEL"), -1, NULL, &stateless, &err);
  if (status == TD_OK && says(stateless, "0")) status = receive(group, weights);
  td_string_release(stateless);
  return status;
}

/* Waits for an order, without limit, and obeys. */
static td_status obey(const td_group *group, const td_group *orders, td_dict *weights, int *stopped) {
  char in[32], out[32];
  td_string *order = NULL;
  td_bool removed;
  snprintf(in, sizeof in, "NODE_%d_in", (int)td_group_rank(group));
  snprintf(out, sizeof out, "NODE_%d_out", (int)td_group_rank(group));

  td_status status = td_group_get(orders, TD_STR(in), -1, NULL, &order, &err);
  if (status == TD_OK) status = td_group_remove(orders, TD_STR(in), &removed, &err);
  if (status == TD_OK && says(order, "stop")) {
    *stopped = 1;
  } else if (status == TD_OK && says(order, "update_weights")) {
    status = receive(group, weights);
    if (status == TD_OK) status = td_group_set(orders, TD_STR(out), TD_STR("updated"), &err);
  } else if (status == TD_OK) {
    fprintf(stderr, "weights: the order '%s' is not known here\n", td_string_view(order).data);
  }
  td_string_release(order);
  return status;
}

int main(int argc, char **argv) {
  td_group_options options = TD_GROUP_OPTIONS_INIT, alone = TD_GROUP_OPTIONS_INIT;
  td_open_options as_copies = TD_OPEN_OPTIONS_INIT;
  td_group *group = NULL, *orders = NULL;
  td_dict *weights = NULL;
  char prefix[64];
  int stopped = 0;
  if (argc != 6) return fprintf(stderr, "usage: weights GROUP ORDERS RANK SIZE SAVE\n"), 2;
  options.rank = atoi(argv[3]), options.size = atoi(argv[4]);
  snprintf(prefix, sizeof prefix, "worker_%d/", (int)options.rank);
  alone.size = 1, alone.prefix = TD_STR(prefix); /* only for the values of that store */
  as_copies.mode = TD_OPEN_COW;                  /* what arrives is not written to the file */

  td_status status = td_open(TD_STR(argv[5]), &as_copies, &weights, &err);
  if (status == TD_OK) status = td_group_open(TD_STR(argv[2]), &alone, &orders, &err);
  if (status == TD_OK) status = td_group_open(TD_STR(argv[1]), &options, &group, &err);
  if (status == TD_OK) status = begin(group, orders, weights);
  while (status == TD_OK && !stopped) status = obey(group, orders, weights, &stopped);
  if (status == TD_ERR_CLOSED) status = TD_OK; /* the learner has gone */
  if (status != TD_OK) fprintf(stderr, "weights: %s\n", td_error_message(err).data);
  td_group_release(group), td_group_release(orders), td_dict_release(weights), td_error_release(err);
  return status != TD_OK;
}
