// (Graph, Target) -> Program: the whole lowering path as a list of named
// passes.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "sim/lowering/program.h"

namespace tilewise {

struct LowerOptions {
  bool training = true;
  TrainingSpec spec;
  std::vector<std::string> disabled_passes;  // only those that are optional
  // Called after every pass with its name; for dumps. May be empty.
  std::function<void(std::string_view pass, const Program&)> after_pass;
};

struct LoweringContext {
  const Target& target;
  const LowerOptions& options;
  const Graph& source;  // the forward graph before pass 1, bound
};

struct Pass {
  std::string_view name;
  bool optional;  // may be disabled: the program stays correct, only slower
  absl::Status (*run)(Program&, const LoweringContext&);
};

// In order.
std::span<const Pass> LoweringPasses();

// Lowers `forward` (per-batch dims symbolic or already bound) at a batch per
// core >= 1. Errors: an op that has no gradient or no lowering; sizes that
// overflow; an unknown name in disabled_passes.
absl::StatusOr<Program> Lower(const Graph& forward, int64_t batch_per_core,
                              const Target& target,
                              const LowerOptions& options);

}  // namespace tilewise
