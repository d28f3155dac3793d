// The ops of a builder that move elements, and those that reduce them.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graph/graph_builder.h"

namespace tilewise {

OpId GraphBuilder::Broadcast(OpId x, std::vector<Dim> dims, std::vector<int64_t> mapping) {
  return AddMade(OpKind::kBroadcast, {x}, BroadcastAttrs{std::move(mapping)},
                 {shape(x).dtype, std::move(dims)});
}

OpId GraphBuilder::BroadcastTo(OpId x, const std::vector<Dim>& dims) {
  if (!ok() || !KnowsAll({x})) return kNoOp;
  const Shape from = shape(x);
  if (from.dims == dims) return x;
  const int64_t lead = static_cast<int64_t>(dims.size()) - from.rank();
  bool stretches = lead >= 0;
  std::vector<Dim> kept;
  std::vector<int64_t> mapping;
  for (int64_t dim = 0; dim < from.rank() && stretches; ++dim) {
    const Dim& source = from.dims[dim];
    if (source == dims[lead + dim]) {
      kept.push_back(source);
      mapping.push_back(lead + dim);
    } else {
      stretches = source == Dim{1, false};
    }
  }
  if (!stretches) {
    Fail(fmt::format("broadcast: {} does not stretch to {}", FormatShape(from),
                     FormatShape({from.dtype, dims})));
    return kNoOp;
  }
  if (static_cast<int64_t>(kept.size()) < from.rank()) x = Reshape(x, kept);
  return Broadcast(x, dims, std::move(mapping));
}

OpId GraphBuilder::Reshape(OpId x, std::vector<Dim> dims) {
  if (shape(x).dims == dims) return x;
  return AddMade(OpKind::kReshape, {x}, {}, {shape(x).dtype, std::move(dims)});
}

OpId GraphBuilder::BitcastConvert(OpId x, Shape shape) {
  const Shape wanted = shape;
  const OpId made = AddMade(OpKind::kBitcastConvert, {x}, {}, std::move(shape));
  if (ok() && this->shape(made) != wanted) {
    Fail(fmt::format("bitcast-convert: found {}, expected {}", FormatShape(wanted),
                     FormatShape(this->shape(made))));
    return kNoOp;
  }
  return made;
}

OpId GraphBuilder::Transpose(OpId x, std::vector<int64_t> permutation) {
  bool moves = static_cast<int64_t>(permutation.size()) != shape(x).rank();
  for (size_t i = 0; i < permutation.size(); ++i) {
    moves = moves || permutation[i] != static_cast<int64_t>(i);
  }
  if (!moves) return x;
  return AddMade(OpKind::kTranspose, {x}, TransposeAttrs{std::move(permutation)});
}

OpId GraphBuilder::Reverse(OpId x, std::vector<int64_t> dims) {
  std::erase_if(dims, [&](int64_t dim) {
    const bool is_dim = dim >= 0 && dim < shape(x).rank();
    return is_dim && shape(x).dims[dim] == Dim{};
  });
  if (dims.empty()) return x;
  return AddMade(OpKind::kReverse, {x}, DimsAttrs{std::move(dims)});
}

OpId GraphBuilder::Slice(OpId x, std::vector<int64_t> starts, std::vector<int64_t> limits,
                         std::vector<int64_t> strides) {
  const std::vector<Dim>& dims = shape(x).dims;
  if (strides.empty()) strides.assign(starts.size(), 1);
  bool is_whole =
      starts.size() == dims.size() && strides.size() == dims.size() && limits.size() == dims.size();
  for (size_t i = 0; i < limits.size() && i < dims.size(); ++i) {
    if (limits[i] == kWholeDim && !dims[i].per_batch) limits[i] = dims[i].factor;
    const int64_t end = dims[i].per_batch ? kWholeDim : dims[i].factor;
    is_whole = is_whole && starts[i] == 0 && limits[i] == end && strides[i] == 1;
  }
  if (is_whole) return x;
  return AddMade(OpKind::kSlice, {x},
                 SliceAttrs{std::move(starts), std::move(limits), std::move(strides)});
}

OpId GraphBuilder::SliceDim(OpId x, int64_t dim, int64_t start, int64_t limit, int64_t stride) {
  if (!ok() || !KnowsAll({x})) return kNoOp;
  if (dim < 0 || dim >= shape(x).rank()) {
    Fail(fmt::format("slice: found dim {} of {}", dim, FormatShape(shape(x))));
    return kNoOp;
  }
  const size_t rank = shape(x).rank();
  std::vector<int64_t> starts(rank, 0);
  std::vector<int64_t> limits(rank, kWholeDim);
  std::vector<int64_t> strides(rank, 1);
  starts[dim] = start;
  limits[dim] = limit;
  strides[dim] = stride;
  return Slice(x, std::move(starts), std::move(limits), std::move(strides));
}

OpId GraphBuilder::Pad(OpId x, double value, std::vector<int64_t> low, std::vector<int64_t> high,
                       std::vector<int64_t> interior) {
  const OpId scalar = Scalar(value, shape(x).dtype);
  return AddMade(OpKind::kPad, {x, scalar},
                 PadAttrs{std::move(low), std::move(high), std::move(interior)});
}

OpId GraphBuilder::Concatenate(const std::vector<OpId>& xs, int64_t dim) {
  if (xs.size() == 1) return xs[0];
  return AddMade(OpKind::kConcatenate, xs, DimsAttrs{{dim}});
}

OpId GraphBuilder::Reduce(Reducer reducer, OpId x, std::vector<int64_t> dims) {
  return AddMade(OpKind::kReduce, {x}, ReduceAttrs{std::move(dims), reducer});
}

OpId GraphBuilder::ArgReduce(Reducer reducer, OpId x, int64_t dim) {
  return AddMade(OpKind::kArgReduce, {x}, ReduceAttrs{{dim}, reducer});
}

OpId GraphBuilder::ReduceWindow(Reducer reducer, OpId x, std::vector<WindowDim> window,
                                bool channels_first) {
  return AddMade(OpKind::kReduceWindow, {x},
                 PoolAttrs{{std::move(window), channels_first}, reducer});
}

OpId GraphBuilder::SelectAndScatter(OpId x, OpId dy, std::vector<WindowDim> window,
                                    bool channels_first) {
  return AddMade(OpKind::kSelectAndScatter, {x, dy},
                 PoolAttrs{{std::move(window), channels_first}});
}

}  // namespace tilewise
