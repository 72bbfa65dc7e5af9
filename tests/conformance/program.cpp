#include "program.h"

#include <cstdlib>
#include <filesystem>

#include "tensors.h"

namespace conformance {

void Program::begin(const json::object &step) {
  step_ = &step;
  texts_.clear();
  parts_.clear();
  keys_.clear();
  tensors_.clear();
}

const json::value &Program::at(const char *name) const {
  if (const json::value *v = find(name)) return *v;
  throw BadProgram(std::string("the step has no \"") + name + "\"");
}

bool Program::flag(const char *name, bool otherwise) const {
  const json::value *v = find(name);
  return v ? v->as_bool() : otherwise;
}

int64_t Program::integer(const char *name) const {
  return at(name).to_number<int64_t>();
}

int64_t Program::integer(const char *name, int64_t otherwise) const {
  return find(name) ? integer(name) : otherwise;
}

double Program::real(const char *name) const {
  return number_of(at(name));
}

std::string Program::word(const char *name) const {
  return json::value_to<std::string>(at(name));
}

std::vector<int64_t> Program::ints(const char *name) const {
  const json::value &v = at(name);
  if (v.is_int64()) return {v.get_int64()};
  return json::value_to<std::vector<int64_t>>(v);
}

const Register &Program::at_register(const json::value &name) const {
  auto found = registers.find(json::value_to<std::string>(name));
  if (found == registers.end()) throw BadProgram("no such register: " + json::serialize(name));
  return found->second;
}

td_dict *Program::dict(const json::value &name) const {
  const Dict *d = std::get_if<Dict>(&at_register(name));
  if (!d) throw BadProgram("not a dict: " + json::serialize(name));
  return d->get();
}

td_module *Program::module(const json::value &name) const {
  const Module *m = std::get_if<Module>(&at_register(name));
  if (!m) throw BadProgram("not a module: " + json::serialize(name));
  return m->get();
}

std::vector<td_module *> Program::modules() const {
  std::vector<td_module *> found;
  for (const json::value &v : at("modules").as_array()) found.push_back(module(v));
  return found;
}

std::vector<const td_dict *> Program::dicts(const char *name) const {
  std::vector<const td_dict *> found;
  for (const json::value &v : at(name).as_array()) found.push_back(dict(v));
  return found;
}

td_tensor *Program::tensor(const json::value &spec) {
  if (spec.is_object()) {
    tensors_.push_back(literal(spec.get_object()));
    return tensors_.back().get();
  }
  const Tensor *t = std::get_if<Tensor>(&at_register(spec));
  if (!t) throw BadProgram("not a tensor: " + json::serialize(spec));
  return t->get();
}

td_str Program::str(const json::value &spec) {
  texts_.push_back(json::value_to<std::string>(spec));
  return td_str{texts_.back().data(), texts_.back().size()};
}

const td_key *Program::key(const json::value &spec) {
  std::vector<td_str> parts;
  if (spec.is_array())
    for (const json::value &part : spec.get_array()) parts.push_back(str(part));
  else
    parts.push_back(str(spec));
  parts_.push_back(std::move(parts));
  keys_.push_back(td_key{parts_.back().data(), parts_.back().size()});
  return &keys_.back();
}

std::vector<td_key> Program::keys(const json::value &spec) {
  std::vector<td_key> found;
  for (const json::value &one : spec.as_array()) found.push_back(*key(one));
  return found;
}

std::vector<td_str> Program::names(const json::value &spec) {
  std::vector<td_str> found;
  if (spec.is_null()) return found;
  for (const json::value &one : spec.as_array()) found.push_back(one.is_null() ? td_str{nullptr, 0} : str(one));
  return found;
}

std::vector<td_index> Program::index(const char *name) {
  std::vector<td_index> found;
  for (const json::value &part : at(name).as_array()) {
    td_index i = {TD_INDEX_KIND_INT, 0, 0, TD_END, 1, nullptr, nullptr, 0};
    if (part.is_int64()) {
      i.start = part.get_int64();
    } else if (part.is_null()) {
      i.kind = TD_INDEX_KIND_NONE;
    } else if (part.is_string() && part.get_string() == "...") {
      i.kind = TD_INDEX_KIND_ELLIPSIS;
    } else if (part.is_array()) {
      i.kind = TD_INDEX_KIND_SLICE;
      const json::array &slice = part.get_array();
      if (slice.size() > 0 && !slice[0].is_null()) i.start = slice[0].as_int64();
      if (slice.size() > 1 && !slice[1].is_null()) i.stop = slice[1].as_int64();
      if (slice.size() > 2 && !slice[2].is_null()) i.step = slice[2].as_int64();
    } else {
      i.kind = TD_INDEX_KIND_TENSOR;
      i.tensor = tensor(part);
    }
    found.push_back(i);
  }
  return found;
}

td_value Program::number(const char *name) {
  const json::value &spec = at(name);
  return spec.is_string() ? td_value_double(number_of(spec)) : value(spec);  // "nan", "inf"
}

td_value Program::value(const json::value &spec) {
  if (spec.is_string()) {
    const Register &r = at_register(spec);
    if (const Dict *d = std::get_if<Dict>(&r)) return td_value_dict(d->get());
    return td_value_tensor(tensor(spec));
  }
  if (spec.is_object()) return td_value_tensor(tensor(spec));
  if (spec.is_bool()) return td_value_bool(spec.get_bool());
  if (spec.is_int64()) return td_value_int(spec.get_int64());
  if (spec.is_null()) return td_value_none();
  return td_value_double(number_of(spec));
}

td_data Program::data(const json::value &spec) {
  if (spec.is_null()) return td_data_none();
  if (spec.is_bool()) return td_data_bool(spec.get_bool());
  if (spec.is_int64()) return td_data_int(spec.get_int64());
  if (spec.is_double()) return td_data_double(spec.get_double());
  if (spec.is_string()) return td_data_str(str(spec));
  return td_data_json(str(json::value(json::serialize(spec))));
}

void Program::put_at(const std::string &suffix, Register made) {
  const json::value *to = find("to");
  if (!to) return;
  std::string name = json::value_to<std::string>(*to) + suffix;
  if (registers.count(name) == 0) order.push_back(name);
  registers.insert_or_assign(name, std::move(made));
}

void Program::put(td_dict_list *made_list) {
  std::shared_ptr<td_dict_list> list(made_list, td_dict_list_release);
  for (size_t i = 0; i < td_dict_list_size(made_list); ++i)
    put_at("." + std::to_string(i), own(made<td_dict>(td_dict_list_get, made_list, i)));
}

std::string Program::new_file() {
  if (folder_.path.empty()) {
    std::string path = (std::filesystem::temp_directory_path() / "conformance.XXXXXX").string();
    if (!mkdtemp(path.data())) throw std::runtime_error("no folder for files can be made");
    folder_.path = path;
  }
  return folder_.path + "/" + std::to_string(++files_) + ".h5";
}

Program::Folder::~Folder() {
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove_all(path, ignored);
}

void Program::release(const std::string &name) {
  if (registers.erase(name) == 0) throw BadProgram("no such register: " + name);
  for (size_t i = 0; i < order.size(); ++i)
    if (order[i] == name) order.erase(order.begin() + i);
}

}  // namespace conformance
