#include "core/dict/become.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/dict/copy.h"
#include "core/error.h"

namespace td {

namespace {

using Seen = std::unordered_set<const Node*>;

void collect_nodes(const Node& node, Seen& out) {
  if (!out.insert(&node).second) return;
  node.structure([&](const Entry& e) {
    if (e.is_node()) collect_nodes(*e.node(), out);
  });
}

// What each node will hold. A node that the other dict contains itself, or that is met a second time, is not changed but
// replaced: so no dict comes to contain itself.
class Takeover {
 public:
  Takeover(Node& self, const Node& other, bool through_locks) : through_locks_(through_locks) {
    collect_nodes(other, taken_);
    if (other.contains(&self))
      throw Error(Code::argument, "a dict cannot contain itself").hint("the other dict contains this one");
    if (!changeable(self))
      throw Error(Code::unsupported, std::string("a ") + self.class_name() + " cannot become another dict");
    plan(self, other, Path());
  }

  void commit() {
    for (Step& s : steps_) {
      std::vector<Key> old;
      s.node->visit([&](const Key& k, const Entry&) { old.push_back(k); });
      while (!old.empty()) {
        s.node->erase(old.back());
        old.pop_back();
      }
      s.node->set_batch_size(s.batch);
      s.node->adopt_names(std::move(s.names));
      for (auto& [key, entry] : s.entries) s.node->put(key, std::move(entry));
    }
  }

 private:
  struct Step {
    Node* node;
    Dims batch;
    Names names;
    std::vector<std::pair<Key, Entry>> entries;
  };

  static bool changeable(const Node& node) { return !node.lazy() && !node.params() && !node.persistent(); }

  void plan(Node& node, const Node& source, const Path& path) {
    if (!through_locks_ && node.sealed())
      throw Error(Code::locked, "cannot modify a locked dict").key(path.size() ? to_string(path) : "");
    at::IntArrayRef batch = source.batch_size();
    if (std::find(batch.begin(), batch.end(), -1) != batch.end())
      throw Error(Code::shape, "the members of a lazy stack have different batch sizes")
          .key(path.size() ? to_string(path) : "");
    taken_.insert(&node);
    Step step{&node, Dims(batch.begin(), batch.end()), source.names(), {}};
    source.visit([&](const Key& k, const Entry& e) {
      Entry ours = node.find(k);
      if (e.is_node() && ours.is_node() && changeable(*ours.node()) && taken_.count(ours.node().get()) == 0)
        plan(*ours.node(), *e.node(), path + k);
      else
        ours = placed(e, node.device());
      step.entries.emplace_back(k, std::move(ours));
    });
    steps_.push_back(std::move(step));
  }

  static Entry placed(const Entry& e, const optional<c10::Device>& device) {
    if (!device || e.is_data()) return e;
    if (e.is_node()) return e.node()->device() == device ? e : Entry(moved(*e.node(), *device));
    return e.tensor().device() == *device ? e : Entry(e.tensor().to(*device));
  }

  bool through_locks_;
  Seen taken_;
  std::vector<Step> steps_;
};

}  // namespace

void become(Node& self, const Node& other, bool through_locks) {
  if (&self != &other) Takeover(self, other, through_locks).commit();
}

}  // namespace td
