// Elements of tensors and non-tensor values, as text and as JSON.
#ifndef CLI_VALUE_H
#define CLI_VALUE_H

#include <stdio.h>

#include "tensordict.h"
#include "text.h"

// The elements of a tensor row-major in this process's memory; what `*bytes` points to lives as long as `*held`.
td_status dense_bytes(const td_tensor *t, td_tensor **held, const char **bytes, td_error **err);

// One element at `p`; complex numbers as "1.0+2.0j" and as [1.0, 2.0].
void element_text(text *t, td_dtype dtype, const char *p);
void element_json(FILE *out, td_dtype dtype, const char *p);

// Real and imaginary part of any dtype, as far as a double holds them.
void element_number(td_dtype dtype, const char *p, double number[2]);

// One value; of a file that keeps NumPy values also their type, as Python shows them.
void data_json(FILE *out, const td_data *value, int numpy);
void data_text(text *t, const td_data *value, size_t width);

// All of them: one value, or lists nested as the shape says.
void data_list_json(FILE *out, const td_data_list *list, int numpy);
void data_list_text(text *t, const td_data_list *list, size_t width);

#endif
