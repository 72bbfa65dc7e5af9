/* `throw 42;` from C, through the C++ run time that the library has loaded. */
#ifndef TESTS_THROW_INT_H
#define TESTS_THROW_INT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stddef.h>

static void throw_int(void) {
  void *(*allocate)(size_t);
  void (*raise)(void *, void *, void (*)(void *));
  *(void **)&allocate = dlsym(RTLD_DEFAULT, "__cxa_allocate_exception");
  *(void **)&raise = dlsym(RTLD_DEFAULT, "__cxa_throw");
  int *value = allocate(sizeof *value);
  *value = 42;
  raise(value, dlsym(RTLD_DEFAULT, "_ZTIi"), NULL);
}

#endif
