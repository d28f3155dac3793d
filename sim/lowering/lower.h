// (Graph, Target) -> Program: the whole lowering path as a list of named
// passes.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "sim/lowering/program.h"

namespace tilewise {

// How often a compiler cut each dim of [m,k] x [k,n] into windows, and the dim
// whose windows it shared out to the cores of a device.
struct ProductCuts {
  int64_t n = 1;
  int64_t m = 1;
  int64_t k = 1;
  bool cores_share_n = true;  // else m
};

struct LowerOptions {
  bool training = true;
  TrainingSpec spec;
  // Data-parallel cores share the update out and gather the new weights.
  bool shard_update = false;
  CompilerHabits compiler;  // of the framework that runs the step
  // Of a program whose only product has operands that are converted: the cuts
  // that a compiler's dump states, instead of chosen ones.
  std::optional<ProductCuts> product_cuts;
  std::vector<std::string> disabled_passes;  // only those that are optional
  // Called after every pass with its name; for dumps. May be empty.
  std::function<void(std::string_view pass, const Program&)> after_pass;
};

struct LoweringContext {
  const Target& target;
  const LowerOptions& options;
  const Graph& source;   // the forward graph before pass 1, bound
  const Graph& forward;  // the same as it was given
};

struct Pass {
  std::string_view name;
  bool optional;  // may be disabled: the program stays correct, only slower
  absl::Status (*run)(Program&, const LoweringContext&);
  std::string_view summary;  // one line, for `list passes`
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
