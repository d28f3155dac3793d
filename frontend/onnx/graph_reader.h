// ModelView -> Graph: nodes in order, each by its op's function; control flow
// and functions are read into the same graph.

#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "frontend/onnx/dim_policy.h"
#include "frontend/onnx/model_view.h"
#include "frontend/onnx/node_context.h"
#include "frontend/onnx/value.h"
#include "workload/module_facts.h"

namespace tilewise::onnx {

using StatedTypes = absl::flat_hash_map<std::string_view, const TypeView*>;
using Opsets = absl::flat_hash_map<std::string_view, int64_t>;
using CallAttributes = absl::flat_hash_map<std::string_view, const AttributeView*>;

struct ReadSettings {
  std::string file;
  bool training = false;  // the model is to be trained
  bool batch = true;      // symbolic dims may be the batch
};

// What became of the model, besides the graph.
struct ReadSummary {
  std::map<std::string, int64_t> source_ops;
  std::map<std::string, int64_t> opaque_ops;
  int64_t nodes = 0;
  int64_t not_lowered = 0;  // nodes that failed or are unknown
  bool has_gradients = false;
  std::string first_failure;
  std::vector<Diagnostic> notes;
  ModuleFacts facts;
};

class GraphReader {
 public:
  GraphReader(const ModelView& model, ReadSettings settings);

  // Errors: names that nothing makes, cycles, ops without any known shape.
  absl::StatusOr<Graph> Read();
  ReadSummary& summary() { return summary_; }
  const DimPolicy& dims() const { return dims_; }

 private:
  using Values = std::vector<Value>;
  using MaybeValues = absl::StatusOr<Values>;

  // model_inputs.cc
  absl::Status DefineInputs(Scope& scope);
  absl::Status DefineInitializers(const GraphView& graph, Scope& scope);
  absl::StatusOr<Value> InputValue(const ValueInfoView& input);
  absl::StatusOr<Value> ConstantValue(const TensorView& tensor, bool weight);
  absl::Status AddOutputs(const Scope& scope);
  std::optional<Shape> ShapeOf(const Value& value) const;
  // The weight that a node stands for that fills a tensor with one number, in
  // models whose weights were taken out.
  std::optional<Value> MadeWeight(const NodeView& node, const std::vector<const Value*>& inputs);

  // graph_reader.cc
  absl::Status ReadNodes(const std::vector<NodeView>& nodes, const Frame& frame);
  absl::Status ReadNode(const NodeView& node, const Frame& frame);
  MaybeValues Results(const NodeView& node, const Frame& frame, std::vector<const Value*> inputs);
  absl::StatusOr<std::vector<const Value*>> Operands(const NodeView& node, const Frame& frame);
  NodeScope ScopeOf(const NodeView& node, const Frame& frame) const;
  int64_t OpsetOf(const NodeView& node, const Frame& frame) const;
  const FunctionView* FunctionOf(const NodeView& node) const;

  // record_facts.cc
  // Records facts of a node whose ops are [first, size of the graph).
  void RecordFacts(const NodeView& node, const std::vector<const Value*>& inputs, OpId first);
  void RecordOpenDims(const ValueInfoView& input, OpId parameter);
  void RecordConstants(const Scope& scope);

  // fallback.cc
  MaybeValues Fallback(const NodeView& node, const Frame& frame,
                       const std::vector<const Value*>& inputs, const absl::Status& reason);
  MaybeValues OnHost(const NodeView& node, const Frame& frame);
  std::optional<Shape> StatedShape(const TypeView& type) const;
  void CompareShapes(const NodeView& node, const Frame& frame, const Values& values);

  // control_flow.cc
  MaybeValues ReadIf(const NodeView& node, const Frame& frame,
                     const std::vector<const Value*>& inputs);
  MaybeValues ReadCall(const NodeView& node, const Frame& frame, const FunctionView& function,
                       const std::vector<const Value*>& inputs);
  MaybeValues ReadSequenceMap(const NodeView& node, const Frame& frame,
                              const std::vector<const Value*>& inputs);
  // Reads a nested graph whose inputs are `inputs`; gives its outputs.
  MaybeValues ReadBody(const NodeView& node, const GraphView& body, const Frame& frame,
                       const EnclosingLoop& loop, const Values& inputs);

  // loops.cc
  MaybeValues ReadLoop(const NodeView& node, const Frame& frame,
                       const std::vector<const Value*>& inputs);
  MaybeValues ReadScan(const NodeView& node, const Frame& frame,
                       const std::vector<const Value*>& inputs);
  struct OpenLoop {
    EnclosingLoop place;
    OpId counter = kNoOp;  // s32[]: the number of the iteration
  };
  OpenLoop EnterLoop(const NodeView& node, const Frame& frame, int64_t trips);
  // Trips that operand 0 of a Loop asks for, or that its results state; 1 and a
  // note when neither is known.
  int64_t IterationsOf(const NodeView& node, const Frame& frame, const Value* count);
  absl::Status AppendCarried(const NodeView& node, const Frame& frame, const OpenLoop& loop,
                             std::span<const Value* const> carried, Values& operands);
  // A value as the body sees it: another one on each iteration.
  absl::StatusOr<Value> Carried(const NodeView& node, const Frame& frame, const OpenLoop& loop,
                                const Value& value);
  // What a scan output of all iterations is, or one iteration's part of a scan
  // input.
  absl::StatusOr<Value> Stacked(const NodeView& node, const Frame& frame, const OpenLoop& loop,
                                int64_t trips, const Value& row, int64_t axis);
  absl::StatusOr<Value> RowOf(const NodeView& node, const Frame& frame, const OpenLoop& loop,
                              const Value& whole, int64_t axis);
  // The op of a value, made at the given location.
  absl::StatusOr<OpId> Realized(const NodeScope& place, const Value& value);

  void Note(std::string_view rule, const NodeView* node, const std::string& message);

  const ModelView& model_;
  ReadSettings settings_;
  DimPolicy dims_;
  GraphBuilder builder_;
  WeightList weights_;
  ReadSummary summary_;
  Opsets opsets_;
  StatedTypes stated_;
  // The key is the domain and the name.
  absl::flat_hash_map<std::pair<std::string_view, std::string_view>, const FunctionView*>
      functions_;
  absl::flat_hash_map<std::string_view, int64_t> uses_;  // of initializers
  std::set<std::string_view> weight_places_;
  std::set<std::string_view> statistics_;  // of batch norms
  int32_t loops_ = 0;
  int64_t known_left_ = int64_t{1} << 22;  // elements
  int64_t expanded_ = 0;                   // nodes read, those of functions at each call
  int64_t max_expanded_ = 0;
  int64_t mismatches_ = 0;
  std::set<std::string> noted_;  // what is said once
};

// The inputs of a graph that are no initializers.
std::vector<const ValueInfoView*> DataInputs(const GraphView& graph);
// Returns the data inputs that are weights: those of a model exported without
// its parameters.
std::vector<const ValueInfoView*> WeightInputs(const GraphView& graph);

// Names that are operands of a kind that is a weight in every model.
std::set<std::string_view> WeightNames(const GraphView& graph);

// Positions of `nodes` such that each comes after what it reads. Errors: a
// cycle, a name that two nodes make.
absl::StatusOr<std::vector<size_t>> OrderOf(const std::vector<NodeView>& nodes);
// What messages call `node`: its name, else that of a result, else its op.
std::string_view NameOf(const NodeView& node);

// Names that `node` reads, those that its nested graphs read included.
void AppendReads(const NodeView& node, std::vector<std::string_view>& names);

}  // namespace tilewise::onnx
