// A running program over the C++ layer: registers, and the arguments of the step at hand. The format is that of
// tests/conformance/README.md.
#pragma once
#include <boost/json.hpp>
#include <deque>
#include <map>
#include <stdexcept>
#include <tensordict.hpp>

namespace replay {

namespace json = boost::json;
using namespace tensordict;

// What stands in the program is wrong, which no library can be blamed for.
struct BadProgram : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Non-tensor data by itself, or any plain value.
struct Plain {
  json::value seen;
};
using Register = std::variant<Dict, Tensor, Plain>;

class Program {
 public:
  std::map<std::string, Register> registers;
  std::map<std::string, Scope> scopes;  // by the register of the dict inside
  std::vector<std::string> order;       // of the registers' first use

  void begin(const json::object& step);

  // Arguments of the current step, by name.
  const json::value* find(const char* name) const { return step_->if_contains(name); }
  const json::value& at(const char* name) const;
  bool flag(const char* name, bool otherwise = false) const;
  std::int64_t integer(const char* name) const;
  std::int64_t integer(const char* name, std::int64_t otherwise) const;
  double real(const char* name) const;
  double real(const char* name, double otherwise) const { return find(name) ? real(name) : otherwise; }
  std::string word(const char* name) const;
  Shape ints(const char* name) const;
  Shape ints_or_none(const char* name) const;
  DType dtype(const char* name) const;

  const Register& at_register(const json::value& name) const;
  Dict& dict(const char* name = "td") { return dict(at(name)); }
  Dict& dict(const json::value& name);
  std::vector<Dict> dicts(const char* name = "tds");
  const Tensor& tensor(const char* name = "value") { return tensor(at(name)); }
  const Tensor& tensor(const json::value& spec);
  Key key(const char* name = "key") const { return key_of(at(name)); }
  std::vector<Key> keys(const char* name = "keys") const { return keys_of(at(name)); }
  static Key key_of(const json::value& spec);
  static std::vector<Key> keys_of(const json::value& spec);
  static std::vector<std::optional<std::string>> names(const json::value& spec);  // null is no name
  std::vector<Index> index(const char* name = "index");
  Value value(const json::value& spec);  // a register, a number or a tensor
  static Data data(const json::value& spec);
  Arguments arguments(const char* name, const char* named = nullptr);

  // Results, under the step's "to".
  void put(Dict made) { put_at("", std::move(made)); }
  void put(Tensor made) { put_at("", std::move(made)); }
  void put(json::value seen) { put_at("", Plain{json::object{{"value", std::move(seen)}}}); }
  void put(Plain made) { put_at("", std::move(made)); }
  template <class T>
  void put(std::vector<T> made) {
    for (std::size_t i = 0; i < made.size(); ++i) put_at("." + std::to_string(i), std::move(made[i]));
  }
  template <class A, class B>
  void put(std::pair<A, B> made) {
    put_at(".0", std::move(made.first));
    put_at(".1", std::move(made.second));
  }
  void put_at(const std::string& suffix, Register made);
  void release(const std::string& name);

 private:
  const json::object* step_ = nullptr;
  std::deque<Tensor> tensors_;     // literals, kept until the next step
  std::deque<std::string> texts_;  // names of arguments
};

// {"dtype", "shape", "data" | "arange" | "full"}; throws std::exception if it is none.
Tensor literal(const json::object& spec);
DType dtype_named(const std::string& name);
// A number as JSON: NaN and infinities are "nan", "inf" and "-inf".
json::value number(double x);
double number_of(const json::value& v);

// What a program left behind, as JSON; and non-tensor data: {"one": value} or {"stack": nested lists}.
json::object observe(const Program& program);
json::object observe(const DataList& list);

using Operations = std::map<std::string, void (*)(Program&)>;
Operations entry_operations();
Operations dict_operations();
Operations math_operations();

}  // namespace replay
