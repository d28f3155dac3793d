// What ops named "tw.X" mean, by family: what ONNX has no word for. A function
// sees its call as one of a node of ONNX, with operands and attributes.

#pragma once

#include <span>
#include <string_view>

#include "frontend/onnx/node_context.h"

namespace tilewise::program {

using OpCall = onnx::NodeContext;
using OpFunction = onnx::OpFunction;

struct OpEntry {
  std::string_view name;  // without "tw."
  OpFunction make;
};

// Returns the function of "tw.X" or "onnx.X"; null: there is none.
OpFunction FindOp(std::string_view name);

// The families, one file each.
std::span<const OpEntry> ElementwiseOps();
std::span<const OpEntry> MoveOps();
std::span<const OpEntry> ReductionOps();
std::span<const OpEntry> MatrixOps();
std::span<const OpEntry> WindowOps();
std::span<const OpEntry> NnOps();
std::span<const OpEntry> RandomOps();
std::span<const OpEntry> IndexOps();
std::span<const OpEntry> CollectiveOps();

}  // namespace tilewise::program
