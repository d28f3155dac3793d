// Arbitrary bytes for the reader of device memory profiles.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadMemoryPprof)
