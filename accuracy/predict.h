// What the simulator says of a measured run.

#pragma once

#include <functional>
#include <string>

#include "accuracy/point.h"
#include "base/status.h"
#include "base/units.h"
#include "hardware/target.h"
#include "workload/workload.h"

namespace tilewise {

// Gives the workload that a point's spec names, a zoo model or a file, for a
// global batch that so many shards share.
using WorkloadLoader =
    std::function<absl::StatusOr<Workload>(const std::string& spec, bool training, int64_t shards)>;

// Stands in where a point does not say.
struct NamedMachine {
  std::string chip, host;
  int64_t cores = 0;  // 0: the chip's default
};

// Errors: an unknown chip or host; a mesh that is not its cores'.
absl::StatusOr<Target> TargetOf(const Point& point, const NamedMachine& otherwise);

// Calls work(0) .. work(count - 1), each once, on several threads.
void ForEachRow(size_t count, int threads, const std::function<void(size_t row)>& work);

struct Prediction {
  double value = 0;  // in the unit of the figure
  bool loops_over_layers = false;
  bool fits = false;
  bool made_to_fit = false;  // as IsMadeToFit
  double fit_certainty = 1;  // as reports have it
  Seconds device;            // one step on the device
  Seconds step;              // the same by the point's clock
  std::string bound;         // "MXU", "HBM", "collective", "host": most of the step
  std::string chip;          // as reports name it
};

// Errors: those of the loader and of Lower; a framework that the host has no
// costs for.
absl::StatusOr<Prediction> Predict(const Point& point, const Target& target,
                                   const WorkloadLoader& load);

// The prediction for a point that is an input pipeline.
Prediction PredictPipeline(const Point& point);

}  // namespace tilewise
