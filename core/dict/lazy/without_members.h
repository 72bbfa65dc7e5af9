// Lazy stacks that may have no members: what is known of them all the same. That is the batch size of a member and, in
// a nested tensor, which is a lazy stack of dicts that hold one component each, the dtype and the sizes of a component.
#pragma once

#include "core/dict/lazy/lazy_stack.h"

namespace td {

inline constexpr const char* component_key = "values";  // of the dicts in a nested tensor

struct ComponentType {
  at::ScalarType dtype;
  Dims sizes;                   // that of the ragged dim says nothing
  optional<size_t> ragged_dim;  // where it is known without components
};

// The class of a nested tensor.
std::shared_ptr<const PythonClass> nested_class(const ComponentType& component);

// Describes the components of a nested tensor; empty for other stacks, and if nothing is known of components.
optional<ComponentType> component_type(const Node& stack);

// Returns Python's class of the stack once it has no members, whose batch size would be `element`.
std::shared_ptr<const PythonClass> class_of_none(const LazyStack& stack, at::IntArrayRef element);

// A dict without entries in the place of a member, to see what an operation makes of its batch size. Null if members
// differ in it.
NodePtr stand_in(const LazyStack& stack);

// As stack.over, for members that may be none; they would have the batch size of `element`, if it is given.
NodePtr over(const LazyStack& stack, Nodes members, size_t dim, const NodePtr& element);

}  // namespace td
