#include "value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

td_status dense_bytes(const td_tensor *t, td_tensor **held, const char **bytes, td_error **err) {
  td_tensor *here, *dense = NULL;
  const void *data;
  td_status status = td_tensor_to(t, TD_DTYPE_NONE, TD_STR("cpu"), &here, err);
  if (status != TD_OK) return status;
  status = td_tensor_contiguous(here, &dense, err);
  td_tensor_release(here);
  if (status == TD_OK) status = td_tensor_data(dense, &data, err);
  if (status != TD_OK) {
    td_tensor_release(dense);
    return status;
  }
  *held = dense;
  *bytes = data;
  return TD_OK;
}

static float from_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static float from_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  if (exponent == 31) return from_bits(sign | 0x7f800000 | fraction << 13);
  if (exponent) return from_bits(sign | (exponent + 112) << 23 | fraction << 13);
  return from_bits(sign | 0x33800000) * (float)fraction;  // 2^-24 a step
}

static float narrow_float(td_dtype dtype, const char *p) {
  uint16_t half;
  float f;
  if (dtype == TD_DTYPE_FLOAT32) {
    memcpy(&f, p, sizeof f);
    return f;
  }
  memcpy(&half, p, sizeof half);
  return dtype == TD_DTYPE_BFLOAT16 ? from_bits((uint32_t)half << 16) : from_half(half);
}

static double wide_float(const char *p) {
  double f;
  memcpy(&f, p, sizeof f);
  return f;
}

static int64_t integer(td_dtype dtype, const char *p) {
  uint64_t u = 0;
  memcpy(&u, p,
         dtype == TD_DTYPE_UINT8 || dtype == TD_DTYPE_INT8     ? 1
         : dtype >= TD_DTYPE_FLOAT8_E4M3FN                     ? 1  // floats of 8 bits are shown as their byte
         : dtype == TD_DTYPE_UINT16 || dtype == TD_DTYPE_INT16 ? 2
         : dtype == TD_DTYPE_UINT32 || dtype == TD_DTYPE_INT32 ? 4
                                                               : 8);
  switch (dtype) {
    case TD_DTYPE_INT8:
      return (int8_t)u;
    case TD_DTYPE_INT16:
      return (int16_t)u;
    case TD_DTYPE_INT32:
      return (int32_t)u;
    default:
      return (int64_t)u;
  }
}

// The dtype of the two halves of a complex number; NONE for other dtypes.
static td_dtype part_of(td_dtype dtype) {
  return dtype == TD_DTYPE_COMPLEX32    ? TD_DTYPE_FLOAT16
         : dtype == TD_DTYPE_COMPLEX64  ? TD_DTYPE_FLOAT32
         : dtype == TD_DTYPE_COMPLEX128 ? TD_DTYPE_FLOAT64
                                        : TD_DTYPE_NONE;
}

static size_t part_size(td_dtype part) {
  return part == TD_DTYPE_FLOAT16 ? 2 : part == TD_DTYPE_FLOAT32 ? 4 : 8;
}

static int is_float(td_dtype dtype) {
  return dtype >= TD_DTYPE_FLOAT16 && dtype <= TD_DTYPE_FLOAT64;
}

void element_text(text *t, td_dtype dtype, const char *p) {
  td_dtype part = part_of(dtype);
  if (part) {
    element_text(t, part, p);
    double imaginary[2];
    element_number(part, p + part_size(part), imaginary);
    if (!(imaginary[0] < 0) && !(imaginary[0] == 0 && 1 / imaginary[0] < 0)) text_str(t, "+");
    element_text(t, part, p + part_size(part));
    text_str(t, "j");
  } else if (dtype == TD_DTYPE_BOOL) {
    text_str(t, *p ? "true" : "false");
  } else if (dtype == TD_DTYPE_FLOAT64) {
    text_double(t, wide_float(p));
  } else if (is_float(dtype)) {
    text_float(t, narrow_float(dtype, p));
  } else if (dtype == TD_DTYPE_UINT64) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, (uint64_t)integer(dtype, p));
    text_str(t, digits);
  } else {
    text_int(t, integer(dtype, p));
  }
}

void element_json(FILE *out, td_dtype dtype, const char *p) {
  td_dtype part = part_of(dtype);
  if (part) {
    putc('[', out);
    element_json(out, part, p);
    fputs(", ", out);
    element_json(out, part, p + part_size(part));
    putc(']', out);
  } else {
    text t = {0};
    element_text(&t, dtype, p);
    int odd = is_float(dtype) && !strpbrk(t.data, "0123456789");
    fprintf(out, odd ? "\"%s\"" : "%s", t.data);
    text_clear(&t);
  }
}

void element_number(td_dtype dtype, const char *p, double number[2]) {
  td_dtype part = part_of(dtype);
  number[1] = 0;
  if (part) {
    double imaginary[2];
    element_number(part, p, number);
    element_number(part, p + part_size(part), imaginary);
    number[1] = imaginary[0];
  } else if (dtype == TD_DTYPE_FLOAT64) {
    number[0] = wide_float(p);
  } else if (is_float(dtype)) {
    number[0] = (double)narrow_float(dtype, p);
  } else if (dtype == TD_DTYPE_BOOL) {
    number[0] = *p != 0;
  } else if (dtype == TD_DTYPE_UINT64) {
    number[0] = (double)(uint64_t)integer(dtype, p);
  } else {
    number[0] = (double)integer(dtype, p);
  }
}
