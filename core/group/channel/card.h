// What the creator of a channel and its members write for each other into the store.
#pragma once

#include <string>

#include "core/shm/shared_channel.h"

namespace td::group {

// The life of the channel: a number that no other channel of the store has.
std::string write_card(const SharedChannel::Plan& plan, int64_t life);

struct Card {
  SharedChannel::Plan plan;
  int64_t life = 0;
};
// Throws Error(corrupt), and Error(version) for another protocol or another LibTorch.
Card read_card(const std::string& text, const std::string& where);

std::string key_of_card(const std::string& name);
std::string key_of_life(int64_t life, const std::string& what);
std::string key_of_guest(int64_t life, const char* what, int64_t guest);

struct GuestCard {
  uint32_t roles = 0;
  std::string to;  // the address at which it sees the creator
};
std::string write_guest(const GuestCard& card);
GuestCard read_guest(const std::string& text, const std::string& where);

// "ok", or why not.
std::string write_answer(const Error* refusal);
void check_answer(const std::string& text, const std::string& where);

}  // namespace td::group
