/* tensordict.h: PyTorch's TensorDict for every language and every process, behind a stable C ABI.
 *
 * SPDX-License-Identifier: MIT
 *
 * Five promises
 *   1. One container in every language: the semantics of Python's TensorDict behind opaque handles.
 *   2. The same bytes: stock Python `tensordict` opens what we write, and we open what it writes.
 *   3. Zero copy between processes, and a killed process leaves nothing torn.
 *   4. Extend at run time: hash functions, distributions and modules are plugins in plain C
 *      (plugins/tensordict_plugin.h) that never link LibTorch.
 *   5. The ABI does not break: the soname is TD_ABI_MAJOR, and a program built against this header runs on every
 *      later release of that major.
 *
 * The grammar, which every function follows
 *   td_status td_<noun>_<verb>(self, inputs..., outputs..., td_error **err)
 *   - The status says what happened; `err` may be NULL, else on failure it receives an owned td_error that says what
 *     was wrong, where, and what to do. No other output is written then, and nothing has changed; a doc says where it
 *     has.
 *   - `td_X **out` receives a new reference: give it back with td_X_release, which takes NULL. Arguments are borrowed
 *     for the call. A td_str or td_key that a getter returns is a view: its doc names the owner it lives as long as.
 *   - `const td_X *`: concurrent calls are allowed. `td_X *`: the caller makes sure that nobody else uses the handle,
 *     unless it is the `self` of a function that is tagged [any-thread].
 *     Writing to the data of a tensor while another thread reads it is the caller's race, whatever the handle's type.
 *   - Marks that C ignores say what the types cannot: TD_NULLABLE, TD_KEEPS and the others in tensordict/base.h. A
 *     pointer without a mark is not NULL and points to one object, which is borrowed for the call.
 *   - Tags in the docs: [any-thread] may be called concurrently; [exclusive] needs the handle for itself;
 *     [may-block] may wait for a disk or another process; [may-call-back] runs code of the caller's.
 *   - A NULL handle, an unknown enum value or a size that does not fit is TD_ERR_ARGUMENT, never a crash; an unknown
 *     dtype is TD_ERR_DTYPE, and more than 64 dims are TD_ERR_SHAPE. Functions without a status answer NULL with 0,
 *     NULL or empty text, unless the doc says otherwise.
 *   - In the docs `Errors: KEY` means TD_ERR_KEY; the errors of this list, OOM and INTERNAL may come from every
 *     function. `Like` names what the original calls it.
 *   - Structs of options begin with struct_size: start from their TD_..._INIT, which NULL in place of options stands
 *     for. Members that the library does not know must be 0; those that the caller's header lacks have their defaults;
 *     a size that ends inside a member is TD_ERR_ARGUMENT. Structs without struct_size never change.
 *   - Callbacks follow this grammar too. `destroy(userdata)` may be NULL, and runs once, also when the call fails.
 *   - No function throws; an exception of a callback is caught and returned as TD_ERR_CALLBACK.
 *
 * Process rules: there is no init and no shutdown call. The library installs no signal handler and no atexit work, and
 * never changes the environment, the locale or the current directory. A forked child calls td_after_fork first, or
 * execs.
 *
 * This file is the map: each chapter below is a header of its own, which can be included alone, and says how stable it
 * is. `Stability: stable` is under promise 5. `Stability: preview` is not: what stands there may change in any release,
 * and no stable function needs a type of it. tensordict_single.h is the same chapters in one file.
 */
#ifndef TENSORDICT_H
#define TENSORDICT_H

/* In the order in which to read them. */
/* clang-format off */
/* Basics */
#include "tensordict/base.h"                /* versions, and what stands around every declaration */
#include "tensordict/types.h"               /* statuses, strings, keys, dtypes, values: also in tensordict_plugin.h */
#include "tensordict/handles.h"             /* the opaque objects */

/* Process */
#include "tensordict/error.h"               /* what went wrong, where, and what to do */
#include "tensordict/key.h"                 /* text, and lists of keys */
#include "tensordict/process.h"             /* versions, features, live objects, threads, warnings, forks */

/* Tensors */
#include "tensordict/tensor.h"              /* make, look at, copy */
#include "tensordict/tensor_dlpack.h"       /* exchange without a copy */
#include "tensordict/tensor_autograd.h"     /* gradients */
#include "tensordict/generator.h"           /* random numbers */
#include "tensordict/op.h"                  /* every ATen operator by name */

/* Dicts */
#include "tensordict/dict.h"                /* make, set, get, copy */
#include "tensordict/dict_data.h"           /* text, numbers, bytes and JSON under a key */
#include "tensordict/dict_update.h"         /* many entries in one call */
#include "tensordict/dict_keys.h"           /* choose, rename and split keys */
#include "tensordict/dict_index.h"          /* parts, windows, and writes to them */
#include "tensordict/dict_join.h"           /* stack, cat and pad */
#include "tensordict/dict_lazy.h"           /* dicts that are seen as stacked */
#include "tensordict/dict_params.h"         /* parameters */
#include "tensordict/dict_rows.h"           /* select, sort and group rows */
#include "tensordict/dict_shape.h"          /* view, split, repeat */
#include "tensordict/dict_like.h"           /* dicts like another */
#include "tensordict/dict_pack.h"           /* one tensor of all, and back */
#include "tensordict/dict_names.h"          /* names of dims */
#include "tensordict/dict_math.h"           /* operators, arithmetic, comparison, reductions */
#include "tensordict/dict_map.h"            /* functions over leaves */
#include "tensordict/dict_autograd.h"       /* gradients, device, dtype, state */
#include "tensordict/dict_lock.h"           /* lock and share */
#include "tensordict/dict_repr.h"           /* print and parse */
#include "tensordict/scope.h"               /* another form of a dict for a while */
#include "tensordict/scope_shape.h"         /* scopes over shapes (preview) */

/* Storage */
#include "tensordict/storage.h"             /* open and save, formats, archives */
#include "tensordict/storage_live.h"        /* directories that are dicts */
#include "tensordict/storage_tensor.h"      /* tensors in files of their own */
#include "tensordict/storage_hdf5.h"        /* dicts in HDF5 files */
#include "tensordict/storage_schema.h"      /* dicts from a description */

/* Memory that processes share */
#include "tensordict/segment.h"             /* one dict, for many processes */
#include "tensordict/channel.h"             /* dicts handed from process to process */

/* Modules */
#include "tensordict/module.h"              /* make and run; functions of the caller's */
#include "tensordict/module_keys.h"         /* modules that read and write keys, sequences */
#include "tensordict/module_state.h"        /* copies, state dicts, scopes with other parameters */
#include "tensordict/module_tree.h"         /* members, and every tensor of them */
#include "tensordict/module_hooks.h"        /* functions around a module */
#include "tensordict/module_vmap.h"         /* many members at once */
#include "tensordict/optimizer.h"           /* SGD, Adam and others */

/* Distributions */
#include "tensordict/dist.h"                /* make, sample, densities and statistics */
#include "tensordict/dist_interaction.h"    /* how a value is taken */
#include "tensordict/dist_composite.h"      /* several under keys */
#include "tensordict/dist_transform.h"      /* invertible maps of tensors (preview) */
#include "tensordict/dist_module.h"         /* modules that sample */

/* Queries */
#include "tensordict/hash.h"                /* hashes of rows */
#include "tensordict/query.h"               /* rows to indices */
#include "tensordict/query_file.h"          /* maps in files (preview) */
#include "tensordict/row_map.h"             /* stores, and rows under keys (preview) */

/* Plugins */
#include "tensordict/plugins.h"             /* load, list and register types */

/* C and C++ only */
#include "tensordict/literal.h"             /* keys, shapes and values in place */
/* clang-format on */

#endif /* TENSORDICT_H */
