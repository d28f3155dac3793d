// Configurations of one pipeline or program against each other: which is faster,
// and by how much.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "accuracy/statistics.h"

namespace tilewise {

struct ComparedRow;

struct VariantAccuracy {
  // Pairs of rows of one source whose measured figures differ by more than a
  // twentieth, and those of them that are simulated in the same order.
  size_t pairs = 0, in_order = 0;
  // The errors of each row's ratio to the first of the same machine and data.
  ErrorSummary ratios;
  // The same of rows that no constant was read off, where others are.
  size_t held_out_pairs = 0, held_out_in_order = 0;
  ErrorSummary held_out_ratios;
  std::optional<double> order() const;  // share in order; none without pairs
};
// Only rows that count and name their variants are compared.
VariantAccuracy MeasureVariants(const std::vector<ComparedRow>& comparisons);

}  // namespace tilewise
