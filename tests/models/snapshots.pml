/* The snapshots of a segment: core/shm/snapshot_words.cpp.
 *
 * Property: what a reader has pinned is a whole update, does not change until he lets it go, was the newest when he marked it
 * and is never older than what he pinned before; nobody ever finds words that contradict each other, so a reader that goes
 * on gets a snapshot; and the writer gets a buffer if readers that live hold fewer than all others. The writer, and a reader,
 * may be killed between any two accesses to memory; a sweep gives back what a dead reader held.
 *
 * Follows, one statement for each access to a shared word: Snapshots::join, pin, let_go, sweep, find_free, begin, commit.
 *
 * A pair of words relies on an order that a store buffer may turn around: a reader's mark in `holders` before he looks at
 * `latest` again. It is made by a read-modify-write that empties the buffer: BUFFERED_MARK leaves it there. What the writer
 * fills in is released by the words after it: DATA_LATE leaves the second half in the buffer.
 * Each of the generation in `latest` and the writer's bit can be left out without breaking the property: the second look at
 * `latest` is enough. They stay, and have no mutation.
 * A bound of 1000 looks, after which a reader takes the words for corrupt, is not modelled: he goes on.
 *
 * scene two: -DBUFFERS=2 -DREADERS=1 -DUPDATES=3 -DPINS=2
 * scene three: -DBUFFERS=3 -DREADERS=2 -DUPDATES=2 -DPINS=1
 * scene kill_writer: -DBUFFERS=2 -DREADERS=2 -DUPDATES=2 -DPINS=1 -DKILL_WRITER
 * scene kill_reader: -DBUFFERS=2 -DREADERS=2 -DUPDATES=2 -DPINS=1 -DKILL_READER
 * deep more: -DBUFFERS=3 -DREADERS=2 -DUPDATES=4 -DPINS=2
 *
 * mutation NO_SECOND_LOOK two: a reader does not look at `latest` again
 * mutation BUFFERED_MARK two: the mark of a reader is still in the store buffer when he looks again
 * mutation DATA_LATE two: half of an update is stored after `latest` (a relaxed store)
 * mutation COMMIT_FIRST kill_writer: `latest` names a buffer that the writer still has
 * mutation TAKE_BLINDLY two: the writer takes a buffer whoever holds it
 * mutation TAKE_NEWEST kill_writer: the writer may take the newest buffer
 * mutation KEEP_MARK two: a reader that came too late leaves his mark
 * mutation NO_SWEEP kill_reader: nobody gives back what a dead reader held
 * mutation SWEEP_BLINDLY two: a sweep does not ask for the byte of the reader
 */
#define WRITER 128
#define latest_of(generation, buffer) ((generation) * 4 + (buffer))

byte latest;               /* {generation, buffer} */
byte holders[BUFFERS];     /* a bit for each reader, and the writer's */
byte first[BUFFERS], second[BUFFERS]; /* the two halves of a snapshot: the number of the update */

bool byte_held[READERS], killed_writer, killed_reader, reader_dead, writer_gone;

#define mark(r) (1 << (r))
#define free(b) (holders[b] == 0 && (b) != (latest & 3))
#define left_behind(r) (!byte_held[r] && ((holders[0] | holders[1] | holders[BUFFERS - 1]) & mark(r)))

inline find_free() {
  atomic { newest = latest & 3; b = 0 };
  do
  :: found == 9 && b < BUFFERS ->
    atomic { /* the compare-and-swap */
      if
#ifdef TAKE_NEWEST
      :: holders[b] == 0 -> holders[b] = WRITER; found = b
#else
#ifdef TAKE_BLINDLY
      :: b != newest -> holders[b] = WRITER; found = b
#else
      :: b != newest && holders[b] == 0 -> holders[b] = WRITER; found = b
#endif
#endif
      :: else
      fi;
      b++
    }
  :: else -> break
  od;
  atomic { b = 0; newest = 0 }
}

/* Readers that died hold nothing any more: their byte can be had. */
inline sweep() {
  r = 0;
  do
  :: r < READERS ->
#ifdef SWEEP_BLINDLY
    if
    :: true ->
#else
    if
    :: atomic { byte_held[r] } -> skip
    :: atomic { !byte_held[r] -> byte_held[r] = true };
#endif
      do
      :: b < BUFFERS -> atomic { holders[b] = holders[b] & ~mark(r); b++ }
      :: else -> break
      od;
#ifndef SWEEP_BLINDLY
      atomic { byte_held[r] = false; b = 0 }
#else
      b = 0
#endif
    fi;
    r++
  :: else -> r = 0; break
  od
}

proctype writer() {
  byte n, b, r, newest, found, generation;
  {
    do
    :: n < UPDATES ->
      found = 9;
      find_free();
      /* begin: a sweep, then some more looks. Who finds nothing then says so, and sweeps again the next time. */
      do
      :: found == 9 ->
#ifndef NO_SWEEP
        sweep();
        (free(0) || free(1) || free(BUFFERS - 1) || left_behind(0));
#else
        (free(0) || free(1) || free(BUFFERS - 1));
#endif
        find_free()
      :: else -> break
      od;
      assert(holders[found] & WRITER);
      first[found] = n + 2;
#ifndef DATA_LATE
      second[found] = n + 2;
#endif
#ifdef COMMIT_FIRST
      generation = latest / 4;
      latest = latest_of(generation + 1, found);
      holders[found] = holders[found] & ~WRITER;
#else
      holders[found] = holders[found] & ~WRITER;
      generation = latest / 4;
      latest = latest_of(generation + 1, found);
#endif
#ifdef DATA_LATE
      second[found] = n + 2;
#endif
      atomic { n++; found = 0; generation = 0 }
    :: else -> break
    od
  } unless { killed_writer };
  writer_gone = true
}

proctype reader(byte me) {
  byte n, b, word, before, value, last;
  bool finished;
  {
    /* join: the byte is this reader's; what an earlier one left is cleared. */
    do
    :: b < BUFFERS -> atomic { holders[b] = holders[b] & ~mark(me); b++ }
    :: else -> b = 0; break
    od;
    do
    :: n < PINS ->
      do /* pin */
      :: atomic { word = latest; b = word & 3 };
        assert(b < BUFFERS);
#ifdef BUFFERED_MARK
        before = holders[b];
        if
        :: !(before & WRITER) && latest == word -> holders[b] = holders[b] | mark(me); break
        :: else
        fi;
#else
        atomic { before = holders[b]; holders[b] = holders[b] | mark(me) };
        if
#ifdef NO_SECOND_LOOK
        :: !(before & WRITER) -> break
#else
        :: !(before & WRITER) && latest == word -> break
#endif
        :: else
        fi;
#endif
#ifndef KEEP_MARK
        holders[b] = holders[b] & ~mark(me);
#endif
        atomic { before = 0; b = 0; word = 0 };
        assert(!writer_gone || !(holders[latest & 3] & WRITER)) /* or he would look for ever */
      od;
      atomic { before = 0; word = 0 };
      value = first[b];
      atomic { assert(value >= last); last = value };
      assert(second[b] == value);
      assert(first[b] == value);
      holders[b] = holders[b] & ~mark(me); /* let_go */
      atomic { n++; b = 0; value = 0 }
    :: else -> break
    od;
    finished = true
  } unless { me == 0 && killed_reader };
  atomic { /* the byte of a killed reader goes with him; the others live on */
    byte_held[me] = finished;
    n = 0; b = 0; word = 0; before = 0; value = 0; last = 0; finished = false
  }
}

proctype killer() {
  skip;
#ifdef KILL_WRITER
  if
  :: killed_writer = true
  :: skip
  fi;
#endif
#ifdef KILL_READER
  if
  :: killed_reader = true
  :: skip
  fi;
#endif
  skip
}

init {
  byte m;
  atomic {
    do
    :: m < BUFFERS -> first[m] = 1; second[m] = 1; m++
    :: else -> m = 0; break
    od;
    do
    :: m < READERS -> byte_held[m] = true; run reader(m); m++
    :: else -> m = 0; break
    od;
    run writer();
#ifdef KILL_WRITER
    run killer()
#endif
#ifdef KILL_READER
    run killer()
#endif
  }
}
