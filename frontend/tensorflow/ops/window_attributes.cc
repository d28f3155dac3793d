// Attributes to windows with explicit padding.

#include "frontend/tensorflow/ops/window_attributes.h"

#include <fmt/format.h>

#include "library/windows.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostPadding = int64_t{1} << 31;

absl::Status SetPadding(const OpContext& ctx, const Shape& x, Windows& windows) {
  const std::string_view padding = ctx.Text("padding", "VALID");
  const size_t first = FirstSpatialDim(windows.channels_first);
  if (padding == "VALID") return absl::OkStatus();
  if (padding == "SAME") {
    for (size_t i = 0; i < windows.dims.size(); ++i) {
      PadSame(windows.dims[i], x.dims[first + i].factor);
    }
    return absl::OkStatus();
  }
  const std::vector<int64_t> amounts = ctx.Ints("explicit_paddings");
  if (padding != "EXPLICIT" || amounts.size() != 2 * x.dims.size()) {
    return InvalidInput(
        fmt::format("found padding {} with {} amounts, expected SAME, VALID, or EXPLICIT "
                    "with two for each dim",
                    padding, amounts.size()));
  }
  for (size_t i = 0; i < windows.dims.size(); ++i) {
    WindowDim& dim = windows.dims[i];
    dim.pad_low = amounts[2 * (first + i)];
    dim.pad_high = amounts[2 * (first + i) + 1];
    if (std::abs(dim.pad_low) > kMostPadding || std::abs(dim.pad_high) > kMostPadding) {
      return InvalidInput(fmt::format("found padding {} and {}", dim.pad_low, dim.pad_high));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> ChannelsFirst(const OpContext& ctx) {
  const std::string_view format = ctx.Text("data_format", "NHWC");
  for (const std::string_view last : {"NHWC", "NDHWC", "NWC"}) {
    if (format == last) return false;
  }
  for (const std::string_view first : {"NCHW", "NCDHW", "NCW"}) {
    if (format == first) return true;
  }
  return InvalidInput(fmt::format("found data_format {}, expected NHWC or NCHW", format));
}

absl::StatusOr<int64_t> FeatureDim(const OpContext& ctx, const Shape& x) {
  if (x.rank() < 2) {
    return InvalidInput(fmt::format("found {}, expected rank 2 or more", FormatShape(x)));
  }
  TW_ASSIGN_OR_RETURN(const bool channels_first, ChannelsFirst(ctx));
  return FeatureDimOf(channels_first, x.rank());
}

absl::StatusOr<std::vector<int64_t>> SpatialNumbers(const std::vector<int64_t>& numbers,
                                                    int64_t rank, bool channels_first) {
  if (rank < 3) return InvalidInput("windows need a rank of 3 or more");
  const size_t spatial = rank - 2;
  if (numbers.empty()) return std::vector<int64_t>(spatial, 1);
  if (numbers.size() == spatial) return numbers;
  const size_t feature = channels_first ? 1 : numbers.size() - 1;
  if (numbers.size() != spatial + 2 || numbers[0] != 1 || numbers[feature] != 1) {
    return InvalidInput(
        fmt::format("found windows {}, expected one number for each of {} dims, 1 for "
                    "batch and features",
                    fmt::join(numbers, ","), rank));
  }
  const auto begin = numbers.begin() + (channels_first ? 2 : 1);
  return std::vector<int64_t>(begin, begin + static_cast<int64_t>(spatial));
}

absl::StatusOr<Windows> MakeWindows(const OpContext& ctx, const Shape& x,
                                    const std::vector<int64_t>& sizes,
                                    const std::vector<int64_t>& strides,
                                    const std::vector<int64_t>& dilations) {
  Windows windows;
  TW_ASSIGN_OR_RETURN(windows.channels_first, ChannelsFirst(ctx));
  const auto rank = static_cast<int64_t>(sizes.size()) + 2;
  if (x.rank() != rank || strides.size() != sizes.size() || dilations.size() != sizes.size()) {
    return InvalidInput(
        fmt::format("found {} for windows of {} dims", FormatShape(x), sizes.size()));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    WindowDim dim;
    dim.size = sizes[i];
    dim.stride = strides[i];
    dim.dilation = dilations[i];
    for (const int64_t number : {dim.size, dim.stride, dim.dilation}) {
      if (number < 1 || number >= kMostPadding) {
        return InvalidInput(fmt::format("found {} as a size of a window", number));
      }
    }
    windows.dims.push_back(dim);
  }
  TW_RETURN_IF_ERROR(SetPadding(ctx, x, windows));
  return windows;
}

absl::StatusOr<Windows> ConvolutionWindows(const OpContext& ctx, const Shape& x,
                                           const std::vector<int64_t>& sizes) {
  TW_ASSIGN_OR_RETURN(const bool channels_first, ChannelsFirst(ctx));
  const auto rank = static_cast<int64_t>(sizes.size()) + 2;
  TW_ASSIGN_OR_RETURN(const auto strides,
                      SpatialNumbers(ctx.Ints("strides"), rank, channels_first));
  TW_ASSIGN_OR_RETURN(const auto dilations,
                      SpatialNumbers(ctx.Ints("dilations"), rank, channels_first));
  return MakeWindows(ctx, x, sizes, strides, dilations);
}

}  // namespace tilewise::tf
