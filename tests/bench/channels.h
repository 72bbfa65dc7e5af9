// Channels of one leaf, for rows.
#pragma once

#include <memory>
#include <string>

#include <unistd.h>

#include "tests/bench/setup.h"

namespace bench {

inline std::string channel_name(const std::string& what) {
  return "td.bench." + std::to_string(getpid()) + "." + what;
}

using ChannelHandle = std::shared_ptr<td_channel>;

inline ChannelHandle make_channel(const std::string& name, const Dict& schema, int slots, td_channel_role roles) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = slots;
  o.roles = roles;
  td_channel* made = nullptr;
  must(td_channel_create(TD_STR(name.c_str()), schema.get(), &o, &made, &failure));
  return ChannelHandle(made, td_channel_release);
}

inline Dict bytes_dict(int64_t size) {
  Dict d = new_dict({});
  td_tensor* t = nullptr;
  must(td_tensor_zeros(&size, 1, TD_DTYPE_UINT8, TD_NO_STR, &t, &failure));
  must(td_dict_set(d.get(), TD_KEY("bytes"), own(t).get(), &failure));
  return d;
}

inline void send(td_channel* ch) {
  td_message* m = nullptr;
  must(td_channel_acquire(ch, -1, NULL, &m, nullptr));
  must(td_message_publish(m, nullptr));
  td_message_release(m);
}

}  // namespace bench
