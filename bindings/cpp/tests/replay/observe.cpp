#include <algorithm>

#include "program.hpp"

namespace replay {
namespace {

json::value plain(const Data& d) {
  struct Visitor {
    json::value operator()(std::monostate) const { return nullptr; }
    json::value operator()(bool b) const { return b; }
    json::value operator()(std::int64_t i) const { return i; }
    json::value operator()(double f) const { return number(f); }
    json::value operator()(const std::string& s) const { return json::string(s); }
    json::value operator()(const Bytes& b) const { return json::string(b.bytes); }
    json::value operator()(const Json& j) const { return json::parse(j.text); }
    json::value operator()(const Pickle& p) const { return json::string(p.bytes); }
  };
  return std::visit(Visitor(), d.any());
}

// Row-major values as lists in lists.
json::value nested(const DataList& list, const Shape& shape, std::size_t dim, std::size_t& next) {
  if (dim == shape.size()) return plain(list[next++]);
  json::array out;
  for (std::int64_t i = 0; i < shape[dim]; ++i) out.push_back(nested(list, shape, dim + 1, next));
  return out;
}

json::array elements(const Tensor& t) {
  json::array out;
  const Tensor values = t.detach();
  switch (t.dtype()) {
    case DType::complex32:
    case DType::complex64:
    case DType::complex128:
      for (const std::complex<double>& z : values.to(DType::complex128).to_vector<std::complex<double>>())
        out.push_back(json::array{number(z.real()), number(z.imag())});
      break;
    case DType::float16:
    case DType::bfloat16:
    case DType::float32:
    case DType::float64:
      for (double x : values.to(DType::float64).to_vector<double>()) out.push_back(number(x));
      break;
    case DType::bool_:
      for (bool b : values.to_vector<bool>()) out.push_back(b);
      break;
    default:
      for (std::int64_t i : values.to(DType::int64).to_vector<std::int64_t>()) out.push_back(i);
  }
  return out;
}

// The first byte of the elements and the one after the last; equal for tensors without elements.
std::pair<const char*, const char*> extent(const Tensor& t) {
  const char* start = static_cast<const char*>(t.data());
  if (t.numel() == 0) return {start, start};
  const Shape shape = t.shape(), strides = t.strides();
  std::int64_t last = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) last += (shape[i] - 1) * strides[i];
  return {start, start + (last + 1) * t.itemsize()};
}

// Gives objects numbers in the order in which they are met, so that equal pictures mean equal sharing.
class Observer {
 public:
  json::object seen;  // all registers

  void add(const std::string& name, const Register& r) {
    if (const auto* d = std::get_if<Dict>(&r))
      seen[name] = dict(*d);
    else if (const auto* t = std::get_if<Tensor>(&r))
      seen[name] = tensor(*t);
    else
      seen[name] = std::get<Plain>(r).seen;
  }

  // "memory": [class, bytes from its start] for tensors of which another one has some of the same bytes.
  void add_memory();

 private:
  // Kept alive so that no address is used twice.
  std::vector<Dict> dicts_;
  std::vector<Tensor> tensors_;
  std::vector<json::array> memory_;

  json::object tensor(const Tensor& t) {
    json::object o;
    o["dtype"] = name_of(t.dtype());
    const Shape shape = t.shape();
    o["shape"] = json::array(shape.begin(), shape.end());
    o["data"] = elements(t);
    if (t.requires_grad()) o["requires_grad"] = true;
    o["tensor"] = tensors_.size();  // its place in memory_, until add_memory replaces it
    tensors_.push_back(t.share());
    return o;
  }

  json::value entry(const Entry& e) {
    if (e.is_dict()) return dict(e.dict());
    if (e.is_tensor()) return tensor(e.tensor());
    return observe(e.data());
  }

  json::object dict(const Dict& d) {
    for (std::size_t i = 0; i < dicts_.size(); ++i)
      if (dicts_[i].is(d)) return {{"same", i}};
    dicts_.push_back(d.share());
    json::object o;
    o["dict"] = dicts_.size() - 1;
    const Shape batch = d.batch_size();
    o["batch"] = json::array(batch.begin(), batch.end());
    json::array names;
    bool any = false;
    for (const std::optional<std::string>& name : d.names()) {
      any = any || name;
      names.push_back(name ? json::value(*name) : json::value(nullptr));
    }
    if (any) o["names"] = std::move(names);
    if (d.is_locked()) o["locked"] = true;
    if (const std::optional<std::string> device = d.device()) o["device"] = *device;
    if (d.dict_kind() == DictKind::lazy_stack) return members(d, std::move(o));
    if (d.dict_kind() == DictKind::params) o["kind"] = "params";
    json::object entries;
    for (const auto& [key, found] : d.items()) {
      json::value seen = entry(found);
      if (found.is_tensor() && d.is_unbatched(key)) seen.as_object()["unbatched"] = true;
      entries[key[0]] = std::move(seen);
    }
    o["entries"] = std::move(entries);
    return o;
  }

  json::object members(const Dict& d, json::object o) {
    o["stack_dim"] = d.stack_dim();
    json::array names, seen_members;
    for (const Key& key : d.keys()) names.push_back(json::string(key[0]));
    for (const Dict& member : d.members()) seen_members.push_back(dict(member));
    o["keys"] = std::move(names);
    o["members"] = std::move(seen_members);
    return o;
  }

  void fill(json::value& v) {
    if (!v.is_object()) return;
    json::object& o = v.get_object();
    if (const json::value* place = o.if_contains("tensor"); place && o.contains("dtype")) {
      json::array memory = memory_[place->to_number<std::size_t>()];
      o.erase("tensor");
      if (!memory.empty()) o["memory"] = std::move(memory);
    } else if (json::value* entries = o.if_contains("entries"); entries && o.contains("dict")) {
      for (auto& e : entries->get_object()) fill(e.value());
    } else if (json::value* members = o.if_contains("members"); members && o.contains("dict")) {
      for (json::value& m : members->get_array()) fill(m);
    }
  }
};

void Observer::add_memory() {
  struct Bytes {
    const char *start, *stop;
    std::size_t place;
  };
  struct Group {
    const char *base, *stop;
    std::vector<Bytes> members;
    std::size_t first;
  };
  std::vector<Bytes> all;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const auto [start, stop] = extent(tensors_[i]);
    if (start != stop) all.push_back({start, stop, i});
  }
  std::sort(all.begin(), all.end(), [](const Bytes& a, const Bytes& b) { return a.start < b.start; });
  std::vector<Group> groups;
  for (const Bytes& b : all) {
    if (groups.empty() || b.start >= groups.back().stop) groups.push_back({b.start, b.stop, {}, b.place});
    Group& g = groups.back();
    g.members.push_back(b);
    g.stop = std::max(g.stop, b.stop);
    g.first = std::min(g.first, b.place);
  }
  groups.erase(std::remove_if(groups.begin(), groups.end(), [](const Group& g) { return g.members.size() < 2; }),
               groups.end());
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.first < b.first; });
  memory_.assign(tensors_.size(), {});
  for (std::size_t n = 0; n < groups.size(); ++n)
    for (const Bytes& b : groups[n].members) memory_[b.place] = json::array{n, b.start - groups[n].base};
  for (auto& r : seen) fill(r.value());
}

}  // namespace

json::object observe(const DataList& list) {
  std::size_t next = 0;
  if (list.is_stack()) return {{"stack", nested(list, list.shape(), 0, next)}};
  return {{"one", nested(list, {}, 0, next)}};
}

json::object observe(const Program& program) {
  Observer observer;
  for (const std::string& name : program.order) observer.add(name, program.registers.at(name));
  observer.add_memory();
  return observer.seen;
}

}  // namespace replay
