/* ==== Version =======================================================================================================
 * The version of this header, and what stands around every declaration.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_BASE_H
#define TENSORDICT_BASE_H

#include <stddef.h>
#include <stdint.h>

#define TD_VERSION_MAJOR 0
#define TD_VERSION_MINOR 1
#define TD_VERSION_PATCH 0
#define TD_ABI_MAJOR 1

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

/* What a pointer may be, for people and for programs that read the header; C ignores it. A pointer without any of these
 * is not NULL and points to one object, which is borrowed for the call and only read. What is written through begins
 * with `out`, or is a non-const `self`. An array stands before the number of its elements, and may be NULL if that is
 * 0. */
#define TD_NULLABLE     /* NULL is allowed: none is given, or an output is not wanted */
#define TD_OUT_NULLABLE /* what is written may be NULL: there is none */
#define TD_KEEPS        /* it is in use after the call too, by `self` or what is made: later changes of it show there */
#define TD_WRITES       /* the call changes the object */
#define TD_TAKES        /* it is given away, also if the call fails */
#define TD_LEN(n)       /* an array of so many elements; with the name of dims, of their product */

#endif /* TENSORDICT_BASE_H */
