// Optimizers by name, and what state each keeps.

#include <array>
#include <utility>

#include "graph/training.h"

namespace tilewise {
namespace {

struct Row {
  OptimizerKind kind;
  std::string_view name;
  int slots;
};

constexpr std::array<Row, 14> kRows = {{
    {OptimizerKind::kSgd, "sgd", 0},
    {OptimizerKind::kMomentum, "momentum", 1},
    {OptimizerKind::kRmsProp, "rmsprop", 1},
    {OptimizerKind::kRmsPropMomentum, "rmsprop_momentum", 2},
    {OptimizerKind::kAdam, "adam", 2},
    {OptimizerKind::kAdamW, "adamw", 2},
    {OptimizerKind::kLars, "lars", 1},
    {OptimizerKind::kLamb, "lamb", 2},
    {OptimizerKind::kLion, "lion", 1},
    {OptimizerKind::kAdagrad, "adagrad", 1},
    {OptimizerKind::kAdadelta, "adadelta", 2},
    {OptimizerKind::kAdamax, "adamax", 2},
    {OptimizerKind::kAdafactor, "adafactor", 1},
    {OptimizerKind::kAdafactorMomentum, "adafactor_momentum", 2},
}};

const Row& RowOf(OptimizerKind kind) {
  for (const Row& row : kRows) {
    if (row.kind == kind) return row;
  }
  TW_CHECK(false);
  return kRows[0];
}

}  // namespace

std::string_view OptimizerName(OptimizerKind kind) { return RowOf(kind).name; }

std::optional<OptimizerKind> ParseOptimizer(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const Row& row : kRows) {
    if (row.name == lower) return row.kind;
  }
  return std::nullopt;
}

int OptimizerSlots(OptimizerKind kind) { return RowOf(kind).slots; }

}  // namespace tilewise
