// Arbitrary bytes for the reader of Keras models in HDF5.

#include "frontend/files/keras_files.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("model.h5", ReadKerasH5)
