// What the function of one TensorFlow op sees of its node, and how it says what
// the node computes.
//
// A function reads operands and attributes, adds ops to builder(), and sets
// results 0, 1, ... Results that are not set are Value::Kind::kNone. When it
// returns an error, or the builder has one after it, the node becomes an opaque
// op of the shapes that the file records (none recorded: it is left out) and
// the message is noted; the rest of the file is still read.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/graph_def.h"
#include "library/reader_context.h"

namespace tilewise::tf {

class GraphState;  // variables, notes, caches of the graph being built

// A variable of the model. `variable` is made when it is first read.
struct VariableState {
  std::string name;
  std::optional<Shape> shape;  // nullopt: the file does not say
  bool trainable = true;
  OpId variable = kNoOp;
  OpId updated = kNoOp;  // its value after the step, when that changes it
  std::string device;    // that the file has it on; may be empty
};

class OpContext final : public ReaderContext {
 public:
  // `attrs`: the node's, with the placeholders of a function body replaced.
  OpContext(GraphState& state, const NodeDef& node, Attrs attrs, std::vector<Value> inputs);

  const NodeDef& node() const { return node_; }
  const TensorList* List(int64_t i) const { return input(i).list().get(); }  // null: none
  // Whether any operand is a string, dataset or table: the node runs on the
  // host.
  bool HasHostInput() const;

  // --- Attributes, or `otherwise`.
  Attrs attrs() const { return attrs_; }
  int64_t Int(std::string_view name, int64_t otherwise) const override;
  double Float(std::string_view name, double otherwise) const override;
  bool Bool(std::string_view name, bool otherwise) const override;
  std::string_view Text(std::string_view name, std::string_view otherwise) const override;
  std::vector<int64_t> Ints(std::string_view name) const override;
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
  // Sets result 0, as the last thing that a function does.
  absl::Status Result(OpId op) {
    Set(0, op);
    return absl::OkStatus();
  }
  absl::Status Result(KnownValue value) {
    SetKnown(0, std::move(value));
    return absl::OkStatus();
  }
  absl::Status ForwardFirst() {
    Forward(0, 0);
    return absl::OkStatus();
  }
  void SetList(int64_t i, TensorList value) { SetValue(i, Value::Of(std::move(value))); }
  // The node is on the host and feeds the device: result i is a parameter of
  // the step.
  void SetFedByHost(int64_t i, Shape shape);
  // Result i is on the host: strings, tables. Its dims, where known.
  void SetHost(int64_t i, std::optional<std::vector<Dim>> dims = std::nullopt);

  // --- Variables. `i` is an operand that is a handle or a reference.
  // Returns null when operand i is no variable.
  const VariableState* Variable(int64_t i) const;
  // The variable's value as the step starts. kNoOp and a failure of the builder
  // when its shape is not known.
  OpId ReadVariable(int64_t i);
  // What the variable holds after the step; `value` has its shape. The last one
  // counts.
  void UpdateVariable(int64_t i, OpId value);
  // Adds a variable of that shape (of unknown shape when nullopt), for ops without a handle to read
  // ("Variable..." and "VarHandleOp").
  Value AddVariable(std::string_view name, std::optional<Shape> shape);

  // Trips of the innermost loop around the node; 1 outside of loops.
  int64_t loop_trips() const;
  int32_t NewLoop() override;

  // What people should know. `id`: RD001 (not read), RD002 (cannot be known
  // without running), RD003 (left out).
  void Note(std::string_view id, std::string message);
  void Note(std::string message) override { Note("RD002", std::move(message)); }

  // Ends the function, which gave `status`: its error or the builder's makes the builder and the
  // variables what they were before.
  absl::Status Commit(const absl::Status& status);

 protected:
  OpId Materialized(const Value& value) override;
  OpId Read(int32_t variable) override;
  std::optional<Shape> ShapeOfVariable(int32_t variable) const override;

 private:
  GraphState& state_;
  const NodeDef& node_;
  Attrs attrs_;
  GraphBuilder::Mark mark_;
  std::vector<std::pair<int32_t, OpId>> updates_;
};

using OpFunction = absl::Status (*)(OpContext& context);

// The function for an op ("MatMul"); null when there is none. Ops of structure
// (calls, loops, conditionals, arguments, placeholders, constants, variables,
// datasets and iterators, queues, infeed) are not asked for:
// frontend/tensorflow has them.
OpFunction FindOp(std::string_view name);

}  // namespace tilewise::tf
