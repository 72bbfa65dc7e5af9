/* ==== Print and parse ===============================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_REPR_H
#define TENSORDICT_DICT_REPR_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The fields that td_dict_repr shows. */
typedef uint64_t td_repr_flags;
enum {
  TD_REPR_BATCH_SIZE = 1 << 0, /* of the dict and of each node */
  TD_REPR_DEVICE = 1 << 1,
  TD_REPR_IS_SHARED = 1 << 2,
  TD_REPR_SHAPE = 1 << 3, /* of each tensor */
  TD_REPR_FIELD_DEVICE = 1 << 4,
  TD_REPR_DTYPE = 1 << 5,
  TD_REPR_FIELD_IS_SHARED = 1 << 6,
  TD_REPR_GRAD = 1 << 7,
  TD_REPR_IS_CONTIGUOUS = 1 << 8,
  TD_REPR_IS_VIEW = 1 << 9,
  TD_REPR_STORAGE_SIZE = 1 << 10,
  TD_REPR_PLAIN = 1 << 11,    /* mean and std of floating tensors, min and max of the others */
  TD_REPR_UNSORTED = 1 << 12, /* entries in insertion order, else sorted by their lines */
  TD_REPR_COMPACT =
      1 << 13, /* the form with few lines that Python prints by default since 0.15; it has no other fields */
  TD_REPR_NO_FIELDS = 1 << 14, /* nothing of the above */
  TD_REPR_DEFAULT = 0x7f,
  TD_REPR_BRIEF = (1 << 0) | (1 << 3) /* as verbose=False */
};

/* Returns the text that Python prints for the same content with the print options that correspond to `flags`. 0 means
 * TD_REPR_DEFAULT, the form with many lines.   Like repr(td), set_printoptions.
 * Errors: ARGUMENT for unknown flags, and for TD_REPR_NO_FIELDS beside the flag of a field; TORCH if a dtype has no
 * mean or minimum for TD_REPR_PLAIN.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_repr(const td_dict *self, td_repr_flags flags, td_string **out, td_error **err) TD_NOEXCEPT;

typedef struct td_parse_options {
  size_t struct_size;
  td_str device; /* replaces every device in the text; NULL data: the devices of the text */
} td_parse_options;
#define TD_PARSE_OPTIONS_INIT   \
  {                             \
    sizeof(td_parse_options), { \
      NULL, 0                   \
    }                           \
  }

/* Makes a dict of zeros from a text that td_dict_repr or Python's repr printed, in either form and with any
 * options. Shapes, dtypes, devices, nodes and non-tensor data come from the text. If the text does not show them,
 * tensors are float32 on the CPU and have the batch size of their node; data of which the text shows only the type is
 * empty. Text that is a number, True, False, None, bytes, a list or a dict in Python becomes that value; an abbreviated
 * stack ends in None. In a dim in which the members of a lazy stack differ, the first has size 1 and the others have
 * size 2. `options` may be NULL.   Like tensordict.parse_tensor_dict_string.
 * Errors: ARGUMENT with line and column for other text, or text that is not UTF-8; UNSUPPORTED for entries of other
 * classes and for data that the text does not show; DTYPE; DEVICE for a device that does not exist; SHAPE if a shape
 * lacks the batch dims, or is ragged.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_parse(td_str text, TD_NULLABLE const td_parse_options *options, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_REPR_H */
