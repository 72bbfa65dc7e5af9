/* ==== Hashes ========================================================================================================
 * A hash maps each row to 64 bits. Types come from plugins; "td.siphash" (equal to Python's hash(bytes) with
 * PYTHONHASHSEED=0 and to torchrl's SipHash), "td.xxh3", "td.random_projection" and "td.binary_to_decimal" are bundled.
 *
 *     td_hash_new(TD_STR("td.siphash"), TD_STR("{\"seed\":42}"), &hash, &err);
 *     td_hash_call(hash, rows, &hashes, &err);        // int64 [rows]
 *
 * Stability: stable
 */
#ifndef TENSORDICT_HASH_H
#define TENSORDICT_HASH_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes an instance of a hash type. `config` is a JSON object, checked by the type's schema; NULL data is {}.
 * Errors: NOT_FOUND for an unknown type; ARGUMENT naming the member of a bad config; PLUGIN.
 * [any-thread]  Since 0.1 */
TD_API td_status td_hash_new(td_str type, td_str config, td_hash **out, td_error **err) TD_NOEXCEPT;

/* A callback as a hash: `fn` borrows a tensor and returns a new reference to an integer tensor with one element for
 * each row of the leading dim. `destroy(userdata)` runs once: when the hash is freed, or before the call that makes it
 * returns if that call fails. */
typedef struct td_hash_function {
  size_t struct_size;
  td_status (*fn)(void *userdata, const td_tensor *rows, td_tensor **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_hash_function;
#define TD_HASH_FUNCTION_INIT \
  { sizeof(td_hash_function), NULL, NULL, NULL }

/* Makes a hash that calls `function.fn`, on any thread that uses the hash.
 * Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_from_function(const td_hash_function *function, td_hash **out, td_error **err) TD_NOEXCEPT;

/* Returns an independent hash with the same state, which gives the same values.
 * Errors: UNSUPPORTED for a function; PLUGIN.   [any-thread]  Since 0.1 */
TD_API td_status td_hash_clone(const td_hash *self, td_hash **out, td_error **err) TD_NOEXCEPT;

/* Sets out[i] to the hash of the `row_bytes` bytes at rows + i * stride, for each i < n.   Errors: UNSUPPORTED if it
 * hashes tensors; PLUGIN.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_rows(const td_hash *self, const void *rows, size_t n, size_t row_bytes, size_t stride,
                              TD_LEN(n) uint64_t *out, td_error **err) TD_NOEXCEPT;

/* Hashes the elements of each row of the leading dim in row-major order, whatever the strides; bfloat16 is hashed as
 * float16. The result has one int64 for each row.   Like SipHash.forward.
 * Errors: SHAPE for a tensor without dims; DTYPE; PLUGIN if the plugin returns another number of results.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_call(const td_hash *self, const td_tensor *rows, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Returns {"type", "version", "config", "takes": "bytes" or "tensor", "flags": [...]} as JSON; {"type": null} for a
 * callback.   [any-thread]  Since 0.1 */
TD_API td_status td_hash_describe(const td_hash *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Writes the state of the hash beyond its config, with the version of its format.
 * Errors: UNSUPPORTED for a function; those of the type and of `to`.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_save(const td_hash *self, const td_writer *to, td_error **err) TD_NOEXCEPT;

/* Loads the state that td_hash_save wrote for a hash of the same type and config.
 * Errors: UNSUPPORTED for a function; CORRUPT, VERSION for other bytes; those of the type and of `from`.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_load(td_hash *self, const td_reader *from, td_error **err) TD_NOEXCEPT;

/* Adds a reference; NULL is allowed.   [any-thread] [leaf]  Since 0.1 */
TD_API void td_hash_retain(const td_hash *self) TD_NOEXCEPT;
/* Drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_hash_release(const td_hash *self) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_HASH_H */
