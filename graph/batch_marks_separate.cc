// What the marks make of ops: shapes and attributes for any batch, checked by
// the shape rules.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "graph/batch_marks.h"
#include "graph/shape_inference.h"

namespace tilewise {

Shape BatchMarks::ShapeOf(const Op& op) const {
  Shape shape = op.shape;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (!holds(op.id, dim)) continue;
    Dim& size = shape.dims[dim];
    size = {size.factor / batch_, true};
  }
  return shape;
}

std::vector<BatchStretch> BatchMarks::Stretches(const Op& op) const {
  std::vector<BatchStretch> stretches;
  if (batch_ > 1 || op.kind == OpKind::kOpaque) return stretches;
  DimLinks links;
  FindLinks(graph_, op, links);
  for (size_t i = 0; i < links.size(); ++i) {
    const std::span<const DimSlot> group = links.group(i);
    const auto marked = std::find_if(group.begin(), group.end(), [&](const DimSlot& slot) {
      return holds(ValueOf(op, slot), slot.dim);
    });
    if (marked == group.end()) continue;
    const int64_t inner = at(ValueOf(op, *marked), marked->dim).inner;
    for (const DimSlot& slot : group) {
      const OpId value = ValueOf(op, slot);
      const bool divides = graph_.op(value).shape.size(slot.dim) % inner == 0;
      if (slot.operand == DimSlot::kResult || !divides || holds(value, slot.dim)) {
        continue;
      }
      stretches.push_back({slot.operand, slot.dim, inner});
    }
  }
  return stretches;
}

std::vector<Shape> BatchMarks::OperandShapes(const Op& op) const {
  std::vector<Shape> shapes;
  shapes.reserve(op.operands.size());
  for (const OpId id : op.operands) shapes.push_back(ShapeOf(graph_.op(id)));
  for (const BatchStretch& stretch : Stretches(op)) {
    shapes[stretch.operand].dims[stretch.dim].per_batch = true;
  }
  return shapes;
}

// What is left out of a slice has size 1 there, whatever the batch is.
bool BatchMarks::TakesWhole(const Op& op, size_t dim, int64_t size) const {
  const auto d = static_cast<int64_t>(dim);
  bool left_out = false;
  if (op.kind == OpKind::kGatherSlices) {
    const GatherDims& gather = op.as<SlicesAttrs>();
    left_out = std::count(gather.collapsed_dims.begin(), gather.collapsed_dims.end(), d) > 0 ||
               std::count(gather.operand_batch.begin(), gather.operand_batch.end(), d) > 0;
  }
  return !left_out && size == graph_.operand(op, 0).shape.dims[dim].factor;
}

absl::Status BatchMarks::Separate(Op& op) const {
  const std::vector<Shape> operands = OperandShapes(op);
  op.shape = ShapeOf(op);
  if (op.kind == OpKind::kVariable) return absl::OkStatus();
  const bool slices = op.kind == OpKind::kSlice;
  if (slices || op.kind == OpKind::kGatherSlices) {
    std::vector<int64_t>& sizes =
        slices ? op.edit<SliceAttrs>().limits : op.edit<SlicesAttrs>().slice_sizes;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const bool per_batch = operands[0].dims[i].per_batch;
      if (per_batch && TakesWhole(op, i, sizes[i])) sizes[i] = kWholeDim;
    }
  }
  std::vector<const Shape*> shapes;
  shapes.reserve(operands.size());
  for (const Shape& shape : operands) shapes.push_back(&shape);
  const absl::StatusOr<Shape> inferred = InferShape(op, shapes);
  if (!inferred.ok()) {
    return Stopped(op, fmt::format("{}: {}", OpName(op.kind), Message(inferred.status())));
  }
  if (inferred->dims != op.shape.dims) {
    return Stopped(op, fmt::format("{}: found {} of operands that hold the batch, "
                                   "expected {}",
                                   OpName(op.kind), FormatShape(*inferred), FormatShape(op.shape)));
  }
  return absl::OkStatus();
}

absl::StatusOr<Op> BatchMarks::Separated(const Op& op) const {
  Op separated = op;
  if (touches(op)) TW_RETURN_IF_ERROR(Separate(separated));
  return separated;
}

absl::Status BatchMarks::Check(size_t begin) const {
  std::vector<OpId> touched;
  for (const auto& [op, dim] : marked().subspan(begin)) {
    touched.push_back(op);
    const std::span<const OpId> users = graph_.users(op);
    touched.insert(touched.end(), users.begin(), users.end());
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  Op separated;  // one for all: copying into it reuses its memory
  for (const OpId id : touched) {
    separated = graph_.op(id);
    TW_RETURN_IF_ERROR(Separate(separated));
  }
  for (const Output& output : graph_.outputs()) {
    if (output.role != Output::Role::kState || !any(output.value) || any(output.variable)) {
      continue;
    }
    return Stopped(graph_.op(output.value),
                   fmt::format("the batch reaches the new value of variable {}",
                               graph_.op(output.variable).name));
  }
  return absl::OkStatus();
}

BatchGuess BatchMarks::Guess(std::vector<BatchSeed> seeds) const {
  BatchGuess guess;
  guess.batch = batch_;
  guess.seeds = std::move(seeds);
  guess.dims.reserve(marked_.size());
  for (const auto& [op, dim] : marked_) {
    const BatchMark& mark = at(op, dim);
    guess.dims.push_back(
        {op, dim, mark.inner, mark.via, mark.from, static_cast<int64_t>(mark.from_dim)});
  }
  std::sort(guess.dims.begin(), guess.dims.end(), [](const BatchReason& a, const BatchReason& b) {
    return std::pair(a.op, a.dim) < std::pair(b.op, b.dim);
  });
  if (batch_ == 1) return guess;
  const std::set<double> counts = BatchCounts();
  for (const Op& op : graph_.ops()) {
    if (op.kind != OpKind::kConstant) continue;
    const double value = std::abs(op.as<ConstantAttrs>().value);
    if (counts.contains(value) || counts.contains(1 / value)) {
      guess.constants.push_back(op.id);
    }
  }
  return guess;
}

// The batch, and how many elements reductions over it take.
std::set<double> BatchMarks::BatchCounts() const {
  std::set<double> counts = {static_cast<double>(batch_)};
  for (const Op& op : graph_.ops()) {
    if (op.kind != OpKind::kReduce) continue;
    double count = 1;
    bool over_batch = false;
    for (const int64_t dim : op.as<ReduceAttrs>().dims) {
      count *= static_cast<double>(graph_.operand(op, 0).shape.size(dim));
      over_batch = over_batch || holds(op.operands[0], dim);
    }
    if (over_batch) counts.insert(count);
  }
  return counts;
}

}  // namespace tilewise
