// Arbitrary bytes for the reader of logs of the compiler.

#include "frontend/files/compile_log.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("run.log", ReadCompileLog)
