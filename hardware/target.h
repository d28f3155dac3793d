// The machine to lower for: a chip, how many of its cores, and the host.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hardware/chip.h"
#include "hardware/host.h"

namespace tilewise {

struct Target {
  Chip chip;
  Host host;
  int64_t cores = 8;  // data-parallel devices
  // "v3-8 (8 cores of TPU v3, tpu-vm host)".
  std::string description() const;
};

// The chips and hosts that come with tilewise, sorted by generation then name.
// `name` is one of theirs or the path of a .txtpb file.
std::vector<std::string> ChipNames();
std::vector<std::string> HostNames();
absl::StatusOr<Chip> FindChip(std::string_view name);
absl::StatusOr<Host> FindHost(std::string_view name);

// Each number of a chip or host with its source, in file order, for `list`.
struct SourcedNumber {
  std::string field;
  std::string value;
  std::string source;
};
absl::StatusOr<std::vector<SourcedNumber>> ChipNumbers(std::string_view name);
absl::StatusOr<std::vector<SourcedNumber>> HostNumbers(std::string_view name);

// cores == 0 takes the chip's default, an empty host the chip's default.
absl::StatusOr<Target> MakeTarget(std::string_view chip, int64_t cores,
                                  std::string_view host);

}  // namespace tilewise
