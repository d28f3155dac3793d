// Arbitrary bytes for the reader of the JSON of XProf's tools.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadToolJson)
