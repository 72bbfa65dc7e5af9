// What calls that wait are given to end them.
#pragma once

#include "capi/handles.h"
#include "core/shm/channel.h"

namespace td::capi {

inline shm::CancelFlag* flag_of(const td_cancel* cancel) {
  return cancel ? &ref(cancel).flag : nullptr;
}

}  // namespace td::capi
