/* ==== Handles =======================================================================================================
 * Handles are opaque, reference-counted pointers to the library's objects. Release each one with the td_X_release of
 * its chapter.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_HANDLES_H
#define TENSORDICT_HANDLES_H

#include "base.h"
#include "types.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Owned text, immutable. */
typedef struct td_string td_string;
/* A list of keys, immutable. */
typedef struct td_keys td_keys;
/* A key prepared for repeated look-ups, immutable. */
typedef struct td_path td_path;
/* The entries of a dict with their keys, immutable. */
typedef struct td_entries td_entries;
/* A list of dicts, immutable. */
typedef struct td_dict_list td_dict_list;
/* A change of a dict that lasts until the scope ends. */
typedef struct td_scope td_scope;
/* A scope in which one thread records no operations. */
typedef struct td_no_grad td_no_grad;
/* A dict in shared memory that other processes can open. */
typedef struct td_segment td_segment;
typedef struct td_channel td_channel;
typedef struct td_message td_message;
/* A request that ends waits early. */
typedef struct td_cancel td_cancel;
typedef struct td_module td_module;
typedef struct td_optimizer td_optimizer;
/* Changes the learning rates of an optimizer. */
typedef struct td_schedule td_schedule;
typedef struct td_dist td_dist;
typedef struct td_query td_query;
/* The position of each tensor of a dict in the packed tensor, immutable. */
typedef struct td_pack_layout td_pack_layout;

/* Called when the library has dropped its last reference to something of the caller's. Runs exactly once, on any
 * thread. */
typedef void (*td_release_fn)(void *owner);

/* A callback that a call runs once, on the thread of the call, before it returns. */
typedef td_status (*td_run_function)(void *userdata, td_error **err);

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_HANDLES_H */
