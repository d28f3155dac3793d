// Arbitrary bytes for the reader of RunMetadata protobufs.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadRunMetadata)
