// td.torchscript: a module that torch.jit saved as a file. Its parameters and buffers become the module's own, so it is
// trained, moved and swapped like any other; the file is read once. A file holds a program: load those that you trust.
//
// The one bundled plugin that links LibTorch: it must be built with the one that the library uses (TD_PLUGIN_LIBTORCH).
//
// SPDX-License-Identifier: MIT
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>
#include <torch/version.h>

#include <map>
#include <set>

#include "saved_file.h"
#include "tensordict_plugin.hpp"

TD_PLUGIN_LIBTORCH(TORCH_VERSION);

namespace {

using c10::IValue;
using td::plugin::Builder;
using td::plugin::Config;
using td::plugin::Error;
using td::plugin::Tensor;
using td::plugin::view;
using ObjectPtr = c10::intrusive_ptr<c10::ivalue::Object>;

template <class Table>
const Table &extension(const char *id) {
  const void *table = td::plugin::host()->get_extension(view(id));
  if (!table) throw Error(TD_ERR_VERSION, std::string("td.torchscript needs a host with ") + id);
  return *static_cast<const Table *>(table);
}

at::Tensor tensor_of(const Tensor &handle) {
  static const auto &libtorch = extension<td_host_libtorch>(TD_EXT_LIBTORCH);
  auto *impl = static_cast<at::TensorImpl *>(libtorch.impl(handle.get()));
  return at::Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim_copy(impl));
}

Tensor handle_of(const at::Tensor &t) {
  static const auto &libtorch = extension<td_host_libtorch>(TD_EXT_LIBTORCH);
  td_tensor *handle = nullptr;
  td_error *err = nullptr;
  td::plugin::must(libtorch.wrap(t.unsafeGetTensorImpl(), &handle, &err), err);
  return Tensor::own(handle);
}

// What a failed call says, without LibTorch's and the interpreter's stacks.
std::string last_line(const char *what) {
  std::string line, last;
  for (const char *c = what;; ++c) {
    if (*c && *c != '\n') {
      line += *c;
      continue;
    }
    if (!line.empty() && line.rfind("Exception raised from", 0) == 0) break;
    if (line.find_first_not_of(" ~") != std::string::npos) last = line;
    line.clear();
    if (!*c) break;
  }
  return last.substr(0, 400);
}

class ScriptModule {
 public:
  static constexpr td::plugin::Module type{"td.torchscript", "1.0.0", TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE};
  static constexpr char schema[] =
      R"({"type":"object","properties":{"file":{"type":"string","minLength":1,"description":"made by torch.jit.save; it holds a program, which runs: only files that you trust"},)"
      R"("method":{"type":"string","minLength":1,"default":"forward"}},"required":["file"]})";

  ScriptModule(Config config, Builder &builder)
      : file_(config.text("file", "")), method_name_(config.text("method", "forward")) {
    root_ = torchscript::load(file_)._ivalue();
    c10::optional<torch::jit::Method> method = torch::jit::Module(root_).find_method(method_name_);
    if (!method) throw Error(TD_ERR_ARGUMENT, "the module in " + file_ + " has no method " + method_name_);
    torchscript::check_constants(method->function(), file_);
    find_tensors(root_, {});
    starts_training_ = flag_of(root_).value_or(true);
    declare(builder);
  }

  std::vector<Tensor> operator()(const std::vector<Tensor> &state, const std::vector<Tensor> &inputs,
                                 bool training) const {
    if (state.size() != tensors_.size())
      throw Error(TD_ERR_ARGUMENT,
                  "it has " + std::to_string(tensors_.size()) + " tensors, got " + std::to_string(state.size()));
    std::vector<at::Tensor> own;
    bool batched = false;
    for (const Tensor &t : state) own.push_back(tensor_of(t));
    std::map<const c10::ivalue::Object *, ObjectPtr> copies;
    torch::jit::Module module(with_state(root_, own, training, copies));
    torch::jit::Method method = module.get_method(method_name_);
    std::vector<IValue> arguments = arguments_for(method.function().getSchema(), inputs);
    for (const at::Tensor &t : own) batched |= t.key_set().has(c10::DispatchKey::FuncTorchBatched);
    for (const IValue &v : arguments)
      batched |= v.isTensor() && v.toTensor().key_set().has(c10::DispatchKey::FuncTorchBatched);
    try {
      // Optimized graphs look at data, which there is none of inside vmap.
      torch::jit::GraphOptimizerEnabledGuard guard(torch::jit::getGraphExecutorOptimize() && !batched);
      std::vector<Tensor> outputs;
      add_outputs(method(std::move(arguments)), outputs);
      return outputs;
    } catch (const c10::Error &e) {
      throw Error(TD_ERR_TORCH, last_line(e.what_without_backtrace()) + " (in " + method_name_ + " of " + file_ + ")");
    } catch (const Error &) {
      throw;
    } catch (const std::exception &e) {  // the interpreter's own
      throw Error(TD_ERR_TORCH, last_line(e.what()) + " (in " + method_name_ + " of " + file_ + ")");
    }
  }

 private:
  struct Place {
    std::vector<std::string> name;
    at::Tensor initial;
    bool parameter;
  };
  struct Slot {
    const c10::ivalue::Object *object;
    size_t slot;
    bool operator<(const Slot &o) const { return std::tie(object, slot) < std::tie(o.object, o.slot); }
  };

  // Per module: parameters, buffers, then what its children have. A tensor that stands at two places is one tensor.
  void find_tensors(const ObjectPtr &object, const std::vector<std::string> &prefix) {
    if (!seen_.insert(object.get()).second) return;
    const c10::ClassType &type = *object->type();
    auto named = [&](size_t i) {
      std::vector<std::string> name = prefix;
      name.push_back(type.getAttributeName(i));
      return name;
    };
    for (bool parameters : {true, false})
      for (size_t i = 0; i < type.numAttributes(); ++i) {
        const IValue &value = object->getSlot(i);
        if (!value.isTensor() || !value.toTensor().defined()) continue;
        if (parameters ? !type.is_parameter(i) : type.is_parameter(i) || !type.is_buffer(i)) continue;
        places_of_[{object.get(), i}] = index_of(value.toTensor(), named(i), parameters);
      }
    for (size_t i = 0; i < type.numAttributes(); ++i)
      if (object->getSlot(i).isModule()) find_tensors(object->getSlot(i).toObject(), named(i));
  }

  size_t index_of(const at::Tensor &t, std::vector<std::string> name, bool parameter) {
    for (size_t i = 0; i < tensors_.size(); ++i)
      if (tensors_[i].initial.is_same(t)) return i;
    tensors_.push_back({std::move(name), t, parameter});
    return tensors_.size() - 1;
  }

  void declare(Builder &builder) {
    const auto &starts = extension<td_host_module>(TD_EXT_MODULE);
    td_error *err = nullptr;
    td::plugin::must(starts.start_training(builder.handle(), starts_training_, &err), err);
    for (Place &place : tensors_) {
      std::vector<td_str> parts;
      for (const std::string &part : place.name) parts.push_back(view(part));
      td_key key{parts.data(), parts.size()};
      builder.declare(place.parameter ? TD_ROLE_PARAMETER : TD_ROLE_BUFFER, key, handle_of(place.initial));
      if (place.parameter && !place.initial.requires_grad())
        td::plugin::must(starts.freeze(builder.handle(), &key, &err), err);
      place.initial = at::Tensor();  // the host has its own
    }
  }

  static c10::optional<bool> flag_of(const ObjectPtr &object) {
    c10::optional<size_t> slot = object->type()->findAttributeSlot("training");
    return slot && object->getSlot(*slot).isBool() ? c10::make_optional(object->getSlot(*slot).toBool()) : c10::nullopt;
  }

  // The module with other tensors: objects that hold any are copied, so that calls do not meet.
  ObjectPtr with_state(const ObjectPtr &of, const std::vector<at::Tensor> &state, bool training,
                       std::map<const c10::ivalue::Object *, ObjectPtr> &copies) const {
    ObjectPtr &copy = copies[of.get()];
    if (copy) return copy;
    const c10::ClassType &type = *of->type();
    ObjectPtr made = copy =
        c10::ivalue::Object::create(c10::StrongTypePtr(of->compilation_unit(), of->type()), type.numAttributes());
    for (size_t i = 0; i < type.numAttributes(); ++i) {
      const IValue &value = of->getSlot(i);
      auto place = places_of_.find({of.get(), i});
      if (place != places_of_.end())
        made->setSlot(i, state[place->second]);
      else if (value.isModule())
        made->setSlot(i, with_state(value.toObject(), state, training, copies));
      else if (value.isBool() && type.getAttributeName(i) == "training" && training != starts_training_)
        made->setSlot(i, training);  // as saved, parts of a module may be in another mode than the whole
      else
        made->setSlot(i, value);
    }
    return made;
  }

  // Tensors as they are; a tensor of one element where the method takes a number.
  std::vector<IValue> arguments_for(const c10::FunctionSchema &schema, const std::vector<Tensor> &inputs) const {
    const std::vector<c10::Argument> &wanted = schema.arguments();
    size_t least = 0, most = wanted.size() - 1;  // without self
    for (size_t i = 1; i < wanted.size(); ++i) least += !wanted[i].default_value();
    if (inputs.size() < least || inputs.size() > most)
      throw Error(TD_ERR_ARGUMENT, method_name_ + " of " + file_ + " takes " + std::to_string(least) + " to " +
                                       std::to_string(most) + " inputs, got " + std::to_string(inputs.size()));
    std::vector<IValue> arguments;
    for (size_t i = 0; i < inputs.size(); ++i) {
      at::Tensor t = tensor_of(inputs[i]);
      c10::TypeKind kind = wanted[i + 1].type()->kind();
      bool number = kind == c10::TypeKind::IntType || kind == c10::TypeKind::FloatType ||
                    kind == c10::TypeKind::BoolType || kind == c10::TypeKind::NumberType;
      if (!number) {
        arguments.emplace_back(t);
        continue;
      }
      if (t.numel() != 1)
        throw Error(TD_ERR_SHAPE, "the input " + wanted[i + 1].name() + " of " + file_ +
                                      " is a number, got a tensor of " + std::to_string(t.numel()) + " elements");
      if (kind == c10::TypeKind::IntType)
        arguments.emplace_back(t.item().toLong());
      else if (kind == c10::TypeKind::BoolType)
        arguments.emplace_back(t.item().toBool());
      else
        arguments.emplace_back(t.item().toDouble());
    }
    return arguments;
  }

  // Tuples, lists and dicts one after another, in their order; None is left out.
  void add_outputs(const IValue &value, std::vector<Tensor> &out) const {
    if (value.isTensor()) {
      out.push_back(handle_of(value.toTensor()));
    } else if (value.isTuple()) {
      for (const IValue &each : value.toTupleRef().elements()) add_outputs(each, out);
    } else if (value.isList()) {
      for (const IValue &each : value.toListRef()) add_outputs(each, out);
    } else if (value.isGenericDict()) {
      for (const auto &each : value.toGenericDict()) add_outputs(each.value(), out);
    } else if (value.isScalar()) {
      out.push_back(handle_of(at::scalar_tensor(value.toScalar())));
    } else if (!value.isNone()) {
      throw Error(TD_ERR_UNSUPPORTED,
                  method_name_ + " of " + file_ + " returned a " + value.tagKind() + ", not a tensor");
    }
  }

  std::string file_, method_name_;
  ObjectPtr root_;
  std::vector<Place> tensors_;
  std::map<Slot, size_t> places_of_;
  std::set<const c10::ivalue::Object *> seen_;
  bool starts_training_ = true;
};

}  // namespace

TD_PLUGIN("td.torchscript", "libtensordict", "1.0.0", "MIT", module, ScriptModule)
