// What the function of an op sees of its node, in a model of ONNX.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/dim_policy.h"
#include "frontend/onnx/value.h"
#include "library/reader_context.h"

namespace tilewise::onnx {

// A NodeScope says where the ops of a node stand.
struct NodeScope {
  Location location;
  std::string scope;  // prefix of names
  EnclosingLoop loop = {};
};
void Enter(GraphBuilder& builder, const NodeScope& place);

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
  EnclosingLoop loop;
  std::string prefix;  // of names of ops, in a function
  int depth = 0;
};

class NodeContext final : public ReaderContext {
 public:
  NodeContext(const NodeView& node, int64_t opset, bool training, const Frame& frame,
              GraphBuilder& builder, WeightList& weights, NodeScope place,
              const std::vector<const Value*>& inputs);

  const NodeView& node() const { return node_; }
  int64_t opset() const { return opset_; }
  // Whether the model is read to be trained.
  bool training() const { return training_; }
  int32_t NewLoop() override { return frame_.loops == nullptr ? 0 : ++*frame_.loops; }

  // A weight in some form: sliced and transposed if it was made otherwise.
  OpId WeightInput(int64_t i, const WeightForm& form);
  // Whether operand i is left out, or known to have no element but 0: what
  // exporters write for states and weights that a model does not use.
  bool IsZeros(int64_t i) const;
  // Adds a weight that an attribute holds.
  Value AddWeight(Weight weight) { return onnx::AddWeight(weights_, std::move(weight)); }

  // Operand i as another value plus a number: what bounds of slices in loops
  // are. The value is an op of the graph, or kNoOp when all is a number.
  struct Offset {
    OpId base = kNoOp;
    int64_t number = 0;
    bool known = false;
  };
  Offset OffsetOf(int64_t i) const;

  // Attributes. References to a caller's are followed.
  const AttributeView* Find(std::string_view name) const;
  int64_t Int(std::string_view name, int64_t otherwise) const override;
  double Float(std::string_view name, double otherwise) const override;
  bool Bool(std::string_view name, bool otherwise) const override;
  std::string_view Text(std::string_view name, std::string_view otherwise) const override;
  std::vector<int64_t> Ints(std::string_view name) const override;
  std::vector<double> Floats(std::string_view name) const;  // empty: absent
  // An attribute that later versions made operand `i`; nullopt: neither.
  // Fails when the operand is not a constant.
  std::optional<std::vector<int64_t>> IntsOrInput(std::string_view name, int64_t i);

  size_t input_count() const { return static_cast<size_t>(num_inputs()); }
  const Value* InputValue(int64_t i) const { return Has(i) ? &input(i) : nullptr; }

  // Results. Wants: it has a name.
  size_t output_count() const { return node_.outputs.size(); }
  bool Wants(size_t i) const { return i < node_.outputs.size() && !node_.outputs[i].empty(); }
  // A sequence of ops, without dim `squeezed` of size 1 (-1: as they are).
  void SetParts(int64_t i, const std::vector<OpId>& parts, int64_t squeezed = -1);
  // What the file states for result i; null: nothing.
  const TypeView* Stated(size_t i) const;
  // The dims of that; nullopt when one is not stated.
  std::optional<std::vector<Dim>> StatedDims(size_t i) const;
  void Note(std::string message) override { notes_.push_back(std::move(message)); }
  const std::vector<std::string>& notes() const { return notes_; }

  // The results. Errors: those of the builder, which is as it was before then.
  absl::StatusOr<std::vector<Value>> Commit();

 protected:
  OpId Read(int32_t variable) override { return MakeWeight(variable, {}); }
  std::optional<Shape> ShapeOfVariable(int32_t variable) const override {
    return weights_[variable].shape;
  }
  MaybeKnown NumbersOfVariable(int32_t variable) const override;
  bool Keeps(int64_t elements) override;

 private:
  OpId MakeWeight(int32_t variable, const WeightForm& form);
  OpId FormOf(OpId whole, const WeightForm& form);

  const NodeView& node_;
  int64_t opset_;
  bool training_;
  const Frame& frame_;
  WeightList& weights_;
  NodeScope place_;
  GraphBuilder::Mark mark_;
  std::vector<int32_t> made_;  // weights, since the mark
  std::vector<std::string> notes_;
};

using OpFunction = void (*)(NodeContext& ctx);

}  // namespace tilewise::onnx
