// Every op again, with bf16 in the place of f32.

#include "tuner/bf16_graph.h"

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

class Narrowing {
 public:
  explicit Narrowing(const Graph& forward)
      : forward_(forward), builder_(forward.name()) {}

  absl::StatusOr<Graph> Run() {
    for (const Op& op : forward_.ops()) {
      entered_.push_back(builder_.size());
      values_.push_back(Narrowed(op));
    }
    for (const Output& output : forward_.outputs()) {
      const auto value = static_cast<size_t>(output.value);
      const OpId variable =
          output.variable == kNoOp
              ? kNoOp
              : entered_[static_cast<size_t>(output.variable)];
      builder_.AddOutput(
          builder_.Convert(values_[value],
                           forward_.op(output.value).shape.dtype),
          output.role, variable);
    }
    return builder_.Build();
  }

 private:
  OpId Narrowed(const Op& op) {
    std::vector<OpId> operands;
    for (const OpId id : op.operands) {
      operands.push_back(values_[static_cast<size_t>(id)]);
    }
    Op copy = op;
    copy.origin = builder_.size();
    const bool wide = op.shape.dtype == DType::kF32;
    const bool enters =
        op.kind == OpKind::kParameter || op.kind == OpKind::kVariable;
    if (wide && !enters) copy.shape.dtype = DType::kBF16;
    builder_.SetLocation(op.location);
    const OpId id = builder_.Clone(copy, std::move(operands), true);
    return wide && enters ? builder_.Convert(id, DType::kBF16) : id;
  }

  const Graph& forward_;
  GraphBuilder builder_;
  std::vector<OpId> values_;   // by op of `forward_`
  std::vector<OpId> entered_;  // the same, before any conversion
};

}  // namespace

absl::StatusOr<Graph> InBf16(const Graph& forward) {
  return Narrowing(forward).Run();
}

}  // namespace tilewise
