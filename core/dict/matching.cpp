#include "core/dict/matching.h"

#include "core/error.h"

namespace td {

namespace {

const char* kind_of(const Entry& e) {
  return e.is_node() ? "a dict" : e.is_tensor() ? "a tensor" : "data";
}

}  // namespace

Entry matching(const Entry& e, Entry found, const Path& path) {
  if (!found) throw Error(Code::key, "the other dict has no such entry").key(to_string(path));
  if (found.is_node() != e.is_node() || found.is_tensor() != e.is_tensor())
    throw Error(Code::key,
                std::string("the entry is ") + kind_of(e) + ", but in the other dict it is " + kind_of(found))
        .key(to_string(path));
  return found;
}

}  // namespace td
