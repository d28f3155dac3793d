// Arbitrary bytes for the reader of statistics of TensorFlow ops.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadTfStats)
