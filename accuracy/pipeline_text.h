// Chains of stages as published tables write them: "read(tfrecord,gcs)>parse>
// decode_jpeg>resize(224)>batch(128)".

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/pipeline_run.h"
#include "base/status.h"

namespace tilewise {

struct ChainStage {
  std::string name;       // "resize"
  std::string arguments;  // "min 256"
};
// Stages stand between '>' outside of parentheses.
std::vector<ChainStage> SplitChain(std::string_view text);

// What a row says of a pipeline.
struct PipelineText {
  std::string framework, host, dataset, stages, parallelism, conditions;
};

// How many calls run at once.
struct ChainParallelism {
  Count readers, calls;
  int64_t threads = 0;  // of the pool; 0: as many as vCPUs
  bool prefetches = false, caches = false;
};
// Errors: a text that says neither a number nor that it is tuned.
absl::StatusOr<ChainParallelism> ParseParallelism(const PipelineText& text);

struct ChainRun {
  PipelineRun run;
  double item_bytes = 0;             // as stored
  std::vector<std::string> assumed;  // what the row does not say
};
// Errors: a stage or op without a known cost, a source or size that is not told.
absl::StatusOr<ChainRun> ReadChain(const PipelineText& text, const ChainParallelism& parallelism);

// The first number before `unit`, "110 kB"; none where it is not there.
std::optional<double> NumberBefore(std::string_view text, std::string_view unit);

}  // namespace tilewise
