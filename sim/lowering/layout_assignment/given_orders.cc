// Compact orders have the least padding; see given_orders.h.

#include "sim/lowering/layout_assignment/given_orders.h"

#include <algorithm>
#include <limits>

#include "sim/lowering/layout.h"

namespace tilewise {
DimOrder LeastPadded(const Shape& shape, const std::vector<DimOrder>& candidates,
                     const Chip& chip) {
  DimOrder best = LogicalOrder(shape.rank());
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const DimOrder& order : candidates) {
    const int64_t bytes = PaddedBytes(shape, MakeLayout(shape, order, chip), chip).value;
    if (bytes >= least) continue;
    least = bytes;
    best = order;
  }
  return best;
}

DimOrder FrameworkOrder(const Shape& shape, const Chip& chip) {
  // Features of images may be dim 1.
  std::vector<DimOrder> orders = CandidateOrders(shape.rank());
  for (int64_t dim = shape.rank() - 1; shape.rank() > 3 && dim > 1; --dim) {
    orders.push_back(TiledOrder(shape.rank(), 1, dim));
    orders.push_back(TiledOrder(shape.rank(), dim, 1));
  }
  // Orders with the batch in the tile come last.
  std::stable_partition(orders.begin(), orders.end(), [](const DimOrder& order) {
    return order.size() < 2 || (order[0] != 0 && order[1] != 0);
  });
  return LeastPadded(shape, orders, chip);
}

GivenOrders::GivenOrders(const Graph& graph, const Chip& chip) : chip_(chip) {
  of_argument_.resize(graph.ops().size());
  stated_.resize(graph.ops().size(), nullptr);
  const bool is_call = std::none_of(graph.ops().begin(), graph.ops().end(),
                                    [](const Op& op) { return op.kind == OpKind::kVariable; });
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter) continue;
    const DimOrder& stated = op.as<ParameterAttrs>().minor_to_major;
    is_stated_ = is_stated_ || !stated.empty();
    if (stated.size() == op.shape.dims.size() && stated.size() > 1) {
      of_argument_[op.id] = Held(op.shape, stated);
      stated_[op.id] = &*of_argument_[op.id];
    } else if (is_call && op.shape.rank() > 2) {
      of_argument_[op.id] = FrameworkOrder(op.shape, chip);
    }
  }
  gives_results_ = is_call;
  if (!is_stated_ || !is_call) return;
  for (const Output& output : graph.outputs()) {
    const Shape& shape = graph.op(output.value).shape;
    if (stated_[output.value] != nullptr || shape.rank() < 2) continue;
    results_.push_back(Held(shape, LogicalOrder(shape.rank())));
    stated_[output.value] = &results_.back();
  }
}

std::optional<DimOrder> GivenOrders::OfResult(const Shape& shape) const {
  if (!gives_results_ || shape.rank() < (is_stated_ ? 2 : 3)) return std::nullopt;
  if (is_stated_) return Held(shape, LogicalOrder(shape.rank()));
  return FrameworkOrder(shape, chip_);
}

DimOrder GivenOrders::Held(const Shape& shape, const DimOrder& stated) const {
  constexpr int64_t kNearlyAll = 8;
  if (stated != LogicalOrder(shape.rank())) return stated;
  const Bytes padded = PaddedBytes(shape, MakeLayout(shape, stated, chip_), chip_);
  return padded <= kNearlyAll * shape.unpadded_bytes() ? stated : FrameworkOrder(shape, chip_);
}

}  // namespace tilewise
