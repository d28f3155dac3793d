// Reorders a computation by its schedule.

#include "frontend/hlo/schedule_order.h"

#include <utility>

namespace tilewise::hlo {
namespace {

// Where each instruction comes to stand; empty when `order` is none.
std::vector<int32_t> Places(const Computation& computation, const std::vector<int32_t>& order) {
  const std::vector<Instruction>& all = computation.instructions;
  if (order.size() != all.size()) return {};
  std::vector<int32_t> places(all.size(), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    int32_t& place = places[order[i]];
    if (place != -1) return {};
    place = static_cast<int32_t>(i);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    for (const int32_t operand : all[i].operands) {
      if (places[operand] >= places[i]) return {};
    }
  }
  return places;
}

}  // namespace

void OrderInstructions(Computation& computation, const std::vector<int32_t>& order) {
  const std::vector<int32_t> places = Places(computation, order);
  if (places.empty()) return;
  std::vector<Instruction> ordered;
  ordered.reserve(order.size());
  for (const int32_t at : order) {
    ordered.push_back(std::move(computation.instructions[at]));
    for (int32_t& operand : ordered.back().operands) {
      operand = places[operand];
    }
  }
  computation.instructions = std::move(ordered);
  computation.root = places[computation.root];
}

}  // namespace tilewise::hlo
