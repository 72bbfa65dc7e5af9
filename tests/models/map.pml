/* An index map in shared memory: core/query/map_words.cpp, and IndexTable::find of core/query/index_table.h.
 *
 * Property: a reader finds every hash whose index is below the count that he read, under this index, and nothing else,
 * while one writer appends batches, takes some back, grows the table and may be killed between any two stores; what a batch
 * adds is there atomically; the next writer goes on from the count, and when it has taken over, or has taken a batch
 * back, no slot points past the count, so that nothing that is cleared later stands in front of what stays.
 *
 * Follows, one statement for each access to memory that others see: MapReader::count, generation, look_up; MapWriter::
 * take_over, extend, make_room, find_or_append, keep, undo, place, grow; IndexTable::find. Blocks of a batch have one row.
 * All hashes begin at the same slot but one, which comes behind it: the longest chains that there can be.
 *
 * There is one writer at a time, which reads what it alone writes, so a store buffer that keeps the order of stores is a slow
 * writer. Each order that a release or an acquire keeps has a mutation that turns it around: *_LATE, GENERATION_FIRST. That a
 * hash is stored before its slot is not relied on: nobody follows the slot before the count.
 * IndexTable::find_all finds the same in other steps: it believes a look at eight slots only if that ends at an empty one,
 * or at a slot whose hash, below the count, is the wanted one; else it calls find.
 *
 * scene grow: -DKILLS=0
 * scene kill: -DKILLS=1
 * deep kills: -DKILLS=2
 * deep two_looks: -DKILLS=1 -DLOOKS=2
 *
 * mutation SLOT_LATE grow: the last slot of a batch is stored after the count
 * mutation HASH_LATE grow: the last hash of a batch is stored after the count
 * mutation GENERATION_LATE grow: the generation is stored after the count
 * mutation GENERATION_FIRST grow: a reader reads the generation before the count
 * mutation READ_PAST grow: a reader follows slots past the count
 * mutation COUNT_EACH grow: the count is stored for each row
 * mutation GROW_UNSORTED grow: what is not there for all goes into a new table first
 * mutation UNDO_FORWARD grow: a batch is taken back from its first row on
 * mutation ERASE_KEPT grow: taking a batch back takes a row more
 * mutation NO_CLEAR kill: the next writer does not clear the slots past the count
 * mutation MARK_LATE kill: `unfinished` is stored after the slots
 * mutation DONE_FIRST kill: `unfinished` goes before the count comes
 * mutation NO_LOCK kill: the next writer does not wait for the end of the last
 */
#ifndef LOOKS
#define LOOKS 1
#endif
#define CAPACITY 4
#define slots(g) ((g) -> 6 : 3)
#define first_slot(g) ((g) -> 3 : 0)
#define limit(g) ((g) -> 4 : 2) /* of five slots four may be used; of these small tables, all but one */
#define ALL 9
/* The high part is the tag, which is the hash itself. */
#define slot_of(hash, index) ((hash) * 8 + (index) + 1)
#define tag_of(slot) ((slot) / 8)
#define index_of(slot) (((slot) & 7) - 1)
#define home(hash) ((hash) == 3 -> 1 : 0)

byte count, generation, hashes[CAPACITY + 1], slot[ALL];
bool unfinished;
bool locked = true, kill, alive = true;
byte turn; /* which batch comes next */

/* What the checker knows and the processes do not: where each hash is, plus one. */
byte there[5];

inline next_at() {
  at++;
  if :: at == slots(g) -> at = 0 :: else fi
}

inline store_slot(where, value) {
#ifdef SLOT_LATE
  late_at = where; late = value
#else
  slot[where] = value
#endif
}

inline place(what) {
  atomic {
    at = home(tag_of(what));
    do
    :: slot[first_slot(g + 1) + at] != 0 -> at++; if :: at == slots(g + 1) -> at = 0 :: else fi
    :: else -> break
    od;
    slot[first_slot(g + 1) + at] = what; at = 0
  }
}

/* The kept ones in one walk, the others behind them. */
inline place_all(first_pass) {
  i = 0;
  do
  :: i < slots(g) ->
    if
    :: slot[i] != 0 && index_of(slot[i]) < all && ((index_of(slot[i]) < kept) == first_pass) -> place(slot[i])
    :: else
    fi;
    i++
  :: else -> i = 0; break
  od
}

inline grow() {
  atomic { /* MapSpace::slots: the kernel's zeros, of which no reader knows yet */
    i = first_slot(g + 1);
    do
    :: i < ALL -> slot[i] = 0; i++
    :: else -> i = 0; break
    od
  };
#ifdef GROW_UNSORTED
  place_all(false);
  place_all(true);
#else
  place_all(true);
  place_all(false);
#endif
  g++;
#ifndef GENERATION_LATE
  generation = g
#endif
}

inline append(hash) {
#ifndef MARK_LATE
  unfinished = true;
#endif
  if
  :: all + 1 > limit(g) && g == 0 -> grow()
  :: else
  fi;
  atomic {
    at = home(hash);
    do
    :: slot[first_slot(g) + at] != 0 -> next_at()
    :: else -> break
    od
  };
#ifdef HASH_LATE
  late = hash; late_at = all;
#else
  hashes[all] = hash;
#endif
  atomic {
#ifdef SLOT_LATE
    if :: late != 0 -> slot[late_at] = late :: else fi;
#endif
    store_slot(first_slot(g) + at, slot_of(hash, all)); all++; at = 0
  };
#ifdef MARK_LATE
  unfinished = true;
#endif
#ifdef COUNT_EACH
  atomic { count = all; there[hash] = all }
#endif
}

inline keep() {
#ifdef DONE_FIRST
  unfinished = false;
#endif
  atomic { /* the store of the count, at which the batch is there */
    kept = all; count = all;
    if :: first != 0 -> there[first] = all - (second != 0) :: else fi;
    if :: second != 0 -> there[second] = all :: else fi
  };
#ifdef SLOT_LATE
  if :: late != 0 -> slot[late_at] = late; late = 0 :: else fi;
#endif
#ifdef HASH_LATE
  hashes[late_at] = late;
#endif
#ifdef GENERATION_LATE
  generation = g;
#endif
  unfinished = false
}

#ifdef UNDO_FORWARD
#define undone (kept + all - 1 - i)
#else
#define undone i
#endif

inline undo() {
#ifdef SLOT_LATE
  if :: late != 0 -> slot[late_at] = late; late = 0 :: else fi;
#endif
#ifdef HASH_LATE
  hashes[late_at] = late;
#endif
#ifdef GENERATION_LATE
  generation = g;
#endif
#ifdef ERASE_KEPT
  if :: kept > 0 -> kept-- :: else fi;
#endif
  i = all;
  do
  :: i > kept ->
    atomic {
      i--;
      at = home(hashes[undone]); probes = 0;
      do
      :: probes < slots(g) && slot[first_slot(g) + at] != 0 &&
         slot[first_slot(g) + at] != slot_of(hashes[undone], undone) -> next_at(); probes++
      :: else -> break
      od;
      if
      :: slot[first_slot(g) + at] == slot_of(hashes[undone], undone) -> slot[first_slot(g) + at] = 0
      :: else
      fi;
      at = 0; probes = 0
    }
  :: else -> break
  od;
  all = kept;
  i = 0;
  unfinished = false
}

inline no_slot_past(limit_of) {
  atomic {
    i = first_slot(g);
    do
    :: i < first_slot(g) + slots(g) -> assert(slot[i] == 0 || index_of(slot[i]) < limit_of); i++
    :: else -> i = 0; break
    od
  }
}

proctype writer(byte me) {
  byte g, kept, all, at, i, probes, first, second, late, late_at;
  bool finished;
  {
    /* take_over: the lock first */
    if
    :: me == 0
#ifdef NO_LOCK
    :: me > 0 -> skip
#else
    :: atomic { me > 0 && !locked -> locked = true; alive = true; kill = false }
#endif
    fi;
    atomic { all = count; kept = all };
    g = generation;
    if
    :: unfinished ->
#ifndef NO_CLEAR
      i = first_slot(g);
      do
      :: i < first_slot(g) + slots(g) ->
        atomic { if :: slot[i] != 0 && index_of(slot[i]) >= all -> slot[i] = 0 :: else fi; i++ }
      :: else -> i = 0; break
      od;
#endif
      unfinished = false
    :: else
    fi;
    no_slot_past(all);
    do
    :: turn < 3 ->
      atomic {
        if
        :: turn == 0 -> first = 1
        :: turn == 1 -> first = 2; second = 3
        :: turn == 2 -> first = 4
        fi;
        turn++
      };
      append(first);
      if
      :: second != 0 -> append(second)
      :: else
      fi;
      if
      :: keep()
      :: undo(); no_slot_past(kept)
      fi;
      atomic { first = 0; second = 0; all = kept }
    :: else -> break
    od;
    finished = true
  } unless { kill && me < KILLS };
  atomic { /* the lock goes with him, killed or not */
    locked = false; alive = false; finished = false;
    g = 0; kept = 0; all = 0; at = 0; i = 0; probes = 0; first = 0; second = 0; late = 0; late_at = 0
  }
}

proctype reader() {
  byte n, wanted, below, g, at, probes, s, expected, found;
  do
  :: n < LOOKS ->
    if
    :: wanted = 1
    :: wanted = 2
    :: wanted = 3
    :: wanted = 4
    fi;
#ifdef GENERATION_FIRST
    g = generation;
#endif
    atomic { below = count; expected = (there[wanted] <= below -> there[wanted] : 0) };
#ifndef GENERATION_FIRST
    g = generation;
#endif
    at = home(wanted);
    do /* IndexTable::find */
    :: atomic {
        probes < slots(g) && found == 0 && s == 0 ->
        s = slot[first_slot(g) + at];
        if
        :: s == 0 -> break
        :: tag_of(s) != wanted -> s = 0; probes++; next_at()
        :: else
        fi
      }
    :: atomic {
        s != 0 ->
#ifdef READ_PAST
        if :: hashes[index_of(s)] == wanted -> found = index_of(s) + 1 :: else fi;
#else
        if :: index_of(s) < below && hashes[index_of(s)] == wanted -> found = index_of(s) + 1 :: else fi;
#endif
        s = 0; probes++; next_at()
      }
    :: atomic { (probes >= slots(g) || found != 0) && s == 0 -> break }
    od;
    atomic {
      assert(found == expected);
      n++; wanted = 0; below = 0; g = 0; at = 0; probes = 0; s = 0; expected = 0; found = 0
    }
  :: else -> break
  od
}

proctype killer() {
  byte n;
  do
  :: n < KILLS && alive -> atomic { kill = true; n++ }; !kill || !alive
  :: break
  od
}

init {
  byte m;
  atomic {
    run writer(0);
    do
    :: m < KILLS -> m++; run writer(m)
    :: else -> m = 0; break
    od;
    run reader();
    if :: KILLS > 0 -> run killer() :: else fi
  }
}
