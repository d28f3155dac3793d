// Names of host loops.

#include "pipeline/host_loop.h"

namespace tilewise {

std::string_view FrameworkName(Framework framework) {
  switch (framework) {
    case Framework::kUnknown:
      return "unknown";
    case Framework::kKeras:
      return "keras";
    case Framework::kKerasTf1:
      return "keras-tf1";
    case Framework::kTpuEstimator:
      return "tpu-estimator";
    case Framework::kCustomLoop:
      return "custom-loop";
    case Framework::kJax:
      return "jax-loop";
    case Framework::kTorchXla:
      return "pytorch-xla";
  }
  return "?";
}

std::string_view ExecutionSetting(Framework framework) {
  if (RunsAhead(framework)) return "";
  if (framework == Framework::kTpuEstimator) return "iterations_per_loop";
  if (framework == Framework::kCustomLoop) return "steps per tf.function";
  return "steps_per_execution";
}

}  // namespace tilewise
