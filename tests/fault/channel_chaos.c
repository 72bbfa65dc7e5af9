/* Producers and consumers of one channel are killed at random moments, again and again, and others take their places. A
 * ledger outside the channel knows which messages were published and which were seen. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <sys/mman.h>

#include "support/channels.h"

TestSuite(channel_chaos, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

enum { MOST_PRODUCERS = 8192, SEQUENCE = 32768, PEOPLE = 4 };

typedef struct ledger {
  atomic_long published, seen, torn, twice, disordered, failures;
  atomic_int acked[MOST_PRODUCERS];             /* messages of that producer whose publish returned */
  atomic_uchar marks[MOST_PRODUCERS][SEQUENCE]; /* how often each was seen */
} ledger;

static ledger *book;

static void die(td_status status) {
  if (status != TD_ERR_TIMEOUT) atomic_fetch_add(&book->failures, 1);
}

/* At most SEQUENCE messages, then idle until it is killed. */
static void producer(uint64_t instance) {
  td_channel *ch = NULL;
  td_status status = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_PRODUCES, NULL, &ch, NULL);
  if (status) die(status), _exit(1);
  for (uint64_t seq = 0; seq < SEQUENCE; ++seq) {
    while ((status = send_id(ch, 1000, instance << 32 | seq)) == TD_ERR_TIMEOUT) {
    }
    if (status) die(status), _exit(2);
    atomic_store(&book->acked[instance], (int)seq + 1);
    atomic_fetch_add(&book->published, 1);
  }
  for (;;) pause();
}

static void consumer(bool once) {
  td_channel *ch = NULL;
  td_status status = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL);
  if (status) die(status), _exit(1);
  static int64_t last[MOST_PRODUCERS];
  memset(last, -1, sizeof last);
  for (;;) {
    uint64_t id = 0;
    td_message *m = NULL;
    status = take_id(ch, 1000, &id, &m);
    if (status == TD_ERR_TIMEOUT || status == TD_ERR_NOT_FOUND) continue; /* producers are killed too */
    uint64_t instance = id >> 32, seq = id & 0xffffffff;
    if (status == TD_ERR_INTERNAL || instance >= MOST_PRODUCERS || seq >= SEQUENCE) {
      atomic_fetch_add(&book->torn, 1);
      _exit(2);
    }
    if (status) die(status), _exit(3);
    bool again = td_message_delivery(m) > 1;
    if (!again && (int64_t)seq <= last[instance]) atomic_fetch_add(&book->disordered, 1);
    if (!again) last[instance] = (int64_t)seq;
    if (atomic_fetch_add(&book->marks[instance][seq], 1) > 0 && once) atomic_fetch_add(&book->twice, 1);
    atomic_fetch_add(&book->seen, 1);
    td_message_release(m);
  }
}

static pid_t spawn(bool produces, uint64_t instance, bool once) {
  pid_t pid = fork();
  if (pid) return pid;
  td_after_fork();
  if (produces)
    producer(instance);
  else
    consumer(once);
  _exit(0);
}

static void chaos(td_channel_mode mode, int deliveries, int kills) {
  book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  cr_assert(book != MAP_FAILED);
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.mode = mode, o.deliveries = deliveries, o.members = 16;
  bool once = deliveries == 1, queue = mode == TD_CHANNEL_MODE_QUEUE;
  td_channel *owner = payload_channel(o);
  td_channel *watch = open_channel(TD_CHANNEL_ROLE_OBSERVES);
  uint64_t instance = 0;
  pid_t people[PEOPLE];
  for (int i = 0; i < PEOPLE; ++i) people[i] = spawn(i < 2, i < 2 ? instance++ : 0, once);
  int64_t moved = fault_ms(), worst = 0;
  long before = -1;
  for (int kill_number = 0; kill_number < kills && instance < MOST_PRODUCERS;) {
    pause_us(500 + (long)random_below(4500));
    /* On a busy machine they would be killed before they have done anything: mostly, wait until they have. */
    for (int i = 0; i < 100 && kill_number % 4 && atomic_load(&book->seen) == before; ++i) pause_us(2000);
    long now = atomic_load(&book->seen);
    if (now != before) {
      if (before >= 0 && fault_ms() - moved > worst) worst = fault_ms() - moved;
      before = now, moved = fault_ms();
    }
    cr_assert(fault_ms() - moved < STUCK_MS, "nothing moves any more after %d kills:\n%s", kill_number, dump_of(watch));
    uint64_t who = random_below(PEOPLE);
    reap(people[who], SIGKILL);
    people[who] = spawn(who < 2, who < 2 ? instance++ : 0, once);
    ++kill_number;
  }
  for (int i = 0; i < PEOPLE; ++i) reap(people[i], SIGKILL);
  td_channel *ch = open_channel(TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES);
  int32_t dead;
  must(td_channel_sweep(ch, &dead, &err));
  uint64_t id = 0;
  td_message *m = NULL;
  while (take_id(ch, 0, &id, &m) == TD_OK) {
    atomic_fetch_add(&book->marks[id >> 32][id & 0xffffffff], 1);
    td_message_release(m);
  }
  long lost = 0;
  for (uint64_t p = 0; p < instance; ++p)
    for (int seq = 0; seq < atomic_load(&book->acked[p]); ++seq) lost += !atomic_load(&book->marks[p][seq]);
  td_channel_statistics s = stats_of(ch);
  cr_expect_eq(atomic_load(&book->torn), 0);
  cr_expect_eq(atomic_load(&book->twice), 0);
  cr_expect_eq(atomic_load(&book->disordered), 0);
  cr_expect_eq(atomic_load(&book->failures), 0);
  if (queue && !once) cr_expect_eq(lost, 0, "%ld published messages were never seen", lost);
  if (queue && once) cr_expect(lost <= kills, "%ld messages were lost by %d kills", lost, kills);
  cr_expect(atomic_load(&book->seen) > kills / 4, "too little happened: %ld messages", atomic_load(&book->seen));
  printf("chaos: %d kills, %ld published, %ld seen, %lld redelivered, %lld aborted, %ld lost, longest pause %lld ms\n",
         kills, atomic_load(&book->published), atomic_load(&book->seen), (long long)s.redelivered, (long long)s.aborted,
         lost, (long long)worst);
  expect_whole(ch, "after the chaos");
  td_channel_release(ch), td_channel_release(owner), td_channel_release(watch);
  munmap(book, sizeof *book);
}

Test(channel_chaos, nothing_is_torn_lost_or_stuck) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0));
  chaos(TD_CHANNEL_MODE_QUEUE, 255, fault_rounds(150, 8000));
}

Test(channel_chaos, at_most_once_is_never_twice) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0));
  chaos(TD_CHANNEL_MODE_QUEUE, 1, fault_rounds(60, 4000));
}

Test(channel_chaos, subscribers_come_and_go) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0));
  chaos(TD_CHANNEL_MODE_BROADCAST, 2, fault_rounds(60, 4000));
}
