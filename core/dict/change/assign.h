// Writing into the batch dims of trees, all or nothing: every write is checked and made ready first, then all are made.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/dict/copy.h"
#include "core/dict/node.h"
#include "core/dict/shape/indices.h"
#include "core/tensor/in_place.h"

namespace td {

// `value` as a 0-d tensor; throws Error(argument) if the dtype cannot hold it.
at::Tensor number(const c10::Scalar& value, at::ScalarType type);

// Sources that share memory with a target are read before anything is written.
class Assignment {
 public:
  // target[indices] = value: entries that the target lacks are made, as zeros elsewhere. An unbatched entry of the
  // target is written whole, and a number leaves it alone.
  void values(Node& target, IndexList indices, const Node& value);
  void fill(const Node& target, IndexList indices, const c10::Scalar& value);  // tensors only
  void only_as_it_is() { as_it_is_ = true; }  // no new entries and no other shapes: Error(key), Error(shape)
  void leave_unbatched(bool leave) { leave_unbatched_ = leave; }  // of several values the first one is kept
  void tensor(const at::Tensor& target, IndexList indices, const at::Tensor& value, const Path& key);

  void commit();

 private:
  struct Write {
    at::Tensor target;
    IndexList indices;
    at::Tensor value;
    at::Tensor view;  // of the target: what is written, and which rows of it
    optional<c10::List<optional<at::Tensor>>> rows{};
    bool tracked() const;
    void reach(By by);
    void run() const;
    void at_once();
  };
  struct Put {
    Node* parent;
    NodePtr hold;
    Key key;
    Entry value;
  };
  struct Place {  // where a tree is written: the index, and the sizes that the root's batch dims have before and after
    IndexList indices;
    Dims batch, indexed;
    bool expand;  // the value lacks leading dims
    size_t value_dims;
  };

  void values(Node& target, const NodePtr& hold, IndexList indices, const Node& value, const Path& prefix);
  // False, and nothing is done, unless `target` is a lazy stack.
  bool members(const Node& target, const IndexList& indices, const Node& value, const Path& prefix);
  bool fill_members(const Node& target, const IndexList& indices, const c10::Scalar& value, const Path& prefix);
  void fill(const Node& target, IndexList indices, const c10::Scalar& value, const Path& prefix);
  void fill_key(const Node& holder, const Key& key, const IndexList& indices, const c10::Scalar& value,
                const Path& path);
  void number_into(const at::Tensor& target, const IndexList& indices, size_t batch_dims, const c10::Scalar& value,
                   const Path& path);
  Entry there(const Node& target, const Key& key) const;  // what will be there, as far as it is known
  void node(Node& target, const NodePtr& hold, const Node& value, const Place& place, const Path& prefix);
  Entry fresh(const Node& parent, const Entry& value, const Place& place, const Path& path);
  Write whole(const at::Tensor& target, const at::Tensor& value, const Path& path);
  at::Tensor fitted(const at::Tensor& value, const Place& place, const Path& path) const;
  Write write(const at::Tensor& target, const IndexList& indices, at::IntArrayRef sizes, at::Tensor value,
              const Path& path);
  void data(Node& target, const NodePtr& hold, const Key& key, const DataPtr& value, const Place& place,
            const Path& path);

  std::vector<Write> writes_;
  InPlaceChecks checks_;
  std::vector<Put> puts_;
  std::vector<at::Tensor> numbers_;  // one for each dtype
  bool as_it_is_ = false, leave_unbatched_ = false;
};

void assign(Node& target, IndexList indices, const Node& value);
void assign(Node& target, IndexList indices, const c10::Scalar& value);

}  // namespace td
