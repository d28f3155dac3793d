// How many positions a window has.

#include "graph/ops/window.h"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/math.h"

namespace tilewise {
namespace {

// Keeps (size - 1) * dilation + 1 and the padded size within int64_t.
constexpr int64_t kMaxWindow = int64_t{1} << 31;

absl::Status CheckWindowDim(const WindowDim& dim) {
  for (const int64_t value : {dim.size, dim.stride, dim.dilation, dim.base_dilation}) {
    if (value < 1 || value > kMaxWindow) {
      return InvalidInput(
          fmt::format("found window size {}, stride {}, dilation {}, base dilation {}, "
                      "expected each 1 or more and below 2^31",
                      dim.size, dim.stride, dim.dilation, dim.base_dilation));
    }
  }
  for (const int64_t value : {dim.pad_low, dim.pad_high}) {
    if (value < -kMaxWindow || value > kMaxWindow) {
      return InvalidInput(fmt::format("found padding {}, expected -2^31 to 2^31", value));
    }
  }
  return absl::OkStatus();
}

// The spatial sizes as "3x3", for messages.
std::string Spatial(const WindowedAttrs& attrs, const Shape& x, bool of_window) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < attrs.window.size(); ++i) {
    sizes.push_back(of_window ? (attrs.window[i].size - 1) * attrs.window[i].dilation + 1
                              : x.dims[FirstSpatialDim(attrs) + i].factor);
  }
  return fmt::format("{}", fmt::join(sizes, "x"));
}

}  // namespace

ShapeOr WindowedShape(const WindowedAttrs& attrs, const Shape& x) {
  const size_t spatial = attrs.window.size();
  if (spatial == 0 || x.dims.size() != spatial + 2) {
    return WrongOperand(0, x, fmt::format("rank {} for a window of {} dims", spatial + 2, spatial));
  }
  Shape shape = x;
  for (size_t i = 0; i < spatial; ++i) {
    const WindowDim& window = attrs.window[i];
    TW_RETURN_IF_ERROR(CheckWindowDim(window));
    Dim& dim = shape.dims[FirstSpatialDim(attrs) + i];
    if (dim.per_batch) {
      return WrongOperand(0, x, "spatial dims that do not depend on the batch");
    }
    const std::optional<int64_t> apart = CheckedMul(dim.factor - 1, window.base_dilation);
    if (!apart || *apart > kMaxElements) {
      return InvalidInput(
          fmt::format("found base dilation {} of size {}, expected at most {} elements",
                      window.base_dilation, dim.factor, kMaxElements));
    }
    const int64_t room =
        *apart + 1 + window.pad_low + window.pad_high - ((window.size - 1) * window.dilation + 1);
    if (room < 0) {
      return InvalidInput(fmt::format("window {} does not fit input {}", Spatial(attrs, x, true),
                                      Spatial(attrs, x, false)));
    }
    dim.factor = room / window.stride + 1;
  }
  return shape;
}

}  // namespace tilewise
