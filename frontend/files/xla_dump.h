// Folders of XLA's dumps: XLA_FLAGS=--xla_dump_to=DIR.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/load.h"

namespace tilewise {

// A folder with at least one module in it.
bool LooksLikeXlaDump(const InputFile& file);

// The largest module is the step: what a compiler for TPUs made of it, where
// that is there (its layouts tell), else the module before optimisation. The
// others are counted, and how often each function was compiled for other
// shapes. Errors: no module, more than 100,000 files, and those of the module's
// reader.
absl::StatusOr<Workload> ReadXlaDump(const InputFile& file, const LoadOptions& options);

enum class DumpStage : uint8_t { kBeforeOptimizations, kAfterOptimizations };

// "module_0001.jit_step.tpu_after_optimizations.txt".
struct DumpName {
  std::string number;    // "0001": the modules of a process, in order
  std::string function;  // "jit_step"
  DumpStage stage = DumpStage::kBeforeOptimizations;
  bool text = true;  // else a protobuf
};

// Returns nothing for what is no module: buffer assignments, code, dumps of
// single passes.
std::optional<DumpName> ParseDumpName(std::string_view file);

}  // namespace tilewise
