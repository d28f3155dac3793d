// Op functions by family. Each family is a file of this folder with a table of
// its ops; op_table.cc puts the tables together.

#pragma once

#include <span>
#include <string_view>

#include "frontend/tensorflow/ops/op_context.h"

namespace tilewise::tf {

struct OpEntry {
  std::string_view name;
  OpFunction function;
};

// This is for ops without results.
absl::Status Nothing(OpContext& ctx);
// This is for ops whose result is their first operand.
absl::Status SameAsOperand(OpContext& ctx);

std::span<const OpEntry> ActivationOps();
std::span<const OpEntry> ArithmeticOps();
std::span<const OpEntry> CollectiveOps();
std::span<const OpEntry> ComparisonOps();
std::span<const OpEntry> ConvolutionOps();
std::span<const OpEntry> DiagonalOps();
std::span<const OpEntry> EmbeddingOps();
std::span<const OpEntry> FactorizationOps();
std::span<const OpEntry> FillOps();
std::span<const OpEntry> FourierOps();
std::span<const OpEntry> FusedOps();
std::span<const OpEntry> GatherOps();
std::span<const OpEntry> HostOps();
std::span<const OpEntry> IdentityOps();
std::span<const OpEntry> ImageOps();
std::span<const OpEntry> JoiningOps();
std::span<const OpEntry> MatrixOps();
std::span<const OpEntry> NormalizationOps();
std::span<const OpEntry> OpaqueOps();
std::span<const OpEntry> OptimizerOps();
std::span<const OpEntry> OrderOps();
std::span<const OpEntry> PaddingOps();
std::span<const OpEntry> PoolingOps();
std::span<const OpEntry> QuantizationOps();
std::span<const OpEntry> RandomOps();
std::span<const OpEntry> RecurrentOps();
std::span<const OpEntry> ReductionOps();
std::span<const OpEntry> ReshapingOps();
std::span<const OpEntry> ResizeOps();
std::span<const OpEntry> ScatterOps();
std::span<const OpEntry> ShapeOps();
std::span<const OpEntry> SlicingOps();
std::span<const OpEntry> SoftmaxOps();
std::span<const OpEntry> SpaceOps();
std::span<const OpEntry> TensorArrayOps();
std::span<const OpEntry> TensorListOps();
std::span<const OpEntry> UnaryOps();
std::span<const OpEntry> VariableOps();
std::span<const OpEntry> XlaOps();
std::span<const OpEntry> XlaWindowOps();

// Returns all of them, in the order of the names.
std::span<const OpEntry> AllOps();

}  // namespace tilewise::tf
