#include "check_schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "text.h"

static void add_sample(text *out, const char *schema);

static double limit(const char *schema, const char *name, double otherwise) {
  char *found = json_member(schema, name);
  double x = found ? strtod(found, NULL) : otherwise;
  free(found);
  return x;
}

static void add_integer(text *out, const char *schema) {
  double least = fmax(limit(schema, "minimum", -1e9), limit(schema, "exclusiveMinimum", -1e9) + 1);
  double most = fmin(limit(schema, "maximum", 1e9), limit(schema, "exclusiveMaximum", 1e9) - 1);
  text_int(out, (int64_t)fmin(fmax(least, 4), most));
}

static void add_number(text *out, const char *schema) {
  double least = fmax(limit(schema, "minimum", -1e9), limit(schema, "exclusiveMinimum", -1e9) + 1e-3);
  double most = fmin(limit(schema, "maximum", 1e9), limit(schema, "exclusiveMaximum", 1e9) - 1e-3);
  text_double(out, fmin(fmax(least, 0.5), most));
}

static void add_array(text *out, const char *schema) {
  char *items = json_member(schema, "items");
  int n = (int)fmin(fmax(limit(schema, "minItems", 2), 1), 16);
  text_str(out, "[");
  for (int i = 0; i < n; ++i) {
    if (i) text_str(out, ",");
    add_sample(out, items ? items : "{\"type\":\"integer\"}");
  }
  text_str(out, "]");
  free(items);
}

// Members that must be there, and none else.
static void add_object(text *out, const char *schema) {
  char *properties = json_member(schema, "properties"), *required = json_member(schema, "required");
  int count = 0;
  text_str(out, "{");
  for (size_t i = 0, n = properties && required ? json_objects(required) : 0; i < n; ++i) {
    char *name = json_element(required, i), *property = json_member(properties, name);
    text_str(out, count++ ? ",\"" : "\"");
    text_str(out, name);
    text_str(out, "\":");
    add_sample(out, property ? property : "{}");
    free(name);
    free(property);
  }
  text_str(out, "}");
  free(properties);
  free(required);
}

static void add_quoted(text *out, const char *s) {
  text_str(out, "\"");
  for (; *s; ++s) {
    if (*s == '"' || *s == '\\') text_str(out, "\\");
    text_add(out, s, 1);
  }
  text_str(out, "\"");
}

static void add_sample(text *out, const char *schema) {
  char *type = json_member(schema, "type"), *choices = json_member(schema, "enum");
  char *kind = type && *type == '[' ? json_element(type, 0) : type ? xcopy(type, strlen(type)) : NULL;
  char *choice = choices ? json_element(choices, 0) : NULL;
  if (choice && kind && strcmp(kind, "string"))
    text_str(out, choice);
  else if (choice || (kind && !strcmp(kind, "string")))
    add_quoted(out, choice ? choice : "x");
  else if (kind && !strcmp(kind, "number"))
    add_number(out, schema);
  else if (kind && !strcmp(kind, "boolean"))
    text_str(out, "true");
  else if (kind && !strcmp(kind, "array"))
    add_array(out, schema);
  else if (kind && !strcmp(kind, "object"))
    add_object(out, schema);
  else
    add_integer(out, schema);
  free(type);
  free(choices);
  free(kind);
  free(choice);
}

char *sample_config(const char *schema) {
  text out = {0};
  add_object(&out, schema);
  return out.data;
}
