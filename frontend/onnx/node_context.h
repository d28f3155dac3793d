// What the function of an op sees of its node: operands, attributes, results.
// Ops are made on the builder of an attempt; a failure there makes the node an
// opaque op, not the file unreadable.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/dim_policy.h"
#include "frontend/onnx/value.h"
#include "library/attempt.h"
#include "library/known_value.h"

namespace tilewise::onnx {

// What a node is read in: the graph or function body around it.
struct Frame {
  // Version of each operator set, by domain.
  const absl::flat_hash_map<std::string_view, int64_t>* opsets = nullptr;
  // Attributes of the call, in a function.
  const absl::flat_hash_map<std::string_view, const AttributeView*>* attributes = nullptr;
  // Types that the file states for values, by name.
  const absl::flat_hash_map<std::string_view, const TypeView*>* stated = nullptr;
  const DimPolicy* dims = nullptr;
  Scope* scope = nullptr;
  // Elements that results which are known may still have, all together.
  int64_t* known_left = nullptr;
  int32_t* loops = nullptr;  // the last number that a loop of the graph has
  LoopPlace loop;
  std::string prefix;  // of names of ops, in a function
  int depth = 0;
};

class NodeContext {
 public:
  NodeContext(const NodeView& node, int64_t opset, bool training, const Frame& frame,
              GraphBuilder& target, const AttemptPlace& place, std::vector<const Value*> inputs);

  const NodeView& node() const { return node_; }
  int64_t opset() const { return opset_; }
  // Whether the model is read to be trained.
  bool training() const { return training_; }
  GraphBuilder& builder() { return attempt_.builder(); }
  bool ok() { return builder().ok(); }
  void Fail(const std::string& message) { builder().Fail(message); }

  // Where the node stands, and a number for a loop that it makes; none: 0.
  LoopPlace loop() const { return frame_.loop; }
  int32_t NewLoop() { return frame_.loops == nullptr ? 0 : ++*frame_.loops; }

  // Operands. Has: present and not left out.
  size_t input_count() const { return inputs_.size(); }
  bool Has(size_t i) const { return i < inputs_.size() && inputs_[i]; }
  const Value* InputValue(size_t i) const { return Has(i) ? inputs_[i] : nullptr; }
  // The op of a tensor; fails when there is none. OptionalInput: kNoOp then.
  OpId Input(size_t i);
  OpId OptionalInput(size_t i) { return Has(i) ? Input(i) : kNoOp; }
  OpId OpOf(const Value& value);
  // A weight in some form: sliced and transposed if it was made otherwise.
  OpId WeightInput(size_t i, const WeightForm& form);
  Shape ShapeOf(size_t i) const { return Has(i) ? inputs_[i]->shape : Shape(); }
  // Elements of a constant; weights of the model are none. Null: unknown.
  const KnownValue* Folded(size_t i) const;
  // The same, weights included: numbers that say what the op does.
  MaybeKnown Known(size_t i) const;
  std::optional<std::vector<int64_t>> KnownInts(size_t i) const;
  std::optional<int64_t> KnownInt(size_t i) const;
  std::optional<double> KnownNumberAt(size_t i) const;
  // Whether operand i is left out, or known to have no element but 0: what
  // exporters write for states and weights that a model does not use.
  bool IsZeros(size_t i) const;

  // Operand i as another value plus a number: what bounds of slices in loops
  // are. The value is an op of the graph, or kNoOp when all is a number.
  struct Offset {
    OpId base = kNoOp;
    int64_t number = 0;
    bool known = false;
  };
  Offset OffsetOf(size_t i) const;

  // Attributes. References to a caller's are followed.
  const AttributeView* Find(std::string_view name) const;
  int64_t Int(std::string_view name, int64_t fallback) const;
  double Float(std::string_view name, double fallback) const;
  std::string_view Text(std::string_view name, std::string_view fallback) const;
  std::vector<int64_t> Ints(std::string_view name) const;   // empty: absent
  std::vector<double> Floats(std::string_view name) const;  // empty: absent
  // An attribute that later versions made operand `i`; nullopt: neither.
  // Fails when the operand is not a constant.
  std::optional<std::vector<int64_t>> IntsOrInput(std::string_view name, size_t i);

  // Results. Wants: it has a name.
  size_t output_count() const { return node_.outputs.size(); }
  bool Wants(size_t i) const { return i < node_.outputs.size() && !node_.outputs[i].empty(); }
  void Set(size_t i, OpId id);
  void SetKnown(size_t i, KnownValue known);
  // Takes a known result, if there is one.
  bool SetIfKnown(size_t i, const MaybeKnown& known);
  void SetValue(size_t i, Value value);
  // A sequence of ops, without dim `squeezed` of size 1 (-1: as they are).
  void SetParts(size_t i, std::vector<OpId> parts, int64_t squeezed = -1);
  // An opaque op of all operands; the node counts as not lowered natively.
  void SetOpaque(size_t i, Shape shape);
  bool opaque() const { return opaque_; }
  // What the file states for result i; null: nothing.
  const TypeView* Stated(size_t i) const;
  // The dims of that; nullopt when one is not stated.
  std::optional<std::vector<Dim>> StatedDims(size_t i) const;
  // Says what had to be assumed.
  void Note(std::string message) { notes_.push_back(std::move(message)); }
  const std::vector<std::string>& notes() const { return notes_; }

  // The results, once they are in the target. Errors: those of the builder.
  absl::StatusOr<std::vector<Value>> Commit();

 private:
  struct Result {
    OpId op = kNoOp;
    std::optional<Value> value;
    std::optional<std::vector<OpId>> parts;
  };
  OpId MakeWeight(Weight& weight, const WeightForm& form);
  OpId FormOf(OpId whole, const WeightForm& form);

  const NodeView& node_;
  int64_t opset_;
  bool training_;
  const Frame& frame_;
  GraphBuilder& target_;
  std::string file_;
  Attempt attempt_;
  std::vector<const Value*> inputs_;
  std::vector<Result> results_;
  bool opaque_ = false;
  std::vector<std::string> notes_;
};

using OpFunction = void (*)(NodeContext& ctx);

}  // namespace tilewise::onnx
