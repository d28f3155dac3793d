// Experts that the cores of one mesh axis share out: each core has some of
// them, whole, and works on what the examples of all cores send there.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/lowering/partition/split_values.h"

namespace tilewise {

// Returns the dim of the experts of each op that is a variable that holds one
// matrix for each expert, or what the optimizer keeps of it; kWhole for all
// others. A variable does so when a matmul takes it by a dim that the other
// operand has, too (a batch dim), and `parts` divides that dim.
std::vector<int64_t> FindExperts(const Graph& graph, int64_t parts);

class ExpertAllToAll {
 public:
  // `values` holds experts in parts of the dims that FindExperts gave.
  ExpertAllToAll(SplitValues& values, std::vector<int64_t> experts);

  // Makes what is computed of experts, or of tokens that are with them, on the
  // cores that have these; tokens come by an all-to-all, and go back by one
  // where something else reads the result. False, and nothing done, for an op
  // that does not go on there.
  bool Partition(const Op& op);
  // The gradient of what every token looked up for its expert, a bias: of the
  // tokens that are here. Its terms on the cores are others than those of the
  // tokens at home, but have the same sum. False, and nothing done, for any
  // other op.
  bool PartitionLookupGradient(const Op& scatter);

 private:
  // How a value lies on the cores of its experts.
  struct Form {
    int64_t experts = kWhole;
    int64_t examples = kWhole;  // of all cores; none of weights and gradients
    bool operator==(const Form&) const = default;
  };
  struct DotForms {
    Form lhs, rhs, result;
  };
  struct Value {
    Form form;
    OpId made = kNoOp;
  };

  const Value* Find(OpId old) const;
  bool IsWeight(OpId old, int64_t experts) const;
  OpId At(OpId old, const Form& form);
  bool IsCheapAt(OpId old, const Form& form) const;
  const Op* LookupOf(const Op& rows, const Form& form) const;
  OpId PositionsAt(OpId positions, const std::vector<Dim>& dims);
  OpId BroadcastAt(const Op& op, const Form& form);
  void Set(const Op& op, const Form& form, OpId made);
  bool PlaceExperts(const Op& op, DotForms& forms) const;
  bool PlaceTokens(const Op& op, bool left_weight, DotForms& forms) const;
  bool PlaceSummed(const Op& op, DotForms& forms) const;
  bool PartitionDot(const Op& op);
  std::optional<Form> FormOfResult(const Op& op, size_t operand) const;
  bool PartitionMapped(const Op& op);

  SplitValues& values_;
  const std::vector<int64_t> experts_;
  std::vector<std::optional<Value>> found_;  // by op
  // This is, for each op that is s32 [expert x token], the same [expert, token]
  // of the experts that are here.
  std::vector<OpId> positions_;
};

}  // namespace tilewise
