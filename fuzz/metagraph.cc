// Arbitrary bytes for the reader of MetaGraphDefs.

#include "frontend/tensorflow/read_tensorflow.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("export.meta", ReadMetaGraph)
