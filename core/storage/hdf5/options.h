// The layout of new datasets in an HDF5 file.
#pragma once

#include "core/dict/node.h"

namespace td::storage::hdf5 {

struct DatasetOptions {
  Dims chunks;           // of the first dims, as far as a tensor has them; the others are whole
  int compression = 0;   // of gzip, 1 to 9
  bool shuffle = false;  // bytes of equal place together before they are compressed
};

}  // namespace td::storage::hdf5
