// Arbitrary bytes for the reader of Python scripts.

#include "frontend/python/read_python.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("train.py", ReadPython)
