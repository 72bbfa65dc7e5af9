/* Modules, distributions of every family, transforms and optimizers. */
#include "api/api.h"
#include "api/made.h"
#include "support/children.h"

/* ---- Distributions -------------------------------------------------------------------------------------------------- */

/* Parameters in the order of `shapes`: n a number for each of two elements, r rows of 3, s a number, m matrices [2, 2] that
 * are the identity, l [2, 1], i ones as int64, b true. All others are 0.5. */
static const struct family {
  const char *type, *config, *names[4], *shapes;
} families[] = {
    {"td.normal", "{}", {"loc", "scale"}, "nn"},
    {"td.log_normal", "{}", {"loc", "scale"}, "nn"},
    {"td.half_normal", "{}", {"scale"}, "n"},
    {"td.gamma", "{}", {"concentration", "rate"}, "nn"},
    {"td.chi2", "{}", {"df"}, "n"},
    {"td.exponential", "{}", {"rate"}, "n"},
    {"td.inverse_gamma", "{}", {"concentration", "rate"}, "nn"},
    {"td.fisher_snedecor", "{}", {"df1", "df2"}, "nn"},
    {"td.student_t", "{}", {"df", "loc", "scale"}, "nnn"},
    {"td.dirichlet", "{}", {"concentration"}, "r"},
    {"td.beta", "{}", {"concentration1", "concentration0"}, "nn"},
    {"td.uniform", "{}", {"low", "high"}, "zn"},
    {"td.laplace", "{}", {"loc", "scale"}, "nn"},
    {"td.cauchy", "{}", {"loc", "scale"}, "nn"},
    {"td.half_cauchy", "{}", {"scale"}, "n"},
    {"td.gumbel", "{}", {"loc", "scale"}, "nn"},
    {"td.weibull", "{}", {"scale", "concentration"}, "nn"},
    {"td.pareto", "{}", {"scale", "alpha"}, "nn"},
    {"td.generalized_pareto", "{}", {"loc", "scale", "concentration"}, "nnn"},
    {"td.kumaraswamy", "{}", {"concentration1", "concentration0"}, "nn"},
    {"td.bernoulli", "{}", {"probs"}, "n"},
    {"td.bernoulli", "{}", {"logits"}, "n"},
    {"td.geometric", "{}", {"probs"}, "n"},
    {"td.binomial", "{}", {"total_count", "probs"}, "in"},
    {"td.negative_binomial", "{}", {"total_count", "probs"}, "in"},
    {"td.poisson", "{}", {"rate"}, "n"},
    {"td.continuous_bernoulli", "{}", {"probs"}, "n"},
    {"td.categorical", "{}", {"probs"}, "r"},
    {"td.categorical", "{}", {"logits"}, "r"},
    {"td.one_hot_categorical", "{}", {"probs"}, "r"},
    {"td.one_hot_categorical_straight_through", "{}", {"logits"}, "r"},
    {"td.multinomial", "{\"total_count\": 4}", {"probs"}, "r"},
    {"td.int_one_hot_categorical", "{}", {"logits"}, "r"},
    {"td.masked_categorical", "{}", {"logits", "mask"}, "rb"},
    {"td.masked_one_hot_categorical", "{}", {"logits", "mask"}, "rb"},
    {"td.ordinal", "{}", {"scores"}, "r"},
    {"td.one_hot_ordinal", "{}", {"scores"}, "r"},
    {"td.relaxed_bernoulli", "{}", {"temperature", "probs"}, "sn"},
    {"td.logit_relaxed_bernoulli", "{}", {"temperature", "probs"}, "sn"},
    {"td.relaxed_one_hot_categorical", "{}", {"temperature", "probs"}, "sr"},
    {"td.exp_relaxed_categorical", "{}", {"temperature", "probs"}, "sr"},
    {"td.multivariate_normal", "{}", {"loc", "covariance_matrix"}, "nm"},
    {"td.low_rank_multivariate_normal", "{}", {"loc", "cov_factor", "cov_diag"}, "nln"},
    {"td.logistic_normal", "{}", {"loc", "scale"}, "rr"},
    {"td.wishart", "{}", {"df", "covariance_matrix"}, "wm"},
    {"td.lkj_cholesky", "{\"dim\": 2}", {"concentration"}, "n"},
    {"td.truncated_normal", "{}", {"loc", "scale", "low", "high"}, "nnzu"},
    {"td.delta", "{}", {"param"}, "n"},
    {"td.tanh_normal", "{}", {"loc", "scale"}, "nn"},
    {"td.von_mises", "{}", {"loc", "concentration"}, "nn"},
};

static td_tensor *parameter(char shape) {
  static const double eye[] = {1, 0, 0, 1}, half[6] = {.5, .5, .5, .5, .5, .5}, ones[6] = {1, 1, 1, 1, 1, 1}, three = 3;
  td_tensor *t = NULL;
  switch (shape) {
    case 'z':
      td_tensor_zeros(TD_SHAPE(2), TD_DTYPE_FLOAT64, TD_NO_STR, &t, NULL);
      return t;
    case 'u':
      td_tensor_copy_from(ones, TD_DTYPE_FLOAT64, TD_SHAPE(2), &t, NULL);
      return t;
    case 'b':
      td_tensor_full(TD_SHAPE(2, 3), TD_VALUE(td_value_double(1)), TD_DTYPE_BOOL, TD_NO_STR, &t, NULL);
      return t;
    case 'i':
      td_tensor_full(TD_SHAPE(2), TD_VALUE(td_value_double(4)), TD_DTYPE_FLOAT64, TD_NO_STR, &t, NULL);
      return t;
    case 'm':
      td_tensor_copy_from(eye, TD_DTYPE_FLOAT64, TD_SHAPE(2, 2), &t, NULL);
      return t;
    case 'r':
      td_tensor_copy_from(half, TD_DTYPE_FLOAT64, TD_SHAPE(2, 3), &t, NULL);
      break;
    case 'l':
      td_tensor_copy_from(half, TD_DTYPE_FLOAT64, TD_SHAPE(2, 1), &t, NULL);
      break;
    case 's':
      td_tensor_copy_from(half, TD_DTYPE_FLOAT64, NULL, 0, &t, NULL);
      break;
    case 'w':
      td_tensor_copy_from(&three, TD_DTYPE_FLOAT64, NULL, 0, &t, NULL);
      break;
    default:
      td_tensor_copy_from(half, TD_DTYPE_FLOAT64, TD_SHAPE(2), &t, NULL);
  }
  if (t && chance(15)) td_tensor_requires_grad_(t, 1, NULL);
  return t;
}

static td_dist *of_family(const struct family *f) {
  td_dist *dist = NULL;
  td_dict *params = NULL;
  td_dict_new(TD_NO_DIMS, NULL, &params, NULL);
  for (size_t i = 0; f->shapes[i]; ++i) put(params, TD_KEY(f->names[i]), parameter(f->shapes[i]));
  td_dist_new(TD_STR(f->type), params, TD_STR(f->config), &dist, NULL);
  td_dict_release(params);
  return dist;
}

static td_dist *composite(void) {
  td_dist *parts[2] = {of_family(&families[0]), of_family(&families[below(30)])}, *dist = NULL;
  const td_str names[] = {TD_STR("x"), TD_STR("y")};
  const td_key keys[] = {{&names[0], 1}, {&names[1], 1}};
  td_dist_composite_of(TD_SHAPE(2), keys, parts, 2, &dist, NULL);
  td_dist_release(parts[0]), td_dist_release(parts[1]);
  return dist;
}

td_dist *make_td_dist(void) {
  td_dist *dist = chance(10) ? composite() : of_family(&ONE_OF(families)), *other = NULL;
  if (chance(10) && td_dist_independent(dist, 1, &other, NULL) == TD_OK) {
    td_dist_release(dist);
    return other;
  }
  if (chance(10) && td_dist_transformed(dist, TD_STR("\"tanh\""), NULL, &other, NULL) == TD_OK) {
    td_dist_release(dist);
    return other;
  }
  return dist;
}

td_transform *make_td_transform(void) {
  static const char *const texts[] = {"\"exp\"",
                                      "\"tanh\"",
                                      "\"sigmoid\"",
                                      "\"softplus\"",
                                      "\"abs\"",
                                      "\"softmax\"",
                                      "\"stick_breaking\"",
                                      "\"lower_cholesky\"",
                                      "\"corr_cholesky\"",
                                      "\"positive_definite\"",
                                      "{\"type\": \"affine\", \"loc\": 1, \"scale\": 2}",
                                      "{\"type\": \"power\", \"exponent\": 2}",
                                      "[\"exp\", {\"type\": \"affine\", \"loc\": 0, \"scale\": 3}]",
                                      "{\"type\": \"stack\", \"of\": [\"exp\", \"tanh\"], \"dim\": 0}"};
  td_transform *t = NULL;
  td_transform_new(TD_STR(ONE_OF(texts)), NULL, &t, NULL);
  return t;
}

/* ---- Modules -------------------------------------------------------------------------------------------------------- */

static td_status twice(void *userdata, td_tensor *const *inputs, size_t n, td_tensor **outputs, size_t n_out,
                       td_error **err) {
  (void)userdata;
  if (n < 1) {
    if (err) *err = td_error_new(TD_ERR_SHAPE, TD_STR("this module takes an input"));
    return TD_ERR_SHAPE;
  }
  td_op *op = NULL;
  td_status s = td_op_find(TD_STR("mul"), TD_STR("Scalar"), &op, err);
  for (size_t i = 0; s == TD_OK && i < n_out; ++i) {
    td_value out;
    s = td_op_call(op, (const td_value[]){td_value_tensor(inputs[0]), td_value_int(2)}, 2, NULL, 0, &out, 1, err);
    if (s == TD_OK) outputs[i] = out.as.tensor;
    for (size_t k = 0; s != TD_OK && k < i; ++k) td_tensor_release(outputs[k]);
  }
  td_op_release(op);
  return s;
}

static td_module *inner(void) {
  static const struct {
    const char *type, *config;
  } types[] = {{"td.linear", "{\"in_features\": 3, \"out_features\": 2}"},
               {"td.linear", "{\"in_features\": 3, \"out_features\": 4}"},
               {"td.relu", "{}"},
               {"td.tanh", "{}"},
               {"td.mlp", "{\"in_features\": 3, \"out_features\": 2, \"hidden\": [4]}"},
               {"td.layer_norm", "{\"normalized_shape\": [3]}"},
               {"td.batch_norm1d", "{\"num_features\": 3}"},
               {"td.normal_param_extractor", "{}"},
               {"td.softmax", "{\"dim\": -1}"},
               {"td.dropout", "{\"p\": 0.5}"},
               {"td.prelu", "{}"},
               {"td.flatten", "{}"}};
  td_module *module = NULL;
  if (chance(15))
    td_module_from_function(TD_CALLBACKS(td_module_function, twice, counted_userdata(), destroy_counted), &module,
                            NULL);
  else {
    const size_t i = below(sizeof types / sizeof *types);
    td_module_new(TD_STR(types[i].type), TD_STR(types[i].config), NULL, &module, NULL);
  }
  return module;
}

static td_module *with_keys(td_module *taken, const char *in, const char *out) {
  td_module *module = NULL;
  td_module_tensordict(taken, TD_KEY(in), 1, TD_KEY(out), 1, NULL, &module, NULL);
  td_module_release(taken);
  return module;
}

td_module *linear(const char *in, const char *out) {
  td_module *module = NULL;
  td_module_new(TD_STR("td.linear"), TD_STR("{\"in_features\": 3, \"out_features\": 3}"), NULL, &module, NULL);
  return with_keys(module, in, out);
}

static td_module *sequence(void) {
  td_module *members[] = {linear("a", "h"), linear("h", "obs")}, *module = NULL;
  td_module_sequential(members, 2, NULL, &module, NULL);
  td_module_release(members[0]), td_module_release(members[1]);
  return module;
}

static td_module *probabilistic(void) {
  static const td_str loc = {"a", TD_STRLEN}, scale = {"scale", TD_STRLEN}, sample = {"sample", TD_STRLEN};
  static const td_str names[] = {{"loc", TD_STRLEN}, {"scale", TD_STRLEN}};
  const td_key in[] = {{&loc, 1}, {&scale, 1}}, out = {&sample, 1};
  td_probabilistic_options options = TD_PROBABILISTIC_OPTIONS_INIT;
  td_module *module = NULL;
  options.param_names = names, options.return_log_prob = (td_bool)below(2);
  td_module_probabilistic(TD_STR("td.normal"), TD_STR("{}"), in, 2, &out, 1, &options, &module, NULL);
  return module;
}

td_module *make_td_module(void) {
  td_module *module = NULL, *of = NULL;
  switch (below(9)) {
    case 0:
    case 1:
      return inner();
    case 2:
      return with_keys(inner(), "a", "obs");
    case 3:
      return sequence();
    case 4:
      return probabilistic();
    case 5:
      of = linear("a", "obs");
      td_module_ensemble(of, 2, chance(50), NULL, &module, NULL);
      td_module_release(of);
      return module;
    case 6: {
      td_dict *params = small_dict(TD_NO_DIMS);
      td_module_from_params(params, &module, NULL);
      td_dict_release(params);
      return module;
    }
    case 7: {
      td_module *members[] = {inner(), inner()};
      (chance(50) ? td_module_chain : td_module_list)(members, 2, NULL, &module, NULL);
      td_module_release(members[0]), td_module_release(members[1]);
      return module;
    }
    default: {
      td_query *query = any_handle(KIND_td_query, "module of");
      td_module_query(query, &module, NULL);
      return module;
    }
  }
}

td_schedule *make_td_schedule(void) {
  td_schedule *schedule = NULL;
  td_optimizer *optimizer = any_handle(KIND_td_optimizer, "scheduled");
  if (!optimizer) return NULL;
  switch (below(5)) {
    case 0:
      td_schedule_new_step(optimizer, 1 + (int64_t)below(3), 0.5, &schedule, NULL);
      break;
    case 1:
      td_schedule_new_multi_step(optimizer, (const int64_t[]){2, 1, 2}, 3, 0.5, &schedule, NULL);
      break;
    case 2:
      td_schedule_new_cosine(optimizer, 1 + (int64_t)below(4), 1e-4, &schedule, NULL);
      break;
    case 3:
      td_schedule_new_linear(optimizer, 0.5, 1, 1 + (int64_t)below(4), &schedule, NULL);
      break;
    default:
      td_schedule_new_one_cycle(optimizer, 0.1, 1 + (int64_t)below(4), NULL, &schedule, NULL);
      break;
  }
  return schedule;
}

td_optimizer *make_td_optimizer(void) {
  td_optimizer *optimizer = NULL;
  td_dict *params = NULL;
  td_module *module = linear("a", "h");
  if (td_dict_from_module(module, &params, NULL) == TD_OK) {
    if (chance(25))
      td_optimizer_sgd(params, NULL, &optimizer, NULL);
    else if (chance(33))
      td_optimizer_adam(params, NULL, &optimizer, NULL);
    else if (chance(50))
      td_optimizer_adamw(params, NULL, &optimizer, NULL);
    else
      td_optimizer_rmsprop(params, NULL, &optimizer, NULL);
  }
  td_dict_release(params), td_module_release(module);
  return optimizer;
}
