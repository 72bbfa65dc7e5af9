#include "core/storage/memmap/append_plan.h"

#include <sys/stat.h>
#include <boost/json/object.hpp>

#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/folder.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/names.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

bool there(const std::string& path) {
  struct stat s;
  return lstat(path.c_str(), &s) == 0;
}

// One more row count in the first place of a shape.
void grow(bj::object& about, int64_t by) {
  bj::value* shape = about.if_contains("shape");
  if (!shape || !shape->is_array() || shape->get_array().empty() || !shape->get_array()[0].is_int64())
    throw Error(Code::corrupt, "a shape in meta.json is not a list of integers");
  int64_t& rows = shape->get_array()[0].get_int64();
  if (__builtin_add_overflow(rows, by, &rows)) throw Error(Code::shape, "the rows cannot be counted in 64 bits");
}

class AppendPlanner {
 public:
  AppendPlanner(std::string root, int64_t by) : root_(std::move(root)), by_(by) {}

  void dict(const std::string& at, const Node& saved, const Node& rows, const Path& path) {
    check_node(at, saved, rows, path);
    std::string below = saved.python_class() ? at + '/' + tensorclass_inside : at;
    size_t mine = plan_.size();
    plan_.push_back({below, "", {}});
    bj::object meta = read_meta(*open_folder(root_ + below, Mode::read));
    grow(meta, by_);
    saved.visit([&](const Key& key, const Entry& old) {
      Path here = path + key;
      Entry added = rows.find(key);
      if (old.is_data()) return check_data(*old.data(), added, here);
      if (old.is_node()) return below_it(below, key, *old.node(), added, here);
      bj::value* about = meta.if_contains(key.text());
      if (!about || !about->is_object())
        throw Error(Code::corrupt, "the entry is not in meta.json").key(to_string(here));
      leaf(mine, key, old.tensor(), added, here);
      grow(about->get_object(), by_);
    });
    plan_[mine].meta = value_of(bj::value(std::move(meta))).text;
  }

  std::vector<GrowingDirectory> take() { return std::move(plan_); }

 private:
  static Error refuse(Code code, const std::string& why, const Path& path) {
    Error e(code, why);
    if (path.size() > 0) e.key(to_string(path));
    return e;
  }

  void check_node(const std::string& at, const Node& saved, const Node& rows, const Path& path) const {
    if (saved.has_members()) {
      bool nested = saved.python_class() && saved.python_class()->name == nested_tensor;
      throw refuse(Code::unsupported, nested ? "a nested tensor cannot grow" : "a lazy stack cannot grow", path)
          .where(root_ + at)
          .hint("save all rows again");
    }
    if (there(root_ + at + '/' + view_source))
      throw refuse(Code::unsupported, "a saved view cannot grow", path)
          .where(root_ + at)
          .hint("append to what it shows");
    if (rows.python_class() && class_of(saved) != class_of(rows))  // without a class they are of what they go into
      throw refuse(Code::argument, "the rows are a " + class_of(rows) + ", and the save a " + class_of(saved), path);
    if (saved.batch_dims() == 0 || rows.batch_dims() == 0)
      throw refuse(Code::shape, "rows are appended along the first batch dim, which both must have", path);
    if (saved.batch_size().slice(1) != rows.batch_size().slice(1))
      throw refuse(Code::shape,
                   "the rows have batch size " + to_string(rows.batch_size()) + ", and the save " +
                       to_string(saved.batch_size()),
                   path)
          .hint("they may differ in the first dim only");
    check_keys(saved, rows, path);
  }

  static std::string class_of(const Node& node) {
    return node.python_class() ? node.python_class()->name : "TensorDict";
  }

  static void check_keys(const Node& saved, const Node& rows, const Path& path) {
    rows.visit([&](const Key& key, const Entry&) {
      if (!saved.has(key)) throw refuse(Code::key, "the entry is not in the save", path + key).hint("leave it out");
    });
    saved.visit([&](const Key& key, const Entry&) {
      if (!rows.has(key))
        throw refuse(Code::key, "the rows lack this entry", path + key).hint("give all that is saved");
    });
  }

  // What is saved stays the one value of all rows.
  static void check_data(const Data& saved, const Entry& added, const Path& path) {
    if (saved.stacked())
      throw refuse(Code::unsupported, "a stack of non-tensor data cannot grow", path).hint("save all rows again");
    bool same = added.is_data();
    for (size_t i = 0; same && i < added.data()->size(); ++i) same = added.data()->at(i) == saved.value();
    if (!same)
      throw refuse(Code::argument, "the rows have other data than the save", path)
          .hint("the save has one value for all rows, and the rows must have the same value");
  }

  void below_it(const std::string& at, const Key& key, const Node& saved, const Entry& added, const Path& path) {
    if (!added.is_node()) throw refuse(Code::key, "it is a dict in the save, but not in the rows", path);
    std::string name = '/' + encoded_name(key.text());
    if (!there(root_ + at + name) && may_be_raw_name(key.text(), true)) name = '/' + key.text();
    dict(at + name, saved, *added.node(), path);
  }

  void leaf(size_t directory, const Key& key, const at::Tensor& saved, const Entry& added, const Path& path) {
    if (!added.is_tensor()) throw refuse(Code::key, "it is a tensor in the save, but not in the rows", path);
    if (added.is_unbatched()) refuse_unbatched_entry(path, "it has no rows to append");
    const at::Tensor& t = added.tensor();
    LeafType type = leaf_type(t, path);
    const std::string dtype = python_dtype(type), saved_dtype = python_dtype(leaf_type(saved, path));
    if (dtype != saved_dtype)
      throw refuse(Code::dtype, "the rows have dtype " + dtype + ", and the save " + saved_dtype, path);
    if (t.sizes().slice(1) != saved.sizes().slice(1))
      throw refuse(Code::shape,
                   "the rows have shape " + to_string(t.sizes()) + ", and the save " + to_string(saved.sizes()), path)
          .hint("they may differ in the first dim only");
    if (type.bytes == 0) return;
    std::string below = root_ + plan_[directory].below + '/',
                name = encoded_name(key.text()) + std::string(leaf_suffix);
    std::string raw = key.text() + std::string(leaf_suffix);
    if (!there(below + name) && may_be_raw_name(key.text(), false) && there(below + raw)) name = raw;
    int64_t old = saved.numel() * static_cast<int64_t>(saved.element_size());
    if (int64_t all; __builtin_add_overflow(old, type.bytes, &all))
      throw refuse(Code::shape, "the bytes cannot be counted in 64 bits", path);
    plan_[directory].files.push_back({std::move(name), old, t});
  }

  std::string root_;
  int64_t by_;
  std::vector<GrowingDirectory> plan_;
};

}  // namespace

std::vector<GrowingDirectory> plan_append(const std::string& path, const Node& saved, const Node& rows) {
  AppendPlanner planner(path, rows.batch_dims() > 0 ? rows.batch_size()[0] : 0);
  planner.dict("", saved, rows, Path());
  return planner.take();
}

}  // namespace td::storage
