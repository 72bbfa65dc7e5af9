// A running program: registers, and the arguments of the step at hand. README.md has the format.
#pragma once
#include <boost/json.hpp>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "handles.h"

namespace conformance {

namespace json = boost::json;

// What stands in the program is wrong, which no library can be blamed for.
struct BadProgram : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Non-tensor data by itself, or any plain value: {"value": ...}.
struct Plain {
  json::value seen;
};
using Register = std::variant<Dict, Tensor, Plain, Module>;

class Program {
 public:
  std::map<std::string, Register> registers;
  std::map<std::string, Scope> scopes;  // open ones, by the register of the dict inside
  std::vector<std::string> order;       // of the registers' first use

  void begin(const json::object &step);

  // Arguments of the current step, by name.
  const json::value *find(const char *name) const { return step_->if_contains(name); }
  const json::value &at(const char *name) const;
  bool flag(const char *name, bool otherwise = false) const;
  int64_t integer(const char *name) const;
  int64_t integer(const char *name, int64_t otherwise) const;
  double real(const char *name) const;
  std::string word(const char *name) const;
  std::vector<int64_t> ints(const char *name) const;
  td_dict *dict(const char *name = "td") const { return dict(at(name)); }
  td_dict *dict(const json::value &name) const;
  td_module *module(const char *name = "module") const { return module(at(name)); }
  td_module *module(const json::value &name) const;
  std::vector<td_module *> modules() const;
  std::vector<const td_dict *> dicts(const char *name = "tds") const;
  td_tensor *tensor(const char *name = "value") { return tensor(at(name)); }
  td_tensor *tensor(const json::value &spec);
  const td_key *key(const char *name = "key") { return key(at(name)); }
  const td_key *key(const json::value &spec);
  std::vector<td_key> keys(const json::value &spec);
  std::vector<td_str> names(const json::value &spec);  // null is no name
  std::vector<td_index> index(const char *name = "index");
  td_value number(const char *name);
  td_value value(const json::value &spec);  // a register, a number or a tensor
  td_data data(const json::value &spec);    // JSON as non-tensor data
  td_str str(const json::value &spec);
  const Register &at_register(const json::value &name) const;

  // Results, under the step's "to".
  void put(td_dict *made) { put(Register(own(made))); }
  void put(td_tensor *made) { put(Register(own(made))); }
  void put(td_module *made) { put(Register(own(made))); }
  void put(td_dict_list *made);
  void put(json::value seen) { put(Register(Plain{json::object{{"value", std::move(seen)}}})); }
  void put(Register made) { put_at("", std::move(made)); }
  void put_at(const std::string &suffix, Register made);
  void release(const std::string &name);
  std::string new_file();  // in a folder that goes with the program

 private:
  struct Folder {
    std::string path;
    ~Folder();
  };
  Folder folder_;
  int files_ = 0;
  const json::object *step_ = nullptr;
  // What arguments point into; kept until the next step.
  std::deque<std::string> texts_;
  std::deque<std::vector<td_str>> parts_;
  std::deque<td_key> keys_;
  std::deque<Tensor> tensors_;
};

using Operation = void (*)(Program &);
struct NamedOperation {
  const char *name;
  Operation run;
};

// The tables of ops_*.cpp, joined; NULL for an unknown name.
Operation find_operation(const std::string &name);

}  // namespace conformance
