// Functional loops: While, with functions for its condition and its body.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/trip_count.h"

namespace tilewise::tf {
namespace {

constexpr int kMaxLoops = 64;  // of calls and loops in each other

struct LoopVariables {
  size_t count = 0;                           // that condition and body both have
  std::vector<Edge> updates;                  // the edge each has at the end of the body
  std::vector<Value> invariants;              // the first value of those that the body keeps
  absl::flat_hash_map<int32_t, int> variant;  // the others, by argument of the condition
};

LoopVariables VariablesOf(const FunctionDef& condition, const GraphIndex& condition_index,
                          const FunctionDef& body, const GraphIndex& body_index,
                          const std::vector<Value>& initial) {
  LoopVariables found;
  found.updates.resize(initial.size());
  found.invariants.resize(initial.size());
  found.count =
      std::min({initial.size(), body.outputs.size(), body.inputs.size(), condition.inputs.size()});
  for (size_t k = 0; k < found.count; ++k) {
    for (const auto& [name, edge] : body.ret) {
      if (name == body.outputs[k].name) found.updates[k] = body_index.Resolve(edge);
    }
    const Edge from = ThroughIdentities(body_index, found.updates[k]);
    if (from.node == body_index.size() + static_cast<int32_t>(k)) {
      found.invariants[k] = initial[k];
    } else {
      found.variant[condition_index.size() + static_cast<int32_t>(k)] = static_cast<int>(k);
    }
  }
  return found;
}

// What one iteration adds to variable `k`.
std::optional<double> StepOfVariable(const GraphIndex& body, const LoopVariables& variables,
                                     int k) {
  return StepOf(
      body, variables.updates[k], [&](Edge edge) { return edge.node == body.size() + k; },
      [&](Edge edge) -> std::optional<double> {
        const Edge from = ThroughIdentities(body, edge);
        const int32_t argument = from.node - body.size();
        if (argument >= 0 && static_cast<size_t>(argument) < variables.invariants.size()) {
          return NumberOf(variables.invariants[argument]);
        }
        return ConstantAt(body, edge);
      });
}

std::optional<TripCount> IterationsOf(const FunctionDef& condition, const GraphIndex& index,
                                      const LoopQuery& query) {
  std::optional<TripCount> count;
  if (condition.outputs.empty()) return count;
  for (const auto& [name, edge] : condition.ret) {
    if (name != condition.outputs[0].name) continue;
    count = FindIterations(index, index.Resolve(edge), query);
  }
  return count;
}

}  // namespace

absl::Status Evaluator::While(Instance& in, int32_t node, const LoopScope& loop) {
  const NodeDef& def = in.index().node(node);
  const Attrs attrs = ResolvedAttrs(in, def);
  const auto condition_name = AttrFunction(attrs, "cond");
  const auto body_name = AttrFunction(attrs, "body");
  const FunctionDef* condition =
      condition_name ? state_.graph.Function(condition_name->name) : nullptr;
  const FunctionDef* body = body_name ? state_.graph.Function(body_name->name) : nullptr;
  if (condition == nullptr || body == nullptr) {
    return Plain(in, node, nullptr, loop);
  }
  if (in.depth() >= kMaxLoops) {
    return InvalidInput(fmt::format("loops are nested {} deep at node '{}'", in.depth(), def.name));
  }
  const std::vector<Value> initial = Inputs(in, node);
  TW_ASSIGN_OR_RETURN(const GraphIndex* body_index, IndexOf(*body));
  TW_ASSIGN_OR_RETURN(const GraphIndex* condition_index, IndexOf(*condition));
  resolved_attrs_.push_back(body_name->attrs);
  Instance body_in(*body_index, resolved_attrs_.back(), in.depth() + 1);
  resolved_attrs_.push_back(condition_name->attrs);
  Instance condition_in(*condition_index, resolved_attrs_.back(), in.depth() + 1);
  const LoopVariables variables =
      VariablesOf(*condition, *condition_index, *body, *body_index, initial);
  TW_RETURN_IF_ERROR(BindArguments(condition_in, variables.invariants));
  LoopQuery query;
  query.variable = [&](Edge edge) {
    const auto found = variables.variant.find(ThroughIdentities(*condition_index, edge).node);
    return found == variables.variant.end() ? -1 : found->second;
  };
  absl::Status status;
  query.invariant = [&](Edge edge) -> std::optional<double> {
    if (edge.node < 0 || DependsOn(*condition_index, edge, variables.variant)) {
      return std::nullopt;
    }
    status = Run(condition_in, std::span(&edge.node, 1), loop);
    return status.ok() ? NumberOf(condition_in.Get(edge)) : std::nullopt;
  };
  query.initial = [&](int k) { return NumberOf(initial[k]); };
  query.step = [&](int k) { return StepOfVariable(*body_index, variables, k); };
  const std::optional<TripCount> count = IterationsOf(*condition, *condition_index, query);
  TW_RETURN_IF_ERROR(status);
  NoteIterations(def.name, count.has_value(), count && count->is_bound);
  const int64_t trips = count ? count->trip_count : 1;
  if (trips == 0) {
    in.Set(node, initial);
    return absl::OkStatus();
  }
  const LoopScope inner = EnterLoop(loop, trips);
  std::vector<Value> arguments = initial;
  state_.At(def.name, inner);
  for (const auto& [argument, k] : variables.variant) {
    (void)argument;
    arguments[k] = {};
  }
  for (size_t k = 0; k < arguments.size(); ++k) {
    const int32_t argument = condition_index->size() + static_cast<int32_t>(k);
    if (variables.variant.contains(argument)) arguments[k] = Carry(initial[k]);
  }
  TW_RETURN_IF_ERROR(BindArguments(body_in, std::move(arguments)));
  TW_ASSIGN_OR_RETURN(std::vector<Value> results, Results(body_in, inner));
  for (size_t k = 0; k < results.size() && k < variables.count; ++k) {
    const auto first = query.initial(static_cast<int>(k));
    const auto step = query.step(static_cast<int>(k));
    if (count && !count->is_bound && first && step) {
      results[k] = Value::Of(
          KnownScalar(*first + *step * static_cast<double>(trips), initial[k].known()->dtype));
    }
  }
  in.Set(node, results);
  return absl::OkStatus();
}

}  // namespace tilewise::tf
