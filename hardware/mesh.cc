// Reads, checks and prints meshes.

#include "hardware/mesh.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr int64_t kLongestAxis = 1 << 16;
constexpr std::string_view kMicrobatches = "microbatches", kRepeats = "repeats";

struct AxisRow {
  MeshAxis axis;
  std::string_view name;
  int64_t Mesh::*extent;
};
constexpr AxisRow kRows[] = {
    {MeshAxis::kData, "data", &Mesh::data},          {MeshAxis::kStage, "stage", &Mesh::stage},
    {MeshAxis::kFsdp, "fsdp", &Mesh::fsdp},          {MeshAxis::kExpert, "expert", &Mesh::expert},
    {MeshAxis::kContext, "context", &Mesh::context}, {MeshAxis::kTensor, "tensor", &Mesh::tensor}};

const AxisRow& RowOf(MeshAxis axis) {
  return *std::find_if(std::begin(kRows), std::end(kRows),
                       [axis](const AxisRow& row) { return row.axis == axis; });
}

absl::StatusOr<int64_t Mesh::*> ExtentOf(std::string_view name) {
  for (const AxisRow& row : kRows) {
    if (name == row.name) return row.extent;
  }
  if (name == "sequence") return &Mesh::context;
  if (name == kMicrobatches) return &Mesh::microbatches;
  if (name == kRepeats) return &Mesh::repeats;
  return InvalidInput(fmt::format(
      "found mesh axis '{}', expected data, stage, fsdp, expert, context, tensor, {} or {}", name,
      kMicrobatches, kRepeats));
}

absl::StatusOr<int64_t> ParseExtent(std::string_view axis, std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value >= 1 && value <= kLongestAxis) {
    return value;
  }
  return InvalidInput(
      fmt::format("found mesh axis {} of '{}' cores, expected 1 to {}", axis, text, kLongestAxis));
}

}  // namespace

std::string_view MeshAxisName(MeshAxis axis) { return RowOf(axis).name; }

std::string JoinAxes(const std::vector<MeshAxis>& axes) {
  std::string joined;
  for (const MeshAxis axis : axes) {
    if (!joined.empty()) joined += '+';
    joined += MeshAxisName(axis);
  }
  return joined;
}

bool Covers(std::string_view axes, MeshAxis axis) {
  while (!axes.empty()) {
    const size_t end = std::min(axes.find('+'), axes.size());
    if (axes.substr(0, end) == MeshAxisName(axis)) return true;
    axes.remove_prefix(std::min(end + 1, axes.size()));
  }
  return false;
}

absl::StatusOr<Mesh> FillMesh(const Mesh& mesh, int64_t cores) {
  Mesh filled = mesh;
  const int64_t others = mesh.cores_per_copy();
  if (filled.data == 0) filled.data = others < 1 ? 0 : cores / others;
  if (filled.data < 1 || filled.data * others != cores) {
    return InvalidInput(fmt::format("found mesh {} on {} {}, expected a product of {}",
                                    FormatMesh(mesh), cores, cores == 1 ? "core" : "cores", cores));
  }
  const int64_t across = filled.data * filled.stage * filled.fsdp;
  if (mesh.slices < 1 || across % mesh.slices != 0) {
    return InvalidInput(
        fmt::format("found {} slices, expected a divisor of the {} cores on data, stage and fsdp",
                    mesh.slices, across));
  }
  if (mesh.microbatches % mesh.stage != 0) {
    return InvalidInput(fmt::format("found {} microbatches, expected a multiple of the {} stages",
                                    mesh.microbatches, mesh.stage));
  }
  if (mesh.repeats > 1 && mesh.stage == 1) {
    return InvalidInput(
        fmt::format("found {} repeats without stages, expected mesh axis stage", mesh.repeats));
  }
  return filled;
}

absl::StatusOr<Mesh> ParseMesh(std::string_view text) {
  Mesh mesh;
  std::vector<int64_t Mesh::*> named;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      return InvalidInput(fmt::format("found '{}' in a mesh, expected AXIS=CORES", item));
    }
    const std::string_view name = item.substr(0, equals);
    TW_ASSIGN_OR_RETURN(int64_t Mesh::*const extent, ExtentOf(name));
    if (std::find(named.begin(), named.end(), extent) != named.end()) {
      return InvalidInput(fmt::format("found mesh axis {} twice, expected it once", name));
    }
    named.push_back(extent);
    TW_ASSIGN_OR_RETURN(mesh.*extent, ParseExtent(name, item.substr(equals + 1)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) {
      return InvalidInput("found a mesh that ends in ',', expected AXIS=CORES");
    }
  }
  return mesh;
}

std::string FormatMesh(const Mesh& mesh) {
  std::string text;
  for (const MeshAxis axis : kMeshAxes) {
    const int64_t extent = mesh.*RowOf(axis).extent;
    if (extent < 2) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", MeshAxisName(axis), extent);
  }
  if (mesh.microbatches > 0) text += fmt::format(",{}={}", kMicrobatches, mesh.microbatches);
  if (mesh.repeats > 1) text += fmt::format(",{}={}", kRepeats, mesh.repeats);
  return text.empty() ? "data=1" : text;
}

}  // namespace tilewise
