// Keras padding words as explicit padding.

#include "frontend/keras/layers/windows.h"

#include <string>

#include <fmt/format.h>

#include "library/windows.h"

namespace tilewise {

std::vector<WindowDim> MakeWindow(LayerContext& ctx, OpId x, const WindowArguments& arguments,
                                  bool channels_first) {
  const bool same = arguments.padding == "same";
  const bool causal = arguments.padding == "causal";
  if (!same && !causal && arguments.padding != "valid") {
    ctx.builder.Fail(fmt::format("padding is \"{}\", expected valid, same or causal",
                                 std::string(arguments.padding.substr(0, 40))));
  }
  const Shape shape = ctx.shape(x);
  std::vector<WindowDim> window(arguments.sizes.size());
  for (size_t i = 0; i < window.size(); ++i) {
    const size_t dim = static_cast<size_t>(FirstSpatialDim(channels_first)) + i;
    const int64_t size = dim < shape.dims.size() ? shape.dims[dim].factor : 1;
    WindowDim& w = window[i];
    w.size = arguments.sizes[i];
    w.stride = arguments.strides[i];
    w.dilation = arguments.dilations[i];
    const int64_t extent = (w.size - 1) * w.dilation + 1;
    if (causal) w.pad_low = extent - 1;
    if (same) PadSame(w, size);
  }
  return window;
}

}  // namespace tilewise
