// Looks over nodes, collections, signatures and the object graph.

#include "frontend/tensorflow/graph_facts.h"

#include <algorithm>

#include "frontend/tensorflow/once_per_op.h"
#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/training_ops.h"
#include "frontend/tensorflow/trip_count.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {
namespace {

bool IsVariable(std::string_view op) {
  return op == "VarHandleOp" || op == "VariableV2" || op == "Variable" ||
         op == "AutoReloadVariable" || op == "_Arg";
}

// The name in a VariableDef, without its ":0".
std::string VariableName(std::string_view bytes) {
  std::string name;
  try {
    protozero::pbf_reader reader = Reader(bytes);
    while (reader.next(tensorflow::VariableDef::kVariableNameFieldNumber)) {
      name = Bytes(reader);
    }
  } catch (const protozero::exception&) {
    return {};
  }
  return name.substr(0, name.find(':'));
}

std::string NameOf(const NodeDef& node) {
  const auto shared = AttrString(node.attrs, "shared_name");
  if (shared && !shared->empty()) return std::string(*shared);
  const auto user = AttrString(node.attrs, "_user_specified_name");
  return std::string(user.value_or(node.name));
}

void FindTrained(const GraphIndex& index, GraphFacts& facts) {
  for (int32_t i = 0; i < index.size(); ++i) {
    if (!IsOptimizerUpdate(index.node(i).op) || index.inputs(i).empty()) {
      continue;
    }
    const Edge from = ThroughIdentities(index, index.inputs(i)[0]);
    if (from.node < 0 || index.IsArgument(from.node)) continue;
    if (!IsVariable(index.node(from.node).op)) continue;
    facts.trainable[NameOf(index.node(from.node))] = true;
  }
}

}  // namespace

bool IsSlotName(std::string_view variable) {
  for (const std::string_view part :
       {"moving_mean", "moving_variance", "moving_average", "global_step", "beta1_power",
        "beta2_power", "ExponentialMovingAverage", "/Adam", "/Momentum", "/RMSProp", "/Adagrad",
        "/Ftrl", "Adam/", "SGD/", "RMSprop/", "batch_mean", "iterations", "learning_rate"}) {
    if (Contains(variable, part)) return true;
  }
  return variable.ends_with("/m") || variable.ends_with("/v");
}

GraphFacts FactsOf(const MetaGraph& meta, const GraphIndex& index) {
  GraphFacts facts;
  OncePerOp<bool> is_update(IsOptimizerUpdate);
  const auto updates = [&](const NodeDef& node) { return is_update(node.op); };
  facts.training = std::any_of(meta.graph.nodes.begin(), meta.graph.nodes.end(), updates);
  for (const FunctionDef& function : meta.graph.functions) {
    facts.training =
        facts.training || std::any_of(function.nodes.begin(), function.nodes.end(), updates);
  }
  for (const auto& [name, signature] : meta.signatures) {
    for (const auto& [key, info] : signature.inputs) {
      if (!info.shape || info.name.empty()) continue;
      facts.input_shapes.try_emplace(info.name.substr(0, info.name.find(':')), *info.shape);
    }
  }
  if (facts.training) FindTrained(index, facts);
  const bool traced = !facts.trainable.empty();
  for (const auto& [number, variable] : meta.variables) {
    facts.trainable[std::string(variable.name)] = variable.trainable;
  }
  const auto trained = meta.bytes_collections.find("trainable_variables");
  const auto all = meta.bytes_collections.find("variables");
  if (all != meta.bytes_collections.end()) {
    for (const std::string_view variable : all->second) {
      facts.trainable.try_emplace(VariableName(variable), false);
    }
  }
  if (trained != meta.bytes_collections.end()) {
    for (const std::string_view variable : trained->second) {
      facts.trainable[VariableName(variable)] = true;
    }
  }
  OncePerOp<bool> is_variable(IsVariable);
  for (const NodeDef& node : index.nodes()) {
    if (!is_variable(node.op)) continue;
    std::string name = NameOf(node);
    const bool trains = !traced && !IsSlotName(name);
    facts.trainable.try_emplace(std::move(name), trains);
  }
  return facts;
}

}  // namespace tilewise::tf
