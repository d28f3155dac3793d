// One convolution without bias.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kConvParameters[] = {
    {"batch", "128", "images"},
    {"height", "56", "of the input in pixels"},
    {"width", "56", "of the input in pixels"},
    {"channels", "64", "features of the input"},
    {"filters", "64", "features of the result"},
    {"kernel", "3", "height and width of the kernel", {}, 1, 1 << 12},
    {"stride", "1", "of both dims", {}, 1, 1 << 12},
    {"padding", "same", "same: kernel / 2 on each side; valid: none", "same|valid"},
    {"groups", "1", "groups of features that are convolved apart"},
    kOperandType,
    kPrecision,
};

absl::StatusOr<Graph> BuildConv(const ZooSpec& spec) {
  const int64_t channels = spec.Integer("channels");
  const int64_t groups = spec.Integer("groups");
  TW_RETURN_IF_ERROR(CheckDivides("groups", groups, channels));
  Net net(spec);
  net.Layer("conv");
  const int64_t size = spec.Integer("kernel");
  const int64_t pad = spec.Word("padding") == "same" ? size / 2 : 0;
  const WindowDim dim = {size, spec.Integer("stride"), pad, pad, 1};
  const OpId x = net.Operand(
      "x", {spec.Integer("batch"), spec.Integer("height"), spec.Integer("width"), channels});
  const OpId kernel =
      net.Operand("kernel", {size, size, channels / groups, spec.Integer("filters")});
  return net.Finish(
      {net.builder.Convolution(x, kernel, {dim, dim}, groups, false, PrecisionPasses(spec))});
}

}  // namespace

ZooModel ConvModel() { return {"conv", "one convolution", kConvParameters, BuildConv}; }

}  // namespace tilewise
