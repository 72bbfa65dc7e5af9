// Files by descriptor: opened without following links, never blocking on a FIFO, closed by scope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/fd.h"

namespace td::storage {

// A path as the operating system takes it; throws Error(argument) if it is empty or holds a NUL.
std::string checked_path(std::string_view path);

Fd duplicate(const Fd& fd, const std::string& where);

// Open one component below `dir`, for reading. An empty Fd if it does not exist; throws Error(corrupt) for links and
// other kinds of file, else Error(io). `where` names the whole path in errors.
Fd open_directory(int dir, const std::string& name, const std::string& where);
Fd open_regular(int dir, const std::string& name, const std::string& where, int64_t* size = nullptr,
                bool writable = false);

// Lists a directory, without "." and "..".
std::vector<std::string> names_in(const Fd& directory, const std::string& where);
// The same; nothing for a path that cannot be read as a directory. (That of the standard library ends the process where
// there is no memory.)
std::vector<std::string> names_at(const std::string& path);
// Removes what is at this path and below it, without following links; leaves what it cannot remove.
void remove_tree(const std::string& path) noexcept;

int64_t size_of(const Fd& file, const std::string& where);

// Exactly `size` bytes from `offset`; throws Error(corrupt) if the file is shorter.
std::string read_bytes(const Fd& file, int64_t offset, int64_t size, const std::string& where);

// 16 letters that no other temporary name has.
std::string random_suffix();

// Throws Error(nospace) if this process may have no file of so many bytes: to write one would be a signal
// (RLIMIT_FSIZE).
void check_size_limit(int64_t size, const std::string& where);

// Gives an empty file its size with blocks behind it, so that a full disk is an error here and not a SIGBUS later.
void allocate(const Fd& file, int64_t size, const std::string& where);

void write_bytes(const Fd& file, const void* data, size_t size, const std::string& where);
void write_bytes_at(const Fd& file, int64_t offset, const void* data, size_t size, const std::string& where);
void sync(const Fd& file, const std::string& where);

// Ends the flock: closing does not while a child that was forked meanwhile has the descriptor too.
void unlock(const Fd& file) noexcept;

}  // namespace td::storage
