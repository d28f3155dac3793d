// A libFuzzer target for one reader of profiles, and for what is made of what
// it reads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "profile/analysis/analysis.h"
#include "profile/readers/readers.h"

// Ends a target's file.
#define TW_FUZZ_PROFILE(reader)                                                \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {    \
    tilewise::ByteSource source =                                              \
        tilewise::ByteSource::Of({reinterpret_cast<const char*>(data), size}); \
    const auto profile = tilewise::reader(source);                             \
    if (profile.ok()) (void)tilewise::Analyse(*profile);                       \
    return 0;                                                                  \
  }
