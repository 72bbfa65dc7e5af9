/* ==== Literals ======================================================================================================
 * Macros and functions for people who write C and C++; other languages have their own. They make keys (TD_PATH makes
 * one from a td_path), shapes and values inside a call. In C these live until the end of the block, and a TD_KEY has at
 * most 8 parts. In C++ they live until the end of the statement and must not be stored in a variable.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_LITERAL_H
#define TENSORDICT_LITERAL_H

#include "dict_data.h"
#include "dict_index.h"
#include "handles.h"
#include "key.h"

#if defined(__cplusplus)
template <size_t N>
struct td_literal_key {
  td_str parts[N];
  td_key key;
  template <class... A>
  explicit td_literal_key(A... part) TD_NOEXCEPT : parts{td_str{part, TD_STRLEN}...}, key{parts, N} {}
  td_literal_key(const td_literal_key &) = delete;
  const td_key *get() const TD_NOEXCEPT { return &key; }
};
template <size_t N>
struct td_literal_dims {
  int64_t dims[N];
};
template <size_t N>
struct td_literal_count {
  char count[N];
};
template <class... A>
td_literal_count<sizeof...(A)> td_literal_count_of(A...);
#define TD_COUNT_(...) sizeof(td_literal_count_of(__VA_ARGS__))
#define TD_KEY(...) (td_literal_key<TD_COUNT_(__VA_ARGS__)>(__VA_ARGS__).get())
#define TD_SHAPE(...) (td_literal_dims<TD_COUNT_(__VA_ARGS__)>{{__VA_ARGS__}}.dims), TD_COUNT_(__VA_ARGS__)
#define TD_STR(text) (td_str{(text), TD_STRLEN})
template <class T>
struct td_literal_one {
  T one;
  const T *get() const TD_NOEXCEPT { return &one; }
};
#define TD_DATA(data) (td_literal_one<td_data>{data}.get())
#define TD_VALUE(value) (td_literal_one<td_value>{value}.get())
#define TD_CALLBACKS(type, ...) (td_literal_one<type>{{sizeof(type), __VA_ARGS__}}.get())
struct td_literal_path {
  td_key key;
  explicit td_literal_path(const td_path *path) TD_NOEXCEPT : key{reinterpret_cast<const td_str *>(path), TD_PREPARED} {
  }
  td_literal_path(const td_literal_path &) = delete;
  const td_key *get() const TD_NOEXCEPT { return &key; }
};
#define TD_PATH(path) (td_literal_path(path).get())
#else
#define TD_PICK_(a, b, c, d, e, f, g, h, n, ...) n
#define TD_COUNT_(...) TD_PICK_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TD_S_(s) \
  { (s), TD_STRLEN }
#define TD_PARTS_1(a) TD_S_(a)
#define TD_PARTS_2(a, ...) TD_S_(a), TD_PARTS_1(__VA_ARGS__)
#define TD_PARTS_3(a, ...) TD_S_(a), TD_PARTS_2(__VA_ARGS__)
#define TD_PARTS_4(a, ...) TD_S_(a), TD_PARTS_3(__VA_ARGS__)
#define TD_PARTS_5(a, ...) TD_S_(a), TD_PARTS_4(__VA_ARGS__)
#define TD_PARTS_6(a, ...) TD_S_(a), TD_PARTS_5(__VA_ARGS__)
#define TD_PARTS_7(a, ...) TD_S_(a), TD_PARTS_6(__VA_ARGS__)
#define TD_PARTS_8(a, ...) TD_S_(a), TD_PARTS_7(__VA_ARGS__)
#define TD_JOIN_(a, b) a##b
#define TD_PARTS_N_(n, ...) TD_JOIN_(TD_PARTS_, n)(__VA_ARGS__)
#define TD_KEY(...) \
  (&(const td_key){(const td_str[]){TD_PARTS_N_(TD_COUNT_(__VA_ARGS__), __VA_ARGS__)}, TD_COUNT_(__VA_ARGS__)})
#define TD_SHAPE(...) ((const int64_t[]){__VA_ARGS__}), (sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
#define TD_STR(text) ((td_str){(text), TD_STRLEN})
#define TD_DATA(data) ((const td_data[]){data})
#define TD_VALUE(value) ((const td_value[]){value})
#define TD_CALLBACKS(type, ...) \
  (&(const type){sizeof(type), __VA_ARGS__}) /* TD_CALLBACKS(td_map_function, fn, u, NULL) */
#define TD_PATH(path) (&(const td_key){(const td_str *)(const void *)(path), TD_PREPARED})
#endif
#define TD_NO_DIMS NULL, 0     /* a shape without dims, and a dict without batch dims */
#define TD_NO_STR TD_STR(NULL) /* absent text: the docs call it NULL data */

/* One component of an index: td[i], td[start:stop], td[start:stop:step], td[t]. */
#define TD_INT(i) \
  { 0, 0, (i), 0, 0, NULL, NULL, 0 }
#define TD_SLICE(start, stop) \
  { 1, 0, (start), (stop), 1, NULL, NULL, 0 }
#define TD_STEP_SLICE(start, stop, step) \
  { 1, 0, (start), (stop), (step), NULL, NULL, 0 }
#define TD_INTS(ints, n) \
  { 5, 0, 0, 0, 0, NULL, (ints), (n) }
#define TD_TENSOR(t) \
  { 4, 0, 0, 0, 0, (t), NULL, 0 }

/* Make values for arguments, which borrow their contents. Functions take pointers to them: TD_DATA(td_data_int(3)),
 * TD_VALUE(td_value_double(0.5)). */
static inline td_data td_data_none(void) {
  td_data d = {TD_DATA_NONE, 0, 0, 0, {NULL, 0}};
  return d;
}
static inline td_data td_data_bool(int truth) {
  td_data d = {TD_DATA_BOOL, 0, 0, 0, {NULL, 0}};
  d.i = truth != 0;
  return d;
}
static inline td_data td_data_int(int64_t i) {
  td_data d = {TD_DATA_INT, 0, 0, 0, {NULL, 0}};
  d.i = i;
  return d;
}
static inline td_data td_data_double(double f) {
  td_data d = {TD_DATA_DOUBLE, 0, 0, 0, {NULL, 0}};
  d.f = f;
  return d;
}
static inline td_data td_data_str(td_str text) {
  td_data d = {TD_DATA_STR, 0, 0, 0, {NULL, 0}};
  d.text = text;
  return d;
}
static inline td_data td_data_bytes(const void *bytes, size_t size) {
  td_data d = {TD_DATA_BYTES, 0, 0, 0, {NULL, 0}};
  d.text.data = (const char *)bytes;
  d.text.size = size;
  return d;
}
static inline td_data td_data_pickle(const void *bytes, size_t size) {
  td_data d = {TD_DATA_PICKLE, 0, -1, 0, {NULL, 0}};
  d.text.data = (const char *)bytes;
  d.text.size = size;
  return d;
}
static inline td_data td_data_json(td_str text) {
  td_data d = {TD_DATA_JSON, 0, 0, 0, {NULL, 0}};
  d.text = text;
  return d;
}

static inline td_value td_value_none(void) {
  td_value v = {TD_VALUE_NONE, 0, 0, {0}};
  return v;
}
static inline td_value td_value_default(void) {
  td_value v = {TD_VALUE_DEFAULT, 0, 0, {0}};
  return v;
}
static inline td_value td_value_int(int64_t i) {
  td_value v = {TD_VALUE_INT, 0, 0, {0}};
  v.as.i = i;
  return v;
}
static inline td_value td_value_double(double f) {
  td_value v = {TD_VALUE_DOUBLE, 0, 0, {0}};
  v.as.f = f;
  return v;
}
static inline td_value td_value_bool(int truth) {
  td_value v = {TD_VALUE_BOOL, 0, 0, {0}};
  v.as.i = truth != 0;
  return v;
}
static inline td_value td_value_dtype(td_dtype dtype) {
  td_value v = {TD_VALUE_DTYPE, 0, 0, {0}};
  v.as.i = dtype;
  return v;
}
static inline td_value td_value_str(td_str text) {
  td_value v = {TD_VALUE_STR, 0, 0, {0}};
  v.as.str = text;
  return v;
}
static inline td_value td_value_strs(const td_str *texts, size_t n) {
  td_value v = {TD_VALUE_STRS, 0, 0, {0}};
  v.size = n;
  v.as.strs = texts;
  return v;
}
static inline td_value td_value_uint(uint64_t u) {
  td_value v = {TD_VALUE_UINT, 0, 0, {0}};
  v.as.u = u;
  return v;
}
static inline td_value td_value_complex(double re, double im) {
  td_value v = {TD_VALUE_COMPLEX, 0, 0, {0}};
  v.as.c.re = re;
  v.as.c.im = im;
  return v;
}
static inline td_value td_value_data(const td_data_list *data) {
  td_value v = {TD_VALUE_DATA, 0, 0, {0}};
  v.as.data = (td_data_list *)data;
  return v;
}
static inline td_value td_value_tensor(const td_tensor *tensor) {
  td_value v = {TD_VALUE_TENSOR, 0, 0, {0}};
  v.as.tensor = (td_tensor *)tensor;
  return v;
}
static inline td_value td_value_ints(const int64_t *ints, size_t n) {
  td_value v = {TD_VALUE_INTS, 0, 0, {0}};
  v.size = n;
  v.as.ints = ints;
  return v;
}
static inline td_value td_value_tensors(td_tensor *const *tensors, size_t n) {
  td_value v = {TD_VALUE_TENSORS, 0, 0, {0}};
  v.size = n;
  v.as.tensors = tensors;
  return v;
}
static inline td_value td_value_generator(td_generator *generator) {
  td_value v = {TD_VALUE_GENERATOR, 0, 0, {0}};
  v.as.generator = generator;
  return v;
}
static inline td_value td_value_dict(const td_dict *dict) {
  td_value v = {TD_VALUE_DICT, 0, 0, {0}};
  v.as.dict = dict;
  return v;
}

#endif /* TENSORDICT_LITERAL_H */
