// Arbitrary bytes for the reader of input pipeline analyses.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadInputPipeline)
