/* What the config of a bundled type may be, in a few words: these macros write the JSON Schema that the host checks.
 *
 *     static const td_str schemas[] = {SCHEMA(WHOLE("features", 1) "," FLAG("bias", "true"), "\"features\"")};
 *
 * Members have a default in the schema, or they are required.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TD_BUNDLED_SCHEMA_H
#define TD_BUNDLED_SCHEMA_H

#include "tensordict_plugin.h"

#define SCHEMA(members, required) \
  TD_TEXT("{\"type\":\"object\",\"properties\":{" members "},\"required\":[" required "]}")
#define NO_CONFIG TD_TEXT("{\"type\":\"object\",\"properties\":{}}")

#define MEMBER(name, rules) "\"" name "\":{" rules "}"
#define DEFAULT(value) ",\"default\":" value

/* Integers, one number or a list of them, numbers, true or false, one of some words. */
#define ANY_WHOLE(name, otherwise) MEMBER(name, "\"type\":\"integer\"" DEFAULT(otherwise))
#define WHOLE(name, least) MEMBER(name, "\"type\":\"integer\",\"minimum\":" #least)
#define WHOLE_OR(name, least, otherwise) MEMBER(name, "\"type\":\"integer\",\"minimum\":" #least DEFAULT(otherwise))
#define LIST_OF(least) "\"items\":{\"type\":\"integer\",\"minimum\":" #least "}"
#define SIZES(name, least) MEMBER(name, "\"type\":[\"integer\",\"array\"],\"minimum\":" #least "," LIST_OF(least))
#define SIZES_OR(name, least, otherwise) \
  MEMBER(name, "\"type\":[\"integer\",\"array\"],\"minimum\":" #least "," LIST_OF(least) DEFAULT(otherwise))
#define NUMBER_IN(name, otherwise) MEMBER(name, "\"type\":\"number\"" DEFAULT(otherwise))
#define BETWEEN(name, least, most, otherwise) \
  MEMBER(name, "\"type\":\"number\",\"minimum\":" #least ",\"maximum\":" #most DEFAULT(otherwise))
#define FLAG(name, otherwise) MEMBER(name, "\"type\":\"boolean\"" DEFAULT(otherwise))
#define WORD(name, words) MEMBER(name, "\"enum\":[" words "]")

#endif
