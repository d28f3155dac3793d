// How the cores of a target are arranged for one program: a grid whose axes
// share the work. Cores that differ only on `data` hold copies of the weights
// and other examples; those on `stage` have other layers, too, and pass parts of
// the batch on; those on `fsdp` also hold only a part of each weight;
// those on `expert` do so, too, but hold experts whole, and tokens move to the
// cores of their experts; those on `context` have other positions of the same
// examples; those on `tensor` work on the same positions together.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

enum class MeshAxis : uint8_t { kData, kStage, kFsdp, kExpert, kContext, kTensor };
inline constexpr std::array<MeshAxis, 6> kMeshAxes = {MeshAxis::kData,    MeshAxis::kStage,
                                                      MeshAxis::kFsdp,    MeshAxis::kExpert,
                                                      MeshAxis::kContext, MeshAxis::kTensor};
std::string_view MeshAxisName(MeshAxis axis);  // "data"
// Axes whose cores reduce values together, as gradients are summed over all
// cores that have examples of their own: "data+fsdp".
std::string JoinAxes(const std::vector<MeshAxis>& axes);
// Whether `axes`, one name or several that are joined so, has `axis` in it.
bool Covers(std::string_view axes, MeshAxis axis);

struct Mesh {
  int64_t data = 0;  // 0: the cores that the other axes leave
  int64_t stage = 1;
  int64_t fsdp = 1;
  int64_t tensor = 1;
  int64_t expert = 1;
  int64_t context = 1;
  // Parts that the examples of all stages run in, one after the other; 0: as many
  // as there are stages.
  int64_t microbatches = 0;
  // Groups of layers of a stage, through which every part passes one after the other, each time
  // from the first stage to the last (a circular schedule).
  int64_t repeats = 1;
  // Groups of cores with an interconnect of their own, joined by the data
  // centre's network; they share out `data`, then `stage`, then `fsdp`.
  int64_t slices = 1;
  // Cores that have the same coordinate on `data`.
  int64_t cores_per_copy() const { return stage * fsdp * expert * context * tensor; }
  bool operator==(const Mesh&) const = default;
};

// The mesh with `data` filled in. Errors: `cores` is not the product of the
// axes; `slices` does not divide data x fsdp.
absl::StatusOr<Mesh> FillMesh(const Mesh& mesh, int64_t cores);

// "data=8,tensor=4", "stage=4,microbatches=16,repeats=2": each axis at most once, sizes from
// 1 to 65,536; an axis that is not named is 1, but `data` is left open. The text
// may be empty.
absl::StatusOr<Mesh> ParseMesh(std::string_view text);

// "data=8,tensor=4": the axes longer than 1, and at least one of them.
std::string FormatMesh(const Mesh& mesh);

}  // namespace tilewise
