// Layers that ByteIR keeps whole, from the op library: softmax, layer norm,
// GELU, the negative log likelihood. Their axes are the dims of the
// instruction.

#include <algorithm>

#include "frontend/hlo/library_calls.h"
#include "frontend/hlo/products.h"
#include "frontend/hlo/shapes.h"
#include "frontend/hlo/written.h"
#include "library/einsum.h"
#include "library/gather.h"
#include "library/losses.h"
#include "library/normalizations.h"
#include "library/reductions.h"

namespace tilewise::hlo {
namespace {

template <OpId (*kOver)(GraphBuilder&, OpId, int64_t)>
Value OverOneDim(Translation& t, const Site& site) {
  return FirstOf(Written(t, site, 1, [&](GraphBuilder& b, const Operands& x) {
    const std::vector<int64_t>& dims = site.instruction.dims;
    if (dims.size() != 1) b.Fail("found no axis, expected one");
    return Operands{kOver(b, x[0], dims.empty() ? -1 : dims[0])};
  }));
}

// One result, or as many as the tuple has.
Value AsStated(const Site& site, const Operands& results) {
  if (site.shape.kind != HloShape::Kind::kTuple) return FirstOf(results);
  return Value::Tuple({results.begin(), results.end()});
}

}  // namespace

// The equation is the backend config.
Value TranslateEinsum(Translation& t, const Site& site) {
  return FirstOf(Written(t, site, site.operands.size(), [&](GraphBuilder& b, const Operands& x) {
    return Operands{Einsum(b, site.more().backend_config, x, PrecisionPasses(site.more()))};
  }));
}

// Slices along a dim at an index each; the index of the instruction counts the
// dims that both operands begin with.
Value TranslateIndexSelect(Translation& t, const Site& site) {
  return FirstOf(Written(t, site, 2, [&](GraphBuilder& b, const Operands& x) {
    const std::vector<int64_t>& dims = site.instruction.dims;
    return Operands{TakeAlong(b, x[0], x[1], dims.empty() ? 0 : dims[0], site.instruction.index)};
  }));
}

Value TranslateSoftmax(Translation& t, const Site& site) { return OverOneDim<SoftmaxOf>(t, site); }

Value TranslateLogSoftmax(Translation& t, const Site& site) {
  return OverOneDim<LogSoftmaxOf>(t, site);
}

// Results: the normalised array, its means and inverse deviations.
Value TranslateLayerNorm(Translation& t, const Site& site) {
  const std::vector<HloShape>& stated = site.shape.elements;
  const auto make = [&](GraphBuilder& b, const Operands& x) -> Operands {
    const std::vector<int64_t>& dims = site.instruction.dims;
    const double epsilon = site.more().epsilon;
    Operands made = {LayerNormOf(b, x[0], x.size() > 1 ? x[1] : kNoOp, x.size() > 2 ? x[2] : kNoOp,
                                 dims, epsilon)};
    if (stated.size() < 2) return made;
    const MeanAndVariance moments = MeanAndVarianceOf(b, x[0], dims);
    const OpId rows[] = {moments.mean, InverseDeviation(b, moments.variance, epsilon)};
    for (size_t i = 1; i < std::min<size_t>(stated.size(), 3); ++i) {
      made.push_back(b.Reshape(rows[i - 1], GraphDims(stated[i])));
    }
    return made;
  };
  return AsStated(site, Written(t, site, site.operands.size(), make));
}

Value TranslateGelu(Translation& t, const Site& site) {
  const auto& fields = site.more().frontend;
  const bool tanh = std::ranges::any_of(fields, [](const auto& field) {
    return field.first == "approximate" && field.second == "tanh";
  });
  return FirstOf(Written(t, site, 1, [&](GraphBuilder& b, const Operands& x) {
    return Operands{b.Gelu(x[0], tanh)};
  }));
}

// The mean over the rows, and their number.
Value TranslateLikelihood(Translation& t, const Site& site) {
  const auto make = [&](GraphBuilder& b, const Operands& x) -> Operands {
    const OpId rows = NegativeLogLikelihood(b, x[0], x[1]);
    const Shape shape = b.shape(rows);
    return {ReduceOf(b, Reduction::kMean, rows, AllDims(b, rows), false),
            b.Scalar(ElementsIn(shape, AllDims(b, rows)), shape.dtype)};
  };
  return AsStated(site, Written(t, site, 2, make));
}

}  // namespace tilewise::hlo
