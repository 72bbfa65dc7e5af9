/* td.truncated_normal and td.delta as tensordict has them, td.tanh_normal as torchrl has it, td.von_mises as torch has it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

static const double pi = 3.141592653589793;

/* ---- TruncatedNormal: probabilities are kept within [1e-6, 1 - 1e-6] --------------------------------------------- */
enum { LOC, SCALE, A, B };

static const double edge = 1e-6;

typedef struct truncated {
  Value scale, a, b; /* standardised bounds */
  Value phi_a, phi_b, cdf_a, z;
} truncated;

static Value density(workspace *work, Value x) {
  return Mul(Exp(Mul(Square(x), Number(-0.5))), Number(0.3989422804014327)); /* 1 / sqrt(2 pi) */
}
static Value cumulative(workspace *work, Value x) {
  Value phi = Mul(Add(Erf(Mul(x, Number(0.7071067811865475))), Number(1)), Number(0.5));
  return Clamp(phi, Number(edge), Number(1 - edge));
}
static truncated truncated_of(workspace *work, const Value *p) {
  truncated t;
  t.scale = Clamp(p[SCALE], Number(edge), none);
  t.a = Div(Sub(p[A], p[LOC]), t.scale), t.b = Div(Sub(p[B], p[LOC]), t.scale);
  t.phi_a = density(work, t.a), t.phi_b = density(work, t.b);
  t.cdf_a = cumulative(work, t.a);
  t.z = Clamp(Sub(cumulative(work, t.b), t.cdf_a), Number(edge), Number(1 - edge));
  return t;
}
/* The bound where it is infinite is as great as can be, so that 0 times it is 0. */
static Value finite(workspace *work, Value x) {
  const double most = dtype_of(x) == TD_DTYPE_FLOAT64 ? 1.7976931348623157e308 : 3.4028234663852886e38;
  return Clamp(x, Number(-most), Number(most));
}
static Value tails(workspace *work, truncated t) {
  return Div(Sub(Mul(t.phi_b, finite(work, t.b)), Mul(t.phi_a, finite(work, t.a))), t.z);
}
static Value truncated_quantile(workspace *work, const Value *p, Value x) {
  truncated t = truncated_of(work, p);
  Value y = Clamp(Add(t.cdf_a, Mul(x, t.z)), Number(edge), Number(1 - edge));
  Value value = Add(Mul(Mul(Erfinv(Sub(Mul(y, Number(2)), Number(1))), Number(1.4142135623730951)), t.scale), p[LOC]);
  Value fixed = Detach(value); /* within the bounds, with the gradient of the formula */
  Value kept = call2(work, OP_minimum, call2(work, OP_maximum, fixed, Detach(p[A])), Detach(p[B]));
  return Add(value, Sub(kept, fixed));
}

DRAW(4, truncated_rsample) {
  Value u = draw_into(work, p[LOC], OP_uniform_, edge, 1 - edge);
  return truncated_quantile(work, p, u);
}
VALUE(4, truncated_log_prob) {
  truncated t = truncated_of(work, p);
  Value y = Div(Sub(x, p[LOC]), t.scale);
  Value sum = Sub(Sub(Number(-0.9189385332046727), Log(t.z)), Mul(Square(y), Number(0.5)));
  return Sub(sum, Log(t.scale));
}
VALUE(4, truncated_cdf) {
  truncated t = truncated_of(work, p);
  Value y = Div(Sub(x, p[LOC]), t.scale);
  return Clamp(Div(Sub(cumulative(work, y), t.cdf_a), t.z), Number(0), Number(1));
}
VALUE(4, truncated_icdf) {
  return truncated_quantile(work, p, x);
}
STAT(4, truncated_mean) {
  truncated t = truncated_of(work, p);
  return Add(Mul(Div(Neg(Sub(t.phi_b, t.phi_a)), t.z), t.scale), p[LOC]);
}
STAT(4, truncated_variance) {
  truncated t = truncated_of(work, p);
  Value standard = Sub(Sub(Number(1), tails(work, t)), Square(Div(Sub(t.phi_b, t.phi_a), t.z)));
  return Mul(standard, Square(t.scale));
}
STAT(4, truncated_entropy) {
  truncated t = truncated_of(work, p);
  Value sum = Sub(Add(Log(t.z), Number(1.4189385332046727)), Mul(tails(work, t), Number(0.5)));
  return Add(sum, Log(t.scale));
}
VALUE(4, truncated_within) {
  return And(Le(p[A], x), Le(x, p[B]));
}
CHECK(4, truncated_check, "Incorrect truncation range") {
  return Lt(p[A], p[B]);
}

/* ---- Events of as many of the last dims as the config's "event_dims" says ---------------------------------------- */
static Value over_event(workspace *work, int op, Value each, int64_t event_dims) {
  static const int64_t last = -1;
  for (int64_t i = 0; i < event_dims; ++i)
    each = op == OP_sum ? call3(work, op, each, ints(&last, 1), truth(0)) : call2(work, op, each, Integer(-1));
  return each;
}
static td_status last_dims(const td_tensor *param, int64_t event_dims, int64_t *out, size_t capacity, size_t *ndim) {
  int64_t dims[MAX_DIMS];
  const size_t n = host->tensor_shape(param, dims, MAX_DIMS), event = (size_t)event_dims;
  *ndim = event;
  for (size_t i = 0; i < event && i < capacity && n <= MAX_DIMS; ++i) out[i] = dims[n - event + i];
  return TD_OK;
}

/* ---- Delta: one point, known to atol + rtol * |point| ------------------------------------------------------------ */
typedef struct delta {
  double atol, rtol;
  int64_t event_dims;
} delta;

static td_status delta_create(const td_host *the_host, const td_config *config, void **self, td_error **err) {
  delta found = {1e-6, 1e-6, 1};
  td_status s = the_host->config_double(config, text("atol"), &found.atol, err);
  if (s == TD_OK) s = the_host->config_double(config, text("rtol"), &found.rtol, err);
  if (s == TD_OK) s = the_host->config_int(config, text("event_dims"), &found.event_dims, err);
  if (s != TD_OK) return s;
  delta *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = found;
  *self = made;
  return TD_OK;
}
DRAW(1, delta_rsample) {
  return to_draw(work, p[0], (size_t)((const delta *)work->self)->event_dims);
}
VALUE(1, delta_log_prob) {
  const delta *d = work->self;
  Value near = Lt(Abs(Sub(x, p[0])), Add(Mul(Abs(p[0]), Number(d->rtol)), Number(d->atol)));
  near = over_event(work, OP_all, near, d->event_dims);
  Value far = FullLike(call2(work, OP_like, near, x), -INFINITY);
  return Fill(far, near, INFINITY);
}
STAT(1, delta_point) {
  return p[0];
}
static td_status delta_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                   size_t *ndim, td_error **err) {
  (void)err;
  return last_dims(params[0], ((const delta *)self)->event_dims, out, capacity, ndim);
}

/* ---- TanhNormal: a normal squeezed into (low, high) --------------------------------------------------- */
typedef struct squeezed {
  double low, high, upscale;
  td_bool tanh_loc;
  int64_t event_dims;
} squeezed;

static td_status tanh_normal_create(const td_host *the_host, const td_config *config, void **self, td_error **err) {
  squeezed found = {-1, 1, 5, 0, 1};
  td_status s = the_host->config_double(config, text("low"), &found.low, err);
  if (s == TD_OK) s = the_host->config_double(config, text("high"), &found.high, err);
  if (s == TD_OK) s = the_host->config_double(config, text("upscale"), &found.upscale, err);
  if (s == TD_OK) s = the_host->config_bool(config, text("tanh_loc"), &found.tanh_loc, err);
  if (s == TD_OK) s = the_host->config_int(config, text("event_dims"), &found.event_dims, err);
  if (s != TD_OK) return s;
  if (!(found.low < found.high)) {
    *err = the_host->error_new(TD_ERR_ARGUMENT, text("high value must be strictly greater than low value"));
    return TD_ERR_ARGUMENT;
  }
  squeezed *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = found;
  *self = made;
  return TD_OK;
}
static Value tanh_loc_of(workspace *work, const Value *p) {
  const squeezed *s = work->self;
  if (!s->tanh_loc) return p[LOC];
  return Mul(call1(work, OP_tanh, Div(p[LOC], Number(s->upscale))), Number(s->upscale));
}
/* 1 - torch.finfo(dtype).resolution */
static double tanh_edge(Value x) {
  const td_dtype dtype = dtype_of(x);
  return 1 - (dtype == TD_DTYPE_FLOAT64    ? 1e-15
              : dtype == TD_DTYPE_FLOAT16  ? 1e-3
              : dtype == TD_DTYPE_BFLOAT16 ? 1e-2
                                           : 1e-6);
}
static Value squeeze_in(workspace *work, Value x) {
  const squeezed *s = work->self;
  Value y = call1(work, OP_tanh, x), fixed = Detach(y);
  y = Add(y, Sub(Clamp(fixed, Number(-tanh_edge(fixed)), Number(tanh_edge(fixed))), fixed));
  return Add(Mul(y, Number((s->high - s->low) / 2)), Number((s->high + s->low) / 2));
}
DRAW(2, tanh_normal_rsample) {
  const size_t event_dims = (size_t)((const squeezed *)work->self)->event_dims;
  Value normal = Mul(standard_normal(work, to_draw(work, spread(work, p[LOC], p[SCALE]), event_dims)), p[SCALE]);
  return squeeze_in(work, Add(tanh_loc_of(work, p), normal));
}
VALUE(2, tanh_normal_log_prob) {
  const squeezed *s = work->self;
  const double half = (s->high - s->low) / 2;
  Value y =
      Clamp(Div(Sub(x, Number((s->high + s->low) / 2)), Number(half)), Number(-tanh_edge(x)), Number(tanh_edge(x)));
  Value z = call1(work, OP_atanh, y), distance = Sub(z, tanh_loc_of(work, p));
  Value slope = Mul(Sub(Sub(Number(0.6931471805599453), z), Softplus(Mul(z, Number(-2)))), Number(2));
  Value normal =
      Sub(Sub(Neg(Div(Square(distance), Mul(Square(p[SCALE]), Number(2)))), Log(p[SCALE])), Number(0.9189385332046727));
  return over_event(work, OP_sum, Sub(Sub(normal, slope), Number(log(half))), s->event_dims);
}
/* Of numbers, not of events: UNSUPPORTED unless "event_dims" is 0. */
static void need_numbers(workspace *work) {
  if (((const squeezed *)work->self)->event_dims)
    fail(work, TD_ERR_UNSUPPORTED, "TanhNormal has a cdf for event_dims 0 only");
}
VALUE(2, tanh_normal_cdf) {
  const squeezed *s = work->self;
  need_numbers(work);
  Value y = Div(Sub(x, Number((s->high + s->low) / 2)), Number((s->high - s->low) / 2));
  Value z = Div(Sub(call1(work, OP_atanh, Clamp(y, Number(-tanh_edge(y)), Number(tanh_edge(y)))), tanh_loc_of(work, p)),
                p[SCALE]);
  return Mul(Add(Erf(Mul(z, Number(0.7071067811865475))), Number(1)), Number(0.5));
}
VALUE(2, tanh_normal_icdf) {
  need_numbers(work);
  Value z = Mul(Erfinv(Sub(Mul(x, Number(2)), Number(1))), Number(1.4142135623730951));
  return squeeze_in(work, Add(tanh_loc_of(work, p), Mul(p[SCALE], z)));
}
STAT(2, tanh_normal_point) {
  return squeeze_in(work, tanh_loc_of(work, p));
}
VALUE(2, tanh_normal_within) {
  const squeezed *s = work->self;
  return over_event(work, OP_all, And(Ge(x, Number(s->low)), Le(x, Number(s->high))), s->event_dims);
}
static td_status tanh_normal_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                         size_t *ndim, td_error **err) {
  (void)err;
  int64_t other[2][8];
  size_t n = 0;
  const int64_t event_dims = ((const squeezed *)self)->event_dims;
  last_dims(params[LOC], event_dims, other[0], 8, ndim);
  last_dims(params[SCALE], event_dims, other[1], 8, &n);
  for (size_t i = 0; i < n && i < capacity; ++i) out[i] = other[0][i] == 1 ? other[1][i] : other[0][i];
  return TD_OK;
}

/* ---- VonMises ---------------------------------------------------------------------------------------------------- */
enum { CONCENTRATION = 1 };

static const double i0_small[] = {1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.360768e-1, 0.45813e-2};
static const double i0_large[] = {0.39894228,    0.1328592e-1, 0.225319e-2,   -0.157565e-2, 0.916281e-2,
                                  -0.2057706e-1, 0.2635537e-1, -0.1647633e-1, 0.392377e-2};
static const double i1_small[] = {0.5, 0.87890594, 0.51498869, 0.15084934, 0.2658733e-1, 0.301532e-2, 0.32411e-3};
static const double i1_large[] = {0.39894228,   -0.3988024e-1, -0.362018e-2, 0.163801e-2, -0.1031555e-1,
                                  0.2282967e-1, -0.2895312e-1, 0.1787654e-1, -0.420059e-2};

static Value polynomial(workspace *work, Value y, const double *coefficients, size_t n) {
  Value result = FullLike(y, coefficients[n - 1]);
  for (size_t i = n - 1; i-- > 0;) result = Add(Mul(y, result), Number(coefficients[i]));
  return result;
}
/* log I0 or log I1, by the polynomials of Abramowitz and Stegun. */
static Value log_bessel(workspace *work, Value x, int order) {
  Value small = polynomial(work, Square(Div(x, Number(3.75))), order ? i1_small : i0_small, 7);
  if (order) small = Mul(Abs(x), small);
  Value large = Sub(x, Mul(Log(x), Number(0.5)));
  large = Add(large, Log(polynomial(work, Div(Number(3.75), x), order ? i1_large : i0_large, 9)));
  return Where(Lt(x, Number(3.75)), Log(small), large);
}
/* Best and Fisher's rejection sampler, in float64. */
DRAW(2, von_mises_sample) {
  const Value wide = {.kind = TD_VALUE_DTYPE, .as.i = TD_DTYPE_FLOAT64};
  Value loc = call2(work, OP_to, to_draw(work, p[LOC], 0), wide),
        kappa = call2(work, OP_to, to_draw(work, p[CONCENTRATION], 0), wide);
  Value tau = Add(Sqrt(Add(Mul(Square(kappa), Number(4)), Number(1))), Number(1));
  Value rho = Div(Sub(tau, Sqrt(Mul(tau, Number(2)))), Mul(kappa, Number(2)));
  Value exact = Div(Add(Square(rho), Number(1)), Mul(rho, Number(2)));
  Value r = Where(Lt(kappa, Number(1e-5)), Add(Reciprocal(kappa), kappa), exact);
  Value x = ZerosLike(loc), pending = OnesLike(loc);
  const size_t mark = work->n_held;
  while (work->status == TD_OK && extreme(work, OP_amax, pending) > 0) {
    Value three[] = {loc, loc, loc};
    td_tensor *handles[] = {three[0].as.tensor, three[1].as.tensor, three[2].as.tensor};
    Value u = standard_uniform(
        work, call2(work, OP_stack, (Value){.kind = TD_VALUE_TENSORS, .size = 3, .as.tensors = handles}, Integer(0)));
    Value u2 = Select(u, 0, 1), u3 = Select(u, 0, 2);
    Value z = call1(work, OP_cos, Mul(Select(u, 0, 0), Number(pi)));
    Value f = Div(Add(Mul(r, z), Number(1)), Add(r, z));
    Value c = Mul(kappa, Sub(r, f));
    Value accept =
        Or(Gt(Sub(Mul(c, Sub(Number(2), c)), u2), Number(0)), Ge(Sub(Add(Log(Div(c, u2)), Number(1)), c), Number(0)));
    Value next = Where(accept, Mul(Sign(Sub(u3, Number(0.5))), call1(work, OP_acos, f)), x);
    Value left = Fill(pending, accept, 0);
    if (work->status != TD_OK) break;
    /* Only these two outlive the round. */
    host->tensor_retain(next.as.tensor), host->tensor_retain(left.as.tensor);
    release_since(work, mark, none);
    x = hold(work, next), pending = hold(work, left);
  }
  Value turned = call2(work, OP_remainder, Add(Add(x, Number(pi)), loc), Number(2 * pi));
  return call2(work, OP_like, Sub(turned, Number(pi)), p[LOC]);
}
VALUE(2, von_mises_log_prob) {
  Value fit = Mul(p[CONCENTRATION], call1(work, OP_cos, Sub(x, p[LOC])));
  return Sub(Sub(fit, Number(1.8378770664093453)), log_bessel(work, p[CONCENTRATION], 0)); /* log(2 pi) */
}
STAT(2, von_mises_mean) {
  return p[LOC];
}
/* The circular variance. */
STAT(2, von_mises_variance) {
  Value first = log_bessel(work, p[CONCENTRATION], 1);
  return Sub(Number(1), Exp(Sub(first, log_bessel(work, p[CONCENTRATION], 0))));
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
static const td_str bounded[] = {TD_TEXT("loc"), TD_TEXT("scale"), TD_TEXT("a"), TD_TEXT("b")};
static const td_str point[] = {TD_TEXT("param")}, loc_scale[] = {TD_TEXT("loc"), TD_TEXT("scale")};
static const td_str circle[] = {TD_TEXT("loc"), TD_TEXT("concentration")};
#define UNCHECKED_PARAM \
  { TD_CONSTRAINT_NONE, 0, 0, 0, 0 }
static const td_distribution_param bounded_rules[] = {UNCHECKED_PARAM, UNCHECKED_PARAM, REAL_PARAM, REAL_PARAM};
static const td_distribution_param point_rules[] = {{TD_CONSTRAINT_NONE, TD_EVENT_DIMS_OF_CONFIG, 0, 0, 0}};
static const td_distribution_param row_rules[] = {{TD_CONSTRAINT_REAL, TD_EVENT_DIMS_OF_CONFIG, 0, 0, 0},
                                                  {TD_CONSTRAINT_POSITIVE, TD_EVENT_DIMS_OF_CONFIG, 0, 0, 0}};
static const td_distribution_param circle_rules[] = {REAL_PARAM, POSITIVE_PARAM};

static const td_distribution_type truncated_type = {
    HEAD("td.truncated_normal", "TruncatedNormal", bounded, bounded_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_OWN,
    .support_name = TD_TEXT("Interval(lower_bound=a, upper_bound=b)"),
    .within = truncated_within,
    .check = truncated_check,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = truncated_rsample,
    .rsample = truncated_rsample,
    .log_prob = truncated_log_prob,
    .cdf = truncated_cdf,
    .icdf = truncated_icdf,
    .mean = truncated_mean,
    .variance = truncated_variance,
    .entropy = truncated_entropy,
};
static const td_distribution_type delta_type = {
    HEAD("td.delta", "Delta", point, point_rules),
    .create = delta_create,
    .event_shape = delta_event_shape,
    .sample = delta_rsample,
    .rsample = delta_rsample,
    .log_prob = delta_log_prob,
    .mean = delta_point,
    .mode = delta_point,
    .deterministic = delta_point,
};
static const td_distribution_type tanh_normal_type = {
    HEAD("td.tanh_normal", "TanhNormal", loc_scale, row_rules),
    .create = tanh_normal_create,
    .support = TD_CONSTRAINT_OWN,
    .support_name = TD_TEXT("Interval(lower_bound=low, upper_bound=high)"),
    .within = tanh_normal_within,
    .event_shape = tanh_normal_event_shape,
    .sample = tanh_normal_rsample,
    .rsample = tanh_normal_rsample,
    .log_prob = tanh_normal_log_prob,
    .cdf = tanh_normal_cdf,
    .icdf = tanh_normal_icdf,
    .deterministic = tanh_normal_point,
};
static const td_distribution_type von_mises_type = {
    HEAD("td.von_mises", "VonMises", circle, circle_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_REAL,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .sample = von_mises_sample,
    .log_prob = von_mises_log_prob,
    .mean = von_mises_mean,
    .mode = von_mises_mean,
    .variance = von_mises_variance,
};

static const td_plugin_type *const types[] = {&truncated_type.type, &delta_type.type, &tanh_normal_type.type,
                                              &von_mises_type.type};
/* clang-format off */
#define EVENT_DIMS MEMBER("event_dims", "type": "integer")
static const td_str schemas[] = {
    NO_CONFIG, SCHEMA(REQUIRED(), NUMBER_IN("atol", 1e-6), NUMBER_IN("rtol", 1e-6), EVENT_DIMS),
    SCHEMA(REQUIRED(), NUMBER_IN("low", -1.0), NUMBER_IN("high", 1.0), NUMBER_IN("upscale", 5.0), FLAG("tanh_loc", false), EVENT_DIMS),
    NO_CONFIG};
/* clang-format on */
PLUGIN("td.truncated_normal", types, schemas)
