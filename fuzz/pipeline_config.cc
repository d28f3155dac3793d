// Arbitrary bytes for the reader of pipeline.config files.

#include "frontend/config/read_config.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("pipeline.config", ReadPipelineConfig)
