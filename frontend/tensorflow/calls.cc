// Functions: calls are inlined, of If and Case one branch is taken.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/output_names.h"
#include "frontend/tensorflow/training_ops.h"

namespace tilewise::tf {
namespace {

constexpr int kMaxDepth = 64;  // of calls, loops and branches in each other

// The function that a calling node names, and the attributes that its body's
// placeholders refer to.
struct Callee {
  const FunctionDef* function = nullptr;
  std::string_view name;
  std::vector<Attr> attrs;
};

Callee CalleeOf(const GraphDef& graph, const NodeDef& node, Attrs attrs) {
  Callee callee;
  for (const std::string_view name : {"f", "function", "computation", "function_name"}) {
    if (const auto function = AttrFunction(attrs, name)) {
      callee.name = function->name;
      callee.attrs = function->attrs;
      break;
    }
  }
  if (callee.name.empty()) {
    callee.name = node.op;
    callee.attrs.assign(attrs.begin(), attrs.end());
  }
  if (node.op == "SymbolicGradient") {
    const auto gradient = graph.gradients.find(callee.name);
    if (gradient != graph.gradients.end()) callee.name = gradient->second;
  }
  callee.function = graph.Function(callee.name);
  return callee;
}

}  // namespace

absl::StatusOr<std::vector<Value>> Evaluator::CallFunction(const FunctionDef& function,
                                                           std::vector<Value> arguments, Attrs call,
                                                           const LoopScope& loop, int depth) {
  if (depth > kMaxDepth) {
    return InvalidInput(fmt::format("function '{}' is called {} calls deep, expected at most {}",
                                    function.name, depth, kMaxDepth));
  }
  TW_ASSIGN_OR_RETURN(const GraphIndex* index, IndexOf(function));
  Instance in(*index, call, depth);
  TW_RETURN_IF_ERROR(BindArguments(in, std::move(arguments)));
  return Results(in, loop);
}

absl::Status Evaluator::BindArguments(Instance& in, std::vector<Value> arguments) {
  const FunctionDef& function = *in.index().function();
  size_t next = 0;
  for (size_t k = 0; k < function.inputs.size(); ++k) {
    const int64_t count = TensorCount(function.inputs[k], in.call());
    std::vector<Value> values;
    for (int64_t i = 0; i < count && next < arguments.size(); ++i) {
      values.push_back(std::move(arguments[next++]));
    }
    in.Set(in.index().size() + static_cast<int32_t>(k), values);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Value>> Evaluator::Results(Instance& in, const LoopScope& loop) {
  const FunctionDef& function = *in.index().function();
  std::vector<Edge> edges;
  for (const ArgDef& output : function.outputs) {
    const auto found = std::find_if(function.ret.begin(), function.ret.end(),
                                    [&](const auto& ret) { return ret.first == output.name; });
    Edge edge;
    if (found != function.ret.end()) edge = in.index().Resolve(found->second);
    if (edge.node < 0) {
      return InvalidInput(fmt::format(
          "function '{}' returns '{}' as {}, which is not in it", function.name,
          found != function.ret.end() ? found->second : std::string_view{}, output.name));
    }
    const int64_t count = TensorCount(output, in.call());
    for (int64_t i = 0; i < count; ++i) {
      edges.push_back({edge.node, edge.output + static_cast<int32_t>(i)});
    }
  }
  std::vector<int32_t> nodes;
  nodes.reserve(edges.size());
  for (const Edge& edge : edges) nodes.push_back(edge.node);
  // A training function may do all its work on variables.
  for (int32_t i = 0; i < in.index().size(); ++i) {
    if (facts_.training && UpdatesVariable(in.index().node(i))) {
      nodes.push_back(i);
    }
  }
  TW_RETURN_IF_ERROR(Run(in, nodes, loop));
  std::vector<Value> results;
  results.reserve(edges.size());
  for (const Edge& edge : edges) results.push_back(in.Get(edge));
  // Lists are as long as an attribute says; long ones count like nodes.
  constexpr size_t kValuesPerNode = 8;
  evaluated_ += static_cast<int64_t>(results.size() / kValuesPerNode);
  return results;
}

absl::Status Evaluator::Call(Instance& in, int32_t node, const LoopScope& loop) {
  const NodeDef& def = in.index().node(node);
  Callee callee = CalleeOf(state_.graph, def, ResolvedAttrs(in, def));
  if (callee.function == nullptr) return Plain(in, node, nullptr, loop);
  std::vector<Value> arguments = Inputs(in, node);
  if ((def.op == "TPUPartitionedCall" && !arguments.empty())) {
    arguments.pop_back();  // the number of the device
  } else if (def.op == "RemoteCall" && !arguments.empty()) {
    arguments.erase(arguments.begin());  // the device
  }
  resolved_attrs_.push_back(std::move(callee.attrs));
  TW_ASSIGN_OR_RETURN(std::vector<Value> results,
                      CallFunction(*callee.function, std::move(arguments), resolved_attrs_.back(),
                                   loop, in.depth() + 1));
  in.Set(node, results);
  return absl::OkStatus();
}

absl::Status Evaluator::Branch(Instance& in, int32_t node, Handling handling,
                               const LoopScope& loop) {
  const NodeDef& def = in.index().node(node);
  const Attrs attrs = ResolvedAttrs(in, def);
  std::vector<FunctionRef> branches;
  if (handling == Handling::kCase) {
    branches = AttrFunctions(attrs, "branches").value_or(std::vector<FunctionRef>{});
  } else {
    // Branch 0 is that of false.
    const auto on_true = AttrFunction(attrs, "then_branch");
    const auto on_false = AttrFunction(attrs, "else_branch");
    if (on_true && on_false) branches = {*on_false, *on_true};
  }
  std::vector<Value> arguments = Inputs(in, node);
  if (branches.empty() || arguments.empty()) {
    return Plain(in, node, nullptr, loop);
  }
  std::optional<int64_t> choice;
  if (arguments[0].known() != nullptr) choice = KnownInteger(*arguments[0].known());
  size_t taken = branches.size() - 1;
  if (choice) {
    const bool last = *choice < 0 || *choice >= static_cast<int64_t>(taken);
    taken = last ? taken : static_cast<size_t>(*choice);
  } else {
    int64_t least = -1;
    int64_t most = -1;
    for (size_t i = branches.size(); i-- > 0;) {
      const int64_t work = work_.Of(branches[i].name);
      if (work > most) taken = i;
      most = std::max(most, work);
      least = least < 0 ? work : std::min(least, work);
    }
    if (most > 2 * least + 2) {
      state_.Note("RD002", "cannot-resolve",
                  fmt::format("of the branches of {} that with the most work "
                              "is taken: {}",
                              def.name, branches[taken].name));
    }
  }
  const FunctionDef* function = state_.graph.Function(branches[taken].name);
  if (function == nullptr) return Plain(in, node, nullptr, loop);
  arguments.erase(arguments.begin());
  resolved_attrs_.push_back(branches[taken].attrs);
  TW_ASSIGN_OR_RETURN(
      std::vector<Value> results,
      CallFunction(*function, std::move(arguments), resolved_attrs_.back(), loop, in.depth() + 1));
  in.Set(node, results);
  return absl::OkStatus();
}

absl::Status Evaluator::Replicate(Instance& in, int32_t node, const LoopScope& loop) {
  const NodeDef& def = in.index().node(node);
  const Attrs attrs = ResolvedAttrs(in, def);
  Callee callee = CalleeOf(state_.graph, def, attrs);
  if (callee.function == nullptr) return Plain(in, node, nullptr, loop);
  // Operands: those of replica 0, of replica 1..., then those that all share.
  std::vector<Value> inputs = Inputs(in, node);
  const auto count = [&](std::string_view list) {
    const auto types = AttrTypes(attrs, list);
    return types ? types->size() : size_t{0};
  };
  const size_t shared = count("Tbroadcast_inputs") + count("Tguaranteed_constants");
  const size_t variables =
      static_cast<size_t>(std::max<int64_t>(AttrInt(attrs, "NumVariables").value_or(0), 0));
  const size_t replicated = std::min(count("Tinputs"), inputs.size());
  const auto replicas =
      static_cast<size_t>(std::max<int64_t>(AttrInt(attrs, "num_replicas").value_or(1), 1));
  const size_t own = replicated / replicas;
  std::vector<Value> arguments(inputs.begin(), inputs.begin() + static_cast<int64_t>(own));
  for (size_t i = replicated; i < std::min(inputs.size(), replicated + shared + variables); ++i) {
    arguments.push_back(inputs[i]);
  }
  resolved_attrs_.push_back(std::move(callee.attrs));
  TW_ASSIGN_OR_RETURN(const std::vector<Value> results,
                      CallFunction(*callee.function, std::move(arguments), resolved_attrs_.back(),
                                   loop, in.depth() + 1));
  // Results: those of replica 0, of replica 1...; replicas are alike.
  std::vector<Value> all;
  const auto outputs = AttrTypes(attrs, "output_types");
  const size_t wanted = outputs ? outputs->size() : results.size();
  for (size_t i = 0; i < wanted && !results.empty(); ++i) {
    all.push_back(results[i % results.size()]);
  }
  in.Set(node, all);
  return absl::OkStatus();
}

}  // namespace tilewise::tf
