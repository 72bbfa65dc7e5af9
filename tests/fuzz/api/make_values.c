/* Numbers, text, keys and tagged values. Most fit the dict that the call has met last; some are absurd. */
#include <math.h>

#include "api/api.h"
#include "support/children.h"

static int has(const char *text, const char *part) {
  return strstr(text, part) != NULL;
}

/* ---- Numbers -------------------------------------------------------------------------------------------------------- */

/* More elements than there may be memory. The sanitizers allow no limit of memory, but refuse this number at once. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
#define TOO_MANY (INT64_C(1) << 42)
#else
#define TOO_MANY (INT64_C(1) << 31)
#endif

static const int64_t absurd[] = {-1,         INT64_MIN, INT64_MAX,     INT64_C(1) << 40, TOO_MANY, INT32_MIN,
                                 UINT16_MAX, 1 << 20,   INT64_MIN + 1, INT64_MAX - 1,    -1000000, 65};

td_bool pick_bool(const char *of, const char *name) {
  (void)of, (void)name;
  return (td_bool)(pick_wrong() ? 2 + below(254) : below(2));
}

int64_t pick_i64(const char *of, const char *name) {
  int64_t batch[64], n = 0;
  const size_t ndim = of_call ? td_dict_batch_size(of_call, batch, 64) : 0;
  if (pick_wrong() && !has(name, "timeout"))
    n = ONE_OF(absurd);
  else if (has(name, "timeout"))
    n = (int64_t)below(3);
  else if (has(name, "dim") || strcmp(name, "start") == 0 || strcmp(name, "end") == 0)
    n = chance(75) ? between(-(int64_t)ndim, ndim ? (int64_t)ndim - 1 : 0) : between(-3, 3);
  else if (has(name, "capacity"))
    n = chance(50) ? 0 : between(1, 64);
  else
    n = chance(60) ? between(0, 3) : between(-3, 12);
  (void)of;
  if (has(name, "copies") && n > 64 && n < TOO_MANY) n = 64; /* more are made, for minutes */
  say(" %s=%lld", name, (long long)n);
  return n;
}

static int32_t socket_or_file(const char *name) {
  static int32_t ends[2] = {-1, -1}; /* open as long as the child: closed before it counts */
  (void)ends;
  return has(name, "socket") ? -1 : 0;
}

int32_t pick_i32(const char *of, const char *name) {
  if (has(name, "socket") || has(name, "fd")) return pick_wrong() ? 1 << 30 : socket_or_file(name);
  const int32_t n = (int32_t)(pick_wrong() ? ONE_OF(absurd) : has(name, "timeout") ? (int64_t)below(3) : between(0, 9));
  (void)of;
  say(" %s=%d", name, n);
  return n;
}

uint64_t pick_u64(const char *of, const char *name) {
  uint64_t n = below(8);
  if (pick_wrong())
    n = (uint64_t)ONE_OF(absurd);
  else if (has(name, "flags") && has(of, "repr"))
    n = below(1 << 13);
  else if (has(name, "flags"))
    n = below(chance(80) ? 4 : 64);
  say(" %s=%llu", name, (unsigned long long)n);
  return n;
}

size_t pick_size(const char *of, const char *name) {
  (void)of;
  const size_t n = (size_t)(pick_wrong() ? (uint64_t)ONE_OF(absurd) : below(3));
  say(" %s=%zu", name, n);
  return n;
}

double pick_double(const char *of, const char *name) {
  static const double odd[] = {0.0, -0.0, -1.0, 1e308, -1e308, 1.0 / 3, 255.0, 3e9, 1e-310};
  double x = (double)between(0, 20) / 8;
  if (pick_wrong()) x = chance(20) ? (chance(50) ? (double)NAN : (double)INFINITY) : ONE_OF(odd);
  (void)of;
  say(" %s=%g", name, x);
  return x;
}

td_dtype pick_td_dtype(const char *of, const char *name) {
  static const td_dtype usual[] = {TD_DTYPE_FLOAT32, TD_DTYPE_FLOAT32, TD_DTYPE_FLOAT64,
                                   TD_DTYPE_INT64,   TD_DTYPE_BOOL,    TD_DTYPE_NONE};
  const td_dtype dtype = pick_wrong() ? (td_dtype)between(-2, 99)
                         : chance(80) ? ONE_OF(usual)
                                      : (td_dtype)between(0, 16);
  (void)of;
  say(" %s=%d", name, dtype);
  return dtype;
}

int64_t pick_enum(const char *of, const char *name, const int64_t *values, size_t n) {
  const int64_t value = pick_wrong() ? (chance(50) ? -1 : 12345) : values[below(n)];
  (void)of;
  say(" %s=%lld", name, (long long)value);
  return value;
}

size_t pick_count(const char *of, const char *name) {
  int64_t batch[64];
  const size_t ndim = of_call ? td_dict_batch_size(of_call, batch, 64) : below(3);
  const int sizes = has(name, "size") || has(name, "dims") || has(name, "shape") || has(name, "batch") ||
                    has(name, "repeats") || has(name, "names");
  size_t n = sizes && chance(70) ? ndim : below(4);
  if (has(name, "pairs")) n = 2 * ndim;
  if (pick_wrong()) n = chance(50) ? 0 : chance(50) ? 7 : 64 + below(8);
  if (strstr(of, "_functional_call") == NULL && n > 7 && !sizes) n = 7;
  say(" n(%s)=%zu", name, n);
  return n;
}

size_t pick_outputs(const char *of) {
  (void)of;
  return (size_t)(chance(70) ? 1 + below(3) : below(65));
}

size_t pick_struct_size(size_t size) {
  static const size_t wrong[] = {0, 1, 7, 8, 12, SIZE_MAX, (size_t)1 << 40};
  if (!pick_wrong()) return size;
  wrong_size = 1;
  const size_t n = chance(30) ? size + 8 * below(8) : chance(50) ? below(size + 1) : ONE_OF(wrong);
  say(" struct_size=%zu", n);
  return n;
}

size_t pick_filled_size(size_t size) {
  const size_t n = !pick_wrong() ? size : chance(40) ? size + 8 * below(8) : below(size + 1);
  say(" struct_size=%zu", n);
  return n;
}

int pick_null(void) {
  if (!pick_wrong() || chance(50)) return 0;
  say(" null output");
  return 1;
}

int pick_none(const char *type, const char *name) {
  const int options = has(type, "options");
  if (!(options ? chance(40) : pick_wrong() && chance(60))) return 0;
  say(" %s=NULL", name);
  return 1;
}

int pick_this(void) {
  return chance(30);
}

const int64_t *pick_int64s(const char *of, const char *name, size_t n) {
  int64_t *all = keep(160 * sizeof *all), batch[64];
  const size_t ndim = of_call ? td_dict_batch_size(of_call, batch, 64) : 0;
  const uint64_t how = below(6);
  (void)of;
  if (pick_wrong() && chance(30)) {
    say(" %s=NULL", name);
    return NULL;
  }
  const int is_dims = strcmp(name, "dims") == 0 || strcmp(name, "source") == 0 || strcmp(name, "destination") == 0;
  say(" %s={", name);
  for (size_t i = 0; i < 160; ++i) {
    all[i] = between(0, 3);
    if (is_dims && !has(of, "tensor_") && ndim > 0)
      all[i] = how < 4 ? (int64_t)(i % ndim) : between(-(int64_t)ndim, (int64_t)ndim - 1);
    else if (how < 3 && ndim > 0 && i < ndim)
      all[i] = batch[how == 0 ? ndim - 1 - i : i];
    else if (how == 3)
      all[i] = i == 0 ? -1 : 1;
    if (pick_wrong()) all[i] = ONE_OF(absurd);
    if (i < n && i < 10) say("%s%lld", i ? "," : "", (long long)all[i]);
  }
  say("}");
  return all;
}

const int32_t *pick_int32s(const char *of, const char *name, size_t n) {
  int32_t *all = keep((n + 32) * sizeof *all);
  (void)of, (void)name;
  if (chance(30)) return NULL;
  for (size_t i = 0; i < n + 32; ++i) all[i] = pick_wrong() ? (int32_t)ONE_OF(absurd) : chance(70) ? 0 : INT32_MIN;
  return all;
}

const double *pick_doubles(const char *of, const char *name, size_t n) {
  double *all = keep((n + 32) * sizeof *all);
  if (chance(40)) return NULL;
  for (size_t i = 0; i < n + 32; ++i) all[i] = i < 1 ? pick_double(of, name) : 0;
  return all;
}

/* ---- Text ----------------------------------------------------------------------------------------------------------- */

static const char *const words[] = {"a", "b", "c", "n", "x", "word", "w", "obs", "weight", "0"};
static const char *const odd_words[] = {
    "",  ".",    "..",    "a/b",      "/",      "a.b",        "\n",         "\"",          "meta.json", "__x__",
    " ", "\xff", "a\xc3", "\xc3\xa4", "_index", "batch_size", "0123456789", "<NonTensor>", "%s%n",      "{}"};

static td_str text_of(const char *text) {
  td_str s = {text, chance(50) ? TD_STRLEN : strlen(text)};
  return s;
}

/* A long one, one with a NUL inside, none with a size, and those above. */
static td_str wrong_text(void) {
  const uint64_t how = below(8);
  if (how == 0) {
    const size_t size = chance(50) ? 300 : 20000;
    char *many = keep(size + 1);
    memset(many, chance(50) ? 'a' : '/', size);
    return (td_str){many, size};
  }
  if (how == 1) return (td_str){"a\0b", 3};
  if (how == 2) return (td_str){NULL, chance(50) ? 0 : TD_STRLEN};
  return text_of(ONE_OF(odd_words));
}

static td_str own_name(void) {
  char *name = keep(100);
  snprintf(name, 100, "%s%d", child_prefix(), (int)below(6));
  return text_of(name);
}

static td_str a_file(void) {
  static const char *const files[] = {"memmap", "m2",      "f.h5",     "g.h5", "c.safetensors", "d.tdz", "e.pt",
                                      "x/y",    "nothing", "t.memmap", "u",    "q.map",         ".",     "z.tar"};
  return text_of(ONE_OF(files));
}

static const char *name_for(const char *of, const char *name) {
  static const char *const ops[] = {"add",     "aten::mul", "sum",  "cat",   "stack",
                                    "softmax", "sub",       "relu", "where", "sort"};
  static const char *const devices[] = {"cpu", "cpu", "cpu", "cuda:0", "cpu:0", "meta"};
  static const char *const configs[] = {"{}",
                                        "{}",
                                        "{\"validate_args\": false}",
                                        "{\"in_features\": 3, \"out_features\": 2}",
                                        "{\"bits\": 8}",
                                        "{\"seed\": 3}",
                                        "[]",
                                        "{\"dim\": 0}"};
  static const char *const dists[] = {"td.normal", "td.categorical", "td.bernoulli",
                                      "td.beta",   "td.delta",       "td.uniform"};
  static const char *const modules[] = {"td.linear", "td.relu",       "td.tanh",
                                        "td.mlp",    "td.layer_norm", "td.normal_param_extractor"};
  static const char *const hashes[] = {"td.siphash", "td.xxh3", "td.random_projection", "td.binary_to_decimal"};
  static const char *const transforms[] = {"\"exp\"",
                                           "[\"tanh\", \"exp\"]",
                                           "{\"type\": \"affine\", \"loc\": 0, \"scale\": 2}",
                                           "\"softmax\"",
                                           "\"stick_breaking\"",
                                           "{\"type\": \"power\", \"exponent\": 2}",
                                           "{\"type\": \"reshape\", \"in\": [3], \"out\": [3, 1]}",
                                           "[]",
                                           "{\"type\": \"inverse\", \"of\": \"exp\"}",
                                           "\"corr_cholesky\""};
  static const char *const options[] = {"lr", "momentum", "weight_decay", "beta1", "eps", "alpha"};
  static const char *const modes[] = {"mode", "mean", "random", "median", "deterministic"};
  static const char *const features[] = {"segment", "cuda", "hdf5", "archive"};
  static const char *const members[] = {"p", "q", "m", "weight", "bias", "0", "1"};
  static const char *const dims[] = {"rows", "two", "time", "batch"};
  static const char *const ids[] = {"fuzz.one", "fuzz.two", "td.siphash", "td.normal", "fuzz"};
  if (has(name, "device")) return ONE_OF(devices);
  if (has(name, "config") || has(name, "schema")) return ONE_OF(configs);
  if (has(name, "transform")) return ONE_OF(transforms);
  if (has(name, "type"))
    return has(of, "hash") || has(of, "query") ? ONE_OF(hashes)
           : has(of, "module_create")          ? ONE_OF(modules)
                                               : ONE_OF(dists);
  if (strcmp(name, "id") == 0) return ONE_OF(ids);
  if (strcmp(name, "separator") == 0) return chance(60) ? "." : chance(50) ? "/" : "::";
  if (strcmp(name, "overload") == 0) return chance(60) ? "" : "Tensor";
  if (has(of, "td_op_find")) return ONE_OF(ops);
  if (has(of, "td_optimizer")) return ONE_OF(options);
  if (has(of, "td_interaction")) return ONE_OF(modes);
  if (has(of, "feature")) return ONE_OF(features);
  if (has(of, "td_module_") || strcmp(name, "names") == 0) return chance(70) ? ONE_OF(members) : ONE_OF(dims);
  if (has(of, "names") || strcmp(name, "from") == 0 || strcmp(name, "to") == 0) return ONE_OF(dims);
  return ONE_OF(words);
}

static td_str a_repr(void) {
  td_dict *dict = any_handle(KIND_td_dict, "parsed");
  td_string *text = NULL;
  if (!dict || td_dict_repr(dict, 0, &text, NULL) != TD_OK) return text_of("TensorDict(fields={})");
  adopt(KIND_td_string, text);
  const td_str view = td_string_view(text);
  char *copy = keep(view.size + 1);
  memcpy(copy, view.data, view.size);
  if (chance(30) && view.size) copy[below(view.size)] = (char)below(256);
  return (td_str){copy, view.size};
}

static const char *const json_objects[] = {"{}", "{\"a\": {\"b\": 1}, \"c\": [1, {}], \"d\": null}",
                                           "{\"x\": 1e400, \"y\": \"\\u0000\"}"};
static const char *const json_lists[] = {"[]", "[{\"a\": 1}, {\"b\": {\"c\": true}}]", "[{}, 1]"};

void fill_td_str(td_str *s, const char *of, const char *name) {
  const int names_of_ours = has(of, "td_segment_") || has(of, "td_channel_") || has(of, "td_query_");
  if (names_of_ours && (strcmp(name, "name") == 0 || strcmp(name, "prefix") == 0) && !pick_wrong())
    *s = own_name();
  else if (strcmp(name, "id") == 0 && pick_wrong()) /* what is registered has a name that is known in the end */
    *s = text_of(chance(50) ? "" : "\xff");
  else if (pick_wrong() && strcmp(name, "prefix") != 0 && strcmp(name, "id") != 0)
    *s = wrong_text();
  else if (strcmp(name, "prefix") == 0)
    *s = has(of, "td_segment_") ? own_name() : text_of(chance(60) ? "" : "m.");
  else if (strcmp(name, "path") == 0 || strcmp(name, "directory") == 0 || strcmp(name, "file") == 0)
    *s = a_file();
  else if (strcmp(name, "text") == 0)
    *s = a_repr();
  else if (strcmp(name, "json") == 0)
    *s = text_of(has(of, "list") ? ONE_OF(json_lists) : ONE_OF(json_objects));
  else if ((has(name, "device") || strcmp(name, "overload") == 0 || strcmp(name, "version") == 0 ||
            strcmp(name, "schema") == 0) &&
           chance(60))
    *s = (td_str){NULL, 0};
  else
    *s = text_of(name_for(of, name));
  if (!s->data)
    say(" %s=NULL", name);
  else
    say(" %s=\"%.*s\"", name, (int)(s->size == TD_STRLEN ? strlen(s->data) : s->size > 60 ? 60 : s->size), s->data);
}

/* ---- Keys ----------------------------------------------------------------------------------------------------------- */

static int key_of_dict(td_key *key) {
  td_keys *keys = NULL;
  if (!of_call || td_dict_keys(of_call, chance(50) ? TD_KEYS_NESTED : 0, &keys, NULL) != TD_OK) return 0;
  td_key one;
  const size_t n = td_keys_size(keys);
  const int found = n > 0 && td_keys_get(keys, below(n), &one, NULL) == TD_OK;
  if (found) {
    td_str *parts = keep(one.n * sizeof *parts);
    for (size_t i = 0; i < one.n; ++i) {
      char *copy = keep(one.parts[i].size + 1);
      memcpy(copy, one.parts[i].data, one.parts[i].size);
      parts[i] = (td_str){copy, one.parts[i].size};
    }
    *key = (td_key){parts, one.n};
  }
  td_keys_release(keys);
  return found;
}

void fill_td_key(td_key *key, const char *of, const char *name) {
  (void)of;
  say(" %s=(", name);
  if (pick_wrong() && chance(40)) {
    const size_t n = chance(40) ? 0 : chance(50) ? 300 : 2;
    td_str *parts = n == 2 ? NULL : keep((n + 1) * sizeof *parts);
    for (size_t i = 0; parts && i < n; ++i) parts[i] = text_of("d");
    *key = (td_key){parts, n};
    say("%zu parts%s)", n, parts ? "" : " at NULL");
    return;
  }
  if (strcmp(name, "path") != 0 && chance(10)) { /* a path is made of a key */
    const td_path *path = any_handle(KIND_td_path, name);
    *key = (td_key){(const td_str *)(const void *)path, TD_PREPARED};
    say("%s)", path ? "a path" : "no path");
    return;
  }
  if (!chance(65) || !key_of_dict(key)) {
    const size_t n = chance(75) ? 1 : 2 + below(2);
    td_str *parts = keep(n * sizeof *parts);
    for (size_t i = 0; i < n; ++i) parts[i] = pick_wrong() ? wrong_text() : text_of(ONE_OF(words));
    *key = (td_key){parts, n};
  }
  for (size_t i = 0; i < key->n && i < 6; ++i) {
    const td_str p = key->parts[i];
    say(p.data ? "\"%.*s\"," : "NULL,",
        p.data ? (int)(p.size == TD_STRLEN ? strlen(p.data)
                       : p.size > 40       ? 40
                                           : p.size)
               : 0,
        p.data);
  }
  say(")");
}

/* ---- Values --------------------------------------------------------------------------------------------------------- */

void fill_td_value(td_value *v, const char *of, const char *name) {
  memset(v, 0, sizeof *v);
  v->kind = (td_value_kind)(pick_wrong() ? between(-1, 20)
                                         : ONE_OF(((const int[]){2, 2, 2, 3, 4, 5, 14, 14, 0, 1, 8, 15, 16, 18})));
  if (strstr(of, "pointwise") || strstr(of, "apply_op")) v->kind = chance(60) ? TD_VALUE_DICT : v->kind;
  if (strstr(name, "fill")) v->kind = TD_VALUE_INT;
  if (strcmp(name, "value") == 0 && !pick_wrong())
    v->kind = (td_value_kind)ONE_OF(
        ((const int[]){TD_VALUE_INT, TD_VALUE_DOUBLE, TD_VALUE_BOOL, TD_VALUE_UINT, TD_VALUE_COMPLEX}));
  if (strstr(name, "operands") && chance(30)) v->kind = TD_VALUE_TENSOR;
  v->reserved = pick_wrong() && chance(20);
  switch (v->kind) {
    case TD_VALUE_TENSOR:
      v->as.tensor = any_handle(KIND_td_tensor, name);
      break;
    case TD_VALUE_DOUBLE:
      v->as.f = pick_double(of, name);
      break;
    case TD_VALUE_STR:
      fill_td_str(&v->as.str, of, name);
      break;
    case TD_VALUE_STRS: {
      td_str *all = keep(3 * sizeof *all);
      v->size = below(4);
      for (size_t i = 0; i < v->size; ++i) fill_td_str(&all[i], of, name);
      v->as.strs = all;
      break;
    }
    case TD_VALUE_UINT:
      v->as.u = chance(70) ? below(300) : (uint64_t)pick_i64(of, name);
      break;
    case TD_VALUE_COMPLEX:
      v->as.c = (td_complex){pick_double(of, name), chance(50) ? 0 : pick_double(of, name)};
      break;
    case TD_VALUE_DATA:
      v->as.data = any_handle(KIND_td_data_list, name);
      break;
    case TD_VALUE_INTS:
      v->size = pick_count(of, name);
      v->as.ints = pick_int64s(of, name, v->size);
      break;
    case TD_VALUE_DOUBLES: {
      v->size = below(3);
      v->as.doubles = pick_doubles(of, name, v->size);
      break;
    }
    case TD_VALUE_BOOLS:
      v->size = below(3);
      v->as.bools = keep(8);
      break;
    case TD_VALUE_TENSORS: {
      td_tensor **all = keep(4 * sizeof *all);
      v->size = below(4);
      for (size_t i = 0; i < v->size; ++i) all[i] = any_handle(KIND_td_tensor, name);
      v->as.tensors = all;
      break;
    }
    case TD_VALUE_TENSOR_LIST:
      v->as.list = any_handle(KIND_td_tensor_list, name);
      break;
    case TD_VALUE_GENERATOR:
      v->as.generator = any_handle(KIND_td_generator, name);
      break;
    case TD_VALUE_DICT:
      v->as.dict = any_handle(KIND_td_dict, name);
      break;
    case TD_VALUE_DTYPE:
      v->as.i = pick_td_dtype(of, name);
      break;
    case TD_VALUE_INT:
    case TD_VALUE_BOOL:
      v->as.i = v->kind == TD_VALUE_BOOL ? (int64_t)below(2) : pick_i64(of, name);
      break;
    default:
      break;
  }
  say(" kind%d", v->kind);
}

void fill_td_named_value(td_named_value *v, const char *of, const char *name) {
  static const char *const names[] = {"dim", "keepdim", "alpha", "other", "self", "dtype"};
  v->name = pick_wrong() ? wrong_text() : text_of(ONE_OF(names));
  fill_td_value(&v->value, of, name);
}

void fill_td_data(td_data *d, const char *of, const char *name) {
  static const char *const json[] = {"[1, 2]", "{\"a\": [1]}", "12345678901234567890123", "[", "{}"};
  memset(d, 0, sizeof *d);
  d->kind = (td_data_kind)(pick_wrong() ? between(-1, 9) : between(0, 7));
  d->i = d->kind == TD_DATA_BOOL ? (int64_t)below(2) : d->kind == TD_DATA_PICKLE ? -1 : between(-9, 9);
  if (d->kind != TD_DATA_INT && d->kind != TD_DATA_BOOL && d->kind != TD_DATA_PICKLE) d->i = 0;
  if (d->kind == TD_DATA_DOUBLE) d->f = pick_double(of, name);
  if (d->kind == TD_DATA_STR) d->text = pick_wrong() ? wrong_text() : text_of(ONE_OF(words));
  if (d->kind == TD_DATA_JSON) d->text = text_of(ONE_OF(json));
  if (d->kind == TD_DATA_BYTES || d->kind == TD_DATA_PICKLE) d->text = (td_str){"\x80\x04N.", 4};
  d->reserved = pick_wrong() && chance(20);
  say(" %s=data%d:%lld", name, d->kind, (long long)d->i);
}

void fill_td_index(td_index *x, const char *of, const char *name) {
  memset(x, 0, sizeof *x);
  x->kind = (td_index_kind)(pick_wrong() ? between(-1, 7) : between(0, 5));
  x->start = pick_i64(of, name);
  x->stop = chance(40) ? TD_END : pick_i64(of, name);
  x->step = chance(70) ? 1 : pick_i64(of, name);
  if (x->kind == TD_INDEX_KIND_INT || x->kind == TD_INDEX_KIND_SLICE) x->tensor = NULL;
  if (x->kind == TD_INDEX_KIND_TENSOR) x->tensor = any_handle(KIND_td_tensor, name);
  if (x->kind == TD_INDEX_KIND_INTS) {
    x->n = pick_count(of, name);
    x->ints = pick_int64s(of, name, x->n);
  }
  if (x->kind != TD_INDEX_KIND_INT && x->kind != TD_INDEX_KIND_SLICE && !pick_wrong()) x->start = 0;
  if (x->kind != TD_INDEX_KIND_SLICE && !pick_wrong()) x->stop = x->step = 0;
  say(" index%d", x->kind);
}
