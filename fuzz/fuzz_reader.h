// A libFuzzer target for one reader. What the reader makes of the bytes does
// not matter, only that it comes back.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "frontend/load.h"

// Ends a target's file. `file_name` stands in messages.
#define TW_FUZZ_READER(file_name, reader)                                                      \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {                    \
    const tilewise::InputFile file = {file_name, {reinterpret_cast<const char*>(data), size}}; \
    (void)tilewise::reader(file, {});                                                          \
    return 0;                                                                                  \
  }
