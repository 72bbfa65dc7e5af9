/* The slots of a broadcast: core/shm/slots.cpp with ChannelMode::broadcast; joining, leaving and sweeping of
 * core/shm/member.cpp.
 *
 * Property: nobody reads the memory of a slot while another one writes it; every subscriber that is there when a message is
 * published takes it once and gives it back, or loses it to drop_oldest, which says so in `lost`; the messages of one
 * producer come to a subscriber in their order; no word is ever impossible, also when two threads share one membership;
 * no slot waits for a member that died, or that left and whose place another one took. Any member may be killed between
 * any two accesses to memory.
 *
 * Follows, one statement for each access to a shared word: Slots::acquire_free, acquire_oldest, publish, find_oldest,
 * take, claim_broadcast, unclaim, give_back, clean_slot, clean; Membership::join, leave, sweep_now.
 * In the scene `threads`, whose subject is a claim that comes late while a producer is killed, acquiring and cleaning are
 * one step each, and a producer begins when the one that may be killed is done; the other scenes have the steps.
 * There is one slot, so that the order of looking is that of queue.pml, which models it.
 *
 * scene two: -DPRODUCERS=2 -DREADERS=2 -DEACH=1
 * scene drop: -DPRODUCERS=2 -DREADERS=2 -DEACH=1 -DDROP
 * scene kill_producer: -DPRODUCERS=2 -DREADERS=1 -DEACH=1 -DDROP -DVICTIM=2
 * scene kill_reader: -DPRODUCERS=1 -DREADERS=2 -DEACH=2 -DVICTIM=1
 * scene threads: -DPRODUCERS=2 -DREADERS=1 -DTHREADS=2 -DEACH=1 -DDROP -DVICTIM=2 -DFILLED -DCOARSE
 * scene leave: -DPRODUCERS=1 -DREADERS=2 -DEACH=2 -DLEAVE
 * deep drop_more: -DPRODUCERS=2 -DREADERS=2 -DEACH=2 -DDROP
 * deep drop_kill: -DPRODUCERS=2 -DREADERS=2 -DEACH=1 -DDROP -DVICTIM=2
 *
 * mutation PLAIN_STORE threads: publish stores `readers` over a claim that comes late
 * mutation NO_LOOK_BACK leave: publish does not look again who left meanwhile
 * mutation NO_WORD_CHECK drop: a claim is not compared with the message it was meant for
 * mutation UNCLAIM_LOSES drop: a claim that came late is dropped instead of put back
 * mutation READERS_LATE two: `readers` is stored after the word says READY
 * mutation DROP_BLINDLY drop: acquire_oldest takes the bits away without comparing them
 * mutation GIVE_BACK_STORES two: the bits of a reader are taken away by a load and a store
 * mutation KEEP_BITS kill_reader: clean forgets the bits of a reader
 * mutation WORD_FIRST drop: acquire_oldest takes the slot although somebody is reading it
 */
#include "words.inc"
#define SLOTS 1
#ifndef THREADS
#define THREADS 1
#endif
#ifndef VICTIM
#define VICTIM 9
#endif
#define MEMBERS (PRODUCERS + READERS)
#define MESSAGES (PRODUCERS * EACH)

/* Two bits for each subscriber, whose places are the first ones. */
#define queued(m) (1 << (2 * (m)))
#define claimed(m) (2 << (2 * (m)))
#define both(m) (3 << (2 * (m)))
#define all_queued 5
#define all_claimed 10
/* One queued bit for each of two subscribers of the mask. */
#define queued_for(mask) (((mask) & 1) + 4 * (((mask) >> 1) & 1))

short word;
byte readers, ticket, next_ticket, consumers, content;

bool kill, byte_held[MEMBERS], left_behind; /* a lock byte for each place */
byte producing = PRODUCERS;

/* What the checker knows and the processes do not. */
byte inside, due[MESSAGES + 2], got[MESSAGES + 2], lost[MESSAGES + 2], dead;

#define id_of(p, i) (((p) - READERS) * EACH + (i) + 1)

#ifdef DROP
#define to_be_had (state_of(word) == FREE || (state_of(word) == READY && (readers & all_claimed) == 0))
#else
#define to_be_had (state_of(word) == FREE || (state_of(word) == READY && readers == 0))
#endif

inline acquire_free() {
  ok = false;
  w = word + 1; /* never 0 */
  if
  :: atomic { state_of(w - 1) == FREE -> mine = pack(WRITING, me, 0, generation_of(w - 1)) }
  :: atomic { state_of(w - 1) == READY && readers == 0 -> mine = next_generation(w - 1, WRITING, me) }
  :: atomic { state_of(w - 1) != FREE && (state_of(w - 1) != READY || readers != 0) -> w = 0 }
  fi;
  if
  :: w == 0
  :: atomic { /* hold */
      w != 0 ->
      if
      :: word == w - 1 -> word = mine; ok = true
      :: else -> mine = 0
      fi;
      w = 0
    }
  fi
}

inline acquire_oldest() {
  do
  :: f_word = word; /* find_oldest */
    if
    :: atomic { state_of(f_word) == READY && (readers & all_claimed) == 0 -> skip }
    :: atomic { state_of(f_word) != READY || (readers & all_claimed) != 0 -> f_word = 0 }
    fi;
    if
    :: f_word == 0 -> acquire_free(); break
    :: else ->
#ifdef WORD_FIRST
      r = 0;
#else
      r = readers;
      if
      :: (r & all_claimed) != 0 -> r = 255
      :: else ->
        atomic {
          if
#ifndef DROP_BLINDLY
          :: readers != r -> r = 255
#endif
          :: else -> lost[inside] = lost[inside] | ((readers & 1) + ((readers >> 2) & 1) * 2); readers = 0
          fi
        }
      fi;
#endif
      if
      :: atomic { r == 255 -> r = 0; f_word = 0 }
      :: atomic { /* hold */
          r != 255 ->
          if
          :: word == f_word -> mine = next_generation(f_word, WRITING, me); word = mine; ok = true
          :: else
          fi;
          r = 0; f_word = 0;
          if :: ok -> break :: else fi
        }
      fi
    fi
  od
}

inline publish() {
  atomic { t = next_ticket; next_ticket++ };
  ticket = t;
#ifndef READERS_LATE
  mask = consumers;
#ifdef PLAIN_STORE
  atomic { readers = queued_for(mask); inside = id_of(origin, n) };
#else
  do
  :: r = readers;
    atomic { /* what is claimed stays so until whoever came late sees that */
      if
      :: readers == r ->
        r = (r & all_claimed);
        readers = r | (queued_for(mask) & ~(r >> 1)); inside = id_of(origin, n); r = 0; break
      :: else -> r = 0
      fi
    }
  od;
#endif
#ifndef NO_LOOK_BACK
  if
  :: atomic { (mask & ~consumers) != 0 -> t = mask & ~consumers; mask = mask & consumers };
    readers = readers & ~(3 * queued_for(t))
  :: (mask & ~consumers) == 0
  fi;
#endif
#endif
  atomic {
    assert(word == mine); /* or the channel is corrupt */
#ifdef READERS_LATE
    mask = consumers; inside = id_of(origin, n);
#endif
    due[inside] = mask;
    word = pack(READY, 0, 0, generation_of(mine))
  };
#ifdef READERS_LATE
  readers = queued_for(mask);
#endif
  mask = 0; t = 0; mine = 0
}

inline produce() {
#ifdef FILLED
  (me == VICTIM || producing < PRODUCERS); /* the others come after the one that may be killed */
#endif
  do
  :: n < EACH ->
#ifdef COARSE
    atomic {
      to_be_had;
      if :: state_of(word) == READY -> lost[inside] = lost[inside] | (readers & 1); mine = next_generation(word, WRITING, me); readers = 0
      :: else -> mine = pack(WRITING, me, 0, generation_of(word))
      fi;
      word = mine; content = 0
    };
#else
    do
    :: acquire_free();
#ifdef DROP
      if :: !ok -> acquire_oldest() :: else fi;
#endif
      if
      :: ok -> break
      :: else -> skip
      fi;
      to_be_had
    od;
    content = 0;
#endif
    content = id_of(origin, n);
    publish();
    atomic { n++; ok = false }
  :: atomic { n == EACH -> n = 0; producing--; finished = true; break }
  od
}

proctype producer(byte me) {
  short w, mine, f_word;
  byte r, n, t, mask, origin = me;
  bool ok, finished;
  {
    produce()
  } unless { me == VICTIM && kill };
  if
  :: finished
  :: else -> atomic { producing--; byte_held[me] = false; left_behind = true; w = 0; mine = 0; f_word = 0; r = 0; n = 0; t = 0; mask = 0 }
  fi
}

#ifdef COARSE
inline clean(member) {
  atomic {
    consumers = consumers & ~(1 << member); readers = readers & ~both(member);
    if
    :: state_of(word) == WRITING && owner_of(word) == member -> word = next_generation(word, FREE, 0)
    :: else
    fi
  }
}
#else
inline clean(member) {
  atomic { consumers = consumers & ~(1 << member) };
  w = word;
  if
  :: state_of(w) == WRITING && owner_of(w) == member ->
    atomic { if :: word == w -> word = next_generation(w, FREE, 0) :: else fi }
  :: else
  fi;
  w = 0;
#ifndef KEEP_BITS
  if
  :: (readers & both(member)) != 0 -> readers = readers & ~both(member)
  :: (readers & both(member)) == 0
  fi
#else
  skip
#endif
}
#endif

/* A message for this subscriber is there; or all are over. */
#define for_me (state_of(word) == READY && (readers & both(me)) == queued(me))
#define over (producing == 0 && !left_behind && (state_of(word) == FREE || (state_of(word) == READY && (readers & both(me)) == 0)))

proctype subscriber(byte me; byte stays) {
  short w, f_word;
  byte r, id, last[PRODUCERS + 1];
  bool ok, finished;
  {
    do
    :: stays == 0 -> break
    :: else ->
      f_word = word;
      if
      :: atomic { state_of(f_word) == READY && (readers & both(me)) == queued(me) -> skip };
        ok = false;
        do /* claim_broadcast */
        :: r = readers;
          if
          :: (r & both(me)) != queued(me) -> break
          :: else ->
            atomic {
              if
              :: readers == r -> readers = (r & ~both(me)) | claimed(me); ok = true; r = 0; break
              :: else -> r = 0
              fi
            }
          fi
        od;
        r = 0;
#ifndef NO_WORD_CHECK
        if
        :: ok && word != f_word -> /* unclaim */
          do
#ifdef UNCLAIM_LOSES
          :: atomic { readers = readers & ~both(me); break }
#else
          :: r = readers;
            if
            :: (r & both(me)) != claimed(me) -> break
            :: else ->
              atomic {
                if
                :: readers == r -> readers = (r & ~both(me)) | queued(me); r = 0; break
                :: else -> r = 0
                fi
              }
            fi
#endif
          od;
          atomic { ok = false; r = 0 }
        :: !ok
        :: ok && word == f_word
        fi;
#endif
        if
        :: ok ->
          id = content;
          atomic {
            assert(id != 0 && id == inside);
            assert((got[id] & (1 << me)) == 0 && (due[id] & (1 << me)) != 0);
            assert(THREADS > 1 || ((id - 1) % EACH) + 1 > last[(id - 1) / EACH]);
            last[(id - 1) / EACH] = (THREADS > 1 -> 0 : ((id - 1) % EACH) + 1)
          };
          assert(content == id);
          atomic { got[id] = got[id] | (1 << me); id = 0 };
#ifdef GIVE_BACK_STORES
          r = readers;
          readers = r & ~both(me);
          r = 0
#else
          atomic {
            assert((readers & both(me)) == claimed(me)); /* or the channel is corrupt */
            readers = readers & ~both(me)
          }
#endif
        :: else
        fi;
        atomic { ok = false; f_word = 0; if :: stays < 9 -> stays-- :: else fi }
      :: atomic { state_of(f_word) != READY || (readers & both(me)) != queued(me) -> f_word = 0 };
        if
        :: for_me
        :: over && stays == 9 -> break
        :: stays < 9 -> break
        fi
      fi
    od;
    finished = true
  } unless { me == VICTIM && kill };
  if
  :: finished
  :: else -> atomic { byte_held[me] = false; left_behind = true; dead = dead | (1 << me); f_word = 0; r = 0; id = 0; ok = false; w = 0 }
  fi;
#ifdef LEAVE
  /* Membership::leave, then the byte goes with the descriptor, and a producer takes the place. */
  if
  :: me == 1 ->
    dead = dead | 2;
    clean(1);
    atomic { byte_held[1] = false; f_word = 0 };
    run newcomer(1)
  :: else
  fi
#endif
}

/* Joins as a producer, and stays as long as the channel is there. */
proctype newcomer(byte me) {
  short w;
  atomic { !byte_held[me] -> byte_held[me] = true };
  clean(me)
}

proctype sweeper() {
  short w;
  byte member;
  do
  :: true ->
end_idle:
    atomic {
      if
      :: left_behind && !byte_held[0] -> member = 0
      :: left_behind && !byte_held[1] -> member = 1
      :: MEMBERS > 2 && left_behind && !byte_held[MEMBERS - 1] -> member = MEMBERS - 1
      :: MEMBERS > 2 && left_behind && !byte_held[2] -> member = 2
      fi;
      byte_held[member] = true
    };
    clean(member);
    atomic { left_behind = false; member = 0 }
  od
}

proctype killer() {
  if
  :: kill = true
  :: skip
  fi
}

proctype checker() {
  byte m;
end_unless_all_is_over:
  atomic {
    producing == 0 && !left_behind && (state_of(word) == FREE || (state_of(word) == READY && readers == 0));
    do
    :: m < MESSAGES -> m++; assert((due[m] & ~(got[m] | lost[m] | dead)) == 0)
    :: else -> m = 0; break
    od
  }
}

init {
  byte m;
  atomic {
    consumers = (1 << READERS) - 1;
#ifdef FILLED /* with a message for the first subscriber */
    word = pack(READY, 0, 0, 1); readers = queued(0); inside = MESSAGES + 1; content = inside; due[inside] = 1;
#endif
    do
    :: m < READERS ->
      byte_held[m] = true;
#ifdef LEAVE
      run subscriber(m, (m == 1 -> 1 : 9));
#elif defined(FILLED) /* each thread looks once: nobody may be left to take the last message */
      run subscriber(m, 1);
      run subscriber(m, 1);
#else
      run subscriber(m, 9);
#endif
      m++
    :: m >= READERS && m < MEMBERS -> byte_held[m] = true; run producer(m); m++
    :: m >= MEMBERS -> break
    od;
    m = 0;
    run checker();
    if
    :: VICTIM < 9 -> run killer(); run sweeper()
    :: else
    fi
  }
}
