// The ops of a program that is being run on symbols, in a graph: each op is
// made where the program calls for it. Ops named "onnx.X" mean what the ONNX
// reader says, ops named "tw.X" what the tables of ops/ say. What follows from
// known numbers alone is computed and makes no op.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "frontend/onnx/node_context.h"
#include "graph/rebatch.h"
#include "graph/training.h"
#include "library/value.h"
#include "workload/workload.h"

namespace tilewise::program {

using Attribute =
    std::variant<bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;
using AttributeMap = std::map<std::string, Attribute, std::less<>>;

// A loss that the step also makes small, and the weights that it trains.
struct OtherLoss {
  Value loss;
  std::vector<Value> trained;
  Location at = {};
};

// Weights that an update changes: ops from `from` on read the new ones.
struct UpdateInStep {
  int32_t from = 0;
  std::vector<Value> weights;
};

// What of a trace is the step: given to Tracer::Finish.
struct StepRequest {
  // A scalar, or a tensor whose elements are summed. None: the results are all
  // there is.
  std::optional<Value> loss;
  // Those of networks that the same step trains before, each with an optimizer, in order.
  std::vector<OtherLoss> others = {};
  std::vector<UpdateInStep> updates = {};
  std::vector<Value> results;
  // New values of weights that the program itself computes: (weight, value).
  std::vector<std::pair<Value, Value>> states;
  // Given: the step is one of training.
  std::optional<TrainingSpec> training;
  // The weights that get gradients; none given: all that are trainable.
  std::optional<std::vector<Value>> trained;
  // The weights of the model, which are counted; none given: all that were
  // made.
  std::optional<std::vector<Value>> weights;
};

// Elements of weights, used or not, and products of one example.
struct ModelCounts {
  int64_t trainable = 0;
  int64_t other = 0;                // frozen weights, statistics, buffers
  int64_t macs = 0;                 // multiply-adds of dots and convolutions, forward
  bool macs_of_one = true;          // false: of all examples together, as the batch is not known
  std::vector<std::string> unused;  // names of weights that no result needs
};

struct TracedStep {
  Graph graph;  // forward; per-batch dims symbolic when `batch` is given
  StepKind step = StepKind::kInference;
  std::optional<TrainingSpec> training;
  std::optional<int64_t> batch;               // as it was traced with
  std::map<std::string, int64_t> source_ops;  // calls by name
  std::map<std::string, int64_t> opaque_ops;  // those without arithmetic here
  std::vector<Diagnostic> notes;
  ModelCounts counts;

  // Fills in what a trace knows of a workload: graph, step, training, ops,
  // notes.
  void MoveInto(Workload& workload) &&;
};

class Tracer {
 public:
  explicit Tracer(std::string name);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // The user's line, and the prefix of the names of ops: "encoder/layer_0".
  void SetPlace(Location location, std::string_view scope);

  // Ops of `name` on `inputs`; kNone: left out. As many results as `outputs`
  // says. Errors, whose message has no location: an unknown name, operands that do
  // not fit. The graph is then as it was before.
  absl::StatusOr<std::vector<Value>> Op(std::string_view name, std::vector<Value> inputs,
                                        const AttributeMap& attrs = {}, int outputs = 1);

  // Leaves, of static shapes. Errors: a shape without elements or with too many,
  // a batch dim that is none.
  absl::StatusOr<Value> Weight(Shape shape, std::string name, bool trainable = true);
  absl::StatusOr<Value> Input(Shape shape, std::string_view name,
                              std::optional<int64_t> batch_dim = 0);
  absl::StatusOr<Value> Full(double number, Shape shape);
  static Value Known(KnownValue value) { return Value::Of(std::move(value)); }

  // What is known of a value. ShapeOf: nullopt when it is no tensor. Numbers:
  // null when they are not known; good as long as the value is.
  std::optional<Shape> ShapeOf(const Value& value) const;
  static const KnownValue* Numbers(const Value& value) { return value.known().get(); }
  static bool IsWeight(const Value& value) { return value.kind == Value::Kind::kVariable; }

  // Both are for weights only, which have names and can be frozen; both may change at any time.
  void Rename(const Value& weight, std::string name);
  void SetTrainable(const Value& weight, bool trainable);
  std::string_view NameOf(const Value& weight) const;
  bool IsTrainable(const Value& weight) const;

  // A loop of `trips` iterations whose body is traced once, from here to
  // EndLoop. The results are the number of the iteration, s32[], then `carried`
  // as the body sees them; kNone stays what it is.
  absl::StatusOr<std::vector<Value>> BeginLoop(int64_t trips, const std::vector<Value>& carried);
  // What all iterations make of `row`, one after the other along a new dim 0;
  // within the loop.
  absl::StatusOr<Value> StackRows(const Value& row);
  // This iteration's part of `whole` along `dim`, without that dim; `index` follows the loop's
  // number. Within the loop.
  absl::StatusOr<Value> RowOf(const Value& whole, int64_t dim, const Value& index);
  // What the body leaves for the next iteration, in the order of `carried`.
  void Carry(const std::vector<Value>& next);
  void EndLoop();
  // An iteration of a scan over layers, each of which is traced: from here to EndLoop.
  // `first`: it is the scan's first one.
  void BeginIteration(bool first);
  // Whether the value is a weight, or one in another type or order.
  bool IsOfWeight(const Value& value) const;
  // Makes an input of a value that is made of random numbers and counters alone, with the examples
  // in dim 0: data that a program makes up before its step. False: it is made of something else.
  bool TakeAsInput(const Value& value);
  // Whether a value is computed of many inputs, as a buffer that earlier calls filled is; it is an
  // input of the step then.
  bool TakeBuffer(const Value& value);

  // What had to be assumed, at the current location (RD002).
  void Note(std::string message);

  // The step, without the ops that it does not need. The trace stays as it is,
  // so that other steps can be made of it. Errors: nothing to compute, a loss
  // that is no number.
  absl::StatusOr<TracedStep> Finish(const StepRequest& request) const;

  const GraphBuilder& builder() const { return builder_; }

 private:
  friend class StepBuilder;
  struct OpenLoop {
    EnclosingLoop place;
    int64_t trips = 1;
    OpId counter = kNoOp;
    std::vector<std::pair<OpId, OpId>> carried;  // as the body sees it, and as it leaves it
    OpId last = kNoOp;
  };
  EnclosingLoop loop() const { return loops_.empty() ? EnclosingLoop() : loops_.back().place; }
  onnx::NodeScope PlaceIn(EnclosingLoop loop) const;
  // The op of a value, made in `loop`.
  absl::StatusOr<OpId> Realized(const Value& value, EnclosingLoop loop);

  std::string name_;
  GraphBuilder builder_;
  onnx::WeightList weights_;
  std::vector<Location> weight_places_;  // by weight
  std::vector<BatchSeed> seeds_;
  std::set<OpId> taken_as_inputs_;
  Location location_;
  std::string scope_;
  std::vector<OpenLoop> loops_;   // innermost last
  std::vector<OpenLoop> closed_;  // the outermost ones, whose carried values are known
  int32_t loop_count_ = 0;
  int32_t first_iteration_ = 0;            // of the newest scan over layers
  int64_t known_left_ = int64_t{1} << 22;  // elements
  int64_t fills_left_ = int64_t{1} << 24;  // elements of what one number fills
  std::map<std::string, int64_t, std::less<>> source_ops_;
  std::map<std::string, int64_t, std::less<>> opaque_ops_;
  std::vector<Diagnostic> notes_;
};

}  // namespace tilewise::program
