// What all elementwise kinds have in common.

#pragma once

#include "sim/lowering/lowering_traits.h"

namespace tilewise {

// Returns the work by the cost of the kind for each register of the result.
OpWork ElementwiseWork(const OpContext& context, const Op& op);

std::optional<int64_t> SameDimOfOperand(const Graph& graph, const Op& op, size_t operand,
                                        int64_t result_dim);

constexpr LoweringTraits Elementwise(RegisterCost cost = {},
                                     std::optional<RegisterCost> complex_cost = {},
                                     OpWork (*work)(const OpContext&,
                                                    const Op&) = ElementwiseWork) {
  return {.operand_dim = SameDimOfOperand,
          .same_order = LoweringTraits::SameOrder::kAll,
          .cost = cost,
          .complex_cost = complex_cost,
          .work = work};
}

// These are the traits of functions that go part by part, and cost what they do
// of real numbers.
constexpr LoweringTraits PartByPart() { return Elementwise({}, RegisterCost{}); }

constexpr LoweringTraits Simplified(LoweringTraits traits, OpId (*simplify)(Simplifier&, const Op&),
                                    bool (*keeps_terms)(const Op&) = nullptr) {
  traits.simplify = simplify;
  traits.keeps_terms = keeps_terms;
  return traits;
}

}  // namespace tilewise
