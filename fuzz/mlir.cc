// Arbitrary bytes for the reader of StableHLO and MHLO.

#include "frontend/mlir/read_mlir.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("step.mlir", ReadMlir)
