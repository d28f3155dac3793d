// Ops that move elements, reduce them or select them by index.

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

void Broadcast(const Op& op, const Tensor& x, Tensor& out) {
  ForEachIndex(out.sizes, [&](const Index& index) {
    out[index] = x[Picked(index, op.as<BroadcastAttrs>().dims)];
  });
}

// Result dim i is operand dim dims[i].
void Transpose(const Op& op, const Tensor& x, Tensor& out) {
  ForEachIndex(x.sizes, [&](const Index& index) {
    out[Picked(index, op.as<TransposeAttrs>().dims)] = x[index];
  });
}

void Reverse(const Op& op, const Tensor& x, Tensor& out) {
  ForEachIndex(x.sizes, [&](const Index& index) {
    Index mirrored = index;
    for (const int64_t dim : op.as<DimsAttrs>().dims) {
      mirrored[dim] = x.sizes[dim] - 1 - index[dim];
    }
    out[mirrored] = x[index];
  });
}

void Slice(const Op& op, const Tensor& x, Tensor& out) {
  ForEachIndex(out.sizes, [&](const Index& index) {
    Index from = index;
    for (size_t d = 0; d < from.size(); ++d) {
      from[d] = op.as<SliceAttrs>().starts[d] + index[d] * op.as<SliceAttrs>().strides[d];
    }
    out[index] = x[from];
  });
}

void Pad(const Op& op, const Tensor& x, double value, Tensor& out) {
  std::fill(out.data.begin(), out.data.end(), value);
  ForEachIndex(x.sizes, [&](const Index& index) {
    Index to = index;
    for (size_t d = 0; d < to.size(); ++d) {
      to[d] = op.as<PadAttrs>().low[d] + index[d] * (op.as<PadAttrs>().interior[d] + 1);
      if (to[d] < 0 || to[d] >= out.sizes[d]) return;  // cut off
    }
    out[to] = x[index];
  });
}

void Concatenate(const Op& op, Operands in, Tensor& out) {
  const size_t dim = op.as<DimsAttrs>().dims[0];
  int64_t offset = 0;
  for (const Tensor* x : in) {
    ForEachIndex(x->sizes, [&](const Index& index) {
      Index to = index;
      to[dim] += offset;
      out[to] = (*x)[index];
    });
    offset += x->sizes[dim];
  }
}

// Where a dynamic slice starts: within the operand whatever the operands say.
Index ClampedStart(const Op& op, Operands in, size_t first, const Index& part) {
  Index start(part.size(), 0);
  for (size_t i = 0; i < op.as<DimsAttrs>().dims.size(); ++i) {
    const size_t dim = op.as<DimsAttrs>().dims[i];
    const auto asked = static_cast<int64_t>(in[first + i]->data[0]);
    start[dim] = std::clamp<int64_t>(asked, 0, in[0]->sizes[dim] - part[dim]);
  }
  return start;
}

Index Plus(Index a, const Index& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

void DynamicSlice(const Op& op, Operands in, Tensor& out) {
  const Index start = ClampedStart(op, in, 1, out.sizes);
  ForEachIndex(out.sizes, [&](const Index& index) { out[index] = (*in[0])[Plus(index, start)]; });
}

void DynamicUpdateSlice(const Op& op, Operands in, Tensor& out) {
  const Index start = ClampedStart(op, in, 2, in[1]->sizes);
  out.data = in[0]->data;
  ForEachIndex(in[1]->sizes,
               [&](const Index& index) { out[Plus(index, start)] = (*in[1])[index]; });
}

// The same bits have no meaning here: every value becomes one of its own that
// depends on the bits, in as many parts as there are.
void BitcastConvert(const Tensor& x, Tensor& out) {
  const size_t parts = std::max<size_t>(1, out.data.size() / x.data.size());
  const size_t joined = std::max<size_t>(1, x.data.size() / out.data.size());
  for (size_t i = 0; i < out.data.size(); ++i) {
    double sum = 0;
    for (size_t j = 0; j < joined; ++j) sum += x.data[i / parts * joined + j];
    out.data[i] = parts == 1 && joined == 1 ? sum : std::sin(sum + static_cast<double>(i % parts));
  }
}

void ArgReduce(const Op& op, const Tensor& x, Tensor& out) {
  const size_t dim = op.as<ReduceAttrs>().dims[0];
  const bool largest = op.as<ReduceAttrs>().reducer == Reducer::kMax;
  ForEachIndex(out.sizes, [&](const Index& at) {
    Index index = at;
    index.insert(index.begin() + static_cast<ptrdiff_t>(dim), 0);
    double best = x[index];
    for (int64_t i = 1; i < x.sizes[dim]; ++i) {
      index[dim] = i;
      const double value = x[index];
      if (largest ? value <= best : value >= best) continue;
      best = value;
      out[at] = static_cast<double>(i);
    }
  });
}

// Table row of the index at the front of `index`, then the rest of `index`.
Index RowIndex(const Tensor& indices, const Index& index, int64_t rows) {
  const auto split = static_cast<ptrdiff_t>(indices.sizes.size());
  const Index at(index.begin(), index.begin() + split);
  Index row = {static_cast<int64_t>(indices[at])};
  TW_CHECK(row[0] >= 0 && row[0] < rows);
  row.insert(row.end(), index.begin() + split, index.end());
  return row;
}

}  // namespace

void EvaluateData(const Op& op, Operands in, Tensor& out) {
  switch (op.kind) {
    case OpKind::kBroadcast:
      return Broadcast(op, *in[0], out);
    case OpKind::kDynamicSlice:
      return DynamicSlice(op, in, out);
    case OpKind::kDynamicUpdateSlice:
      return DynamicUpdateSlice(op, in, out);
    case OpKind::kBitcastConvert:
      return BitcastConvert(*in[0], out);
    case OpKind::kReshape:
    case OpKind::kBarrier:
    case OpKind::kCopy:
      out.data = in[0]->data;
      return;
    case OpKind::kTranspose:
      return Transpose(op, *in[0], out);
    case OpKind::kReverse:
      return Reverse(op, *in[0], out);
    case OpKind::kSlice:
      return Slice(op, *in[0], out);
    case OpKind::kPad:
      return Pad(op, *in[0], in[1]->data[0], out);
    case OpKind::kConcatenate:
      return Concatenate(op, in, out);
    default:
      TW_CHECK(false);
  }
}

double ReducerStart(Reducer reducer) {
  switch (reducer) {
    case Reducer::kSum:
      return 0;
    case Reducer::kProduct:
      return 1;
    case Reducer::kMax:
      return -std::numeric_limits<double>::infinity();
    case Reducer::kMin:
      return std::numeric_limits<double>::infinity();
    case Reducer::kAnd:
      return -1;
    case Reducer::kOr:
    case Reducer::kXor:
      return 0;
    case Reducer::kOther:
      break;
  }
  TW_CHECK(false);
  return 0;
}

double ReducedBits(Reducer reducer, double a, double b) {
  const auto x = static_cast<int64_t>(a);
  const auto y = static_cast<int64_t>(b);
  if (reducer == Reducer::kAnd) return static_cast<double>(x & y);
  return static_cast<double>(reducer == Reducer::kOr ? x | y : x ^ y);
}

double Reduced(Reducer reducer, double a, double b) {
  switch (reducer) {
    case Reducer::kSum:
      return a + b;
    case Reducer::kProduct:
      return a * b;
    case Reducer::kMax:
      return std::max(a, b);
    case Reducer::kMin:
      return std::min(a, b);
    default:
      return ReducedBits(reducer, a, b);
  }
}

void EvaluateReduce(const Op& op, Operands in, Tensor& out) {
  if (op.kind == OpKind::kArgReduce) return ArgReduce(op, *in[0], out);
  const std::vector<int64_t>& removed = op.as<ReduceAttrs>().dims;
  std::vector<int64_t> kept;
  for (int64_t d = 0; d < static_cast<int64_t>(in[0]->sizes.size()); ++d) {
    if (std::find(removed.begin(), removed.end(), d) == removed.end()) {
      kept.push_back(d);
    }
  }
  const Reducer reducer = op.as<ReduceAttrs>().reducer;
  std::fill(out.data.begin(), out.data.end(), ReducerStart(reducer));
  ForEachIndex(in[0]->sizes, [&](const Index& index) {
    double& sum = out[Picked(index, kept)];
    sum = Reduced(reducer, sum, (*in[0])[index]);
  });
}

void EvaluateIndexed(const Op& op, Operands in, Tensor& out) {
  if (op.kind == OpKind::kGatherSlices || op.kind == OpKind::kScatterSlices) {
    return EvaluateSlices(op, in, out);
  }
  if (op.kind == OpKind::kGather) {
    ForEachIndex(out.sizes, [&](const Index& index) {
      out[index] = (*in[0])[RowIndex(*in[1], index, in[0]->sizes[0])];
    });
    return;
  }
  ForEachIndex(in[1]->sizes, [&](const Index& index) {
    out[RowIndex(*in[0], index, out.sizes[0])] += (*in[1])[index];
  });
}

}  // namespace tilewise::reference
