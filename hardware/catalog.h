// Finds a chip's or host's file by name, alias or path.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hardware/catalog.pb.h"
#include "hardware/chip.pb.h"
#include "hardware/host.pb.h"

namespace tilewise {

// Parsed and complete. `name`: of an embedded file, one of its aliases, or a
// path that ends in ".txtpb". Errors: unknown name, with the known ones and
// the nearest; unreadable file; what ParseTextFile and CheckComplete report.
absl::StatusOr<proto::Chip> FindChipFile(std::string_view name);
absl::StatusOr<proto::Host> FindHostFile(std::string_view name);

// Embedded ones, chips by generation then name, hosts by name.
std::vector<proto::Chip> EmbeddedChips();
std::vector<proto::Host> EmbeddedHosts();

// What holds for all of them together: one default chip.
proto::Catalog EmbeddedCatalog();

}  // namespace tilewise
