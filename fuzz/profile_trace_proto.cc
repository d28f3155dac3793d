// Arbitrary bytes for the reader of Trace protobufs.

#include "fuzz/fuzz_profile.h"

TW_FUZZ_PROFILE(ReadTraceProto)
