// Names of batch dims.
#include "capi/convert.h"
#include "core/dict/names.h"
#include "core/dict/node.h"
#include "core/dict/shape/geometry.h"

using namespace td::capi;

namespace {

td::Names names_of(const td_str* given_names, size_t n) {
  if (n > 0 && !given_names) throw_null("names");
  td::Names names;
  for (size_t i = 0; i < n; ++i)
    names.push_back(given(given_names[i]) ? td::Name(std::string(text(given_names[i], "a name"))) : td::Name());
  return names;
}

}  // namespace

td_status td_dict_set_names(td_dict* self, const td_str* names, size_t n, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set_names(names_of(names, n)); });
}

td_status td_dict_name(const td_dict* self, int64_t dim, td_string** out_name, td_error** err) noexcept {
  return guard(err, [&] {
    const td::Node& node = ref(self);
    td::Name name = td::spread(node.names(), node.batch_dims())[td::batch_dim(dim, node.batch_dims())];
    if (name)
      give(out_name, *name);
    else
      out(out_name) = nullptr;
  });
}

td_status td_dict_refine_names(td_dict* self, const td_str* names, size_t n, td_error** err) noexcept {
  return guard(err, [&] {
    td::Node& node = ref(self);
    node.set_names(td::refined(td::spread(node.names(), node.batch_dims()), names_of(names, n)));
  });
}

td_status td_dict_rename_names(td_dict* self, const td_str* from, const td_str* to, size_t n, td_error** err) noexcept {
  return guard(err, [&] {
    td::Node& node = ref(self);
    node.set_names(td::renamed(td::spread(node.names(), node.batch_dims()), names_of(from, n), names_of(to, n)));
  });
}
