// Arbitrary bytes as a program that is run on symbols, within small limits.

#include <cstddef>
#include <cstdint>
#include <string>

#include "frontend/program/read_program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tilewise::program::ProgramOptions options;
  options.limits.steps = 200'000;
  options.limits.bytes = int64_t{64} << 20;
  const std::string text(reinterpret_cast<const char*>(data), size);
  (void)tilewise::program::ReadProgram("train.py", {tilewise::program::ReadCell(text, 1)}, options);
  return 0;
}
