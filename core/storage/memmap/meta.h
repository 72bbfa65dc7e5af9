// The words and limits of meta.json, in which a directory says what it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/levels.h"

namespace td::storage {

inline constexpr std::string_view python_tensordict = "tensordict._td.TensorDict",
                                  python_lazy = "tensordict._lazy.LazyStackedTensorDict",
                                  python_data = "tensordict.tensorclass.NonTensorData",
                                  python_metadata = "tensordict.tensorclass.MetaData",
                                  python_stack = "tensordict.tensorclass.NonTensorStack",
                                  python_sub_view = "tensordict._td._SubTensorDict",
                                  python_persistent = "tensordict.persistent.PersistentTensorDict";
// "TensorDict" of "tensordict._td.TensorDict".
std::string bare_class(std::string_view python_class);
// "tensordict:TensorDict" of it: as Python's tensordict exports it.
std::string public_class(std::string_view python_class);
inline constexpr const char *pickled_value = "other.pickle", *pickled_list = "pickle.pkl",
                            *tensorclass_inside = "_tensordict", *view_source = "_source";
// The version of the layout that is written; older saves have none.
inline constexpr int64_t newest_format = 1;
// A tensorclass has a directory inside its own, and a list one for each of its dims.
inline constexpr size_t deepest_directory = 2 * max_levels + 80;
inline constexpr int64_t longest_meta = int64_t{256} << 20;

}  // namespace td::storage
