/* How the bundled distributions are written: formulas over tensors and numbers, close to the Python that they follow.
 *
 *     STAT(normal_entropy) { return Add(Log(p[SCALE]), Number(1.4189385332046727)); }
 *
 * A formula works on a Value, a tensor or a number, inside one `workspace` that owns every intermediate result and
 * remembers the first failure: after one, the rest of the formula does nothing. STAT, VALUE and DRAW make the function
 * that the plugin table wants around a formula, in which
 *     p     the parameters, broadcast to the batch shape (kind NONE: not given); q are those of a second distribution
 *     x     the value of log_prob, cdf and icdf
 *     work  the call; work->dims and work->ndim are sample shape + batch shape of a draw
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISTRIBUTIONS_FAMILY_H
#define DISTRIBUTIONS_FAMILY_H

/* ---- Operators --------------------------------------------------------------------------------------------------- */
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

/* ---- Values ------------------------------------------------------------------------------------------------------ */
/* In a formula, `work` is always there. */
#define Add(a, b) call2(work, OP_add, a, b)
#define Sub(a, b) call2(work, OP_sub, a, b)
#define Mul(a, b) call2(work, OP_mul, a, b)
#define Div(a, b) call2(work, OP_div, a, b)
#define Pow(a, b) call2(work, OP_pow, a, b)
#define Square(a) call2(work, OP_power, a, Integer(2))
#define Xlogy(a, b) call2(work, OP_xlogy, a, b)
#define Le(a, b) call2(work, OP_le, a, b)
#define Lt(a, b) call2(work, OP_lt, a, b)
#define Ge(a, b) call2(work, OP_ge, a, b)
#define Gt(a, b) call2(work, OP_gt, a, b)
#define Eq(a, b) call2(work, OP_eq, a, b)
#define And(a, b) call2(work, OP_both, a, b)
#define Or(a, b) call2(work, OP_either, a, b)
#define Not(a) call1(work, OP_invert, a)
#define Where(condition, a, b) call3(work, OP_where, condition, a, b)
#define Fill(a, mask, number) call3(work, OP_masked_fill, a, mask, Number(number))
#define Clamp(a, low, high) call3(work, OP_clamp, a, low, high)
#define Neg(a) call1(work, OP_neg, a)
#define Abs(a) call1(work, OP_abs, a)
#define Exp(a) call1(work, OP_exp, a)
#define Expm1(a) call1(work, OP_expm1, a)
#define Log(a) call1(work, OP_log, a)
#define Log1p(a) call1(work, OP_log1p, a)
#define Sqrt(a) call1(work, OP_sqrt, a)
#define Reciprocal(a) call1(work, OP_reciprocal, a)
#define Lgamma(a) call1(work, OP_lgamma, a)
#define Digamma(a) call1(work, OP_digamma, a)
#define Erf(a) call1(work, OP_erf, a)
#define Erfinv(a) call1(work, OP_erfinv, a)
#define Floor(a) call1(work, OP_floor, a)
#define Sign(a) call1(work, OP_sign, a)
#define Sigmoid(a) call1(work, OP_sigmoid, a)
#define Softplus(a) call1(work, OP_softplus, a)
#define Detach(a) call1(work, OP_detach, a)
#define SumLast(a) Sum(work, a, 0)
#define SumLastKeep(a) Sum(work, a, 1)
#define Unsqueeze(a, dim) call2(work, OP_unsqueeze, a, Integer(dim))
#define Select(a, dim, i) call3(work, OP_select, a, Integer(dim), Integer(i))
#define AllLast(a) call2(work, OP_all, a, Integer(-1))
#define ZerosLike(a) call1(work, OP_zeros_like, a)
#define OnesLike(a) call1(work, OP_ones_like, a)
#define FullLike(a, number) call2(work, OP_full_like, a, Number(number))
#define Diagonal(a) call4(work, OP_diagonal, a, Integer(0), Integer(-2), Integer(-1))

static inline Value Sum(workspace *work, Value a, int keep) {
  static const int64_t last = -1;
  return call3(work, OP_sum, a, ints(&last, 1), truth(keep));
}

static inline int64_t size_of(workspace *work, Value t, int from_last) {
  int64_t dims[MAX_DIMS];
  const size_t n = shape_of(work, t, dims);
  return n < (size_t)from_last ? 0 : dims[n - (size_t)from_last];
}
/* torch.finfo */
static inline double eps_of(Value t) {
  switch (dtype_of(t)) {
    case TD_DTYPE_FLOAT64:
      return 2.220446049250313e-16;
    case TD_DTYPE_FLOAT16:
      return 0.0009765625;
    case TD_DTYPE_BFLOAT16:
      return 0.0078125;
    default:
      return 1.1920928955078125e-07;
  }
}
static inline double tiny_of(Value t) {
  switch (dtype_of(t)) {
    case TD_DTYPE_FLOAT64:
      return 2.2250738585072014e-308;
    case TD_DTYPE_FLOAT16:
      return 6.103515625e-05;
    default:
      return 1.1754943508222875e-38;
  }
}

/* `t` with work->dims in front of the last `event_dims` of its own. */
static inline Value to_draw(workspace *work, Value t, size_t event_dims) {
  int64_t own[MAX_DIMS], all[2 * MAX_DIMS];
  const size_t n = shape_of(work, t, own);
  if (work->status != TD_OK) return none;
  if (work->ndim > MAX_DIMS || n < event_dims) return fail(work, TD_ERR_SHAPE, "a draw would have more than 64 dims");
  if (work->ndim) memcpy(all, work->dims, work->ndim * sizeof *all);
  for (size_t i = 0; i < event_dims; ++i) all[work->ndim + i] = own[n - event_dims + i];
  if (n == work->ndim + event_dims && memcmp(own, all, n * sizeof *all) == 0) return t;
  return call2(work, OP_expand, t, ints(all, work->ndim + event_dims));
}

/* Standard numbers of the shape, dtype and device of `like`: PyTorch's for the same generator. Random factories, not
 * in-place draws, because those work under vmap for every randomness. */
static inline Value fresh(workspace *work, Value like, int op_like, int op_generator) {
  if (work->status != TD_OK) return none;
  Value out = none;
  if (!work->generator)
    return call_n(work, op_like, &like, 1, "memory_format",
                  (Value){.kind = TD_VALUE_STR, .as.str = {"contiguous", TD_STRLEN}});
  int64_t dims[MAX_DIMS];
  const size_t n = shape_of(work, like, dims);
  Value size = ints(dims, n);
  td_named_value named[] = {{text("generator"), {.kind = TD_VALUE_GENERATOR, .as.generator = work->generator}},
                            {text("dtype"), {.kind = TD_VALUE_DTYPE, .as.i = dtype_of(like)}}};
  if (!operators[op_generator]) return fail(work, TD_ERR_UNSUPPORTED, operator_names[op_generator]);
  work->status = host->op_call(operators[op_generator], &size, 1, named, 2, &out, 1, work->err);
  return work->status == TD_OK ? call2(work, OP_like, hold(work, out), like) : none;
}
static inline Value standard_normal(workspace *work, Value like) {
  return fresh(work, like, OP_randn_like, OP_randn);
}
static inline Value standard_uniform(workspace *work, Value like) {
  return fresh(work, like, OP_rand_like, OP_rand);
}

static inline Value draw1(workspace *work, int op, Value a) {
  return draw_with(work, op, &a, 1);
}
/* Memory of the shape of the draw, filled in place. */
static inline Value draw_into(workspace *work, Value like, int op, double a, double b) {
  Value args[] = {call2(work, OP_new_empty, like, ints(work->dims, work->ndim)), Number(a), Number(b)};
  return draw_with(work, op, args, op == OP_exponential_ ? 1 : 3);
}

/* ---- Steps that several families share --------------------------------------------------------------------------- */
/* Draws below the smallest normal number become that number, without a trace in the gradients. */
static inline Value gamma_draw(workspace *work, Value concentration, Value rate) {
  Value drawn = Div(draw1(work, OP_standard_gamma, to_draw(work, concentration, 0)), to_draw(work, rate, 0));
  Value fixed = Detach(drawn);
  return Add(drawn, Sub(Clamp(fixed, Number(tiny_of(fixed)), none), fixed));
}

static inline Value pair(workspace *work, Value a, Value b) {
  td_tensor *both[] = {a.as.tensor, b.as.tensor};
  if (work->status != TD_OK) return none;
  return call2(work, OP_stack, (Value){.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = both}, Integer(-1));
}

/* `a` expanded to what it broadcasts to with `b`. */
static inline Value spread(workspace *work, Value a, Value b) {
  int64_t da[MAX_DIMS], db[MAX_DIMS], out[MAX_DIMS];
  const size_t na = shape_of(work, a, da), nb = shape_of(work, b, db), n = na > nb ? na : nb;
  if (work->status != TD_OK) return none;
  for (size_t i = 0; i < n; ++i) {
    const int64_t x = i < na ? da[na - 1 - i] : 1, y = i < nb ? db[nb - 1 - i] : 1;
    out[n - 1 - i] = x == 1 ? y : x;
  }
  return na == n && memcmp(da, out, n * sizeof *out) == 0 ? a : call2(work, OP_expand, a, ints(out, n));
}

/* 0, 1, .. n-1 in the dtype of `like`. */
static inline Value counting(workspace *work, Value like, int64_t n) {
  return Sub(call2(work, OP_cumsum, call3(work, OP_new_full, like, ints(&n, 1), Number(1)), Integer(0)), Number(1));
}
/* One-hot vectors of the size and dtype of the last dim of `like`; LibTorch's one_hot reads data, which vmap refuses. */
static inline Value one_hot_of(workspace *work, Value index, Value like) {
  Value hot = Eq(Unsqueeze(index, -1), counting(work, like, size_of(work, like, 1)));
  return call2(work, OP_like, hot, like);
}
static inline Value argmax_last(workspace *work, Value a) {
  return call2(work, OP_argmax, a, Integer(-1));
}

/* Probabilities and logits of one event, each from the other: torch.distributions.utils. */
static inline Value clamp_probs(workspace *work, Value probs) {
  return Clamp(probs, Number(eps_of(probs)), Number(1 - eps_of(probs)));
}
static inline Value to_logits(workspace *work, Value probs) {
  Value inside = clamp_probs(work, probs);
  return Sub(Log(inside), Log1p(Neg(inside)));
}
/* Of a coin, from probs and logits, of which one is given. */
static inline Value probs_of(workspace *work, const Value *p) {
  return given(p[0]) ? p[0] : Sigmoid(p[1]);
}
static inline Value logits_of(workspace *work, const Value *p) {
  return given(p[1]) ? p[1] : to_logits(work, p[0]);
}
static inline Value bce(workspace *work, Value logits, Value target) {
  Value args[] = {spread(work, logits, target), spread(work, target, logits), none, none, Integer(0)};
  return call_n(work, OP_bce_logits, args, 5, NULL, none);
}
/* The greatest (or smallest) element of all, as a number. */
static inline double extreme(workspace *work, int op, Value a) {
  Value out = none, all = call2(work, op, a, ints(NULL, 0));
  calls(work, OP_item, &all, 1, NULL, none, &out, 1);
  return work->status != TD_OK ? 0 : out.kind == TD_VALUE_DOUBLE ? out.as.f : (double)out.as.i;
}

/* ---- Functions of the tables ------------------------------------------------------------------------------------- */
enum { MAX_PARAMS = 8 };
typedef Value (*stat_formula)(workspace *work, const Value *p);
typedef Value (*value_formula)(workspace *work, const Value *p, Value x);

static inline void set_params(Value *p, td_tensor *const *params, size_t n) {
  for (size_t i = 0; i < MAX_PARAMS; ++i) p[i] = i < n ? tensor(params[i]) : none;
}

static inline td_status run_stat(const void *self, td_tensor *const *params, size_t n, stat_formula f, td_tensor **out,
                                 td_error **err) {
  workspace work = {.self = self, .err = err};
  Value p[MAX_PARAMS];
  set_params(p, params, n);
  return finish(&work, f(&work, p), out);
}
static inline td_status run_value(const void *self, td_tensor *const *params, size_t n, const td_tensor *value,
                                  value_formula f, td_tensor **out, td_error **err) {
  workspace work = {.self = self, .err = err};
  Value p[MAX_PARAMS];
  set_params(p, params, n);
  return finish(&work, f(&work, p, tensor(value)), out);
}
static inline td_status run_draw(const void *self, td_tensor *const *params, size_t n, const int64_t *dims, size_t ndim,
                                 td_generator *generator, stat_formula f, td_tensor **out, td_error **err) {
  workspace work = {.self = self, .err = err, .dims = dims, .ndim = ndim, .generator = generator};
  Value p[MAX_PARAMS];
  set_params(p, params, n);
  return finish(&work, f(&work, p), out);
}

/* `n` is the number of parameters of the type. */
#define STAT(n, name)                                                                                  \
  static Value name##_formula(workspace *work MAYBE_UNUSED, const Value *p MAYBE_UNUSED);              \
  static td_status name(const void *self, td_tensor *const *params, td_tensor **out, td_error **err) { \
    return run_stat(self, params, n, name##_formula, out, err);                                        \
  }                                                                                                    \
  static Value name##_formula(workspace *work MAYBE_UNUSED, const Value *p MAYBE_UNUSED)

#define VALUE(n, name)                                                                                          \
  static Value name##_formula(workspace *work MAYBE_UNUSED, const Value *p MAYBE_UNUSED, Value x MAYBE_UNUSED); \
  static td_status name(const void *self, td_tensor *const *params, const td_tensor *value, td_tensor **out,    \
                        td_error **err) {                                                                       \
    return run_value(self, params, n, value, name##_formula, out, err);                                         \
  }                                                                                                             \
  static Value name##_formula(workspace *work MAYBE_UNUSED, const Value *p MAYBE_UNUSED, Value x MAYBE_UNUSED)

#define DRAW(n, name)                                                                                 \
  static Value name##_formula(workspace *work MAYBE_UNUSED, const Value *p MAYBE_UNUSED);             \
  static td_status name(const void *self, td_tensor *const *params, const int64_t *dims, size_t ndim, \
                        td_generator *generator, td_tensor **out, td_error **err) {                   \
    return run_draw(self, params, n, dims, ndim, generator, name##_formula, out, err);                \
  }                                                                                                   \
  static Value name##_formula(workspace *work MAYBE_UNUSED, const Value *p MAYBE_UNUSED)

/* A condition between parameters: CHECK(2, uniform_check, "low >= high") { return Lt(p[LOW], p[HIGH]); } */
static inline td_status run_check(const void *self, td_tensor *const *params, size_t n, stat_formula f,
                                  const char *message, td_error **err) {
  workspace work = {.self = self, .err = err};
  Value p[MAX_PARAMS], fails = none;
  set_params(p, params, n);
  Value wrong = call1(&work, OP_any, call1(&work, OP_invert, f(&work, p)));
  calls(&work, OP_item, &wrong, 1, NULL, none, &fails, 1);
  if (work.status == TD_OK && fails.as.i) fail(&work, TD_ERR_ARGUMENT, message);
  release_since(&work, 0, none);
  return work.status;
}
#define CHECK(n, name, message)                                                       \
  static Value name##_formula(workspace *work, const Value *p);                       \
  static td_status name(const void *self, td_tensor *const *params, td_error **err) { \
    return run_check(self, params, n, name##_formula, message, err);                  \
  }                                                                                   \
  static Value name##_formula(workspace *work, const Value *p)

/* KL divergences from one type: a table of {id of the other type, formula(work, p, q)}. */
typedef struct kl_pair {
  const char *other;
  Value (*formula)(workspace *work, const Value *p, const Value *q);
  size_t n_other; /* parameters of the other type */
} kl_pair;

static inline td_status run_kl(const void *self, td_tensor *const *params, size_t n, td_str other,
                               td_tensor *const *other_params, const kl_pair *pairs, size_t n_pairs, td_tensor **out,
                               td_error **err) {
  workspace work = {.self = self, .err = err};
  const size_t size = other.size == TD_STRLEN ? strlen(other.data) : other.size;
  for (size_t i = 0; i < n_pairs; ++i) {
    if (strlen(pairs[i].other) != size || memcmp(pairs[i].other, other.data, size) != 0) continue;
    Value p[MAX_PARAMS], q[MAX_PARAMS];
    set_params(p, params, n);
    set_params(q, other_params, pairs[i].n_other);
    return finish(&work, pairs[i].formula(&work, p, q), out);
  }
  return TD_ERR_UNSUPPORTED;
}
#define KL(n, name, ...)                                                                                          \
  static td_status name(const void *self, td_tensor *const *params, td_str other, td_tensor *const *other_params, \
                        td_tensor **out, td_error **err) {                                                        \
    static const kl_pair pairs[] = {__VA_ARGS__};                                                                 \
    return run_kl(self, params, n, other, other_params, pairs, sizeof pairs / sizeof *pairs, out, err);           \
  }
#define FORMULA2(name) static Value name(workspace *work, const Value *p MAYBE_UNUSED, const Value *q MAYBE_UNUSED)

/* Divergences to what does not reach everywhere where the first type does. */
static inline Value infinite_divergence(workspace *work, const Value *p, const Value *q) {
  (void)q;
  return FullLike(p[0], INFINITY);
}
#define TO_INTERVALS                                  \
  {"td.beta", infinite_divergence, 2}, {              \
    "td.continuous_bernoulli", infinite_divergence, 2 \
  }
#define TO_HALF_LINES                                                               \
  {"td.exponential", infinite_divergence, 1}, {"td.gamma", infinite_divergence, 2}, \
      {"td.chi2", infinite_divergence, 1}, {"td.pareto", infinite_divergence, 2}, { \
    "td.uniform", infinite_divergence, 2                                            \
  }

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
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
           .kind = TD_PLUGIN_KIND_DISTRIBUTION,                                                       \
           .flags = TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_DIFFERENTIABLE | TD_PLUGIN_THREAD_SAFE,       \
           .id = TD_TEXT(type_id),                                                                    \
           .version = TD_TEXT("1.0.0")},                                                              \
  .params = parameters, .n_params = sizeof parameters / sizeof *parameters, .destroy = destroy_plain, \
  .name = TD_TEXT(shown), .param_rules = rules

/* A continuous family in which one uniform or exponential number is bent into another. */
#define BENT_FAMILY(id, shown, name, params, rules, support_of_it, cdf_name)                                     \
  HEAD(id, shown, params, rules), .create = create_plain, .support = support_of_it,                              \
                                  .traits = TD_DISTRIBUTION_POINT_IS_MEAN, .sample = name##_rsample,             \
                                  .rsample = name##_rsample, .log_prob = name##_log_prob, .cdf = cdf_name##_cdf, \
                                  .icdf = cdf_name##_icdf, .mean = name##_mean, .entropy = name##_entropy

#define REAL_PARAM \
  { TD_CONSTRAINT_REAL, 0, 0, 0, 0 }
#define POSITIVE_PARAM \
  { TD_CONSTRAINT_POSITIVE, 0, 0, 0, 0 }

#endif
