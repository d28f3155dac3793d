// Arbitrary bytes for the reader of SavedModels.

#include "frontend/tensorflow/read_tensorflow.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("saved_model.pb", ReadSavedModel)
