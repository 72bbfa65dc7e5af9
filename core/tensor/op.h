// ATen operators by name, through the dispatcher, with arguments checked against the schema.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Scalar.h>
#include <c10/util/ArrayRef.h>

#include "core/torch_compat.h"

namespace td {

class Generator;

// An argument as the caller wrote it; the schema decides what it becomes. Borrows what it points to.
struct Arg {
  enum class Kind {
    use_default,
    none,
    tensor,
    integer,
    real,
    boolean,
    text,
    dtype,
    ints,
    reals,
    booleans,
    tensors,
    generator,
    scalar,  // a complex number, or one above INT64_MAX
    texts
  };

  Arg() = default;
  Arg(const at::Tensor& t)
      : kind(t.defined() ? Kind::tensor : Kind::none), tensor(t) {}               // NOLINT: a tensor is an argument
  Arg(int64_t i) : kind(Kind::integer), i(i) {}                                   // NOLINT
  Arg(int i) : Arg(int64_t{i}) {}                                                 // NOLINT
  Arg(double f) : kind(Kind::real), f(f) {}                                       // NOLINT
  Arg(bool b) : kind(Kind::boolean), i(b) {}                                      // NOLINT
  Arg(at::IntArrayRef list) : kind(Kind::ints), ints(list) {}                     // NOLINT
  Arg(const c10::Scalar& s) : kind(Kind::scalar), scalar(s) {}                    // NOLINT
  Arg(at::ScalarType type) : kind(Kind::dtype), i(static_cast<int64_t>(type)) {}  // NOLINT

  Kind kind = Kind::use_default;
  at::Tensor tensor;
  int64_t i = 0;
  double f = 0;
  c10::Scalar scalar;
  std::string_view text;
  at::IntArrayRef ints;
  at::ArrayRef<double> reals;
  at::ArrayRef<uint8_t> booleans;
  std::vector<std::string_view> texts;
  std::vector<at::Tensor> tensors;  // undefined entries are "no value"
  Generator* generator = nullptr;
};

struct NamedArg {
  std::string_view name;
  Arg value;
};

class Op final : public c10::intrusive_ptr_target {
 public:
  using Results = std::vector<c10::IValue>;

  // "add" means "aten::add". Without an overload, which "add.Tensor" names too, each call chooses. Throws
  // Error(not_found).
  static c10::intrusive_ptr<Op> find(std::string_view name, optional<std::string_view> overload);

  // Throws Error(argument) before anything runs if there would be more results than `room`.
  Results call(at::ArrayRef<Arg> args, at::ArrayRef<NamedArg> kwargs = {}, size_t room = SIZE_MAX) const;

  // Keeps the memory of results that are read for the next call of this thread.
  static void recycle(Results&& results) noexcept;

  bool fits(at::ArrayRef<Arg> args, at::ArrayRef<NamedArg> kwargs = {}) const;  // some schema takes the arguments

  const std::string& name() const { return name_; }
  std::string schemas() const;  // one a line
  size_t result_count() const;  // of the first overload

 private:
  std::string name_;
  std::vector<c10::OperatorHandle> overloads_;
};

// True for operators in place: "add_".
bool writes(const Op& op);

}  // namespace td
