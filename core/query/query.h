// Maps rows to dense indices by first occurrence: rows -> bytes -> hash -> (hash of the hashes) -> index.
#pragma once

#include <string>
#include <vector>

#include <c10/util/intrusive_ptr.h>

#include "core/dict/node.h"
#include "core/query/custom_map.h"
#include "core/query/file_map.h"
#include "core/query/hasher.h"
#include "core/query/indices.h"
#include "core/query/rows.h"

namespace td {

// Selects the index of rows that are not in the map when it is not extended.
enum class Miss { size, minus_one, error };

struct QueryBatch;

class Query final : public c10::intrusive_ptr_target {
 public:
  struct Options {
    Path index_key{"_index"}, hash_key{"_hash"};
    std::string hash_type = "td.siphash", hash_config;
    HasherPtr hash;  // for all keys: itself for one, copies for several; and the aggregator, if none is given
    std::vector<HasherPtr> hashes;  // or one for each key
    HasherPtr aggregator;           // of the row of hashes, with several keys
    IndicesPtr map;                 // shared with others, or the caller's; else a new one:
    int64_t capacity = 0;
    bool exact = false;
    bool clone = false;      // forward gives a copy, unless the call says otherwise
    bool canonical = false;  // 0.0 is -0.0 and all NaN are one, when rows are hashed and compared
    Miss miss = Miss::size;
    int threads = 1;  // 0: LibTorch's
  };

  struct Call {
    bool extend = true, write_hash = true;
    optional<bool> clone;
    optional<Path> found_key;  // where to write which rows were in the map before
  };

  Query(std::vector<Path> in_keys, Options options);

  // Writes the int64 index of every row of `data`, or of a copy, and its hash if asked to, and gives what was written
  // to. All checks come before the map grows; on failure neither the map nor `data` has changed.
  NodePtr forward(const NodePtr& data, const Call& call);

  // The indices of the rows, new ones for those that were not there. To be followed by one of the two: the map keeps
  // what is new, or takes it back.
  at::Tensor extend(const Node& data);
  void keep() noexcept { map_->keep(); }
  void undo() noexcept { map_->undo(); }

  // Which rows are in the map, as a bool tensor; and their indices, -1 for those that are not.
  at::Tensor contains(const Node& data) const;
  at::Tensor look_up(const Node& data) const;
  at::Tensor hash(const Node& data) const;
  int64_t erase(const Node& data);
  void clear();

  // Only these out-keys, and the in-keys, stay in what forward gives. Throws Error(key) for a key that is not selected
  // now.
  void select_out_keys(const std::vector<Path>& keys);
  void reset_out_keys();
  const std::vector<Path>& in_keys() const { return in_keys_; }
  const std::vector<Path>& out_keys() const { return selected_; }

  NodePtr state() const;
  // Throws Error(argument) if the hashes come from other hash types, unless `any_hash`.
  void load_state(const Node& state, bool any_hash);

  // The map in a file: a copy of it under a name or at a path, the first with this query as its writer; and a file in
  // the place of this query's own map. Throw what FileMap does, and Error(argument) for a file of other hashes.
  enum class Opened { read, copy, write };
  void share(std::string_view name, const FileMap::Options& options);
  void save(const std::string& path, const FileMap::Options& options) const;
  void open(std::string_view name_or_path, Opened how);

  const Options& options() const { return options_; }
  const Indices& map() const { return *map_; }
  const IndicesPtr& shared_map() { return map_; }
  // Throws Error(unsupported) inside of a function of the caller's that belongs to the map.
  void check_outside() const;

 private:
  QueryBatch batch_of(const Node& data) const;
  at::Tensor hash_batch(const QueryBatch& batch, at::Tensor hashes) const;
  void hash_piece(const QueryBatch& batch, int64_t begin, int64_t end, int64_t* out) const;
  int64_t find(const QueryBatch& batch, const at::Tensor& hashes, int64_t* indices) const;
  void answer_misses(int64_t* indices, size_t n, int64_t next) const;
  void check_writable(const Node& data, PathView path, int64_t n_rows) const;
  std::string identity() const;
  std::vector<HasherPtr> all_hashers() const;
  void use(std::vector<HasherPtr> all);
  Indices::State map_state(const Node& state) const;
  void check_no_custom_map(const char* what) const;
  std::string origin() const;
  std::vector<HasherPtr> hashers_of(const std::string& origin, const std::string& where) const;

  std::vector<Path> in_keys_, selected_;
  std::vector<std::string> names_;  // of the keys, for errors
  Options options_;
  std::vector<HasherPtr> hashers_;  // one for each key
  HasherPtr aggregator_;
  IndicesPtr map_;
};

}  // namespace td
