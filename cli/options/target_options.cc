// Names are looked up when the target is made: an error then says which option
// or file named it.

#include "cli/options/target_options.h"

#include <fmt/format.h>

#include "hardware/default_chip.h"

namespace tilewise {
namespace {

constexpr int64_t kMaxSlices = 1024;

std::string CheckMesh(const std::string& text) {
  const absl::StatusOr<Mesh> mesh = ParseMesh(text);
  return mesh.ok() ? "" : Message(mesh.status());
}

void AddMesh(Arguments& arguments, Mesh& mesh) {
  const auto set = [&mesh](const std::string& text) {
    const int64_t slices = mesh.slices;
    mesh = *ParseMesh(text);  // checked
    mesh.slices = slices;
  };
  arguments.Call({.name = "--mesh",
                  .help = "how the cores share the work: data=N (copies of the weights), "
                          "fsdp=N (parts of them), expert=N (whole experts, to which "
                          "tokens move), tensor=N (parts of each matrix product)",
                  .group = kTargetGroup,
                  .type = "AXIS=N,..",
                  .check = CheckMesh},
                 set);
  arguments.Number({.name = "--slices",
                    .help = "groups of cores that only the data centre's "
                            "network joins (default 1)",
                    .group = kTargetGroup},
                   mesh.slices, kMaxSlices);
}

}  // namespace

void Add(Arguments& arguments, TargetOptions& options) {
  options.chip = DefaultChipName();
  arguments.Call({.name = "--chip",
                  .help = fmt::format("TPU generation, or a .txtpb file of your own; "
                                      "'tilewise list chips' (default {})",
                                      options.chip),
                  .group = kTargetGroup,
                  .type = "NAME"},
                 [&options](const std::string& name) {
                   options.chip = name;
                   options.chip_given = true;
                 });
  arguments.Number({.name = "--cores",
                    .help = "cores, all data parallel unless --mesh says otherwise "
                            "(default: those of the mesh, or the chip's smallest slice)",
                    .group = kTargetGroup},
                   options.cores, kMaxCores);
  AddMesh(arguments, options.mesh);
  arguments.Text({.name = "--host",
                  .help = "machine that feeds the TPU; 'tilewise list hosts' "
                          "(default: the chip's)",
                  .group = kTargetGroup,
                  .type = "NAME"},
                 options.host);
}

absl::StatusOr<Target> TargetOf(const TargetOptions& options, const Origins& origins) {
  absl::StatusOr<Target> target =
      MakeTarget(options.chip, options.cores, options.host, options.mesh);
  if (target.ok()) return target;
  for (const std::string flag : {"chip", "host"}) {
    const auto origin = origins.find(flag);
    if (origin == origins.end()) continue;
    if (!Message(target.status()).starts_with("found " + flag)) continue;
    return Annotate(target.status(), origin->second.from);
  }
  return target;
}

}  // namespace tilewise
