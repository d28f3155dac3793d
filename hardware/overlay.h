// Chips that differ from another in a few constants: in memory while the
// constants are fitted, and as a file that --chip takes.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hardware/chip.h"

namespace tilewise {

// A constant of the model that no data sheet has. `least` and `most` are the
// schema's; all three are in the unit that the end of the name says.
struct FittableConstant {
  std::string field;  // "kernel_overhead_us"
  double value = 0;
  double least = 0, most = 0;
  std::string kind;      // "fitted" or "assumed": where the value is from now
  bool chooses = false;  // decides between windows and appears in no time
};

struct ChangedConstant {
  std::string field;
  double value = 0;
  std::string source;  // why it has this value
};

// Returns the constants that the schema marks, that this chip's file calls fitted or assumed, and
// whose value is in range; in the order of the schema. `chip` is a name or a path, as FindChip
// takes it; errors as there.
absl::StatusOr<std::vector<FittableConstant>> FittableConstants(std::string_view chip);

// FindChip(chip) with other values. Errors: a field that the schema has not or
// does not mark; values out of range.
absl::StatusOr<Chip> FindChipWith(std::string_view chip, std::span<const ChangedConstant> changes);

// What a profile says of a machine besides the constants of its chip.
struct MeasuredMachine {
  std::optional<ErrorRange> range;  // of measured over simulated times
  std::string source;               // of the range
  std::string host, slice_host;     // names or files; empty: as it was
};

// The file of that chip, its changed constants of kind FITTED: of an embedded
// chip its name as `base` and nothing else, of a file that file's own fields,
// without its comments. Errors as above.
absl::StatusOr<std::string> OverlayText(std::string_view chip,
                                        std::span<const ChangedConstant> changes,
                                        const MeasuredMachine& machine = {});

// The file of that host with these constants of what it costs to drive the device
// by `framework` (HostRuntime); a host file of the user is changed, an embedded
// one is the base. Errors: constants that a runtime has not, values out of range.
absl::StatusOr<std::string> HostOverlayText(std::string_view host, std::string_view framework,
                                            std::span<const ChangedConstant> changes);

// The embedded chip that `chip` is or stands on; the name in a complete file.
absl::StatusOr<std::string> BaseChipName(std::string_view chip);

}  // namespace tilewise
