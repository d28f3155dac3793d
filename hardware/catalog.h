// Finds a chip's or host's file by name, alias or path.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hardware/catalog.pb.h"
#include "hardware/chip.h"
#include "hardware/chip.pb.h"
#include "hardware/host.pb.h"
#include "hardware/pipeline_costs.pb.h"
#include "hardware/text_file.h"

namespace tilewise {

// Parsed and complete. `name`: of an embedded file, one of its aliases, or a
// path that ends in ".txtpb". Errors: unknown name, with the known ones and
// the nearest; unreadable file; what ParseTextFile and CheckComplete report.
// A file that names a base is put on top of it; without a name of its own the
// chip or host is called after the file. A host's file that a chip's names is
// looked for beside it. `places` gets those of the fields that
// stand in a file of the user.
absl::StatusOr<proto::Chip> FindChipFile(std::string_view name, FieldLocations* places = nullptr);
absl::StatusOr<proto::Host> FindHostFile(std::string_view name);

// What a file that differs from that chip starts from: an overlay as it is
// written, a complete file of the user, or for an embedded chip nothing but
// its name as the base. Errors as above.
absl::StatusOr<proto::Chip> FindOwnChipFile(std::string_view name);
absl::StatusOr<proto::Host> FindOwnHostFile(std::string_view name);

// The numbers of a complete file, in range. `name` and `places` stand in
// messages.
absl::StatusOr<Chip> ReadChip(std::string_view name, const proto::Chip& file,
                              const FieldLocations& places = {});

// Embedded ones, chips by generation then name, hosts by name.
std::vector<proto::Chip> EmbeddedChips();
std::vector<proto::Host> EmbeddedHosts();

// What holds for all of them together: one default chip.
proto::Catalog EmbeddedCatalog();

// Costs of input pipelines, of every host.
proto::PipelineCosts EmbeddedPipelineCosts();

}  // namespace tilewise
