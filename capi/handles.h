// Handles are the core's own reference-counted objects: what td_X points to is a td::X, without a table in between.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include "core/dict/node.h"
#include "core/error.h"
#include "core/live.h"
#include "tensordict.h"

namespace td {
class Data;
class Node;
class Op;
class Segment;
class Channel;
class Message;
class Cancel;
class Module;
class Optimizer;
class Schedule;
class Group;
namespace group {
class Work;
}
class Distribution;
class Query;
class Hasher;
class RowStore;
class RowMap;
class PackLayout;
class Generator;
class Scope;
class NoGradScope;
namespace capi {

// Small values that exist only at the border.
struct String : c10::intrusive_ptr_target {
  std::string text;
  explicit String(std::string t) : text(std::move(t)) {}
};
struct Keys : c10::intrusive_ptr_target {
  std::vector<Path> paths;
  std::vector<td_str> parts;  // of all paths, one after another
  std::vector<td_key> keys;   // views of these
};
struct PathHandle : c10::intrusive_ptr_target {
  Path path;
  std::vector<td_str> parts;  // views of its keys
};
struct TensorList : c10::intrusive_ptr_target {
  std::vector<at::Tensor> tensors;
  std::vector<td_tensor*> handles;  // borrowed; NULL for an undefined one
  explicit TensorList(std::vector<at::Tensor> all);
};
struct EntryList : c10::intrusive_ptr_target {
  c10::intrusive_ptr<Keys> keys;
  std::vector<Entry> held;
  std::vector<td_entry> entries;  // borrowed from `held`
};
struct DictList : c10::intrusive_ptr_target {
  std::vector<c10::intrusive_ptr<Node>> dicts;
};

// Which core type a handle is, how it is counted, and what errors call it. Specialised beside each section's functions.
template <class H>
struct Handle;

#define TD_HANDLE(handle, core_type, object_kind, noun)   \
  template <>                                             \
  struct Handle<handle> {                                 \
    using Core = core_type;                               \
    static constexpr td_object_kind kind = (object_kind); \
    static constexpr const char* name = (noun);           \
  }

TD_HANDLE(td_string, String, TD_OBJECT_STRING, "string");
TD_HANDLE(td_keys, Keys, TD_OBJECT_KEYS, "key list");
TD_HANDLE(td_path, PathHandle, TD_OBJECT_PATH, "path");
TD_HANDLE(td_entries, EntryList, TD_OBJECT_ENTRIES, "list of entries");
TD_HANDLE(td_tensor_list, TensorList, TD_OBJECT_TENSOR_LIST, "tensor list");
TD_HANDLE(td_generator, Generator, TD_OBJECT_GENERATOR, "generator");
TD_HANDLE(td_op, Op, TD_OBJECT_OP, "operator");
TD_HANDLE(td_data_list, Data, TD_OBJECT_DATA_LIST, "data list");
TD_HANDLE(td_dict, Node, TD_OBJECT_DICT, "dict");
TD_HANDLE(td_dict_list, DictList, TD_OBJECT_DICT_LIST, "dict list");
TD_HANDLE(td_no_grad, NoGradScope, TD_OBJECT_NO_GRAD, "scope");
TD_HANDLE(td_scope, Scope, TD_OBJECT_SCOPE, "scope");
TD_HANDLE(td_segment, Segment, TD_OBJECT_SEGMENT, "segment");
TD_HANDLE(td_channel, Channel, TD_OBJECT_CHANNEL, "channel");
TD_HANDLE(td_cancel, Cancel, TD_OBJECT_CANCEL, "cancel");
TD_HANDLE(td_message, Message, TD_OBJECT_MESSAGE, "message");
TD_HANDLE(td_module, Module, TD_OBJECT_MODULE, "module");
TD_HANDLE(td_optimizer, Optimizer, TD_OBJECT_OPTIMIZER, "optimizer");
TD_HANDLE(td_schedule, Schedule, TD_OBJECT_SCHEDULE, "schedule");
TD_HANDLE(td_group, Group, TD_OBJECT_GROUP, "group");
TD_HANDLE(td_work, group::Work, TD_OBJECT_WORK, "transfer");
TD_HANDLE(td_dist, Distribution, TD_OBJECT_DIST, "distribution");
TD_HANDLE(td_query, Query, TD_OBJECT_QUERY, "query");
TD_HANDLE(td_hash, Hasher, TD_OBJECT_HASH, "hash");
TD_HANDLE(td_store, RowStore, TD_OBJECT_STORE, "store");
TD_HANDLE(td_row_map, RowMap, TD_OBJECT_ROW_MAP, "row map");
TD_HANDLE(td_pack_layout, PackLayout, TD_OBJECT_PACK_LAYOUT, "layout");

template <class H>
using Core = typename Handle<H>::Core;
template <class H>
using Ptr = c10::intrusive_ptr<Core<H>>;

[[noreturn]] void throw_null(const char* what);

// The object behind a handle, borrowed; throws Error(argument) for NULL.
template <class H>
Core<H>& ref(H* handle) {
  if (!handle) throw_null(Handle<H>::name);
  return *reinterpret_cast<Core<H>*>(handle);
}
template <class H>
const Core<H>& ref(const H* handle) {
  if (!handle) throw_null(Handle<H>::name);
  return *reinterpret_cast<const Core<H>*>(handle);
}

// A new owning pointer to the object behind a handle.
template <class H>
Ptr<H> share(H* handle) {
  Core<H>& object = ref(handle);
  c10::raw::intrusive_ptr::incref(static_cast<c10::intrusive_ptr_target*>(&object));
  return Ptr<H>::reclaim(&object);
}

// Gives one reference to the caller.
template <class H>
H* own(Ptr<H> object) {
  live::add(Handle<H>::kind, 1);
  return reinterpret_cast<H*>(object.release());
}

template <class H>
void retain(const H* handle) {
  if (!handle) return;
  live::add(Handle<H>::kind, 1);
  auto* object = reinterpret_cast<Core<H>*>(const_cast<H*>(handle));
  c10::raw::intrusive_ptr::incref(static_cast<c10::intrusive_ptr_target*>(object));
}

template <class H>
void release(const H* handle) {
  if (!handle) return;
  live::add(Handle<H>::kind, -1);
  Ptr<H>::reclaim(reinterpret_cast<Core<H>*>(const_cast<H*>(handle)));
}

// ---- Tensors: td_tensor is at::TensorImpl ---------------------------------------------------------------------------
// `tensor` borrows without touching the count; the reference lives as long as the handle variable.
inline const at::Tensor& tensor(td_tensor* const& handle) {
  static_assert(sizeof(at::Tensor) == sizeof(handle), "a tensor handle is an at::Tensor");
  if (!handle) throw_null("tensor");
  return reinterpret_cast<const at::Tensor&>(handle);
}
inline const at::Tensor& tensor(const td_tensor* const& handle) {
  return tensor(const_cast<td_tensor* const&>(handle));
}

inline td_tensor* own(at::Tensor t) {
  if (!t.defined()) return nullptr;
  live::add(TD_OBJECT_TENSOR, 1);
  return reinterpret_cast<td_tensor*>(t.unsafeReleaseTensorImpl());
}

// Takes over a reference that a callback or a plugin returned.
inline at::Tensor adopt(td_tensor* handle) {
  if (!handle) return {};
  live::add(TD_OBJECT_TENSOR, -1);
  return at::Tensor(
      c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim(reinterpret_cast<at::TensorImpl*>(handle)));
}

}  // namespace capi
}  // namespace td
