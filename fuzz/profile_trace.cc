// Arbitrary bytes for the reader of Chrome traces.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadChromeTrace)
