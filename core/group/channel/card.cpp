#include "core/group/channel/card.h"

#include <sstream>

#include "core/error.h"
#include "core/torch_compat.h"

namespace td::group {

namespace {

constexpr const char* magic = "td.channel";
constexpr int protocol = 1;

[[noreturn]] void throw_damaged(const std::string& where) {
  throw Error(Code::corrupt, "the store holds something else where a channel is described").where(where);
}

}  // namespace

std::string write_card(const SharedChannel::Plan& plan, int64_t life) {
  const shm::ChannelFacts& f = plan.facts;
  std::ostringstream out;
  out << magic << ' ' << protocol << ' ' << TD_TORCH_GROUP_WIRE << ' ' << TORCH_VERSION << ' ' << life << ' '
      << static_cast<uint32_t>(f.rules.mode) << ' ' << static_cast<uint32_t>(f.rules.overflow) << ' ' << f.rules.slots
      << ' ' << f.rules.members << ' ' << f.max_held << ' ' << f.slot_bytes << '\n'
      << plan.json;
  return out.str();
}

Card read_card(const std::string& text, const std::string& where) {
  const size_t end = text.find('\n');
  if (end == text.npos) throw_damaged(where);
  std::istringstream in(text.substr(0, end));
  std::string word, torch;
  int version = 0, wire = 0;
  if (!(in >> word >> version >> wire >> torch) || word != magic) throw_damaged(where);
  if (version != protocol || wire != TD_TORCH_GROUP_WIRE)
    throw Error(Code::version, "the channel speaks protocol " + std::to_string(version) + " over LibTorch " + torch +
                                   "; this build speaks " + std::to_string(protocol) + " over " TORCH_VERSION)
        .where(where)
        .hint("all members of a channel over TCP need LibTorch 2, or all need 1.13");
  Card card;
  shm::ChannelFacts f;
  uint32_t mode = 0, overflow = 0;
  if (!(in >> card.life >> mode >> overflow >> f.rules.slots >> f.rules.members >> f.max_held >> f.slot_bytes))
    throw_damaged(where);
  f.rules.mode = static_cast<shm::ChannelMode>(mode);
  f.rules.overflow = static_cast<shm::Overflow>(overflow);
  f.rules.deliveries = 1;
  try {
    card.plan = SharedChannel::plan(text.substr(end + 1), f, where);
  } catch (const Error& e) {
    if (e.code() != Code::argument) throw;
    throw_damaged(where);
  }
  return card;
}

std::string key_of_card(const std::string& name) {
  return "td.channel/card/" + name;
}

std::string key_of_life(int64_t life, const std::string& what) {
  return "td.channel/" + std::to_string(life) + '/' + what;
}

std::string key_of_guest(int64_t life, const char* what, int64_t guest) {
  return key_of_life(life, std::string(what) + '/' + std::to_string(guest));
}

std::string write_guest(const GuestCard& card) {
  return std::to_string(card.roles) + ' ' + card.to;
}

GuestCard read_guest(const std::string& text, const std::string& where) {
  GuestCard card;
  std::istringstream in(text);
  if (!(in >> card.roles >> card.to) || card.roles > (shm::produces | shm::consumes)) throw_damaged(where);
  return card;
}

std::string write_answer(const Error* refusal) {
  if (!refusal) return "ok";
  return std::to_string(static_cast<int32_t>(refusal->code())) + ' ' + refusal->message();
}

void check_answer(const std::string& text, const std::string& where) {
  if (text == "ok") return;
  std::istringstream in(text);
  int32_t code = 0;
  std::string why;
  if (!(in >> code) || !std::getline(in >> std::ws, why) || code < 1) throw_damaged(where);
  // The creator says why, this library which kinds of answers there are.
  throw Error(code == static_cast<int32_t>(Code::nospace) ? Code::nospace : Code::io, why).where(where);
}

}  // namespace td::group
