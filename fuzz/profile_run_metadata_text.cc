// Arbitrary bytes for the reader of RunMetadata as text.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadRunMetadataText)
