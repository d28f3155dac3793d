// Gather and scatter.

#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {
namespace {

using hlo::Instruction;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// #stablehlo.gather<offset_dims = [0], ...>; names of scatter in its place.
GatherDims ReadDims(std::string_view text, bool scatter) {
  GatherDims dims;
  dims.offset_dims = FieldIntegers(text, scatter ? "update_window_dims" : "offset_dims");
  dims.collapsed_dims =
      FieldIntegers(text, scatter ? "inserted_window_dims" : "collapsed_slice_dims");
  dims.start_dims =
      FieldIntegers(text, scatter ? "scatter_dims_to_operand_dims" : "start_index_map");
  dims.operand_batch =
      FieldIntegers(text, scatter ? "input_batching_dims" : "operand_batching_dims");
  dims.indices_batch = FieldIntegers(
      text, scatter ? "scatter_indices_batching_dims" : "start_indices_batching_dims");
  const Dims index = FieldIntegers(text, "index_vector_dim");
  dims.index_dim = index.empty() ? 0 : index[0];
  return dims;
}

absl::Status CheckGather(Body& body, const Operation& op, const GatherDims& dims,
                         size_t operand_rank, size_t indices_rank, size_t window_rank) {
  TW_RETURN_IF_ERROR(CheckDims(body, op, dims.offset_dims, window_rank));
  for (const Dims* some : {&dims.collapsed_dims, &dims.start_dims, &dims.operand_batch}) {
    TW_RETURN_IF_ERROR(CheckDims(body, op, *some, operand_rank));
  }
  TW_RETURN_IF_ERROR(CheckDims(body, op, dims.indices_batch, indices_rank));
  return CheckDims(body, op, {dims.index_dim}, indices_rank + 1);
}

// What the operation promises about its indices.
void ReadFlags(const Operation& op, hlo::InstructionExtras& extras) {
  extras.unique_indices = IntegerOr(op, {"unique_indices"}, 0) != 0;
  extras.sorted_indices = IntegerOr(op, {"indices_are_sorted"}, 0) != 0;
}

std::string_view NumbersOf(const Operation& op, std::string_view name) {
  const Attribute* numbers = op.Find(name);
  return numbers == nullptr ? std::string_view() : numbers->text;
}

}  // namespace

absl::Status LowerGather(Body& body, const Operation& op) {
  Instruction gather;
  gather.opcode = Opcode::kGather;
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  TW_ASSIGN_OR_RETURN(const Index indices, body.Operand(op, 1));
  const Dims from = body.shape(x).dims;
  GatherDims& dims = *gather.Extras().gather;
  dims = ReadDims(NumbersOf(op, "dimension_numbers"), false);
  ReadFlags(op, gather.Extras());
  if (op.operands.size() > 2) {  // dynamic_gather: sizes are an operand
    TW_ASSIGN_OR_RETURN(const Index sizes, body.Operand(op, 2));
    const SizeValues* known = body.sizes(sizes);
    if (known != nullptr && known->size() == from.size()) {
      for (const KnownNumber& value : *known) {
        dims.slice_sizes.push_back(AsDim(value).value_or(1));
      }
    } else if (const auto constants = ConstantsOf(body, sizes, from.size())) {
      dims.slice_sizes = *constants;
    } else {
      return LowerUnknown(body, op);
    }
  } else {
    TW_ASSIGN_OR_RETURN(dims.slice_sizes, IntegersOr(body, op, {"slice_sizes"}, from.size(), 1));
  }
  TW_RETURN_IF_ERROR(CheckGather(body, op, dims, from.size(), body.shape(indices).dims.size(),
                                 body.ResultShape(op).dims.size()));
  gather.operands = {x, indices};
  return body.Finish(op, std::move(gather));
}

// Inputs, indices, updates, as many inputs as updates.
absl::Status LowerScatter(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction scatter, body.OnOperands(op, Opcode::kScatter));
  const size_t count = scatter.operands.size();
  if (count < 3 || count % 2 == 0 || static_cast<size_t>(op.results) != count / 2) {
    return body.lowering().Error(op,
                                 fmt::format("found {} operands and {} results, expected inputs, "
                                             "indices and updates",
                                             count, op.results));
  }
  GatherDims& dims = *scatter.Extras().gather;
  dims = ReadDims(NumbersOf(op, "scatter_dimension_numbers"), true);
  ReadFlags(op, scatter.Extras());
  TW_RETURN_IF_ERROR(CheckGather(body, op, dims, body.shape(scatter.operands[0]).dims.size(),
                                 body.shape(scatter.operands[count / 2]).dims.size(),
                                 body.shape(scatter.operands[count / 2 + 1]).dims.size()));
  TW_ASSIGN_OR_RETURN(const int32_t join, LowerReducer(body, op, 0));
  scatter.called = {join};
  return body.Finish(op, std::move(scatter));
}

}  // namespace tilewise::mlir
