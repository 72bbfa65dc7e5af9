// Handles of any kinds, released in one call.
#include "capi/convert.h"

using namespace td::capi;

namespace {

using Release = void (*)(void*);

template <class H, void (*release)(const H*)>
void release_as(void* handle) {
  release(static_cast<const H*>(handle));
}

#define TD_RELEASE(type) release_as<type, type##_release>

Release release_of(td_object_kind kind) {
  switch (kind) {
    case TD_OBJECT_ERROR:
      return TD_RELEASE(td_error);
    case TD_OBJECT_STRING:
      return TD_RELEASE(td_string);
    case TD_OBJECT_KEYS:
      return TD_RELEASE(td_keys);
    case TD_OBJECT_PATH:
      return TD_RELEASE(td_path);
    case TD_OBJECT_TENSOR:
      return TD_RELEASE(td_tensor);
    case TD_OBJECT_TENSOR_LIST:
      return TD_RELEASE(td_tensor_list);
    case TD_OBJECT_GENERATOR:
      return TD_RELEASE(td_generator);
    case TD_OBJECT_OP:
      return TD_RELEASE(td_op);
    case TD_OBJECT_DICT:
      return TD_RELEASE(td_dict);
    case TD_OBJECT_SEGMENT:
      return TD_RELEASE(td_segment);
    case TD_OBJECT_MODULE:
      return TD_RELEASE(td_module);
    case TD_OBJECT_OPTIMIZER:
      return TD_RELEASE(td_optimizer);
    case TD_OBJECT_DIST:
      return TD_RELEASE(td_dist);
    case TD_OBJECT_QUERY:
      return TD_RELEASE(td_query);
    case TD_OBJECT_DICT_LIST:
      return TD_RELEASE(td_dict_list);
    case TD_OBJECT_DATA_LIST:
      return TD_RELEASE(td_data_list);
    case TD_OBJECT_SCOPE:
      return TD_RELEASE(td_scope);
    case TD_OBJECT_CHANNEL:
      return TD_RELEASE(td_channel);
    case TD_OBJECT_MESSAGE:
      return TD_RELEASE(td_message);
    case TD_OBJECT_HASH:
      return TD_RELEASE(td_hash);
    case TD_OBJECT_STORE:
      return TD_RELEASE(td_store);
    case TD_OBJECT_ROW_MAP:
      return TD_RELEASE(td_row_map);
    case TD_OBJECT_PACK_LAYOUT:
      return TD_RELEASE(td_pack_layout);
    case TD_OBJECT_CANCEL:
      return TD_RELEASE(td_cancel);
    case TD_OBJECT_SCHEDULE:
      return TD_RELEASE(td_schedule);
    case TD_OBJECT_ENTRIES:
      return TD_RELEASE(td_entries);
    case TD_OBJECT_GROUP:
      return TD_RELEASE(td_group);
    case TD_OBJECT_WORK:
      return TD_RELEASE(td_work);
    default:
      throw td::Error(td::Code::argument, "no handles of kind " + std::to_string(kind) + " can be released");
  }
}

}  // namespace

td_status td_release_many(const td_object* objects, size_t n, td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !objects) throw_null("objects");
    for (size_t i = 0; i < n; ++i) {
      if (objects[i].reserved != 0) throw td::Error(td::Code::argument, "the member reserved of a td_object is not 0");
      release_of(objects[i].kind);
    }
    for (size_t i = 0; i < n; ++i) release_of(objects[i].kind)(objects[i].handle);
  });
}
