// Dicts on servers.
#include "core/storage/remote.h"
#include "capi/convert.h"
#include "capi/storage/open_mode.h"
#include "core/dict/change/update.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

td::storage::RemoteOptions remote_options(const td_remote_options* given) {
  td_remote_options o = options(given);
  td::storage::RemoteOptions made;
  made.write = opens_to_write(o.mode, "on a server");
  if (o.timeout_ms < 0)
    throw td::Error(td::Code::argument, "the timeout is " + std::to_string(o.timeout_ms) + " ms")
        .hint("give 1 or more, or 0 for the default");
  made.timeout_ms = or_default<int64_t>(o.timeout_ms, made.timeout_ms);
  at::IntArrayRef batch = dims(o.batch_size, o.ndim);
  td::checked_numel(batch, 1);
  made.batch.assign(batch.begin(), batch.end());
  return made;
}

std::string url_text(td_str url) {
  return std::string(text(url, "url"));
}

}  // namespace

td_status td_remote_open(td_str url, const td_remote_options* given, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    give(out_dict, td::storage::open_remote(url_text(url), remote_options(given)));
  });
}

td_status td_remote_create(td_str url, const td_remote_options* given, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    give(out_dict, td::storage::create_remote(url_text(url), remote_options(given)));
  });
}

td_status td_remote_list(td_str url, const td_remote_options* given, td_keys** out_ids, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(out_ids);
    std::vector<td::Path> ids;
    for (std::string& id : td::storage::list_remotes(url_text(url), remote_options(given)))
      ids.emplace_back(std::vector<td::Key>{td::Key(std::move(id))});
    slot = own_keys(std::move(ids));
  });
}

td_status td_remote_remove(td_str url, const td_remote_options* given, td_error** err) noexcept {
  return guard(err, [&] { td::storage::remove_remote(url_text(url), remote_options(given)); });
}

td_status td_remote_version(const td_dict* self, int64_t* out_version, td_error** err) noexcept {
  return guard(err, [&] {
    int64_t& slot = out(out_version);
    const td::optional<int64_t> version = ref(self).version();
    if (!version) throw td::Error(td::Code::unsupported, "the dict is not on a server");
    slot = *version;
  });
}

td_status td_remote_update_if(td_dict* self, const td_dict* src, int64_t version, td_error** err) noexcept {
  return guard(err, [&] {
    if (!ref(self).stored() && !ref(self).has_members())
      throw td::Error(td::Code::unsupported, "the dict is not on a server");
    td::UpdateOptions options;
    options.version = version;
    td::update(ref(self), ref(src), options);
  });
}
