// Factorizations of matrices, as XLA's expanders write them out for TPUs, and
// Fourier transforms. Modules for other backends call LAPACK or cuSOLVER for
// them; that they are compiled for a TPU is what is asked here.

#include <functional>
#include <utility>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"
#include "frontend/hlo/written.h"
#include "library/factorization.h"
#include "library/fourier.h"

namespace tilewise::hlo {
namespace {

// The results of `make`, which may need loops.
Operands Factored(Translation& t, const Site& site, size_t operands,
                  const std::function<Operands(Factorization&, const Operands&)>& make) {
  return Written(t, site, operands, [&](GraphBuilder& b, const Operands& x) {
    Factorization factorization(b, t.emit().loop(), [&t] { return t.NewLoop(); });
    return make(factorization, x);
  });
}

// Returns as many results as the instruction has: the one after those that are
// made says whether it went well.
Value AsStated(Translation& t, const Site& site, const Operands& results) {
  if (results.empty()) return {};
  if (site.shape.kind != HloShape::Kind::kTuple) return {results[0]};
  std::vector<Value> all(results.begin(), results.end());
  for (size_t i = all.size(); i < site.shape.elements.size(); ++i) {
    all.emplace_back(t.emit().Constant(0, GraphShape(site.shape.elements[i])));
  }
  all.resize(site.shape.elements.size());
  return Value::Tuple(std::move(all));
}

}  // namespace

Value TranslateCholesky(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    return {f.Cholesky(x[0], true)};
  };
  return AsStated(t, site, Factored(t, site, 1, make));
}

// The side follows from the sizes; which triangle it is does not change what is
// computed.
Value TranslateTriangularSolve(Translation& t, const Site& site) {
  const Shape b = t.emit().shape(site.operand(1));
  const Shape a = t.emit().shape(site.operand(0));
  const bool left =
      a.rank() >= 2 && b.rank() == a.rank() && b.dims[b.dims.size() - 2] == a.dims.back();
  const auto make = [left](Factorization& f, const Operands& x) -> Operands {
    return {f.TriangularSolve(x[0], x[1], left, true, false)};
  };
  return FirstOf(Factored(t, site, 2, make));
}

Value TranslateQr(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    const Factorization::Reflections made = f.Qr(x[0]);
    return {made.a, made.taus};
  };
  return AsStated(t, site, Factored(t, site, 1, make));
}

Value TranslateHouseholderProduct(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    return {f.HouseholderProduct(x[0], x[1])};
  };
  return FirstOf(Factored(t, site, 2, make));
}

Value TranslateLu(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    const Factorization::Triangles made = f.Lu(x[0]);
    return {made.a, made.pivots, made.permutation};
  };
  const Operands made = Factored(t, site, 1, make);
  if (made.size() != 3) return {};
  // LAPACK's has a status in place of the permutation.
  const bool is_own = site.more().custom_call_target == "LuDecomposition";
  return AsStated(t, site, {made.begin(), made.end() - (is_own ? 0 : 1)});
}

Value TranslateEigh(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    const Factorization::Eigen made = f.Eigh(x[0]);
    return {made.vectors, made.values};
  };
  return AsStated(t, site, Factored(t, site, 1, make));
}

Value TranslateFft(Translation& t, const Site& site) {
  FourierKind kind = FourierKind::kForward;
  const std::string_view type = site.more().fft->type;
  if (type == "IFFT") kind = FourierKind::kInverse;
  if (type == "RFFT") kind = FourierKind::kRealForward;
  if (type == "IRFFT") kind = FourierKind::kRealInverse;
  return FirstOf(Written(t, site, 1, [&](GraphBuilder& b, const Operands& in) {
    return Operands{Fourier(b, in[0], kind, site.more().fft->length)};
  }));
}

}  // namespace tilewise::hlo
