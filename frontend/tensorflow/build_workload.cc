// Evaluates the outputs of the step and puts the workload together. Where sizes
// of the graph turn out to be made for one batch, the build starts over with it.

#include "frontend/tensorflow/build_workload.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "frontend/tensorflow/choose_outputs.h"
#include "frontend/tensorflow/cycle.h"
#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/graph_facts.h"
#include "frontend/tensorflow/node_locations.h"
#include "frontend/tensorflow/output_names.h"
#include "frontend/tensorflow/read_pipeline.h"
#include "frontend/tensorflow/record_facts.h"
#include "workload/reader_note.h"

namespace tilewise::tf {
namespace {

std::string Stem(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// What the arguments of a function that is the step are: parameters, and the
// variables that it captures.
std::vector<Value> ArgumentsOf(const MetaGraph& meta, const FunctionDef& function,
                               GraphState& state) {
  std::vector<int32_t> bound;
  const auto captured = meta.concrete_functions.find(function.name);
  if (captured != meta.concrete_functions.end()) bound = captured->second;
  const size_t first_bound =
      function.inputs.size() - std::min(bound.size(), function.inputs.size());
  std::vector<Value> values;
  for (size_t k = 0; k < function.inputs.size(); ++k) {
    const ArgDef& arg = function.inputs[k];
    const auto attrs = function.arg_attrs.find(static_cast<uint32_t>(k));
    std::optional<TensorShape> shape;
    if (attrs != function.arg_attrs.end()) {
      const auto shapes = AttrShapes(attrs->second, "_output_shapes");
      if (shapes && !shapes->empty()) shape = shapes->front();
    }
    if (arg.type == DataType::kResource) {
      std::optional<Shape> held;
      std::string name(arg.name);
      bool trainable = true;
      DataType type = arg.handle_type;
      if (arg.handle_shape) shape = arg.handle_shape;
      if (k >= first_bound) {
        const auto found = meta.variables.find(bound[k - first_bound]);
        if (found != meta.variables.end()) {
          name = found->second.name;
          trainable = found->second.trainable;
          shape = found->second.shape;
          type = found->second.type;
        }
      }
      const auto dtype = ToDType(type);
      if (shape && dtype) {
        const auto dims = OpContext::ToDims(*shape);
        if (dims) held = Shape(*dtype, *dims);
      }
      values.push_back(Value::OfVariable(state.Variable(name, std::move(held), trainable)));
      continue;
    }
    const auto dtype = ToDType(arg.type);
    std::optional<std::vector<Dim>> dims;
    if (shape) dims = OpContext::ToDims(*shape);
    if (!dtype) {
      values.push_back(OnHost(std::move(dims)));
      continue;
    }
    if (!dims) {
      state.item = arg.name;
      state.Note("RD002", "cannot-resolve",
                 fmt::format("the shape of argument {} is not in the file; what "
                             "is taken: one dim, the batch",
                             arg.name));
      dims = std::vector<Dim>{BatchDim()};
    }
    values.push_back(Value::Of(state.Parameter(Shape(*dtype, std::move(*dims)), arg.name)));
  }
  return values;
}

// The op of a result; kNoOp when it is nothing of the device.
OpId OpOf(GraphState& state, const Value& value) {
  switch (value.kind) {
    case Value::Kind::kOp:
      return value.op;
    case Value::Kind::kKnown:
      return value.known()->size() == 0 ? kNoOp : state.Materialize(value.known());
    case Value::Kind::kVariable:
      if (!state.variables[value.variable].shape) {
        return kNoOp;
      }
      return state.ReadVariable(value.variable, std::nullopt);
    case Value::Kind::kList:
      return value.list()->stacked;
    default:
      return kNoOp;
  }
}

struct Built {
  Graph graph;
  std::vector<Diagnostic> notes;
  ModuleFacts facts;
  std::map<std::string, int64_t> opaque;
  int64_t nodes = 0;
  bool empty = true;  // no op computes anything
};

// Returns all that was computed and is not used, for when the results themselves could not be
// computed.
std::vector<Value> Unused(const GraphState& state) {
  std::vector<bool> used(state.builder.size());
  for (OpId id = 0; id < state.builder.size(); ++id) {
    for (const OpId operand : state.builder.op(id).operands) {
      used[operand] = true;
    }
  }
  std::vector<Value> values;
  for (OpId id = 0; id < state.builder.size(); ++id) {
    const bool leaf = state.builder.op(id).operands.empty();
    if (!used[id] && !leaf) values.push_back(Value::Of(id));
  }
  return values;
}

bool AnyOp(const std::vector<Value>& values) {
  return std::any_of(values.begin(), values.end(), [](const Value& value) {
    return value.kind == Value::Kind::kOp || value.kind == Value::Kind::kKnown;
  });
}

void AddOutputs(GraphState& state, const std::vector<Value>& results, bool training) {
  std::vector<OpId> added;
  for (const Value& value : results) {
    const OpId op = OpOf(state, value);
    if (op == kNoOp) continue;
    if (std::find(added.begin(), added.end(), op) != added.end()) continue;
    added.push_back(op);
    const bool loss = training && state.builder.shape(op).rank() == 0;
    state.builder.AddOutput(op, loss ? Output::Role::kLoss : Output::Role::kResult);
  }
  for (VariableState& variable : state.variables) {
    if (variable.updated == kNoOp) continue;
    const Shape updated = state.builder.shape(variable.updated);
    if (variable.variable == kNoOp && !variable.shape) variable.shape = updated;
    if (variable.variable == kNoOp) {
      variable.variable = state.Weight(*variable.shape, variable.name, variable.trainable);
    }
    if (state.builder.shape(variable.variable) != updated ||
        variable.updated == variable.variable) {
      continue;
    }
    state.builder.AddOutput(variable.updated, Output::Role::kState, variable.variable);
  }
}

absl::StatusOr<Built> BuildOnce(const MetaGraph& meta, const GraphIndex& index,
                                const NodeLocations& places, const StepOutputs& outputs,
                                const GraphFacts& facts, std::optional<int64_t>& batch) {
  GraphState state(Stem(places.file()), places, meta.graph);
  if (facts.batch) {
    state.batch = Dim{*facts.batch};
    state.Note("RD002", "cannot-resolve",
               fmt::format("sizes in the graph were made for a batch of {}, "
                           "which is taken for inputs whose batch is open",
                           *facts.batch));
  }
  Evaluator evaluator(state, facts, index);
  const auto failed = [&](const absl::Status& status) {
    batch = evaluator.wanted_batch();
    return status;
  };
  std::vector<Value> results;
  if (outputs.function != nullptr) {
    auto values =
        evaluator.Function(*outputs.function, ArgumentsOf(meta, *outputs.function, state));
    if (!values.ok()) return failed(values.status());
    results = std::move(*values);
  } else {
    auto values = evaluator.Graph(outputs.results);
    if (!values.ok()) return failed(values.status());
    results = std::move(*values);
    const absl::Status updates = evaluator.GraphNodes(outputs.updates);
    if (!updates.ok()) return failed(updates);
    const absl::Status sinks = evaluator.GraphNodes(outputs.sinks);
    if (!sinks.ok()) return failed(sinks);
    for (const int32_t sink : outputs.sinks) {
      for (Value& value : evaluator.ResultsOf(sink)) {
        results.push_back(std::move(value));
      }
    }
  }
  if (!state.builder.ok()) return state.builder.status();
  const bool updates =
      std::any_of(state.variables.begin(), state.variables.end(),
                  [](const VariableState& variable) { return variable.updated != kNoOp; });
  if (!updates && !AnyOp(results)) {
    results = Unused(state);
    state.item.clear();
    // Results of no size at all: what they are made of is all there is.
    if (results.empty()) results = evaluator.OperandsOf(outputs.sinks);
    if (!results.empty()) {
      state.Note("RD001", "unknown-layer",
                 "no result could be read up to its end; what comes before is "
                 "taken as the step");
    }
  }
  AddOutputs(state, results, facts.training);
  if (!outputs.chosen.empty()) {
    state.item.clear();
    state.Note("RD003", "ignored-part", fmt::format("the step is that of {}", outputs.chosen));
  }
  if (!outputs.dangling.empty()) {
    state.item.clear();
    state.Note("RD001", "unknown-layer",
               fmt::format("{}, which is not in the graph: it is no step", outputs.dangling));
  }
  state.CloseNotes();
  Built built;
  built.empty = results.empty();
  built.notes = std::move(state.notes);
  CloseFacts(state, facts.training);
  built.facts = std::move(state.facts);
  built.opaque = std::move(state.opaque);
  built.nodes = evaluator.evaluated();
  TW_ASSIGN_OR_RETURN(built.graph, state.builder.Build());
  return built;
}

absl::StatusOr<Built> Build(const MetaGraph& meta, const GraphIndex& index,
                            const NodeLocations& places, const StepOutputs& outputs,
                            GraphFacts facts) {
  std::optional<int64_t> batch;
  absl::StatusOr<Built> built = BuildOnce(meta, index, places, outputs, facts, batch);
  if (built.ok() || !batch) return built;
  facts.batch = batch;
  return BuildOnce(meta, index, places, outputs, facts, batch);
}

void CountOps(const GraphDef& graph, Workload& workload) {
  absl::flat_hash_map<std::string_view, int64_t> counts;
  for (const NodeDef& node : graph.nodes) ++counts[node.op];
  for (const FunctionDef& function : graph.functions) {
    for (const NodeDef& node : function.nodes) ++counts[node.op];
  }
  for (const auto& [op, count] : counts) {
    workload.source_ops[std::string(op)] = count;
  }
}

std::string Producer(const MetaGraph& meta) {
  if (!meta.tensorflow_version.empty()) {
    return fmt::format("tensorflow {}", meta.tensorflow_version);
  }
  if (meta.graph.producer > 0) {
    return fmt::format("tensorflow graph version {}", meta.graph.producer);
  }
  return {};
}

}  // namespace

absl::StatusOr<Workload> BuildWorkload(const MetaGraph& meta, const std::string& file,
                                       std::string_view format) {
  Workload workload;
  workload.name = file;
  workload.format = format;
  workload.producer = Producer(meta);
  CountOps(meta.graph, workload);
  NodeLocations places(file);
  const absl::Status lines = places.Read(meta.debug_info);
  TW_ASSIGN_OR_RETURN(const GraphIndex index, GraphIndex::Make(meta.graph, nullptr));
  TW_ASSIGN_OR_RETURN(workload.pipelines, ReadPipelines(meta.graph, index, places));
  GraphFacts facts = FactsOf(meta, index);
  const StepOutputs outputs = ChooseOutputs(meta, index, facts.training);
  facts.training = outputs.training;
  const bool only_data = !workload.pipelines.empty() && outputs.sinks.empty() &&
                         outputs.updates.empty() &&
                         (outputs.results.empty() || meta.signatures.empty());
  workload.step = outputs.training ? StepKind::kTrainingStep : StepKind::kInference;
  if (!lines.ok()) {
    workload.notes.push_back(
        NoteOnFile("RD003", "ignored-part", file,
                   fmt::format("places in the user's program are left out: {}", Message(lines))));
  }
  if (only_data) return workload;
  TW_ASSIGN_OR_RETURN(Built built, Build(meta, index, places, outputs, std::move(facts)));
  std::ranges::move(built.notes, std::back_inserter(workload.notes));
  workload.module = std::move(built.facts);
  workload.opaque_layers = std::move(built.opaque);
  workload.layers = built.nodes;
  if (!built.graph.outputs().empty()) workload.graph = std::move(built.graph);
  if (workload.graph || !workload.pipelines.empty()) return workload;
  for (const Diagnostic& note : workload.notes) {
    if (note.rule != "RD001") continue;
    return InvalidInput(
        fmt::format("no result can be computed; node '{}' {}", note.location.item, note.message));
  }
  // A graph that is nothing but cycles has no node that is a result.
  if (std::string cycle = FindCycle(index); !cycle.empty()) {
    return InvalidInput(std::move(cycle));
  }
  return InvalidInput(
      "found no node that computes a tensor, expected outputs, updates of "
      "variables or a tf.data pipeline");
}

}  // namespace tilewise::tf
