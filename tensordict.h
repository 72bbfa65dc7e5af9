/* tensordict.h: PyTorch's TensorDict for every language and every process, behind a stable C ABI.
 *
 * SPDX-License-Identifier: MIT
 *
 * Five promises
 *   1. One container in every language: the semantics of Python's TensorDict behind opaque handles.
 *   2. The same bytes: stock Python `tensordict` opens what we write, and we open what it writes.
 *   3. Zero copy between processes, and a killed process leaves no half-written data.
 *   4. Extend at run time: hash functions, distributions and modules are plugins in plain C
 *      (plugins/tensordict_plugin.h) that never link LibTorch.
 *   5. The ABI does not break: the soname is TD_ABI_MAJOR, and a program built against this header runs on every later
 *      release of that major. Until 1.0 a minor release may break the ABI, and then raises the major.
 *
 * The grammar, which every function follows
 *   td_status td_<noun>_<verb>(self, inputs..., outputs..., td_error **err)
 *   - The status says what happened. `err` may be NULL; otherwise, on failure, it receives an owned td_error that says
 *     what was wrong, where, and what to do. On failure no other output is written and nothing changes, unless the doc
 *     of the function says otherwise. The exception is TD_ERR_OOM: a call that had begun to undo its changes may have
 *     found no memory to finish.
 *   - `td_X **out` receives a new reference: release it with td_X_release, which accepts NULL. Arguments are borrowed
 *     for the call. A td_str or td_key that a getter returns is a view: it stays valid while the owner that the doc
 *     names lives.
 *   - `const td_X *`: concurrent calls are allowed. `td_X *`: the caller must ensure that no other thread uses the
 *     object, unless it is the `self` of a function with the tag [any-thread]. Writing to the data of a tensor while
 *     another thread reads it is a race, whatever the type of the handle; the caller must prevent it.
 *   - One dict may be in use under several handles and inside several dicts: equal pointers are the same object, and a
 *     function with the tag [may-alias] may return an object that exists already, so that a change shows in both. The
 *     entries of dicts are guarded against threads that break the rule above. Setting and removing entries while other
 *     threads look entries up is safe: they find the old entry or the new one. Of two threads that change one dict, the
 *     later one gets TD_ERR_BUSY and changes nothing; so does one that changes a dict while another thread runs a long
 *     call that reads all its entries. A long call that finds entries changed under it may return TD_ERR_BUSY too.
 *   - Marks that C ignores say what the types cannot: TD_NULLABLE, TD_KEEPS and the others in tensordict/base.h. A
 *     pointer without a mark must not be NULL and points to one object, which is borrowed for the call.
 *   - Absent text, for instance the device of a dict without one, is a td_str with NULL data, or a NULL td_string,
 *     which td_string_view turns into NULL data. Other text that functions return has a NUL after its `size` bytes.
 *   - Tags in the docs: [any-thread] may be called concurrently; [exclusive] needs the object for itself; [may-block]
 *     may wait for a disk or another process; [may-call-back] may call callbacks of the caller; [may-alias] may return
 *     an object that exists already; [leaf] calls nothing back, takes no lock, allocates nothing and does not wait. A
 *     foreign-function layer may use its shortest call for a [leaf] and for nothing else: any other call may drop the
 *     last reference to an object, which may run a `destroy` of the caller, free memory of another library or close a
 *     file. This holds for every _release, too.
 *   - A NULL handle, an unknown enum value or a size that does not fit is TD_ERR_ARGUMENT, never a crash; an unknown
 *     dtype is TD_ERR_DTYPE, and more than 64 dims are TD_ERR_SHAPE. Given NULL, functions without a status return 0,
 *     NULL or empty text, unless the doc says otherwise.
 *   - In the docs `Errors: KEY` means TD_ERR_KEY. Every function may also return the errors of this list, OOM and
 *     INTERNAL. Functions of dicts may also return BUSY; UNSUPPORTED for a kind of dict or entry that they do not take;
 *     CLOSED, CORRUPT or IO for a dict in a file; and these, TIMEOUT or NOSPACE for one on a server. Functions with the
 *     tag [may-call-back] may return CALLBACK, and those of modules, distributions, transforms, hashes and queries
 *     PLUGIN. `Like` gives the name in the original.
 *   - Structs of options begin with struct_size. 0 in any other member means its default. So a struct that is zero
 *     except for struct_size, which is what its TD_..._INIT makes, means the same as NULL in place of options. The
 *     bytes of `reserved`, and members that the library does not know, must be 0; members that the caller's header
 *     lacks have their defaults; a size that ends inside a member is TD_ERR_ARGUMENT. Structs without struct_size never
 *     change.
 *   - Structs are passed by pointer, except td_str. A call copies what it is given, unless its doc says more.
 *   - Callbacks follow this grammar too. A callback that outlives the call is a struct with struct_size, like options:
 *     it has functions, `userdata` for them, and `destroy(userdata)`, which may be NULL. `destroy` runs once, also if
 *     the call fails. A struct with a struct_size that the library does not understand is not read, so nothing in it is
 *     destroyed. A function that runs only during the call may be passed without a struct, with its `userdata`.
 *   - No function throws; an exception from a callback is caught and returned as TD_ERR_CALLBACK. The error of a
 *     callback that fails is the cause of the error that the caller gets: see tensordict/error.h.
 *
 * Process rules: there is no init and no shutdown call. The library installs no signal handlers and no atexit handlers,
 * and never changes the environment, the locale or the current directory. A forked child must first call td_after_fork,
 * or exec. Threads need a stack of 512 KiB for dicts and modules that are nested as deeply as is allowed; musl's
 * default of 128 KiB suffices for shallower ones.
 *
 * This file includes all chapters. Each chapter is a header that can be included alone and says how stable it is.
 * Promise 5 covers chapters with `Stability: stable`. Chapters with `Stability: preview` may change in any release; no
 * stable function needs a type of them. tensordict_single.h has all chapters in one file.
 */
#ifndef TENSORDICT_H
#define TENSORDICT_H

/* In the order in which to read them. */
/* clang-format off */
/* Basics */
#include "tensordict/base.h"                /* versions, and the macros around every declaration */
#include "tensordict/types.h"               /* statuses, strings, keys, dtypes, values: also in tensordict_plugin.h */
#include "tensordict/handles.h"             /* the opaque objects */

/* Process */
#include "tensordict/error.h"               /* what went wrong, where, and what to do */
#include "tensordict/key.h"                 /* text, and lists of keys */
#include "tensordict/process.h"             /* versions, features, live objects, threads, warnings, forks */
#include "tensordict/cancel.h"              /* waits that another thread ends */

/* Tensors */
#include "tensordict/tensor.h"              /* make, inspect, copy */
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
#include "tensordict/dict_lazy.h"           /* dicts that are shown as stacked */
#include "tensordict/dict_params.h"         /* parameters */
#include "tensordict/dict_rows.h"           /* select, sort and group rows */
#include "tensordict/dict_shape.h"          /* view, split, repeat */
#include "tensordict/dict_like.h"           /* dicts like another */
#include "tensordict/dict_pack.h"           /* all tensors packed into one, and back */
#include "tensordict/dict_names.h"          /* names of dims */
#include "tensordict/dict_math.h"           /* operators, arithmetic, comparison, reductions */
#include "tensordict/dict_map.h"            /* functions over leaves */
#include "tensordict/dict_autograd.h"       /* gradients, device, dtype, state */
#include "tensordict/dict_lock.h"           /* lock and share */
#include "tensordict/dict_repr.h"           /* print and parse */
#include "tensordict/equal.h"               /* dicts and tensors, with tolerances */
#include "tensordict/scope.h"               /* a temporary form of a dict */
#include "tensordict/scope_shape.h"         /* scopes over shapes (preview) */

/* Storage */
#include "tensordict/storage.h"             /* open and save, formats, archives */
#include "tensordict/storage_live.h"        /* directories that stay open as dicts */
#include "tensordict/storage_tensor.h"      /* tensors in their own files */
#include "tensordict/storage_hdf5.h"        /* dicts in HDF5 files */
#include "tensordict/storage_schema.h"      /* dicts from a description */

/* Memory that processes share */
#include "tensordict/segment.h"             /* one dict, for many processes */
#include "tensordict/channel.h"             /* dicts passed from process to process */

/* Other machines */
#include "tensordict/group.h"               /* ranks that exchange dicts (preview) */
#include "tensordict/group_work.h"          /* transfers that run in the background */
#include "tensordict/group_collective.h"    /* operations of all ranks together */
#include "tensordict/remote.h"              /* dicts on Redis servers (preview) */

/* Modules */
#include "tensordict/dist_interaction.h"    /* how a value is taken */
#include "tensordict/module.h"              /* make and run; callbacks as modules */
#include "tensordict/module_keys.h"         /* modules that read and write keys, sequences */
#include "tensordict/module_state.h"        /* copies, state dicts, scopes with other parameters */
#include "tensordict/module_tree.h"         /* members and their tensors */
#include "tensordict/module_hooks.h"        /* callbacks around a module */
#include "tensordict/module_vmap.h"         /* ensembles, and functions over many members */
#include "tensordict/optimizer.h"           /* SGD, Adam and others */
#include "tensordict/schedule.h"            /* learning rates that change */

/* Distributions */
#include "tensordict/dist.h"                /* make, sample, densities and statistics */
#include "tensordict/dist_composite.h"      /* several distributions under keys */
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
#include "tensordict/literal.h"             /* macros for keys, shapes and values */
/* clang-format on */

#endif /* TENSORDICT_H */
