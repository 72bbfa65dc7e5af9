// Reads the flat JSON that the library reports about itself with: objects of strings, numbers and lists.
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stddef.h>

// The value of a member of the first object in `json`: a string without quotes and escapes, anything else as it stands.
// Owned; NULL if there is none.
char *json_member(const char *json, const char *name);

// The number of objects in an array, and the text of one; owned, NULL if there are fewer.
size_t json_objects(const char *json);
char *json_object(const char *json, size_t index);

// An element of an array, as json_member gives values; owned, NULL if there are fewer.
char *json_element(const char *json, size_t index);

#endif
