// Matmuls that are quantised as they run, written out as AQT and fp8 recipes
// do it. Each operand is divided by its largest magnitude along the contracted
// dims over the largest value of the narrow type, rounded, and multiplied in
// that type; the result is multiplied by both scales. Operands that several
// matmuls round in the same way are rounded once. Comes after the partition:
// what cores collective is not rounded, and each core takes the scales of the
// part that it has. Scales from earlier steps (delayed scaling) are taken as
// those of this step; the reduce that finds them is needed for either.

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "graph/moments.h"
#include "sim/lowering/passes.h"
#include "sim/lowering/rewrite.h"

namespace tilewise {
namespace {

constexpr double kLeastMagnitude = 1e-30;  // of all-zero operands

// The largest finite value.
double LargestOf(DType type) {
  switch (type) {
    case DType::kF8E4M3:
      return 448;
    case DType::kF8E5M2:
      return 57344;
    case DType::kS4:
      return 7;
    default:
      return 127;
  }
}

bool IsDimOf(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// An operand in the narrow type, and what its values are multiples of: f32, the
// operand's dims without those contracted.
struct Rounded {
  OpId values = kNoOp;
  OpId scale = kNoOp;
};

bool IsQuantised(const Op& op) {
  return op.kind == OpKind::kDot && op.as<DotAttrs>().quantized != DType::kF32;
}

class Quantiser {
 public:
  explicit Quantiser(const Graph& graph) : graph_(graph), rewrite_(graph) {}

  absl::StatusOr<Graph> Run() {
    for (const Op& op : graph_.ops()) {
      if (IsQuantised(op)) {
        rewrite_.EnterContextOf(op);
        rewrite_.Replace(op, Product(op));
      } else {
        rewrite_.Copy(op);
      }
    }
    return rewrite_.Finish();
  }

 private:
  OpId Product(const Op& op) {
    GraphBuilder& b = rewrite_.builder();
    const DotDims& dims = op.as<DotAttrs>();
    const Rounded lhs = Round(op, 0, dims.lhs_contract);
    const Rounded rhs = Round(op, 1, dims.rhs_contract);
    DotAttrs attrs = op.as<DotAttrs>();
    attrs.quantized = DType::kF32;
    attrs.wide = true;
    attrs.precision_passes = 1;
    OpId y = b.Convert(b.DotAs(lhs.values, rhs.values, attrs), DType::kF32);
    const auto lhs_free = graph_.operand(op, 0).shape.rank() -
                          static_cast<int64_t>(dims.lhs_batch.size() + dims.lhs_contract.size());
    y = Times(y, Spread(lhs.scale, op, dims.lhs_batch, dims.lhs_contract, 0));
    y = Times(y, Spread(rhs.scale, op, dims.rhs_batch, dims.rhs_contract, lhs_free));
    return b.Convert(y, op.shape.dtype);
  }

  Rounded Round(const Op& op, int operand, const std::vector<int64_t>& along) {
    const OpId old = op.operands[operand];
    const auto [place, is_new] = rounded_.try_emplace({old, along, op.as<DotAttrs>().quantized});
    if (is_new) place->second = Make(rewrite_.at(old), along, op.as<DotAttrs>().quantized);
    return place->second;
  }

  Rounded Make(OpId x, const std::vector<int64_t>& along, DType type) {
    GraphBuilder& b = rewrite_.builder();
    OpId largest = b.Reduce(Reducer::kMax, b.Unary(OpKind::kAbs, x), along);
    largest = b.BinaryScalar(OpKind::kMaximum, b.Convert(largest, DType::kF32), kLeastMagnitude);
    const OpId scale = b.BinaryScalar(OpKind::kMultiply, largest, 1 / LargestOf(type));
    const OpId one = b.Constant(1, b.shape(scale));
    const OpId inverse = b.Binary(OpKind::kDivide, one, scale);
    const OpId wide = b.Convert(x, DType::kF32);
    OpId values = Times(wide, SpreadOver(b, inverse, wide, along));
    if (!IsFloat(type)) {
      values = b.Unary(OpKind::kFloor, b.BinaryScalar(OpKind::kAdd, values, 0.5));
    }
    return {b.Convert(values, type), scale};
  }

  OpId Times(OpId x, OpId y) { return rewrite_.builder().Binary(OpKind::kMultiply, x, y); }

  // The scale of one operand over the result of `op`, whose dims are the batch
  // dims, then the free dims of each operand.
  OpId Spread(OpId scale, const Op& op, const std::vector<int64_t>& batch,
              const std::vector<int64_t>& contract, int64_t free_before) {
    GraphBuilder& b = rewrite_.builder();
    const auto rank = b.shape(scale).rank() + static_cast<int64_t>(contract.size());
    std::vector<int64_t> places;  // in the result, of each dim of `scale`
    int64_t free = static_cast<int64_t>(batch.size()) + free_before;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (IsDimOf(contract, dim)) continue;
      const auto at = std::find(batch.begin(), batch.end(), dim);
      places.push_back(at == batch.end() ? free++ : at - batch.begin());
    }
    std::vector<int64_t> order(places.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int64_t i, int64_t j) { return places[i] < places[j]; });
    if (!std::is_sorted(places.begin(), places.end())) {
      scale = b.Transpose(scale, order);
      std::sort(places.begin(), places.end());
    }
    return b.Broadcast(scale, op.shape.dims, places);
  }

  const Graph& graph_;
  Rewrite rewrite_;
  std::map<std::tuple<OpId, std::vector<int64_t>, DType>, Rounded> rounded_;
};

}  // namespace

absl::Status RunQuantize(Program& program, const LoweringContext&) {
  const auto& ops = program.graph.ops();
  if (std::none_of(ops.begin(), ops.end(), IsQuantised)) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(program.graph, Quantiser(program.graph).Run());
  return absl::OkStatus();
}

}  // namespace tilewise
