#include "core/build_info.h"

#include <dlfcn.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/version.hpp>

#include "core/error.h"
#include "core/group/transport.h"
#include "core/shm/segment.h"
#include "core/storage/hdf5.h"
#include "core/storage/remote.h"
#include "core/torch_compat.h"

namespace td {

std::string build_info(const char* version, int abi) {
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&at::globalContext), &library);
  boost::json::array features;
  for (const char* name : {"segment", "cuda", "uint16", "archive", "bzip2", "lzma", "hdf5", "group", "redis"})
    if (has_feature(name)) features.emplace_back(name);
  boost::json::object info{
      {"version", version},
      {"abi", abi},
      {"libtorch", TORCH_VERSION},
      {"libtorch_path", library.dli_fname ? library.dli_fname : ""},
      {"cxx11_abi", _GLIBCXX_USE_CXX11_ABI},
      {"compiler", __VERSION__},
      {"boost", BOOST_LIB_VERSION},
      {"features", features},
  };
  return boost::json::serialize(info);
}

bool has_feature(std::string_view name) {
#if defined(__linux__)
  if (name == "segment") return true;
#endif
  if (name == "cuda") return at::hasCUDA();
  if (name == "uint16") return TD_TORCH_HAS_WIDE_UINT;
#if TD_HAS_ZLIB
  if (name == "archive") return true;
#endif
#if TD_HAS_BZIP2
  if (name == "bzip2") return true;
#endif
#if TD_HAS_LZMA
  if (name == "lzma") return true;
#endif
  if (name == "hdf5") return storage::has_hdf5();
  if (name == "redis") return storage::has_redis();
  if (name == "group") return group::has_transport();
  return false;
}

int num_threads() {
  return at::get_num_threads();
}

void set_num_threads(int n) {
  // More end the process in the next operator, which can start neither the threads nor make a list of them.
  constexpr int max_threads = 4096;
  if (n < 1 || n > max_threads)
    throw Error(Code::argument, "the number of threads must be from 1 to " + std::to_string(max_threads) + ", got " +
                                    std::to_string(n));
  at::set_num_threads(n);
}

void after_fork() {
  at::set_num_threads(1);  // LibTorch's OpenMP pool does not survive a fork
  segment_after_fork();
}

}  // namespace td
