// A config that a type's schema takes, so that its instances can be tested without anybody's help.
#ifndef CLI_CHECK_SCHEMA_H
#define CLI_CHECK_SCHEMA_H

#include "cli.h"

char *sample_config(const char *schema);  // owned

#endif
