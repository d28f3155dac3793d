// Signatures first, then updates and sinks, then functions.

#include "frontend/tensorflow/choose_outputs.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/once_per_op.h"
#include "frontend/tensorflow/training_ops.h"
#include "frontend/tensorflow/work.h"

namespace tilewise::tf {
namespace {

// Results of a signature that are in the graph.
std::vector<Edge> ResultsOf(const SignatureDef& signature, const GraphIndex& index) {
  std::vector<Edge> edges;
  for (const auto& [name, info] : signature.outputs) {
    std::vector<std::string_view> tensors = info.components;
    if (!info.name.empty()) tensors.push_back(info.name);
    for (const std::string_view tensor : tensors) {
      const Edge edge = index.Resolve(tensor);
      if (edge.node >= 0) edges.push_back(edge);
    }
  }
  return edges;
}

// Returns the work of all nodes that the results need.
int64_t WorkBefore(const GraphIndex& index, const std::vector<Edge>& results, FunctionWork& work) {
  std::vector<bool> seen(index.size());
  std::vector<int32_t> stack;
  stack.reserve(results.size());
  for (const Edge& edge : results) stack.push_back(edge.node);
  int64_t sum = 0;
  while (!stack.empty()) {
    const int32_t node = stack.back();
    stack.pop_back();
    if (node < 0 || seen[node]) continue;
    seen[node] = true;
    sum += work.OfNode(index.node(node));
    for (const Edge& edge : index.inputs(node)) stack.push_back(edge.node);
  }
  return sum;
}

bool ChooseSignature(const MetaGraph& meta, const GraphIndex& index, FunctionWork& work,
                     StepOutputs& outputs) {
  constexpr std::string_view kDefault = "serving_default";
  int64_t most = 0;
  for (const auto& [name, signature] : meta.signatures) {
    if (name.starts_with("__saved_model")) continue;
    std::vector<Edge> edges = ResultsOf(signature, index);
    if (edges.empty() && !signature.outputs.empty()) {
      const TensorInfo& info = signature.outputs.begin()->second;
      outputs.dangling = fmt::format("signature {} names {}", name, info.name.substr(0, 100));
    }
    if (edges.empty()) continue;
    int64_t sum = WorkBefore(index, edges, work);
    // A default that does nothing but hand on its input is no step.
    if (name == kDefault && sum > 0) sum = int64_t{1} << 60;
    if (!outputs.results.empty() && sum <= most) continue;
    most = sum;
    outputs.results = std::move(edges);
    outputs.chosen = fmt::format("signature {}", name);
  }
  return !outputs.results.empty();
}

// Ops that are run for something else than a result of the step.
bool GivesNoResult(std::string_view op) {
  static constexpr auto kOps = std::to_array<std::string_view>({"NoOp",
                                                                "Const",
                                                                "Assert",
                                                                "Assign",
                                                                "AssignVariableOp",
                                                                "Placeholder",
                                                                "PlaceholderWithDefault",
                                                                "PlaceholderV2",
                                                                "VarHandleOp",
                                                                "VariableV2",
                                                                "Variable",
                                                                "Print",
                                                                "PrintV2",
                                                                "VarIsInitializedOp",
                                                                "IsVariableInitialized",
                                                                "ReadVariableOp",
                                                                "MergeV2Checkpoints",
                                                                "ShardedFilename",
                                                                "ControlTrigger",
                                                                "Switch",
                                                                "_Arg",
                                                                "WriteFile",
                                                                "ConfigureDistributedTPU",
                                                                "ShutdownDistributedTPU",
                                                                "LoopCond",
                                                                "TPUReplicateMetadata",
                                                                "TPUCompilationResult",
                                                                "NextIteration",
                                                                "DestroyResourceOp",
                                                                "StaticRegexFullMatch",
                                                                "StringJoin",
                                                                "StackV2",
                                                                "TPUDummyInput",
                                                                "_TPUCompileMlir",
                                                                "TensorArrayCloseV3",
                                                                "StackPushV2",
                                                                "TensorArrayCloseV2",
                                                                "Abort",
                                                                "Enter",
                                                                "OutfeedEnqueue",
                                                                "OutfeedEnqueueTuple"});
  if (std::find(kOps.begin(), kOps.end(), op) != kOps.end()) return true;
  static constexpr auto kParts = std::to_array<std::string_view>(
      {"Summary", "Save", "Restore", "Dataset", "Iterator", "Queue", "Enqueue", "InitializeTable",
       "HashTable", "LookupTable", "Initialized", "InfeedEnqueue", "ReaderV2", "Mutex", "Barrier",
       "Handle"});
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return Contains(op, part); });
}

// Returns whether such an op uses up its operands: what is only printed, saved
// or fed to another device is a result.
bool TakesOver(std::string_view op) {
  return op == "Switch" || op == "NextIteration" || op == "LoopCond" || op == "Enter" ||
         op == "Assign" || op == "AssignVariableOp" || op == "StackPushV2";
}

// Nodes that belong to the saving, the start or the conditions of a step.
bool IsBesideStep(std::string_view node) {
  return Contains(node, "/switch_") || Contains(node, "/pred_id") || node.starts_with("save/") ||
         node.starts_with("init");
}

bool IsReadOfVariable(const GraphIndex& index, int32_t node) {
  if (!IsIdentity(index.node(node).op) || index.inputs(node).empty()) {
    return false;
  }
  const Edge from = index.inputs(node)[0];
  if (from.node < 0 || index.IsArgument(from.node)) return false;
  const std::string_view op = index.node(from.node).op;
  return op == "VariableV2" || op == "Variable" || op == "ReadVariableOp" || op == "Const" ||
         IsSwitch(op);
}

// Whether what a graph returns is a data set or the like, as that of a serialised pipeline.
bool ReturnsHandle(const GraphIndex& index, int32_t node) {
  if (index.node(node).op != "_Retval" || index.inputs(node).empty()) return false;
  const int32_t from = index.inputs(node)[0].node;
  return from >= 0 && !index.IsArgument(from) && GivesNoResult(index.node(from).op);
}

void ChooseSinks(const GraphIndex& index, bool training, StepOutputs& outputs) {
  std::vector<bool> used(index.size());
  bool returns = false;
  OncePerOp<bool> gives_none(GivesNoResult);
  OncePerOp<bool> takes_over(TakesOver);
  const auto is_no_result = [&](const NodeDef& node) {
    return gives_none(node.op) || IsBesideStep(node.name);
  };
  for (int32_t i = 0; i < index.size(); ++i) {
    const NodeDef& node = index.node(i);
    if (node.op == "_Retval" && !ReturnsHandle(index, i)) returns = true;
    if (ReturnsHandle(index, i)) continue;
    if (is_no_result(node) && !takes_over(node.op)) continue;
    for (const Edge& edge : index.inputs(i)) {
      if (edge.node >= 0) used[edge.node] = true;
    }
  }
  const std::vector<bool> inside = LoopFrames(index).Inside();
  for (int32_t i = 0; i < index.size(); ++i) {
    const NodeDef& node = index.node(i);
    // An update in a loop of steps is that of the step.
    if (training && UpdatesVariable(node)) outputs.updates.push_back(i);
    if (inside[i]) continue;
    if (returns) {
      if (node.op == "_Retval" && !ReturnsHandle(index, i)) outputs.sinks.push_back(i);
      continue;
    }
    if (ReturnsHandle(index, i)) continue;
    if (used[i] || is_no_result(node) || UpdatesVariable(node) || IsReadOfVariable(index, i)) {
      continue;
    }
    // A training step has only its loss looked at, apart from the updates.
    if (training && !Contains(node.name, "loss")) continue;
    outputs.sinks.push_back(i);
  }
}

using Names = std::set<std::string_view>;

// Whether a node updates a variable, or calls a function that does.
bool Updates(const NodeDef& node, const Names& updating) {
  if (IsOptimizerUpdate(node.op) || updating.contains(node.op)) return true;
  return !updating.empty() &&
         std::any_of(node.attrs.begin(), node.attrs.end(), [&](const Attr& attr) {
           const auto called = AttrFunction(Attrs(&attr, 1), attr.name);
           return called && updating.contains(called->name);
         });
}

// Functions with updates of an optimizer, in themselves or in what they call.
Names UpdatingFunctions(const GraphDef& graph) {
  constexpr int kMaxNesting = 8;
  Names updating;
  for (int depth = 0; depth < kMaxNesting; ++depth) {
    const size_t before = updating.size();
    for (const FunctionDef& function : graph.functions) {
      if (updating.contains(function.name)) continue;
      if (std::any_of(function.nodes.begin(), function.nodes.end(),
                      [&](const NodeDef& node) { return Updates(node, updating); })) {
        updating.insert(function.name);
      }
    }
    if (updating.size() == before) break;
  }
  return updating;
}

// Whether a result needs an update of an optimizer, or waits for one.
bool ReachesUpdate(const GraphIndex& index, const std::vector<Edge>& results,
                   const Names& updating) {
  std::vector<bool> seen(index.size());
  std::vector<int32_t> stack;
  stack.reserve(results.size());
  for (const Edge& edge : results) stack.push_back(edge.node);
  while (!stack.empty()) {
    const int32_t node = stack.back();
    stack.pop_back();
    if (node < 0 || seen[node]) continue;
    seen[node] = true;
    if (Updates(index.node(node), updating)) return true;
    for (const Edge& edge : index.inputs(node)) stack.push_back(edge.node);
    for (const int32_t control : index.ControlInputs(node)) {
      stack.push_back(control);
    }
  }
  return false;
}

// A graph that does nothing but set and read its variables.
void ChooseVariables(const GraphIndex& index, StepOutputs& outputs) {
  for (int32_t i = 0; i < index.size(); ++i) {
    const std::string_view op = index.node(i).op;
    const bool assigns = op == "Assign" || op == "AssignVariableOp";
    if (op == "ReadVariableOp" || op == "VariableV2" || op == "Variable") {
      outputs.sinks.push_back(i);
    } else if (assigns && index.inputs(i).size() == 2 && index.inputs(i)[1].node >= 0) {
      outputs.results.push_back(index.inputs(i)[1]);
    }
  }
}

void ChooseFunction(const MetaGraph& meta, FunctionWork& work, StepOutputs& outputs) {
  int64_t most = 0;
  const auto consider = [&](const FunctionDef& function) {
    const int64_t sum = work.Of(function.name);
    if (sum <= most || function.outputs.empty()) return;
    most = sum;
    outputs.function = &function;
    outputs.chosen = fmt::format("function {}", function.name);
  };
  for (const auto& [name, bound] : meta.concrete_functions) {
    const FunctionDef* function = meta.graph.Function(name);
    if (function != nullptr) consider(*function);
  }
  if (outputs.function != nullptr) return;
  for (const FunctionDef& function : meta.graph.functions) consider(function);
}

}  // namespace

StepOutputs ChooseOutputs(const MetaGraph& meta, const GraphIndex& index, bool training) {
  StepOutputs outputs;
  FunctionWork work(meta.graph);
  if (ChooseSignature(meta, index, work, outputs)) {
    outputs.training =
        training && ReachesUpdate(index, outputs.results, UpdatingFunctions(meta.graph));
    return outputs;
  }
  outputs.training = training;
  ChooseSinks(index, training, outputs);
  if (!outputs.updates.empty() || !outputs.sinks.empty()) return outputs;
  ChooseFunction(meta, work, outputs);
  if (outputs.function == nullptr) ChooseVariables(index, outputs);
  return outputs;
}

}  // namespace tilewise::tf
