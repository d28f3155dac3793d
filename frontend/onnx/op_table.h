// The op types that are lowered natively, by domain and name.

#pragma once

#include <span>
#include <string_view>

#include "frontend/onnx/node_context.h"

namespace tilewise::onnx {

inline constexpr std::string_view kStandard;  // ai.onnx
inline constexpr std::string_view kClassical = "ai.onnx.ml";
inline constexpr std::string_view kMicrosoft = "com.microsoft";
inline constexpr std::string_view kPreviewTraining = "ai.onnx.preview.training";

struct OpEntry {
  std::string_view domain, name;
  OpFunction make;
};

// Returns null when there is none. A standard op is also found under the
// domains that take over its definition: those of vendors.
OpFunction FindOp(std::string_view domain, std::string_view name);

// The families, one file each.
std::span<const OpEntry> UnaryOps();
std::span<const OpEntry> BinaryOps();
std::span<const OpEntry> ActivationOps();
std::span<const OpEntry> ShapeOps();
std::span<const OpEntry> ReshapeOps();
std::span<const OpEntry> SliceOps();
std::span<const OpEntry> IndexOps();
std::span<const OpEntry> ReductionOps();
std::span<const OpEntry> OrderOps();
std::span<const OpEntry> MatrixOps();
std::span<const OpEntry> ConvolutionOps();
std::span<const OpEntry> PoolOps();
std::span<const OpEntry> NormalizationOps();
std::span<const OpEntry> ResizeOps();
std::span<const OpEntry> RecurrentOps();
std::span<const OpEntry> QuantizationOps();
std::span<const OpEntry> AttentionOps();
std::span<const OpEntry> RandomOps();
std::span<const OpEntry> SequenceOps();
std::span<const OpEntry> SignalOps();
std::span<const OpEntry> DetectionOps();
std::span<const OpEntry> ClassicalOps();
std::span<const OpEntry> LossOps();
std::span<const OpEntry> TrainingOps();

}  // namespace tilewise::onnx
