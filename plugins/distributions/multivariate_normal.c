/* td.multivariate_normal, td.low_rank_multivariate_normal, td.logistic_normal, td.wishart, td.lkj_cholesky: normal vectors and
 * the matrices that go with them, as torch.distributions has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

static const double log_2_pi = 1.8378770664093453, log_pi = 1.1447298858494002, log_2 = 0.6931471805599453;

/* ---- Matrices --------------------------------------------------------------------------------------------------------------- */
static V transposed(work *w, V a) {
  return call3(w, OP_transpose, a, I(-2), I(-1));
}
static V times(work *w, V a, V b) {
  return call2(w, OP_matmul, a, b);
}
static V times_vector(work *w, V a, V x) {
  return call2(w, OP_squeeze, times(w, a, Unsqueeze(x, -1)), I(-1));
}
static V solve_lower(work *w, V lower, V b) {
  V args[] = {lower, b};
  return call_n(w, OP_solve_triangular, args, 2, "upper", truth(0));
}
static V sum_last_two(work *w, V a) {
  static const int64_t both[] = {-2, -1};
  return call2(w, OP_sum, a, ints(both, 2));
}
/* |L^-1 x|^2 */
static V mahalanobis(work *w, V lower, V x) {
  V z = solve_lower(w, lower, Unsqueeze(x, -1));
  return SumLast(Square(call2(w, OP_squeeze, z, I(-1))));
}
static V half_log_det(work *w, V lower) {
  return SumLast(Log(Diagonal(lower)));
}
static V identity_like(work *w, V square) {
  return call1(w, OP_diag_embed, OnesLike(Diagonal(square)));
}
/* The lower Cholesky factor from whichever of covariance, precision and factor is given. */
static V scale_tril_of(work *w, const V *matrices) {
  static const int64_t both[] = {-2, -1};
  if (given(matrices[2])) return matrices[2];
  if (given(matrices[0])) return call1(w, OP_cholesky, matrices[0]);
  V flipped = call1(w, OP_cholesky, call2(w, OP_flip, matrices[1], ints(both, 2)));
  V inverse = transposed(w, call2(w, OP_flip, flipped, ints(both, 2)));
  return solve_lower(w, inverse, identity_like(w, inverse));
}
static td_status size_as_event(const void *self, const td_tensor *param, size_t n, int64_t *out, size_t capacity,
                               size_t *ndim, td_error **err) {
  work w = {.self = self, .err = err};
  const int64_t size = size_of(&w, tensor(param), 1);
  *ndim = n;
  for (size_t i = 0; i < n && i < capacity; ++i) out[i] = size;
  return w.status;
}

/* ---- MultivariateNormal -------------------------------------------------------------------------------------------------------- */
enum { LOC, MATRICES };

DRAW(4, mvn_rsample) {
  V noise = standard_normal(w, to_draw(w, p[LOC], 1));
  return Add(p[LOC], times_vector(w, scale_tril_of(w, p + MATRICES), noise));
}
VALUE(4, mvn_log_prob) {
  V lower = scale_tril_of(w, p + MATRICES), m = mahalanobis(w, lower, Sub(x, p[LOC]));
  const double k = (double)size_of(w, p[LOC], 1);
  return Sub(Mul(Add(m, K(k * log_2_pi)), K(-0.5)), half_log_det(w, lower));
}
STAT(4, mvn_mean) {
  return p[LOC];
}
STAT(4, mvn_variance) {
  return SumLast(Square(scale_tril_of(w, p + MATRICES)));
}
STAT(4, mvn_entropy) {
  const double k = (double)size_of(w, p[LOC], 1);
  return Add(half_log_det(w, scale_tril_of(w, p + MATRICES)), K(0.5 * k * (1 + log_2_pi)));
}
static td_status mvn_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                 size_t *ndim, td_error **err) {
  return size_as_event(self, params[LOC], 1, out, capacity, ndim, err);
}

/* ---- LowRankMultivariateNormal: covariance W W^T + diag(D) --------------------------------------------------------------------------- */
enum { W = 1, D };

static V scaled_factor(work *w, const V *p) {
  return Div(transposed(w, p[W]), Unsqueeze(p[D], -2));
}
static V capacitance_tril(work *w, const V *p) {
  V k = times(w, scaled_factor(w, p), p[W]);
  return call1(w, OP_cholesky, Add(k, identity_like(w, k)));
}
static V low_rank_log_det(work *w, const V *p, V capacitance) {
  return Add(Mul(half_log_det(w, capacitance), K(2)), SumLast(Log(p[D])));
}
static V low_rank_distance(work *w, const V *p, V x, V capacitance) {
  V inner = times_vector(w, scaled_factor(w, p), x);
  return Sub(SumLast(Div(Square(x), p[D])), mahalanobis(w, capacitance, inner));
}
DRAW(3, low_rank_rsample) {
  V columns = Select(p[W], -2, 0);
  V noise_w = standard_normal(w, to_draw(w, columns, 1));
  V noise_d = standard_normal(w, to_draw(w, p[LOC], 1));
  return Add(Add(p[LOC], times_vector(w, p[W], noise_w)), Mul(Sqrt(p[D]), noise_d));
}
VALUE(3, low_rank_log_prob) {
  V c = capacitance_tril(w, p);
  V sum = Add(low_rank_log_det(w, p, c), low_rank_distance(w, p, Sub(x, p[LOC]), c));
  return Mul(Add(sum, K((double)size_of(w, p[LOC], 1) * log_2_pi)), K(-0.5));
}
STAT(3, low_rank_variance) {
  return Add(SumLast(Square(p[W])), p[D]);
}
STAT(3, low_rank_entropy) {
  V log_det = low_rank_log_det(w, p, capacitance_tril(w, p));
  return Mul(Add(log_det, K((double)size_of(w, p[LOC], 1) * (1 + log_2_pi))), K(0.5));
}

/* ---- LogisticNormal: a normal vector broken off a stick ---------------------------------------------------------------------------------- */
enum { SCALE = 1 };

static V log_offset(work *w, V x, int64_t n) {
  return Log(Sub(K((double)n), counting(w, x, n)));
}
static V break_stick(work *w, V x) {
  V z = Sigmoid(Sub(x, log_offset(w, x, size_of(w, x, 1))));
  z = Clamp(z, K(tiny_of(z)), K(1 - eps_of(z)));
  V one = OnesLike(call4(w, OP_narrow, z, I(-1), I(0), I(1)));
  V rest = call2(w, OP_cumprod, Sub(K(1), z), I(-1));
  if (w->status != TD_OK) return none;
  td_tensor *ends[] = {z.as.tensor, one.as.tensor}, *starts[] = {one.as.tensor, rest.as.tensor};
  V a = call2(w, OP_cat, (V){.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = ends}, I(-1));
  V b = call2(w, OP_cat, (V){.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = starts}, I(-1));
  return Mul(a, b);
}
DRAW(2, logistic_rsample) {
  V normal = Mul(standard_normal(w, to_draw(w, p[LOC], 1)), p[SCALE]);
  return break_stick(w, Add(p[LOC], normal));
}
VALUE(2, logistic_log_prob) {
  const int64_t n = size_of(w, p[LOC], 1);
  V crop = call4(w, OP_narrow, x, I(-1), I(0), I(n)), offset = log_offset(w, crop, n);
  V rest = Clamp(Sub(K(1), call2(w, OP_cumsum, crop, I(-1))), K(tiny_of(x)), none);
  V z = Add(Sub(Log(crop), Log(rest)), offset), shifted = Sub(z, offset);
  V slope = SumLast(Add(Add(Neg(shifted), call1(w, OP_log_sigmoid, shifted)), Log(crop)));
  V each = Sub(Div(Neg(Square(Sub(z, p[LOC]))), Mul(Square(p[SCALE]), K(2))), Log(p[SCALE]));
  return Sub(SumLast(Sub(each, K(0.9189385332046727))), slope);
}
STAT(2, logistic_point) {
  return break_stick(w, p[LOC]);
}
static td_status logistic_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                      size_t *ndim, td_error **err) {
  const td_status s = size_as_event(self, params[LOC], 1, out, capacity, ndim, err);
  if (capacity > 0) *out += 1;
  return s;
}

/* ---- Wishart: df, then covariance, precision and factor ------------------------------------------------------------------------------------- */
static V wishart_tril(work *w, const V *p) {
  return scale_tril_of(w, p + 1);
}
static V wishart_covariance(work *w, const V *p) {
  V lower = wishart_tril(w, p);
  return times(w, lower, transposed(w, lower));
}
static V each_matrix(work *w, V number) {
  return Unsqueeze(Unsqueeze(number, -1), -1);
}
/* Where the elements below the diagonal of an n x n matrix stand, in row-major order. */
static V below_diagonal(work *w, V like, int64_t n) {
  V wide = call2(w, OP_to, like, (V){.kind = TD_VALUE_DTYPE, .as.i = TD_FLOAT64});
  V k = counting(w, wide, n * (n - 1) / 2);
  V row = Floor(Div(Add(Sqrt(Add(Mul(k, K(8)), K(1))), K(1)), K(2)));
  V column = Sub(k, Div(Mul(row, Sub(row, K(1))), K(2)));
  return call2(w, OP_to, Add(Mul(row, K((double)n)), column), (V){.kind = TD_VALUE_DTYPE, .as.i = TD_INT64});
}
/* Bartlett's decomposition. */
DRAW(4, wishart_rsample) {
  V lower = wishart_tril(w, p);
  const int64_t n = size_of(w, lower, 1), below = n * (n - 1) / 2;
  V df = Sub(Unsqueeze(p[0], -1), counting(w, p[0], n));
  int64_t dims[MAX_DIMS + 2];
  if (w->status != TD_OK || w->ndim + 2 > MAX_DIMS) return fail(w, TD_ERR_SHAPE, "a draw of more than 62 dims");
  if (w->ndim) memcpy(dims, w->dims, w->ndim * sizeof *dims);
  work inner = *w;
  inner.n_held = 0;
  dims[w->ndim] = n;
  inner.dims = dims, inner.ndim = w->ndim + 1;
  V chi2 = gamma_draw(&inner, Mul(df, K(0.5)), FullLike(df, 0.5));
  w->status = inner.status;
  for (size_t i = 0; i < inner.n_held; ++i) hold(w, tensor(inner.held[i]));
  V noise = call1(w, OP_diag_embed, Clamp(Sqrt(chi2), K(eps_of(chi2)), none));
  if (below > 0) {
    int64_t shape[MAX_DIMS + 2];
    memcpy(shape, dims, sizeof dims);
    shape[w->ndim] = below;
    V values = standard_normal(w, call2(w, OP_new_empty, noise, ints(shape, w->ndim + 1)));
    V index = call2(w, OP_expand, below_diagonal(w, noise, n), ints(shape, w->ndim + 1));
    shape[w->ndim] = n * n;
    V zeros = call2(w, OP_new_zeros, noise, ints(shape, w->ndim + 1));
    V triangle = call4(w, OP_scatter_add, zeros, I(-1), index, values);
    shape[w->ndim] = n, shape[w->ndim + 1] = n;
    noise = Add(noise, call2(w, OP_reshape, triangle, ints(shape, w->ndim + 2)));
  }
  V root = times(w, lower, noise);
  return times(w, root, transposed(w, root));
}
VALUE(4, wishart_log_prob) {
  V lower = wishart_tril(w, p), nu = p[0], signs[2] = {none, none};
  const int64_t n = size_of(w, lower, 1);
  calls(w, OP_slogdet, &x, 1, NULL, none, signs, 2);
  V trace = SumLast(Diagonal(call2(w, OP_cholesky_solve, x, lower)));
  V sum = Neg(Mul(nu, Add(half_log_det(w, lower), K((double)n * log_2 / 2))));
  sum = Sub(sum, call2(w, OP_mvlgamma, Mul(nu, K(0.5)), I(n)));
  sum = Add(sum, Mul(Mul(Sub(nu, K((double)n + 1)), K(0.5)), signs[1]));
  return Sub(sum, Mul(trace, K(0.5)));
}
STAT(4, wishart_mean) {
  return Mul(each_matrix(w, p[0]), wishart_covariance(w, p));
}
STAT(4, wishart_mode) {
  V covariance = wishart_covariance(w, p);
  V factor = Sub(p[0], K((double)size_of(w, covariance, 1) + 1));
  return Mul(each_matrix(w, Fill(factor, Le(factor, K(0)), NAN)), covariance);
}
STAT(4, wishart_variance) {
  V covariance = wishart_covariance(w, p), diagonal = Diagonal(covariance);
  V outer = Mul(Unsqueeze(diagonal, -1), Unsqueeze(diagonal, -2));
  return Mul(each_matrix(w, p[0]), Add(Square(covariance), outer));
}
STAT(4, wishart_entropy) {
  V lower = wishart_tril(w, p), nu = p[0], half = Mul(nu, K(0.5));
  const int64_t n = size_of(w, lower, 1);
  V steps = Div(counting(w, nu, n), K(2));
  V digammas = SumLast(Digamma(Sub(Unsqueeze(half, -1), steps)));
  V sum = Mul(Add(half_log_det(w, lower), K((double)n * log_2 / 2)), K((double)n + 1));
  sum = Add(sum, call2(w, OP_mvlgamma, half, I(n)));
  sum = Sub(sum, Mul(Mul(Sub(nu, K((double)n + 1)), K(0.5)), digammas));
  return Add(sum, Mul(nu, K((double)n / 2)));
}
CHECK(4, wishart_check, "Value of df expected to be greater than ndim - 1") {
  V matrix = given(p[1]) ? p[1] : given(p[2]) ? p[2] : p[3];
  return Gt(p[0], K((double)size_of(w, matrix, 1) - 1));
}
static td_status wishart_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                     size_t *ndim, td_error **err) {
  return size_as_event(self, params[1] ? params[1] : params[2] ? params[2] : params[3], 2, out, capacity, ndim, err);
}

/* ---- LKJCholesky: factors of dim x dim correlation matrices ------------------------------------------------------------------------------------ */
typedef struct lkj {
  int64_t dim;
} lkj;

static td_status lkj_create(const td_host *the_host, const td_config *config, void **self, td_error **err) {
  lkj found = {0};
  td_status s = the_host->config_int(config, text("dim"), &found.dim, err);
  if (s != TD_OK) return s;
  if (found.dim < 2 || found.dim > 4096) {
    *err = the_host->error_new(TD_ERR_ARGUMENT, text("Expected dim to be an integer greater than or equal to 2."));
    return TD_ERR_ARGUMENT;
  }
  lkj *made = malloc(sizeof *made);
  if (!made) return TD_ERR_OOM;
  *made = found;
  *self = made;
  return TD_OK;
}
static int64_t dim_of(const work *w) {
  return ((const lkj *)w->self)->dim;
}
/* The onion method: rows of random length in random directions. */
DRAW(1, lkj_sample) {
  static const int64_t last = -1;
  const int64_t n = dim_of(w);
  if (w->ndim + 2 > MAX_DIMS) return fail(w, TD_ERR_SHAPE, "a draw of more than 62 dims");
  V offset = Clamp(Sub(counting(w, p[0], n), K(1)), K(0), none);
  V c1 = Add(offset, K(0.5));
  V c0 = Sub(Unsqueeze(Add(p[0], K(0.5 * (double)(n - 2))), -1), Mul(offset, K(0.5)));
  V both = pair(w, spread(w, c1, c0), spread(w, c0, c1));
  V fixed = Detach(to_draw(w, both, 2));
  V y = Select(draw1(w, OP_sample_dirichlet, fixed), -1, 0);
  int64_t shape[MAX_DIMS];
  if (w->ndim) memcpy(shape, w->dims, w->ndim * sizeof *shape);
  shape[w->ndim] = shape[w->ndim + 1] = n;
  V normal = standard_normal(w, call2(w, OP_new_empty, y, ints(shape, w->ndim + 2)));
  normal = call2(w, OP_tril, normal, I(-1));
  V length = call4(w, OP_norm, normal, I(2), ints(&last, 1), truth(1));
  V direction = Fill(Div(normal, length), Eq(length, K(0)), 0);
  V rows = Mul(Sqrt(Unsqueeze(y, -1)), direction);
  V diagonal = Sqrt(Clamp(Sub(K(1), SumLast(Square(rows))), K(tiny_of(rows)), none));
  return Add(rows, call1(w, OP_diag_embed, diagonal));
}
VALUE(1, lkj_log_prob) {
  const int64_t n = dim_of(w);
  V diagonal = call4(w, OP_narrow, Diagonal(x), I(-1), I(1), I(n - 1));
  V order = Sub(K((double)n - 2), counting(w, p[0], n - 1));
  order = Add(Mul(Unsqueeze(Sub(p[0], K(1)), -1), K(2)), order);
  V alpha = Add(p[0], K(0.5 * (double)(n - 1)));
  V norm = Sub(call2(w, OP_mvlgamma, Sub(alpha, K(0.5)), I(n - 1)), Mul(Lgamma(alpha), K((double)(n - 1))));
  V density = Sub(SumLast(Mul(order, Log(diagonal))), norm);
  return Sub(density, K(0.5 * (double)(n - 1) * log_pi));
}
static td_status lkj_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                 size_t *ndim, td_error **err) {
  (void)params, (void)err;
  *ndim = 2;
  for (size_t i = 0; i < 2 && i < capacity; ++i) out[i] = ((const lkj *)self)->dim;
  return TD_OK;
}

/* ---- Divergences ---------------------------------------------------------------------------------------------------------------------------------- */
static V squares(work *w, V a) {
  return sum_last_two(w, Square(a));
}
FORMULA2(mvn_mvn) {
  V pl = scale_tril_of(w, p + MATRICES), ql = scale_tril_of(w, q + MATRICES);
  V t1 = Sub(half_log_det(w, ql), half_log_det(w, pl));
  V t2 = squares(w, solve_lower(w, ql, pl)), t3 = mahalanobis(w, ql, Sub(q[LOC], p[LOC]));
  return Add(t1, Mul(Sub(Add(t2, t3), K((double)size_of(w, p[LOC], 1))), K(0.5)));
}
FORMULA2(mvn_low_rank) {
  V pl = scale_tril_of(w, p + MATRICES), c = capacitance_tril(w, q);
  V t1 = Sub(low_rank_log_det(w, q, c), Mul(half_log_det(w, pl), K(2)));
  V t3 = low_rank_distance(w, q, Sub(q[LOC], p[LOC]), c), a = solve_lower(w, c, scaled_factor(w, q));
  V t2 = Sub(squares(w, Mul(pl, Unsqueeze(call1(w, OP_rsqrt, q[D]), -1))), squares(w, times(w, a, pl)));
  return Mul(Sub(Add(Add(t1, t2), t3), K((double)size_of(w, p[LOC], 1))), K(0.5));
}
FORMULA2(low_rank_low_rank) {
  V pc = capacitance_tril(w, p), qc = capacitance_tril(w, q), a = solve_lower(w, qc, scaled_factor(w, q));
  V t1 = Sub(low_rank_log_det(w, q, qc), low_rank_log_det(w, p, pc));
  V t3 = low_rank_distance(w, q, Sub(q[LOC], p[LOC]), qc);
  V t2 = Add(SumLast(Div(p[D], q[D])), squares(w, Mul(p[W], Unsqueeze(call1(w, OP_rsqrt, q[D]), -1))));
  t2 = Sub(Sub(t2, squares(w, Mul(a, Unsqueeze(Sqrt(p[D]), -2)))), squares(w, times(w, a, p[W])));
  return Mul(Sub(Add(Add(t1, t2), t3), K((double)size_of(w, p[LOC], 1))), K(0.5));
}
FORMULA2(low_rank_mvn) {
  V ql = scale_tril_of(w, q + MATRICES), c = capacitance_tril(w, p);
  V t1 = Sub(Mul(half_log_det(w, ql), K(2)), low_rank_log_det(w, p, c));
  V t3 = mahalanobis(w, ql, Sub(q[LOC], p[LOC]));
  V diagonal = call1(w, OP_diag_embed, Sqrt(p[D]));
  V t2 = Add(squares(w, solve_lower(w, ql, p[W])), squares(w, solve_lower(w, ql, diagonal)));
  return Mul(Sub(Add(Add(t1, t2), t3), K((double)size_of(w, p[LOC], 1))), K(0.5));
}
/* A normal for each of the numbers that the sticks are broken with. */
FORMULA2(logistic_logistic) {
  V ratio = Square(Div(p[1], q[1])), t1 = Square(Div(Sub(p[0], q[0]), q[1]));
  return SumLast(Mul(Sub(Sub(Add(ratio, t1), K(1)), Log(ratio)), K(0.5)));
}
/* As of any exponential family: by the gradient of the log-normaliser, here written out. */
FORMULA2(wishart_wishart) {
  V pl = wishart_tril(w, p), ql = wishart_tril(w, q), a = Mul(p[0], K(0.5)), b = Mul(q[0], K(0.5));
  const int64_t n = size_of(w, pl, 1);
  V p_log_det = Add(Mul(half_log_det(w, pl), K(2)), K((double)n * log_2));
  V q_log_det = Add(Mul(half_log_det(w, ql), K(2)), K((double)n * log_2));
  V steps = Div(counting(w, a, n), K(2)), slope = SumLast(Digamma(Sub(Unsqueeze(a, -1), steps)));
  V normalisers = Sub(Add(Mul(b, q_log_det), call2(w, OP_mvlgamma, b, I(n))),
                      Add(Mul(a, p_log_det), call2(w, OP_mvlgamma, a, I(n))));
  V trace = squares(w, solve_lower(w, ql, pl));
  V moments = Add(Mul(a, Sub(K((double)n), trace)), Mul(Sub(b, a), Add(p_log_det, slope)));
  return Sub(normalisers, moments);
}
KL(2, logistic_kl, {"td.logistic_normal", logistic_logistic, 2})
KL(4, wishart_kl, {"td.wishart", wishart_wishart, 4})
KL(4, mvn_kl, {"td.multivariate_normal", mvn_mvn, 4}, {"td.low_rank_multivariate_normal", mvn_low_rank, 3})
KL(3, low_rank_kl, {"td.low_rank_multivariate_normal", low_rank_low_rank, 3},
   {"td.multivariate_normal", low_rank_mvn, 4})

/* ---- Tables --------------------------------------------------------------------------------------------------------------------------------------------- */
#define MATRIX_NAMES TD_TEXT("covariance_matrix"), TD_TEXT("precision_matrix"), TD_TEXT("scale_tril")
#define MATRIX_RULES                                                                              \
  {TD_CONSTRAINT_POSITIVE_DEFINITE, 2, 1, 0, 0}, {TD_CONSTRAINT_POSITIVE_DEFINITE, 2, 1, 0, 0}, { \
    TD_CONSTRAINT_LOWER_CHOLESKY, 2, 1, 0, 0                                                      \
  }
static const td_str mvn_params[] = {TD_TEXT("loc"), MATRIX_NAMES}, wishart_params[] = {TD_TEXT("df"), MATRIX_NAMES};
static const td_str low_rank_params[] = {TD_TEXT("loc"), TD_TEXT("cov_factor"), TD_TEXT("cov_diag")};
static const td_str loc_scale[] = {TD_TEXT("loc"), TD_TEXT("scale")}, concentration[] = {TD_TEXT("concentration")};
static const td_distribution_param mvn_rules[] = {{TD_CONSTRAINT_REAL, 1, 0, 0, 0}, MATRIX_RULES};
static const td_distribution_param wishart_rules[] = {{TD_CONSTRAINT_NONE, 0, 0, 0, 0}, MATRIX_RULES};
static const td_distribution_param low_rank_rules[] = {
    {TD_CONSTRAINT_REAL, 1, 0, 0, 0}, {TD_CONSTRAINT_REAL, 2, 0, 0, 0}, {TD_CONSTRAINT_POSITIVE, 1, 0, 0, 0}};
static const td_distribution_param row_rules[] = {{TD_CONSTRAINT_REAL, 1, 0, TD_PARAM_WIDENS, 0},
                                                  {TD_CONSTRAINT_POSITIVE, 1, 0, TD_PARAM_WIDENS, 0}};
static const td_distribution_param lkj_rules[] = {{TD_CONSTRAINT_POSITIVE, 0, 0, TD_PARAM_OPTIONAL, 1}};

#define VECTORS(id, shown, name, params, rules)                                                                     \
  HEAD(id, shown, params, rules), .create = create_plain, .support = TD_CONSTRAINT_REAL,                            \
                                  .traits = TD_DISTRIBUTION_POINT_IS_MEAN, .event_shape = mvn_event_shape,          \
                                  .sample = name##_rsample, .rsample = name##_rsample, .log_prob = name##_log_prob, \
                                  .mean = mvn_mean, .mode = mvn_mean, .variance = name##_variance,                  \
                                  .entropy = name##_entropy, .kl = name##_kl

static const td_distribution_type mvn_type = {
    VECTORS("td.multivariate_normal", "MultivariateNormal", mvn, mvn_params, mvn_rules),
};
static const td_distribution_type low_rank_type = {
    VECTORS("td.low_rank_multivariate_normal", "LowRankMultivariateNormal", low_rank, low_rank_params, low_rank_rules),
};
static const td_distribution_type logistic_type = {
    HEAD("td.logistic_normal", "LogisticNormal", loc_scale, row_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_SIMPLEX,
    .event_shape = logistic_event_shape,
    .sample = logistic_rsample,
    .rsample = logistic_rsample,
    .log_prob = logistic_log_prob,
    .deterministic = logistic_point,
    .kl = logistic_kl,
};
static const td_distribution_type wishart_type = {
    HEAD("td.wishart", "Wishart", wishart_params, wishart_rules),
    .create = create_plain,
    .support = TD_CONSTRAINT_POSITIVE_DEFINITE,
    .traits = TD_DISTRIBUTION_POINT_IS_MEAN,
    .event_shape = wishart_event_shape,
    .check = wishart_check,
    .sample = wishart_rsample,
    .rsample = wishart_rsample,
    .log_prob = wishart_log_prob,
    .mean = wishart_mean,
    .mode = wishart_mode,
    .variance = wishart_variance,
    .entropy = wishart_entropy,
    .kl = wishart_kl,
};
static const td_distribution_type lkj_type = {
    HEAD("td.lkj_cholesky", "LKJCholesky", concentration, lkj_rules),
    .create = lkj_create,
    .support = TD_CONSTRAINT_CORR_CHOLESKY,
    .traits = TD_DISTRIBUTION_NO_POINT,
    .event_shape = lkj_event_shape,
    .sample = lkj_sample,
    .log_prob = lkj_log_prob,
};

static const td_plugin_type *const types[] = {&mvn_type.type, &low_rank_type.type, &logistic_type.type,
                                              &wishart_type.type, &lkj_type.type};
static const td_str schemas[] = {NO_CONFIG, NO_CONFIG, NO_CONFIG, NO_CONFIG,
                                 SCHEMA(REQUIRED("dim"), MEMBER("dim", "type"
                                                                : "integer"))};
PLUGIN("td.multivariate_normal", types, schemas)
