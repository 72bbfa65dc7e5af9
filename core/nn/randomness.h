#pragma once

namespace td {

// Says what members of a vmap draw: nothing, each numbers of its own, or all the same.
enum class Randomness { error, different, same };

}  // namespace td
