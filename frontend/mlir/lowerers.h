// The functions that lower operations, one file for each group of them, and the
// table that says which one lowers what.

#pragma once

#include <string_view>

#include "frontend/mlir/body.h"

namespace tilewise::mlir {

// Null: the operation is not known. `dialect` is stablehlo for mhlo and chlo
// too, whose operations of one name are alike.
Lowerer FindLowerer(std::string_view dialect, std::string_view name);

// lower_simple.cc
absl::Status LowerPlain(Body& body, const Operation& op);
absl::Status LowerConstant(Body& body, const Operation& op);
absl::Status LowerIota(Body& body, const Operation& op);
absl::Status LowerCompare(Body& body, const Operation& op);
absl::Status LowerSelect(Body& body, const Operation& op);
absl::Status LowerIdentity(Body& body, const Operation& op);
absl::Status LowerNothing(Body& body, const Operation& op);
absl::Status LowerTuple(Body& body, const Operation& op);
absl::Status LowerGetTupleElement(Body& body, const Operation& op);
absl::Status LowerBarrier(Body& body, const Operation& op);
absl::Status LowerUnknown(Body& body, const Operation& op);

// lower_data.cc
absl::Status LowerBroadcastInDim(Body& body, const Operation& op);
absl::Status LowerBroadcast(Body& body, const Operation& op);
absl::Status LowerReshape(Body& body, const Operation& op);
absl::Status LowerTranspose(Body& body, const Operation& op);
absl::Status LowerReverse(Body& body, const Operation& op);
absl::Status LowerConcatenate(Body& body, const Operation& op);
absl::Status LowerPad(Body& body, const Operation& op);
absl::Status LowerSlice(Body& body, const Operation& op);
absl::Status LowerDynamicSlice(Body& body, const Operation& op);
absl::Status LowerDynamicUpdateSlice(Body& body, const Operation& op);
absl::Status LowerGetDimensionSize(Body& body, const Operation& op);

// lower_contraction.cc
absl::Status LowerDotGeneral(Body& body, const Operation& op);
absl::Status LowerDot(Body& body, const Operation& op);
absl::Status LowerRaggedDot(Body& body, const Operation& op);
absl::Status LowerConvolution(Body& body, const Operation& op);

// lower_reduction.cc
absl::Status LowerReduce(Body& body, const Operation& op);
absl::Status LowerReduceWindow(Body& body, const Operation& op);
absl::Status LowerSelectAndScatter(Body& body, const Operation& op);
absl::Status LowerSort(Body& body, const Operation& op);
absl::Status LowerMap(Body& body, const Operation& op);
absl::Status LowerTopK(Body& body, const Operation& op);
absl::Status LowerBatchNorm(Body& body, const Operation& op);

// lower_indexing.cc
absl::Status LowerGather(Body& body, const Operation& op);
absl::Status LowerScatter(Body& body, const Operation& op);

// lower_collective.cc
absl::Status LowerCollective(Body& body, const Operation& op);
absl::Status LowerAllToAll(Body& body, const Operation& op, hlo::Instruction exchange);
// The instruction, still to be added and without a shape, that ends a
// collective of `count` parts of dim `split` which are joined along dim `join`.
hlo::Instruction JoinedElsewhere(Body& body, const Operation& op, hlo::Instruction exchange,
                                 int64_t split, int64_t join, int64_t count);
absl::Status LowerCollectivePermute(Body& body, const Operation& op);

// lower_shardy.cc
absl::Status LowerShardyCollective(Body& body, const Operation& op);

// lower_calls.cc
// The shapes of a device for those of all, or back. What comes from an argument
// or is a result is put right afterwards (fit_shards.h).
Index ChangeShards(Body& body, const Operation& op, Index x, const hlo::HloShape& shape,
                   bool to_shard);
absl::Status LowerCall(Body& body, const Operation& op);
absl::Status LowerCustomCall(Body& body, const Operation& op);
absl::Status LowerComposite(Body& body, const Operation& op);
absl::Status LowerManualComputation(Body& body, const Operation& op);
absl::Status LowerNamedComputation(Body& body, const Operation& op);

// lower_control.cc
absl::Status LowerWhile(Body& body, const Operation& op);
absl::Status LowerBranches(Body& body, const Operation& op);
// Values of `body` that a region of one of its operations uses, in order.
std::vector<ValueId> OuterValues(const Body& body, const Region& region);

// lower_random.cc
absl::Status LowerRng(Body& body, const Operation& op);
absl::Status LowerRngBitGenerator(Body& body, const Operation& op);
absl::Status LowerFft(Body& body, const Operation& op);
absl::Status LowerReducePrecision(Body& body, const Operation& op);

// lower_chlo.cc
absl::Status LowerImplicitBroadcast(Body& body, const Operation& op);
absl::Status LowerConstantLike(Body& body, const Operation& op);
absl::Status LowerFunction(Body& body, const Operation& op);

// lower_builtin.cc: arith, math, tensor, shape and util.
absl::Status LowerArith(Body& body, const Operation& op);
absl::Status LowerArithCompare(Body& body, const Operation& op);
absl::Status LowerTensorShape(Body& body, const Operation& op);
absl::Status LowerFromElements(Body& body, const Operation& op);
absl::Status LowerTensorDim(Body& body, const Operation& op);
absl::Status LowerGlobal(Body& body, const Operation& op);

// Shared by them.

// Integers of an attribute under the first of its names that is there; `count`
// of `fallback` when none is. Errors: another number than `count` of them.
absl::StatusOr<std::vector<int64_t>> IntegersOr(Body& body, const Operation& op,
                                                std::initializer_list<std::string_view> names,
                                                size_t count, int64_t fallback);
// The same without a stated number; empty when there are none.
std::vector<int64_t> IntegersOf(const Body& body, const Operation& op,
                                std::initializer_list<std::string_view> names);
int64_t IntegerOr(const Operation& op, std::initializer_list<std::string_view> names,
                  int64_t fallback);
// Returns the comparison that a word such as "LT" names.
Comparison DirectionOf(std::string_view word);
// A region as the computation of a reduction, of scalars.
absl::StatusOr<int32_t> LowerReducer(Body& body, const Operation& op, size_t region);
// A dim of an operand, negative ones and those that it has not are errors.
absl::Status CheckDims(Body& body, const Operation& op, const std::vector<int64_t>& dims,
                       size_t rank);
// Returns all integers in "[0:1, 2:8:2]", in order.
std::vector<int64_t> BracketIntegers(std::string_view text);
// Fills the open dims of `shape` with what the elements of `sizes` are known to
// be.
void TakeSizes(const Body& body, Index sizes, hlo::HloShape& shape);
// The elements of an operand that are constants, `count` of them.
std::optional<std::vector<int64_t>> ConstantsOf(const Body& body, Index x, size_t count);
void ReadPrecision(const Operation& op, hlo::InstructionExtras& extras);

}  // namespace tilewise::mlir
