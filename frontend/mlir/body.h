// One computation while it is made: instructions by the values that they stand
// for. Lowering functions append to it.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/status.h"
#include "frontend/hlo/module.h"
#include "frontend/mlir/module_lowering.h"
#include "frontend/mlir/operation.h"

namespace tilewise::mlir {

// Index of an instruction in its computation.
using Index = int32_t;

class Body {
 public:
  static constexpr size_t kMaxClonedValues = 64;

  // `first_value`: that of the region, of which most values will be.
  explicit Body(ModuleLowering& lowering, ValueId first_value = 0)
      : lowering_(lowering), first_value_(first_value) {}

  ModuleLowering& lowering() { return lowering_; }
  const File& file() const { return lowering_.file(); }

  // Operations of a block, up to what ends it, whose operands are the results.
  absl::Status LowerBlock(const Block& block);
  // The body of a function; more than one block: a loop written as jumps.
  absl::Status LowerRegion(const Region& region);
  const std::vector<Index>& results() const { return results_; }
  void SetResults(std::vector<Index> results) { results_ = std::move(results); }

  // Values.
  void Bind(ValueId value, Index index);
  // Errors: a value that this computation does not have.
  absl::StatusOr<Index> Value(const Operation& op, ValueId value) const;
  absl::StatusOr<Index> Operand(const Operation& op, size_t i) const;
  absl::StatusOr<std::vector<Index>> Operands(const Operation& op) const;
  bool Has(ValueId value) const { return Find(value) >= 0; }
  const hlo::HloShape& shape(Index index) const { return instruction(index).shape; }
  const hlo::Instruction& instruction(Index index) const {
    return computation_.instructions[index];
  }
  // What the elements are, where they are sizes.
  const SizeValues* sizes(Index index) const;
  void SetSizes(Index index, SizeValues sizes) { sizes_[index] = std::move(sizes); }

  // Instructions. The shape of the instruction is what the text states; what it
  // leaves open is inferred.
  Index Add(const Operation& op, hlo::Instruction instruction);
  Index Parameter(hlo::HloShape shape, std::string_view name);
  void SetLine(Index index, int32_t line);
  void SetSharding(Index index, hlo::Sharding sharding);
  Index Make(const Operation& op, hlo::Opcode opcode, hlo::HloShape shape,
             std::vector<Index> operands);
  Index Constant(const Operation& op, double value, hlo::HloShape shape);
  Index TupleOf(const Operation& op, std::vector<Index> elements);
  Index Element(const Operation& op, Index tuple, int64_t index);
  // A scalar, or an array of fewer dims by `dims`, to `shape`.
  Index Broadcast(const Operation& op, Index x, hlo::HloShape shape, std::vector<int64_t> dims);
  Index Reshape(const Operation& op, Index x, std::vector<int64_t> dims);

  // An instruction on all operands of `op`, still to be added.
  absl::StatusOr<hlo::Instruction> OnOperands(const Operation& op, hlo::Opcode opcode) const;
  // Adds an instruction with the results of `op`: itself, or a tuple of them.
  // Their shapes are those that the text states. It ends what lowers `op`.
  absl::Status Finish(const Operation& op, hlo::Instruction instruction);
  // The same where `op` has one result, which is `index`.
  absl::Status Alias(const Operation& op, Index index) {
    Bind(op.first_result, index);
    return absl::OkStatus();
  }
  hlo::HloShape ResultShape(const Operation& op, int32_t result = 0) const;

  // The computation; its root is the result, or a tuple of them when
  // `as_tuple`, or when they are not one.
  hlo::Computation Build(std::string_view name, bool as_tuple);

  // A constant of another computation, without its values if they are more
  // than this; other instructions become one of no
  // known value.
  Index Clone(const hlo::Instruction& constant);

  // Takes, when there are no results, what operations without results take, or
  // else what nothing uses.
  void TakeLeftovers();

  // Values that operations without results take: what a program without
  // results is for.
  std::vector<Index>& used_up() { return used_up_; }

 private:
  Index Find(ValueId value) const;  // -1: not bound
  absl::Status LowerOperations(const Block& block);
  absl::Status LowerOperation(const Operation& op);
  absl::Status LowerLoopOfBlocks(const Region& region);
  void Refine(const Operation& op, hlo::Instruction& instruction);
  // Marks what `op` made, from instruction `first` on, when the sizes that it
  // takes are neither constants nor those of other arrays.
  void MarkDataSized(const Operation& op, size_t first);
  void EvaluateSizes(Index index);
  static void Fold(hlo::Instruction& instruction, const SizeValues& values);

  ModuleLowering& lowering_;
  hlo::Computation computation_;
  ValueId first_value_;
  std::vector<Index> inner_;                   // from first_value_ on; -1: none
  absl::flat_hash_map<ValueId, Index> outer_;  // below it, or far away
  absl::flat_hash_map<Index, SizeValues> sizes_;
  std::vector<Index> results_;
  std::vector<Index> used_up_;
  int64_t parameters_ = 0;
};

// How an operation is lowered; all its results are bound after it.
using Lowerer = absl::Status (*)(Body&, const Operation&);

// Dims of a shape that the text leaves open, from the operands. Dims that stay
// kUnknownDim do not follow from them.
std::vector<int64_t> InferDims(const Body& body, const hlo::Instruction& instruction);

bool HasOpenDims(const hlo::HloShape& shape);
hlo::HloShape ArrayShape(DType dtype, std::vector<int64_t> dims);
hlo::HloShape TupleShape(std::vector<hlo::HloShape> elements);

}  // namespace tilewise::mlir
