// The type of activations.

#include <fmt/format.h>

#include "graph/wide_matmuls.h"
#include "tuner/knob.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<SearchSetting>> PrecisionSettings(const SearchSetting& base,
                                                             std::span<const std::string> values) {
  bool own = values.empty(), narrow = values.empty();
  for (const std::string& value : values) {
    if (value != "own" && value != "bf16") {
      return InvalidInput(
          fmt::format("--search precision: found '{}', expected own or bf16", value));
    }
    (value == "own" ? own : narrow) = true;
  }
  std::vector<SearchSetting> settings;
  const bool can = HasWideMatmuls(*base.workload->graph);
  if (own || !can) settings.push_back(base);
  if (narrow && can) settings.push_back(WithComputeType(base, DType::kBF16));
  return settings;
}

}  // namespace

Knob PrecisionKnob() {
  return {.name = "precision",
          .values = "own, bf16",
          .needs = "matmuls of float32",
          .settings = PrecisionSettings};
}

}  // namespace tilewise
