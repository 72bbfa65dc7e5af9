#include "core/tensor/op.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include <ATen/ScalarOps.h>
#include <ATen/core/jit_type.h>

#include "core/error.h"
#include "core/fork.h"
#include "core/tensor/generator.h"
#include "core/tensor/memory.h"
#include "core/tensor/near_op.h"

namespace td {

namespace {

using c10::IValue;
using c10::TypeKind;
using ArgKind = Arg::Kind;

// The overload names of each packet, asked of the dispatcher once.
ProcessMutex overloads_mutex;
auto& overloads = *new std::unordered_map<std::string, std::vector<std::string>>;

std::vector<std::string> overload_names(const std::string& name) {
  ProcessLock hold(overloads_mutex);
  auto it = overloads.find(name);
  if (it == overloads.end()) {  // also when operators were registered since
    overloads.clear();
    for (const c10::OperatorName& o : c10::Dispatcher::singleton().getAllOpNames())
      overloads[o.name].push_back(o.overload_name);
    it = overloads.find(name);
  }
  return it == overloads.end() ? std::vector<std::string>() : it->second;
}

at::Tensor wrapped_number(const c10::Scalar& s) {
  at::Tensor t = c10::scalar_to_tensor(s);
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

c10::Scalar number(const Arg& a) {
  if (a.kind == ArgKind::scalar) return a.scalar;
  if (a.kind == ArgKind::real) return c10::Scalar(a.f);
  if (a.kind == ArgKind::boolean) return c10::Scalar(a.i != 0);
  return c10::Scalar(a.i);
}

bool is_number(const Arg& a) {
  return a.kind == ArgKind::integer || a.kind == ArgKind::real || a.kind == ArgKind::boolean ||
         a.kind == ArgKind::scalar;
}

optional<int64_t> memory_format(std::string_view name) {
  if (name == "contiguous") return static_cast<int64_t>(at::MemoryFormat::Contiguous);
  if (name == "preserve") return static_cast<int64_t>(at::MemoryFormat::Preserve);
  if (name == "channels_last") return static_cast<int64_t>(at::MemoryFormat::ChannelsLast);
  return nullopt;
}

// Turns an argument into what a parameter of this type takes. `cost` grows with every conversion that is not exact.
class Conversion {
 public:
  Conversion(const c10::Argument& parameter, int& cost) : parameter_(parameter), cost_(cost) {}

  bool run(const Arg& a, IValue& out) { return value(a, parameter_.type(), parameter_.real_type(), out); }

 private:
  bool value(const Arg& a, const c10::TypePtr& type, const c10::TypePtr& real, IValue& out) {
    switch (type->kind()) {
      case TypeKind::OptionalType: {
        if (a.kind == ArgKind::none) return out = IValue(), true;
        return value(a, type->containedType(0), real->containedTypes().empty() ? real : real->containedType(0), out);
      }
      case TypeKind::TensorType:
        if (a.kind == ArgKind::tensor) return out = a.tensor, true;
        if (!is_number(a)) return false;
        cost_ += 4;
        return out = wrapped_number(number(a)), true;
      case TypeKind::NumberType:
        return is_number(a) && (out = IValue(number(a)), true);
      case TypeKind::IntType:
        return integer(a, real, out);
      case TypeKind::FloatType:
        if (a.kind == ArgKind::real) return out = a.f, true;
        if (a.kind != ArgKind::integer) return false;
        ++cost_;
        return out = static_cast<double>(a.i), true;
      case TypeKind::ComplexType:
        return a.kind == ArgKind::scalar && a.scalar.isComplex() && (out = a.scalar.toComplexDouble(), true);
      case TypeKind::BoolType:
        return a.kind == ArgKind::boolean && (out = a.i != 0, true);
      case TypeKind::StringType:
        return a.kind == ArgKind::text && (out = std::string(a.text), true);
      case TypeKind::DeviceObjType:
        return a.kind == ArgKind::text && (out = parse_device(std::string(a.text)), true);
      case TypeKind::GeneratorType:
        return a.kind == ArgKind::generator && (out = a.generator->get(), true);
      case TypeKind::ListType:
        return list(a, type->containedType(0), out);
      default:
        return false;
    }
  }

  // Dtypes, layouts and memory formats are integers to the dispatcher, but their numbers are LibTorch's own: no caller
  // may pass them as such.
  bool integer(const Arg& a, const c10::TypePtr& real, IValue& out) {
    switch (real->kind()) {
      case TypeKind::ScalarTypeType:
        return a.kind == ArgKind::dtype && (out = a.i, true);
      case TypeKind::MemoryFormatType: {
        auto format = a.kind == ArgKind::text ? memory_format(a.text) : nullopt;
        return format && (out = *format, true);
      }
      case TypeKind::LayoutType:
        return a.kind == ArgKind::text && a.text == "strided" && (out = static_cast<int64_t>(at::kStrided), true);
      default:
        return a.kind == ArgKind::integer && (out = a.i, true);
    }
  }

  bool list(const Arg& a, const c10::TypePtr& element, IValue& out) {
    switch (element->kind()) {
      case TypeKind::IntType:
        if (a.kind == ArgKind::ints) return out = a.ints, true;
        if (a.kind != ArgKind::integer) return false;
        ++cost_;
        return out = std::vector<int64_t>(static_cast<size_t>(parameter_.N().value_or(1)), a.i), true;
      case TypeKind::FloatType:
        if (a.kind == ArgKind::reals) return out = std::vector<double>(a.reals.begin(), a.reals.end()), true;
        if (a.kind != ArgKind::ints) return false;
        ++cost_;
        return out = std::vector<double>(a.ints.begin(), a.ints.end()), true;
      case TypeKind::BoolType: {
        if (a.kind != ArgKind::booleans) return false;
        c10::List<bool> bools;
        for (uint8_t b : a.booleans) bools.push_back(b != 0);
        return out = std::move(bools), true;
      }
      case TypeKind::StringType: {
        if (a.kind != ArgKind::texts) return false;
        c10::List<std::string> texts;
        for (std::string_view t : a.texts) texts.push_back(std::string(t));
        return out = std::move(texts), true;
      }
      case TypeKind::NumberType: {
        if (a.kind != ArgKind::ints && a.kind != ArgKind::reals) return false;
        c10::List<c10::Scalar> scalars;
        for (int64_t i : a.ints) scalars.push_back(c10::Scalar(i));
        for (double f : a.reals) scalars.push_back(c10::Scalar(f));
        return out = std::move(scalars), true;
      }
      case TypeKind::TensorType: {
        if (a.kind != ArgKind::tensors) return false;
        for (const at::Tensor& t : a.tensors)
          if (!t.defined()) return false;
        return out = a.tensors, true;
      }
      case TypeKind::OptionalType: {
        if (a.kind != ArgKind::tensors || element->containedType(0)->kind() != TypeKind::TensorType) return false;
        c10::List<optional<at::Tensor>> maybe;
        for (const at::Tensor& t : a.tensors) maybe.push_back(t.defined() ? optional<at::Tensor>(t) : nullopt);
        return out = std::move(maybe), true;
      }
      default:
        return false;
    }
  }

  const c10::Argument& parameter_;
  int& cost_;
};

constexpr int no_match = -1;
const Arg use_default;

// Builds the whole stack; no_match if the arguments do not fit. Device names that do not exist throw.
int build(const c10::FunctionSchema& schema, at::ArrayRef<Arg> args, at::ArrayRef<NamedArg> kwargs,
          std::vector<IValue>& stack) {
  const auto& parameters = schema.arguments();
  int cost = 0;
  size_t next = 0, named = 0;
  stack.clear();
  stack.reserve(parameters.size());
  for (const c10::Argument& p : parameters) {
    const Arg* given = &use_default;
    if (next < args.size() && !p.kwarg_only()) {
      given = &args[next++];
    } else {
      for (const NamedArg& k : kwargs)
        if (k.name == p.name()) given = &k.value, ++named;
    }
    IValue value;
    if (given->kind == ArgKind::use_default) {
      if (!p.default_value()) return no_match;
      value = *p.default_value();
    } else if (!Conversion(p, cost).run(*given, value)) {
      return no_match;
    }
    stack.push_back(std::move(value));
  }
  return next == args.size() && named == kwargs.size() ? cost : no_match;
}

void check_written(const c10::FunctionSchema& schema, const std::vector<IValue>& stack) {
  for (size_t i = 0; i < stack.size(); ++i) {
    const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
    if (!alias || !alias->isWrite()) continue;
    if (stack[i].isTensor()) {
      if (stack[i].toTensor().defined())
        check_writable(stack[i].toTensor(), "argument " + schema.arguments()[i].name());
    } else if (stack[i].isTensorList()) {
      for (const at::Tensor& t : stack[i].toTensorVector())
        check_writable(t, "argument " + schema.arguments()[i].name());
    }
  }
}

std::string full_name(const c10::OperatorHandle& o) {
  const c10::OperatorName& n = o.operator_name();
  return n.overload_name.empty() ? n.name : n.name + "." + n.overload_name;
}

std::string schema_text(const c10::OperatorHandle& o) {
  std::ostringstream s;
  s << o.schema();
  return s.str();
}

}  // namespace

c10::intrusive_ptr<Op> Op::find(std::string_view name, optional<std::string_view> overload) {
  const size_t dot = name.find('.');
  if (!overload && dot != std::string_view::npos) {
    overload = name.substr(dot + 1);
    name = name.substr(0, dot);
    if (overload == "default") overload = "";  // as in Python's torch.ops
  }
  auto op = c10::make_intrusive<Op>();
  op->name_ = name.find("::") == std::string_view::npos ? "aten::" + std::string(name) : std::string(name);
  std::vector<std::string> there;
  if (overload)
    there.emplace_back(*overload);
  else
    there = overload_names(op->name_);
  for (const std::string& o : there) {
    auto handle = c10::Dispatcher::singleton().findSchema({op->name_.c_str(), o.c_str()});
    if (handle) op->overloads_.push_back(*handle);
  }
  if (op->overloads_.empty()) {
    std::string known;
    for (const std::string& o : overload_names(op->name_)) known += (known.empty() ? "\"" : ", \"") + o + "\"";
    // Without an overload its names are remembered, but the operator was removed.
    if (known.empty() || !overload) {
      const std::string meant = near_op(op->name_);
      throw Error(Code::not_found, "no such operator")
          .where(op->name_)
          .hint(meant.empty() ? "" : "did you mean " + meant + "?");
    }
    throw Error(Code::not_found, "no overload \"" + std::string(*overload) + "\"")
        .where(op->name_)
        .hint("there are " + known);
  }
  // Ties between overloads go to the one that asks for less.
  std::sort(op->overloads_.begin(), op->overloads_.end(), [](const auto& a, const auto& b) {
    size_t na = a.schema().arguments().size(), nb = b.schema().arguments().size();
    return na != nb ? na < nb : a.operator_name().overload_name < b.operator_name().overload_name;
  });
  return op;
}

// What a call has on its stack, between calls; a thread takes it while it uses it.
static thread_local Op::Results spare_stack;

void Op::recycle(Results&& results) noexcept {
  results.clear();
  if (results.capacity() > spare_stack.capacity()) spare_stack.swap(results);
}

Op::Results Op::call(at::ArrayRef<Arg> args, at::ArrayRef<NamedArg> kwargs, size_t room) const {
  const c10::OperatorHandle* best = nullptr;
  std::vector<IValue> stack, trial = std::exchange(spare_stack, {});
  int best_cost = 0;
  for (const c10::OperatorHandle& o : overloads_) {
    int cost = build(o.schema(), args, kwargs, trial);
    if (cost == no_match || (best && cost >= best_cost)) continue;
    best = &o;
    best_cost = cost;
    stack.swap(trial);
    if (cost == 0) break;
  }
  if (!best)
    throw Error(Code::argument, "the arguments do not match any schema").where(name_).hint("it takes " + schemas());
  size_t results = best->schema().returns().size();
  if (results > room)
    throw Error(Code::argument, "the operator returns " + std::to_string(results) + " results, but there is room for " +
                                    std::to_string(room))
        .where(full_name(*best));
  check_written(best->schema(), stack);
  try {
    best->callBoxed(stack);
  } catch (const Error&) {
    throw;
  } catch (...) {
    throw current_error().where(full_name(*best));
  }
  return stack;
}

bool Op::fits(at::ArrayRef<Arg> args, at::ArrayRef<NamedArg> kwargs) const {
  std::vector<IValue> stack;
  return std::any_of(overloads_.begin(), overloads_.end(),
                     [&](const c10::OperatorHandle& o) { return build(o.schema(), args, kwargs, stack) != no_match; });
}

std::string Op::schemas() const {
  std::string s;
  for (const c10::OperatorHandle& o : overloads_) s += (s.empty() ? "" : "\n") + schema_text(o);
  return s;
}

size_t Op::result_count() const {
  return overloads_.front().schema().returns().size();
}

bool writes(const Op& op) {
  const std::string& name = op.name();
  return name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_';
}

}  // namespace td
