// The vectors of modules and distributions (tests/data/vectors) over the C++ layer. A vector is a JSON object with a "kind",
// and each kind is replayed by a function that a file here adds to the table.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <iosfwd>
#include <map>
#include <stdexcept>
#include <string>
#include <tensordict.hpp>
#include <vector>

namespace vectors {

namespace json = boost::json;
using json::object;
using namespace tensordict;

using Kinds = std::map<std::string, std::function<void(const object&)>>;
void add_module_kinds(Kinds& kinds);
void add_running_kinds(Kinds& kinds);
void add_state_kinds(Kinds& kinds);
void add_distribution_kinds(Kinds& kinds);
void add_probabilistic_kinds(Kinds& kinds);

// Runs one vector under a name, and counts it if it differs.
using Report = std::function<void(const std::string& name, const std::function<void()>& replay)>;
int replay_hashes(const object& all, const Report& report);          // hash.json; gives how many there were
int replay_distributions(std::istream& file, const Report& report);  // dist.txt
int replay_schedules(std::istream& file, const Report& report);      // schedule.txt

// ---- Failing: an exception ends a vector
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void check(bool holds, const std::string& what);
// The typed error that `function` throws, which is not an internal one.
Error refused(const std::function<void()>& function, const std::string& what);

// ---- Keys: "a" or ["a", "b"] in JSON
Key key_of(const json::value& v);
std::vector<Key> keys_of(const json::value& list);
void check_keys(const std::vector<Key>& got, const std::vector<Key>& expected, const std::string& what);
void check_same_set(std::vector<Key> got, std::vector<Key> expected, const std::string& what);
inline std::vector<Key> leaf_keys(const Dict& d) {
  return d.keys(KeysFlag::leaves | KeysFlag::nested).to_vector();
}

// ---- Numbers: "nan", "inf" and "-inf" are strings, nested lists are tensors
double number(const json::value& v);
std::vector<double> values(const Tensor& t);
Tensor tensor(const json::value& v, DType dtype);
Shape ints(const json::value& list);
std::string text(const json::value& v);
bool flag(const object& v, const char* name);
void check_values(const Tensor& t, const json::value& expected, double tolerance, const std::string& what);
void check_shape(const Tensor& t, const json::value& expected, const std::string& what);
// [[key, values], ...]: all leaves, in any order.
void check_leaf_values(const Dict& d, const json::array& expected, double tolerance);
// "dtype" of the vector, or float64.
DType dtype_of(const object& v);

// ---- What vectors are about
Dict dict_of(const std::vector<Key>& keys);  // 0, 1, ... under the keys
// {"in": [...], "out": [...]}: output i is input i (of the n there are) plus n, as in the examples of the original.
Module keyed(const object& spec);
// A list of those and of {"seq": [...]}.
Module sequence(const json::value& spec, const SequenceOptions& options = {});

// "LKJCholesky" is td.lkj_cholesky; tensordict's own types have names that torch.distributions uses for others.
std::string type_of(const std::string& name);
Dict params_of(const object& params, DType dtype);
// Of its parameters by name; those that the type does not take as tensors go into its config.
Dist distribution(const std::string& name, const object& params, DType dtype);

}  // namespace vectors
