/* How the bundled distributions are written: formulas over tensors and numbers, close to the Python that they follow.
 *
 *     STAT(normal_entropy) { return Add(Log(p[SCALE]), K(1.4189385332046727)); }
 *
 * A formula works on values V, tensors or numbers, inside one `work` that owns every intermediate result and remembers
 * the first failure: after one, the rest of the formula does nothing. STAT, VALUE and DRAW make the function that the
 * plugin table wants around a formula, in which
 *     p    the parameters, broadcast to the batch shape (kind NONE: not given)
 *     x    the value of log_prob, cdf and icdf
 *     w    the call; w->dims and w->ndim are sample shape + batch shape of a draw
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISTRIBUTIONS_FAMILY_H
#define DISTRIBUTIONS_FAMILY_H

/* ---- Operators -------------------------------------------------------------------------------------------------------- */
/* clang-format off */
#define OPERATORS(X) \
  X(add, "add", "Tensor") X(sub, "sub", "Tensor") X(mul, "mul", "Tensor") X(div, "div", "Tensor") \
  X(pow, "pow", "Tensor_Tensor") X(power, "pow", "Tensor_Scalar") X(maximum, "maximum", "") \
  X(minimum, "minimum", "") X(xlogy, "xlogy", "Tensor") X(le, "le", "Tensor") X(lt, "lt", "Tensor") \
  X(ge, "ge", "Tensor") X(gt, "gt", "Tensor") X(eq, "eq", "Tensor") X(both, "logical_and", "") \
  X(either, "logical_or", "") X(invert, "logical_not", "") X(remainder, "remainder", "Tensor") \
  X(gammainc, "special_gammainc", "") X(where, "where", "self") X(masked_fill, "masked_fill", "Scalar") \
  X(clamp, "clamp", "") X(neg, "neg", "") X(abs, "abs", "") X(exp, "exp", "") X(expm1, "expm1", "") \
  X(log, "log", "") X(log1p, "log1p", "") X(sqrt, "sqrt", "") X(rsqrt, "rsqrt", "") X(reciprocal, "reciprocal", "") \
  X(lgamma, "lgamma", "") X(digamma, "digamma", "") X(erf, "erf", "") X(erfinv, "erfinv", "") X(floor, "floor", "") \
  X(sign, "sign", "") X(tanh, "tanh", "") X(atanh, "atanh", "") X(atan, "atan", "") X(tan, "tan", "") \
  X(cos, "cos", "") X(acos, "acos", "") X(sigmoid, "sigmoid", "") X(softplus, "softplus", "") \
  X(log_sigmoid, "log_sigmoid", "") X(detach, "detach", "") X(clone, "clone", "") X(to, "to", "dtype") \
  X(like, "to", "other") X(sum, "sum", "dim_IntList") X(all, "all", "dim") X(any, "any", "") \
  X(argmax, "argmax", "") X(amax, "amax", "") X(amin, "amin", "") X(logsumexp, "logsumexp", "") \
  X(softmax, "softmax", "int") X(cumsum, "cumsum", "") X(cumprod, "cumprod", "") X(gather, "gather", "") \
  X(scatter_add, "scatter_add", "") X(expand, "expand", "") X(reshape, "reshape", "") X(unsqueeze, "unsqueeze", "") \
  X(squeeze, "squeeze", "dim") X(select, "select", "int") X(narrow, "narrow", "") X(stack, "stack", "") \
  X(cat, "cat", "") X(movedim, "movedim", "int") X(transpose, "transpose", "int") X(diagonal, "diagonal", "") \
  X(diag_embed, "diag_embed", "") X(tril, "tril", "") X(flip, "flip", "") X(matmul, "matmul", "") \
  X(cholesky, "linalg_cholesky", "") X(solve_triangular, "linalg_solve_triangular", "") \
  X(cholesky_solve, "cholesky_solve", "") X(slogdet, "linalg_slogdet", "") X(mvlgamma, "mvlgamma", "") \
  X(norm, "linalg_vector_norm", "") X(zeros_like, "zeros_like", "") X(ones_like, "ones_like", "") \
  X(full_like, "full_like", "") X(new_empty, "new_empty", "") X(new_full, "new_full", "") \
  X(new_zeros, "new_zeros", "") X(bce_logits, "binary_cross_entropy_with_logits", "") \
  X(randn_like, "randn_like", "") X(rand_like, "rand_like", "") X(randn, "randn", "generator") \
  X(rand, "rand", "generator") X(normal, "normal", "Tensor_Tensor") X(uniform_, "uniform_", "") \
  X(exponential_, "exponential_", "") X(cauchy_, "cauchy_", "") X(bernoulli, "bernoulli", "") \
  X(poisson, "poisson", "") X(binomial, "binomial", "") X(multinomial, "multinomial", "") \
  X(standard_gamma, "_standard_gamma", "") X(sample_dirichlet, "_sample_dirichlet", "") X(dirichlet_grad, "_dirichlet_grad", "") X(item, "item", "")
/* clang-format on */
#include "formula.h"

/* ---- Values ----------------------------------------------------------------------------------------------------------- */
/* In a formula, `w` is always there. */
#define Add(a, b) call2(w, OP_add, a, b)
#define Sub(a, b) call2(w, OP_sub, a, b)
#define Mul(a, b) call2(w, OP_mul, a, b)
#define Div(a, b) call2(w, OP_div, a, b)
#define Pow(a, b) call2(w, OP_pow, a, b)
#define Square(a) call2(w, OP_power, a, I(2))
#define Xlogy(a, b) call2(w, OP_xlogy, a, b)
#define Le(a, b) call2(w, OP_le, a, b)
#define Lt(a, b) call2(w, OP_lt, a, b)
#define Ge(a, b) call2(w, OP_ge, a, b)
#define Gt(a, b) call2(w, OP_gt, a, b)
#define Eq(a, b) call2(w, OP_eq, a, b)
#define And(a, b) call2(w, OP_both, a, b)
#define Or(a, b) call2(w, OP_either, a, b)
#define Not(a) call1(w, OP_invert, a)
#define Where(condition, a, b) call3(w, OP_where, condition, a, b)
#define Fill(a, mask, number) call3(w, OP_masked_fill, a, mask, K(number))
#define Clamp(a, low, high) call3(w, OP_clamp, a, low, high)
#define Neg(a) call1(w, OP_neg, a)
#define Abs(a) call1(w, OP_abs, a)
#define Exp(a) call1(w, OP_exp, a)
#define Expm1(a) call1(w, OP_expm1, a)
#define Log(a) call1(w, OP_log, a)
#define Log1p(a) call1(w, OP_log1p, a)
#define Sqrt(a) call1(w, OP_sqrt, a)
#define Reciprocal(a) call1(w, OP_reciprocal, a)
#define Lgamma(a) call1(w, OP_lgamma, a)
#define Digamma(a) call1(w, OP_digamma, a)
#define Erf(a) call1(w, OP_erf, a)
#define Erfinv(a) call1(w, OP_erfinv, a)
#define Floor(a) call1(w, OP_floor, a)
#define Sign(a) call1(w, OP_sign, a)
#define Sigmoid(a) call1(w, OP_sigmoid, a)
#define Softplus(a) call1(w, OP_softplus, a)
#define Detach(a) call1(w, OP_detach, a)
#define SumLast(a) Sum(w, a, 0)
#define SumLastKeep(a) Sum(w, a, 1)
#define Unsqueeze(a, dim) call2(w, OP_unsqueeze, a, I(dim))
#define Select(a, dim, i) call3(w, OP_select, a, I(dim), I(i))
#define AllLast(a) call2(w, OP_all, a, I(-1))
#define ZerosLike(a) call1(w, OP_zeros_like, a)
#define OnesLike(a) call1(w, OP_ones_like, a)
#define FullLike(a, number) call2(w, OP_full_like, a, K(number))
#define Diagonal(a) call4(w, OP_diagonal, a, I(0), I(-2), I(-1))

static inline V Sum(work *w, V a, int keep) {
  static const int64_t last = -1;
  return call3(w, OP_sum, a, ints(&last, 1), truth(keep));
}

static inline int64_t size_of(work *w, V t, int from_last) {
  int64_t dims[MAX_DIMS];
  const size_t n = shape_of(w, t, dims);
  return n < (size_t)from_last ? 0 : dims[n - (size_t)from_last];
}
/* torch.finfo */
static inline double eps_of(V t) {
  switch (dtype_of(t)) {
    case TD_FLOAT64:
      return 2.220446049250313e-16;
    case TD_FLOAT16:
      return 0.0009765625;
    case TD_BFLOAT16:
      return 0.0078125;
    default:
      return 1.1920928955078125e-07;
  }
}
static inline double tiny_of(V t) {
  switch (dtype_of(t)) {
    case TD_FLOAT64:
      return 2.2250738585072014e-308;
    case TD_FLOAT16:
      return 6.103515625e-05;
    default:
      return 1.1754943508222875e-38;
  }
}

/* `t` with w->dims in front of the last `event_dims` of its own. */
static inline V to_draw(work *w, V t, size_t event_dims) {
  int64_t own[MAX_DIMS], all[2 * MAX_DIMS];
  const size_t n = shape_of(w, t, own);
  if (w->status != TD_OK) return none;
  if (w->ndim > MAX_DIMS || n < event_dims) return fail(w, TD_ERR_SHAPE, "a draw of more than 64 dims");
  if (w->ndim) memcpy(all, w->dims, w->ndim * sizeof *all);
  for (size_t i = 0; i < event_dims; ++i) all[w->ndim + i] = own[n - event_dims + i];
  if (n == w->ndim + event_dims && memcmp(own, all, n * sizeof *all) == 0) return t;
  return call2(w, OP_expand, t, ints(all, w->ndim + event_dims));
}

/* Standard numbers of the shape, dtype and device of `like`: PyTorch's for the same generator. Random factories, not
 * in-place draws, because those work under vmap for every randomness. */
static inline V fresh(work *w, V like, int op_like, int op_generator) {
  if (w->status != TD_OK) return none;
  V out = none;
  if (!w->generator)
    return call_n(w, op_like, &like, 1, "memory_format", (V){.kind = TD_VALUE_STR, .size = 10, .as.str = "contiguous"});
  int64_t dims[MAX_DIMS];
  const size_t n = shape_of(w, like, dims);
  V size = ints(dims, n);
  td_named_value named[] = {{text("generator"), {.kind = TD_VALUE_GENERATOR, .as.generator = w->generator}},
                            {text("dtype"), {.kind = TD_VALUE_DTYPE, .as.i = dtype_of(like)}}};
  if (!operators[op_generator]) return fail(w, TD_ERR_UNSUPPORTED, operator_names[op_generator]);
  w->status = host->op_call(operators[op_generator], &size, 1, named, 2, &out, 1, w->err);
  return w->status == TD_OK ? call2(w, OP_like, hold(w, out), like) : none;
}
static inline V standard_normal(work *w, V like) {
  return fresh(w, like, OP_randn_like, OP_randn);
}
static inline V standard_uniform(work *w, V like) {
  return fresh(w, like, OP_rand_like, OP_rand);
}

static inline V draw1(work *w, int op, V a) {
  return draw_with(w, op, &a, 1);
}
/* Memory of the shape of the draw, filled in place. */
static inline V draw_into(work *w, V like, int op, double a, double b) {
  V args[] = {call2(w, OP_new_empty, like, ints(w->dims, w->ndim)), K(a), K(b)};
  return draw_with(w, op, args, op == OP_exponential_ ? 1 : 3);
}

/* ---- Steps that several families share --------------------------------------------------------------------------------- */
/* Draws below the smallest normal number become that number, without a trace in the gradients. */
static inline V gamma_draw(work *w, V concentration, V rate) {
  V drawn = Div(draw1(w, OP_standard_gamma, to_draw(w, concentration, 0)), to_draw(w, rate, 0));
  V fixed = Detach(drawn);
  return Add(drawn, Sub(Clamp(fixed, K(tiny_of(fixed)), none), fixed));
}

static inline V pair(work *w, V a, V b) {
  td_tensor *both[] = {a.as.tensor, b.as.tensor};
  if (w->status != TD_OK) return none;
  return call2(w, OP_stack, (V){.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = both}, I(-1));
}

/* `a` expanded to what it broadcasts to with `b`. */
static inline V spread(work *w, V a, V b) {
  int64_t da[MAX_DIMS], db[MAX_DIMS], out[MAX_DIMS];
  const size_t na = shape_of(w, a, da), nb = shape_of(w, b, db), n = na > nb ? na : nb;
  if (w->status != TD_OK) return none;
  for (size_t i = 0; i < n; ++i) {
    const int64_t x = i < na ? da[na - 1 - i] : 1, y = i < nb ? db[nb - 1 - i] : 1;
    out[n - 1 - i] = x == 1 ? y : x;
  }
  return na == n && memcmp(da, out, n * sizeof *out) == 0 ? a : call2(w, OP_expand, a, ints(out, n));
}

/* 0, 1, .. n-1 in the dtype of `like`. */
static inline V counting(work *w, V like, int64_t n) {
  return Sub(call2(w, OP_cumsum, call3(w, OP_new_full, like, ints(&n, 1), K(1)), I(0)), K(1));
}
/* One-hot vectors of the size and dtype of the last dim of `like`; LibTorch's one_hot reads data, which vmap refuses. */
static inline V one_hot_of(work *w, V index, V like) {
  V hot = Eq(Unsqueeze(index, -1), counting(w, like, size_of(w, like, 1)));
  return call2(w, OP_like, hot, like);
}
static inline V argmax_last(work *w, V a) {
  return call2(w, OP_argmax, a, I(-1));
}

/* Probabilities and logits of one event, each from the other: torch.distributions.utils. */
static inline V clamp_probs(work *w, V probs) {
  return Clamp(probs, K(eps_of(probs)), K(1 - eps_of(probs)));
}
static inline V to_logits(work *w, V probs) {
  V inside = clamp_probs(w, probs);
  return Sub(Log(inside), Log1p(Neg(inside)));
}
/* Of a coin, from probs and logits, of which one is given. */
static inline V probs_of(work *w, const V *p) {
  return given(p[0]) ? p[0] : Sigmoid(p[1]);
}
static inline V logits_of(work *w, const V *p) {
  return given(p[1]) ? p[1] : to_logits(w, p[0]);
}
static inline V bce(work *w, V logits, V target) {
  V args[] = {spread(w, logits, target), spread(w, target, logits), none, none, I(0)};
  return call_n(w, OP_bce_logits, args, 5, NULL, none);
}
/* The greatest (or smallest) element of all, as a number. */
static inline double extreme(work *w, int op, V a) {
  V out = none, all = call2(w, op, a, ints(NULL, 0));
  calls(w, OP_item, &all, 1, NULL, none, &out, 1);
  return w->status != TD_OK ? 0 : out.kind == TD_VALUE_DOUBLE ? out.as.f : (double)out.as.i;
}

/* ---- Functions of the tables ------------------------------------------------------------------------------------------ */
enum { MAX_PARAMS = 8 };
typedef V (*stat_formula)(work *w, const V *p);
typedef V (*value_formula)(work *w, const V *p, V x);

static inline void set_params(V *p, td_tensor *const *params, size_t n) {
  for (size_t i = 0; i < MAX_PARAMS; ++i) p[i] = i < n ? tensor(params[i]) : none;
}

static inline td_status run_stat(const void *self, td_tensor *const *params, size_t n, stat_formula f, td_tensor **out,
                                 td_error **err) {
  work w = {.self = self, .err = err};
  V p[MAX_PARAMS];
  set_params(p, params, n);
  return finish(&w, f(&w, p), out);
}
static inline td_status run_value(const void *self, td_tensor *const *params, size_t n, const td_tensor *value,
                                  value_formula f, td_tensor **out, td_error **err) {
  work w = {.self = self, .err = err};
  V p[MAX_PARAMS];
  set_params(p, params, n);
  return finish(&w, f(&w, p, tensor(value)), out);
}
static inline td_status run_draw(const void *self, td_tensor *const *params, size_t n, const int64_t *dims, size_t ndim,
                                 td_generator *generator, stat_formula f, td_tensor **out, td_error **err) {
  work w = {.self = self, .err = err, .dims = dims, .ndim = ndim, .generator = generator};
  V p[MAX_PARAMS];
  set_params(p, params, n);
  return finish(&w, f(&w, p), out);
}

/* `n` is the number of parameters of the type. */
#define STAT(n, name)                                                                                  \
  static V name##_formula(work *w MAYBE_UNUSED, const V *p MAYBE_UNUSED);                              \
  static td_status name(const void *self, td_tensor *const *params, td_tensor **out, td_error **err) { \
    return run_stat(self, params, n, name##_formula, out, err);                                        \
  }                                                                                                    \
  static V name##_formula(work *w MAYBE_UNUSED, const V *p MAYBE_UNUSED)

#define VALUE(n, name)                                                                                       \
  static V name##_formula(work *w MAYBE_UNUSED, const V *p MAYBE_UNUSED, V x MAYBE_UNUSED);                  \
  static td_status name(const void *self, td_tensor *const *params, const td_tensor *value, td_tensor **out, \
                        td_error **err) {                                                                    \
    return run_value(self, params, n, value, name##_formula, out, err);                                      \
  }                                                                                                          \
  static V name##_formula(work *w MAYBE_UNUSED, const V *p MAYBE_UNUSED, V x MAYBE_UNUSED)

#define DRAW(n, name)                                                                                 \
  static V name##_formula(work *w MAYBE_UNUSED, const V *p MAYBE_UNUSED);                             \
  static td_status name(const void *self, td_tensor *const *params, const int64_t *dims, size_t ndim, \
                        td_generator *generator, td_tensor **out, td_error **err) {                   \
    return run_draw(self, params, n, dims, ndim, generator, name##_formula, out, err);                \
  }                                                                                                   \
  static V name##_formula(work *w MAYBE_UNUSED, const V *p MAYBE_UNUSED)

/* A condition between parameters: CHECK(2, uniform_check, "low >= high") { return Lt(p[LOW], p[HIGH]); } */
static inline td_status run_check(const void *self, td_tensor *const *params, size_t n, stat_formula f,
                                  const char *message, td_error **err) {
  work w = {.self = self, .err = err};
  V p[MAX_PARAMS], fails = none;
  set_params(p, params, n);
  V wrong = call1(&w, OP_any, call1(&w, OP_invert, f(&w, p)));
  calls(&w, OP_item, &wrong, 1, NULL, none, &fails, 1);
  if (w.status == TD_OK && fails.as.i) fail(&w, TD_ERR_ARGUMENT, message);
  release_since(&w, 0, none);
  return w.status;
}
#define CHECK(n, name, message)                                                       \
  static V name##_formula(work *w, const V *p);                                       \
  static td_status name(const void *self, td_tensor *const *params, td_error **err) { \
    return run_check(self, params, n, name##_formula, message, err);                  \
  }                                                                                   \
  static V name##_formula(work *w, const V *p)

/* KL divergences from one type: a table of {id of the other type, formula(w, p, q)}. */
typedef struct kl_pair {
  const char *other;
  V (*formula)(work *w, const V *p, const V *q);
  size_t n_other; /* parameters of the other type */
} kl_pair;

static inline td_status run_kl(const void *self, td_tensor *const *params, size_t n, td_str other,
                               td_tensor *const *other_params, const kl_pair *pairs, size_t n_pairs, td_tensor **out,
                               td_error **err) {
  work w = {.self = self, .err = err};
  const size_t size = other.size == TD_STRLEN ? strlen(other.data) : other.size;
  for (size_t i = 0; i < n_pairs; ++i) {
    if (strlen(pairs[i].other) != size || memcmp(pairs[i].other, other.data, size) != 0) continue;
    V p[MAX_PARAMS], q[MAX_PARAMS];
    set_params(p, params, n);
    set_params(q, other_params, pairs[i].n_other);
    return finish(&w, pairs[i].formula(&w, p, q), out);
  }
  /* Chi-squared numbers are gamma distributed, and know no divergence of their own. */
  static const td_str chi2 = TD_TEXT("td.chi2"), gamma = TD_TEXT("td.gamma");
  if (size == chi2.size && memcmp(other.data, chi2.data, size) == 0) {
    V df = tensor(other_params[0]), half = call2(&w, OP_mul, df, K(0.5)), rate = call2(&w, OP_full_like, df, K(0.5));
    td_tensor *as_gamma[] = {half.as.tensor, rate.as.tensor};
    td_status s = w.status;
    if (s == TD_OK) s = run_kl(self, params, n, gamma, as_gamma, pairs, n_pairs, out, err);
    release_since(&w, 0, none);
    return s;
  }
  return TD_ERR_UNSUPPORTED;
}
#define KL(n, name, ...)                                                                                          \
  static td_status name(const void *self, td_tensor *const *params, td_str other, td_tensor *const *other_params, \
                        td_tensor **out, td_error **err) {                                                        \
    static const kl_pair pairs[] = {__VA_ARGS__};                                                                 \
    return run_kl(self, params, n, other, other_params, pairs, sizeof pairs / sizeof *pairs, out, err);           \
  }
#define FORMULA2(name) static V name(work *w, const V *p MAYBE_UNUSED, const V *q MAYBE_UNUSED)

/* Divergences to what does not reach everywhere where the first type does. */
static inline V infinite_divergence(work *w, const V *p, const V *q) {
  (void)q;
  return FullLike(p[0], INFINITY);
}
#define TO_INTERVALS                                  \
  {"td.beta", infinite_divergence, 2}, {              \
    "td.continuous_bernoulli", infinite_divergence, 2 \
  }
#define TO_HALF_LINES                                                               \
  {"td.exponential", infinite_divergence, 1}, {"td.gamma", infinite_divergence, 2}, \
      {"td.pareto", infinite_divergence, 2}, {                                      \
    "td.uniform", infinite_divergence, 2                                            \
  }

/* ---- Tables ----------------------------------------------------------------------------------------------------------- */
/* For types without options. */
static inline td_status create_plain(const td_host *the_host, const td_config *config, void **self, td_error **err) {
  (void)the_host, (void)config, (void)self, (void)err;
  return TD_OK;
}
static inline void destroy_plain(void *self) {
  free(self);
}

/* The start of every table: names, rules and parameters. */
#define HEAD(type_id, shown, parameters, rules)                                                       \
  .type = {.struct_size = sizeof(td_distribution_type),                                               \
           .kind = TD_PLUGIN_DISTRIBUTION,                                                            \
           .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,       \
           .id = TD_TEXT(type_id),                                                                    \
           .version = TD_TEXT("1.0.0")},                                                              \
  .params = parameters, .n_params = sizeof parameters / sizeof *parameters, .destroy = destroy_plain, \
  .name = TD_TEXT(shown), .param_rules = rules

/* A continuous family in which one uniform or exponential number is bent into another. */
#define BENT(id, shown, name, params, rules, support_of_it, cdf_name)                                            \
  HEAD(id, shown, params, rules), .create = create_plain, .support = support_of_it,                              \
                                  .traits = TD_DISTRIBUTION_POINT_IS_MEAN, .sample = name##_rsample,             \
                                  .rsample = name##_rsample, .log_prob = name##_log_prob, .cdf = cdf_name##_cdf, \
                                  .icdf = cdf_name##_icdf, .mean = name##_mean, .entropy = name##_entropy

#define REAL_PARAM \
  { TD_CONSTRAINT_REAL, 0, 0, 0, 0 }
#define POSITIVE_PARAM \
  { TD_CONSTRAINT_POSITIVE, 0, 0, 0, 0 }

#endif
