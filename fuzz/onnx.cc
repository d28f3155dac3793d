// Arbitrary bytes for the reader of ONNX models.

#include "frontend/onnx/read_onnx.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("model.onnx", ReadOnnx)
