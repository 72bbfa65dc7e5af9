// Non-tensor data of a dict.
#include "core/dict/measure.h"
#include "core/storage/data_json.h"

#include "capi/convert.h"
#include "capi/lists.h"
#include "core/dict/data/write_data.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

using Kind = td::Value::Kind;

td::Value value(const td_data& d) {
  if (d.reserved != 0) throw td::Error(td::Code::argument, "the member reserved of a td_data is not 0");
  td::Value v;
  v.kind = static_cast<Kind>(d.kind);
  switch (d.kind) {
    case TD_DATA_NONE:
      break;
    case TD_DATA_BOOL:
      v.i = d.i != 0;
      break;
    case TD_DATA_INT:
      v.i = d.i;
      break;
    case TD_DATA_DOUBLE:
      v.f = d.f;
      break;
    case TD_DATA_STR:
      v.text = text(d.text, "text");
      td::check_utf8(v.text, "text");
      break;
    case TD_DATA_BYTES:
      v.text = text(d.text, "bytes");
      break;
    case TD_DATA_PICKLE:
      if (d.i != -1) throw td::Error(td::Code::argument, "the member i of pickled data is not -1");
      v.i = -1;
      v.pickle = std::make_shared<const td::Pickle>(td::Pickle{std::string(text(d.text, "pickle")), -1});
      break;
    case TD_DATA_JSON:
      return td::storage::parse_value(text(d.text, "JSON"));
    default:
      throw td::Error(td::Code::argument, "unknown kind of data " + std::to_string(d.kind));
  }
  return v;
}

td::Value value(const td_data* d) {
  if (!d) throw_null("value");
  return value(*d);
}

static_assert(static_cast<int>(Kind::none) == TD_DATA_NONE && static_cast<int>(Kind::boolean) == TD_DATA_BOOL &&
              static_cast<int>(Kind::integer) == TD_DATA_INT && static_cast<int>(Kind::real) == TD_DATA_DOUBLE &&
              static_cast<int>(Kind::text) == TD_DATA_STR && static_cast<int>(Kind::bytes) == TD_DATA_BYTES &&
              static_cast<int>(Kind::json) == TD_DATA_JSON && static_cast<int>(Kind::pickle) == TD_DATA_PICKLE);

}  // namespace

td_status td_dict_set_data(td_dict* self, const td_key* key, const td_data* given, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(KeyArg(key), td::Data::uniform(value(given), {})); });
}

td_status td_dict_set_data_stack(td_dict* self, const td_key* key, const td_data* values, size_t n,
                                 td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !values) throw_null("values");
    KeyArg path(key);
    std::vector<td::Value> converted;
    for (size_t i = 0; i < n; ++i) converted.push_back(value(values[i]));
    ref(self).set(path, td::Data::stack(std::move(converted), td::batch_at(ref(self), path)));
  });
}

td_status td_dict_set_data_(td_dict* self, const td_key* key, const td_data* given, td_error** err) noexcept {
  return guard(err, [&] { td::write_data(ref(self), KeyArg(key), value(given)); });
}

td_status td_dict_get_data(const td_dict* self, const td_key* key, td_data_list** out_list, td_error** err) noexcept {
  return guard(err, [&] { give(out_list, ref(self).data(KeyArg(key))); });
}

td_status td_data_list_new(const td_data* values, const int64_t* shape, size_t ndim, td_data_list** out_list,
                           td_error** err) noexcept {
  return guard(err, [&] {
    if (!values) throw_null("values");
    if (!shape && ndim == 0) return give(out_list, td::Data::uniform(value(*values), {}));
    at::IntArrayRef sizes = dims(shape, ndim);
    std::vector<td::Value> all;
    for (int64_t i = 0, n = td::checked_numel(sizes, sizeof(td_data)); i < n; ++i) all.push_back(value(values[i]));
    give(out_list, td::Data::stack(std::move(all), sizes));
  });
}

td_status td_dict_from_json(td_str json, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::storage::dict_of_json(text(json, "JSON"))); });
}

td_status td_dict_list_from_json(td_str json, td_dict_list** out_list, td_error** err) noexcept {
  return guard(err, [&] { give_list(out_list, td::storage::dicts_of_json(text(json, "JSON"))); });
}

td_bool td_data_list_is_stack(const td_data_list* self) noexcept {
  return self && ref(self).stacked();
}

size_t td_data_list_shape(const td_data_list* self, int64_t* out_dims, size_t capacity) noexcept {
  return self ? fill(ref(self).batch(), out_dims, capacity) : 0;
}

size_t td_data_list_size(const td_data_list* self) noexcept {
  return self ? ref(self).size() : 0;
}

td_status td_data_list_get(const td_data_list* self, int64_t index, td_data* out_view, td_error** err) noexcept {
  return guard(err, [&] {
    const td::Value& v = ref(self).at(position(index, ref(self).size(), "value"));
    out(out_view) = {static_cast<td_data_kind>(v.kind), 0, v.i, v.f, view(v.pickle ? v.pickle->bytes : v.text)};
  });
}

void td_data_list_retain(const td_data_list* self) noexcept {
  retain(self);
}
void td_data_list_release(const td_data_list* self) noexcept {
  release(self);
}
