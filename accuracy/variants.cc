// Rows are put together by what they say of themselves.

#include "accuracy/variants.h"

#include <map>
#include <string>

#include "accuracy/validate.h"

namespace tilewise {
namespace {

constexpr double kSameFigure = 1.05;

using Rows = std::map<std::string, std::vector<Pair>>;

void CountOrder(const std::vector<Pair>& pairs, VariantAccuracy& variants) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    for (size_t j = i + 1; j < pairs.size(); ++j) {
      const double measured = pairs[i].measured / pairs[j].measured;
      if (measured < kSameFigure && 1 / measured < kSameFigure) continue;
      ++variants.pairs;
      const double simulated = pairs[i].simulated / pairs[j].simulated;
      if ((measured > 1) == (simulated > 1) && simulated != 1) ++variants.in_order;
    }
  }
}

}  // namespace

std::optional<double> VariantAccuracy::order() const {
  if (pairs == 0) return std::nullopt;
  return static_cast<double>(in_order) / static_cast<double>(pairs);
}

VariantAccuracy MeasureVariants(const std::vector<ComparedRow>& comparisons) {
  Rows by_source, by_machine;
  for (const ComparedRow& row : comparisons) {
    if (!row.prediction || !row.point.counted || row.point.variants.empty()) continue;
    by_source[row.point.source + row.point.figure.unit].push_back(row.pair());
    by_machine[row.point.variants].push_back(row.pair());
  }
  VariantAccuracy variants;
  for (const auto& [name, pairs] : by_source) CountOrder(pairs, variants);
  std::vector<Pair> ratios;
  for (const auto& [name, pairs] : by_machine) {
    for (size_t i = 1; i < pairs.size(); ++i) {
      ratios.push_back(
          {pairs[i].measured / pairs[0].measured, pairs[i].simulated / pairs[0].simulated});
    }
  }
  variants.ratios = Summarize(ratios);
  return variants;
}

}  // namespace tilewise
