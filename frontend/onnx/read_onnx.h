// ONNX models: binary, and the text form of the same message. Operator sets 1
// to 24, ai.onnx.ml, the fused ops of ONNX Runtime, functions and control flow.

#pragma once

#include "base/status.h"
#include "frontend/input_file.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

bool LooksLikeOnnx(const InputFile& file);

// The step is one of inference, or of training when the graph has gradients or
// options ask for it; weights are trainable variables. External data is not
// opened. Errors: malformed bytes, names that nothing makes, cycles, an op that
// is not known and whose shape the file does not state.
absl::StatusOr<Workload> ReadOnnx(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
