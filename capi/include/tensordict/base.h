/* ==== Version =======================================================================================================
 * The version of this header, and the macros around every declaration.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_BASE_H
#define TENSORDICT_BASE_H

#include <stddef.h>
#include <stdint.h>

#define TD_VERSION_MAJOR 0
#define TD_VERSION_MINOR 2
#define TD_VERSION_PATCH 0
#define TD_ABI_MAJOR 2

#if defined(_WIN32)
#if defined(TD_BUILDING)
#define TD_API __declspec(dllexport)
#else
#define TD_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TD_API __attribute__((visibility("default")))
#else
#define TD_API
#endif

#if defined(__cplusplus)
#define TD_NOEXCEPT noexcept
#else
#define TD_NOEXCEPT
#endif

/* Marks that describe pointers, for people and for programs that read the header; C ignores them. A pointer without a
 * mark must not be NULL and points to one object, which is borrowed for the call and only read. Pointers that are
 * written through have names that begin with `out`, or are a non-const `self`. An array is followed by the number of
 * its elements, and may be NULL if that number is 0. */
#define TD_NULLABLE     /* NULL is allowed: nothing is given, or the output is not wanted */
#define TD_OUT_NULLABLE /* the written pointer may be NULL: there is none */
#define TD_KEEPS        /* `self` or the result keeps using it after the call: later changes of it show there */
#define TD_WRITES       /* the call changes the object */
#define TD_TAKES        /* the call takes it over, also if it fails */
#define TD_LEN(n)       /* an array of n elements; if n names dims, of their product */

/* The bytes of a struct that later versions may use, in its TD_..._INIT. */
#define TD_RESERVED \
  { 0 }

#endif /* TENSORDICT_BASE_H */
