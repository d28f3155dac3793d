// Which releases of the frameworks a script may run on, as far as it says.

#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "workload/source_facts.h"

namespace tilewise {

using Release = std::pair<int, int>;  // major, minor

// The newest and the oldest release that the program may run on; none: it says
// nothing.
std::optional<Release> NewestRelease(const SourceFacts& facts, std::string_view package);
std::optional<Release> OldestRelease(const SourceFacts& facts, std::string_view package);

enum class KerasBackend : uint8_t { kTensorflow, kJax, kTorch };
enum class KerasGeneration : uint8_t { kUnknown, k2, k3 };

struct KerasFlavour {
  KerasGeneration generation = KerasGeneration::kUnknown;
  KerasBackend backend = KerasBackend::kTensorflow;
  bool backend_stated = false;
};
KerasFlavour KerasOf(const SourceFacts& facts);

// "steps_per_execution" or "experimental_steps_per_execution": what compile()
// calls it in the release that the program runs on.
std::string_view StepsPerExecutionKeyword(const SourceFacts& facts);

}  // namespace tilewise
