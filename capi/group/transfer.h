// The options of a transfer.
#pragma once

#include "capi/convert.h"
#include "core/group/group.h"

namespace td::capi {

inline Group::Transfer transfer(const td_transfer_options* given) {
  const td_transfer_options o = options(given);
  return {o.tag, o.by_leaf != 0, o.pseudo_rand != 0};
}

}  // namespace td::capi
