/* The counter of a segment that is updated in place: Segment::write_leaves and Segment::version of core/shm/segment.cpp.
 *
 * Property: who has read the same even number before and after he read the tensors has seen no part of an update that this
 * number does not count, also when the writer was killed in the middle.
 *
 * Follows, one statement for each access to memory that others see: the odd number, a fence, the bytes, the even number.
 * Three orders are relied on: the odd number before the bytes (the fence), the bytes before the even number (the release), and
 * what the reader reads before his second look (the fence in version()). A mutation turns each around, as a store buffer that
 * keeps no order, or a load that is done early, would. In between the model stores and loads in order: no two stores of the bytes,
 * and no two loads of them, need one.
 *
 * scene updates: -DUPDATES=3
 * scene kill: -DUPDATES=3 -DKILL
 *
 * mutation ODD_LATE updates: the odd number is still in the store buffer when the first bytes come out of it
 * mutation EVEN_EARLY updates: the even number comes out of the store buffer before the last bytes
 * mutation LOOK_EARLY updates: the second look is done before the last bytes are read
 * mutation NO_ODD updates: there is no odd number
 * mutation NO_PARITY updates: a reader does not ask whether the number is even
 */
byte version, bytes[2];
bool kill;

proctype writer() {
  byte n;
  {
    do
    :: n < UPDATES ->
      n++;
#ifndef ODD_LATE
#ifndef NO_ODD
      version = 2 * n - 1;
#endif
#endif
      bytes[0] = n;
#ifdef ODD_LATE
      version = 2 * n - 1;
#endif
#ifdef EVEN_EARLY
      version = 2 * n;
      bytes[1] = n
#else
      bytes[1] = n;
      version = 2 * n
#endif
    :: else -> break
    od
  } unless { kill }
}

proctype reader() {
  byte before, again, a, b, looks;
  do
  :: looks < 2 ->
    before = version;
    a = bytes[0];
#ifdef LOOK_EARLY
    again = version;
    b = bytes[1];
#else
    b = bytes[1];
    again = version;
#endif
    atomic {
#ifdef NO_PARITY
      assert(before != again || (a == b && a == before / 2));
#else
      assert(before != again || before % 2 == 1 || (a == b && a == before / 2));
#endif
      before = 0; again = 0; a = 0; b = 0; looks++
    }
  :: else -> break
  od
}

proctype killer() {
  if
  :: kill = true
  :: skip
  fi
}

init {
  atomic {
    run writer();
    run reader();
#ifdef KILL
    run killer()
#endif
  }
}
