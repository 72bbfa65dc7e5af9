#include "tests/bench/instructions.h"

#include "tests/bench/setup.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

namespace bench {

void count_instructions(const std::string& name, const Rows::SetUp& set_up, int calls, Counted counted) {
#ifdef CALLGRIND_START_INSTRUMENTATION
  if (!RUNNING_ON_VALGRIND) stop("--instructions needs valgrind: run tests/bench/instructions");
  Row row;
  set_up(row);
  if (row.by_samples() || row.takes_long()) return;
  const Row::Part& part = counted == Counted::ours || row.floors().empty() ? row.ours() : row.floors()[0];
  part.sample(3);
  CALLGRIND_START_INSTRUMENTATION;
  part.sample(1);  // once more, as what callgrind sees first it has to translate
  CALLGRIND_ZERO_STATS;
  CALLGRIND_TOGGLE_COLLECT;
  part.sample(calls);
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
#else
  static_cast<void>(name), static_cast<void>(set_up), static_cast<void>(calls);
  stop("--instructions needs the header valgrind/callgrind.h (Debian: valgrind) when the benchmark is built");
#endif
}

}  // namespace bench
