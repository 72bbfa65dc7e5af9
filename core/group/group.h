// Ranks that exchange dicts: processes on one machine or on several, numbered from 0.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <c10/util/intrusive_ptr.h>

#include "core/dict/node.h"
#include "core/group/lanes.h"
#include "core/group/message.h"
#include "core/group/transport.h"
#include "core/group/work.h"
#include "core/shm/cancel.h"

namespace td {

class Group : public c10::intrusive_ptr_target {
 public:
  static c10::intrusive_ptr<Group> open(group::Options options);
  static c10::intrusive_ptr<Group> adopt(const std::string& name, bool beside_stock);
  explicit Group(std::unique_ptr<group::Transport> transport);
  ~Group() override;

  int32_t rank() const { return rank_; }
  int32_t size() const { return size_; }

  void barrier() const;

  // Of the store in which the ranks met.
  void set(const std::string& key, const std::string& value) const;
  std::string get(const std::string& key, int64_t timeout_ms, shm::CancelFlag* cancel) const;
  int64_t add(const std::string& key, int64_t n) const;
  bool remove(const std::string& key) const;

  // ---- One rank to another ------------------------------------------------------------------------------------------
  struct Transfer {
    int32_t tag = 0;
    bool by_leaf = false;      // of stock Python, which has two ways and does not say which
    bool pseudo_rand = false;  // the tags of the leaves, as it has them
  };
  // The tensors of a dict. The receiver has a dict of the same structure; Error(shape) if it is another, and then
  // nothing is changed.
  void send(const Node& node, int32_t peer, const Transfer& transfer) const;
  void receive(Node& node, int32_t peer, const Transfer& transfer) const;
  // The same, begun and not waited for. What arrives is written when it is waited for.
  c10::intrusive_ptr<group::Work> begin_send(const Node& node, int32_t peer, const Transfer& transfer) const;
  c10::intrusive_ptr<group::Work> begin_receive(NodePtr node, int32_t peer, const Transfer& transfer) const;
  // A dict with its structure.
  void send_described(const Node& node, int32_t peer) const;
  NodePtr receive_described(int32_t peer) const;

  // ---- All ranks: each calls the same ones in the same order --------------------------------------------------------
  NodePtr broadcast(const Node* node, int32_t root) const;  // null but on the root
  void all_reduce(Node& node, group::Reduction op, int64_t bucket_bytes) const;
  void reduce(Node& node, int32_t root, group::Reduction op, int64_t bucket_bytes) const;
  Nodes all_gather(const Node& node) const;
  // The dicts of all others, stacked, into that of the root.
  void gather_and_stack(Node& node, int32_t root) const;

 private:
  group::Transport& transport() const;  // throws Error(unsupported) in a forked child
  group::Transport& transport_to(int32_t peer, int32_t tag) const;
  void check_root(int32_t root) const;
  bool all_ours() const;

  // What a transfer is made of: the first part is done at once and in order, the second may take long.
  std::function<void()> post(const Node& node, int32_t peer, const Transfer& transfer) const;
  at::Tensor take(const group::Message& message, const Node& node, int32_t peer, const Transfer& transfer) const;
  group::Announced take_header(group::Transport& from, int32_t peer, int32_t tag, group::Kind kind) const;

  // Says what this rank is about to do, and hears it of all others: the engine sees nothing before they agree.
  std::vector<group::Announced> agree(const group::Announced& mine) const;
  // Runs `prepare`; if it throws, the others hear of it in place of waiting.
  template <class F>
  auto prepared(F prepare) const -> decltype(prepare());
  std::vector<at::Tensor> gathered(const at::Tensor& mine, int64_t most) const;
  void reduce_values(Node& node, optional<int32_t> root, group::Reduction op, int64_t bucket_bytes) const;

  int32_t rank_, size_;
  int64_t process_;
  std::unique_ptr<group::Transport> transport_;
  mutable group::Lanes lanes_;
  mutable std::mutex together_;  // one collective at a time
};

}  // namespace td
