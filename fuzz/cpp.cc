// Arbitrary bytes for the reader of C++ sources.

#include "frontend/cpp/read_cpp.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("train.cc", ReadCpp)
