/* td.random_projection: rows close to each other get the same hash more often than not. The last dim is multiplied by a
 * random matrix, and the rows of the product are hashed by td.siphash, as torchrl's RandomProjectionHash does it. The
 * matrix is drawn at the first use, when the width is known, and is part of the state.
 *
 * Config  {"n_components": 16, "dtype": "bfloat16", "seed": 7}
 *   n_components  columns of the matrix
 *   dtype         what rows and matrix are rounded to first: "bfloat16", "float16", "float32" or "float64"
 *   seed          of the matrix; without one it is drawn from the default generator
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "../entry.h"
#include "operators.h"

enum { MAX_DIMS = 64 };

typedef struct projection {
  const td_host *host;
  const td_host_tensor *tensors;
  const td_host_generator *generators;
  const td_host_hash *hashes;
  int64_t n_components, seed;
  int seeded;
  td_dtype dtype;
  td_hash *siphash;
  td_tensor *matrix; /* [features, n_components]; NULL before the first use */
} projection;

static void destroy(void *self) {
  projection *p = self;
  if (p->matrix) p->host->tensor_release(p->matrix);
  if (p->siphash) p->hashes->release(p->siphash);
  free(p);
}

static td_dtype dtype_named(td_str name) {
  static const struct {
    const char *name;
    td_dtype dtype;
  } known[] = {{"bfloat16", TD_DTYPE_BFLOAT16},
               {"float16", TD_DTYPE_FLOAT16},
               {"float32", TD_DTYPE_FLOAT32},
               {"float64", TD_DTYPE_FLOAT64}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (name.size == strlen(known[i].name) && memcmp(name.data, known[i].name, name.size) == 0) return known[i].dtype;
  return TD_DTYPE_NONE;
}

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  projection p = {.host = host, .n_components = 16, .seed = INT64_MIN, .dtype = TD_DTYPE_BFLOAT16};
  td_str dtype = TD_TEXT("bfloat16");
  td_status s = host->config_int(config, text("n_components"), &p.n_components, err);
  if (s == TD_OK) s = host->config_str(config, text("dtype"), &dtype, err);
  if (s == TD_OK) s = host->config_int(config, text("seed"), &p.seed, err);
  if (s != TD_OK) return s;
  p.seeded = p.seed != INT64_MIN;
  p.dtype = dtype_named(dtype);
  if (p.n_components < 1 || p.dtype == TD_DTYPE_NONE)
    return refuse(host, TD_ERR_ARGUMENT, "n_components must be positive, and dtype a floating-point dtype", err);
  p.tensors = host->get_extension(text(TD_EXT_TENSOR));
  p.generators = host->get_extension(text(TD_EXT_GENERATOR));
  p.hashes = host->get_extension(text(TD_EXT_HASH));
  if (!p.tensors || !p.generators || !p.hashes)
    return refuse(host, TD_ERR_VERSION, "td.random_projection needs a host with " TD_EXT_HASH, err);

  projection *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  s = p.hashes->create(text("td.siphash"), text("{}"), &p.siphash, err);
  *made = p;
  if (s == TD_OK)
    *self = made;
  else
    free(made);
  return s;
}

static td_status clone(const void *self, void **out, td_error **err) {
  projection *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = *(const projection *)self;
  made->siphash = NULL;
  td_status s = made->hashes->create(text("td.siphash"), text("{}"), &made->siphash, err);
  if (s != TD_OK) {
    free(made);
    return s;
  }
  if (made->matrix) made->host->tensor_retain(made->matrix); /* it never changes */
  *out = made;
  return TD_OK;
}

/* Drawn as float32 and rounded, like torch.empty(...).normal_().to(dtype). */
static td_status draw(projection *p, int64_t features, td_error **err) {
  const int64_t dims[] = {features, p->n_components};
  td_generator *generator = NULL;
  td_status s = p->seeded ? p->generators->create((uint64_t)p->seed, &generator, err) : TD_OK;
  if (s != TD_OK) return s;
  const td_value type = dtype_arg(p->dtype), sizes = ints_arg(dims, 2);
  td_named_value from = {TD_TEXT("generator"), {TD_VALUE_GENERATOR, 0, 0, {0}}};
  from.value.as.generator = generator;
  td_tensor *matrix = NULL;
  const td_op *randn;
  td_value drawn;
  s = p->host->op_find(text("randn"), text(generator ? "generator" : ""), &randn, err);
  if (s == TD_OK) s = p->host->op_call(randn, &sizes, 1, &from, generator ? 1 : 0, &drawn, 1, err);
  if (s == TD_OK) matrix = drawn.as.tensor;
  if (s == TD_OK) s = replace(p->host, "to", "dtype", &matrix, &type, 1, err);
  if (generator) p->generators->release(generator);
  if (s == TD_OK)
    p->matrix = matrix;
  else if (matrix)
    p->host->tensor_release(matrix);
  return s;
}

static td_status hash_tensor(void *self, const td_tensor *rows, td_tensor **out, td_error **err) {
  projection *p = self;
  int64_t dims[MAX_DIMS], fitted[2];
  const size_t ndim = p->host->tensor_shape(rows, dims, MAX_DIMS);
  if (ndim < 2 || ndim > MAX_DIMS)
    return refuse(p->host, TD_ERR_SHAPE, "the rows must have features: at least two dims", err);
  if (!p->matrix) {
    td_status s = draw(p, dims[ndim - 1], err);
    if (s != TD_OK) return s;
  }
  p->host->tensor_shape(p->matrix, fitted, 2);
  if (fitted[0] != dims[ndim - 1])
    return refuse(p->host, TD_ERR_SHAPE, "the rows must have the same number of features as in the first call", err);

  const td_value input = tensor_arg(rows), type = dtype_arg(p->dtype), matrix = tensor_arg(p->matrix);
  td_tensor *t = NULL;
  td_status s = operate(p->host, "detach", "", &input, 1, &t, err);
  if (s == TD_OK) s = replace(p->host, "to", "dtype", &t, &type, 1, err);
  if (s == TD_OK) s = replace(p->host, "matmul", "", &t, &matrix, 1, err);
  if (s == TD_OK) s = p->hashes->tensor(p->siphash, t, out, err);
  if (t) p->host->tensor_release(t);
  return s;
}

/* ---- State: int64 features (-1 before the first use), int64 n_components, the matrix as float64 ---- */

static td_status save(const void *self, const td_writer *to, td_error **err) {
  const projection *p = self;
  int64_t head[2] = {-1, p->n_components};
  if (!p->matrix) return to->write(to->userdata, head, sizeof head, err);
  const td_value input = tensor_arg(p->matrix), type = dtype_arg(TD_DTYPE_FLOAT64);
  const void *bytes;
  td_tensor *wide = NULL;
  p->host->tensor_shape(p->matrix, head, 2);
  td_status s = operate(p->host, "to", "dtype", (td_value[]){input, type}, 2, &wide, err);
  if (s == TD_OK) s = replace(p->host, "contiguous", "", &wide, NULL, 0, err);
  if (s == TD_OK) s = p->tensors->data(wide, &bytes, err);
  if (s == TD_OK) s = to->write(to->userdata, head, sizeof head, err);
  if (s == TD_OK) s = to->write(to->userdata, bytes, (size_t)(head[0] * head[1]) * sizeof(double), err);
  if (wide) p->host->tensor_release(wide);
  return s;
}

static td_status load(void *self, uint32_t version, const td_reader *from, td_error **err) {
  projection *p = self;
  const td_value type = dtype_arg(p->dtype);
  int64_t head[2];
  size_t got = 0;
  td_status s = from->read(from->userdata, head, sizeof head, &got, err);
  if (s != TD_OK) return s;
  if (version != 1 || got != sizeof head || head[1] != p->n_components || head[0] < -1 || head[0] > (1 << 24) ||
      head[1] > (1 << 24))
    return refuse(p->host, TD_ERR_CORRUPT, "not the state of a projection with these n_components", err);
  td_tensor *matrix = NULL;
  if (head[0] >= 0) {
    const size_t size = (size_t)(head[0] * head[1]) * sizeof(double);
    void *bytes = p->host->alloc(size);
    if (!bytes) return TD_ERR_OOM;
    s = from->read(from->userdata, bytes, size, &got, err);
    if (s == TD_OK && got != size) s = refuse(p->host, TD_ERR_CORRUPT, "the state of the projection is truncated", err);
    if (s == TD_OK) s = p->tensors->copy_from(bytes, TD_DTYPE_FLOAT64, head, 2, &matrix, err);
    if (s == TD_OK) s = replace(p->host, "to", "dtype", &matrix, &type, 1, err);
    p->host->free(bytes);
    if (s != TD_OK) {
      if (matrix) p->host->tensor_release(matrix);
      return s;
    }
  }
  if (p->matrix) p->host->tensor_release(p->matrix);
  p->matrix = matrix;
  return TD_OK;
}

static const td_hash_type type = {
    .type = {.struct_size = sizeof(td_hash_type),
             .kind = TD_PLUGIN_KIND_HASH,
             .flags = 0, /* rounding in the product may differ between machines, and the matrix is drawn at random */
             .id = TD_TEXT("td.random_projection"),
             .version = TD_TEXT("1.0.0")},
    .create = create,
    .destroy = destroy,
    .clone = clone,
    .hash_tensor = hash_tensor,
    .state_version = 1,
    .save = save,
    .load = load,
};

static const td_plugin_type *const types[] = {&type.type};

/* clang-format off */
static const td_str schemas[] = {
    SCHEMA(REQUIRED(), MEMBER("n_components", "type": "integer", "minimum": 1, "maximum": 16777216, "default": 16),
           MEMBER("dtype", "enum": ["bfloat16", "float16", "float32", "float64"], "default": "bfloat16"),
           WHOLE("seed", 0))};
/* clang-format on */
PLUGIN_ENTRY("td.random_projection", 0, types, schemas, (void)0)
