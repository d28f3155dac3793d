// Arbitrary bytes for the reader of Keras models as JSON.

#include "frontend/keras/read_json.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("model.json", ReadKerasJson)
