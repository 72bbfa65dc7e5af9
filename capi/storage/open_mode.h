// The mode of a dict that stays where it was opened.
#pragma once

#include <string>

#include "capi/convert.h"

namespace td::capi {

// Whether it may be written; throws Error(argument) for a mode that such a dict has not.
inline bool opens_to_write(td_open_mode mode, const char* where) {
  if (mode != TD_OPEN_READ && mode != TD_OPEN_READ_WRITE)
    throw Error(Code::argument, std::string("a dict ") + where + " is opened with TD_OPEN_READ or TD_OPEN_READ_WRITE");
  return mode == TD_OPEN_READ_WRITE;
}

}  // namespace td::capi
