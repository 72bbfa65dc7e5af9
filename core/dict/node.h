// The container behind every td_dict: a batched, nested map. Kinds of node differ in a few primitives; everything else
// (access by path, copies, index, stack, operators, lock, repr) is written once over them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/intrusive_ptr.h>

#include "core/dict/concurrent.h"
#include "core/dict/data/data.h"
#include "core/dict/key.h"
#include "core/dict/lock_word.h"
#include "core/dict/names.h"
#include "core/tensor/dims.h"
#include "core/torch_compat.h"

namespace td {

class Node;
class TensorDict;
class Writes;
struct Index;
using IndexList = c10::SmallVector<Index, 2>;
using NodePtr = c10::intrusive_ptr<Node>;
using Nodes = std::vector<NodePtr>;

// The entry under a key: nothing, a tensor, a node or non-tensor data. A tensor begins with the batch dims of its
// dict, or belongs to the whole batch and is unbatched: whatever is done to the batch dims leaves it as it is.
class Entry {
 public:
  Entry() = default;
  Entry(at::Tensor t) : value_(std::move(t)) {}  // NOLINT
  Entry(NodePtr n) : value_(std::move(n)) {}     // NOLINT

  Entry(DataPtr d) : value_(std::move(d)) {}  // NOLINT
  static Entry unbatched(at::Tensor t) {
    Entry e;
    e.value_.emplace<Unbatched>(Unbatched{std::move(t)});
    return e;
  }

  enum class Kind { none, tensor, node, data };
  Kind kind() const {
    constexpr Kind kinds[] = {Kind::none, Kind::tensor, Kind::tensor, Kind::node, Kind::data};
    return kinds[value_.index()];
  }
  explicit operator bool() const { return value_.index() != 0; }
  bool same_kind(const Entry& other) const { return value_.index() == other.value_.index(); }
  bool is_tensor() const { return is_batched() || is_unbatched(); }
  bool is_batched() const { return value_.index() == 1; }  // a tensor that begins with the batch dims
  bool is_unbatched() const { return value_.index() == 2; }
  bool is_node() const { return value_.index() == 3; }
  bool is_data() const { return value_.index() == 4; }
  const at::Tensor& tensor() const { return is_batched() ? std::get<1>(value_) : std::get<Unbatched>(value_).tensor; }
  const NodePtr& node() const { return std::get<NodePtr>(value_); }
  const DataPtr& data() const { return std::get<DataPtr>(value_); }
  at::Tensor&& take_tensor() { return std::move(const_cast<at::Tensor&>(tensor())); }
  NodePtr&& take_node() { return std::move(std::get<NodePtr>(value_)); }
  Entry with(at::Tensor t) const {  // another tensor in the place of this one
    return is_unbatched() ? unbatched(std::move(t)) : Entry(std::move(t));
  }
  void exchange(at::Tensor& other) { std::swap(*std::get_if<1>(&value_), other); }  // of a batched tensor
  void take(Entry& other) {  // and gives what it was; the usual case, one tensor for another, is inline
    if (is_batched() && other.is_batched())
      std::swap(std::get<1>(value_), std::get<1>(other.value_));
    else
      std::swap(value_, other.value_);
  }

 private:
  struct Unbatched {
    at::Tensor tensor;
  };
  std::variant<std::monostate, at::Tensor, Unbatched, NodePtr, DataPtr> value_;
};

// Python's class of a dict that is an ordinary one here: a tensorclass, or a tensor of several shapes. `fields` are
// members of a tensorclass that are no entries, as the inside of a JSON object.
struct PythonClass {
  std::string name;  // "module.Class"
  std::string fields;
  std::string pickle;  // of fields that are no JSON; never run
};
inline constexpr const char* nested_tensor = "torch.nested";  // a lazy stack of its components, each under "values"

// How much of an entry is asked for. With `kind` a tensor may be one that shows nothing but that it is one, with
// `shape` its dtype and sizes, and data may show nothing but its batch: nothing is read for them, or stacked.
enum class Detail { kind, shape, value };

// The directory whose files a dict is mapped from.
struct Home {
  std::string directory;  // absolute
  bool writable, copied;  // neither: read-only
};

// Changes on their way into a store: commit brings all of them there as one; without it none of them arrives.
class Gathered {
 public:
  virtual ~Gathered() = default;
  virtual void commit() = 0;
};

class Node : public c10::intrusive_ptr_target {
 public:
  using Visitor = c10::function_ref<void(const Key&, const Entry&)>;

  // ---- Primitives ---------------------------------------------------------------------------------------------------
  virtual const char* class_name() const = 0;  // as Python's repr shows it
  // The entry, or null. Kinds of node that make entries when asked keep them in `made`.
  virtual const Entry* peek(const KeyView& key, Entry& made) const = 0;
  virtual bool replace(const KeyView& key, Entry& value) = 0;  // takes `value`, or false if the key is missing
  virtual void put(const Key& key, Entry value) = 0;           // replaces in place or appends; checks nothing
  virtual bool erase(KeyView key) = 0;                         // false if it was missing; checks nothing
  // Puts it into what some members hold under the first part of a path; false if none of them holds anything there.
  virtual bool put_in_members(PathView, const Entry&) { return false; }
  virtual void ready_to_erase(KeyView key) { static_cast<void>(key); }  // after it, to erase a key takes no memory
  virtual size_t count() const = 0;                                     // entries at this level
  virtual void visit(Detail detail, Visitor fn) const = 0;              // entries at this level, in insertion order
  void visit(Visitor fn) const { visit(Detail::value, fn); }
  virtual NodePtr make_like(at::IntArrayRef batch) const = 0;  // an empty dict to hold such entries, with that device

  // ---- Where kinds of node differ -----------------------------------------------------------------------------------
  // Visits what the node holds itself: entries, or the members of a stack.
  virtual void parts(Detail detail, c10::function_ref<void(const Entry&)> fn) const;
  void parts(c10::function_ref<void(const Entry&)> fn) const { parts(Detail::value, fn); }
  // The entry under a key, with that detail; an empty one if it is missing.
  virtual Entry look(const KeyView& key, Detail) const { return find(key); }
  virtual bool has_common(const KeyView& key) const;                      // something to find
  virtual bool has(const KeyView& key) const { return has_common(key); }  // or to erase
  // Throws Error(shape) if what it holds was given another batch size from outside.
  virtual void check_current() const {}
  virtual bool sealed() const { return locked(); }  // refuses structural changes
  virtual bool lends() const { return true; }       // writing to the tensors that it returns writes to it
  virtual bool grows() const { return true; }       // can be given more batch dims
  virtual NodePtr clone() const;                    // new nodes of its kind, if that holds tensors, around cloned ones
  virtual NodePtr kept(NodePtr chosen) const { return chosen; }  // what was chosen of it, so that it needs it no more
  virtual size_t level() const { return level_.load(std::memory_order_relaxed); }  // dicts above it, at most

  // self[indices], which it takes, if that is more than what becomes of its leaves; null for all others.
  virtual NodePtr part(IndexList&) const { return {}; }

  // ---- Kinds whose entries are in several other dicts: false, null or nothing for all others -----------------------
  virtual int64_t member_dim() const { return -1; }  // the batch dim along which they lie
  bool has_members() const { return member_dim() >= 0; }
  virtual bool each_member(c10::function_ref<void(const NodePtr& member, size_t index)>) const { return false; }
  // One of its kind, over what `fn` makes of each member.
  virtual NodePtr map_members(c10::function_ref<NodePtr(const NodePtr& member, size_t index)>) const { return {}; }
  // `other` taken apart in the same way, one part for each member. Throws Error(shape).
  virtual optional<Nodes> apart(const Node&) const { return nullopt; }
  // Returns the part of `whole`, which covers all batch dims or the first of them, for one member. Throws Error(shape).
  virtual at::Tensor for_member(const at::Tensor& whole, size_t) const { return whole; }
  // Takes other members, any number: the batch size follows. Throws Error(shape), Error(device), Error(argument). With a
  // dim they lie along it from now on; the caller has checked that they are the members of a stack.
  virtual void restack(Nodes /*members*/, optional<size_t> /*dim*/ = nullopt) {}

  // ---- Kinds that are another dict with something around it: null for all others -----------------------------------
  virtual Node* inside() const { return nullptr; }
  virtual Node* guarded() const { return nullptr; }  // the inner node, if it is locked for all others
  // One of its kind, around what `fn` makes of the dict inside.
  virtual NodePtr around(c10::function_ref<NodePtr(const NodePtr& inside)>) const { return {}; }
  virtual void convert(Entry&) const {}          // to what is held in the place of such an entry
  virtual bool records() const { return true; }  // autograd notices what is written into it

  // ---- Writing into entries that exist ------------------------------------------------------------------------------
  // Adds to `writes` that the tensor under `key` gets the value, or each member its part. Throws what the write would.
  virtual void plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const;
  // Writes an entry that is no tensor of the node's own. The value has its sizes, or broadcasts to them.
  virtual void write_entry(const KeyView&, const at::Tensor&) const {}
  // self[indices] = value where only that part is read and written; false, and nothing is done, where it is not so.
  virtual bool assign_part(const IndexList&, const Node&) const { return false; }
  virtual bool fill_part(const IndexList&, const c10::Scalar&) const { return false; }
  // The same for the tensor under the last part of `path`, of which the indices may take more dims.
  virtual bool assign_entry(PathView, const IndexList&, const at::Tensor&) const { return false; }
  virtual at::Tensor read_entry(const KeyView&, const IndexList&) const { return {}; }

  virtual void check_write(PathView) const {}  // throws Error(locked) if nothing may be written into what holds it

  // ---- Kinds whose entries stay in a file, or on a server: false, null or nothing for all others --------------------
  virtual bool stored() const { return false; }
  // While the result lives, what this thread changes here is gathered, where the store can do that. Throws Error(busy)
  // if the dict has another version than the given one, Error(locked) if it may not be changed.
  virtual std::unique_ptr<Gathered> change(optional<int64_t> /*version*/) const { return nullptr; }
  virtual bool changing() const { return false; }                // whether this thread's changes are gathered
  virtual optional<int64_t> version() const { return nullopt; }  // how often it was changed, if that is known
  // Of a member of a stack that a server has as one: while the result lives, this thread reads all members as they are
  // at one moment, and the values of all under `key`, unless it is null, are there.
  virtual std::shared_ptr<const void> moment_of_all(const KeyView* /*key*/) const { return nullptr; }
  // Gives an entry another key in `to` without reading it; false, and nothing is done, where that takes more. The paths
  // are those that the caller knows.
  virtual bool rename_entry(PathView /*from*/, Node& /*to*/, PathView /*path*/, bool /*safe*/) { return false; }

  virtual const TensorDict* plain() const { return nullptr; }
  TensorDict* plain() { return const_cast<TensorDict*>(static_cast<const Node&>(*this).plain()); }

  // ---- Metadata -----------------------------------------------------------------------------------------------------
  at::IntArrayRef batch_size() const { return batch_; }
  size_t batch_dims() const { return batch_.size(); }
  const optional<c10::Device>& device() const { return device_; }
  void adopt_device(const optional<c10::Device>& device) { device_ = device; }  // here only, moves nothing
  virtual void set_batch_size(at::IntArrayRef batch);
  const Names& names() const { return names_; }  // empty if no batch dim has one
  virtual void set_names(const Names& names);    // here, and for the same dims of every node below; empty clears
  void adopt_names(Names names) { names_ = tidy(std::move(names)); }  // here only, unchecked
  int64_t nbytes() const;
  bool is_shared() const { return shared_; }  // lives in shared memory, as repr shows it
  void mark_shared() { shared_ = true; }
  bool is_memmap() const { return memmap_; }  // leaves print as MemoryMappedTensor
  void mark_memmap() { memmap_ = true; }

  const std::shared_ptr<const PythonClass>& python_class() const { return python_class_; }  // null: none
  void adopt_python_class(std::shared_ptr<const PythonClass> c) { python_class_ = std::move(c); }
  const std::shared_ptr<const Home>& home() const { return home_; }  // null: none
  void adopt_home(std::shared_ptr<const Home> home) { home_ = std::move(home); }

  Writer& writer() { return writer_; }  // claimed by the thread that is about to change it
  LockWord& lock() { return lock_; }
  const LockWord& lock() const { return lock_; }
  virtual bool locked() const { return lock_.held(); }

  // ---- Access by path: validate, then commit ------------------------------------------------------------------------
  Entry find(KeyView key) const;           // an empty Entry if it is missing
  Entry get(PathView path) const;          // an empty Entry if it is missing or below a tensor
  at::Tensor tensor(PathView path) const;  // throws Error(key)
  NodePtr node(PathView path) const;       // throws Error(key)
  DataPtr data(PathView path) const;       // throws Error(key)
  Entry lookup(PathView path) const;       // as get, for callers: throws for keys that no dict can have
  void set(PathView path, at::Tensor value);
  void set(PathView path, NodePtr value);
  void set(PathView path, DataPtr value);
  void set(PathView path, Entry value);
  void copy_into(PathView path, const at::Tensor& value);
  void erase_path(PathView path);
  Entry look_at(PathView path, Detail detail) const;  // as get, with that detail
  virtual bool contains(const Node* other) const;     // itself, or anywhere below

 protected:
  Node(at::IntArrayRef batch, optional<c10::Device> device) : batch_(batch.begin(), batch.end()), device_(device) {}
  void adopt_batch(at::IntArrayRef batch) { batch_.assign(batch.begin(), batch.end()); }

 private:
  // Gives `fn` the entry, borrowed while it runs; null if it is missing or below a tensor. It only copies it.
  template <class F>
  auto with(PathView path, F&& fn) const -> decltype(fn(nullptr));

  void put_checked(PathView path, Entry value);
  void put_node(const KeyView& key, Entry node, const Names& given, size_t level);
  Entry fit(PathView path, Entry value, at::IntArrayRef batch, const optional<c10::Device>& device) const;
  Names fit_names(PathView path, Entry& entry) const;
  virtual void grow_batch(at::IntArrayRef batch);
  void check_batch(at::IntArrayRef batch, const Path& prefix) const;
  bool not_above(size_t level) const;
  void sink(const KeyView& key, size_t level) const;

  Dims batch_;
  Names names_;
  optional<c10::Device> device_;
  std::shared_ptr<const PythonClass> python_class_;
  std::shared_ptr<const Home> home_;
  LockWord lock_;
  Writer writer_;
  mutable std::atomic<uint16_t> level_{0};  // dicts that it was seen below, at most; two dicts may take it in at once
  bool shared_ = false, memmap_ = false;
};

// One more reference to a node.
inline NodePtr itself(const Node& node) {
  return NodePtr::unsafe_reclaim_from_nonowning(const_cast<Node*>(&node));
}

}  // namespace td
