// Tells what this library was built with and what it found at run time.
#pragma once

#include <string>
#include <string_view>

namespace td {

std::string build_info(const char* version, int abi);  // a JSON object
bool has_feature(std::string_view name);

void set_num_threads(int n);
int num_threads();
void after_fork();

}  // namespace td
