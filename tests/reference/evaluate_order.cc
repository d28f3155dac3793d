// Sort, top-k and running reductions along one dim, straight from their
// definitions.

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

// Calls `visit` with the offsets of each line of `sizes` along `dim`.
template <typename Visit>
void ForEachLine(const Tensor& x, size_t dim, const Visit& visit) {
  Index starts = x.sizes;
  starts[dim] = 1;
  ForEachIndex(starts, [&](const Index& start) {
    std::vector<size_t> line;
    Index at = start;
    for (at[dim] = 0; at[dim] < x.sizes[dim]; ++at[dim]) {
      line.push_back(x.Offset(at));
    }
    visit(start, line);
  });
}

// Places of the line's elements in order; equal ones keep theirs.
std::vector<size_t> Ordered(const Tensor& keys, std::vector<size_t> line, bool descending) {
  std::stable_sort(line.begin(), line.end(), [&](size_t a, size_t b) {
    return descending ? keys.data[a] > keys.data[b] : keys.data[a] < keys.data[b];
  });
  return line;
}

void Sort(const Op& op, Operands in, Tensor& out) {
  const Tensor& values = *in[op.as<SortAttrs>().result];
  const size_t dim = op.as<SortAttrs>().dims[0];
  ForEachLine(*in[0], dim, [&](const Index&, const std::vector<size_t>& line) {
    const auto from = Ordered(*in[0], line, op.as<SortAttrs>().descending);
    for (size_t i = 0; i < line.size(); ++i) {
      out.data[line[i]] = values.data[from[i]];
    }
  });
}

void TopK(const Op& op, const Tensor& x, Tensor& out) {
  const size_t dim = x.sizes.size() - 1;
  ForEachLine(x, dim, [&](const Index& start, const std::vector<size_t>& line) {
    const auto from = Ordered(x, line, true);
    Index to = start;
    for (to[dim] = 0; to[dim] < op.as<TopKAttrs>().k; ++to[dim]) {
      const size_t picked = from[to[dim]];
      out[to] =
          op.as<TopKAttrs>().result == 0 ? x.data[picked] : static_cast<double>(picked - line[0]);
    }
  });
}

}  // namespace

void EvaluateSort(const Op& op, Operands in, Tensor& out) {
  op.kind == OpKind::kSort ? Sort(op, in, out) : TopK(op, *in[0], out);
}

void EvaluateCumulative(const Op& op, Operands in, Tensor& out) {
  const size_t dim = op.as<CumulativeAttrs>().dims[0];
  ForEachLine(*in[0], dim, [&](const Index&, std::vector<size_t> line) {
    if (op.as<CumulativeAttrs>().reverse) std::reverse(line.begin(), line.end());
    double sum = ReducerStart(op.as<CumulativeAttrs>().reducer);
    for (const size_t i : line) {
      sum = Reduced(op.as<CumulativeAttrs>().reducer, sum, in[0]->data[i]);
      out.data[i] = sum;
    }
  });
}

}  // namespace tilewise::reference
