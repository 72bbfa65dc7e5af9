/* The slots of a queue: core/shm/slots.cpp with ChannelMode::queue, and the sweep of core/shm/member.cpp.
 *
 * Property: nobody reads or writes the memory of a slot while another one writes it; every message that was published is
 * taken and given back by one consumer, unless drop_oldest took it away or as many as it may be handed to died with it;
 * the messages of one producer come to a consumer in their order, but for those that are handed out again; a message is
 * handed out at most DELIVERIES times, and twice only if somebody died; no slot stays with a dead member; no word is ever
 * impossible. Any member, and a sweeper, may be killed between any two accesses to memory.
 *
 * Follows, one statement for each access to a shared word: Slots::acquire_free, acquire_oldest, hold, publish,
 * find_oldest, look_until_sure, take, give_back, clean_slot, clean; Membership::sweep_now.
 * The order of plain stores (the message, the ticket) against the word that makes them visible is a mutation below: the
 * compare-and-swap of a word releases what was stored before it, so the model stores at once.
 * Waiting is wait.pml: here whoever found nothing goes on when there is something.
 *
 * scene order: -DSLOTS=3 -DPRODUCERS=1 -DCONSUMERS=1 -DEACH=4
 * scene again: -DSLOTS=2 -DPRODUCERS=1 -DCONSUMERS=2 -DEACH=3
 * scene producers: -DSLOTS=2 -DPRODUCERS=2 -DCONSUMERS=1 -DEACH=1 -DKILLS=1 -DVICTIMS=1
 * scene consumers: -DSLOTS=2 -DPRODUCERS=1 -DCONSUMERS=2 -DEACH=2 -DKILLS=1 -DVICTIMS=3
 * scene sweepers: -DSLOTS=1 -DPRODUCERS=1 -DCONSUMERS=2 -DEACH=1 -DKILLS=2 -DVICTIMS=10
 * scene letters: -DSLOTS=1 -DPRODUCERS=1 -DCONSUMERS=2 -DEACH=1 -DKILLS=1 -DVICTIMS=2 -DDELIVERIES=1
 * scene drop: -DSLOTS=2 -DPRODUCERS=2 -DCONSUMERS=1 -DEACH=1 -DDROP
 * scene drop_kill: -DSLOTS=1 -DPRODUCERS=2 -DCONSUMERS=1 -DEACH=1 -DDROP -DKILLS=1 -DVICTIMS=1
 * deep both: -DSLOTS=2 -DPRODUCERS=2 -DCONSUMERS=2 -DEACH=1 -DKILLS=1 -DVICTIMS=5
 * deep order_two: -DSLOTS=3 -DPRODUCERS=2 -DCONSUMERS=1 -DEACH=2
 * deep drops: -DSLOTS=2 -DPRODUCERS=2 -DCONSUMERS=1 -DEACH=2 -DDROP -DKILLS=1 -DVICTIMS=1
 *
 * mutation NO_SECOND_LOOK order: look_until_sure believes its first look
 * mutation SAME_GENERATION again: a slot that is given back keeps its generation
 * mutation TICKET_LATE order: the ticket is stored after the word says READY
 * mutation CONTENT_LATE order: the word says READY before the message is stored (a relaxed compare-and-swap)
 * mutation FREE_EARLY order: the consumer still reads after its word says FREE
 * mutation OWNER_LATE producers: state and owner are written in two steps
 * mutation NO_LOCK producers: the sweeper does not ask for the byte of the member
 * mutation KEEP_READING consumers: clean forgets slots that the member was reading
 * mutation KEEP_WRITING producers: clean forgets slots that the member was writing
 * mutation ONE_MORE letters: a message is handed out once more than it may
 * mutation DROP_READING drop_kill: acquire_oldest also takes what is being read
 */
#include "words.inc"
#ifndef KILLS
#define KILLS 0
#endif
#ifndef DELIVERIES
#define DELIVERIES 2
#endif
#ifndef VICTIMS
#define VICTIMS 0 /* a bit for each member that may be killed, and one for the sweeper behind them */
#endif
#define MEMBERS (PRODUCERS + CONSUMERS)
#define MESSAGES (PRODUCERS * EACH)

short word[SLOTS];
byte ticket[SLOTS], next_ticket;
byte content[SLOTS]; /* the message: 0 while half of it is written */

bool kill[MEMBERS + 1], gone[MEMBERS], byte_held[MEMBERS], swept[MEMBERS]; /* the last one to kill is a sweeper */
byte producing = PRODUCERS;

/* What the checker knows and the processes do not. */
mtype = { published, held, acknowledged, dropped, dead_letter };
mtype fate[MESSAGES];
byte inside[SLOTS], handed_out[MESSAGES];

#ifdef DROP
#define DROPS 1
#else
#define DROPS 0
#endif
#define id_of(p, i) ((p) * EACH + (i) + 1)

inline next() {
  i++; at = after(at)
}

inline acquire_free() {
  ok = false;
  atomic { i = 0; at = first_free };
  do
  :: atomic {
      i < SLOTS && !ok && mine == 0 ->
      if
      :: state_of(word[at]) == FREE -> mine = pack(WRITING, me, 0, generation_of(word[at]))
      :: else -> next()
      fi
    }
  :: atomic { /* hold: the compare-and-swap, which is all of it that others see */
      mine != 0 && !ok ->
      if
      :: word[at] == pack(FREE, 0, 0, generation_of(mine)) ->
        ok = true; slot = at; first_free = after(at);
#ifdef OWNER_LATE
        word[at] = pack(WRITING, 3, 0, generation_of(mine))
#else
        word[at] = mine
#endif
      :: else -> mine = 0; next()
      fi
    }
#ifdef OWNER_LATE
    if :: ok -> word[slot] = mine :: else fi
#endif
  :: atomic { (i >= SLOTS || ok) -> i = 0; at = 0; break }
  od
}

/* The ready one with the lowest ticket among `many` slots from `first` on: a load of each word, and one of the ticket. */
inline find_oldest(first, many, out_slot, out_word, out_ticket, out_place, out_all) {
  atomic { out_slot = NONE; out_ticket = 255; out_all = true; all_ready = true; i = 0; at = first };
  do
  :: atomic {
      i < many && w == 0 ->
      if
      :: state_of(word[at]) == READY -> w = word[at]
#ifdef DROP_READING
      :: state_of(word[at]) == READING && dropping -> out_slot = at; out_word = word[at]; out_ticket = 0; next()
#endif
      :: else -> all_ready = false; next()
      fi
    }
  :: atomic {
      w != 0 ->
      if
      :: out_slot == NONE || ticket[at] < out_ticket ->
        out_slot = at; out_word = w; out_ticket = ticket[at]; out_place = i; out_all = all_ready
      :: else
      fi;
      w = 0; next()
    }
  :: atomic { i >= many && w == 0 -> i = 0; at = 0; all_ready = false; break }
  od
}

inline acquire_oldest() {
  dropping = true;
  do
  :: find_oldest(0, SLOTS, f_slot, f_word, f_ticket, f_place, f_all);
    f_ticket = 0; f_place = 0; f_all = false;
    if
    :: f_slot == NONE -> f_slot = 0; acquire_free(); break
    :: else ->
      atomic { /* hold */
        if
        :: word[f_slot] == f_word ->
          ok = true; slot = f_slot;
          mine = next_generation(f_word, WRITING, me);
          word[slot] = mine;
          assert(fate[inside[slot] - 1] == published); fate[inside[slot] - 1] = dropped; inside[slot] = 0
        :: else
        fi;
        f_slot = 0; f_word = 0;
        if :: ok -> break :: else fi
      }
    fi
  od;
  dropping = false
}

proctype producer(byte me) {
  short mine, w, f_word;
  byte i, at, slot, n, t, f_slot, f_ticket, f_place, first_free;
  bool ok, f_all, all_ready, dropping, finished;
  {
    do
    :: n < EACH ->
      do
      :: acquire_free();
#ifdef DROP
        if :: !ok -> acquire_oldest() :: else fi;
#endif
        if
        :: ok -> break
        :: else -> skip
        fi;
        (state_of(word[0]) == FREE || state_of(word[SLOTS - 1]) == FREE || state_of(word[SLOTS / 2]) == FREE
#ifdef DROP
         || state_of(word[0]) == READY || state_of(word[SLOTS - 1]) == READY
#endif
        )
      od;
      content[slot] = 0;
#ifndef CONTENT_LATE
      content[slot] = id_of(me, n);
#endif
      atomic { t = next_ticket; next_ticket++ };
#ifndef TICKET_LATE
      ticket[slot] = t;
#endif
      d_step {
        assert(word[slot] == mine); /* or the channel is corrupt */
        inside[slot] = id_of(me, n); fate[inside[slot] - 1] = published;
        word[slot] = pack(READY, 0, 0, generation_of(mine))
      }
#ifdef TICKET_LATE
      ticket[slot] = t;
#endif
#ifdef CONTENT_LATE
      content[slot] = id_of(me, n);
#endif
      atomic { n++; mine = 0; t = 0; slot = 0 }
    :: else -> d_step { finished = true; producing-- }; break
    od
  } unless { kill[me] };
  if
  :: finished -> skip
  :: else -> d_step { producing--; byte_held[me] = false; gone[me] = true }
  fi
}

/* Everything is done: nothing is to be taken, and nobody is about to publish. */
#define over (producing == 0 && state_of(word[0]) == FREE && state_of(word[SLOTS - 1]) == FREE && \
              state_of(word[SLOTS / 2]) == FREE)
#define any_ready (state_of(word[0]) == READY || state_of(word[SLOTS - 1]) == READY || \
                   state_of(word[SLOTS / 2]) == READY)

proctype consumer(byte me) {
  short w, mine, f_word, p_word;
  byte i, at, id, f_slot, f_ticket, f_place, p_slot, p_ticket, p_place, first_ready, last[PRODUCERS];
  bool ok, f_all, all_ready, p_all, dropping, finished;
  {
    do
    :: true ->
      /* look_until_sure */
      do
      :: find_oldest(first_ready, SLOTS, f_slot, f_word, f_ticket, f_place, f_all);
#ifndef NO_SECOND_LOOK
        if
        :: f_slot == NONE || f_all -> break
        :: else -> skip
        fi;
        find_oldest(first_ready, f_place, p_slot, p_word, p_ticket, p_place, p_all);
        if
        :: p_slot == NONE || p_ticket > f_ticket -> break
        :: else -> skip
        fi
#else
        break
#endif
      od;
      atomic { p_word = 0; p_slot = 0; p_ticket = 0; p_place = 0; p_all = false; f_place = 0; f_all = false; f_ticket = 0 };
      if
      :: f_slot == NONE ->
        if
        :: atomic { any_ready -> f_slot = 0 }
        :: atomic { over -> finished = true; f_slot = 0; break }
        fi
      :: else ->
        d_step { /* hold */
          mine = pack(READING, me, deliveries_of(f_word) + 1, generation_of(f_word));
          ok = (word[f_slot] == f_word);
          if
          :: ok ->
            word[f_slot] = mine;
            id = inside[f_slot];
            assert(fate[id - 1] == published); fate[id - 1] = held;
            handed_out[id - 1]++;
            assert(handed_out[id - 1] <= DELIVERIES)
          :: else
          fi
        };
        if
        :: ok ->
          first_ready = after(f_slot);
          assert(content[f_slot] == id);
          d_step {
            if
            :: deliveries_of(mine) == 1 ->
              assert(((id - 1) % EACH) + 1 > last[(id - 1) / EACH]);
              last[(id - 1) / EACH] = ((id - 1) % EACH) + 1
            :: else -> assert(KILLS > 0)
            fi
          };
#ifndef FREE_EARLY
          assert(content[f_slot] == id);
#endif
          d_step { /* give_back */
            assert(word[f_slot] == mine); /* or the channel is corrupt */
            fate[id - 1] = acknowledged; inside[f_slot] = 0;
            word[f_slot] = next_generation(mine, FREE, 0)
          }
#ifdef FREE_EARLY
          assert(content[f_slot] == id);
#endif
        :: else
        fi;
        atomic { id = 0; mine = 0; f_word = 0; f_slot = 0; ok = false }
      fi
    od
  } unless { kill[me] };
  if
  :: finished -> skip
  :: else -> d_step { byte_held[me] = false; gone[me] = true }
  fi
}

inline clean(member) {
  do
  :: atomic {
      at < SLOTS && w == 0 ->
      if
#ifndef KEEP_READING
      :: state_of(word[at]) == READING && owner_of(word[at]) == member -> w = word[at]
#endif
#ifndef KEEP_WRITING
      :: state_of(word[at]) == WRITING && owner_of(word[at]) == member -> w = word[at]
#endif
      :: else -> at++
      fi
    }
  :: atomic {
      w != 0 ->
      if
      :: word[at] != w
      :: word[at] == w && state_of(w) == WRITING -> word[at] = next_generation(w, FREE, 0)
#ifdef ONE_MORE
      :: word[at] == w && state_of(w) == READING && deliveries_of(w) <= DELIVERIES ->
#else
      :: word[at] == w && state_of(w) == READING && deliveries_of(w) < DELIVERIES ->
#endif
        word[at] = pack(READY, 0, deliveries_of(w), generation_of(w)); fate[inside[at] - 1] = published
      :: else ->
        word[at] = next_generation(w, FREE, 0); fate[inside[at] - 1] = dead_letter; inside[at] = 0
      fi;
      w = 0; at++
    }
  :: atomic { at == SLOTS && w == 0 -> at = 0; break }
  od
}

/* Two of them, of which one may be killed half-way; the place of a dead member is taken by nobody else here. */
proctype sweeper(byte me) {
  short w;
  byte at, member;
  bool have;
  {
    do
    :: true ->
end_idle:
      if
#ifdef NO_LOCK
      :: KILLS > 0 && !swept[0] -> member = 0; have = true
      :: KILLS > 0 && !swept[MEMBERS - 1] -> member = MEMBERS - 1; have = true
#endif
      :: atomic { !byte_held[0] && !swept[0] -> member = 0; byte_held[0] = true; have = true }
      :: atomic { !byte_held[MEMBERS - 1] && !swept[MEMBERS - 1] ->
                  member = MEMBERS - 1; byte_held[MEMBERS - 1] = true; have = true }
      :: atomic { !byte_held[1] && !swept[1] -> member = 1; byte_held[1] = true; have = true }
      :: atomic { !byte_held[MEMBERS - 2] && !swept[MEMBERS - 2] ->
                  member = MEMBERS - 2; byte_held[MEMBERS - 2] = true; have = true }
      fi;
      clean(member);
      atomic { swept[member] = true; byte_held[member] = false; have = false; member = 0; w = 0 }
    od
  } unless { me == MEMBERS && kill[MEMBERS] };
  atomic { if :: have -> byte_held[member] = false :: else fi; have = false; member = 0; at = 0; w = 0 }
}

proctype killer() {
  byte left = KILLS, victim;
  do
  :: left > 0 ->
    if
    :: VICTIMS & 1 -> victim = 0
    :: VICTIMS & 2 -> victim = 1
    :: VICTIMS & 4 -> victim = 2
    :: VICTIMS & 8 -> victim = 3
    :: break
    fi;
    atomic { kill[victim] = true; victim = 0; left-- }
  :: else -> break
  od
}

proctype checker() {
  byte m;
  atomic {
    over;
    do
    :: m < MESSAGES ->
      assert(fate[m] == acknowledged || (fate[m] == dropped && DROPS) || (KILLS > 0 && (fate[m] == dead_letter || fate[m] == 0)));
      assert(handed_out[m] <= 1 || KILLS > 0);
      m++
    :: else -> m = 0; break
    od
  }
}

init {
  byte m;
  atomic {
    do
    :: m < PRODUCERS -> byte_held[m] = true; run producer(m); m++
    :: m >= PRODUCERS && m < MEMBERS -> byte_held[m] = true; run consumer(m); m++
    :: m >= MEMBERS -> break
    od;
    run checker();
    if
    :: KILLS > 0 -> run killer(); run sweeper(MEMBERS)
    :: else
    fi;
    if
    :: KILLS > 1 -> run sweeper(MEMBERS + 1)
    :: else
    fi;
    m = 0
  }
}
