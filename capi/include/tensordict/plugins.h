/* ==== Plugins =======================================================================================================
 * The bundled plugins (in `plugins/` beside the library) are found on first use, then those in the directories that
 * TENSORDICT_PLUGIN_PATH lists (absolute, separated by ':'; ignored in set-id processes); others are loaded on request.
 * A plugin stays loaded until the process ends. Of types with one id the one with the higher version is used, and of
 * equal versions the one that came first; the report says which.
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

/* Loads one plugin file, or the one that a manifest (*.toml) names. Loading the same file again does nothing. A file
 * with a manifest of its name beside it must agree with it: sha256, id, version, kinds.
 * Errors: NOT_FOUND; PLUGIN if it is not a plugin, fails, links LibTorch, differs from its manifest, or if another
 * user, an access control list or a group other than the user's own private one may write to it, to its manifest or to
 * a directory above it; VERSION with both sides' numbers if it was built for another ABI; EXISTS if every type of it is
 * there in the same or a higher version.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_load(td_str file, td_error **err) TD_NOEXCEPT;

/* Loads every `*.so` and `*.toml` of a directory, in the order of their names; files that are refused are listed in the
 * report.
 * Errors: NOT_FOUND; IO.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_add_path(td_str directory, td_error **err) TD_NOEXCEPT;

/* Returns the types in use, as a JSON array of {kind, id, plugin, version, file, vendor, license, flags, schema}.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_list(td_string **out, td_error **err) TD_NOEXCEPT;

/* What was loaded and what was refused, with the reasons; a line for each file.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_report(td_string **out, td_error **err) TD_NOEXCEPT;

/* What a type registered by this process says of itself. */
typedef struct td_type_info {
  size_t struct_size;
  td_str id;      /* "org.name"; "td." belongs to the bundled plugins */
  td_str version; /* "1.0.0"; NULL data: "0" */
  td_str schema;  /* of the config, as in tensordict_plugin.h; NULL data: any JSON object */
  uint64_t flags; /* TD_PLUGIN_... ; without THREAD_SAFE calls for one instance come one after the other */
} td_type_info;
#define TD_TYPE_INFO_INIT \
  { sizeof(td_type_info), {NULL, 0}, {NULL, 0}, {NULL, 0}, 0 }

/* Functions of the caller's as types, without a shared library. `config` is the JSON that an instance was made with; it
 * lives as long as the call. `destroy(userdata)` runs once: when the type was unregistered and its last instance is
 * gone, or before the call returns if that fails. Functions may be NULL where the doc of a plugin type says so. */
typedef struct td_hash_callbacks {
  size_t struct_size;
  td_status (*hash_rows)(void *userdata, td_str config, const void *rows, size_t n, size_t row_bytes, size_t stride,
                         uint64_t *out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_hash_callbacks;

typedef struct td_module_callbacks {
  size_t struct_size;
  /* Fills two empty dicts without batch dims: the trained tensors, and the ones that are carried along. NULL: none. */
  td_status (*init)(void *userdata, td_str config, td_generator *generator, td_dict *parameters, td_dict *buffers,
                    td_error **err);
  /* `state` holds the parameters, then the buffers, each in the order of td_dict_keys; or others of the same
   * meaning. */
  td_status (*forward)(void *userdata, td_str config, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                       size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_module_callbacks;

typedef struct td_dist_callbacks {
  size_t struct_size;
  const td_str *params; /* names, in the order in which the functions get the tensors, broadcast together */
  size_t n_params;
  td_status (*sample)(void *userdata, td_str config, td_tensor *const *params, const int64_t *dims, size_t ndim,
                      td_generator *generator, td_tensor **out, td_error **err);
  td_status (*rsample)(void *userdata, td_str config, td_tensor *const *params, const int64_t *dims, size_t ndim,
                       td_generator *generator, td_tensor **out, td_error **err);
  td_status (*log_prob)(void *userdata, td_str config, td_tensor *const *params, const td_tensor *value,
                        td_tensor **out, td_error **err);
  td_status (*stat)(void *userdata, td_str config, td_tensor *const *params, td_dist_stat which, td_tensor **out,
                    td_error **err); /* MEAN, MODE, VARIANCE or ENTROPY; UNSUPPORTED for those there are not */
  void *userdata;
  void (*destroy)(void *userdata);
} td_dist_callbacks;

/* Registers a type under `info->id`, in use at once.
 * Errors: ARGUMENT for a bad info, a schema that is none, or a missing function; EXISTS if the id is taken in this
 * kind. Failures of the functions, and exceptions from them, are CALLBACK.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_register_hash(const td_type_info *info, const td_hash_callbacks *callbacks,
                                          td_error **err) TD_NOEXCEPT;
TD_API td_status td_plugins_register_module(const td_type_info *info, const td_module_callbacks *callbacks,
                                            td_error **err) TD_NOEXCEPT;
TD_API td_status td_plugins_register_dist(const td_type_info *info, const td_dist_callbacks *callbacks,
                                          td_error **err) TD_NOEXCEPT;

/* Hides a type from look-ups, whoever offered it; what was made of it goes on. The id is free again.
 * Errors: NOT_FOUND; ARGUMENT for an unknown kind.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_unregister(td_plugin_kind kind, td_str id, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_PLUGINS_H */
