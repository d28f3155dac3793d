// Which hosts run a pipeline, what each takes of its items, and how many of its batches are a step.

#pragma once

#include <cstdint>

#include "frontend/program/trace.h"
#include "pipeline/pipeline.h"

namespace tilewise::program {

// What takes the batches of a data set, as far as the program says.
struct TakenBy {
  int64_t batches_per_step = 1;           // more where each core takes one
  int64_t step_batch = 0;                 // examples of a step, where an estimator says them
  HostShare share = HostShare::kUnknown;  // where a function makes the data set of each host
  bool strategy = false;                  // divides the data set among the hosts
};

// Fills what the pipeline says of its hosts and of the batches of a step.
void ReadHosts(const Trace& trace, const TakenBy& taken, Pipeline& pipeline);

}  // namespace tilewise::program
