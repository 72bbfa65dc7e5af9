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

#endif /* TENSORDICT_BASE_H */
