// TW_CHECK: a broken promise of this program's own code, never of its input.
// Prints the location and the condition, then aborts.

#pragma once

#include <cstdio>
#include <cstdlib>

#define TW_CHECK(condition)                                                                 \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      std::fprintf(stderr, "%s:%d: internal error: %s does not hold\n", __FILE__, __LINE__, \
                   #condition);                                                             \
      std::abort();                                                                         \
    }                                                                                       \
  } while (false)
