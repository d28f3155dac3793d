// What the function of one TensorFlow op sees of its node, and how it says what
// the node computes.
//
// A function reads operands and attributes, adds ops to `builder`, and sets
// results 0, 1, ... Results that are not set are Value::Kind::kNone. When it
// returns an error, or the builder has one after it, the node becomes an opaque
// op of the shapes that the file records (none recorded: it is left out) and
// the message is noted; the rest of the file is still read. Location, loop and
// scope of the builder are set before the call.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/graph_def.h"
#include "frontend/tensorflow/ops/value.h"
#include "graph/graph_builder.h"

namespace tilewise::tf {

class GraphState;  // variables, notes, caches of the graph being built

class OpContext {
 public:
  // `attrs`: the node's, with the placeholders of a function body replaced.
  OpContext(GraphState& state, const NodeDef& node, Attrs attrs, std::vector<Value> inputs);

  GraphBuilder& builder;
  const NodeDef& node() const { return node_; }
  std::string_view op() const { return node_.op; }

  // --- Operands: data inputs, in order; control inputs are not among them.
  int64_t num_inputs() const { return static_cast<int64_t>(inputs_.size()); }
  const Value& input(int64_t i) const;  // kNone beyond the end
  // The operand as an op: a known value is made a constant (or variable), a
  // variable is read. kNoOp and a failure of the builder when it is neither.
  OpId Operand(int64_t i);
  std::vector<OpId> Operands(int64_t begin, int64_t end);
  // Whether Operand(i) would be an op.
  bool IsTensor(int64_t i) const;
  // The operand when its numbers are known, else null.
  const KnownValue* Known(int64_t i) const;
  std::optional<std::vector<int64_t>> KnownInts(int64_t i) const;
  std::optional<int64_t> KnownInt(int64_t i) const;
  std::optional<double> KnownNumber(int64_t i) const;
  // Its shape without making it an op; nullopt when it is no tensor. Known
  // values, variables and host strings (of which the type says nothing) too.
  std::optional<Shape> InputShape(int64_t i) const;
  const TensorList* List(int64_t i) const;  // null: none
  // Whether any operand is a string, dataset or table: the node runs on the
  // host.
  bool HasHostInput() const;

  // --- Attributes, or `otherwise`.
  Attrs attrs() const { return attrs_; }
  int64_t Int(std::string_view name, int64_t otherwise) const;
  double Float(std::string_view name, double otherwise) const;
  bool Bool(std::string_view name, bool otherwise) const;
  std::string_view String(std::string_view name, std::string_view otherwise) const;
  std::vector<int64_t> Ints(std::string_view name) const;  // empty: absent
  // The type of an attribute such as "T"; nullopt: absent, or no number.
  std::optional<DType> Type(std::string_view name) const;
  std::optional<TensorShape> ShapeAttr(std::string_view name) const;
  // A function that the node names: its body, or null.
  const FunctionDef* Function(std::string_view attr) const;

  // The shape the file records for a result ("_output_shapes" or "shape"),
  // with the type `dtype`; unknown leading dims are the batch. nullopt: none,
  // or another dim is unknown.
  std::optional<Shape> RecordedShape(int64_t result, DType dtype) const;
  // Dims of a shape in the file, an unknown leading dim being the batch.
  static std::optional<std::vector<Dim>> ToDims(const TensorShape& shape);

  // --- Results.
  void SetResult(int64_t i, Value value);
  void SetOp(int64_t i, OpId op) { SetResult(i, Value::Of(op)); }
  void SetKnown(int64_t i, KnownValue value) { SetResult(i, Value::Of(std::move(value))); }
  void SetList(int64_t i, TensorList value) { SetResult(i, Value::Of(std::move(value))); }
  // Sets `value` when there is one; else an op must be made. Usual first lines
  // of shape arithmetic: if (ctx.SetIfKnown(0, KnownBinary(...))) return Ok.
  bool SetIfKnown(int64_t i, MaybeKnown value);
  // Result i is input j itself: Identity.
  void Forward(int64_t i, int64_t j) { SetResult(i, input(j)); }
  // The node is on the host and feeds the device: result i is a parameter of
  // the step.
  void SetFedByHost(int64_t i, Shape shape);
  // Result i is on the host: strings, tables. Its dims, where known.
  void SetHost(int64_t i, std::optional<std::vector<Dim>> dims = std::nullopt);
  // The node has no arithmetic here: result i is an opaque op on all operands
  // that are tensors. Counted in the coverage.
  void SetOpaque(int64_t i, Shape shape);

  // --- Variables. `i` is an operand that is a handle or a reference.
  // Null when operand i is no variable.
  const VariableState* Variable(int64_t i) const;
  // The variable's value as the step starts. kNoOp and a failure of the builder
  // when its shape is not known.
  OpId ReadVariable(int64_t i);
  // What the variable holds after the step; `value` has its shape. The last one
  // counts.
  void UpdateVariable(int64_t i, OpId value);
  // For ops without a handle to read ("Variable..." and "VarHandleOp"): adds a
  // variable of that shape (of unknown shape when nullopt).
  Value AddVariable(std::string_view name, std::optional<Shape> shape);

  // --- Loops.
  // Trips of the innermost loop around the node; 1 outside of loops.
  int64_t loop_trips() const;
  // Where the node stands, and a number for a loop that it makes.
  LoopPlace loop_place() const;
  int32_t NewLoop();

  // --- What people should know. `id`: RD001 (not read), RD002 (cannot be known
  // without running), RD003 (left out).
  void Note(std::string_view id, std::string message);

  const std::vector<Value>& results() const { return results_; }
  // Whether SetOpaque was called.
  bool opaque() const { return opaque_; }

 private:
  GraphState& state_;
  const NodeDef& node_;
  Attrs attrs_;
  std::vector<Value> inputs_;
  std::vector<Value> results_;
  bool opaque_ = false;
};

using OpFunction = absl::Status (*)(OpContext& context);

// The function for an op ("MatMul"); null when there is none. Ops of structure
// (calls, loops, conditionals, arguments, placeholders, constants, variables,
// datasets and iterators, queues, infeed) are not asked for:
// frontend/tensorflow has them.
OpFunction FindOp(std::string_view name);

}  // namespace tilewise::tf
