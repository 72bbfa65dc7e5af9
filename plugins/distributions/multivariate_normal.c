/* td.multivariate_normal, td.low_rank_multivariate_normal, td.logistic_normal, td.wishart, td.lkj_cholesky: normal vectors and
 * the matrices that go with them, as torch.distributions has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../schema.h"
#include "family.h"

static const double log_2_pi = 1.8378770664093453, log_pi = 1.1447298858494002, log_2 = 0.6931471805599453;

/* ---- Matrices ---------------------------------------------------------------------------------------------------- */
static Value transposed(workspace *work, Value a) {
  return call3(work, OP_transpose, a, Integer(-2), Integer(-1));
}
static Value times(workspace *work, Value a, Value b) {
  return call2(work, OP_matmul, a, b);
}
static Value times_vector(workspace *work, Value a, Value x) {
  return call2(work, OP_squeeze, times(work, a, Unsqueeze(x, -1)), Integer(-1));
}
static Value solve_lower(workspace *work, Value lower, Value b) {
  Value args[] = {lower, b};
  return call_n(work, OP_solve_triangular, args, 2, "upper", truth(0));
}
static Value sum_last_two(workspace *work, Value a) {
  static const int64_t both[] = {-2, -1};
  return call2(work, OP_sum, a, ints(both, 2));
}
/* |L^-1 x|^2 */
static Value mahalanobis(workspace *work, Value lower, Value x) {
  Value z = solve_lower(work, lower, Unsqueeze(x, -1));
  return SumLast(Square(call2(work, OP_squeeze, z, Integer(-1))));
}
static Value half_log_det(workspace *work, Value lower) {
  return SumLast(Log(Diagonal(lower)));
}
static Value identity_like(workspace *work, Value square) {
  return call1(work, OP_diag_embed, OnesLike(Diagonal(square)));
}
/* The lower Cholesky factor from whichever of covariance, precision and factor is given. */
static Value scale_tril_of(workspace *work, const Value *matrices) {
  static const int64_t both[] = {-2, -1};
  if (given(matrices[2])) return matrices[2];
  if (given(matrices[0])) return call1(work, OP_cholesky, matrices[0]);
  Value flipped = call1(work, OP_cholesky, call2(work, OP_flip, matrices[1], ints(both, 2)));
  Value inverse = transposed(work, call2(work, OP_flip, flipped, ints(both, 2)));
  return solve_lower(work, inverse, identity_like(work, inverse));
}
static td_status size_as_event(const void *self, const td_tensor *param, size_t n, int64_t *out, size_t capacity,
                               size_t *ndim, td_error **err) {
  workspace work = {.self = self, .err = err};
  const int64_t size = size_of(&work, tensor(param), 1);
  *ndim = n;
  for (size_t i = 0; i < n && i < capacity; ++i) out[i] = size;
  return work.status;
}

/* ---- MultivariateNormal ------------------------------------------------------------------------------------------ */
enum { LOC, MATRICES };

DRAW(4, mvn_rsample) {
  Value noise = standard_normal(work, to_draw(work, p[LOC], 1));
  return Add(p[LOC], times_vector(work, scale_tril_of(work, p + MATRICES), noise));
}
VALUE(4, mvn_log_prob) {
  Value lower = scale_tril_of(work, p + MATRICES), m = mahalanobis(work, lower, Sub(x, p[LOC]));
  const double k = (double)size_of(work, p[LOC], 1);
  return Sub(Mul(Add(m, Number(k * log_2_pi)), Number(-0.5)), half_log_det(work, lower));
}
STAT(4, mvn_mean) {
  return p[LOC];
}
STAT(4, mvn_variance) {
  return SumLast(Square(scale_tril_of(work, p + MATRICES)));
}
STAT(4, mvn_entropy) {
  const double k = (double)size_of(work, p[LOC], 1);
  return Add(half_log_det(work, scale_tril_of(work, p + MATRICES)), Number(0.5 * k * (1 + log_2_pi)));
}
static td_status mvn_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                 size_t *ndim, td_error **err) {
  return size_as_event(self, params[LOC], 1, out, capacity, ndim, err);
}

/* ---- LowRankMultivariateNormal: covariance W W^T + diag(D) ------------------------------------------------------- */
enum { W = 1, D };

static Value scaled_factor(workspace *work, const Value *p) {
  return Div(transposed(work, p[W]), Unsqueeze(p[D], -2));
}
static Value capacitance_tril(workspace *work, const Value *p) {
  Value k = times(work, scaled_factor(work, p), p[W]);
  return call1(work, OP_cholesky, Add(k, identity_like(work, k)));
}
static Value low_rank_log_det(workspace *work, const Value *p, Value capacitance) {
  return Add(Mul(half_log_det(work, capacitance), Number(2)), SumLast(Log(p[D])));
}
static Value low_rank_distance(workspace *work, const Value *p, Value x, Value capacitance) {
  Value inner = times_vector(work, scaled_factor(work, p), x);
  return Sub(SumLast(Div(Square(x), p[D])), mahalanobis(work, capacitance, inner));
}
DRAW(3, low_rank_rsample) {
  Value columns = Select(p[W], -2, 0);
  Value noise_w = standard_normal(work, to_draw(work, columns, 1));
  Value noise_d = standard_normal(work, to_draw(work, p[LOC], 1));
  return Add(Add(p[LOC], times_vector(work, p[W], noise_w)), Mul(Sqrt(p[D]), noise_d));
}
VALUE(3, low_rank_log_prob) {
  Value c = capacitance_tril(work, p);
  Value sum = Add(low_rank_log_det(work, p, c), low_rank_distance(work, p, Sub(x, p[LOC]), c));
  return Mul(Add(sum, Number((double)size_of(work, p[LOC], 1) * log_2_pi)), Number(-0.5));
}
STAT(3, low_rank_variance) {
  return Add(SumLast(Square(p[W])), p[D]);
}
STAT(3, low_rank_entropy) {
  Value log_det = low_rank_log_det(work, p, capacitance_tril(work, p));
  return Mul(Add(log_det, Number((double)size_of(work, p[LOC], 1) * (1 + log_2_pi))), Number(0.5));
}

/* ---- LogisticNormal: a normal vector broken off a stick ---------------------------------------------------------- */
enum { SCALE = 1 };

static Value log_offset(workspace *work, Value x, int64_t n) {
  return Log(Sub(Number((double)n), counting(work, x, n)));
}
static Value break_stick(workspace *work, Value x) {
  Value z = Sigmoid(Sub(x, log_offset(work, x, size_of(work, x, 1))));
  z = Clamp(z, Number(tiny_of(z)), Number(1 - eps_of(z)));
  Value one = OnesLike(call4(work, OP_narrow, z, Integer(-1), Integer(0), Integer(1)));
  Value rest = call2(work, OP_cumprod, Sub(Number(1), z), Integer(-1));
  if (work->status != TD_OK) return none;
  td_tensor *ends[] = {z.as.tensor, one.as.tensor}, *starts[] = {one.as.tensor, rest.as.tensor};
  Value a = call2(work, OP_cat, (Value){.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = ends}, Integer(-1));
  Value b = call2(work, OP_cat, (Value){.kind = TD_VALUE_TENSORS, .size = 2, .as.tensors = starts}, Integer(-1));
  return Mul(a, b);
}
DRAW(2, logistic_rsample) {
  Value normal = Mul(standard_normal(work, to_draw(work, p[LOC], 1)), p[SCALE]);
  return break_stick(work, Add(p[LOC], normal));
}
VALUE(2, logistic_log_prob) {
  const int64_t n = size_of(work, p[LOC], 1);
  Value crop = call4(work, OP_narrow, x, Integer(-1), Integer(0), Integer(n)), offset = log_offset(work, crop, n);
  Value rest = Clamp(Sub(Number(1), call2(work, OP_cumsum, crop, Integer(-1))), Number(tiny_of(x)), none);
  Value z = Add(Sub(Log(crop), Log(rest)), offset), shifted = Sub(z, offset);
  Value slope = SumLast(Add(Add(Neg(shifted), call1(work, OP_log_sigmoid, shifted)), Log(crop)));
  Value each = Sub(Div(Neg(Square(Sub(z, p[LOC]))), Mul(Square(p[SCALE]), Number(2))), Log(p[SCALE]));
  return Sub(SumLast(Sub(each, Number(0.9189385332046727))), slope);
}
STAT(2, logistic_point) {
  return break_stick(work, p[LOC]);
}
static td_status logistic_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                      size_t *ndim, td_error **err) {
  const td_status s = size_as_event(self, params[LOC], 1, out, capacity, ndim, err);
  if (capacity > 0) *out += 1;
  return s;
}

/* ---- Wishart: df, then covariance, precision and factor ---------------------------------------------------------- */
static Value wishart_tril(workspace *work, const Value *p) {
  return scale_tril_of(work, p + 1);
}
static Value wishart_covariance(workspace *work, const Value *p) {
  Value lower = wishart_tril(work, p);
  return times(work, lower, transposed(work, lower));
}
static Value each_matrix(workspace *work, Value number) {
  return Unsqueeze(Unsqueeze(number, -1), -1);
}
/* Where the elements below the diagonal of an n x n matrix stand, in row-major order. */
static Value below_diagonal(workspace *work, Value like, int64_t n) {
  Value wide = call2(work, OP_to, like, (Value){.kind = TD_VALUE_DTYPE, .as.i = TD_DTYPE_FLOAT64});
  Value k = counting(work, wide, n * (n - 1) / 2);
  Value row = Floor(Div(Add(Sqrt(Add(Mul(k, Number(8)), Number(1))), Number(1)), Number(2)));
  Value column = Sub(k, Div(Mul(row, Sub(row, Number(1))), Number(2)));
  return call2(work, OP_to, Add(Mul(row, Number((double)n)), column),
               (Value){.kind = TD_VALUE_DTYPE, .as.i = TD_DTYPE_INT64});
}
/* Bartlett's decomposition. */
DRAW(4, wishart_rsample) {
  Value lower = wishart_tril(work, p);
  const int64_t n = size_of(work, lower, 1), below = n * (n - 1) / 2;
  Value df = Sub(Unsqueeze(p[0], -1), counting(work, p[0], n));
  int64_t dims[MAX_DIMS + 2];
  if (work->status != TD_OK || work->ndim + 2 > MAX_DIMS)
    return fail(work, TD_ERR_SHAPE, "a draw would have more than 62 dims");
  if (work->ndim) memcpy(dims, work->dims, work->ndim * sizeof *dims);
  workspace inner = *work;
  inner.n_held = 0;
  dims[work->ndim] = n;
  inner.dims = dims, inner.ndim = work->ndim + 1;
  Value chi2 = gamma_draw(&inner, Mul(df, Number(0.5)), FullLike(df, 0.5));
  work->status = inner.status;
  for (size_t i = 0; i < inner.n_held; ++i) hold(work, tensor(inner.held[i]));
  Value noise = call1(work, OP_diag_embed, Clamp(Sqrt(chi2), Number(eps_of(chi2)), none));
  if (below > 0) {
    int64_t shape[MAX_DIMS + 2];
    memcpy(shape, dims, sizeof dims);
    shape[work->ndim] = below;
    Value values = standard_normal(work, call2(work, OP_new_empty, noise, ints(shape, work->ndim + 1)));
    Value index = call2(work, OP_expand, below_diagonal(work, noise, n), ints(shape, work->ndim + 1));
    shape[work->ndim] = n * n;
    Value zeros = call2(work, OP_new_zeros, noise, ints(shape, work->ndim + 1));
    Value triangle = call4(work, OP_scatter_add, zeros, Integer(-1), index, values);
    shape[work->ndim] = n, shape[work->ndim + 1] = n;
    noise = Add(noise, call2(work, OP_reshape, triangle, ints(shape, work->ndim + 2)));
  }
  Value root = times(work, lower, noise);
  return times(work, root, transposed(work, root));
}
VALUE(4, wishart_log_prob) {
  Value lower = wishart_tril(work, p), nu = p[0], signs[2] = {none, none};
  const int64_t n = size_of(work, lower, 1);
  calls(work, OP_slogdet, &x, 1, NULL, none, signs, 2);
  Value trace = SumLast(Diagonal(call2(work, OP_cholesky_solve, x, lower)));
  Value sum = Neg(Mul(nu, Add(half_log_det(work, lower), Number((double)n * log_2 / 2))));
  sum = Sub(sum, call2(work, OP_mvlgamma, Mul(nu, Number(0.5)), Integer(n)));
  sum = Add(sum, Mul(Mul(Sub(nu, Number((double)n + 1)), Number(0.5)), signs[1]));
  return Sub(sum, Mul(trace, Number(0.5)));
}
STAT(4, wishart_mean) {
  return Mul(each_matrix(work, p[0]), wishart_covariance(work, p));
}
STAT(4, wishart_mode) {
  Value covariance = wishart_covariance(work, p);
  Value factor = Sub(p[0], Number((double)size_of(work, covariance, 1) + 1));
  return Mul(each_matrix(work, Fill(factor, Le(factor, Number(0)), NAN)), covariance);
}
STAT(4, wishart_variance) {
  Value covariance = wishart_covariance(work, p), diagonal = Diagonal(covariance);
  Value outer = Mul(Unsqueeze(diagonal, -1), Unsqueeze(diagonal, -2));
  return Mul(each_matrix(work, p[0]), Add(Square(covariance), outer));
}
STAT(4, wishart_entropy) {
  Value lower = wishart_tril(work, p), nu = p[0], half = Mul(nu, Number(0.5));
  const int64_t n = size_of(work, lower, 1);
  Value steps = Div(counting(work, nu, n), Number(2));
  Value digammas = SumLast(Digamma(Sub(Unsqueeze(half, -1), steps)));
  Value sum = Mul(Add(half_log_det(work, lower), Number((double)n * log_2 / 2)), Number((double)n + 1));
  sum = Add(sum, call2(work, OP_mvlgamma, half, Integer(n)));
  sum = Sub(sum, Mul(Mul(Sub(nu, Number((double)n + 1)), Number(0.5)), digammas));
  return Add(sum, Mul(nu, Number((double)n / 2)));
}
CHECK(4, wishart_check, "Value of df expected to be greater than ndim - 1") {
  Value matrix = given(p[1]) ? p[1] : given(p[2]) ? p[2] : p[3];
  return Gt(p[0], Number((double)size_of(work, matrix, 1) - 1));
}
static td_status wishart_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                     size_t *ndim, td_error **err) {
  return size_as_event(self, params[1] ? params[1] : params[2] ? params[2] : params[3], 2, out, capacity, ndim, err);
}

/* ---- LKJCholesky: factors of dim x dim correlation matrices ------------------------------------------------------ */
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
static int64_t dim_of(const workspace *work) {
  return ((const lkj *)work->self)->dim;
}
/* The onion method: rows of random length in random directions. */
DRAW(1, lkj_sample) {
  static const int64_t last = -1;
  const int64_t n = dim_of(work);
  if (work->ndim + 2 > MAX_DIMS) return fail(work, TD_ERR_SHAPE, "a draw would have more than 62 dims");
  Value offset = Clamp(Sub(counting(work, p[0], n), Number(1)), Number(0), none);
  Value c1 = Add(offset, Number(0.5));
  Value c0 = Sub(Unsqueeze(Add(p[0], Number(0.5 * (double)(n - 2))), -1), Mul(offset, Number(0.5)));
  Value both = pair(work, spread(work, c1, c0), spread(work, c0, c1));
  Value fixed = Detach(to_draw(work, both, 2));
  Value y = Select(draw1(work, OP_sample_dirichlet, fixed), -1, 0);
  int64_t shape[MAX_DIMS];
  if (work->ndim) memcpy(shape, work->dims, work->ndim * sizeof *shape);
  shape[work->ndim] = shape[work->ndim + 1] = n;
  Value normal = standard_normal(work, call2(work, OP_new_empty, y, ints(shape, work->ndim + 2)));
  normal = call2(work, OP_tril, normal, Integer(-1));
  Value length = call4(work, OP_norm, normal, Integer(2), ints(&last, 1), truth(1));
  Value direction = Fill(Div(normal, length), Eq(length, Number(0)), 0);
  Value rows = Mul(Sqrt(Unsqueeze(y, -1)), direction);
  Value diagonal = Sqrt(Clamp(Sub(Number(1), SumLast(Square(rows))), Number(tiny_of(rows)), none));
  return Add(rows, call1(work, OP_diag_embed, diagonal));
}
VALUE(1, lkj_log_prob) {
  const int64_t n = dim_of(work);
  Value diagonal = call4(work, OP_narrow, Diagonal(x), Integer(-1), Integer(1), Integer(n - 1));
  Value order = Sub(Number((double)n - 2), counting(work, p[0], n - 1));
  order = Add(Mul(Unsqueeze(Sub(p[0], Number(1)), -1), Number(2)), order);
  Value alpha = Add(p[0], Number(0.5 * (double)(n - 1)));
  Value norm = Sub(call2(work, OP_mvlgamma, Sub(alpha, Number(0.5)), Integer(n - 1)),
                   Mul(Lgamma(alpha), Number((double)(n - 1))));
  Value density = Sub(SumLast(Mul(order, Log(diagonal))), norm);
  return Sub(density, Number(0.5 * (double)(n - 1) * log_pi));
}
static td_status lkj_event_shape(const void *self, td_tensor *const *params, int64_t *out, size_t capacity,
                                 size_t *ndim, td_error **err) {
  (void)params, (void)err;
  *ndim = 2;
  for (size_t i = 0; i < 2 && i < capacity; ++i) out[i] = ((const lkj *)self)->dim;
  return TD_OK;
}

/* ---- Divergences ------------------------------------------------------------------------------------------------- */
static Value squares(workspace *work, Value a) {
  return sum_last_two(work, Square(a));
}
FORMULA2(mvn_mvn) {
  Value pl = scale_tril_of(work, p + MATRICES), ql = scale_tril_of(work, q + MATRICES);
  Value t1 = Sub(half_log_det(work, ql), half_log_det(work, pl));
  Value t2 = squares(work, solve_lower(work, ql, pl)), t3 = mahalanobis(work, ql, Sub(q[LOC], p[LOC]));
  return Add(t1, Mul(Sub(Add(t2, t3), Number((double)size_of(work, p[LOC], 1))), Number(0.5)));
}
FORMULA2(mvn_low_rank) {
  Value pl = scale_tril_of(work, p + MATRICES), c = capacitance_tril(work, q);
  Value t1 = Sub(low_rank_log_det(work, q, c), Mul(half_log_det(work, pl), Number(2)));
  Value t3 = low_rank_distance(work, q, Sub(q[LOC], p[LOC]), c), a = solve_lower(work, c, scaled_factor(work, q));
  Value t2 = Sub(squares(work, Mul(pl, Unsqueeze(call1(work, OP_rsqrt, q[D]), -1))), squares(work, times(work, a, pl)));
  return Mul(Sub(Add(Add(t1, t2), t3), Number((double)size_of(work, p[LOC], 1))), Number(0.5));
}
FORMULA2(low_rank_low_rank) {
  Value pc = capacitance_tril(work, p), qc = capacitance_tril(work, q),
        a = solve_lower(work, qc, scaled_factor(work, q));
  Value t1 = Sub(low_rank_log_det(work, q, qc), low_rank_log_det(work, p, pc));
  Value t3 = low_rank_distance(work, q, Sub(q[LOC], p[LOC]), qc);
  Value t2 = Add(SumLast(Div(p[D], q[D])), squares(work, Mul(p[W], Unsqueeze(call1(work, OP_rsqrt, q[D]), -1))));
  t2 = Sub(Sub(t2, squares(work, Mul(a, Unsqueeze(Sqrt(p[D]), -2)))), squares(work, times(work, a, p[W])));
  return Mul(Sub(Add(Add(t1, t2), t3), Number((double)size_of(work, p[LOC], 1))), Number(0.5));
}
FORMULA2(low_rank_mvn) {
  Value ql = scale_tril_of(work, q + MATRICES), c = capacitance_tril(work, p);
  Value t1 = Sub(Mul(half_log_det(work, ql), Number(2)), low_rank_log_det(work, p, c));
  Value t3 = mahalanobis(work, ql, Sub(q[LOC], p[LOC]));
  Value diagonal = call1(work, OP_diag_embed, Sqrt(p[D]));
  Value t2 = Add(squares(work, solve_lower(work, ql, p[W])), squares(work, solve_lower(work, ql, diagonal)));
  return Mul(Sub(Add(Add(t1, t2), t3), Number((double)size_of(work, p[LOC], 1))), Number(0.5));
}
/* A normal for each of the numbers that the sticks are broken with. */
FORMULA2(logistic_logistic) {
  Value ratio = Square(Div(p[1], q[1])), t1 = Square(Div(Sub(p[0], q[0]), q[1]));
  return SumLast(Mul(Sub(Sub(Add(ratio, t1), Number(1)), Log(ratio)), Number(0.5)));
}
/* As of any exponential family: by the gradient of the log-normaliser, here written out. */
FORMULA2(wishart_wishart) {
  Value pl = wishart_tril(work, p), ql = wishart_tril(work, q), a = Mul(p[0], Number(0.5)), b = Mul(q[0], Number(0.5));
  const int64_t n = size_of(work, pl, 1);
  Value p_log_det = Add(Mul(half_log_det(work, pl), Number(2)), Number((double)n * log_2));
  Value q_log_det = Add(Mul(half_log_det(work, ql), Number(2)), Number((double)n * log_2));
  Value steps = Div(counting(work, a, n), Number(2)), slope = SumLast(Digamma(Sub(Unsqueeze(a, -1), steps)));
  Value normalisers = Sub(Add(Mul(b, q_log_det), call2(work, OP_mvlgamma, b, Integer(n))),
                          Add(Mul(a, p_log_det), call2(work, OP_mvlgamma, a, Integer(n))));
  Value trace = squares(work, solve_lower(work, ql, pl));
  Value moments = Add(Mul(a, Sub(Number((double)n), trace)), Mul(Sub(b, a), Add(p_log_det, slope)));
  return Sub(normalisers, moments);
}
KL(2, logistic_kl, {"td.logistic_normal", logistic_logistic, 2})
KL(4, wishart_kl, {"td.wishart", wishart_wishart, 4})
KL(4, mvn_kl, {"td.multivariate_normal", mvn_mvn, 4}, {"td.low_rank_multivariate_normal", mvn_low_rank, 3})
KL(3, low_rank_kl, {"td.low_rank_multivariate_normal", low_rank_low_rank, 3},
   {"td.multivariate_normal", low_rank_mvn, 4})

/* ---- Tables ------------------------------------------------------------------------------------------------------ */
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
