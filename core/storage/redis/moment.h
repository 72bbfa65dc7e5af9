// What is known of a dict at one moment, as one transaction showed it, and the changes that are to follow it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/dict/data/data.h"
#include "core/dict/shape/indices.h"
#include "core/storage/redis/layout.h"

namespace td::storage::redis {

// The index without the full slices at its end, for sizes: equal ones select the same.
IndexList canonical(IndexList part, at::IntArrayRef sizes);
bool same_part(const IndexList& a, const IndexList& b);

struct Fetched {
  IndexList part;  // canonical
  at::Tensor tensor;
  std::string text;  // of data
};

// Of a lazy stack, under which the values of a member are, or of all.
inline std::string value_key(const std::string& path, const optional<size_t>& member) {
  return member ? path + '\n' + std::to_string(*member) : path;
}

struct Moment {
  Layout layout;
  std::map<std::string, Fetched> values;  // by path, as far as they were asked for

  // Of a change.
  bool changes = false;
  Layout before;  // which it changes
  Request commands;
  optional<Dims> batch;               // of the dict, from then on
  std::set<std::string> as_they_are;  // leaves whose dtype and sizes must not have changed meanwhile
  std::set<std::string> taken;        // where entries come or go, which nobody else must have done at these paths
  std::set<std::string> fresh;        // leaves that it has made

  void begin_change() {
    changes = true;
    before = layout;
  }
  // To what it is after a change; values are read again.
  void follow(const Layout& after) {
    layout = after;
    values.clear();
  }
};

}  // namespace td::storage::redis
