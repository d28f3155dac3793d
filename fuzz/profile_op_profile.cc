// Arbitrary bytes for the reader of op profiles.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadOpProfile)
