/* One dict for as long as one likes: a thread that sets and removes 500 keys, beside threads that look them up. Look-ups
 * stop no change, and what they find is whole. `make soak` says for how long, also with PRESET=asan. */
#include <pthread.h>
#include <stdatomic.h>

#include "support/channels.h"

TestSuite(soak_one_dict, .timeout = 24 * 3600);

enum { KEYS = 500, READERS = 2 };

static atomic_bool over;

typedef struct shared {
  td_dict *dict;
  td_tensor *value; /* of every entry */
  long calls, busy, found, wrong;
} shared;

static void name_key(char name[8], long round) {
  snprintf(name, 8, "k%ld", round % KEYS);
}

static void *change(void *argument) {
  shared *s = argument;
  for (; !atomic_load_explicit(&over, memory_order_relaxed); ++s->calls) {
    char name[8];
    name_key(name, s->calls);
    const td_status set = td_dict_set(s->dict, TD_KEY(name), s->value, NULL);
    const td_status gone = s->calls % 3 ? TD_OK : td_dict_remove(s->dict, TD_KEY(name), NULL);
    s->busy += (set == TD_ERR_BUSY) + (gone == TD_ERR_BUSY);
    s->wrong += (set != TD_OK && set != TD_ERR_BUSY) + (gone != TD_OK && gone != TD_ERR_BUSY);
  }
  return NULL;
}

static void *look(void *argument) {
  shared *s = argument;
  for (; !atomic_load_explicit(&over, memory_order_relaxed); ++s->calls) {
    char name[8];
    name_key(name, s->calls);
    td_entry entry;
    s->wrong += td_dict_lookup(s->dict, TD_KEY(name), &entry, NULL) != TD_OK;
    s->wrong += entry.kind != TD_ENTRY_NONE && entry.tensor != s->value;
    td_entry_clear(&entry);
    td_tensor *t = NULL;
    const td_status got = td_dict_get(s->dict, TD_KEY(name), &t, NULL);
    s->wrong += got != TD_OK && got != TD_ERR_KEY;
    s->wrong += got == TD_OK && t != s->value;
    s->found += got == TD_OK;
    td_tensor_release(t);
  }
  return NULL;
}

static int64_t length_ms(void) {
  const char *seconds = getenv("TD_SOAK_SECONDS");
  return seconds ? atol(seconds) * 1000 : fault_rounds(500, 600000);
}

Test(soak_one_dict, a_change_is_safe_beside_look_ups) {
  const float data[8] = {0};
  td_tensor *value = NULL;
  td_dict *d = NULL;
  must(td_tensor_copy_from(data, TD_DTYPE_FLOAT32, TD_SHAPE(4, 2), &value, &err));
  must(td_dict_new(TD_SHAPE(4), NULL, &d, &err));
  shared people[1 + READERS];
  pthread_t threads[1 + READERS];
  atomic_store(&over, false);
  for (int i = 0; i <= READERS; ++i) {
    people[i] = (shared){d, value, 0, 0, 0, 0};
    cr_assert_eq(pthread_create(&threads[i], NULL, i ? look : change, &people[i]), 0);
  }
  for (const int64_t end = fault_ms() + length_ms(); fault_ms() < end;) pause_us(10000);
  atomic_store(&over, true);
  long looked = 0, found = 0, wrong = 0;
  for (int i = 0; i <= READERS; ++i) {
    pthread_join(threads[i], NULL);
    wrong += people[i].wrong, found += people[i].found;
    if (i > 0) looked += people[i].calls;
  }
  printf("soak: %ld sets, %ld busy, %ld look-ups of which %ld found\n", people[0].calls, people[0].busy, looked, found);
  cr_expect_eq(wrong, 0, "%ld calls failed", wrong);
  cr_expect_eq(people[0].busy, 0, "look-ups stopped %ld changes", people[0].busy);
  cr_expect(found > 0 && people[0].calls > 0, "too little happened");
  td_tensor_release(value);
  td_dict_release(d);
}
