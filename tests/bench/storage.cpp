// Segments and files. The floors do the system calls and the copies, without names, checks or dicts. Files lie in memory
// (/dev/shm) where there is one, as python_peer.py's do: a disk's own pace would hide the rest.
#include <cstring>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ATen/ops/zeros.h>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

namespace fs = std::filesystem;

void need(bool done, const char* what) {
  if (!done) stop(what);
}

// Of this process, so that two runs do not meet.
std::string own_name(const std::string& what) {
  return "td.bench." + std::to_string(getpid()) + "." + what;
}

void create_by_hand(const Tensors& leaves, const std::string& name) {
  size_t size = 0;
  for (const at::Tensor& t : leaves) size += t.nbytes();
  int fd = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  need(fd >= 0 && ftruncate(fd, static_cast<off_t>(size)) == 0, "shm_open");
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  need(memory != MAP_FAILED, "mmap");
  close(fd);
  char* to = static_cast<char*>(memory);
  for (const at::Tensor& t : leaves) {
    std::memcpy(to, t.data_ptr(), t.nbytes());
    to += t.nbytes();
  }
  munmap(memory, size);
  shm_unlink(name.c_str());
}

// Touches the first `pages`.
void map_by_hand(int fd, size_t pages = 0) {
  struct stat about;
  need(fd >= 0 && fstat(fd, &about) == 0, "open");
  void* memory = mmap(nullptr, static_cast<size_t>(about.st_size), PROT_READ, MAP_SHARED, fd, 0);
  need(memory != MAP_FAILED, "mmap");
  close(fd);
  for (size_t i = 0; i < pages; ++i) static_cast<void>(static_cast<const volatile char*>(memory)[4096 * i]);
  munmap(memory, static_cast<size_t>(about.st_size));
}

void add_segments(Rows& rows, size_t n) {
  std::string count = std::to_string(n) + " leaves";
  rows.add("segment create, " + count, [=](Row& row) {
    Tensors leaves = random_leaves(n);
    Dict d = dict_of(leaves, 128);
    std::string fresh = own_name("create"), by_hand = "/" + own_name("by_hand");
    row.ours([=] {
         td_segment* segment;
         must(td_segment_create(TD_STR(fresh.c_str()), d.get(), nullptr, &segment, nullptr));
         td_segment_release(segment);
       })
        .floor("shm_open, mmap, memcpy, unlink", [=] { create_by_hand(leaves, by_hand); });
  });
  rows.add("segment open, " + count, [=](Row& row) {
    std::string there = own_name("open"), file = "/" + there;
    td_segment* made = nullptr;
    must(td_segment_create(TD_STR(there.c_str()), dict_of(random_leaves(n), 128).get(), nullptr, &made, &failure));
    std::shared_ptr<td_segment> owner(made, td_segment_release);
    row.ours([owner, there] {
         td_segment* segment;
         td_dict* views;
         must(td_segment_open(TD_STR(there.c_str()), nullptr, &segment, nullptr));
         must(td_segment_dict(segment, &views, nullptr));
         td_dict_release(views);
         td_segment_release(segment);
       })
        .floor("shm_open, fstat, mmap", [owner, file] { map_by_hand(shm_open(file.c_str(), O_RDONLY, 0)); })
        .floor("the same, and a page fault", [owner, file] { map_by_hand(shm_open(file.c_str(), O_RDONLY, 0), 1); });
  });
}

using Place = std::shared_ptr<const std::string>;

// A path that is removed with all below it.
Place place_for(const std::string& what) {
  fs::path scratch = fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
  return Place(new std::string(scratch / own_name(what)), [](const std::string* made) {
    std::error_code ignored;
    fs::remove_all(*made, ignored);
    delete made;
  });
}

Place saved_directory(size_t n) {
  Place directory = place_for("open" + std::to_string(n));
  must(td_save(dict_of(random_leaves(n), 128).get(), TD_STR(directory->c_str()), nullptr, &failure));
  return directory;
}

void open_and_release(const Place& path) {
  td_dict* data;
  td_open_options options = TD_OPEN_OPTIONS_INIT;
  options.trusted = 1;
  must(td_open(TD_STR(path->c_str()), &options, &data, nullptr));
  td_dict_release(data);
}

void add_directory_open(Rows& rows, size_t n) {
  rows.add("memmap directory open, " + std::to_string(n) + " leaves", [=](Row& row) {
    Place directory = saved_directory(n);
    std::vector<std::string> files;
    for (size_t i = 0; i < n; ++i) files.push_back(*directory + "/" + leaf_name(i) + ".memmap");
    row.ours([=] { open_and_release(directory); }).floor("open, fstat, mmap of each file", [directory, files] {
      for (const std::string& file : files) map_by_hand(open(file.c_str(), O_RDONLY));
    });
  });
}

// As programs do that leave LibTorch its threads, on the clock on the wall.
void add_directory_open_on_threads(Rows& rows, size_t n) {
  auto threads = static_cast<int32_t>(std::thread::hardware_concurrency());
  rows.add("memmap directory open, " + std::to_string(n) + " leaves, all threads", [=](Row& row) {
    Place directory = saved_directory(n);
    auto open_on = [=](int32_t many) {
      must(td_set_num_threads(many, &failure));
      open_and_release(directory);
      must(td_set_num_threads(1, &failure));
    };
    row.sampled().ours([=] { open_on(threads); }).floor("the same on one thread", [=] { open_on(1); });
  });
}

void write_by_hand(const Tensors& leaves, const std::string& directory) {
  fs::create_directory(directory);
  for (size_t i = 0; i < leaves.size(); ++i) {
    std::string path = directory + "/" + leaf_name(i) + ".memmap";
    int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    auto size = static_cast<ssize_t>(leaves[i].nbytes());
    need(fd >= 0 && write(fd, leaves[i].data_ptr(), static_cast<size_t>(size)) == size, "write");
    close(fd);
  }
  fs::remove_all(directory);
}

void add_directory_save(Rows& rows, size_t n) {
  rows.add("memmap directory save, " + std::to_string(n) + " leaves", [=](Row& row) {
    Place ours = place_for("save" + std::to_string(n)), by_hand = place_for("write" + std::to_string(n));
    Tensors leaves = random_leaves(n);
    Dict d = dict_of(leaves, 128);
    row.ours([=] {
         must(td_save(d.get(), TD_STR(ours->c_str()), nullptr, &failure));
         fs::remove_all(*ours);
       })
        .floor("create and write each file", [=] { write_by_hand(leaves, *by_hand); });
  });
}

// ---- Files of one piece -----------------------------------------------------------------------------------------------

void write_file_by_hand(const Tensors& leaves, const std::string& path) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  need(fd >= 0, "open");
  for (const at::Tensor& t : leaves) {
    const char* p = static_cast<const char*>(t.data_ptr());
    for (size_t left = t.nbytes(); left > 0;) {
      ssize_t n = write(fd, p, left);
      need(n > 0, "write");
      p += n;
      left -= static_cast<size_t>(n);
    }
  }
  close(fd);
  unlink(path.c_str());
}

constexpr struct {
  const char *name, *ending, *feature;
} one_piece[] = {{"consolidated", ".td", nullptr},
                 {"archive", ".tdz", "archive"},
                 {"safetensors", ".safetensors", nullptr},
                 {"HDF5", ".h5", "hdf5"}};

// `set_up` adds what is to be measured, given the leaves, the dict, and a path with the ending of the format.
template <class F>
void add_one_piece(Rows& rows, const std::string& what, F set_up) {
  for (const auto& format : one_piece) {
    if (format.feature && !td_has_feature(TD_STR(format.feature))) continue;
    rows.add(format.name + (" " + what), [=, ending = std::string(format.ending)](Row& row) {
      set_up(row, place_for(ending.substr(1) + ending), place_for("by_hand"));
    });
  }
}

void add_file_save(Rows& rows, size_t n) {
  add_one_piece(rows, "save, " + std::to_string(n) + " leaves", [=](Row& row, const Place& ours, const Place& by_hand) {
    Tensors leaves = random_leaves(n);
    Dict d = dict_of(leaves, 128);
    row.ours([=] {
         must(td_save(d.get(), TD_STR(ours->c_str()), nullptr, &failure));
         unlink(ours->c_str());
       })
        .floor("create a file, write each leaf", [=] { write_file_by_hand(leaves, *by_hand); });
  });
}

// A tensor as large as the largest that people save at once, and the bytes as fast as the system takes them.
void add_large_save(Rows& rows) {
  auto save = [](Row& row, const Place& ours, const Place& by_hand, auto remove) {
    Tensors leaves = {at::zeros({int64_t{1} << 28})};
    leaves[0].fill_(1);
    Dict d = new_dict({});
    must(td_dict_set(d.get(), TD_KEY("leaf_0"), copy_of(leaves[0]).get(), &failure));
    row.repeat_at_most(5)
        .ours([=] {
          must(td_save(d.get(), TD_STR(ours->c_str()), nullptr, &failure));
          remove(*ours);
        })
        .floor("create a file, write 1 GiB", [=] { write_file_by_hand(leaves, *by_hand); });
  };
  rows.add("memmap directory save, 1 GiB", [=](Row& row) {
    save(row, place_for("large"), place_for("by_hand"), [](const std::string& path) { fs::remove_all(path); });
  });
  add_one_piece(rows, "save, 1 GiB", [=](Row& row, const Place& ours, const Place& by_hand) {
    save(row, ours, by_hand, [](const std::string& path) { unlink(path.c_str()); });
  });
}

void add_file_open(Rows& rows, size_t n) {
  add_one_piece(rows, "open, " + std::to_string(n) + " leaves", [=](Row& row, const Place& ours, const Place&) {
    must(td_save(dict_of(random_leaves(n), 128).get(), TD_STR(ours->c_str()), nullptr, &failure));
    row.ours([=] { open_and_release(ours); }).floor("open, fstat, mmap", [=] {
      map_by_hand(open(ours->c_str(), O_RDONLY));
    });
  });
}

}  // namespace

void add_storage_rows(Rows& rows) {
  for (size_t n : {10, 100, 1000}) add_segments(rows, n);
  for (size_t n : {100, 10000}) add_directory_open(rows, n);
  add_directory_open_on_threads(rows, 10000);
  for (size_t n : {100, 10000}) add_file_open(rows, n);
  add_directory_save(rows, 100);
  add_file_save(rows, 100);
  add_large_save(rows);
}

}  // namespace bench
