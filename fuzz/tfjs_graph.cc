// Arbitrary bytes for the reader of TensorFlow.js graph models.

#include "frontend/tensorflow/read_tensorflow.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("model.json", ReadTfjsGraph)
