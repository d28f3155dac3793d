// The machine to lower for: a chip, how many of its cores, and the host.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hardware/chip.h"
#include "hardware/host.h"
#include "hardware/mesh.h"

namespace tilewise {

struct Target {
  Chip chip;
  Host host;
  int64_t cores = 8;
  int64_t idle_cores = 0;  // further ones of the slice, which the program does not use
  Mesh mesh;               // all cores on `data`, unless it says otherwise
  // Cores along an axis of the mesh.
  int64_t extent(MeshAxis axis) const;
  // Parts of the global batch: cores that work on examples of their own.
  int64_t batch_shards() const {
    return extent(MeshAxis::kData) * extent(MeshAxis::kStage) * extent(MeshAxis::kFsdp) *
           extent(MeshAxis::kExpert);
  }
  int64_t slice_cores() const { return cores + idle_cores; }
  // Machines that the cores are attached to.
  int64_t hosts() const;
  // What a device is: "core", or "chip" where its cores are one device.
  std::string_view device() const { return chip.tensor_cores_per_device > 1 ? "chip" : "core"; }
  // "v3-8 (8 cores of TPU v3, tpu-vm host)", the slice by its number of
  // TensorCores as it is sold, with the mesh if there is one.
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

// cores == 0 takes those of the mesh, or the chip's default when the mesh
// leaves `data` open; an empty host takes the chip's default. `chip` may be the
// name of a slice, v5litepod-16, whose cores are then those. Errors: cores
// that do not fill chips or do not match the mesh; slices larger than a pod.
absl::StatusOr<Target> MakeTarget(std::string_view chip, int64_t cores, std::string_view host,
                                  const Mesh& mesh = {});

// The slice with one core in use, and the host that it comes with.
Target OneCoreOf(Target slice);

}  // namespace tilewise
