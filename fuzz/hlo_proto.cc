// Arbitrary bytes for the reader of XLA modules as protobufs.

#include "frontend/files/hlo_files.h"
#include "fuzz/fuzz_reader.h"

TW_FUZZ_READER("step.hlo.pb", ReadHloProto)
