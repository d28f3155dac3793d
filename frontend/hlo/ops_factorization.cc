// Factorizations of matrices, as XLA's expanders write them out for TPUs.

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/ops.h"
#include "frontend/tensor/attempt.h"
#include "frontend/tensor/factorization.h"

namespace tilewise::hlo {
namespace {

using Operands = std::vector<OpId>;
using Make = std::function<std::vector<OpId>(Factorization&, const Operands&)>;

// The results of `make`; when it fails, only the instruction fails.
Operands Written(Translation& t, const Site& site, size_t operands,
                 const Make& make) {
  Emitter& e = t.emit();
  const Operands given = site.arrays();
  if (given.size() != operands) {
    e.Fail(
        fmt::format("found {} operands, expected {}", given.size(), operands));
  }
  if (!e.CheckRoom()) return {};
  Attempt attempt(e.builder(), {t.Place(site.instruction),
                                std::string(site.instruction.name), e.loop()});
  Factorization factorization(attempt.builder(), e.loop(),
                              [&t] { return t.NewLoop(); });
  Operands taken;
  for (const OpId id : given) taken.push_back(attempt.StandIn(id));
  const Operands made = make(factorization, taken);
  absl::StatusOr<Operands> results = attempt.Commit(made);
  if (results.ok()) return *std::move(results);
  e.Fail(Message(results.status()));
  return {};
}

Value First(const Operands& results) {
  return results.empty() ? Value() : Value(results[0]);
}

}  // namespace

Value TranslateCholesky(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    return {f.Cholesky(x[0], true)};
  };
  return First(Written(t, site, 1, make));
}

// The side follows from the sizes; which triangle it is does not change what is
// computed.
Value TranslateTriangularSolve(Translation& t, const Site& site) {
  const Shape b = t.emit().shape(site.operand(1));
  const Shape a = t.emit().shape(site.operand(0));
  const bool left = a.rank() >= 2 && b.rank() == a.rank() &&
                    b.dims[b.dims.size() - 2] == a.dims.back();
  const auto make = [left](Factorization& f, const Operands& x) -> Operands {
    return {f.TriangularSolve(x[0], x[1], left, true, false)};
  };
  return First(Written(t, site, 2, make));
}

Value TranslateQr(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    const Factorization::Reflections made = f.Qr(x[0]);
    return {made.a, made.taus};
  };
  const Operands results = Written(t, site, 1, make);
  if (results.size() != 2) return {};
  return Value::Tuple({Value(results[0]), Value(results[1])});
}

Value TranslateHouseholderProduct(Translation& t, const Site& site) {
  const auto make = [](Factorization& f, const Operands& x) -> Operands {
    return {f.HouseholderProduct(x[0], x[1])};
  };
  return First(Written(t, site, 2, make));
}

}  // namespace tilewise::hlo
