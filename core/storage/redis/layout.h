// What a server says of a dict besides its values, checked: the keys as Python's TensorDictStore names them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/dict/persistent/persistent.h"
#include "core/error.h"
#include "core/storage/redis/address.h"
#include "core/storage/redis/leaf.h"
#include "core/storage/redis/protocol.h"

namespace td::storage::redis {

// The names of the keys on the server.
class Keys {
 public:
  explicit Keys(const Address& address) : begin_(address.prefix + ":{" + address.id + "}:") {}
  std::string batch() const { return begin_ + "__batch_size__"; }
  std::string device() const { return begin_ + "__device__"; }
  std::string tensorclass() const { return begin_ + "__tensorclass__"; }
  std::string paths() const { return begin_ + "__keys__"; }
  std::string type() const { return begin_ + "__type__"; }  // of others than ordinary dicts
  // Of a lazy stack.
  std::string count() const { return begin_ + "__count__"; }
  std::string stack_dim() const { return begin_ + "__stack_dim__"; }
  std::string inner_batch() const { return begin_ + "__inner_batch_size__"; }
  // Those that Python does not know.
  std::string version() const { return begin_ + "__version__"; }
  std::string labels() const { return begin_ + "__labels__"; }

  std::string values(const std::string& path) const { return begin_ + "d:" + path; }
  std::string meta(const std::string& path) const { return begin_ + "m:" + path; }

  // All that are of no entry.
  std::vector<std::string> of_all() const {
    return {batch(),   device(), tensorclass(), paths(),     type(),
            version(), labels(), count(),       stack_dim(), inner_batch()};
  }

 private:
  std::string begin_;
};

struct Layout {
  optional<StackOf> stack;
  Dims batch;
  int64_t version = 0;
  std::map<std::string, Leaf> leaves;  // by path
  // By path, of dicts that have others than their parent; "" is the root, of which only the names count.
  std::map<std::string, Labels> labels;

  Dims batch_of(const std::string& path) const;  // of the dict there
};

inline constexpr char separator = '.';

inline bool is_below(const std::string& path, const std::string& above) {  // or all, for the root
  return above.empty() ||
         (path.size() > above.size() && path[above.size()] == separator && path.compare(0, above.size(), above) == 0);
}

// A key as one part of a path. Throws Error(key) for what the format cannot hold.
std::string checked_part(std::string_view key);

// "[4, 3]", as Python writes it.
std::string json_list(at::IntArrayRef dims);
std::string label_text(const Labels& label);

// The questions for one leaf, of a lazy stack or not, and what the answers say; `next` is the first of them. `last` is
// what they said before, or null.
void ask_leaf(Request& request, const Keys& keys, const std::string& path, bool stack);
inline constexpr size_t leaf_answers = 2;
Leaf parse_leaf(const Reply* next, const Layout& layout, const Leaf* last = nullptr);
Leaf tensor_leaf(const LeafType& type);
Leaf data_leaf(const char* encoding, size_t bytes);

// The same for all that is no leaf: the paths of the leaves are the keys of `leaves`, which say nothing yet. Throws
// Error(not_found) without a dict or a lazy stack, and Error(unsupported) for something else.
void ask_root(Request& request, const Keys& keys);
inline constexpr size_t root_answers = 5;
Layout parse_root(const Reply* next);

// What else a lazy stack is asked for; root_answers come first.
void ask_stack(Request& request, const Keys& keys);
inline constexpr size_t stack_answers = 3;
void parse_stack(const Reply* next, Layout& layout);

}  // namespace td::storage::redis
