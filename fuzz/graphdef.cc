// Arbitrary bytes for the reader of GraphDefs.

#include "frontend/tensorflow/read_tensorflow.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("graph.pb", ReadGraphDef)
