// The chip's file says it.

#include "hardware/device_kind.h"

#include "hardware/catalog.h"

namespace tilewise {

std::string DeviceKind(std::string_view chip) {
  const absl::StatusOr<proto::Chip> file = FindChipFile(chip);
  return file.ok() ? file->device_kind() : "";
}

}  // namespace tilewise
