/* ==== Plugins =======================================================================================================
 * On first use the library loads the bundled plugins (in `plugins/` beside the library), then those in the directories
 * that TENSORDICT_PLUGIN_PATH lists (absolute, separated by ':'; ignored in set-id processes). Other plugins are loaded
 * on request. A plugin stays loaded until the process ends. Among types with the same id, the one with the highest
 * version is used, and among equal versions the first one loaded; td_plugins_report says which.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_PLUGINS_H
#define TENSORDICT_PLUGINS_H

#include "dist.h"
#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Loads one plugin file, or the file that a manifest (*.toml) names. Loading the same file again does nothing. If a
 * manifest with the name of the file is beside it, the file must match its sha256, id, version and kinds.
 * Errors: NOT_FOUND; PLUGIN if it is not a plugin, fails, links LibTorch, differs from its manifest, or if another
 * user, an access control list or a group other than the user's own private one may write to it, to its manifest or to
 * a directory above it; VERSION with both sides' numbers if it was built for another ABI; EXISTS if all its types are
 * already registered in the same or a higher version.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_load(td_str file, td_error **err) TD_NOEXCEPT;

/* Loads every `*.so` and `*.toml` of a directory, in the order of their names. td_plugins_report lists files that are
 * refused.
 * Errors: NOT_FOUND; IO.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_add_path(td_str directory, td_error **err) TD_NOEXCEPT;

/* Returns the types in use, as a JSON array of {kind, id, plugin, version, file, vendor, license, flags, schema}.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_list(td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns one line per file: whether it was loaded or refused, with the reason.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_report(td_string **out, td_error **err) TD_NOEXCEPT;

/* The description of a type that this process registers. */
typedef struct td_type_info {
  size_t struct_size;
  td_str id;             /* "org.name"; "td." belongs to the bundled plugins */
  td_str version;        /* "1.0.0"; NULL data: "0" */
  td_str schema;         /* of the config, as in tensordict_plugin.h; NULL data: any JSON object */
  td_plugin_flags flags; /* TD_PLUGIN_... ; without THREAD_SAFE, calls for one instance do not overlap */
} td_type_info;
#define TD_TYPE_INFO_INIT \
  { sizeof(td_type_info), {NULL, 0}, {NULL, 0}, {NULL, 0}, 0 }

/* Callbacks as a type, without a shared library. `config` is the JSON that the instance was made with, valid during the
 * call. `destroy(userdata)` runs once: when the type is unregistered and its last instance is freed, or before the
 * registering call returns if it fails. A callback may be NULL if the doc of the plugin type in tensordict_plugin.h
 * says so. */
typedef struct td_hash_callbacks {
  size_t struct_size;
  td_status (*hash_rows)(void *userdata, td_str config, const void *rows, size_t n, size_t row_bytes, size_t stride,
                         uint64_t *out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_hash_callbacks;
#define TD_HASH_CALLBACKS_INIT \
  { sizeof(td_hash_callbacks), NULL, NULL, NULL }

typedef struct td_module_callbacks {
  size_t struct_size;
  /* Fills two empty dicts without batch dims with the parameters, which are trained, and the buffers. NULL: none. */
  td_status (*init)(void *userdata, td_str config, td_generator *generator, td_dict *parameters, td_dict *buffers,
                    td_error **err);
  /* `state` has the parameters, then the buffers, each in the order of td_dict_keys, or tensors given instead of
   * them. */
  td_status (*forward)(void *userdata, td_str config, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                       size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_module_callbacks;
#define TD_MODULE_CALLBACKS_INIT \
  { sizeof(td_module_callbacks), NULL, NULL, NULL, NULL }

typedef struct td_dist_callbacks {
  size_t struct_size;
  const td_str *params; /* names, in the order in which the callbacks get the tensors, broadcast together */
  size_t n_params;
  td_status (*sample)(void *userdata, td_str config, td_tensor *const *params, const int64_t *dims, size_t ndim,
                      td_generator *generator, td_tensor **out, td_error **err);
  td_status (*rsample)(void *userdata, td_str config, td_tensor *const *params, const int64_t *dims, size_t ndim,
                       td_generator *generator, td_tensor **out, td_error **err);
  td_status (*log_prob)(void *userdata, td_str config, td_tensor *const *params, const td_tensor *value,
                        td_tensor **out, td_error **err);
  td_status (*stat)(void *userdata, td_str config, td_tensor *const *params, td_dist_stat which, td_tensor **out,
                    td_error **err); /* MEAN, MODE, VARIANCE or ENTROPY; UNSUPPORTED for those that it lacks */
  void *userdata;
  void (*destroy)(void *userdata);
} td_dist_callbacks;
#define TD_DIST_CALLBACKS_INIT \
  { sizeof(td_dist_callbacks), NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL }

/* Registers a type under `info->id`; it can be used immediately.
 * Errors: ARGUMENT for a bad info, an invalid schema, or a missing callback; EXISTS if the id is taken for this kind.
 * Failures of the callbacks, and exceptions from them, are CALLBACK.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_register_hash(const td_type_info *info, const td_hash_callbacks *callbacks,
                                          td_error **err) TD_NOEXCEPT;
TD_API td_status td_plugins_register_module(const td_type_info *info, const td_module_callbacks *callbacks,
                                            td_error **err) TD_NOEXCEPT;
TD_API td_status td_plugins_register_dist(const td_type_info *info, const td_dist_callbacks *callbacks,
                                          td_error **err) TD_NOEXCEPT;

/* Removes a type from look-ups, whether a plugin or this process registered it. Existing instances continue to work.
 * The id is free again.
 * Errors: NOT_FOUND; ARGUMENT for an unknown kind.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_unregister(td_plugin_kind kind, td_str id, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_PLUGINS_H */
