// Arbitrary bytes for the reader of Keras 3 archives.

#include "frontend/files/keras_files.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("model.keras", ReadKerasZip)
