/* One dict on several threads, under several handles: changes beside look-ups, and changes that meet. */
#include <pthread.h>

#include "support/td.h"

enum { THREADS = 4, ROUNDS = 20000, KEYS = 40 };

typedef struct shared {
  td_dict *dict;    /* of each thread: another handle to one dict, or a dict that holds it */
  int below;        /* the dict is under "n" of that */
  td_tensor *value; /* of every entry */
  int busy, found;
} shared;

/* No asserts off the test's own thread: a failure is what a thread returns. */
#define sure(ok) \
  if (!(ok)) return "failed"

static void name_key(char *name, size_t size, int round) {
  snprintf(name, size, "k%d", round % KEYS);
}

static void *change(void *argument) {
  shared *s = argument;
  for (int round = 0; round < ROUNDS; ++round) {
    char name[8];
    name_key(name, sizeof name, round);
    const td_str parts[] = {{"n", 1}, {name, TD_STRLEN}};
    const td_key key = {s->below ? parts : parts + 1, s->below ? 2 : 1};
    const td_status set = td_dict_set(s->dict, &key, s->value, NULL);
    sure(set == TD_OK || set == TD_ERR_BUSY);
    const td_status gone = round % 3 ? TD_OK : td_dict_remove(s->dict, &key, NULL);
    sure(gone == TD_OK || gone == TD_ERR_BUSY || gone == TD_ERR_KEY);
    s->busy += (set == TD_ERR_BUSY) + (gone == TD_ERR_BUSY);
  }
  return NULL;
}

static void *look(void *argument) {
  shared *s = argument;
  for (int round = 0; round < ROUNDS; ++round) {
    char name[8];
    name_key(name, sizeof name, round);
    const td_str parts[] = {{"n", 1}, {name, TD_STRLEN}};
    const td_key key = {s->below ? parts : parts + 1, s->below ? 2 : 1};
    td_entry entry;
    sure(td_dict_lookup(s->dict, &key, &entry, NULL) == TD_OK);
    sure(entry.kind == TD_ENTRY_NONE || entry.tensor == s->value);
    s->found += entry.kind == TD_ENTRY_TENSOR;
    td_entry_clear(&entry);
    td_tensor *t;
    const td_status got = td_dict_get(s->dict, &key, &t, NULL);
    sure(got == TD_OK || got == TD_ERR_KEY);
    if (got == TD_OK) td_tensor_release(t);
  }
  return NULL;
}

static void *walk(void *argument) {
  shared *s = argument;
  for (int round = 0; round < ROUNDS / 40; ++round) {
    td_keys *keys;
    td_dict *copies[2];
    td_entries *entries;
    sure(td_dict_keys(s->dict, TD_KEYS_NESTED, &keys, NULL) == TD_OK && td_keys_size(keys) <= KEYS + 1);
    td_keys_release(keys);
    sure(td_dict_entries(s->dict, TD_KEYS_NESTED, &entries, NULL) == TD_OK);
    td_entries_release(entries);
    for (int deep = 0; deep < 2; ++deep) {
      const td_status copied = (deep ? td_dict_clone : td_dict_copy)(s->dict, &copies[deep], NULL);
      sure(copied == TD_OK || copied == TD_ERR_BUSY);
      if (copied == TD_OK) td_dict_release(copies[deep]);
      s->busy += copied == TD_ERR_BUSY;
    }
  }
  return NULL;
}

static void together(void *(*const *bodies)(void *), shared *arguments) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) check(pthread_create(&threads[i], NULL, bodies[i], &arguments[i]) == 0);
  for (int i = 0; i < THREADS; ++i) {
    void *failed;
    pthread_join(threads[i], &failed);
    check(failed == NULL);
  }
}

/* Every thread has another way to the same node. */
static td_dict *four_ways(shared *ways) {
  td_dict *root = new_dict(TD_SHAPE(4));
  must(td_dict_create_nested(root, TD_KEY("n"), &err));
  td_tensor *value = range_f32(TD_SHAPE(4, 2));
  for (int i = 0; i < THREADS; ++i) ways[i] = (shared){NULL, i > 1, value, 0, 0};
  ways[0].dict = get_dict(root, TD_KEY("n"));
  ways[1].dict = get_dict(root, TD_KEY("n"));
  check(ways[0].dict == ways[1].dict);
  must(td_dict_select(root, TD_KEY("n"), 1, 1, &ways[2].dict, &err));
  ways[3].dict = root;
  return root;
}

static void forget(shared *ways) {
  for (int i = 0; i < THREADS; ++i) td_dict_release(ways[i].dict);
  td_tensor_release(ways[0].value);
}

LeaklessTest(threads_one_dict, set_and_remove_are_safe_beside_look_ups_through_aliases) {
  shared ways[THREADS];
  four_ways(ways);
  together((void *(*const[])(void *)){change, look, look, look}, ways);
  check(ways[0].busy == 0); /* look-ups stop nobody */
  check(ways[1].found + ways[2].found + ways[3].found > 0);
  forget(ways);
}

static void *miss(void *argument) {
  shared *s = argument;
  for (int round = 0; round < ROUNDS / 10; ++round) {
    td_tensor *t;
    td_error *error = NULL;
    sure(td_dict_get(s->dict, TD_KEY("nowhere"), &t, &error) == TD_ERR_KEY);
    sure(td_error_hint(error).size > 0); /* it lists the keys that there are */
    td_error_release(error);
  }
  return NULL;
}

LeaklessTest(threads_one_dict, keys_that_are_missing_stop_no_change) {
  enum { MISSING = 12 };
  shared ways[THREADS];
  four_ways(ways);
  for (int i = 0; i < KEYS; ++i) {
    char name[8];
    name_key(name, sizeof name, i);
    must(td_dict_set(ways[0].dict, TD_KEY(name), ways[0].value, &err));
  }
  pthread_t threads[MISSING];
  for (int i = 0; i < MISSING; ++i) check(pthread_create(&threads[i], NULL, miss, &ways[1]) == 0);
  check(change(&ways[0]) == NULL);
  for (int i = 0; i < MISSING; ++i) {
    void *failed;
    pthread_join(threads[i], &failed);
    check(failed == NULL);
  }
  check(ways[0].busy == 0);
  forget(ways);
}

LeaklessTest(threads_one_dict, changes_that_meet_are_refused_and_leave_the_dict_whole) {
  shared ways[THREADS];
  td_dict *root = four_ways(ways);
  together((void *(*const[])(void *)){change, change, change, look}, ways);
  td_keys *keys;
  must(td_dict_keys(root, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    td_tensor *t;
    must(td_keys_get(keys, i, &key, &err));
    must(td_dict_get(root, &key, &t, &err));
    check(t == ways[0].value);
    td_tensor_release(t);
  }
  td_keys_release(keys);
  forget(ways);
}

LeaklessTest(threads_one_dict, what_reads_all_of_a_dict_meets_changes) {
  shared ways[THREADS];
  four_ways(ways);
  together((void *(*const[])(void *)){change, look, walk, walk}, ways);
  forget(ways);
}

/* Only this thread changes the batch size: while it is [4, 2], no other thread gets a [4, 3] in. */
static void *resize(void *argument) {
  shared *s = argument;
  for (int round = 0; round < ROUNDS; ++round) {
    const td_status grown = td_dict_set_batch_size(s->dict, TD_SHAPE(4, 2), NULL);
    sure(grown == TD_OK || grown == TD_ERR_BUSY || grown == TD_ERR_SHAPE);
    s->busy += grown == TD_ERR_BUSY;
    if (grown != TD_OK) continue;
    ++s->found;
    for (int look = 0; look < 3; ++look) {
      td_tensor *t;
      sure(td_dict_get(s->dict, TD_KEY("a"), &t, NULL) == TD_OK);
      int64_t shape[2];
      td_tensor_shape(t, shape, 2);
      td_tensor_release(t);
      sure(shape[1] == 2);
    }
    while (td_dict_set_batch_size(s->dict, TD_SHAPE(4), NULL) == TD_ERR_BUSY) ++s->busy;
  }
  return NULL;
}

static void *exchange(void *argument) {
  shared *s = argument;
  td_tensor *wide;
  sure(td_tensor_zeros(TD_SHAPE(4, 3), TD_DTYPE_FLOAT32, TD_NO_STR, &wide, NULL) == TD_OK);
  const td_str parts[] = {{"n", 1}, {"a", 1}};
  const td_key key = {s->below ? parts : parts + 1, s->below ? 2 : 1};
  const char *failed = NULL;
  for (int round = 0; round < ROUNDS && !failed; ++round) {
    const td_status set = td_dict_set(s->dict, &key, round % 2 ? wide : s->value, NULL);
    if (set != TD_OK && set != TD_ERR_BUSY && !(set == TD_ERR_SHAPE && round % 2)) failed = "failed";
    s->found += set == TD_OK;
  }
  td_tensor_release(wide);
  return (void *)failed;
}

LeaklessTest(threads_one_dict, a_tensor_is_exchanged_only_if_it_fits_the_batch_size_that_another_thread_gives) {
  shared ways[THREADS];
  four_ways(ways);
  must(td_dict_set(ways[0].dict, TD_KEY("a"), ways[0].value, &err));
  for (int i = 0; i < KEYS; ++i) { /* so that there is time between the check and the change */
    char name[8];
    name_key(name, sizeof name, i);
    must(td_dict_set(ways[0].dict, TD_KEY(name), ways[0].value, &err));
  }
  for (int i = 0; i < 3; ++i) together((void *(*const[])(void *)){resize, exchange, exchange, exchange}, ways);
  check(ways[0].found > 0 && ways[1].found + ways[2].found > 0);
  forget(ways);
}

/* ---- A change in the midst of another ------------------------------------------------------------------------------ */

static struct inside {
  td_dict *dict;
  td_tensor *value;
  td_status set, looked, got_rid;
  td_entry entry;
  td_error *error;
} inside;

static void *meet(void *unused) {
  (void)unused;
  inside.set = td_dict_set(inside.dict, TD_KEY("b"), inside.value, &inside.error);
  inside.got_rid = td_dict_clear(inside.dict, NULL);
  inside.looked = td_dict_lookup(inside.dict, TD_KEY("a"), &inside.entry, NULL);
  return NULL;
}

/* Runs when what was replaced under "a" is released. */
static void replaced(void *owner) {
  pthread_t thread;
  (void)owner;
  if (pthread_create(&thread, NULL, meet, NULL) == 0) pthread_join(thread, NULL);
}

LeaklessTest(threads_one_dict, a_second_thread_that_changes_gets_busy_and_changes_nothing) {
  static float memory[4];
  td_tensor *old;
  inside.dict = new_dict(TD_SHAPE(4));
  inside.value = range_f32(TD_SHAPE(4));
  must(td_tensor_from_memory(memory, TD_DTYPE_FLOAT32, TD_SHAPE(4), NULL, replaced, NULL, &old, &err));
  put(inside.dict, TD_KEY("a", "below"), old);
  must(td_dict_set(inside.dict, TD_KEY("a"), inside.value, &err)); /* holds the dict until the other one is gone */
  check(inside.set == TD_ERR_BUSY && inside.got_rid == TD_ERR_BUSY);
  check(td_error_code(inside.error) == TD_ERR_BUSY && td_error_hint(inside.error).size > 0);
  check(inside.looked == TD_OK && inside.entry.tensor == inside.value);
  check(td_dict_count(inside.dict) == 1);
  td_error_release(inside.error);
  td_entry_clear(&inside.entry);
  must(td_dict_set(inside.dict, TD_KEY("b"), inside.value, &err)); /* nobody else is there now */
  td_tensor_release(inside.value);
  td_dict_release(inside.dict);
}

LeaklessTest(threads_one_dict, a_tensor_that_was_replaced_is_released_when_the_dict_may_be_changed) {
  static float memory[4];
  td_tensor *old;
  inside.dict = new_dict(TD_SHAPE(4));
  inside.value = range_f32(TD_SHAPE(4));
  must(td_tensor_from_memory(memory, TD_DTYPE_FLOAT32, TD_SHAPE(4), NULL, replaced, NULL, &old, &err));
  put(inside.dict, TD_KEY("a"), old);
  must(td_dict_set(inside.dict, TD_KEY("a"), inside.value, &err));
  check(inside.set == TD_OK && inside.got_rid == TD_OK);
  check(inside.looked == TD_OK && inside.entry.kind == TD_ENTRY_NONE);
  check(td_dict_count(inside.dict) == 0);
  td_tensor_release(inside.value);
  td_dict_release(inside.dict);
}
