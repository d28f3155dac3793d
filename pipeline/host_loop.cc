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
  }
  return "?";
}

}  // namespace tilewise
