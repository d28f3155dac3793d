// Arbitrary bytes for the reader of logs of MLPerf.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadMlperfLog)
