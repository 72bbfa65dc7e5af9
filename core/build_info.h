// What this library was built with and what it found at run time.
#pragma once

#include <string>
#include <string_view>

namespace td {

const char* version();
std::string build_info();  // a JSON object
bool has_feature(std::string_view name);

void set_num_threads(int n);
void after_fork();

}  // namespace td
