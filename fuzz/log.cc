// Arbitrary bytes for the reader of logs of runs.

#include "frontend/logs/read_log.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("run.log", ReadLog)
