// Tiles, padded sizes and the text form of layouts. The tile rules are those of
// tpu-lowering 1.1 and tpu-hardware 8.

#include "sim/lowering/layout.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/math.h"

namespace tilewise {
namespace {

constexpr int64_t kWideNarrowTilesGeneration = 7;
constexpr int64_t kOneRowTilesGeneration = 4;
constexpr int64_t kPackedPredGeneration = 4;

int64_t StoredBits(DType dtype, const Chip& chip) {
  if (dtype == DType::kPred && chip.generation < kPackedPredGeneration) {
    return 32;
  }
  return BitWidth(dtype);
}

// Values that share one 32-bit word of a register.
int64_t Packing(DType dtype, const Chip& chip) {
  return std::max<int64_t>(1, 32 / StoredBits(dtype, chip));
}

int64_t FullRows(DType dtype, const Chip& chip) {
  const int64_t packing = Packing(dtype, chip);
  const bool is_narrow_tile = packing <= 2 && chip.generation < kWideNarrowTilesGeneration;
  return is_narrow_tile ? chip.sublanes : chip.sublanes * packing;
}

int64_t SmallestRows(DType dtype, const Chip& chip) {
  const int64_t words = chip.generation < kOneRowTilesGeneration ? 2 : 1;
  return words * Packing(dtype, chip);
}

// The compact ladder: few rows, doubled until they hold the dim.
int64_t TileRows(DType dtype, int64_t size, const Chip& chip) {
  const int64_t full = FullRows(dtype, chip);
  int64_t rows = std::min(full, SmallestRows(dtype, chip));
  while (rows < std::min(size, full)) rows *= 2;
  return rows;
}

}  // namespace

Layout MakeLayout(const Shape& shape, std::vector<int64_t> minor_to_major, const Chip& chip) {
  TW_CHECK(static_cast<int64_t>(minor_to_major.size()) == shape.rank());
  Layout layout;
  layout.minor_to_major = std::move(minor_to_major);
  layout.tile_lanes = chip.lanes;
  if (shape.rank() == 0) {
    layout.tile_sublanes = 1;
  } else if (shape.rank() == 1) {
    layout.tile_sublanes = 1;
    layout.tile_lanes = chip.lanes * SmallestRows(shape.dtype, chip);
  } else {
    const int64_t rows = shape.size(layout.minor_to_major[1]);
    layout.tile_sublanes = TileRows(shape.dtype, rows, chip);
  }
  return layout;
}

Layout DefaultLayout(const Shape& shape, const Chip& chip) {
  std::vector<int64_t> order;
  for (int64_t dim = shape.rank() - 1; dim >= 0; --dim) order.push_back(dim);
  return MakeLayout(shape, std::move(order), chip);
}

int64_t PaddedSize(const Shape& shape, const Layout& layout, int64_t dim) {
  const int64_t size = shape.size(dim);
  const std::vector<int64_t>& order = layout.minor_to_major;
  if (dim == order[0]) return RoundUp(size, layout.tile_lanes);
  if (order.size() > 1 && dim == order[1]) {
    return RoundUp(size, layout.tile_sublanes);
  }
  return size;
}

Bytes PaddedBytes(const Shape& shape, const Layout& layout, const Chip& chip) {
  if (shape.rank() == 0) {
    return {CeilDiv(layout.tile_lanes * StoredBits(shape.dtype, chip), int64_t{8})};
  }
  // The dims outside of the tile have their own sizes.
  const std::vector<int64_t>& order = layout.minor_to_major;
  int64_t elements = PaddedSize(shape, layout, order[0]);
  if (order.size() > 1) elements *= PaddedSize(shape, layout, order[1]);
  for (size_t i = 2; i < order.size(); ++i) elements *= shape.size(order[i]);
  return {CeilDiv(elements * StoredBits(shape.dtype, chip), int64_t{8})};
}

Bytes TileBytes(const Shape& shape, const Layout& layout, const Chip& chip) {
  const int64_t rows = shape.rank() < 2 ? 1 : layout.tile_sublanes;
  return {CeilDiv(rows * layout.tile_lanes * StoredBits(shape.dtype, chip), int64_t{8})};
}

double VectorRegisters(const Shape& shape, const Layout& layout, const Chip& chip) {
  double elements = 1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    elements *= static_cast<double>(PaddedSize(shape, layout, dim));
  }
  double words_per_element = 1;
  const int64_t bits = BitWidth(shape.dtype);
  if (bits > 32) words_per_element = static_cast<double>(bits) / 32;
  if (shape.dtype == DType::kBF16 && chip.bf16_vector_alu) {
    words_per_element = 0.5;
  }
  // A vector is worked on by whole registers of what is packed into one.
  if (shape.rank() == 1) {
    elements = RoundUp(static_cast<int64_t>(elements),
                       chip.sublanes * chip.lanes * Packing(shape.dtype, chip));
  }
  const double registers =
      elements * words_per_element / static_cast<double>(chip.sublanes * chip.lanes);
  return elements == 0 ? 0 : std::max(1.0, registers);
}

std::string FormatLayout(const Layout& layout) {
  const std::string order = fmt::format("{}", fmt::join(layout.minor_to_major, ","));
  const char* space = layout.on_chip ? "S(1)" : "";
  if (layout.minor_to_major.size() < 2) {
    return fmt::format("{{{}:T({}){}}}", order, layout.tile_lanes, space);
  }
  return fmt::format("{{{}:T({},{}){}}}", order, layout.tile_sublanes, layout.tile_lanes, space);
}

}  // namespace tilewise
