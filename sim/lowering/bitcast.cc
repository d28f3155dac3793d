// Free reshapes and transposes. A reshape is compared on the physical dims:
// size-1 dims outside the tile are dropped, lanes must stay as they are, and
// the sublane dim may only merge with or split into major dims at whole tiles.

#include "sim/lowering/bitcast.h"

#include <algorithm>
#include <numeric>

namespace tilewise {
namespace {

// Sizes in physical order, major first.
std::vector<int64_t> PhysicalSizes(const Shape& shape, const std::vector<int64_t>& order) {
  std::vector<int64_t> sizes;
  for (auto dim = order.rbegin(); dim != order.rend(); ++dim) {
    sizes.push_back(shape.size(*dim));
  }
  return sizes;
}

bool IsOneRow(const std::vector<int64_t>& sizes) {
  return std::all_of(sizes.begin(), sizes.end() - 1, [](int64_t size) { return size == 1; });
}

// Whether row-major physical dims `a` and `b` of equal element count hold the
// same bytes: equal lanes, and rows whose tiles do not straddle.
bool SameBytes(const Shape& from, const Layout& a, const Shape& to, const Layout& b) {
  if (from.rank() == 0 || to.rank() == 0) {
    return from.rank() == to.rank();
  }
  const std::vector<int64_t> x = PhysicalSizes(from, a.minor_to_major);
  const std::vector<int64_t> y = PhysicalSizes(to, b.minor_to_major);
  if (x == y) return true;
  if (x.size() < 2 || y.size() < 2) {  // tiles of one row: just its elements
    return IsOneRow(x) && IsOneRow(y) && a.tile_sublanes == 1 && b.tile_sublanes == 1;
  }
  if (x.back() != y.back() || a.tile_sublanes != b.tile_sublanes) return false;
  const int64_t rows_x = x[x.size() - 2];
  const int64_t rows_y = y[y.size() - 2];
  if (rows_x == rows_y) return true;
  return rows_x % a.tile_sublanes == 0 && rows_y % b.tile_sublanes == 0;
}

// Logical dims of both shapes, without those of size 1, grouped by where their
// running products agree.
struct DimGroups {
  std::vector<std::vector<int64_t>> from, to;
};

class DimReader {
 public:
  explicit DimReader(const Shape& shape) : shape_(shape) { SkipOnes(); }
  bool done() const { return at_ == shape_.rank(); }
  int64_t Take(std::vector<int64_t>& group) {
    const int64_t size = shape_.size(at_);
    group.push_back(at_++);
    SkipOnes();
    return size;
  }

 private:
  void SkipOnes() {
    while (at_ < shape_.rank() && shape_.size(at_) == 1) ++at_;
  }
  const Shape& shape_;
  int64_t at_ = 0;
};

// Groups the dims of two shapes that have the same number of elements, at least
// one.
DimGroups GroupDims(const Shape& from, const Shape& to) {
  DimGroups groups;
  DimReader left(from);
  DimReader right(to);
  while (!left.done() && !right.done()) {
    groups.from.emplace_back();
    groups.to.emplace_back();
    int64_t left_size = left.Take(groups.from.back());
    int64_t right_size = right.Take(groups.to.back());
    while (left_size != right_size) {
      if (left_size < right_size) {
        left_size *= left.Take(groups.from.back());
      } else {
        right_size *= right.Take(groups.to.back());
      }
    }
  }
  return groups;
}

// The groups from major to minor in `order`, if the dims of every group lie
// together and in logical order.
std::optional<std::vector<size_t>> GroupOrder(const Shape& shape,
                                              const std::vector<std::vector<int64_t>>& groups,
                                              std::vector<int64_t> order) {
  std::erase_if(order, [&](int64_t dim) { return shape.size(dim) == 1; });
  std::vector<size_t> result;
  auto at = order.rbegin();
  while (at != order.rend()) {
    const auto group =
        std::find_if(groups.begin(), groups.end(),
                     [&](const std::vector<int64_t>& dims) { return dims.front() == *at; });
    if (group == groups.end()) return std::nullopt;
    for (const int64_t dim : *group) {
      if (at == order.rend() || *at != dim) return std::nullopt;
      ++at;
    }
    result.push_back(static_cast<size_t>(group - groups.begin()));
  }
  return result;
}

}  // namespace

std::vector<int64_t> TransposedOrder(const Op& transpose,
                                     const std::vector<int64_t>& operand_order) {
  std::vector<int64_t> result;
  result.reserve(operand_order.size());
  for (const int64_t dim : operand_order) {
    const auto at = std::find(transpose.as<TransposeAttrs>().dims.begin(),
                              transpose.as<TransposeAttrs>().dims.end(), dim);
    result.push_back(at - transpose.as<TransposeAttrs>().dims.begin());
  }
  return result;
}

std::vector<int64_t> UntransposedOrder(const Op& transpose,
                                       const std::vector<int64_t>& result_order) {
  std::vector<int64_t> operand;
  operand.reserve(result_order.size());
  for (const int64_t dim : result_order) {
    operand.push_back(transpose.as<TransposeAttrs>().dims[dim]);
  }
  return operand;
}

std::optional<std::vector<int64_t>> ReshapedOrder(const Shape& from,
                                                  const std::vector<int64_t>& order,
                                                  const Shape& to, const Chip& chip) {
  if (from.elements() == 0) return std::nullopt;
  const DimGroups groups = GroupDims(from, to);
  const std::optional<std::vector<size_t>> majors = GroupOrder(from, groups.from, order);
  if (!majors) return std::nullopt;
  std::vector<int64_t> result;
  for (const size_t group : *majors) {
    result.insert(result.end(), groups.to[group].begin(), groups.to[group].end());
  }
  for (int64_t dim = to.rank() - 1; dim >= 0; --dim) {
    if (to.size(dim) == 1) result.insert(result.begin(), dim);
  }
  std::reverse(result.begin(), result.end());
  const Layout from_layout = MakeLayout(from, order, chip);
  const Layout to_layout = MakeLayout(to, result, chip);
  if (!SameBytes(from, from_layout, to, to_layout)) return std::nullopt;
  return result;
}

bool IsBitcast(const Op& op, const Shape& from, const Layout& from_layout,
               const Layout& to_layout) {
  if (op.kind == OpKind::kTranspose) {
    return TransposedOrder(op, from_layout.minor_to_major) == to_layout.minor_to_major;
  }
  if (op.kind != OpKind::kReshape) return false;
  if (from.rank() == op.shape.rank() && from.dims == op.shape.dims) {
    return from_layout == to_layout;
  }
  if (from.elements() == 0) return false;
  const DimGroups groups = GroupDims(from, op.shape);
  const auto majors = GroupOrder(from, groups.from, from_layout.minor_to_major);
  return majors && majors == GroupOrder(op.shape, groups.to, to_layout.minor_to_major) &&
         SameBytes(from, from_layout, op.shape, to_layout);
}

}  // namespace tilewise
