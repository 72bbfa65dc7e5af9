#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/error.h"
#include "core/storage/torch_save/torch_save.h"

namespace td::storage {

namespace {

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

}  // namespace

// Its first entry is NAME/data.pkl, also in the files of torch.jit.save.
bool is_torch_save(std::string_view head) {
  constexpr size_t header = 30, name_size = 26;
  constexpr std::string_view pickle = "/data.pkl";
  if (head.size() < header || !begins(head, "PK\3\4")) return false;
  uint16_t n;
  std::memcpy(&n, head.data() + name_size, sizeof n);
  if (n <= pickle.size() || n > head.size() - header) return false;
  const std::string_view name = head.substr(header, n), folder = name.substr(0, n - pickle.size());
  return name.substr(folder.size()) == pickle && folder.find('/') == folder.npos;
}

// A pickle of a number that torch.save chose, in any protocol that knows long integers.
bool is_legacy_torch_save(std::string_view head) {
  constexpr std::string_view magic = "\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.";
  return begins(head, "\x80") && (begins(head.substr(std::min<size_t>(2, head.size())), magic) ||
                                  begins(head.substr(std::min<size_t>(11, head.size())), magic));
}

void save_torch_save(const Node&, const std::string& path, const SaveOptions&) {
  throw Error(Code::unsupported, "files of torch.save are read and not written")
      .where(path)
      .hint("PyTorch reads safetensors: save it as .safetensors, or name another format");
}

}  // namespace td::storage
