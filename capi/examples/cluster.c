/* An actor whose learner is stock Python: they share dicts on a Redis server. `make demo-cluster` runs two actors, this
 * one and bindings/rust/examples/cluster.rs, with cluster/learner.py.
 *
 *   cluster SERVER FIRST ROUNDS
 *
 * SERVER is "redis://HOST:PORT" or "unix:///PATH". The learner makes both dicts: "demo-weights" has the policy and the
 * step at which it was written, "demo-experience" has rows for what all actors see; those from FIRST on are this one's.
 * It acts ROUNDS times, each time with new weights. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensordict.h"

enum { EPISODES = 4, MOVES = 8, ROWS = EPISODES * MOVES, SECONDS = 60 };

static td_error *err;

typedef struct {
  float weight[2], bias; /* of a linear layer */
  int64_t step;          /* of the learner */
} policy;

/* A boat on a line has to come back to 0 in spite of the wind. */
typedef struct {
  float obs[ROWS][2]; /* its place, and the wind */
  float action[ROWS]; /* how far it rows */
  float reward[ROWS]; /* minus the square of its next place */
} moves;

static td_status failed(td_status code, const char *message) {
  err = td_error_new(code, TD_STR(message));
  return code;
}

/* From -1 to 1, the same on every machine. */
static float next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / (1 << 23) - 1;
}

/* Each episode begins at another place; the random part of an action shows the learner what would have been better. */
static void act(const policy *p, uint32_t *random, moves *out) {
  float place = 0;
  for (int i = 0; i < ROWS; ++i) {
    if (i % MOVES == 0) place = next_random(random);
    const float wind = next_random(random);
    const float action = p->weight[0] * place + p->weight[1] * wind + p->bias + next_random(random);
    out->obs[i][0] = place, out->obs[i][1] = wind, out->action[i] = action;
    place += wind + action;
    out->reward[i] = -place * place;
  }
}

/* ---- The dicts on the server ------------------------------------------------------------------------------------- */

static td_status open_on(const char *server, const char *id, td_open_mode mode, td_dict **out) {
  char url[512];
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.mode = mode;
  if (snprintf(url, sizeof url, "%s?id=%s", server, id) >= (int)sizeof url)
    return failed(TD_ERR_ARGUMENT, "the URL of the server is too long");
  return td_remote_open(TD_STR(url), &options, out, &err);
}

/* Copies `n` elements out of a dict that another program wrote. */
static td_status read_entry(const td_dict *td, const td_key *key, td_dtype dtype, int64_t n, void *out) {
  td_tensor *t = NULL;
  const void *data = NULL;
  td_status status = td_dict_get(td, key, &t, &err);
  if (status == TD_OK && (td_tensor_dtype(t) != dtype || td_tensor_numel(t) != n))
    status = failed(TD_ERR_SHAPE, "the weights are not those of a layer with two inputs and one output");
  if (status == TD_OK) status = td_tensor_data(t, &data, &err);
  if (status == TD_OK) memcpy(out, data, (size_t)td_tensor_nbytes(t));
  td_tensor_release(t);
  return status;
}

/* The learner writes the step last: once it is there, all the rest is. A copy reads everything in one transaction. */
static td_status read_policy(const td_dict *weights, policy *out) {
  td_dict *copy = NULL;
  td_entry_kind kind = TD_ENTRY_NONE;
  td_status status = td_dict_clone(weights, &copy, &err);
  if (status == TD_OK) status = td_dict_entry_kind(copy, TD_KEY("step"), &kind, &err);
  if (status == TD_OK && kind != TD_ENTRY_NONE) {
    status = read_entry(copy, TD_KEY("step"), TD_DTYPE_INT64, 1, &out->step);
    if (status == TD_OK) status = read_entry(copy, TD_KEY("policy", "weight"), TD_DTYPE_FLOAT32, 2, out->weight);
    if (status == TD_OK) status = read_entry(copy, TD_KEY("policy", "bias"), TD_DTYPE_FLOAT32, 1, &out->bias);
  }
  td_dict_release(copy);
  return status;
}

/* Waits a little, and says whether there is no use in going on. */
static int is_late(time_t begin) {
  nanosleep(&(struct timespec){0, 10000000}, NULL);
  return difftime(time(NULL), begin) > SECONDS;
}

static td_status await_weights(const char *server, td_dict **weights) {
  const time_t begin = time(NULL);
  td_status status;
  while ((status = open_on(server, "demo-weights", TD_OPEN_READ, weights)) == TD_ERR_NOT_FOUND && !is_late(begin))
    td_error_release(err), err = NULL;
  return status;
}

static td_status await_step_after(int64_t step, const td_dict *weights, policy *p) {
  const time_t begin = time(NULL);
  td_status status;
  while ((status = read_policy(weights, p)) == TD_OK && p->step <= step)
    if (is_late(begin)) return failed(TD_ERR_TIMEOUT, "the learner writes no new weights");
  return status;
}

static td_status put(td_dict *td, const td_key *key, const void *data, td_dtype dtype, int64_t columns) {
  td_tensor *t = NULL;
  td_status status = td_tensor_copy_from(data, dtype, TD_SHAPE(ROWS, columns), &t, &err);
  if (status == TD_OK) status = td_dict_set(td, key, t, &err);
  td_tensor_release(t);
  return status;
}

/* One transaction: who sees the step in these rows sees all of them. */
static td_status send_rows(td_dict *experience, int64_t first, const moves *seen, int64_t step) {
  const td_index rows = TD_SLICE(first, first + ROWS);
  int64_t steps[ROWS];
  td_dict *td = NULL;
  for (int i = 0; i < ROWS; ++i) steps[i] = step;
  td_status status = td_dict_new(TD_SHAPE(ROWS), NULL, &td, &err);
  if (status == TD_OK) status = put(td, TD_KEY("obs"), seen->obs, TD_DTYPE_FLOAT32, 2);
  if (status == TD_OK) status = put(td, TD_KEY("action"), seen->action, TD_DTYPE_FLOAT32, 1);
  if (status == TD_OK) status = put(td, TD_KEY("reward"), seen->reward, TD_DTYPE_FLOAT32, 1);
  if (status == TD_OK) status = put(td, TD_KEY("step"), steps, TD_DTYPE_INT64, 1);
  if (status == TD_OK) status = td_dict_set_at(experience, &rows, 1, td, &err);
  td_dict_release(td);
  return status;
}

static void report(int round, const policy *p, const moves *seen) {
  double sum = 0;
  for (int i = 0; i < ROWS; ++i) sum += seen->reward[i];
  printf("C actor    round %d: weights of step %lld, sent %d rows, mean reward %.2f\n", round, (long long)p->step, ROWS,
         sum / ROWS);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: cluster SERVER FIRST ROUNDS\n"), 2;
  const int64_t first = atoll(argv[2]);
  const int rounds = atoi(argv[3]);
  uint32_t random = (uint32_t)first; /* each actor sees something else */
  policy p = {{0, 0}, 0, -1};
  moves seen;
  td_dict *weights = NULL, *experience = NULL;

  td_status status = await_weights(argv[1], &weights);
  if (status == TD_OK) status = open_on(argv[1], "demo-experience", TD_OPEN_READ_WRITE, &experience);
  for (int round = 1; status == TD_OK && round <= rounds; ++round) {
    status = await_step_after(p.step, weights, &p);
    if (status != TD_OK) break;
    act(&p, &random, &seen);
    status = send_rows(experience, first, &seen, p.step);
    if (status == TD_OK) report(round, &p, &seen);
  }
  if (status != TD_OK) fprintf(stderr, "C actor: %s\n", td_error_message(err).data);
  td_dict_release(experience), td_dict_release(weights), td_error_release(err);
  return status != TD_OK;
}
