// What is taken: dims as they are, the first or last axis, sizes doubled.

#include "frontend/tensorflow/unknown_sizes.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace tilewise::tf {
namespace {

constexpr auto kSizeOps = std::to_array<std::string_view>({"ExpandDims",
                                                           "ResizeNearestNeighbor",
                                                           "ResizeBilinear",
                                                           "Reshape",
                                                           "Transpose",
                                                           "ConcatV2",
                                                           "ArgMax",
                                                           "ArgMin",
                                                           "Sum",
                                                           "Mean",
                                                           "Max",
                                                           "Min",
                                                           "Prod",
                                                           "Tile",
                                                           "StridedSlice",
                                                           "TopKV2",
                                                           "Pad",
                                                           "PadV2",
                                                           "MirrorPad",
                                                           "GatherV2"});

// A constant of the file whose numbers are elsewhere: an integer variable that
// is not trained.
bool IsUnknown(const GraphState& state, const Value& value) {
  if (value.kind != Value::Kind::kOp) return false;
  const Op& op = state.builder.op(value.op);
  return op.kind == OpKind::kVariable && !IsFloat(op.shape.dtype) && op.shape.rank() <= 2 &&
         op.shape.elements() <= 64;
}

std::vector<int64_t> Repeat(int64_t count, int64_t value) {
  return std::vector<int64_t>(count, value);
}

// Sizes of x in `rank` dims: the last ones stay, what is before is merged.
std::optional<std::vector<int64_t>> Reshaped(const std::vector<int64_t>& sizes, int64_t rank) {
  const auto have = static_cast<int64_t>(sizes.size());
  std::vector<int64_t> target = Repeat(std::max<int64_t>(rank - have, 0), 1);
  const int64_t merged = std::max<int64_t>(have - rank, 0);
  int64_t first = 1;
  for (int64_t i = 0; i < have; ++i) {
    if (i <= merged && merged > 0) {
      first *= sizes[i];
      if (i == merged) target.push_back(first);
    } else {
      target.push_back(sizes[i]);
    }
  }
  if (static_cast<int64_t>(target.size()) != rank) return std::nullopt;
  return target;
}

// What stands for operand `place`, of `count` numbers.
std::optional<std::vector<int64_t>> Usual(std::string_view op, size_t place, int64_t count,
                                          const std::vector<int64_t>& sizes) {
  const auto rank = static_cast<int64_t>(sizes.size());
  if (op == "ExpandDims" && place == 1) return Repeat(1, 0);
  if (op.starts_with("Resize") && place == 1 && rank == 4 && count == 2) {
    return std::vector<int64_t>{2 * sizes[1], 2 * sizes[2]};
  }
  if (op == "Reshape" && place == 1) return Reshaped(sizes, count);
  if (op == "Transpose" && place == 1) {
    std::vector<int64_t> same(count);
    for (size_t i = 0; i < same.size(); ++i) same[i] = static_cast<int64_t>(i);
    return same;
  }
  if (op == "ConcatV2" || op == "GatherV2") return Repeat(1, rank - 1);
  if (op == "Tile" && place == 1) return Repeat(count, 1);
  if (op == "TopKV2" && place == 1 && rank > 0) {
    return Repeat(1, std::min<int64_t>(10, sizes.back()));
  }
  if (op == "StridedSlice") {
    if (place == 1) return Repeat(count, 0);
    if (place == 3) return Repeat(count, 1);
    if (count > rank) return std::nullopt;
    return std::vector<int64_t>(sizes.begin(), sizes.begin() + count);
  }
  if (op.find("Pad") != std::string_view::npos) return Repeat(count, 0);
  if (place != 1) return std::nullopt;
  // Reductions: over the image, or the last dim.
  if (count == 2 && rank == 4) return std::vector<int64_t>{1, 2};
  return Repeat(1, rank - 1);
}

}  // namespace

bool HasUnknownSizes(std::string_view op) {
  return std::find(kSizeOps.begin(), kSizeOps.end(), op) != kSizeOps.end();
}

void FillUnknownSizes(GraphState& state, const NodeDef& node, std::vector<Value>& inputs) {
  if (inputs.empty() || inputs[0].kind != Value::Kind::kOp) return;
  const Shape shape = state.builder.shape(inputs[0].op);
  if (!shape.is_static()) return;
  const std::vector<int64_t> sizes = shape.sizes();
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (!IsUnknown(state, inputs[i])) continue;
    if (node.op == "ConcatV2" && i + 1 < inputs.size()) continue;
    if (node.op == "GatherV2" && i != 2) continue;
    const Shape wanted = state.builder.shape(inputs[i].op);
    const auto usual = Usual(node.op, i, wanted.elements(), sizes);
    if (!usual || static_cast<int64_t>(usual->size()) != wanted.elements()) {
      continue;
    }
    KnownValue known = KnownVector(*usual, wanted.dtype);
    known.dims = wanted.sizes();
    inputs[i] = Value::Of(std::move(known));
    state.Note("RD002", "cannot-resolve",
               fmt::format("the numbers of operand {} of {} are not in the "
                           "file; what is taken: {}",
                           i, node.op, fmt::join(*usual, ", ")));
  }
}

}  // namespace tilewise::tf
