/* Everything at once for as long as one likes: producers and consumers, an owner of snapshots and its readers, a writer and a
 * reader of a map, some that make and remove names; one turn in a hundred ends with a kill. What was published and what was
 * taken add up, and neither those who live on nor the names grow. `make soak` says for how long; ctest takes seconds. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "support/channels.h"

TestSuite(soak, .init = pick_name, .fini = remove_name, .timeout = 24 * 3600);

enum { TICK_MS = 10, STUCK_TICKS = 6000, WORDS = 4096, MAP_ROWS = 1 << 20, SLACK_KB = 4096, SLACK_MAPPINGS = 16 };

enum kind { PRODUCER, CONSUMER, OWNER, READER, MAP_WRITER, MAP_READER, MAKER, KINDS };
static const char *const kind_names[] = {"producer", "consumer", "owner", "reader", "writer", "map reader", "maker"};

/* Of each kind one worker that lives as long as the soak, and one that is killed again and again; there is one owner and one
 * writer of a map, which are killed. */
typedef struct worker {
  enum kind kind;
  bool mortal;
} worker;
static const worker workers[] = {
    {PRODUCER, false}, {PRODUCER, true}, {CONSUMER, false}, {CONSUMER, true},    {READER, false},    {READER, true},
    {OWNER, true},     {MAKER, false},   {MAKER, true},     {MAP_READER, false}, {MAP_WRITER, true},
};
enum { WORKERS = sizeof workers / sizeof *workers };

typedef struct ledger {
  atomic_long turns[WORKERS];
  atomic_long published, taken, torn, failures, last_failure, newest;
} ledger;
static ledger *book;

/* ---- The workers ----------------------------------------------------------------------------------------------------------- */

static void failed_with(enum kind kind, td_status status) {
  atomic_store(&book->last_failure, (long)kind * 1000 + status);
  atomic_fetch_add(&book->failures, 1);
}

static td_dict *words_dict(int64_t value) {
  static int64_t words[WORDS];
  for (int i = 0; i < WORDS; ++i) words[i] = value;
  td_dict *d = NULL;
  td_tensor *t = NULL;
  if (td_dict_new(NULL, 0, NULL, &d, NULL) || td_tensor_copy_from(words, TD_DTYPE_INT64, TD_SHAPE(WORDS), &t, NULL) ||
      td_dict_set(d, TD_KEY("x"), t, NULL))
    _exit(9);
  td_tensor_release(t);
  return d;
}

static bool whole(const td_dict *d) {
  td_tensor *t = NULL;
  const void *data = NULL;
  if (td_dict_get(d, TD_KEY("x"), &t, NULL) || td_tensor_data(t, &data, NULL)) return false;
  const int64_t *words = data;
  bool same = true;
  for (int i = 1; i < WORDS; ++i) same = same && words[i] == words[0];
  td_tensor_release(t);
  return same;
}

static const char *segment_name(void) {
  return path_of("%s.segment", channel_name);
}
static const char *map_name(void) {
  return path_of("%s.map", channel_name);
}

static td_status produce(td_channel **ch) {
  td_status status = TD_OK;
  if (!*ch) status = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES, NULL, ch, NULL);
  for (uint64_t i = 0; i < 50 && status == TD_OK; ++i) {
    status = send_id(*ch, 100, i);
    if (status == TD_OK) atomic_fetch_add(&book->published, 1);
  }
  return status == TD_ERR_TIMEOUT ? TD_OK : status;
}

static td_status consume(td_channel **ch) {
  td_status status = TD_OK;
  if (!*ch) status = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, ch, NULL);
  for (int i = 0; i < 50 && status == TD_OK; ++i) {
    uint64_t id;
    td_message *m = NULL;
    status = take_id(*ch, 100, &id, &m);
    if (status == TD_OK) atomic_fetch_add(&book->taken, 1);
    if (status == TD_ERR_INTERNAL) atomic_fetch_add(&book->torn, 1);
    td_message_release(m);
  }
  return status == TD_ERR_TIMEOUT || status == TD_ERR_NOT_FOUND ? TD_OK : status;
}

static td_status own(td_segment **s) {
  td_dict *d = words_dict(atomic_fetch_add(&book->newest, 1));
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = 4;
  int64_t removed;
  if (!*s) td_segment_prune(TD_STR(segment_name()), &removed, NULL); /* what the last one left */
  td_status status = *s ? td_segment_update(*s, d, NULL) : td_segment_create(TD_STR(segment_name()), d, &o, s, NULL);
  td_dict_release(d);
  return status == TD_ERR_NOSPACE ? TD_OK : status;
}

static td_status read_snapshot(void) {
  td_segment *s = NULL;
  td_dict *d = NULL;
  td_status status = td_segment_open(TD_STR(segment_name()), NULL, &s, NULL);
  for (int i = 0; i < 20 && status == TD_OK; ++i) {
    status = td_segment_snapshot(s, &d, NULL);
    if (status == TD_OK && !whole(d)) atomic_fetch_add(&book->torn, 1);
    td_dict_release(d), d = NULL;
  }
  td_segment_release(s);
  return status == TD_ERR_NOT_FOUND ? TD_OK : status;
}

static td_dict *rows_from(int64_t first, int64_t n) {
  int64_t values[64];
  for (int64_t i = 0; i < n; ++i) values[i] = first + i;
  td_dict *d = NULL;
  td_tensor *t = NULL;
  if (td_dict_new(TD_SHAPE(n), NULL, &d, NULL) || td_tensor_copy_from(values, TD_DTYPE_INT64, TD_SHAPE(n), &t, NULL) ||
      td_dict_set(d, TD_KEY("x"), t, NULL))
    _exit(9);
  td_tensor_release(t);
  return d;
}

static td_status new_query(td_query **q) {
  return td_query_new(TD_KEY("x"), 1, NULL, q, NULL);
}

/* A map that is full is removed; the next one begins anew. */
static td_status write_map(td_query **q) {
  td_status status = TD_OK;
  if (!*q) {
    status = new_query(q);
    if (status == TD_OK) status = td_query_attach(*q, TD_STR(map_name()), TD_QUERY_MAP_WRITE, NULL);
    td_query_share_options o = TD_QUERY_SHARE_OPTIONS_INIT;
    o.keep = 1, o.capacity = MAP_ROWS;
    if (status == TD_ERR_NOT_FOUND) status = td_query_share(*q, TD_STR(map_name()), &o, NULL);
  }
  if (status) return status;
  const int64_t size = td_query_size(*q);
  if (size > MAP_ROWS - 64) {
    status = td_query_unlink(TD_STR(map_name()), NULL);
    td_query_release(*q), *q = NULL;
    return status;
  }
  td_dict *rows = rows_from(size, 64);
  status = td_query_forward(*q, rows, TD_QUERY_DEFAULT, NULL);
  td_dict_release(rows);
  return status;
}

static td_status read_map(void) {
  td_query *q = NULL;
  td_status status = new_query(&q);
  if (status == TD_OK) status = td_query_attach(q, TD_STR(map_name()), TD_QUERY_MAP_READ, NULL);
  const int64_t size = status == TD_OK ? td_query_size(q) : 0;
  if (size >= 64) {
    td_dict *rows = rows_from(size - 64, 64);
    td_tensor *indices = NULL;
    const void *data = NULL;
    status = td_query_look_up(q, rows, &indices, NULL);
    if (status == TD_OK) status = td_tensor_data(indices, &data, NULL);
    for (int64_t i = 0; status == TD_OK && i < 64; ++i)
      if (((const int64_t *)data)[i] != size - 64 + i) atomic_fetch_add(&book->torn, 1);
    td_tensor_release(indices), td_dict_release(rows);
  }
  td_query_release(q);
  return status == TD_ERR_NOT_FOUND ? TD_OK : status;
}

/* Names of its own, and whatever those who were killed left. */
static td_status make_and_prune(void) {
  char name[128];
  snprintf(name, sizeof name, "%s.made.%ld", channel_name, (long)getpid());
  td_dict *schema = words_dict(1);
  td_segment *s = NULL;
  td_channel *ch = NULL;
  int64_t removed;
  td_status status = td_segment_create(TD_STR(name), schema, NULL, &s, NULL);
  td_segment_release(s);
  if (status == TD_OK) status = td_channel_create(TD_STR(name), schema, NULL, &ch, NULL);
  td_channel_release(ch);
  td_dict_release(schema);
  if (status == TD_OK) status = td_segment_prune(TD_STR(path_of("%s.made", channel_name)), &removed, NULL);
  return status;
}

static _Noreturn void work(int number) {
  const enum kind kind = workers[number].kind;
  td_channel *ch = NULL;
  td_segment *s = NULL;
  td_query *q = NULL;
  for (;;) {
    td_status status = TD_OK;
    switch (kind) {
      case PRODUCER:
        status = produce(&ch);
        break;
      case CONSUMER:
        status = consume(&ch);
        break;
      case OWNER:
        status = own(&s);
        break;
      case READER:
        status = read_snapshot();
        break;
      case MAP_WRITER:
        status = write_map(&q);
        break;
      case MAP_READER:
        status = read_map();
        break;
      default:
        status = make_and_prune();
        break;
    }
    if (status) failed_with(kind, status), _exit(1);
    atomic_fetch_add(&book->turns[number], 1);
    pause_us(500);
  }
}

static pid_t start(int number) {
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a soak that is broken off leaves nobody */
    td_after_fork();
    work(number);
  }
  return pid;
}

/* ---- What may not grow ----------------------------------------------------------------------------------------------------- */

typedef struct footprint {
  long kilobytes, descriptors, mappings;
} footprint;

static footprint footprint_of(pid_t pid) {
  footprint f = {0, 0, 0};
  char line[512];
  FILE *status = fopen(path_of("/proc/%ld/status", (long)pid), "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "RssAnon: %ld", &f.kilobytes);
  if (status) fclose(status);
  FILE *maps = fopen(path_of("/proc/%ld/maps", (long)pid), "r");
  while (maps && fgets(line, sizeof line, maps)) f.mappings += strchr(line, '\n') != NULL;
  if (maps) fclose(maps);
  DIR *fds = opendir(path_of("/proc/%ld/fd", (long)pid));
  while (fds && readdir(fds)) ++f.descriptors;
  if (fds) closedir(fds);
  return f;
}

static void expect_no_growth(const char *who, footprint before, footprint now) {
  printf("  %-10s %ld -> %ld kB of its own, %ld -> %ld descriptors, %ld -> %ld mappings\n", who, before.kilobytes,
         now.kilobytes, before.descriptors, now.descriptors, before.mappings, now.mappings);
  /* A call that is under way has some of each. */
  cr_expect(now.kilobytes <= before.kilobytes + before.kilobytes / 10 + SLACK_KB, "%s: memory grows", who);
  cr_expect(now.descriptors <= before.descriptors + 4, "%s: descriptors grow", who);
  cr_expect(now.mappings <= before.mappings + SLACK_MAPPINGS, "%s: mappings grow", who);
}

/* ---- The run --------------------------------------------------------------------------------------------------------------- */

static int64_t soak_ms(void) {
  const char *seconds = getenv("TD_SOAK_SECONDS");
  return seconds ? atol(seconds) * 1000 : fault_rounds(4000, 600000);
}

/* The last turn of one that begins now: one in a hundred is. */
static long a_life(long now) {
  return now + 1 + (long)random_below(199);
}

Test(soak, what_goes_in_comes_out_and_nothing_grows) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0)); /* what LibTorch starts lazily starts before the forks */
  book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  cr_assert(book != MAP_FAILED);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.deliveries = 255, o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  td_channel *ch = payload_channel(o);
  pid_t people[WORKERS];
  footprint first[WORKERS] = {{0}}, own_first = {0};
  long turns_then[WORKERS] = {0}, kills = 0, last_turn[WORKERS];
  int still[WORKERS] = {0}; /* looks since its last turn: of these, a busy machine allows as few as of turns */
  for (int i = 0; i < WORKERS; ++i) people[i] = start(i), last_turn[i] = a_life(0);
  const int64_t began = fault_ms(), length = soak_ms();
  bool warm = false;
  while (fault_ms() - began < length) {
    pause_us(TICK_MS * 1000);
    if (!warm && fault_ms() - began > length / 4) {
      warm = true;
      for (int i = 0; i < WORKERS; ++i) first[i] = footprint_of(people[i]);
      own_first = footprint_of(getpid());
    }
    for (int i = 0; i < WORKERS; ++i) {
      const long now = atomic_load(&book->turns[i]);
      still[i] = now == turns_then[i] ? still[i] + 1 : 0, turns_then[i] = now;
      cr_assert(still[i] < STUCK_TICKS, "the %s is stuck after %ld kills:\n%s", kind_names[workers[i].kind], kills,
                dump_of(ch));
      if (!workers[i].mortal || now < last_turn[i]) continue;
      pause_us((long)random_below(2000));
      reap(people[i], SIGKILL);
      ++kills, last_turn[i] = a_life(atomic_load(&book->turns[i]));
      people[i] = start(i);
    }
    cr_assert(atomic_load(&book->failures) == 0, "the %s failed: %s\n%s",
              kind_names[atomic_load(&book->last_failure) / 1000],
              td_status_name((td_status)(atomic_load(&book->last_failure) % 1000)).data, dump_of(ch));
  }
  long turns = 0;
  for (int i = 0; i < WORKERS; ++i) turns += atomic_load(&book->turns[i]);
  printf("soak: %lld s, %ld turns, %ld kills, %ld published, %ld taken\n", (long long)(length / 1000), turns, kills,
         atomic_load(&book->published), atomic_load(&book->taken));
  for (int i = 0; i < WORKERS; ++i)
    if (!workers[i].mortal) expect_no_growth(kind_names[workers[i].kind], first[i], footprint_of(people[i]));
  expect_no_growth("the parent", own_first, footprint_of(getpid()));
  for (int i = 0; i < WORKERS; ++i) reap(people[i], SIGKILL);
  cr_expect_eq(atomic_load(&book->torn), 0);
  cr_expect(kills > 0 && atomic_load(&book->taken) > 0, "too little happened");

  /* A message that was published is taken, is there, or was counted as a dead letter; each death costs the count one. */
  int32_t dead;
  must(td_channel_sweep(ch, &dead, &err));
  long left = 0;
  uint64_t id;
  td_message *m = NULL;
  while (take_id(ch, 0, &id, &m) == TD_OK) td_message_release(m), ++left;
  const td_channel_statistics s = stats_of(ch);
  const long away = atomic_load(&book->published) - atomic_load(&book->taken) - left - (long)s.dead_letters;
  printf("  %ld left, %lld redelivered, %lld dead letters, %lld aborted: %ld do not add up after %ld kills\n", left,
         (long long)s.redelivered, (long long)s.dead_letters, (long long)s.aborted, away, kills);
  const long unsure = kills + WORKERS;
  cr_expect(away <= unsure && away >= -unsure, "%ld messages", away);
  expect_whole(ch, "after the soak");
  td_channel_release(ch);
  must(td_query_unlink(TD_STR(map_name()), &err));
  int64_t removed = 0;
  must(td_segment_prune(TD_STR(channel_name), &removed, &err));
  cr_expect_eq(names_left(), 0, "names are left");
  munmap(book, sizeof *book);
}
