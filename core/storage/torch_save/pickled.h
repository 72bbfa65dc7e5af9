// What a pickle says, as data: the items that its opcodes make, each known by its number. Nothing is run; what would
// need a class or a function of Python is an item that only knows its name.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace td::storage::pickled {

// `name` is a class or a function; `storage` and `tensor` are those of PyTorch; `object` is everything else.
enum class Kind : uint8_t { none, boolean, integer, real, text, bytes, list, dict, name, storage, tensor, object };

using Index = uint32_t;

struct Item {
  Kind kind = Kind::none;
  // Of an integer: i is to be read without sign. Of bytes: Python 2 wrote them as text, a character a byte.
  bool wide = false, latin1 = false;
  union {
    int64_t i;  // booleans, integers, and the elements of a storage
    double f;
  };
  std::string_view text;       // text, bytes, names, the key of a storage, the dtype of a tensor where it has its own
  std::vector<Index> members;  // a list; key, value, key... of a dict; the class of a storage; what a tensor is made of

  Item() : i(0) {}
};

// The members of a tensor.
enum Part : size_t { storage_part, offset_part, sizes_part, strides_part };

struct Program {
  std::vector<Item> items;
  Index root = 0;
  std::deque<std::string> owned;  // texts that do not stand in the pickle as they are
};

// `pickle` outlives the result. Throws Error(corrupt) where it is cut or makes no sense, Error(unsupported) for opcodes
// that only Python can follow, and for more items than an honest file has.
Program read_program(std::string_view pickle);

// A new item, or one that is there already: no list is ever copied.
struct Made {
  Item item;
  bool is_there = false;
  Index index = 0;
};

// Visible ASCII only: names and keys that errors quote.
bool is_plain(std::string_view text);

// What the class or function `name` makes of `arguments`, a list.
Made call(Program& program, const Item& name, Index arguments);

// A storage is known by (..., class, key, device, elements); everything else is an object.
Item persistent(const Program& program, Index identity);

}  // namespace td::storage::pickled
