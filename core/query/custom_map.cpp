#include "core/query/custom_map.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/error.h"

namespace td {

namespace {

Error missing(const char* function) {
  return Error(Code::unsupported, std::string("the custom map has no function `") + function + '`');
}

// The hashes without repetitions, and for each of them its place there.
struct Distinct {
  std::vector<int64_t> hashes;
  std::vector<size_t> places;

  void reserve(size_t n) { hashes.reserve(n), places.reserve(n), known_.reserve(n); }
  void add(int64_t hash) {
    auto at = known_.try_emplace(hash, hashes.size());
    if (at.second) hashes.push_back(hash);
    places.push_back(at.first->second);
  }

 private:
  boost::unordered_flat_map<int64_t, size_t> known_;
};

}  // namespace

// The maps whose functions run on this thread now.
class CustomMap::Inside {
 public:
  explicit Inside(const CustomMap& map) : map_(&map), outer_(innermost) {
    map.check_outside();
    innermost = this;
  }
  ~Inside() { innermost = outer_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  static bool has(const CustomMap* map) {
    const Inside* at = innermost;
    while (at && at->map_ != map) at = at->outer_;
    return at != nullptr;
  }

 private:
  static thread_local const Inside* innermost;
  const CustomMap* map_;
  const Inside* outer_;
};

thread_local const CustomMap::Inside* CustomMap::Inside::innermost = nullptr;

void CustomMap::check_outside() const {
  if (Inside::has(this))
    throw Error(Code::unsupported, "a function of a custom map called a query that uses the same map")
        .hint("use the map's own data, or another query");
}

std::pair<int64_t, int64_t> CustomMap::numbers() const {
  Inside here(*this);
  std::pair<int64_t, int64_t> both = functions_.numbers();
  if (both.first < 0 || both.second < 0)
    throw Error(Code::callback, "`size` of a custom map returned " + std::to_string(both.first) +
                                    " rows and the next index " + std::to_string(both.second));
  return both;
}

// `next` is asked afterwards, so that a map that others extend meanwhile is not taken for a broken one.
void CustomMap::check(const char* function, const int64_t* hashes, size_t n, const int64_t* indices,
                      int64_t lowest) const {
  const int64_t next = this->next();
  for (size_t i = 0; i < n; ++i)
    if (indices[i] < lowest || indices[i] >= next)
      throw Error(Code::callback, std::string("`") + function + "` of a custom map returned the index " +
                                      std::to_string(indices[i]) + " for the hash " + std::to_string(hashes[i]))
          .hint("according to its `size`, indices are below " + std::to_string(next));
}

void CustomMap::look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t, const Keys*) const {
  if (n == 0) return check_outside();
  {
    Inside here(*this);
    functions_.look_up(hashes, n, indices);
  }
  check("look_up", hashes, n, indices, -1);
}

void CustomMap::extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) {
  look_up(hashes, n, indices, 0, keys);
  Distinct fresh;
  fresh.reserve(static_cast<size_t>(std::count_if(indices, indices + n, [](int64_t i) { return i < 0; })));
  for (size_t i = 0; i < n; ++i)
    if (indices[i] < 0) fresh.add(hashes[i]);
  if (fresh.hashes.empty()) return added_.clear();
  added_ = fresh.hashes;
  std::vector<int64_t> given(added_.size(), -1);
  try {
    {
      Inside here(*this);
      functions_.insert(added_.data(), added_.size(), given.data());
    }
    check("insert", added_.data(), added_.size(), given.data(), 0);
  } catch (...) {
    undo();
    throw;
  }
  auto place = fresh.places.begin();
  for (size_t i = 0; i < n; ++i)
    if (indices[i] < 0) indices[i] = given[*place++];
}

// A failure to remove cannot be reported here; the rows then keep their indices.
void CustomMap::undo() noexcept {
  try {
    Inside here(*this);
    if (functions_.erase && !added_.empty()) functions_.erase(added_.data(), added_.size());
  } catch (...) {
  }
  added_.clear();
}

int64_t CustomMap::erase(const int64_t* hashes, size_t n, const Keys* keys) {
  if (!functions_.erase) throw missing("erase");
  std::vector<int64_t> indices(n);
  look_up(hashes, n, indices.data(), 0, keys);
  Distinct there;
  for (size_t i = 0; i < n; ++i)
    if (indices[i] >= 0) there.add(hashes[i]);
  if (there.hashes.empty()) return 0;
  Inside here(*this);
  functions_.erase(there.hashes.data(), there.hashes.size());
  return static_cast<int64_t>(there.hashes.size());
}

void CustomMap::clear() {
  if (!functions_.clear) throw missing("clear");
  Inside here(*this);
  functions_.clear();
}

void CustomMap::write(Node& state) const {
  if (!functions_.write) throw missing("state");
  Inside here(*this);
  functions_.write(state);
}

void CustomMap::read(const Node& state) {
  if (!functions_.read) throw missing("load");
  Inside here(*this);
  functions_.read(state);
}

Indices::State CustomMap::state() const {
  throw Error(Code::unsupported, "a custom map cannot be written to a map file")
      .hint_naming("save the result of {query_state} instead");
}

void CustomMap::load(State) {
  throw Error(Code::unsupported, "a custom map must read its state itself");
}

CustomMap* custom_map(const IndicesPtr& map) {
  return dynamic_cast<CustomMap*>(map.get());
}

}  // namespace td
