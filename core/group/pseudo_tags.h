// The tags that stock Python chooses with pseudo_rand=True: each is what NumPy's generator draws for the one before.
#pragma once

#include <cstdint>

namespace td::group {

int32_t next_pseudo_tag(int32_t tag);

}  // namespace td::group
