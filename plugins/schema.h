/* What the config of a bundled type may be, in a few words: these macros write the JSON Schema that the host checks.
 *
 *     static const td_str schemas[] = {SCHEMA(REQUIRED("features"), WHOLE("features", 1), FLAG("bias", true))};
 *
 * Members have a default in the schema, or they are required. JSON stands here as it is, and the preprocessor makes text
 * of it; so do not include <stdbool.h>, whose `true` is a number.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TD_BUNDLED_SCHEMA_H
#define TD_BUNDLED_SCHEMA_H

#include "tensordict_plugin.h"

/* clang-format off */
#define JSON_TEXT(...) #__VA_ARGS__
#define JSON(...) TD_TEXT(JSON_TEXT(__VA_ARGS__))

#define SCHEMA(required, ...) JSON({"type": "object", "properties": {__VA_ARGS__}, "required": required})
#define REQUIRED(...) [__VA_ARGS__]
#define NO_CONFIG JSON({"type": "object", "properties": {}})

#define MEMBER(name, ...) name: {__VA_ARGS__}

/* Integers, one number or a list of them, numbers, true or false, one of some words. */
#define ANY_WHOLE(name, otherwise) MEMBER(name, "type": "integer", "default": otherwise)
#define WHOLE(name, least) MEMBER(name, "type": "integer", "minimum": least)
#define WHOLE_OR(name, least, otherwise) MEMBER(name, "type": "integer", "minimum": least, "default": otherwise)
#define LIST_OF(least) "items": {"type": "integer", "minimum": least}
#define SIZES(name, least) MEMBER(name, "type": ["integer", "array"], "minimum": least, LIST_OF(least))
#define SIZES_OR(name, least, otherwise) \
  MEMBER(name, "type": ["integer", "array"], "minimum": least, LIST_OF(least), "default": otherwise)
#define NUMBER_IN(name, otherwise) MEMBER(name, "type": "number", "default": otherwise)
#define BETWEEN(name, least, most, otherwise) \
  MEMBER(name, "type": "number", "minimum": least, "maximum": most, "default": otherwise)
#define FLAG(name, otherwise) MEMBER(name, "type": "boolean", "default": otherwise)
#define ONE_OF(name, ...) MEMBER(name, "enum": [__VA_ARGS__])
/* clang-format on */

#endif
