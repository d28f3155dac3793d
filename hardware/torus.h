// Which links of the torus a group of cores has to itself. The axes of a mesh
// lie on the chip and the torus from the inside out: `tensor` takes the cores
// of a chip first, then whole axes of the torus where one fits, else a part of
// one; `expert` takes blocks that are as square as they can be, in which tokens
// have the shortest paths (MaxText's hybrid_ring_64x4 and 32x8 meshes); `fsdp`
// and `data` take what is left.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hardware/target.h"

namespace tilewise {

// Lengths of a slice's axes, longest first, none of length 1. Slices that can be are put together
// of blocks of which every axis closes (4 x 4 x 4 chips of v4), so that 192 chips are 4 x 4 x 12.
// Otherwise, and among blocks, the lengths are as equal as the count allows.
std::vector<int64_t> TorusAxes(int64_t chips, const Chip& chip);

// The chips of a group along one axis of the torus.
struct TorusSpan {
  int64_t length = 1;   // chips
  int64_t stride = 1;   // hops between neighbours; as many groups share a link
  bool closed = false;  // the last chip is linked to the first
  size_t axis = 0;      // of TorusAxes()
};

// Cores that collective values: those of one mesh axis, of several, or all.
struct CoreGroup {
  int64_t cores_on_chip = 1;   // members on each of its chips
  int64_t groups_on_chip = 1;  // groups that share a chip's links
  std::vector<TorusSpan> spans;
  int64_t slices = 1;

  int64_t chips() const;  // in one slice
  int64_t cores() const { return cores_on_chip * chips() * slices; }
  // What a chip sends along the group's spans at a time, in links one way, when
  // all groups are at it: a closed span gives two, an open one one.
  double links(const Chip& chip) const;
  int64_t hops() const;  // from the first chip to the last, all spans
};

// `axis` names one mesh axis or several (see JoinAxes), or is empty for all
// cores. With a `size` other than that of the axis (and not 0), neighbours on
// an empty mesh.
CoreGroup FindGroup(const Target& target, std::string_view axis, int64_t size = 0);

}  // namespace tilewise
