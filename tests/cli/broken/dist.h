/* A sound normal distribution; each plugin that includes it replaces one piece by a broken one. In the pieces `f` is the
 * formula, `loc` and `scale` are the parameters. */
#include "formula.h"

#ifndef LOG_PROB /* of `x`, as a new tensor */
#define LOG_PROB log_density(f, x, loc, scale, HALF_LOG_2_PI)
#endif
#ifndef DRAW /* of the shape `dims` */
#define DRAW shifted(f, loc, scale, dims, ndim, generator)
#endif
#ifndef PATH /* the draw of rsample */
#define PATH shifted(f, loc, scale, dims, ndim, generator)
#endif
#ifndef MEAN
#define MEAN op(f, "mul", T(loc), F(1))
#endif
#ifndef MODE
#define MODE op(f, "mul", T(loc), F(1))
#endif
#ifndef VARIANCE
#define VARIANCE op(f, "mul", T(scale), T(scale))
#endif
#ifndef ENTROPY
#define ENTROPY op(f, "add", T(op(f, "log", T(scale), NOTHING)), F(0.5 + HALF_LOG_2_PI))
#endif
#ifndef AT_CREATE
#define AT_CREATE(made)
#endif

#define HALF_LOG_2_PI 0.9189385332046727

static const td_host *the_host;

static inline td_tensor *log_density(formula *f, const td_tensor *x, const td_tensor *loc, const td_tensor *scale,
                                     double constant) {
  td_tensor *z = op(f, "div", T(op(f, "sub", T(x), T(loc))), T(scale));
  td_tensor *half = op(f, "mul", T(op(f, "mul", T(z), T(z))), F(-0.5));
  td_tensor *scaled = op(f, "sub", T(half), T(op(f, "log", T(scale), NOTHING)));
  return op(f, "sub", T(scaled), F(constant));
}

static inline td_tensor *noise(formula *f, const td_tensor *like, const int64_t *dims, size_t ndim,
                               td_generator *generator) {
  td_tensor *x = op(f, "new_zeros", T(like), DIMS(dims, ndim));
  return op_with(f, "normal_", T(x), F(0), generator);
}

static inline td_tensor *shifted(formula *f, const td_tensor *loc, const td_tensor *scale, const int64_t *dims,
                                 size_t ndim, td_generator *generator) {
  return op(f, "add", T(op(f, "mul", T(noise(f, loc, dims, ndim, generator)), T(scale))), T(loc));
}

static td_status create(const td_host *host, const td_config *config, void **self, td_error **err) {
  (void)config, (void)err;
  the_host = host;
  void *made = malloc(64);
  if (!made) return TD_ERR_OOM;
  AT_CREATE(made);
  *self = made;
  return TD_OK;
}

static void destroy(void *self) {
  free(self);
}

#define BEGIN                                                                   \
  formula whole = {.host = the_host, .err = err, .status = TD_OK}, *f = &whole; \
  const td_tensor *loc = params[0], *scale = params[1];                         \
  (void)self, (void)loc, (void)scale

static td_status sample(const void *self, td_tensor *const *params, const int64_t *dims, size_t ndim,
                        td_generator *generator, td_tensor **out, td_error **err) {
  BEGIN;
  return give(f, DRAW, out);
}

static td_status rsample(const void *self, td_tensor *const *params, const int64_t *dims, size_t ndim,
                         td_generator *generator, td_tensor **out, td_error **err) {
  BEGIN;
  return give(f, PATH, out);
}

static td_status log_prob(const void *self, td_tensor *const *params, const td_tensor *x, td_tensor **out,
                          td_error **err) {
  BEGIN;
  return give(f, LOG_PROB, out);
}

#define STATISTIC(name, formula)                                                                       \
  static td_status name(const void *self, td_tensor *const *params, td_tensor **out, td_error **err) { \
    BEGIN;                                                                                             \
    return give(f, formula, out);                                                                      \
  }
STATISTIC(mean, MEAN)
STATISTIC(mode, MODE)
STATISTIC(variance, VARIANCE)
STATISTIC(entropy, ENTROPY)

static const td_str names[] = {TD_TEXT("loc"), TD_TEXT("scale")};
static const td_distribution_type type = {
    .type = {.struct_size = sizeof(td_distribution_type),
             .kind = TD_PLUGIN_KIND_DISTRIBUTION,
             .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE,
             .id = TD_TEXT("broken.dist"),
             .version = TD_TEXT("1.0.0")},
    .params = names,
    .n_params = 2,
    .create = create,
    .destroy = destroy,
    .sample = sample,
    .rsample = rsample,
    .log_prob = log_prob,
    .entropy = entropy,
    .mean = mean,
    .mode = mode,
    .variance = variance,
};
#include "one_type.h"
