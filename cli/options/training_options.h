// The step (batch, optimizer, what the backward pass keeps), and the loop
// around it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/arguments.h"

namespace tilewise {

// Zero and empty mean "not given".
struct TrainingOptions {
  std::optional<bool> training;  // unset: as the files say
  bool shard_update = false;
  int64_t accumulation_steps = 0;
  std::string xla_flags;  // ParseXlaFlags() reads them
  int64_t global_batch = 0;
  int64_t batch_per_core = 0;
  std::string optimizer;
  std::string remat;
  std::vector<std::string> batch_dims;  // "input:0": where the batch comes in

  bool AsksForABatch() const {
    return global_batch > 0 || batch_per_core > 0 || !batch_dims.empty();
  }
};

inline constexpr char kTrainingGroup[] = "Training";
inline constexpr int64_t kMaxBatch = int64_t{1} << 24;

void Add(Arguments& arguments, TrainingOptions& options);

// Zero: as the files say.
struct LoopOptions {
  int64_t steps_per_execution = 0;
  int64_t steps_per_epoch = 0;
  int64_t examples = 0;
};

void Add(Arguments& arguments, LoopOptions& options);

}  // namespace tilewise
