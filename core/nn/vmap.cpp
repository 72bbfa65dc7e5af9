#include "core/nn/vmap.h"

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/lock.h"
#include "core/dict/shape/cat.h"
#include "core/dict/shape/split.h"
#include "core/dict/tensordict.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/nn/vmap_level.h"
#include "core/tensor/ops.h"
#include "core/torch_compat.h"

namespace td {

namespace {

int64_t member_count(const Node& states) {
  if (states.batch_dims() != 1 || states.batch_size()[0] == 0)
    throw Error(Code::shape, "the states have batch size " + to_string(states.batch_size()))
        .hint_naming(
            "the states must have one batch dim with at least one member, as {dict_from_modules} returns them");
  return states.batch_size()[0];
}

int64_t mapped_dim(const Node& data, int64_t dim, int64_t members) {
  auto dims = static_cast<int64_t>(data.batch_dims());
  if (dim < -dims || dim >= dims)
    throw Error(Code::index, "data_dim " + std::to_string(dim) + " is not a batch dim of data with batch size " +
                                 to_string(data.batch_size()));
  if (dim < 0) dim += dims;
  if (data.batch_size()[dim] != members)
    throw Error(Code::shape, "data has " + std::to_string(data.batch_size()[dim]) + " members along dim " +
                                 std::to_string(dim) + ", but the states have " + std::to_string(members));
  return dim;
}

// As module states are, nearly always: no lazy stack and no unbatched tensor.
bool ordinary(const Node& states) {
  const TensorDict* plain = states.plain();
  if (!plain) return false;
  bool all = true;
  plain->each([&](const Entry& e) { all = all && !e.is_unbatched() && (!e.is_node() || ordinary(*e.node())); });
  return all;
}

// The non-tensor entries of a tree without lazy stacks, in the order of its leaves.
void collect_data(const Node& node, std::vector<DataPtr>& out) {
  auto take = [&](const Entry& e) {
    if (e.is_node()) collect_data(*e.node(), out);
    if (e.is_data()) out.push_back(e.data());
  };
  if (const TensorDict* plain = node.plain())
    plain->each(take);
  else
    node.parts(take);
}

using Inside = c10::function_ref<NodePtr(const Node&, int64_t dim)>;

// A stack stays one: `each` maps its members, for which `dim` is the dim to take away, or to add.
NodePtr each_member(const LazyStack& stack, int64_t dim, int64_t stack_dim, Inside each) {
  Nodes members;
  for (const NodePtr& m : stack.members()) members.push_back(each(*m, dim));
  return stack.over(std::move(members), static_cast<size_t>(stack_dim));
}

// The data that one member sees: without the mapped dim. The numbers of stacked values are mapped as tensors are.
NodePtr wrapped(const Node& data, const optional<int64_t>& mapped, const VmapLevel& level) {
  if (!mapped) return shallow_copy(data);
  int64_t dim = *mapped;
  auto plain = [&](const Node& node) {
    std::vector<bool> shared;  // by all members
    Leaves inner = leaves(node, shared);
    for (size_t i = 0; i < inner.size(); ++i)
      if (!shared[i]) inner[i] = level.wrap(inner[i], dim);
    std::vector<DataPtr> values;
    collect_data(node, values);
    for (DataPtr& d : values)
      d = d->with(d->stacked() ? level.wrap(d->ids(), dim) : d->ids().select(dim, 0), d->stacked());
    Dims batch(node.batch_size().begin(), node.batch_size().end());
    Names names = spread(node.names(), batch.size());
    batch.erase(batch.begin() + dim);
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(dim));
    return rebuild(node, std::move(inner), values, batch, names);
  };
  return around_stacks(data, plain, [&](const LazyStack& stack) {
    auto at = static_cast<int64_t>(stack.stack_dim());
    if (at == dim || stack.members().empty()) return wrapped(*dense(stack), dim, level);
    return each_member(stack, dim > at ? dim - 1 : dim, dim > at ? at : at - 1,
                       [&](const Node& m, int64_t d) { return wrapped(m, d, level); });
  });
}

// The members stand at batch dim `dim`.
NodePtr unwrapped(const Node& data, int64_t members, const VmapLevel& level, int64_t dim) {
  auto plain = [&](const Node& node) {
    std::vector<bool> shared;
    Leaves outer = leaves(node, shared);
    for (size_t i = 0; i < outer.size(); ++i) {
      if (shared[i] && at::functorch::isBatchedTensor(outer[i]))
        refuse_unbatched_entry(leaf_paths(node)[i], "each member has a different value of it");
      if (!shared[i]) outer[i] = level.unwrap(outer[i], dim);
    }
    std::vector<DataPtr> values;
    collect_data(node, values);
    for (DataPtr& d : values) {
      bool stacked = d->stacked() || at::functorch::isBatchedTensor(d->ids());
      d = d->with(level.unwrap(d->ids(), dim), stacked);
    }
    Dims batch(node.batch_size().begin(), node.batch_size().end());
    batch.insert(batch.begin() + dim, members);
    Names names = spread(node.names(), node.batch_dims());
    names.insert(names.begin() + static_cast<std::ptrdiff_t>(dim), nullopt);
    return rebuild(node, std::move(outer), values, batch, names);
  };
  return around_stacks(data, plain, [&](const LazyStack& stack) {
    auto at = static_cast<int64_t>(stack.stack_dim());
    if (stack.members().empty()) return unwrapped(*dense(stack), members, level, dim);
    return each_member(stack, dim > at ? dim - 1 : dim, dim > at ? at : at + 1,
                       [&](const Node& m, int64_t d) { return unwrapped(m, members, level, d); });
  });
}

}  // namespace

NodePtr vmap_state(const Module& module, const Layout& layout, TensorsView stacked, int64_t members, const Node& data,
                   const VmapOptions& options) {
  optional<int64_t> dim;
  if (options.data_dim) dim = mapped_dim(data, *options.data_dim, members);
  VmapLevel level(members, options.randomness);
  Tensors state = stacked.vec();
  for (at::Tensor& t : state)
    if (t.defined()) t = level.wrap(t, 0);
  NodePtr result = module.run(State(layout, state), wrapped(data, dim, level), {});
  return unwrapped(*result, members, level, 0);
}

NodePtr vmap(const Module& module, const Node& states, const Node& data, const VmapOptions& options) {
  if (!ordinary(states)) {
    refuse_unbatched(states, "each member has a state of its own");
    if (has_lazy(states)) return vmap(module, *dense(states), data, options);
  }
  int64_t members = member_count(states);
  optional<int64_t> dim;
  if (options.data_dim) dim = mapped_dim(data, *options.data_dim, members);

  VmapLevel level(members, options.randomness);
  LayoutPtr layout = module.layout();
  Tensors state = state_with(*layout, states, [&](const at::Tensor& t) { return level.wrap(t, 0); });
  NodePtr result = module.run(State(*layout, state), wrapped(data, dim, level), {});
  return unwrapped(*result, members, level, 0);
}

// ---- Any function ---------------------------------------------------------------------------------------------------

namespace {

NodePtr locked_as(const Node& model, NodePtr made) {
  if (model.locked()) Lock::acquire(*made);
  return made;
}

std::string argument_name(size_t i) {
  return "argument " + std::to_string(i);
}

// A dict whose batch is too short has the members in the leading dims that all its tensors share.
NodePtr with_batch_for(const NodePtr& node, int64_t dim, size_t i) {
  auto needed = static_cast<size_t>(dim < 0 ? -dim : dim + 1);
  if (node->batch_dims() >= needed) return node;
  Leaves all = batched_leaves(*node);
  bool fits = !all.empty() && dim >= 0;
  for (const at::Tensor& t : all)
    fits = fits && t.dim() >= static_cast<int64_t>(needed) &&
           t.sizes().slice(0, needed) == all[0].sizes().slice(0, needed);
  if (!fits)
    throw Error(Code::index, "in_dim " + std::to_string(dim) + " of " + argument_name(i) +
                                 " is not a batch dim of a dict with batch size " + to_string(node->batch_size()));
  NodePtr copy = shallow_copy(*node);
  copy->set_batch_size(all[0].sizes().slice(0, needed));
  return copy;
}

int64_t normal_dim(int64_t dim, int64_t dims, const std::string& what) {
  if (dim < -dims || dim >= dims)
    throw Error(Code::index,
                what + ' ' + std::to_string(dim) + " is out of range for " + std::to_string(dims) + " dims");
  return dim < 0 ? dim + dims : dim;
}

int64_t size_along(const Entry& e, int64_t dim) {
  return e.is_node() ? e.node()->batch_size()[dim] : e.tensor().size(dim);
}

Entry member_slice(const Entry& e, int64_t dim, int64_t start, int64_t n) {
  if (e.is_tensor()) return Entry(e.tensor().narrow(dim, start, n));
  return Entry(locked_as(*e.node(), narrow(*e.node(), dim, start, n)));
}

std::vector<Entry> run_chunk(Mapped function, const std::vector<Entry>& arguments,
                             const std::vector<optional<int64_t>>& dims, int64_t members,
                             const VmapFunctionOptions& options) {
  VmapLevel level(members, options.randomness);
  std::vector<Entry> inner;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_node()) {
      const Node& given = *arguments[i].node();
      NodePtr node = wrapped(given, dims[i], level);
      inner.emplace_back(dims[i] ? locked_as(given, std::move(node)) : std::move(node));
    } else {
      inner.emplace_back(dims[i] ? level.wrap(arguments[i].tensor(), *dims[i]) : arguments[i].tensor());
    }
  }
  std::vector<Entry> results = function(inner);
  for (size_t i = 0; i < results.size(); ++i) {
    int64_t out = i < options.out_dims.size() ? options.out_dims[i] : 0;
    if (results[i].is_node()) {
      const Node& node = *results[i].node();
      int64_t dim = normal_dim(out, static_cast<int64_t>(node.batch_dims()) + 1, "out_dim");
      results[i] = Entry(locked_as(node, unwrapped(node, members, level, dim)));
    } else if (results[i].is_tensor()) {
      const at::Tensor& t = results[i].tensor();
      results[i] = Entry(level.unwrap(t, normal_dim(out, t.dim() + 1, "out_dim")));
    } else {
      throw Error(Code::argument, "the function returned something that is neither a tensor nor a dict");
    }
  }
  return results;
}

Entry joined_chunks(const std::vector<Entry>& chunks, int64_t out) {
  for (const Entry& e : chunks)
    if (e.is_tensor() != chunks[0].is_tensor())
      throw Error(Code::argument, "the function returned a tensor for some chunks and a dict for others");
  if (chunks[0].is_tensor()) {
    std::vector<at::Tensor> tensors;
    for (const Entry& e : chunks) tensors.push_back(e.tensor());
    return Entry(at::cat(tensors, out));
  }
  Several nodes;
  for (const Entry& e : chunks) nodes.push_back(e.node().get());
  try {
    return Entry(locked_as(*nodes[0], cat(nodes, out)));
  } catch (const Error& e) {
    if (e.code() != Code::key) throw;
    throw Error(Code::key, "the function returned this key for some chunks only").key(e.key());
  }
}

}  // namespace

std::vector<Entry> vmap(Mapped function, const std::vector<Entry>& given, const VmapFunctionOptions& options) {
  std::vector<Entry> arguments = given;
  std::vector<optional<int64_t>> dims = options.in_dims;
  dims.resize(arguments.size());
  optional<int64_t> members;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Entry& e = arguments[i];
    if (!e.is_node() && !e.is_tensor())
      throw Error(Code::argument, argument_name(i) + " is neither a tensor nor a dict");
    if (e.is_node() && has_lazy(*e.node())) e = Entry(dense(*e.node()));
    if (!dims[i]) continue;
    if (e.is_node()) e = Entry(with_batch_for(e.node(), *dims[i], i));
    int64_t rank = e.is_node() ? static_cast<int64_t>(e.node()->batch_dims()) : e.tensor().dim();
    dims[i] = normal_dim(*dims[i], rank, "in_dim of " + argument_name(i));
    int64_t size = size_along(e, *dims[i]);
    if (members && *members != size)
      throw Error(Code::shape, argument_name(i) + " has " + std::to_string(size) +
                                   " members, but the arguments before it have " + std::to_string(*members));
    members = size;
  }
  if (!members) throw Error(Code::argument, "at least one argument must be mapped");
  if (*members == 0) throw Error(Code::shape, "there are no members to map over");
  if (options.chunk_size < 0) throw Error(Code::argument, "chunk_size must not be negative");
  if (options.chunk_size == 0 || options.chunk_size >= *members)
    return run_chunk(function, arguments, dims, *members, options);

  std::vector<std::vector<Entry>> columns;  // one for each result
  for (int64_t start = 0; start < *members; start += options.chunk_size) {
    int64_t n = std::min(options.chunk_size, *members - start);
    std::vector<Entry> part = arguments;
    for (size_t i = 0; i < part.size(); ++i)
      if (dims[i]) part[i] = member_slice(part[i], *dims[i], start, n);
    std::vector<Entry> results = run_chunk(function, part, dims, n, options);
    columns.resize(results.size());
    for (size_t i = 0; i < results.size(); ++i) columns[i].push_back(std::move(results[i]));
  }
  std::vector<Entry> out;
  for (size_t i = 0; i < columns.size(); ++i)
    out.push_back(joined_chunks(columns[i], i < options.out_dims.size() ? options.out_dims[i] : 0));
  return out;
}

}  // namespace td
