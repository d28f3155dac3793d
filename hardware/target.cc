// A chip, a number of its cores and a host, put together.

#include "hardware/target.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise {

namespace {

constexpr int64_t kMostCores = 1 << 16;
// Machines of a slice carry 4 chips each; the smallest slice is one machine
// (Cloud TPU documentation, system architecture of v2 to v6e).
constexpr int64_t kChipsPerHost = 4;

// "v5p-128": a slice as it is sold, by its number of TensorCores; zero where the
// name is that of a chip alone.
struct NamedSlice {
  std::string_view chip;
  int64_t tensor_cores = 0;
};

NamedSlice SplitSlice(std::string_view name) {
  const size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return {name};
  int64_t tensor_cores = 0;
  const auto [end, error] =
      std::from_chars(name.data() + dash + 1, name.data() + name.size(), tensor_cores);
  const bool is_number = error == std::errc() && end == name.data() + name.size();
  if (!is_number || tensor_cores <= 0) return {name};
  const std::string_view chip = name.substr(0, dash);
  return FindChip(chip).ok() ? NamedSlice{chip, tensor_cores} : NamedSlice{name};
}

// The devices of all slices of the name; those that the user gave with it have
// to be as many.
absl::StatusOr<int64_t> CoresOf(const NamedSlice& slice, std::string_view name, int64_t given,
                                const Target& target) {
  if (slice.tensor_cores == 0) return given;
  const int64_t per_device = target.chip.tensor_cores_per_device;
  const int64_t least = per_device * target.chip.cores_per_chip;
  if (slice.tensor_cores % per_device != 0) {
    return InvalidInput(
        fmt::format("found chip '{}', expected a multiple of {}: slices of {} are "
                    "named by their TensorCores, {} a chip",
                    name, least, target.chip.name, least));
  }
  const int64_t cores = slice.tensor_cores / per_device * target.mesh.slices;
  if (given != 0 && given != cores) {
    return InvalidInput(
        fmt::format("found chip '{}', of {} cores in all, and {} cores, expected "
                    "one of the two",
                    name, cores, given));
  }
  return cores;
}

// Cores that the user means; a mesh that leaves `data` open is completed.
absl::StatusOr<int64_t> CoresOf(int64_t cores, const Chip& chip, const Mesh& mesh) {
  if (cores == 0) {
    const int64_t others = mesh.cores_per_copy();
    const bool is_open = mesh.data == 0;
    cores = is_open ? others : mesh.data * others;
    if (is_open && others == 1) cores = chip.default_cores * mesh.slices;
  }
  if (cores < 1 || cores > kMostCores) {
    return InvalidInput(fmt::format("found {} cores, expected 1 to {}", cores, kMostCores));
  }
  return cores;
}

absl::Status CheckChips(const Target& target) {
  const Chip& chip = target.chip;
  const int64_t per_chip = chip.cores_per_chip;
  if (target.cores > 1 && target.cores % per_chip != 0) {
    return InvalidInput(
        fmt::format("found {} cores, expected 1 or a multiple of the {} cores of a {} chip",
                    target.cores, per_chip, chip.name));
  }
  const int64_t slices = target.mesh.slices;
  if (slices > 1 && target.cores / slices % per_chip != 0) {
    return InvalidInput(
        fmt::format("found {} slices of {} cores, expected a multiple of the {} cores of a "
                    "{} chip in each",
                    slices, target.cores / slices, per_chip, chip.name));
  }
  const int64_t chips = target.cores / slices / per_chip;
  if (chip.pod_chips > 0 && chips > chip.pod_chips) {
    return InvalidInput(
        fmt::format("found {} chips in one slice, expected at most the {} of a {} pod; "
                    "give the number of slices",
                    chips, chip.pod_chips, chip.name));
  }
  return absl::OkStatus();
}

// The host as the chips of the slice come with it.
void FitMachine(const Target& target, Host& host) {
  const Chip& chip = target.chip;
  const int64_t chips =
      target.hosts() > 1 ? kChipsPerHost : CeilDiv(target.cores, chip.cores_per_chip);
  for (const Machine& machine : chip.machines) {
    if (machine.host != host.name || machine.chips != chips) continue;
    host.vcpus = machine.vcpus;
    host.ram = machine.ram;
  }
}

}  // namespace

int64_t Target::extent(MeshAxis axis) const {
  switch (axis) {
    case MeshAxis::kStage:
      return mesh.stage;
    case MeshAxis::kFsdp:
      return mesh.fsdp;
    case MeshAxis::kExpert:
      return mesh.expert;
    case MeshAxis::kContext:
      return mesh.context;
    case MeshAxis::kTensor:
      return mesh.tensor;
    case MeshAxis::kData:
      break;
  }
  return mesh.data > 0 ? mesh.data : std::max<int64_t>(1, cores / mesh.cores_per_copy());
}

int64_t Target::hosts() const {
  if (cores <= chip.default_cores) return 1;
  return CeilDiv(CeilDiv(cores, chip.cores_per_chip), kChipsPerHost);
}

std::string Target::description() const {
  std::string shape;
  if (mesh.cores_per_copy() > 1) {
    Mesh filled = mesh;
    filled.data = extent(MeshAxis::kData);
    shape = ", mesh " + FormatMesh(filled);
  }
  if (mesh.slices > 1) shape += fmt::format(", {} slices", mesh.slices);
  const std::string machines =
      hosts() > 1 ? fmt::format("{} {} hosts", hosts(), host.name) : host.name + " host";
  const int64_t all = slice_cores();
  const std::string used = idle_cores > 0 ? fmt::format("{} of ", cores) : "";
  return fmt::format("{}-{} ({}{} {}{} of TPU {}{}, {})", chip.name,
                     all / mesh.slices * chip.tensor_cores_per_device, used, all, device(),
                     all == 1 ? "" : "s", chip.name, shape, machines);
}

absl::StatusOr<Target> MakeTarget(std::string_view chip, int64_t cores, std::string_view host,
                                  const Mesh& mesh) {
  Target target;
  const NamedSlice slice = SplitSlice(chip);
  TW_ASSIGN_OR_RETURN(target.chip, FindChip(slice.chip));
  target.mesh = mesh;
  TW_ASSIGN_OR_RETURN(const int64_t named, CoresOf(slice, chip, cores, target));
  TW_ASSIGN_OR_RETURN(target.cores, CoresOf(named, target.chip, mesh));
  TW_ASSIGN_OR_RETURN(target.mesh, FillMesh(mesh, target.cores));
  TW_RETURN_IF_ERROR(CheckChips(target));
  const std::string& usual = target.hosts() > 1 ? target.chip.slice_host : target.chip.default_host;
  TW_ASSIGN_OR_RETURN(target.host, FindHost(host.empty() ? usual : host));
  FitMachine(target, target.host);
  return target;
}

Target OneCoreOf(Target slice) {
  slice.idle_cores += slice.cores - 1;
  slice.cores = 1;
  slice.mesh = {.data = 1};
  return slice;
}

}  // namespace tilewise
