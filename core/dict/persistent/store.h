// What a dict that is not in memory asks of its file or server.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/dict/node.h"
#include "core/dict/shape/indices.h"

namespace td {

// Describes what a file has under a key, without reading it.
struct Stored {
  enum class Kind { none, tensor, node, data };
  Kind kind = Kind::none;
  at::ScalarType type = at::kByte;  // of a tensor
  Dims sizes;                       // of a tensor, of data with a value for each batch element, or of other numbers
  bool stacked = false;             // data with a value for each batch element
  bool counts = false;              // the sizes have a say in the batch size
};

// The batch size and the names that a file keeps for a level.
struct Labels {
  Dims batch;
  Names names;
};

// One level of a file, or of what a server has. Calls from several threads wait for each other. Throws Error(key) only
// where it says so; errors of the file name it.
class Store {
 public:
  virtual ~Store() = default;
  virtual const std::string& file() const = 0;
  virtual bool writable() const = 0;
  virtual std::vector<std::string> keys() const = 0;
  virtual Stored look(std::string_view key) const = 0;
  // Of a tensor, under an index normalized to its first dims; only that part is read.
  virtual at::Tensor read(std::string_view key, const IndexList& part) const = 0;
  virtual DataPtr read_data(std::string_view key, at::IntArrayRef batch) const = 0;
  virtual std::shared_ptr<Store> below(std::string_view key) const = 0;
  virtual optional<Labels> labels() const = 0;

  // Nothing has changed when they throw Error(unsupported), Error(dtype) or Error(key).
  virtual void write(std::string_view key, const IndexList& part, const at::Tensor& value) = 0;
  virtual void put(std::string_view key, const Entry& value) = 0;
  virtual bool erase(std::string_view key) = 0;
  virtual void rename(std::string_view from, Store& to, std::string_view key) = 0;  // `to` is of the same file
  virtual void set_labels(const Labels& labels) = 0;
  virtual void flush() = 0;
  virtual void close() = 0;  // the file, for all its levels

  // ---- Stores where each question is a way to a server: null for all others ----------------------------------------
  // While it lives, this thread reads the level, or the entry under `key`, as it is at one moment; with `part`, which
  // is normalized to the first dims of its tensors, also its values under that, which come with it.
  virtual std::shared_ptr<const void> moment(const IndexList* /*part*/, std::string_view /*key*/ = {}) const {
    return nullptr;
  }
  // Of a member of a stack that the server has as one: while it lives, this thread reads all members as they are at one
  // moment, with the values of all under `key`, unless that is empty.
  virtual std::shared_ptr<const void> moment_of_all(std::string_view /*key*/) const { return nullptr; }
  // While it lives, what this thread changes in the dict is gathered; null also inside of another. Throws Error(busy)
  // if the dict has another version than the given one.
  virtual std::unique_ptr<Gathered> change(optional<int64_t> /*version*/) { return nullptr; }
  virtual optional<int64_t> version() const { return nullopt; }  // how often the dict was changed
  virtual bool changing() const { return false; }                // whether this thread's changes are gathered
};
using StorePtr = std::shared_ptr<Store>;

}  // namespace td
