// The op of a function's body as a reducer.

#include "frontend/tensorflow/ops/xla_reducer.h"

#include <utility>

namespace tilewise::tf {

Reducer ReducerOf(const OpContext& ctx) {
  constexpr std::pair<std::string_view, Reducer> kReducers[] = {
      {"Add", Reducer::kSum},        {"AddV2", Reducer::kSum},      {"Maximum", Reducer::kMax},
      {"Minimum", Reducer::kMin},    {"Mul", Reducer::kProduct},    {"LogicalAnd", Reducer::kAnd},
      {"LogicalOr", Reducer::kOr},   {"BitwiseAnd", Reducer::kAnd}, {"BitwiseOr", Reducer::kOr},
      {"BitwiseXor", Reducer::kXor},
  };
  for (const std::string_view attr : {"reducer", "computation", "scatter", "update_computation"}) {
    const FunctionDef* function = ctx.Function(attr);
    if (function == nullptr) continue;
    for (const NodeDef& node : function->nodes) {
      for (const auto& [name, reducer] : kReducers) {
        if (node.op == name) return reducer;
      }
    }
  }
  return Reducer::kOther;
}

}  // namespace tilewise::tf
