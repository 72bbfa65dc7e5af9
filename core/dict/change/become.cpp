#include "core/dict/change/become.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/dict/change/edit.h"
#include "core/dict/change/inside.h"
#include "core/dict/copy.h"
#include "core/dict/data/plain.h"
#include "core/dict/entries.h"
#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/shape/split.h"
#include "core/error.h"

namespace td {

namespace {

using Seen = std::unordered_set<const Node*>;

void collect_nodes(const Node& node, Seen& out) {
  if (!out.insert(&node).second) return;
  node.parts(Detail::kind, [&](const Entry& e) {
    if (e.is_node()) collect_nodes(*e.node(), out);
  });
}

std::string key_of(const Path& path) {
  return path.size() ? to_string(path) : "";
}

[[noreturn]] void throw_locked(const Path& path) {
  throw Error(Code::locked, "cannot modify a locked dict").key(key_of(path));
}

size_t stack_dim(const Node& stack) {
  return static_cast<size_t>(stack.member_dim());
}

bool of_one_stack(const Node& stack, const Node& other) {
  const size_t dim = stack_dim(stack);
  const int64_t n = stack.batch_size()[dim];
  bool fits = other.batch_dims() > dim && other.batch_size()[dim] == n && n > 0;
  return fits && (!other.has_members() || other.member_dim() == stack.member_dim());
}

// What each node will hold. A node that the other dict contains itself, or that is met a second time, is not changed
// but replaced: so no dict comes to contain itself.
class Takeover {
 public:
  Takeover(Node& self, const Node& other, bool through_locks) : through_locks_(through_locks) {
    collect_nodes(other, taken_);
    const Node* inside = self.inside();
    if (other.contains(&self) || (inside && &other != inside && other.contains(inside)))
      throw Error(Code::argument, "a dict cannot contain itself").hint("the other dict contains this one");
    plan(self, other, Path(), nullptr);
  }

  // All of it, or nothing.
  void commit() {
    std::vector<Step> before;
    for (const Step& s : steps_) before.push_back(as_it_is(*s.node));
    size_t done = 0;
    try {
      for (; done < steps_.size(); ++done) take(steps_[done]);
    } catch (...) {
      for (size_t i = done + 1; i-- > 0;) take(before[i]);
      throw;
    }
  }

 private:
  struct Step {
    Node* node;
    Dims batch;
    Names names;
    optional<c10::Device> device;
    std::vector<std::pair<Key, Entry>> entries;
    Nodes members{};  // of a stack, along `dim`
    size_t dim = 0;
  };

  static Step as_it_is(Node& node) {
    Step s{&node, Dims(node.batch_size().begin(), node.batch_size().end()), node.names(), node.device(), {}};
    if (node.has_members()) {
      s.members = all_members(node);
      s.dim = stack_dim(node);
    } else {
      s.entries = entries(node);
    }
    return s;
  }

  static void take(Step& s) {
    if (!s.members.empty())
      s.node->restack(std::move(s.members), s.dim);
    else
      refill(s);
    s.node->adopt_names(s.names);
    if (s.node->inside()) s.node->inside()->adopt_names(std::move(s.names));
  }

  static void refill(Step& s) {
    std::vector<Key> old;
    s.node->visit([&](const Key& k, const Entry&) { old.push_back(k); });
    while (!old.empty()) {
      s.node->erase(old.back());
      old.pop_back();
    }
    s.node->set_batch_size(s.batch);
    s.node->adopt_device(s.device);
    if (s.node->inside()) s.node->inside()->adopt_device(s.device);
    for (auto& [key, entry] : s.entries) s.node->put(key, std::move(entry));
  }

  bool changeable(const Node& node, const Node& source) const {
    if (!changeable(node)) return false;
    return !node.has_members() || (source.has_members() && of_one_stack(node, source));
  }

  bool changeable(const Node& node) const {
    return taken_.count(&node) == 0 && !node.inside() && (node.lends() || node.has_members());
  }

  // `owner` is the dict that the node is inside of, and that converts what the node gets: parameters.
  void plan(Node& node, const Node& source, const Path& path, const Node* owner) {
    if (node.inside()) owner = &node;
    bool open = through_locks_ || (owner && owner != &node && owner->guarded());
    if (!open && node.sealed()) throw_locked(path);
    if (owner == &node && !node.guarded() && node.inside()->sealed()) throw_locked(path);
    taken_.insert(&node);
    if (node.has_members()) return plan_members(node, source, path);
    at::IntArrayRef batch = source.batch_size();
    if (std::find(batch.begin(), batch.end(), -1) != batch.end())
      throw Error(Code::shape, "the members of a lazy stack have different batch sizes").key(key_of(path));
    Step step{&node, Dims(batch.begin(), batch.end()), source.names(), device_of(node, source), {}};
    source.visit([&](const Key& k, const Entry& e) {
      Entry ours = node.find(k);
      if (e.is_node() && ours.is_node() && changeable(*ours.node(), *e.node()))
        plan(*ours.node(), *e.node(), path + k, owner);
      else
        ours = placed(e, step.device, owner);
      step.entries.emplace_back(k, std::move(ours));
    });
    steps_.push_back(std::move(step));
  }

  void plan_members(Node& stack, const Node& source, const Path& path) {
    bool one_by_one = of_one_stack(stack, source);
    if (!one_by_one && source.batch_dims() == 0)
      throw Error(Code::shape, "a dict without batch dims cannot be a lazy stack").key(key_of(path));
    size_t dim = one_by_one             ? stack_dim(stack)
                 : source.has_members() ? static_cast<size_t>(source.member_dim())
                                        : std::min(stack_dim(stack), source.batch_dims() - 1);
    Nodes parts = source.has_members() ? all_members(source) : unbind(source, static_cast<int64_t>(dim));
    if (parts.empty()) throw Error(Code::unsupported, "a lazy stack must keep at least one member").key(key_of(path));
    LazyStack::make(parts, static_cast<int64_t>(dim));  // throws if they are no stack
    const Nodes members = all_members(stack);
    Step step{&stack, {}, source.names(), nullopt, {}};
    step.dim = dim;
    for (size_t i = 0; i < parts.size(); ++i) {
      NodePtr member = one_by_one ? members[i] : NodePtr();
      bool stays = member && changeable(*member);
      if (stays) plan(*member, *parts[i], path, nullptr);
      step.members.push_back(stays ? std::move(member) : std::move(parts[i]));
    }
    steps_.push_back(std::move(step));
  }

  static optional<c10::Device> device_of(const Node& node, const Node& source) {
    return source.device() ? source.device() : node.device();
  }

  static Entry placed(const Entry& e, const optional<c10::Device>& device, const Node* owner) {
    Entry made = e;
    if (device && e.is_node() && e.node()->device() != device) made = Entry(moved(*e.node(), *device));
    if (device && e.is_tensor() && e.tensor().device() != *device) made = e.with(e.tensor().to(*device));
    if (owner) owner->convert(made);
    return made;
  }

  bool through_locks_;
  Seen taken_;
  std::vector<Step> steps_;
};

// The file keeps what it has of the same kind, and gets copies of the rest.
void into_file(Edit& edit, Node& self, const Node& other, const Path& path) {
  if (self.batch_size() != other.batch_size())
    throw Error(Code::unsupported, "a dict in a file keeps its batch size " + to_string(self.batch_size()) +
                                       ", but the other dict has " + to_string(other.batch_size()))
        .key(key_of(path))
        .hint("save the other dict to a new file");
  std::vector<Key> gone;
  self.visit(Detail::shape, [&](const Key& k, const Entry&) {
    if (!other.has_common(k)) gone.push_back(k);
  });
  for (const Key& k : gone) edit.drop(self, k, path);
  for (const auto& [key, entry] : entries(other)) {
    Entry ours = self.look(key, Detail::shape);
    if (entry.is_node() && ours.is_node())
      into_file(edit, *ours.node(), *entry.node(), path + key);
    else
      edit.set(self, Path(std::vector<Key>{key}), entry);
  }
}

}  // namespace

void become(Node& self, const Node& other, bool through_locks) {
  if (&self == &other) return;
  if (!self.lends() && !self.has_members()) {
    if (other.contains(&self)) throw Error(Code::argument, "a dict cannot contain itself");
    NodePtr copy = plain_copy(other);  // `other` may show parts of the file
    Edit edit;
    into_file(edit, self, *copy, Path());
    self.set_names(other.names());
    return edit.keep();
  }
  Takeover takeover(self, other, through_locks);
  Opened opened(self);
  takeover.commit();
}

}  // namespace td
