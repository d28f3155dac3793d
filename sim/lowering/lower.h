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
#include "graph/compilation.h"
#include "sim/lowering/program.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {

class PartitionedSteps;  // sim/lowering/partitioned_steps.h

// How often a compiler cut each dim of [m,k] x [k,n] into windows, and the dim
// whose windows it shared out to the cores of a device.
struct MatmulCuts {
  int64_t n = 1;
  int64_t m = 1;
  int64_t k = 1;
  bool cores_share_n = true;  // else m
  // The author of the kernel made these cuts, not a compiler.
  bool hand_written = false;
};

struct LowerOptions {
  bool training = true;
  TrainingSpec spec;
  // Data-parallel cores share the update out and gather the new weights.
  bool shard_update = false;
  CompilerHabits compiler;  // of the framework that runs the step
  XlaFlags xla_flags;
  // A program with one matmul may have the cuts that its author or a compiler's
  // dump states, instead of chosen ones.
  std::optional<MatmulCuts> matmul_cuts;
  // A graph that is a compiler's dump for one core has this: its layouts and
  // kernels are taken over, and the passes up to `fuse` do not run. May be
  // null.
  const Compilation* compilation = nullptr;
  std::vector<std::string> disabled_passes;  // only those that are optional
  // A few of the layers that are alike are lowered and then copied; the result
  // is the same. This is not done where after_pass looks on.
  bool fold_repeats = true;
  // This is called after every pass with its name, for dumps. May be empty.
  std::function<void(std::string_view pass, const Program&)> after_pass;
  // This is called once kernels have their work and windows, before order and buffers of the whole
  // step. False: the lowering ends, with a status that IsGivenUp. May be empty.
  std::function<bool(const Program&, const Repetitions&)> is_worth_it;
  // Steps of the same graph that other lowerings have partitioned; may be null.
  PartitionedSteps* partitioned = nullptr;
};

struct FoldedGraph;  // sim/lowering/repeats/fold.h

struct LoweringContext {
  const Target& target;
  const LowerOptions& options;
  const Graph& source;   // the forward graph before pass 1, bound
  const Graph& forward;  // the same as it was given
  // This is set when layers are left out of `forward`; their copies count in
  // all sums over the graph.
  const FoldedGraph* folded = nullptr;
};

// What a pass works on. Those on the graph know the mesh, but nothing of the chip.
enum class PassStage : uint8_t { kGraph, kKernels, kWholeStep };

struct Pass {
  std::string_view name;
  bool optional;  // may be disabled: the program stays correct, only slower
  PassStage stage;
  bool adopted;  // what it does is in a compiler's dump
  absl::Status (*run)(Program&, const LoweringContext&);
  std::string_view summary;  // one line, for `list passes`
};

// Returns the passes in order.
std::span<const Pass> LoweringPasses();

// Lowers `forward` (per-batch dims symbolic or already bound) at a batch per
// core >= 1. Errors: an op that has no gradient or no lowering; sizes that
// overflow; an unknown name in disabled_passes; see also LowerOptions::is_worth_it.
absl::StatusOr<Program> Lower(const Graph& forward, int64_t batch_per_core, const Target& target,
                              const LowerOptions& options);
inline bool IsGivenUp(const absl::Status& status) { return absl::IsCancelled(status); }

}  // namespace tilewise
