/* What the module types share: reading a config, declaring tensors as torch.nn fills them, and checking a call.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LAYER_H
#define LAYER_H

#include <stdarg.h>
#include <stdio.h>

#include "formula.h"

/* "kernel_size must be at least 1" */
static inline Value refuse(workspace *work, const char *name, const char *must) {
  char message[160];
  snprintf(message, sizeof message, "%s must %s", name, must);
  return fail(work, TD_ERR_ARGUMENT, message);
}

/* ---- Config: after a failure the rest is not read ---------------------------------------------------------------- */
static inline void at_least(workspace *work, const char *name, int64_t value, int64_t least) {
  char must[64];
  snprintf(must, sizeof must, "be given and at least %lld", (long long)least);
  if (work->status == TD_OK && value < least) refuse(work, name, must);
}

static inline int64_t config_int(workspace *work, const td_config *config, const char *name, int64_t otherwise,
                                 int64_t least) {
  if (work->status == TD_OK) work->status = host->config_int(config, text(name), &otherwise, work->err);
  at_least(work, name, otherwise, least);
  return otherwise;
}

static inline double config_double(workspace *work, const td_config *config, const char *name, double otherwise) {
  if (work->status == TD_OK) work->status = host->config_double(config, text(name), &otherwise, work->err);
  return otherwise;
}

static inline int config_bool(workspace *work, const td_config *config, const char *name, int otherwise) {
  td_bool value = (td_bool)otherwise;
  if (work->status == TD_OK) work->status = host->config_bool(config, text(name), &value, work->err);
  return value;
}

/* The number of the word in `words` (ends with NULL) that the config has; 0 if it has none. */
static inline int config_word(workspace *work, const td_config *config, const char *name, const char *const *words) {
  td_str given = text(words[0]);
  if (work->status == TD_OK) work->status = host->config_str(config, text(name), &given, work->err);
  if (work->status != TD_OK) return 0;
  const size_t size = given.size == TD_STRLEN ? strlen(given.data) : given.size;
  char must[120] = "be ";
  for (int i = 0; words[i]; ++i) {
    if (strlen(words[i]) == size && memcmp(words[i], given.data, size) == 0) return i;
    const size_t used = strlen(must);
    snprintf(must + used, sizeof must - used, "%s%s", i ? " or " : "", words[i]);
  }
  refuse(work, name, must);
  return 0;
}

/* `n` sizes: a list of them, or one for all. What the config lacks is `otherwise`. */
static inline void config_sizes(workspace *work, const td_config *config, const char *name, int64_t *out, size_t n,
                                int64_t otherwise, int64_t least) {
  const int64_t *list = NULL;
  size_t n_list = 0;
  if (work->status != TD_OK) return;
  int64_t one = otherwise;
  host->config_ints(config, text(name), &list, &n_list, NULL); /* fails for a single number, which is read then */
  if (n_list == 0) work->status = host->config_int(config, text(name), &one, work->err);
  if (work->status == TD_OK && n_list != 0 && n_list != n) refuse(work, name, "be one number, or one for each dim");
  for (size_t i = 0; i < n && work->status == TD_OK; ++i) {
    out[i] = n_list ? list[i] : one;
    at_least(work, name, out[i], least);
  }
}

/* ---- Tensors of a module ----------------------------------------------------------------------------------------- */
static inline Value filled(workspace *work, const int64_t *dims, size_t n, double value) {
  Value size = ints(dims, n), out = none;
  td_named_value dtype = {text("dtype"), {.kind = TD_VALUE_DTYPE, .as.i = TD_DTYPE_FLOAT32}};
  Value args[] = {size, Number(value)};
  if (work->status != TD_OK) return none;
  work->status = host->op_call(operators[OP_full], args, 2, &dtype, 1, &out, 1, work->err);
  return work->status == TD_OK ? hold(work, out) : none;
}

/* Elements uniform in [-bound, bound). */
static inline Value uniform(workspace *work, const int64_t *dims, size_t n, double bound) {
  Value args[] = {filled(work, dims, n, 0), Number(-bound), Number(bound)};
  return draw_with(work, OP_uniform_, args, 3);
}

static inline Value normal(workspace *work, const int64_t *dims, size_t n, double deviation) {
  Value args[] = {filled(work, dims, n, 0), Number(0), Number(deviation)};
  return draw_with(work, OP_normal_, args, 3);
}

/* torch.nn.init.kaiming_uniform_(a=sqrt(5)) in its own steps: the last bit counts. */
static inline Value kaiming_uniform(workspace *work, const int64_t *dims, size_t n, int64_t fan_in) {
  const double a = sqrt(5.0), deviation = sqrt(2.0 / (1.0 + a * a)) / sqrt((double)fan_in);
  return uniform(work, dims, n, sqrt(3.0) * deviation);
}

/* Declares `name`, in which dots separate the levels. */
static inline void declare(workspace *work, td_module_builder *builder, td_role role, const char *name, Value value) {
  td_str parts[8];
  size_t n = 0;
  for (const char *at = name; n < 8; ++n) {
    const char *dot = strchr(at, '.');
    parts[n] = (td_str){at, dot ? (size_t)(dot - at) : strlen(at)};
    if (!dot) break;
    at = dot + 1;
  }
  td_key key = {parts, n + 1};
  if (work->status == TD_OK && value.kind == TD_VALUE_TENSOR)
    work->status = host->module_declare(builder, role, &key, value.as.tensor, work->err);
}
#define PARAMETER(name, value) declare(work, builder, TD_ROLE_PARAMETER, name, value)
#define BUFFER(name, value) declare(work, builder, TD_ROLE_BUFFER, name, value)

/* ---- What print shows, as torch.nn's extra_repr: create collects it, the instance keeps it behind the layer ------ */
static inline void show(workspace *work, const char *format, ...) MAYBE_UNUSED;
static inline void show(workspace *work, const char *format, ...) {
  va_list args, again;
  if (work->status != TD_OK) return;
  va_start(args, format);
  va_copy(again, args);
  const int size = vsnprintf(NULL, 0, format, args);
  char *longer = size < 0 ? NULL : realloc(work->shown, work->n_shown + (size_t)size + 1);
  if (longer) {
    vsnprintf(longer + work->n_shown, (size_t)size + 1, format, again);
    work->shown = longer;
    work->n_shown += (size_t)size;
  } else {
    fail(work, TD_ERR_OOM, "out of memory for the text of the module");
  }
  va_end(again);
  va_end(args);
}

static inline const char *truth_text(int value) {
  return value ? "True" : "False";
}

typedef struct number_text {
  char text[48];
} number_text;

/* A number as Python prints it: the shortest digits that give it back, an integer where the config has one. */
static inline number_text shown_number(const td_config *config, const char *name, double value) {
  number_text out;
  int64_t whole = INT64_MIN;
  if (config && host->config_int(config, text(name), &whole, NULL) == TD_OK && whole != INT64_MIN) {
    snprintf(out.text, sizeof out.text, "%lld", (long long)whole);
    return out;
  }
  int digits = 0;
  do snprintf(out.text, sizeof out.text, "%.*e", digits, value);
  while (strtod(out.text, NULL) != value && ++digits < 17);
  const char *e = strchr(out.text, 'e');
  const int exponent = e ? atoi(e + 1) : 0;
  if (e && exponent >= -4 && exponent < 16)
    snprintf(out.text, sizeof out.text, "%.*f", digits > exponent ? digits - exponent : 1, value);
  for (char *p = out.text; *p; ++p)
    if (*p == ',') *p = '.'; /* of the locale */
  return out;
}

enum { MAX_SHOWN_SIZES = 64 };
typedef struct sizes_text {
  char text[MAX_SHOWN_SIZES * 22];
} sizes_text;

static inline sizes_text shown_tuple(const int64_t *sizes, size_t n) {
  sizes_text out = {"("};
  for (size_t i = 0, at = 1; i < n && i < MAX_SHOWN_SIZES; ++i)
    at += (size_t)snprintf(out.text + at, sizeof out.text - at, "%s%lld", i ? ", " : "", (long long)sizes[i]);
  strcat(out.text, n == 1 ? ",)" : ")");
  return out;
}

/* One number where the config has one, else a tuple. */
static inline sizes_text shown_sizes(const td_config *config, const char *name, const int64_t *sizes, size_t n) {
  const int64_t *list = NULL;
  size_t n_list = 0;
  host->config_ints(config, text(name), &list, &n_list, NULL);
  if (n_list) return shown_tuple(sizes, n);
  sizes_text out;
  snprintf(out.text, sizeof out.text, "%lld", (long long)sizes[0]);
  return out;
}

/* ---- Instances: a head, the layer, its text ---------------------------------------------------------------------- */
typedef union head {
  struct {
    size_t layer, text; /* sizes */
  } of;
  long double aligned;
} head;

/* What create ends with: the instance, a copy of `layer`. */
static inline td_status created(workspace *work, const void *layer, size_t size, void **self) {
  release_since(work, 0, none);
  if (work->status != TD_OK) return work->status;
  head *made = malloc(sizeof *made + size + work->n_shown);
  if (!made) return TD_ERR_OOM;
  made->of.layer = size;
  made->of.text = work->n_shown;
  memcpy(made + 1, layer, size);
  if (work->n_shown) memcpy((char *)(made + 1) + size, work->shown, work->n_shown);
  *self = made + 1;
  return TD_OK;
}

static inline void destroy(void *self) {
  if (self) free((head *)self - 1);
}

static inline td_status extra_repr(const void *self, const td_writer *to, td_error **err) {
  const head *made = (const head *)self - 1;
  return made->of.text ? to->write(to->userdata, (const char *)self + made->of.layer, made->of.text, err) : TD_OK;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */
typedef struct call {
  td_tensor *const *state;
  size_t n_state;
  td_tensor *const *inputs;
  size_t n_inputs;
  int training;
  size_t n_outputs;
} call;

/* A formula for `outs`, of which the caller wants call->n_outputs. */
typedef void (*forward_formula)(workspace *work, const void *self, const call *c, Value *outs);

enum { MAX_OUTPUTS = 12 };

static inline td_status run_forward(const char *id, forward_formula f, size_t least_inputs, size_t max_inputs,
                                    size_t max_outputs, const void *self, const call *c, td_tensor **outputs,
                                    td_error **err) {
  workspace storage = {.self = self, .err = err}, *work = &storage;
  Value outs[MAX_OUTPUTS] = {none};
  if (c->n_inputs < least_inputs || c->n_inputs > max_inputs || c->n_outputs < 1 || c->n_outputs > max_outputs) {
    char message[160];
    snprintf(message, sizeof message, "%s takes %zu to %zu inputs and gives 1 to %zu outputs, not %zu and %zu", id,
             least_inputs, max_inputs, max_outputs, c->n_inputs, c->n_outputs);
    fail(work, TD_ERR_ARGUMENT, message);
  } else {
    f(work, self, c, outs);
  }
  for (size_t i = 0; i < c->n_outputs && work->status == TD_OK; ++i)
    if (outs[i].kind != TD_VALUE_TENSOR)
      fail(work, TD_ERR_ARGUMENT, "more outputs were requested than the module returns for these inputs");
  for (size_t i = 0; i < c->n_outputs && work->status == TD_OK; ++i) {
    host->tensor_retain(outs[i].as.tensor);
    outputs[i] = outs[i].as.tensor;
  }
  release_since(work, 0, none);
  return work->status;
}

static inline Value input(const call *c, size_t i) {
  return i < c->n_inputs ? tensor(c->inputs[i]) : none;
}
static inline Value state(const call *c, size_t i) {
  return i < c->n_state ? tensor(c->state[i]) : none;
}

/* The table of a type. `create_` is a formula of `create`; `forward_` one for the outputs. */
#define MODULE(name, type_id, create_, forward_, least_inputs, max_inputs, max_outputs)                             \
  static td_status name##_create(const td_host *the_host, const td_config *config, td_generator *generator,         \
                                 td_module_builder *builder, void **self, td_error **err) {                         \
    workspace storage = {.err = err, .generator = generator};                                                       \
    (void)the_host;                                                                                                 \
    const td_status status = create_(&storage, config, builder, self);                                              \
    free(storage.shown);                                                                                            \
    return status;                                                                                                  \
  }                                                                                                                 \
  static td_status name##_forward(const void *self, td_tensor *const *state_, size_t n_state,                       \
                                  td_tensor *const *inputs, size_t n_inputs, td_bool training, td_tensor **outputs, \
                                  size_t n_outputs, td_error **err) {                                               \
    const call c = {state_, n_state, inputs, n_inputs, training, n_outputs};                                        \
    return run_forward(type_id, forward_, least_inputs, max_inputs, max_outputs, self, &c, outputs, err);           \
  }                                                                                                                 \
  static const td_module_type name##_type = {                                                                       \
      .type = {.struct_size = sizeof(td_module_type),                                                               \
               .kind = TD_PLUGIN_KIND_MODULE,                                                                       \
               .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,                 \
               .id = TD_TEXT(type_id),                                                                              \
               .version = TD_TEXT("1.0.0")},                                                                        \
      .create = name##_create,                                                                                      \
      .destroy = destroy,                                                                                           \
      .forward = name##_forward,                                                                                    \
      .extra_repr = extra_repr}
#endif
