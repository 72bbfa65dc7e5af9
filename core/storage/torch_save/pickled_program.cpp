#include <cstring>
#include <unordered_map>

#include "core/error.h"
#include "core/storage/torch_save/pickled.h"

namespace td::storage::pickled {

namespace {

constexpr size_t max_items = size_t{1} << 22, max_name = 1024;

class Machine {
 public:
  explicit Machine(std::string_view pickle) : all_(pickle), rest_(pickle) {}

  Program run() {
    for (;;) {
      const auto code = static_cast<unsigned char>(take(1)[0]);
      if (code == '.') break;
      step(code);
    }
    if (stack_.size() != 1 || !marks_.empty()) throw broken("it ends with something left over");
    program_.root = stack_[0];
    return std::move(program_);
  }

 private:
  Error broken(const std::string& why) const {
    return Error(Code::corrupt,
                 "the pickle is damaged at byte " + std::to_string(all_.size() - rest_.size()) + ": " + why)
        .hint("the file was truncated or changed; copy it again");
  }

  std::string_view take(size_t n) {
    if (n > rest_.size()) throw broken("it ends too early");
    const std::string_view bytes = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return bytes;
  }

  uint64_t number(size_t width) {
    uint64_t n = 0;
    const std::string_view bytes = take(width);
    for (size_t i = width; i-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[i]);
    return n;
  }

  std::string_view line() {
    const size_t end = rest_.substr(0, max_name).find('\n');
    if (end == rest_.npos) throw broken("a name has no end");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

  Index push(Item item) {
    if (program_.items.size() == max_items || stack_.size() == max_items)
      throw Error(Code::unsupported, "the pickle holds more than " + std::to_string(max_items) + " values");
    program_.items.push_back(std::move(item));
    stack_.push_back(static_cast<Index>(program_.items.size() - 1));
    return stack_.back();
  }

  void push(Kind kind) { push(kind, int64_t{0}); }
  void push(Kind kind, int64_t i) {
    Item item;
    item.kind = kind, item.i = i;
    push(std::move(item));
  }
  void push(Kind kind, std::string_view text) {
    Item item;
    item.kind = kind, item.text = text;
    push(std::move(item));
  }

  // The lowest place on the stack that the opcodes since the last mark may use.
  size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  Index pop() {
    if (stack_.size() <= floor()) throw broken("a value is missing");
    const Index top = stack_.back();
    stack_.pop_back();
    return top;
  }

  Index top() const {
    if (stack_.size() <= floor()) throw broken("a value is missing");
    return stack_.back();
  }

  // All since the last mark, which goes too.
  std::vector<Index> pop_marked() {
    if (marks_.empty()) throw broken("a mark is missing");
    std::vector<Index> values(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return values;
  }

  std::vector<Index> pop_many(size_t n) {
    std::vector<Index> values(n);
    while (n-- > 0) values[n] = pop();
    return values;
  }

  void push_list(std::vector<Index> members) {
    Item list;
    list.kind = Kind::list, list.members = std::move(members);
    push(std::move(list));
  }

  // What an object is given stays unknown, as it is.
  void add(const std::vector<Index>& values, Kind kind) {
    Item& target = program_.items[top()];
    if (target.kind == Kind::object) return;
    if (target.kind != kind || (kind == Kind::dict && values.size() % 2))
      throw broken("values are added to an object that cannot hold them");
    target.members.insert(target.members.end(), values.begin(), values.end());
  }

  void push_name(std::string_view module, std::string_view name) {
    if (module.size() + name.size() > max_name) throw broken("a name is too long");
    if (!is_plain(module) || !is_plain(name)) throw broken("a name has characters that no class has");
    std::string& text = program_.owned.emplace_back(module);
    text += '.';
    text += name;
    push(Kind::name, std::string_view(text));
  }

  void stack_name() {
    const std::vector<Index> parts = pop_many(2);
    const Item &module = program_.items[parts[0]], &name = program_.items[parts[1]];
    if (module.kind != Kind::text || name.kind != Kind::text) throw broken("a name is no text");
    push_name(module.text, name.text);
  }

  void long_integer(uint64_t width) {
    if (width > 9) {
      take(width);
      return push(Kind::object, std::string_view("an integer beyond 64 bits"));
    }
    const std::string_view bytes = take(width);
    uint64_t n = 0;
    const bool negative = width > 0 && (bytes[width - 1] & 0x80);
    for (size_t i = width; i-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[i]);
    if (width == 9 && bytes[8] != 0) return push(Kind::object, std::string_view("an integer beyond 64 bits"));
    if (negative && width < 8) n |= ~uint64_t{0} << (8 * width);
    Item item;
    item.kind = Kind::integer;
    item.i = static_cast<int64_t>(n);
    item.wide = width == 9 && item.i < 0;
    push(std::move(item));
  }

  void real() {
    uint64_t bits = 0;
    for (char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
    Item item;
    item.kind = Kind::real;
    std::memcpy(&item.f, &bits, sizeof bits);
    push(std::move(item));
  }

  void remember(uint64_t number) { memo_[number] = top(); }

  void recall(uint64_t number) {
    auto found = memo_.find(number);
    if (found == memo_.end()) throw broken("it names a value that it has not made");
    if (stack_.size() == max_items) throw broken("too many values");
    stack_.push_back(found->second);
  }

  void call_top() {
    const std::vector<Index> both = pop_many(2);
    Made made = call(program_, program_.items[both[0]], both[1]);
    if (made.is_there)
      stack_.push_back(made.index);  // two have gone
    else
      push(std::move(made.item));
  }

  // The names are those of Python's pickletools.
  void step(unsigned char code) {
    switch (code) {
      case 0x80:  // PROTO
        if (number(1) > 5) throw Error(Code::unsupported, "the pickle is of a protocol after 5");
        return;
      case 0x95:  // FRAME
        take(8);
        return;
      case 0x94:  // MEMOIZE
        return remember(memo_.size());
      case 'q':  // BINPUT, LONG_BINPUT
        return remember(number(1));
      case 'r':
        return remember(number(4));
      case 'h':  // BINGET, LONG_BINGET
        return recall(number(1));
      case 'j':
        return recall(number(4));
      case '(':  // MARK
        if (marks_.size() == max_items) throw broken("too many marks");
        return marks_.push_back(stack_.size());
      case '0':  // POP, POP_MARK
        pop();
        return;
      case '1':
        pop_marked();
        return;
      case 'N':
        return push(Kind::none);
      case 0x88:  // NEWTRUE, NEWFALSE
      case 0x89:
        return push(Kind::boolean, int64_t{code == 0x88});
      case 'J':  // BININT, BININT1, BININT2
        return push(Kind::integer, int64_t{static_cast<int32_t>(number(4))});
      case 'K':
        return push(Kind::integer, static_cast<int64_t>(number(1)));
      case 'M':
        return push(Kind::integer, static_cast<int64_t>(number(2)));
      case 0x8a:  // LONG1, LONG4
        return long_integer(number(1));
      case 0x8b:
        return long_integer(number(4));
      case 'G':  // BINFLOAT
        return real();
      case 0x8c:  // SHORT_BINUNICODE, BINUNICODE, BINUNICODE8
        return push(Kind::text, take(number(1)));
      case 'X':
        return push(Kind::text, take(number(4)));
      case 0x8d:
        return push(Kind::text, take(number(8)));
      case 'C':  // SHORT_BINBYTES, BINBYTES, BINBYTES8
        return push(Kind::bytes, take(number(1)));
      case 'B':
        return push(Kind::bytes, take(number(4)));
      case 0x8e:
        return push(Kind::bytes, take(number(8)));
      case ']':
      case ')':
        return push(Kind::list);
      case '}':
        return push(Kind::dict);
      case 'a':  // APPEND, APPENDS
        return add(pop_many(1), Kind::list);
      case 'e':
        return add(pop_marked(), Kind::list);
      case 's':  // SETITEM, SETITEMS
        return add(pop_many(2), Kind::dict);
      case 'u':
        return add(pop_marked(), Kind::dict);
      case 't':  // TUPLE, TUPLE1, 2, 3
        return push_list(pop_marked());
      case 0x85:
      case 0x86:
      case 0x87:
        return push_list(pop_many(size_t{code} - 0x84));
      case 'c': {  // GLOBAL
        const std::string_view module = line();
        return push_name(module, line());
      }
      case 0x93:  // STACK_GLOBAL
        return stack_name();
      case 'Q': {  // BINPERSID
        const Index identity = pop();
        push(persistent(program_, identity));
        return;
      }
      case 'R':  // REDUCE, NEWOBJ
        return call_top();
      case 0x81:
        return make_object();
      case 'b':  // BUILD: attributes, of a tensor or of an OrderedDict, are not read
        pop();
        top();
        return;
      case 0x8f:  // EMPTY_SET, ADDITEMS, FROZENSET
        return push(Kind::object, std::string_view("set"));
      case 0x90:
        return add(pop_marked(), Kind::object);
      case 0x91:
        pop_marked();
        return push(Kind::object, std::string_view("frozenset"));
      default:
        throw unknown(code);
    }
  }

  void make_object() {
    const std::vector<Index> both = pop_many(2);
    const Item& type = program_.items[both[0]];
    push(Kind::object, type.kind == Kind::name ? type.text : std::string_view("an unknown class"));
  }

  Error unknown(unsigned char code) const {
    return Error(Code::unsupported, "the pickle has the opcode " + std::to_string(code) + " at byte " +
                                        std::to_string(all_.size() - rest_.size() - 1) +
                                        ", which torch.save does not write")
        .hint("save it again with torch.save of PyTorch 1.6 or later");
  }

  std::string_view all_, rest_;
  Program program_;
  std::vector<Index> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, Index> memo_;
};

}  // namespace

Program read_program(std::string_view pickle) {
  return Machine(pickle).run();
}

}  // namespace td::storage::pickled
