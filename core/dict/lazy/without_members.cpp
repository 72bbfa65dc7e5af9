#include "core/dict/lazy/without_members.h"

#include <algorithm>

#include <boost/json/parse.hpp>

#include "core/dict/batch_size.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/dtype.h"

namespace td {

namespace {

Dims element_of(const LazyStack& stack) {
  Dims batch(stack.batch_size().begin(), stack.batch_size().end());
  batch.erase(batch.begin() + stack.stack_dim());
  return batch;
}

// The class keeps the type as the inside of a JSON object, {"dtype": "float32", "sizes": [3, 0], "ragged": 1}. Anybody
// may have written what a file says of its classes.
optional<ComponentType> parse_component(const std::string& fields) {
  namespace json = boost::json;
  boost::system::error_code ec;
  json::value v = json::parse('{' + fields + '}', ec);
  const json::object* object = ec ? nullptr : v.if_object();
  const json::value *dtype = object ? object->if_contains("dtype") : nullptr,
                    *sizes = object ? object->if_contains("sizes") : nullptr,
                    *ragged = object ? object->if_contains("ragged") : nullptr;
  if (!dtype || !dtype->is_string() || !sizes || !sizes->is_array()) return nullopt;
  ComponentType type{at::kFloat, {}, nullopt};
  try {
    type.dtype = scalar_type_named({dtype->get_string().data(), dtype->get_string().size()});
  } catch (const Error&) {
    return nullopt;
  }
  for (const json::value& size : sizes->get_array()) {
    if (!size.is_int64() || size.get_int64() < 0 || type.sizes.size() == max_dims) return nullopt;
    type.sizes.push_back(size.get_int64());
  }
  if (!ragged) return type;
  if (!ragged->is_int64() || ragged->get_int64() < 0) return nullopt;
  type.ragged_dim = static_cast<size_t>(ragged->get_int64());
  return *type.ragged_dim < type.sizes.size() ? optional<ComponentType>(std::move(type)) : nullopt;
}

}  // namespace

std::shared_ptr<const PythonClass> nested_class(const ComponentType& component) {
  std::string fields = "\"dtype\":\"" + std::string(dtype_name(component.dtype)) + "\",\"sizes\":[";
  for (size_t d = 0; d < component.sizes.size(); ++d)
    fields += (d ? "," : "") + std::to_string(std::max<int64_t>(component.sizes[d], 0));
  fields += ']';
  if (component.ragged_dim) fields += ",\"ragged\":" + std::to_string(*component.ragged_dim);
  return std::make_shared<const PythonClass>(PythonClass{nested_tensor, std::move(fields), ""});
}

optional<ComponentType> component_type(const Node& stack) {
  const PythonClass* python = stack.python_class().get();
  if (!python || python->name != nested_tensor) return nullopt;
  optional<ComponentType> known = parse_component(python->fields);
  Entry e;
  bool any = false;
  stack.each_member([&](const NodePtr& m, size_t i) {
    any = true;
    if (i == 0) e = m->find(Key(component_key));
  });
  if (!any) return known;
  if (!e.is_tensor()) return nullopt;
  const at::Tensor& t = e.tensor();
  ComponentType type{t.scalar_type(), Dims(t.sizes().begin(), t.sizes().end()), nullopt};
  if (known && known->sizes.size() == type.sizes.size()) type.ragged_dim = known->ragged_dim;
  return type;
}

std::shared_ptr<const PythonClass> class_of_none(const LazyStack& stack, at::IntArrayRef batch) {
  optional<ComponentType> like = component_type(stack);
  size_t before = stack.batch_dims() - 1;
  if (!like || like->sizes.size() < before) return stack.python_class();
  Dims sizes(batch.begin(), batch.end());
  sizes.append(like->sizes.begin() + before, like->sizes.end());
  optional<size_t> ragged = like->ragged_dim;
  if (ragged) ragged = *ragged < before ? optional<size_t>() : optional<size_t>(*ragged - before + batch.size());
  return nested_class({like->dtype, std::move(sizes), ragged});
}

NodePtr stand_in(const LazyStack& stack) {
  Dims batch = element_of(stack);
  bool known = std::all_of(batch.begin(), batch.end(), [](int64_t size) { return size >= 0; });
  return known ? NodePtr(TensorDict::make(batch, stack.device())) : NodePtr();
}

NodePtr LazyStack::over(Nodes members, optional<size_t> dim) const {
  Name own = names().empty() ? Name() : names()[dim_];
  Dims element(batch_size().begin(), batch_size().end());
  element.erase(element.begin() + dim_);
  NodePtr made = make(std::move(members), static_cast<int64_t>(dim.value_or(dim_)), element);
  const auto& stack = static_cast<const LazyStack&>(*made);
  made->adopt_python_class(stack.members_.empty() ? class_of_none(*this, element) : python_class());
  if (own) made->adopt_names(joint_names(stack.members_, stack.dim_, own));
  return made;
}

NodePtr over(const LazyStack& stack, Nodes members, size_t dim, const NodePtr& element) {
  if (!members.empty() || !element) return stack.over(std::move(members), dim);
  NodePtr made = LazyStack::make({}, static_cast<int64_t>(dim), element->batch_size());
  made->adopt_python_class(class_of_none(stack, element->batch_size()));
  if (stack.names().empty() || !stack.names()[stack.stack_dim()]) return made;
  Names names(made->batch_dims());
  names[dim] = stack.names()[stack.stack_dim()];
  made->adopt_names(std::move(names));
  return made;
}

}  // namespace td
