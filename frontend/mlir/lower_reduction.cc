// Operations with a computation for pairs of elements, and sorting.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::HloWindowDim;
using hlo::Instruction;
using hlo::InstructionExtras;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

absl::Status CheckPairs(Body& body, const Operation& op) {
  if (!op.operands.empty() && op.operands.size() % 2 == 0 &&
      static_cast<size_t>(op.results) * 2 == op.operands.size()) {
    return absl::OkStatus();
  }
  return body.lowering().Error(op,
                               fmt::format("found {} operands and {} results, expected inputs and "
                                           "as many initial values",
                                           op.operands.size(), op.results));
}

// The computation of `applies stablehlo.add`.
int32_t AppliedReducer(Body& body, const Operation& op, std::string_view name) {
  const DType dtype = body.ResultShape(op).dtype;
  const std::string key = fmt::format("{}|{}", NameOf(name), static_cast<int>(dtype));
  if (const auto shared = body.lowering().FindShared(key)) return *shared;
  Body reducer(body.lowering());
  const HloShape scalar = ArrayShape(dtype, {});
  const Index a = reducer.Parameter(scalar, "a");
  const Index b = reducer.Parameter(scalar, "b");
  reducer.SetResults({reducer.Make(op, OpcodeOf(NameOf(name)), scalar, {a, b})});
  const int32_t made = body.lowering().AddComputation(reducer.Build(NameOf(name), false));
  body.lowering().Share(key, made);
  return made;
}

// A region of one operation on its two arguments is shared: its key.
std::string SimpleKey(const Body& body, const Region& region) {
  if (region.blocks.size() != 1) return {};
  const Block& block = region.blocks[0];
  if (block.operations.size() != 2 || block.arguments.size() != 2) return {};
  const Operation& only = block.operations[0];
  if (only.operands != block.arguments || !only.regions.empty() || !only.attributes.empty() ||
      !only.words.empty() || only.results != 1) {
    return {};
  }
  return fmt::format("{}|{}|{}", only.name,
                     static_cast<int>(body.file().shape(block.arguments[0]).dtype),
                     static_cast<int>(body.file().shape(only.first_result).dtype));
}

absl::Status ReadWindow(Body& body, const Operation& op, size_t rank, InstructionExtras& extras) {
  TW_ASSIGN_OR_RETURN(const Dims size, IntegersOr(body, op, {"window_dimensions"}, rank, 1));
  TW_ASSIGN_OR_RETURN(const Dims stride, IntegersOr(body, op, {"window_strides"}, rank, 1));
  TW_ASSIGN_OR_RETURN(const Dims pad, IntegersOr(body, op, {"padding"}, 2 * rank, 0));
  TW_ASSIGN_OR_RETURN(const Dims base, IntegersOr(body, op, {"base_dilations"}, rank, 1));
  TW_ASSIGN_OR_RETURN(const Dims dilation, IntegersOr(body, op, {"window_dilations"}, rank, 1));
  for (size_t i = 0; i < rank; ++i) {
    HloWindowDim dim;
    dim.size = size[i];
    dim.stride = stride[i];
    dim.pad_low = pad[2 * i];
    dim.pad_high = pad[2 * i + 1];
    dim.base_dilation = base[i];
    dim.window_dilation = dilation[i];
    constexpr int64_t kMost = int64_t{1} << 30;
    if (std::min({size[i], stride[i], base[i], dilation[i]}) < 1 ||
        std::max({size[i], stride[i], base[i], dilation[i]}) > kMost ||
        std::max(std::abs(pad[2 * i]), std::abs(pad[2 * i + 1])) > kMost) {
      return body.lowering().Error(op, "found a window that cannot be");
    }
    extras.window.push_back(dim);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int32_t> LowerReducer(Body& body, const Operation& op, size_t region) {
  if (region >= op.regions.size() || op.regions[region].blocks.empty()) {
    return body.lowering().Error(op, "expected a region");
  }
  const Region& code = op.regions[region];
  const std::string key = SimpleKey(body, code);
  if (!key.empty()) {
    if (const auto shared = body.lowering().FindShared(key)) return *shared;
  }
  Body reducer(body.lowering(), code.first_value);
  for (ValueId argument : code.blocks[0].arguments) {
    reducer.Bind(argument, reducer.Parameter(body.file().shape(argument), "x"));
  }
  // Values from around: only their kind matters here.
  for (ValueId outer : OuterValues(body, code)) {
    TW_ASSIGN_OR_RETURN(const Index index, body.Value(op, outer));
    reducer.Bind(outer, reducer.Clone(body.instruction(index)));
  }
  TW_RETURN_IF_ERROR(reducer.LowerBlock(code.blocks[0]));
  const int32_t made = body.lowering().AddComputation(reducer.Build(NameOf(op.name), false));
  if (!key.empty()) body.lowering().Share(key, made);
  return made;
}

absl::Status LowerReduce(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(CheckPairs(body, op));
  TW_ASSIGN_OR_RETURN(Instruction reduce, body.OnOperands(op, Opcode::kReduce));
  reduce.dims = IntegersOf(body, op, {"dimensions"});
  TW_RETURN_IF_ERROR(CheckDims(body, op, reduce.dims, body.shape(reduce.operands[0]).dims.size()));
  std::string_view applied;
  for (size_t i = 0; i + 1 < op.words.size(); ++i) {
    if (op.words[i] == "applies") applied = op.words[i + 1];
  }
  if (!applied.empty()) {
    reduce.called = {AppliedReducer(body, op, applied)};
  } else {
    TW_ASSIGN_OR_RETURN(const int32_t reducer, LowerReducer(body, op, 0));
    reduce.called = {reducer};
  }
  return body.Finish(op, std::move(reduce));
}

absl::Status LowerReduceWindow(Body& body, const Operation& op) {
  TW_RETURN_IF_ERROR(CheckPairs(body, op));
  TW_ASSIGN_OR_RETURN(Instruction reduce, body.OnOperands(op, Opcode::kReduceWindow));
  TW_RETURN_IF_ERROR(
      ReadWindow(body, op, body.shape(reduce.operands[0]).dims.size(), reduce.Extras()));
  TW_ASSIGN_OR_RETURN(const int32_t reducer, LowerReducer(body, op, 0));
  reduce.called = {reducer};
  return body.Finish(op, std::move(reduce));
}

absl::Status LowerSelectAndScatter(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction scatter, body.OnOperands(op, Opcode::kSelectAndScatter));
  if (scatter.operands.size() != 3) {
    return body.lowering().Error(op, "expected 3 operands");
  }
  TW_RETURN_IF_ERROR(
      ReadWindow(body, op, body.shape(scatter.operands[0]).dims.size(), scatter.Extras()));
  TW_ASSIGN_OR_RETURN(const int32_t select, LowerReducer(body, op, 0));
  TW_ASSIGN_OR_RETURN(const int32_t join, LowerReducer(body, op, 1));
  scatter.called = {select, join};
  return body.Finish(op, std::move(scatter));
}

absl::Status LowerSort(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction sort, body.OnOperands(op, Opcode::kSort));
  if (sort.operands.empty() || static_cast<size_t>(op.results) != sort.operands.size()) {
    return body.lowering().Error(op, "expected as many results as operands");
  }
  const int64_t rank = static_cast<int64_t>(body.shape(sort.operands[0]).dims.size());
  int64_t dim = IntegerOr(op, {"dimension"}, rank - 1);
  if (dim < 0 && dim >= -rank) dim += rank;
  TW_RETURN_IF_ERROR(CheckDims(body, op, {dim}, static_cast<size_t>(rank)));
  sort.index = dim;
  sort.dims = {dim};
  sort.is_stable = IntegerOr(op, {"is_stable"}, 0) != 0;
  TW_ASSIGN_OR_RETURN(const int32_t comparator, LowerReducer(body, op, 0));
  sort.called = {comparator};
  return body.Finish(op, std::move(sort));
}

absl::Status LowerMap(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction map, body.OnOperands(op, Opcode::kMap));
  map.dims = IntegersOf(body, op, {"dimensions"});
  TW_ASSIGN_OR_RETURN(const int32_t computation, LowerReducer(body, op, 0));
  map.called = {computation};
  return body.Finish(op, std::move(map));
}

// top_k(%x, k = 8); the custom call with k as an operand, too.
absl::Status LowerTopK(Body& body, const Operation& op) {
  Instruction top;
  top.opcode = Opcode::kTopk;
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const Dims dims = body.shape(x).dims;
  if (dims.empty() || op.results != 2) {
    return body.lowering().Error(op, "expected a tensor and two results");
  }
  int64_t k = IntegerOr(op, {"k"}, body.ResultShape(op).dims.back());
  if (op.operands.size() > 1) {
    TW_ASSIGN_OR_RETURN(const Index count, body.Operand(op, 1));
    if (const auto known = ConstantsOf(body, count, 1)) k = (*known)[0];
  }
  // All of them are taken where the number is not known.
  if (k == kUnknownDim) k = dims.back();
  top.Extras().k = k;
  top.Extras().largest = IntegerOr(op, {"largest"}, 1) != 0;
  top.operands = {x};
  return body.Finish(op, std::move(top));
}

absl::Status LowerBatchNorm(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction norm, body.OnOperands(op, OpcodeOf(NameOf(op.name))));
  if (norm.operands.empty()) {
    return body.lowering().Error(op, "expected operands");
  }
  InstructionExtras& extras = norm.Extras();
  extras.feature_index = IntegerOr(op, {"feature_index"}, 0);
  TW_RETURN_IF_ERROR(
      CheckDims(body, op, {extras.feature_index}, body.shape(norm.operands[0]).dims.size()));
  if (const Attribute* epsilon = op.Find("epsilon")) {
    extras.epsilon = epsilon->number;
  }
  return body.Finish(op, std::move(norm));
}

}  // namespace tilewise::mlir
