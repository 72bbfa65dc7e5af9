// SHA-256, as OpenSSL computes it, to recognise the file that a manifest means.
#pragma once

#include <string>
#include <string_view>

namespace td::plugin {

std::string sha256_hex(std::string_view bytes);

}  // namespace td::plugin
