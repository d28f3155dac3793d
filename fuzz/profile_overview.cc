// Arbitrary bytes for the reader of overview pages.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadOverviewPage)
