// Ops on shapes, whose results are known while reading: sizes of a batch stay
// symbolic.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

absl::Status ShapeOf(OpContext& ctx) {
  const DType type = TypeOr(ctx, "out_type", DType::kS32);
  for (int64_t i = 0; i < ctx.num_inputs(); ++i) {
    const std::optional<Shape> shape = ctx.InputShape(i);
    if (shape) ctx.SetKnown(i, KnownDims(*shape, type));
  }
  return TensorShapeOf(ctx, 0).status();
}

absl::Status Rank(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  return ctx.Result(KnownScalar(static_cast<double>(shape.rank()), DType::kS32));
}

absl::Status Size(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  if (ctx.SetIfKnown(0, KnownSize(shape, TypeOr(ctx, "out_type", DType::kS32)))) {
    return absl::OkStatus();
  }
  return InvalidInput("the number of elements depends on the batch twice");
}

KnownNumber SizeFromEnd(const KnownValue& shape, size_t from_end) {
  if (from_end >= shape.elements.size()) return {1, false};
  return shape.elements[shape.elements.size() - 1 - from_end];
}

constexpr KnownNumber kOne = {1, false};

// The shape that both stretch to.
absl::Status BroadcastArgs(OpContext& ctx) {
  const KnownValue* x = ctx.Folded(0);
  const KnownValue* y = ctx.Folded(1);
  if (x == nullptr || y == nullptr) {
    return InvalidInput("the shapes are not known without running the model");
  }
  KnownValue joint = x->size() >= y->size() ? *x : *y;
  for (size_t i = 0; i < joint.elements.size(); ++i) {
    const KnownNumber a = SizeFromEnd(*x, i);
    const KnownNumber b = SizeFromEnd(*y, i);
    joint.elements[joint.elements.size() - 1 - i] = a == kOne ? b : a;
  }
  return ctx.Result(std::move(joint));
}

KnownValue AsVector(const std::vector<int64_t>& values, DType type) {
  return KnownVector(values, type);
}

// Returns which dims of the joint shape each operand was stretched in: those
// that its gradient is summed over.
absl::Status BroadcastGradientArgs(OpContext& ctx) {
  const KnownValue* shapes[] = {ctx.Folded(0), ctx.Folded(1)};
  if (shapes[0] == nullptr || shapes[1] == nullptr) {
    return InvalidInput("the shapes are not known without running the model");
  }
  const size_t rank = std::max(shapes[0]->elements.size(), shapes[1]->elements.size());
  for (size_t operand = 0; operand < 2; ++operand) {
    std::vector<int64_t> summed;
    for (size_t dim = 0; dim < rank; ++dim) {
      const size_t from_end = rank - 1 - dim;
      const KnownNumber own = SizeFromEnd(*shapes[operand], from_end);
      const KnownNumber other = SizeFromEnd(*shapes[1 - operand], from_end);
      const bool missing = from_end >= shapes[operand]->elements.size();
      if (own == kOne && (missing || other != kOne || own == other)) {
        summed.push_back(static_cast<int64_t>(dim));
      }
    }
    ctx.SetKnown(static_cast<int64_t>(operand), AsVector(summed, TypeOr(ctx, "T", DType::kS32)));
  }
  return absl::OkStatus();
}

absl::Status InvertPermutation(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto from, KnownList(ctx, 0, "permutation"));
  std::vector<int64_t> inverse(from.size(), 0);
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t to = from[i];
    if (to < 0 || to >= static_cast<int64_t>(from.size())) {
      return InvalidInput(fmt::format("found {} in a permutation of {}", to, from.size()));
    }
    inverse[to] = static_cast<int64_t>(i);
  }
  return ctx.Result(AsVector(inverse, TypeOr(ctx, "T", DType::kS32)));
}

// Returns where each of the joined tensors starts, as a vector per tensor.
absl::Status ConcatOffset(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const int64_t axis, KnownSingle(ctx, 0, "concat_dim"));
  double offset = 0;
  for (int64_t i = 1; i < ctx.num_inputs(); ++i) {
    const KnownValue* shape = ctx.Folded(i);
    if (shape == nullptr) {
      return InvalidInput("a shape is not known without running the model");
    }
    TW_ASSIGN_OR_RETURN(const int64_t dim, NormalAxis(axis, shape->size()));
    const KnownNumber size = shape->elements[dim];
    if (size.per_batch && ctx.num_inputs() > 2) {
      return InvalidInput("the tensors are joined along the batch");
    }
    KnownValue start = *shape;
    std::fill(start.elements.begin(), start.elements.end(), KnownNumber{});
    start.elements[dim].value = offset;
    offset += size.value;
    ctx.SetKnown(i - 1, std::move(start));
  }
  return absl::OkStatus();
}

// Coordinates of flat positions; of known positions only.
absl::Status UnravelIndex(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto places, KnownList(ctx, 0, "indices"));
  TW_ASSIGN_OR_RETURN(const auto sizes, KnownList(ctx, 1, "dims"));
  const size_t rank = sizes.size();
  std::vector<int64_t> found(rank * places.size(), 0);
  for (size_t i = 0; i < places.size(); ++i) {
    int64_t rest = places[i];
    for (size_t dim = rank; dim-- > 0;) {
      if (sizes[dim] < 1) return InvalidInput("found a size below 1");
      found[dim * places.size() + i] = rest % sizes[dim];
      rest /= sizes[dim];
    }
  }
  KnownValue value = AsVector(found, TypeOr(ctx, "Tidx", DType::kS32));
  value.dims = {static_cast<int64_t>(rank)};
  const KnownValue* operand = ctx.Folded(0);
  if (operand->rank() > 0) {
    value.dims.push_back(static_cast<int64_t>(places.size()));
  }
  return ctx.Result(std::move(value));
}

// Returns where each letter of src_format is in dst_format.
absl::StatusOr<std::vector<int64_t>> FormatPermutation(const OpContext& ctx) {
  const std::string_view from = ctx.Text("src_format", "NHWC");
  const std::string_view to = ctx.Text("dst_format", "NCHW");
  std::vector<int64_t> places;
  for (const char letter : from) {
    const size_t place = to.find(letter);
    if (place == std::string_view::npos || from.size() != to.size()) {
      return InvalidInput(fmt::format("found formats {} and {}", from, to));
    }
    places.push_back(static_cast<int64_t>(place));
  }
  return places;
}

// Numbers of dims of one format as those of the other.
absl::Status DataFormatDimMap(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto places, FormatPermutation(ctx));
  TW_ASSIGN_OR_RETURN(auto dims, KnownList(ctx, 0, "dims"));
  for (int64_t& dim : dims) {
    TW_ASSIGN_OR_RETURN(dim, NormalAxis(dim, static_cast<int64_t>(places.size())));
    dim = places[dim];
  }
  KnownValue value = AsVector(dims, TypeOr(ctx, "T", DType::kS32));
  value.dims = ctx.Folded(0)->dims;
  return ctx.Result(std::move(value));
}

// A vector, or a matrix of pairs, in the order of the other format.
absl::Status DataFormatVecPermute(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto places, FormatPermutation(ctx));
  const KnownValue* x = ctx.Folded(0);
  if (x == nullptr || x->rank() < 1 || x->dims[0] != static_cast<int64_t>(places.size())) {
    return InvalidInput("the numbers by dim are not known");
  }
  KnownValue value = *x;
  const size_t width = x->elements.size() / places.size();
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t k = 0; k < width; ++k) {
      value.elements[static_cast<size_t>(places[i]) * width + k] = x->elements[i * width + k];
    }
  }
  return ctx.Result(std::move(value));
}

constexpr OpEntry kShapeOps[] = {
    {"BroadcastArgs", BroadcastArgs},
    {"BroadcastGradientArgs", BroadcastGradientArgs},
    {"ConcatOffset", ConcatOffset},
    {"DataFormatDimMap", DataFormatDimMap},
    {"DataFormatVecPermute", DataFormatVecPermute},
    {"InvertPermutation", InvertPermutation},
    {"Rank", Rank},
    {"Shape", ShapeOf},
    {"ShapeN", ShapeOf},
    {"Size", Size},
    {"UnravelIndex", UnravelIndex},
    {"VariableShape", ShapeOf},
};

}  // namespace

std::span<const OpEntry> ShapeOps() { return kShapeOps; }

}  // namespace tilewise::tf
