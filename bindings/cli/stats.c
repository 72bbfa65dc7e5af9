#include "stats.h"

#include <math.h>

#include "cli.h"
#include "json.h"
#include "value.h"

stats stats_of(const item *leaf) {
  td_tensor *t, *held;
  td_error *err = NULL;
  const char *bytes;
  stats s = {0};
  check(tree_tensor(leaf, &t, &err), &err);
  check(dense_bytes(t, &held, &bytes, &err), &err);
  td_tensor_release(t);
  size_t size = td_dtype_size(leaf->dtype);
  s.numbers = size && leaf->dtype < TD_DTYPE_COMPLEX32;
  s.count = size ? td_tensor_nbytes(held) / (int64_t)size : 0;
  double number[2], sum = 0, lost = 0;
  for (int64_t i = 0; s.numbers && i < s.count; ++i, bytes += size) {
    element_number(leaf->dtype, bytes, number);
    double x = number[0];
    s.nans += isnan(x) != 0;
    s.infinities += isinf(x) != 0;
    if (!isfinite(x)) continue;
    if (!s.finite || x < s.low) s.low = x;
    if (!s.finite || x > s.high) s.high = x;
    ++s.finite;
    // Kahan's sum: a billion small numbers add up to what they are.
    double more = x - lost, next = sum + more;
    lost = (next - sum) - more;
    sum = next;
  }
  s.mean = s.finite ? sum / (double)s.finite : 0;
  td_tensor_release(held);
  return s;
}

void stats_text(text *t, const stats *s) {
  if (!s->numbers || !s->count) return;
  if (s->finite) {
    text_str(t, "min ");
    text_double(t, s->low);
    text_str(t, "  max ");
    text_double(t, s->high);
    text_str(t, "  mean ");
    text_float(t, (float)s->mean);
  }
  text_str(t, s->finite ? "  nan " : "nan ");
  text_int(t, s->nans);
  if (s->infinities) {
    text_str(t, "  inf ");
    text_int(t, s->infinities);
  }
}

static void number(FILE *out, int *count, const char *name, const stats *s, double x) {
  json_key(out, count, name);
  if (s->finite)
    json_double(out, x);
  else
    fputs("null", out);
}

void stats_json(FILE *out, const stats *s) {
  int count = 0;
  if (!s->numbers) {
    fputs("null", out);
    return;
  }
  putc('{', out);
  number(out, &count, "min", s, s->low);
  number(out, &count, "max", s, s->high);
  number(out, &count, "mean", s, s->mean);
  json_key(out, &count, "nan");
  fprintf(out, "%lld", (long long)s->nans);
  json_key(out, &count, "inf");
  fprintf(out, "%lld", (long long)s->infinities);
  putc('}', out);
}
