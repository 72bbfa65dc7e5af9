// The directories of a memmap save that hold no dict: non-tensor data, and what a tensorclass keeps beside its tensors.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/json/value.hpp>

#include "core/dict/node.h"
#include "core/storage/memmap/folder.h"

namespace td::storage {

bool is_data_class(const std::string& name);

// `element` reads a directory of a stack whose values are not in its meta.json. Throws Error(corrupt) unless the data
// has the batch dims.
DataPtr read_data(const Folder& folder, const std::string& kind, const boost::json::object& meta, at::IntArrayRef batch,
                  const std::function<Entry(const Folder&)>& element);

std::shared_ptr<const PythonClass> read_tensorclass(const Folder& folder, const std::string& name,
                                                    const boost::json::object& meta);

}  // namespace td::storage
