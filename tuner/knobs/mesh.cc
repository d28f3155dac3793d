// How the cores share the work: copies of the model, weights in parts, matmuls in
// parts.

#include <algorithm>

#include <fmt/format.h>

#include "tuner/knob.h"

namespace tilewise {
namespace {

// Axes of a mesh are joined by colons in a list of meshes.
std::string WithCommas(std::string text) {
  std::ranges::replace(text, ':', ',');
  return text;
}

// Returns the meshes of all copies, of all parts, and of parts of matmuls within two, four and
// eight neighbours where the rest holds parts of the weights.
std::vector<Mesh> MeshesFor(const Target& target) {
  constexpr int64_t kMostTensor = 8;
  std::vector<Mesh> meshes = {{.data = target.cores}, {.data = 1, .fsdp = target.cores}};
  for (int64_t tensor = 2; tensor <= kMostTensor && tensor <= target.cores; tensor *= 2) {
    if (target.cores % tensor != 0) continue;
    meshes.push_back({.data = 1, .fsdp = target.cores / tensor, .tensor = tensor});
  }
  return meshes;
}

absl::StatusOr<std::vector<SearchSetting>> MeshSettings(const SearchSetting& base,
                                                        std::span<const std::string> values) {
  std::vector<Mesh> meshes;
  for (const std::string& value : values) {
    TW_ASSIGN_OR_RETURN(const Mesh mesh, ParseMesh(WithCommas(value)));
    meshes.push_back(mesh);
  }
  std::vector<SearchSetting> settings;
  if (values.empty()) {
    settings.push_back(base);
    // Cores of several slices, experts and contexts stay as the user laid them out.
    const Mesh& own = base.target.mesh;
    if (own.slices > 1 || own.expert > 1 || own.context > 1) return settings;
    meshes = MeshesFor(base.target);
  }
  for (const Mesh& mesh : meshes) {
    const absl::StatusOr<Mesh> filled = FillMesh(mesh, base.target.cores);
    if (!filled.ok()) continue;  // not of so many cores
    const bool known = std::ranges::any_of(settings, [&](const SearchSetting& setting) {
      return FormatMesh(setting.target.mesh) == FormatMesh(*filled);
    });
    if (known) continue;
    absl::StatusOr<SearchSetting> setting =
        WithMachine(base, base.target.chip.name, base.target.cores, *filled);
    if (!setting.ok()) continue;
    setting->changes.push_back(fmt::format("--mesh {}", FormatMesh(*filled)));
    settings.push_back(*std::move(setting));
  }
  return settings;
}

}  // namespace

Knob MeshKnob() {
  return {.name = "mesh",
          .values = "meshes: fsdp=8:tensor=4",
          .needs = "axes whose product is the number of cores",
          .settings = MeshSettings};
}

}  // namespace tilewise
