// Arbitrary bytes for the reader of training configurations in gin.

#include "frontend/config/read_config.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("run.gin", ReadTrainingGin)
