// Arbitrary bytes for the reader of XSpace protobufs.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadXSpace)
