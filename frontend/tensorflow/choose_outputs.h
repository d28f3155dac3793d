// Which results of a graph make its step: those of a signature, what a training
// graph updates, or what nothing else uses.

#pragma once

#include <string>
#include <vector>

#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

struct StepOutputs {
  // Results of the graph; of a sink all of its results are wanted.
  std::vector<Edge> results;
  std::vector<int32_t> sinks;
  std::vector<int32_t> updates;  // evaluated for what they do to variables
  // The results are those of this function when the graph itself computes
  // nothing.
  const FunctionDef* function = nullptr;
  bool training = false;  // the step has updates of an optimizer
  std::string chosen;     // "signature serving_default"; empty: nothing to choose
  // "signature x names y:0": of one that cannot be the step; empty: none.
  std::string dangling;
};

// `training`: the graph has updates of an optimizer somewhere.
StepOutputs ChooseOutputs(const MetaGraph& meta, const GraphIndex& index, bool training);

}  // namespace tilewise::tf
