// Arbitrary bytes for the reader of notebooks.

#include "frontend/python/read_python.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("train.ipynb", ReadNotebook)
