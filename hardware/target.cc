// A chip, a number of its cores and a host, put together.

#include "hardware/target.h"

#include <fmt/format.h>

namespace tilewise {

std::string Target::description() const {
  return fmt::format("{}-{} ({} {} of TPU {}, {} host)", chip.name, cores,
                     cores, cores == 1 ? "core" : "cores", chip.name,
                     host.name);
}

absl::StatusOr<Target> MakeTarget(std::string_view chip, int64_t cores,
                                  std::string_view host) {
  constexpr int64_t kMostCores = 1 << 16;
  Target target;
  TW_ASSIGN_OR_RETURN(target.chip, FindChip(chip));
  if (cores < 0 || cores > kMostCores) {
    return InvalidInput(
        fmt::format("found {} cores, expected 1 to {}", cores, kMostCores));
  }
  target.cores = cores == 0 ? target.chip.default_cores : cores;
  const int64_t per_chip = target.chip.cores_per_chip;
  if (target.cores > 1 && target.cores % per_chip != 0) {
    return InvalidInput(fmt::format(
        "found {} cores, expected 1 or a multiple of the {} cores of a {} chip",
        target.cores, per_chip, target.chip.name));
  }
  TW_ASSIGN_OR_RETURN(
      target.host,
      FindHost(host.empty() ? std::string_view(target.chip.default_host)
                            : host));
  return target;
}

}  // namespace tilewise
