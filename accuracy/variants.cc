// Rows are put together by what they say of themselves.

#include "accuracy/variants.h"

#include <map>
#include <string>

#include "accuracy/validate.h"

namespace tilewise {
namespace {

constexpr double kSameFigure = 1.05;

using Rows = std::map<std::string, std::vector<Pair>>;

struct Order {
  size_t pairs = 0, in_order = 0;
};

void CountOrder(const std::vector<Pair>& pairs, Order& order) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    for (size_t j = i + 1; j < pairs.size(); ++j) {
      const double measured = pairs[i].measured / pairs[j].measured;
      if (measured < kSameFigure && 1 / measured < kSameFigure) continue;
      ++order.pairs;
      const double simulated = pairs[i].simulated / pairs[j].simulated;
      if ((measured > 1) == (simulated > 1) && simulated != 1) ++order.in_order;
    }
  }
}

struct Compared {
  Rows by_source, by_machine;

  void Add(const ComparedRow& row) {
    by_source[row.point.source + row.point.figure.unit].push_back(row.pair());
    by_machine[row.point.variants].push_back(row.pair());
  }

  Order CountOrders() const {
    Order order;
    for (const auto& [name, pairs] : by_source) CountOrder(pairs, order);
    return order;
  }

  ErrorSummary Ratios() const {
    std::vector<Pair> ratios;
    for (const auto& [name, pairs] : by_machine) {
      for (size_t i = 1; i < pairs.size(); ++i) {
        ratios.push_back(
            {pairs[i].measured / pairs[0].measured, pairs[i].simulated / pairs[0].simulated});
      }
    }
    return Summarize(ratios);
  }
};

}  // namespace

std::optional<double> VariantAccuracy::order() const {
  if (pairs == 0) return std::nullopt;
  return static_cast<double>(in_order) / static_cast<double>(pairs);
}

VariantAccuracy MeasureVariants(const std::vector<ComparedRow>& comparisons) {
  Compared all, held_out;
  bool fitted = false;
  for (const ComparedRow& row : comparisons) {
    fitted = fitted || row.point.in_sample;
    if (!row.prediction || !row.point.counted || row.point.variants.empty()) continue;
    all.Add(row);
    if (!row.point.in_sample) held_out.Add(row);
  }
  const Order order = all.CountOrders();
  VariantAccuracy variants{.pairs = order.pairs, .in_order = order.in_order};
  variants.ratios = all.Ratios();
  if (!fitted) return variants;
  const Order unseen = held_out.CountOrders();
  variants.held_out_pairs = unseen.pairs;
  variants.held_out_in_order = unseen.in_order;
  variants.held_out_ratios = held_out.Ratios();
  return variants;
}

}  // namespace tilewise
