#include "core/storage/hdf5/group.h"
#include "core/levels.h"

#include <algorithm>
#include <exception>

#include "core/storage/hdf5/attributes.h"
#include "core/storage/hdf5/tree.h"
#include "core/storage/hdf5/values.h"

namespace td::storage::hdf5 {

namespace {

struct Names {
  std::vector<std::string> names;
  std::exception_ptr failure;  // no exception may pass through HDF5
};

herr_t keep_name(hid_t, const char* name, const H5L_info_t*, void* out) {
  auto* kept = static_cast<Names*>(out);
  try {
    kept->names.emplace_back(name);
    return 0;
  } catch (...) {
    kept->failure = std::current_exception();
    return -1;
  }
}

// Another name or place for a link. HDF5 crashes where it moves links of a group that was taken out of the file.
herr_t move_link(hid_t from, const std::string& old, hid_t to, const std::string& key, hid_t creation, hid_t access) {
  if (H5Iget_name(from, nullptr, 0) > 0 && H5Iget_name(to, nullptr, 0) > 0)
    return H5Lmove(from, old.c_str(), to, key.c_str(), creation, access);
  Hid object(H5Oopen(from, old.c_str(), access));
  if (!object || H5Olink(object.get(), to, key.c_str(), creation, access) < 0) return -1;
  return H5Ldelete(from, old.c_str(), access);
}

std::string shown_key(std::string_view key) {
  KeyView view(key);
  return to_string(PathView(&view, 1));
}

}  // namespace

// What a link leads to: nothing, a group, a dataset, or something that is no entry.
struct Group::Found {
  enum class Kind { none, group, dataset, other };
  Kind kind = Kind::none;
  Code code = Code::unsupported;
  std::string why;
};

Group::Group(FilePtr file, Hid group, size_t depth) : file_(std::move(file)), depth_(depth) {
  if (depth > max_levels)
    throw Error(Code::corrupt, "groups are nested deeper than " + std::to_string(max_levels) + " levels")
        .where(file_->path());
  group_ = file_->keep(std::move(group));
}

Group::~Group() {
  Section section;
  file_->drop(group_);
}

hid_t Group::id() const {
  file_->id();  // throws if it is closed
  return group_;
}

std::vector<std::string> Group::keys() const {
  Section section;
  Names kept;
  hsize_t at = 0;
  const herr_t status = H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, &at, keep_name, &kept);
  if (kept.failure) std::rethrow_exception(kept.failure);
  done(status, Code::corrupt, "list a group", file());
  std::vector<std::string> names = std::move(kept.names);
  if (file_->lenient())
    names.erase(std::remove_if(names.begin(), names.end(), [&](const std::string& name) { return !is_readable(name); }),
                names.end());
  for (const std::string& name : names) {
    if (!is_link_name(name))
      throw Error(Code::corrupt, "a link has a name that leads elsewhere").key(shown_key(name)).where(file());
    try {
      check_utf8(name, "a link's name");
    } catch (const Error&) {
      throw Error(Code::corrupt, "a link's name is not UTF-8").where(file());
    }
  }
  return names;
}

// Only what is in this file, and every group in one place: so that no walk leaves the file or runs in circles.
Group::Found Group::find(std::string_view text) const {
  Found found;
  if (!is_link_name(text)) return found;
  std::string key(text);
  hid_t group = id(), links = file_->links();
  if (H5Lexists(group, key.c_str(), links) <= 0) return found;
  found.kind = Found::Kind::other;
  found.code = Code::corrupt;
  H5L_info_t link;
  H5O_info_t object;
  if (H5Lget_info(group, key.c_str(), &link, links) < 0) {
    found.why = "its link cannot be read";
  } else if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT) {
    found.why = "it is a link to another file, which is not followed";
  } else if (H5Oget_info_by_name2(group, key.c_str(), &object, H5O_INFO_BASIC, links) < 0) {
    found.why = link.type == H5L_TYPE_SOFT ? "it is a link to nothing in this file" : "it cannot be read";
  } else if (object.type == H5O_TYPE_DATASET) {
    found.kind = Found::Kind::dataset;
  } else if (object.type != H5O_TYPE_GROUP) {
    found.code = Code::unsupported;
    found.why = "it is neither a group nor a dataset";
  } else if (link.type == H5L_TYPE_SOFT || object.rc > 1) {
    found.why = "it is a group that is in several places";
  } else {
    found.kind = Found::Kind::group;
  }
  return found;
}

Dataset Group::dataset(std::string_view key) const {
  Found found = find(key);
  if (found.kind == Found::Kind::other) throw Error(found.code, found.why).key(shown_key(key)).where(file());
  if (found.kind != Found::Kind::dataset) throw Error(Code::key, "no such dataset").key(shown_key(key)).where(file());
  return describe(
      opened(H5Oopen(id(), std::string(key).c_str(), file_->links()), Code::corrupt, "open a dataset", file()));
}

bool Group::is_readable(std::string_view key) const {
  Found found = find(key);
  try {
    check_utf8(key, "a link's name");
    return found.kind == Found::Kind::group || (found.kind == Found::Kind::dataset && dataset(key).why.empty());
  } catch (const Error&) {
    return false;
  }
}

Stored Group::look(std::string_view key) const {
  Section section;
  Found found = find(key);
  Stored stored;
  if (found.kind == Found::Kind::none || (file_->lenient() && !is_readable(key))) return stored;
  stored.kind = found.kind == Found::Kind::group ? Stored::Kind::node : Stored::Kind::data;
  return found.kind == Found::Kind::dataset ? dataset(key).stored() : stored;
}

at::Tensor Group::read(std::string_view key, const IndexList& part) const {
  Section section;
  Dataset d = dataset(key);
  if (!d.why.empty()) throw Error(d.code, d.why).key(shown_key(key)).where(file());
  try {
    return read_tensor(d, normalized(part, d.sizes, "shape"), *file_);
  } catch (Error& e) {
    throw e.key(shown_key(key));
  }
}

DataPtr Group::read_data(std::string_view key, at::IntArrayRef batch) const {
  Section section;
  Dataset d = dataset(key);
  if (!d.why.empty()) throw Error(d.code, d.why).key(shown_key(key)).where(file());
  try {
    check_bytes(d, d.sizes, H5Tget_size(d.type.get()), *file_);
    std::vector<Value> values = read_values(d.id.get(), d.element, d.sizes, file());
    bool begins = d.sizes.size() >= batch.size() && at::IntArrayRef(d.sizes).slice(0, batch.size()) == batch;
    bool each = d.stacked || (d.element.kind == ElementType::Kind::text && !batch.empty());
    if (each && begins && !d.sizes.empty()) return Data::stack(std::move(values), d.sizes);
    return Data::uniform(d.sizes.empty() ? std::move(values.at(0)) : list_of(values, d.sizes), batch);
  } catch (Error& e) {
    throw e.key(shown_key(key)).where(file());
  }
}

std::shared_ptr<Store> Group::below(std::string_view key) const {
  Section section;
  Hid group = opened(H5Gopen2(id(), std::string(key).c_str(), H5P_DEFAULT), Code::corrupt, "open a group", file());
  return std::make_shared<Group>(file_, std::move(group), depth_ + 1);
}

optional<Labels> Group::labels() const {
  Section section;
  return read_labels(id(), file());
}

void Group::write(std::string_view key, const IndexList& part, const at::Tensor& value) {
  Section section;
  Dataset d = dataset(key);
  if (!d.why.empty()) throw Error(d.code, d.why).key(shown_key(key)).where(file());
  try {
    write_tensor(d, normalized(part, d.sizes, "shape"), value, *file_);
  } catch (Error& e) {
    throw e.key(shown_key(key));
  }
  file_->flush();
}

// The new object is whole before it takes the place of the old one. A tensor of the dtype and the sizes that a dataset
// has is written into that.
void Group::put(std::string_view text, const Entry& value) {
  Section section;
  std::string key = checked_link_name(text, Path());
  if (value.is_tensor() && find(key).kind == Found::Kind::dataset) {
    Dataset d = dataset(key);
    bool same = d.why.empty() && d.element.kind == ElementType::Kind::tensor &&
                d.element.dtype == value.tensor().scalar_type() && value.tensor().sizes() == at::IntArrayRef(d.sizes);
    if (same && H5Tget_class(d.type.get()) != H5T_ENUM) {
      write_tensor(d, {}, value.tensor(), *file_);
      return file_->flush();
    }
  }
  Hid made = make_object(value, Path(std::vector<Key>{Key(key)}), *file_, {});
  link(made.get(), key);
  file_->flush();
}

void Group::link(hid_t object, const std::string& key) {
  hid_t group = id();
  Hid names = link_creation(key);
  std::string old = set_aside;
  bool replaces = H5Lexists(group, key.c_str(), file_->links()) > 0;
  if (replaces) {
    H5Ldelete(group, old.c_str(), file_->links());
    done(move_link(group, key, group, old, H5P_DEFAULT, file_->links()), Code::io, "replace", file());
  }
  if (H5Olink(object, group, key.c_str(), names.get(), file_->links()) < 0) {
    Error e = failure(Code::io, "link", file());
    if (replaces) move_link(group, old, group, key, names.get(), file_->links());
    throw e;
  }
  if (replaces) H5Ldelete(group, old.c_str(), file_->links());
}

bool Group::erase(std::string_view text) {
  Section section;
  if (find(text).kind == Found::Kind::none) return false;
  std::string key(text);
  done(H5Ldelete(id(), key.c_str(), file_->links()), Code::io, "delete", file());
  file_->flush();
  return true;
}

void Group::rename(std::string_view from, Store& to, std::string_view given) {
  Section section;
  std::string old(from), key = checked_link_name(given, Path());
  auto& target = static_cast<Group&>(to);
  Hid names = link_creation(key);
  std::string aside = set_aside;
  bool replaces = H5Lexists(target.id(), key.c_str(), file_->links()) > 0;
  if (replaces)
    done(move_link(target.id(), key, target.id(), aside, H5P_DEFAULT, file_->links()), Code::io, "replace", file());
  if (move_link(id(), old, target.id(), key, names.get(), file_->links()) < 0) {
    Error e = failure(Code::io, "rename", file());
    if (replaces) move_link(target.id(), aside, target.id(), key, names.get(), file_->links());
    throw e;
  }
  if (replaces) H5Ldelete(target.id(), aside.c_str(), file_->links());
  file_->flush();
}

void Group::set_labels(const Labels& labels) {
  Section section;
  write_labels(id(), labels, file());
  file_->flush();
}

void Group::flush() {
  Section section;
  file_->flush();
}

void Group::close() {
  Section section;
  file_->close();
}

}  // namespace td::storage::hdf5
