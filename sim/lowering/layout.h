// How a tensor lies in HBM: which logical dim is minor, and the tile that the
// two most minor dims are padded to. Rules: tpu-lowering 1.1, 1.3.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "graph/shape.h"
#include "hardware/chip.h"

namespace tilewise {

struct Layout {
  std::vector<int64_t> minor_to_major;  // logical dims, lanes first
  int64_t tile_sublanes = 8;            // rows of the tile; 1 for rank <= 1
  int64_t tile_lanes = 128;             // columns of the tile
  bool on_chip = false;                 // stated by a compiler's dump: not in HBM
  bool operator==(const Layout&) const = default;
};

// The tile for `shape` once its dim order is chosen: (8,128), or the compact
// form of few rows when the second-minor dim is small.
Layout MakeLayout(const Shape& shape, std::vector<int64_t> minor_to_major, const Chip& chip);
// Logical order kept: the last dim in lanes.
Layout DefaultLayout(const Shape& shape, const Chip& chip);

// Bytes in HBM with padding; pred takes 1 byte from generation 4 on, else 4.
Bytes PaddedBytes(const Shape& shape, const Layout& layout, const Chip& chip);
// Returns the bytes of one of the tiles that it is made of.
Bytes TileBytes(const Shape& shape, const Layout& layout, const Chip& chip);
// Size of logical dim `dim` in memory: padded if it is one of the tiled two.
int64_t PaddedSize(const Shape& shape, const Layout& layout, int64_t dim);
// Vector registers (8 x 128 x 32 bit) that hold the padded tensor when it is
// worked on; narrower floats count as 32 bit where the vector unit widens them.
double VectorRegisters(const Shape& shape, const Layout& layout, const Chip& chip);

// "{3,0,2,1:T(8,128)}", "{0:T(256)S(1)}" of what a dump keeps on-chip.
std::string FormatLayout(const Layout& layout);

}  // namespace tilewise
