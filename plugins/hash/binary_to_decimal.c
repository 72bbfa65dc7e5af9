/* td.binary_to_decimal: the last dim as groups of bits, most significant first; the hash is the sum of the groups' numbers,
 * as torchrl's BinaryToDecimal gives it. With one group it is injective, with more it is not.
 *
 * Config  {"num_bits": 8, "convert_to_binary": false}
 *   num_bits           bits in a group, 1 to 62; the last dim is a multiple of it
 *   convert_to_binary  whatever is greater than 0 is a 1, everything else (NaN too) a 0; else elements are taken as integers
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "../entry.h"
#include "operators.h"

enum { MAX_DIMS = 64, MAX_BITS = 62 };

typedef struct binary {
  const td_host *host;
  int64_t num_bits;
  int convert;
  td_tensor *bases;
} binary;

static void destroy(void *self) {
  binary *b = self;
  b->host->tensor_release(b->bases);
  free(b);
}

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  int64_t num_bits = 0, bases[MAX_BITS];
  td_bool convert = 0;
  td_status s = host->config_int(config, text("num_bits"), &num_bits, err);
  if (s == TD_OK) s = host->config_bool(config, text("convert_to_binary"), &convert, err);
  if (s != TD_OK) return s;
  if (num_bits < 1 || num_bits > MAX_BITS) return refuse(host, TD_ERR_ARGUMENT, "num_bits must be 1 to 62", err);
  const td_host_tensor *tensors = host->get_extension(text(TD_EXT_TENSOR));
  if (!tensors) return refuse(host, TD_ERR_VERSION, "td.binary_to_decimal needs a host with " TD_EXT_TENSOR, err);

  for (int64_t i = 0; i < num_bits; ++i) bases[i] = INT64_C(1) << (num_bits - 1 - i);
  binary *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  made->host = host, made->num_bits = num_bits, made->convert = convert;
  s = tensors->copy_from(bases, TD_DTYPE_INT64, &num_bits, 1, &made->bases, err);
  if (s == TD_OK)
    *self = made;
  else
    free(made);
  return s;
}

static td_status hash_tensor(void *self, const td_tensor *rows, td_tensor **out, td_error **err) {
  const binary *b = self;
  const td_host *host = b->host;
  int64_t dims[MAX_DIMS];
  const size_t ndim = host->tensor_shape(rows, dims, MAX_DIMS);
  if (ndim == 0 || ndim > MAX_DIMS || dims[ndim - 1] < b->num_bits || dims[ndim - 1] % b->num_bits != 0)
    return refuse(host, TD_ERR_SHAPE, "the last dim is not a multiple of num_bits", err);

  int64_t n = 1;
  for (size_t i = 0; i + 1 < ndim; ++i) n *= dims[i];
  const int64_t groups[] = {n, dims[ndim - 1] / b->num_bits, b->num_bits}, last[] = {1, 2};
  const td_value zero = int_arg(0), type = dtype_arg(TD_DTYPE_INT64), shape = ints_arg(groups, 3),
                 bases = tensor_arg(b->bases), over = ints_arg(last, 2);
  td_tensor *t = NULL;
  const td_value input = tensor_arg(rows);
  td_status s = operate(host, "detach", "", &input, 1, &t, err);
  if (s == TD_OK && b->convert) s = replace(host, "gt", "Scalar", &t, &zero, 1, err);
  if (s == TD_OK) s = replace(host, "to", "dtype", &t, &type, 1, err);
  if (s == TD_OK) s = replace(host, "reshape", "", &t, &shape, 1, err);
  if (s == TD_OK) s = replace(host, "mul", "Tensor", &t, &bases, 1, err);
  if (s == TD_OK) s = replace(host, "sum", "dim_IntList", &t, &over, 1, err);
  if (s == TD_OK)
    *out = t;
  else if (t)
    host->tensor_release(t);
  return s;
}

static const td_hash_type type = {
    .type = {.struct_size = sizeof(td_hash_type),
             .kind = TD_PLUGIN_KIND_HASH,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_THREAD_SAFE,
             .id = TD_TEXT("td.binary_to_decimal"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .hash_tensor = hash_tensor,
};

static const td_plugin_type *const types[] = {&type.type};

/* clang-format off */
static const td_str schemas[] = {
    SCHEMA(REQUIRED("num_bits"), MEMBER("num_bits", "type": "integer", "minimum": 1, "maximum": 62),
           FLAG("convert_to_binary", false))};
/* clang-format on */
PLUGIN_ENTRY("td.binary_to_decimal", 0, types, schemas, (void)0)
