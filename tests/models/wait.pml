/* Sleeping and waking: core/shm/wait.cpp, core/shm/cancel.cpp, and Membership::wait, acquire, take, publish, give_back, close, sweep_now of
 * core/shm/member.cpp.
 *
 * Property: whoever sleeps while there is something for him has been woken, or is about to be, without any slice running
 * out: no wake-up is lost. If the process that should have sent it was killed before, the end of a slice does, and the look
 * around after it gives back what the dead one held. Whoever sleeps with a flag that is set has been woken, or is about to
 * be.
 *
 * Follows, one statement for each access to a shared word: notify, sleep_on, wake_all, Bed::lie_down, Bed::get_up (its
 * mutex makes each of the two one step), Membership::wait, publish, give_back, close, sweep_now; Slots::give_back and
 * publish where they say whom to wake; CancelFlag::request and Sleeper, rouse. There is one slot, and a move in it is one step: queue.pml and broadcast.pml have
 * the steps. What the kernel does is one step too: it compares the count and lies the thread down, or wakes all.
 *
 * Two pairs of words rely on an order that a store buffer may turn around: the slot before `sleepers` in who changes
 * something, `sleepers` before the slot in who lies down. Both are made by read-modify-writes that empty the buffer;
 * BUFFERED_CHANGE and BUFFERED_BIT leave the store in it until the load behind it is done.
 * A slice ends (`timeout`) when nobody can do anything else: that it might end earlier only wakes more.
 *
 * scene block: -DPRODUCERS=2 -DEACH=1 -DTAKERS=2
 * scene more: -DPRODUCERS=1 -DEACH=2 -DTAKERS=2
 * scene close: -DPRODUCERS=1 -DEACH=2 -DTAKERS=1 -DCLOSE
 * deep close_more: -DPRODUCERS=1 -DEACH=2 -DTAKERS=2 -DCLOSE
 * scene drop: -DPRODUCERS=2 -DEACH=1 -DTAKERS=0 -DDROP
 * scene spread: -DPRODUCERS=1 -DEACH=2 -DTAKERS=1 -DDROP -DBROADCAST
 * scene kill: -DPRODUCERS=2 -DEACH=1 -DTAKERS=1 -DKILL
 * scene cancel: -DPRODUCERS=1 -DEACH=1 -DTAKERS=2 -DCANCEL
 * deep many: -DPRODUCERS=2 -DEACH=2 -DTAKERS=4
 *
 * mutation BUFFERED_CHANGE block: the change is still in the store buffer when `sleepers` is read
 * mutation BUFFERED_BIT block: the bit of the sleeper is still in the store buffer when he looks again
 * mutation COUNT_LATE block: the count that the kernel compares is read after the last look
 * mutation NO_LAST_LOOK block: who lies down does not look again
 * mutation WAKE_FIRST block: sleepers are woken before the change
 * mutation SAME_COUNT block: the count does not change
 * mutation ONE_BIT block: a thread that gets up takes the bit of the others of its member along
 * mutation CLOSE_SILENTLY close: close wakes nobody
 * mutation PUBLISH_ALONE drop: a message that may be dropped is no slot for those who wait for one
 * mutation QUEUED_HOLDS spread: a message that may be dropped is no slot for those who wait for one, after it was read
 * mutation FLAG_EARLY cancel: the flag is looked at before the count is read
 * mutation FLAG_LATE cancel: sleepers are woken before the flag is set
 * mutation LISTED_LATE cancel: who lies down is in the list of the flag after he has looked at it
 * mutation ROUSE_SAME_COUNT cancel: a request does not change the count
 * mutation NO_SLICE kill: sleeping has no end
 * mutation NO_SWEEP kill: nobody looks around after a slice
 */
#include "words.inc"
#ifdef DROP
#define DROPS true
#else
#define DROPS false
#endif
#ifdef BROADCAST
#define SPREAD true
#else
#define SPREAD false
#endif
#define THREADS (PRODUCERS + TAKERS)
#define PUBLISHED 0
#define FREED 1

byte slot, owner; /* its state */
byte queued, claimed; /* of a broadcast: bits for a subscriber that reads, and for one that is slow */
bool closed;

byte count[2], sleepers[2]; /* the events; a bit for each producer, and one for all takers, who are threads of one member */
byte in_bed;                /* the takers' Bed */
bool asleep[THREADS];
byte waits_for[THREADS];
bool kill, dead;
bool requested, lists; /* the flag that all takers were given; the lock of its list */
byte listed;           /* takers in it */

#define acquirable (slot == FREE || (SPREAD && slot == READY && queued == 0 && claimed == 0) || \
                    (DROPS && slot == READY && claimed == 0))
#define takeable (slot == READY && (!SPREAD || (queued & 1)))

inline wake_all(event) {
  atomic {
    i = 0;
    do
    :: i < THREADS -> if :: waits_for[i] == event -> asleep[i] = false :: else fi; i++
    :: else -> i = 0; break
    od
  }
}

inline notify(event) {
  if
  :: sleepers[event] == 0
  :: sleepers[event] != 0 ->
#ifndef SAME_COUNT
    count[event]++;
#endif
    wake_all(event)
  fi
}

#ifdef CANCEL
#define cancellable (me >= PRODUCERS)
#else
#define cancellable false
#endif

inline enlist() {
  if
  :: cancellable -> atomic { !lists -> listed++ }
  :: else
  fi
}

inline look_at_flag() {
  if
  :: cancellable && result == 0 && requested -> result = 3
  :: else
  fi
}

/* 0: nothing, 1: done, 2: closed, 3: cancelled. */
inline attempt(event) {
  atomic {
    if
    :: event == FREED && closed -> result = 2
    :: event == FREED && !closed && acquirable -> slot = WRITING; owner = me; queued = 0; result = 1
    :: event == FREED && !closed && !acquirable -> result = 0
    :: event == PUBLISHED && takeable ->
      result = 1;
      if
      :: SPREAD -> queued = queued & ~1; claimed = claimed | 1
      :: else -> slot = READING
      fi
    :: event == PUBLISHED && !takeable -> result = (closed -> 2 : 0)
    fi
  }
}

#ifdef KILL
#define slice_ends timeout
#else
#define slice_ends false
#endif
#ifdef NO_SLICE
#undef slice_ends
#define slice_ends false
#endif

inline wait(event) {
#ifndef LISTED_LATE
  enlist();
#endif
  do
  :: attempt(event);
    if :: result != 0 -> break :: else fi;
#ifdef FLAG_EARLY
    look_at_flag();
    if :: result != 0 -> break :: else fi;
#endif
#ifndef BUFFERED_BIT
    lie_down(event);
#endif
#ifndef COUNT_LATE
    seen = count[event];
#endif
#ifndef NO_LAST_LOOK
    attempt(event);
#endif
#ifdef COUNT_LATE
    seen = count[event];
#endif
#ifdef BUFFERED_BIT
    lie_down(event);
#endif
#ifndef FLAG_EARLY
    look_at_flag();
#endif
#ifdef LISTED_LATE
    enlist();
#endif
    if
    :: result == 0 ->
      atomic { /* the kernel compares the count */
        if
        :: count[event] == seen -> asleep[me] = true; waits_for[me] = event
        :: else
        fi
      };
      if
      :: !asleep[me]
      :: asleep[me] && slice_ends -> asleep[me] = false; sweep = true
      fi
    :: else
    fi;
    get_up(event);
    seen = 0;
    if :: result != 0 -> break :: else fi;
#ifndef NO_SWEEP
    if
    :: atomic { sweep && dead && slot == WRITING && owner == 0 -> slot = FREE };
      notify(PUBLISHED);
      notify(FREED)
    :: else
    fi;
#endif
    atomic { /* nobody dies behind a `timeout`: what the dead one held is free */
      assert(!sweep || !dead || slot != WRITING || owner != 0);
      sweep = false
    }
  od;
  if
  :: cancellable -> atomic { !lists -> listed-- }
  :: else
  fi
}

inline lie_down(event) {
  atomic {
    if
    :: me >= PRODUCERS -> if :: in_bed == 0 -> sleepers[event] = sleepers[event] | 128 :: else fi; in_bed++
    :: else -> sleepers[event] = sleepers[event] | (1 << me)
    fi
  }
}

inline get_up(event) {
  atomic {
    if
    :: me >= PRODUCERS -> in_bed--;
#ifdef ONE_BIT
      sleepers[event] = sleepers[event] & ~128
#else
      if :: in_bed == 0 -> sleepers[event] = sleepers[event] & ~128 :: else fi
#endif
    :: else -> sleepers[event] = sleepers[event] & ~(1 << me)
    fi
  }
}

#define spread_to (SPREAD -> 3 : 0)

/* The slot becomes READY, or FREE. */
inline change(event) {
  atomic {
    if
    :: event == PUBLISHED -> slot = READY; queued = spread_to
    :: else -> slot = FREE
    fi
  }
}

inline change_and_notify(event) {
#ifdef WAKE_FIRST
  notify(event);
  change(event)
#else
#ifdef BUFFERED_CHANGE
  if
  :: sleepers[event] == 0 -> change(event)
  :: sleepers[event] != 0 -> change(event); count[event]++; wake_all(event)
  fi
#else
  change(event);
  notify(event)
#endif
#endif
}

proctype producer(byte me) {
  byte n, i, result, seen;
  bool sweep, finished;
  {
    do
    :: n < EACH ->
      wait(FREED);
      if
      :: result == 2 -> break
      :: result == 1 && closed -> /* publish says so, and gives back */
        change_and_notify(FREED);
        break
      :: result == 1 && !closed ->
        change_and_notify(PUBLISHED);
#ifndef PUBLISH_ALONE
        if
        :: DROPS -> notify(FREED)
        :: else
        fi
#endif
      fi;
      n++
    :: else -> break
    od;
    finished = true
  } unless { me == 0 && kill };
  if
  :: finished
  :: else -> atomic { dead = true; asleep[me] = false; result = 0; seen = 0; i = 0; sweep = false }
  fi
}

/* Takes one message, or waits until the channel is closed. */
proctype taker(byte me) {
  byte i, result, seen;
  bool sweep;
  do
  :: wait(PUBLISHED);
    if
    :: result >= 2 -> break
    :: else
    fi;
    if
    :: SPREAD ->
#ifdef QUEUED_HOLDS
      atomic { claimed = 0; result = (queued == 0) };
#else
      atomic { claimed = 0; result = (queued == 0 || DROPS) };
#endif
      if :: result -> notify(FREED) :: else fi
    :: else ->
      change_and_notify(FREED)
    fi;
#ifndef CLOSE
    break
#endif
  od
}

proctype closer() {
  byte i;
  closed = true;
#ifndef CLOSE_SILENTLY
  notify(PUBLISHED);
  notify(FREED)
#endif
}

proctype canceller() {
  byte i;
#ifndef FLAG_LATE
  requested = true;
#endif
  atomic { !lists -> lists = true };
  if
  :: listed != 0 ->
#ifndef ROUSE_SAME_COUNT
    count[PUBLISHED]++;
#endif
    wake_all(PUBLISHED)
  :: else
  fi;
  lists = false
#ifdef FLAG_LATE
  ;
  requested = true
#endif
}

proctype killer() {
  if
  :: kill = true
  :: skip
  fi
}

init {
  byte m;
  atomic {
    do
    :: m < PRODUCERS -> run producer(m); m++
    :: m >= PRODUCERS && m < THREADS -> run taker(m); m++
    :: m >= THREADS -> break
    od;
    m = 0;
#ifdef CLOSE
    run closer();
#endif
#ifdef CANCEL
    run canceller();
#endif
#ifdef KILL
    run killer()
#endif
  }
}
