/* The entry of a plugin with the one type `type`. */
#ifndef ENTRY
#define ENTRY(host)
#endif

static const td_plugin_type *const types[] = {&type.type};

td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err) {
  (void)host, (void)err;
  ENTRY(host);
  out->abi_major = TD_PLUGIN_ABI_MAJOR;
  out->abi_minor = 0;
  out->id = (td_str)TD_TEXT("broken.plugin");
  out->vendor = (td_str)TD_TEXT("tests");
  out->version = (td_str)TD_TEXT("1.0.0");
  out->license = (td_str)TD_TEXT("MIT");
  out->types = types;
  out->n_types = 1;
  return TD_OK;
}
