#include <cerrno>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/storage/file_writer.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/memmap/memmap_plan.h"
#include "core/storage/names.h"
#include "core/storage/staging.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

using SharedFd = std::shared_ptr<const Fd>;
using Rights = optional<Staging::Rights>;

Fd create(const Fd& directory, const std::string& name, const Rights& rights, const std::string& where) {
  int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Fd file(openat(directory.get(), name.c_str(), flags, rights ? 0600 : 0666));
  if (!file) throw os_error(errno, "create", where);
  if (rights) rights->file.give_to(file, where);
  return file;
}

void write_planned(FileWriter& writer, const Fd& directory, const PlannedFile& f, const Rights& rights,
                   const std::string& where) {
  Fd file = create(directory, f.name, rights, where);
  check_size_limit(f.bytes, where);
  for (const at::Tensor& t : f.tensors) {
    at::Tensor d = dense(t);
    writer.write(file, data(d), static_cast<size_t>(d.numel()) * d.element_size(), where);
  }
  writer.write(file, f.text.data(), f.text.size(), where);
  if (f.tensors.empty() && f.text.empty()) {  // zeros
    allocate(file, f.bytes, where);
    writer.count(f.bytes);
  }
  if (writer.syncs()) sync(file, where);
}

void write_meta(FileWriter& writer, const Fd& directory, const std::string& meta, const Rights& rights,
                const std::string& where) {
  Fd file = create(directory, std::string(meta_name), rights, where);
  writer.write(file, meta.data(), meta.size(), where);
  if (writer.syncs()) sync(file, where);
}

void write_tree(FileWriter& writer, const SharedFd& directory, const PlannedDirectory& plan, const Rights& rights,
                const std::string& where) {
  for (const PlannedFile& f : plan.files)
    writer.add([&f, &rights, directory, path = where + '/' + f.name](FileWriter& w) {
      write_planned(w, *directory, f, rights, path);
    });
  writer.add([&plan, &rights, directory, path = where + '/' + std::string(meta_name)](FileWriter& w) {
    write_meta(w, *directory, plan.meta, rights, path);
  });
  for (const auto& [name, below] : plan.directories) {
    std::string path = where + '/' + name;
    if (mkdirat(directory->get(), name.c_str(), rights ? 0700 : 0777) != 0)
      throw os_error(errno, "make the directory", path);
    Fd made = open_directory(directory->get(), name, path);
    if (!made) throw os_error(ENOENT, "open", path);
    write_tree(writer, std::make_shared<const Fd>(std::move(made)), below, rights, path);
  }
}

// When all is in them: the rights of directories may keep out who fills them.
void finish_below(const Fd& directory, const PlannedDirectory& plan, const Rights& rights, bool sync_too,
                  const std::string& where) {
  for (const auto& [name, below] : plan.directories) {
    std::string path = where + '/' + name;
    Fd child = open_directory(directory.get(), name, path);
    if (!child) throw os_error(ENOENT, "open", path);
    finish_below(child, below, rights, sync_too, path);
    if (rights) rights->directory.give_to(child, path);
    if (sync_too) sync(child, path);
  }
}

}  // namespace

void write_plan(const PlannedDirectory& plan, const std::string& path, const SaveOptions& options) {
  Staging staging(path, options.overwrite);
  {
    FileWriter writer(options, planned_bytes(plan));
    write_tree(writer, std::make_shared<const Fd>(duplicate(staging.directory(), path)), plan, staging.rights(), path);
    writer.finish();
  }
  if (options.sync || staging.rights()) finish_below(staging.directory(), plan, staging.rights(), options.sync, path);
  staging.publish(options.sync);
}

void save_memmap(const Node& node, const std::string& path, const SaveOptions& options) {
  write_plan(plan_memmap(node), path, options);
}

}  // namespace td::storage
