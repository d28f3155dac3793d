// Names of the files that XLA writes into the folder of --xla_dump_to.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewise {

enum class DumpStage : uint8_t { kBeforeOptimizations, kAfterOptimizations };

// "module_0001.jit_step.tpu_after_optimizations.txt".
struct DumpName {
  std::string number;    // "0001": the modules of a process, in order
  std::string function;  // "jit_step"
  DumpStage stage = DumpStage::kBeforeOptimizations;
  bool text = true;  // else a protobuf
};

// Empty for what is no module: buffer assignments, code, dumps of single
// passes.
std::optional<DumpName> ParseDumpName(std::string_view file);

}  // namespace tilewise
