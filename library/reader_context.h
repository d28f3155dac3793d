// What the function of an op sees of its node, whatever format the node is of:
// operands, attributes, results. A format adds how attributes are written and
// what its weights are.
//
// Functions make ops on builder(); the first failure sticks, and the node that
// failed is rolled back: it becomes an opaque op, not the file unreadable. What
// a function makes of operands that are all known is known as well: Settle
// computes it, and the ops are rolled back.

#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/fold.h"
#include "library/value.h"

namespace tilewise {

class ReaderContext {
 public:
  // `op`: what the format calls the op. Location, scope and loop of the builder
  // are those of the node.
  ReaderContext(GraphBuilder& builder, std::string_view op, std::vector<Value> inputs);
  virtual ~ReaderContext() = default;
  ReaderContext(const ReaderContext&) = delete;
  ReaderContext& operator=(const ReaderContext&) = delete;

  std::string_view op() const { return op_; }
  GraphBuilder& builder() { return builder_; }
  const GraphBuilder& builder() const { return builder_; }
  bool ok() const { return builder_.ok(); }
  void Fail(const std::string& message) { builder_.Fail(message); }

  // --- Operands.
  int64_t num_inputs() const { return static_cast<int64_t>(inputs_.size()); }
  const Value& input(int64_t i) const;  // kNone beyond the end
  // Present and not left out.
  bool Has(int64_t i) const { return input(i).kind != Value::Kind::kNone; }
  // The operand as an op: known numbers are made a constant (or variable), a
  // weight is read. Fails when it is none of these. OptionalInput: kNoOp then.
  OpId Input(int64_t i);
  // The same, and what has no elements is an op as well, until the node settles:
  // for functions that are computed where all is known. Their arithmetic on dims
  // must bear sizes of 0.
  OpId AnyInput(int64_t i);
  OpId OptionalInput(int64_t i) { return Has(i) ? Input(i) : kNoOp; }
  std::vector<OpId> Inputs(int64_t begin, int64_t end);
  OpId OpOf(const Value& value);
  // Whether Input(i) would be an op.
  bool IsTensor(int64_t i) const;
  // Its shape without making it an op; nullopt when that is not known.
  std::optional<Shape> InputShape(int64_t i) const { return ShapeOfValue(input(i)); }
  Shape ShapeOf(int64_t i) const { return InputShape(i).value_or(Shape()); }
  std::optional<Shape> ShapeOfValue(const Value& value) const;
  // The operand when its numbers are known, else null. Weights are none.
  const KnownValue* Folded(int64_t i) const { return input(i).known().get(); }
  // The same, numbers of weights included: those that say what the op does.
  MaybeKnown Known(int64_t i) const;
  std::optional<std::vector<int64_t>> KnownInts(int64_t i) const;
  std::optional<int64_t> KnownInt(int64_t i) const;
  std::optional<double> KnownNumber(int64_t i) const;
  // An op of known numbers.
  OpId OpOfKnown(KnownValue known);

  // --- Attributes, or `otherwise`.
  virtual int64_t Int(std::string_view name, int64_t otherwise) const = 0;
  virtual double Float(std::string_view name, double otherwise) const = 0;
  virtual bool Bool(std::string_view name, bool otherwise) const = 0;
  virtual std::string_view Text(std::string_view name, std::string_view otherwise) const = 0;
  virtual std::vector<int64_t> Ints(std::string_view name) const = 0;  // empty: absent

  // --- Results.
  void SetValue(int64_t i, Value value);
  void Set(int64_t i, OpId op) { SetValue(i, Value::Of(op)); }
  void SetKnown(int64_t i, KnownValue value) { SetValue(i, Value::Of(std::move(value))); }
  // Sets `value` when there is one, which may be too large to keep; else an op
  // must be made.
  bool SetIfKnown(int64_t i, MaybeKnown value);
  // Result i is operand j as it is, whatever that is.
  void Forward(int64_t i, int64_t j);
  // The node has no arithmetic here: result i is an opaque op on all operands
  // that are tensors. Counted in the coverage.
  void SetOpaque(int64_t i, Shape shape);
  bool opaque() const { return opaque_; }
  const std::vector<Value>& results() const { return results_; }

  // --- Loops: where the node stands, and a number for a loop that it makes (0:
  // none to be had).
  EnclosingLoop loop() const { return builder_.loop(); }
  virtual int32_t NewLoop() = 0;

  // What people should know of what had to be assumed (RD002).
  virtual void Note(std::string message) = 0;

 protected:
  // The op of known numbers, and of a weight; the weight's shape and numbers.
  virtual OpId Materialized(const Value& value) { return Materialize(builder_, *value.known()); }
  virtual OpId Read(int32_t variable) = 0;
  virtual std::optional<Shape> ShapeOfVariable(int32_t variable) const = 0;
  virtual MaybeKnown NumbersOfVariable(int32_t) const { return std::nullopt; }

  // Whether so many more elements of results may be known.
  virtual bool Keeps(int64_t) { return true; }

  // Says, after the function has run, whether the ops made since `mark` are to be rolled back,
  // since the node failed or all of its results are known now. `can_fold`: whether results may
  // become known.
  bool Settle(const GraphBuilder::Mark& mark, bool can_fold);

 private:
  GraphBuilder& builder_;
  std::string_view op_;
  std::vector<Value> inputs_;
  std::vector<Value> results_;
  std::vector<KnownOp> known_ops_;
  std::deque<KnownValue> own_;  // of OpOfKnown
  bool reads_empty_ = false;
  bool opaque_ = false;
};

}  // namespace tilewise
