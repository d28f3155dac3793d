// Transformations of tf.data that stand for several plain ones.

#pragma once

#include <string>
#include <string_view>

#include "rules/rule.h"

namespace tilewise {

struct FusedStage {
  std::string_view name;   // "map_and_batch"
  std::string_view plain;  // what stands for it now, for messages
  bool fused = true;       // by the runtime: else the plain stage does as much
};

// What `stage` was written as; null: nothing of the kind.
const FusedStage* FusedStageOf(const Stage& stage);

// ".map(f, num_parallel_calls=n).batch(b)"; empty where an argument that it
// needs is not known.
std::string PlainStages(const Facts& facts, const Stage& stage);

}  // namespace tilewise
