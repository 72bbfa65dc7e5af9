// Another form of a dict to work on for a while; at the end of the scope its entries are set in the original.
//
//     Scope scope = Scope::flatten_keys(td);
//     scope->set("next.done", done);
//     scope.end();                                             // td has ("next", "done") now
//
//     within(Scope::view(td, {-1}), [](Dict& rows) { ... });   // ends it, unless the function throws
//
// One that goes without an end is cancelled: nothing is written back.
#ifndef TENSORDICT_SCOPE_HPP
#define TENSORDICT_SCOPE_HPP

#include "stack.hpp"

namespace tensordict {

class Scope : public Handle<Scope, td_scope, td_scope_retain, td_scope_release> {
 public:
  explicit Scope(Adopted raw) noexcept : Handle(raw) {}
  Scope(Scope&& other) noexcept = default;
  Scope& operator=(Scope&& other) noexcept {
    Handle::operator=(std::move(other));
    std::swap(open_, other.open_);
    std::swap(inside_, other.inside_);
    return *this;
  }
  ~Scope() {
    if (open_ && defined()) td_scope_cancel(get(), nullptr);
  }
  Scope share() const = delete;  // one alone ends it

  // Unlocked until the end; then what was locked before is locked again, on every way out. The dict inside is `td`.
  static Scope unlock(Dict& td) {
    Scope scope = detail::made<Scope>(td_scope_unlock, td.get());
    scope.inside_ = td.share();
    return scope;
  }
  static Scope flatten_keys(Dict& td, std::string_view separator = ".") {
    return begin(td_scope_flatten_keys, td, detail::str(separator));
  }
  static Scope unflatten_keys(Dict& td, std::string_view separator = ".") {
    return begin(td_scope_unflatten_keys, td, detail::str(separator));
  }
  // As the functions of these names on dicts.
  static Scope view(Dict& td, Ints sizes) { return begin(td_scope_view, td, sizes.data(), sizes.size()); }
  static Scope flatten(Dict& td, std::int64_t start = 0, std::int64_t last = -1) {
    return begin(td_scope_flatten, td, start, last);
  }
  static Scope unflatten(Dict& td, std::int64_t dim, Ints sizes) {
    return begin(td_scope_unflatten, td, dim, sizes.data(), sizes.size());
  }
  static Scope squeeze(Dict& td, Ints dims = {}) { return begin(td_scope_squeeze, td, dims.data(), dims.size()); }
  static Scope unsqueeze(Dict& td, std::int64_t dim) { return begin(td_scope_unsqueeze, td, dim); }
  static Scope permute(Dict& td, Ints dims) { return begin(td_scope_permute, td, dims.data(), dims.size()); }
  static Scope transpose(Dict& td, std::int64_t dim0, std::int64_t dim1) {
    return begin(td_scope_transpose, td, dim0, dim1);
  }
  static Scope movedim(Dict& td, Ints source, Ints destination) {
    if (source.size() != destination.size()) throw ArgumentError("there is not one destination for each dim");
    return begin(td_scope_movedim, td, source.data(), destination.data(), source.size());
  }
  static Scope flip(Dict& td, Ints dims) { return begin(td_scope_flip, td, dims.data(), dims.size()); }
  static Scope roll(Dict& td, Ints shifts, Ints dims = {}) {
    return begin(td_scope_roll, td, shifts.data(), shifts.size(), dims.data(), dims.size());
  }
  static Scope to(Dict& td, DType dtype, std::string_view device = {}) {
    return begin(td_scope_to, td, detail::raw(dtype), detail::optional_str(device));
  }

  // The dict inside; ArgumentError for a scope that has none, as Module::swap gives.
  Dict& dict() {
    if (!inside_) throw ArgumentError("the scope has no dict inside");
    return *inside_;
  }
  Dict* operator->() { return &dict(); }

  // Writes back what the dict inside holds, or locks again; ClosedError if the scope has ended.
  void end() {
    detail::call(td_scope_end, get());
    open_ = false;
  }
  // Writes nothing back, and locks again; ClosedError if the scope has ended.
  void cancel() {
    detail::call(td_scope_cancel, get());
    open_ = false;
  }

 private:
  template <class F, class... A>
  static Scope begin(F function, Dict& td, A... arguments) {
    td_dict* inside = nullptr;
    td_scope* scope = nullptr;
    detail::call(function, td.get(), arguments..., &inside, &scope);
    Dict owned = Dict::adopt(inside);
    Scope made = adopt(scope);
    made.inside_ = std::move(owned);
    return made;
  }

  std::optional<Dict> inside_;
  bool open_ = true;
};

template <class F>
void within(Scope scope, F&& body) {
  std::forward<F>(body)(scope.dict());
  scope.end();
}

}  // namespace tensordict

#endif
