// What the lowering knows of an op kind. Each kind has one record, at the end
// of the file of sim/lowering/ops that says what the kind costs.

#pragma once

#include <cstdint>
#include <optional>

#include "graph/op.h"
#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/layout_assignment/layout_classes.h"
#include "sim/lowering/program.h"

namespace tilewise {

class Simplifier;     // sim/lowering/simplify/simplifier.h
struct CompositeOp;   // sim/lowering/decompose/composite_op.h
struct RootOfKernel;  // sim/lowering/kernels/root_of_kernel.h

// Instructions of an elementwise op per register of its result.
struct RegisterCost {
  double alu = 1;
  double transcendental = 0;
};

struct LoweringTraits {
  // Operands that have the dim order of the result, as far as their rank is
  // that of the result.
  enum class SameOrder : uint8_t { kNone, kFirst, kAll };

  // Convolutions: the batch counts for the rule of which dim of activations is
  // along the lanes; operand 0 and the result follow that rule as well.
  enum class ConvRule : uint8_t { kNone, kCounts, kFollows };

  // Composite kinds: the ops that the kind stands for.
  OpId (*decompose)(const CompositeOp& op) = nullptr;
  // An equal value that is cheaper, or kNoOp; see simplify/simplifier.h.
  OpId (*simplify)(Simplifier& s, const Op& op) = nullptr;
  // Returns the dim of which a core needs its part of an operand when each core
  // makes its part of dim `result_dim`; see partition/split_dims.h.
  std::optional<int64_t> (*operand_dim)(const Graph& graph, const Op& op, size_t operand,
                                        int64_t result_dim) = nullptr;
  // Whether terms of the operands' sums, one on each core, give terms of the
  // result's; null: they do not.
  bool (*keeps_terms)(const Op& op) = nullptr;

  // The layouts count no bytes of the result: it is made where it is used.
  bool is_made_where_used = false;
  SameOrder same_order = SameOrder::kNone;
  // Whether operand number `index` can be read, or the result be written, in an
  // order of two dims or more; null: in any. Matrix ops accept either order of
  // the two dims that they tile, so a swap of batch and feature, or of a
  // kernel's in and out features, is free.
  bool (*accepts_operand)(const Op& op, size_t index, const DimOrder& order) = nullptr;
  bool (*accepts_result)(const Graph& graph, const Op& op, const DimOrder& order) = nullptr;
  ConvRule conv_rule = ConvRule::kNone;

  // What a kernel that starts with the op is.
  KernelKind kernel = KernelKind::kLoop;
  // A data movement or generator that joins the loop that uses its result.
  bool joins_loops = false;
  // A data movement that each core does for itself, on all of a value or on its
  // part, as whoever uses the result asks for it.
  bool follows_partition = false;
  // Whether the value is part of the kernels that use it and never in HBM by
  // itself; null: it is not.
  bool (*is_virtual)(const Program& program, const Op& op, const Chip& chip) = nullptr;

  // Elementwise kinds: of real numbers, and of complex ones, whose parts have a
  // register each; nothing: as a function that is made of a few real ones.
  RegisterCost cost;
  std::optional<RegisterCost> complex_cost;
  // Work on the matrix and vector units; null: none.
  OpWork (*work)(const OpContext& context, const Op& op) = nullptr;
  // What a kernel of kind `kernel` whose root is the op moves other than each
  // input and output once; null: nothing.
  void (*set_traffic)(const RootOfKernel& root, Kernel& kernel) = nullptr;
};

// This is for keeps_terms.
inline bool IsLinear(const Op&) { return true; }

const LoweringTraits& LoweringTraitsOf(OpKind kind);

// Each enumerator has its traits.
namespace lowering_traits {
#define TW_OP(enumerator, name, op_class) extern const LoweringTraits enumerator;
#include "graph/op_kinds.def"
#undef TW_OP
}  // namespace lowering_traits

}  // namespace tilewise
