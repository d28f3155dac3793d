// A copy of one array: every byte is read once and written once.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr int64_t kLargest = int64_t{1} << 40;

constexpr ZooParameter kCopyParameters[] = {
    {"bytes", "0", "size of a one-dimensional array; 0: dim0 x dim1", {}, 0, kLargest},
    {"dim0", "4096", "rows", {}, 1, int64_t{1} << 30},
    {"dim1", "4096", "columns", {}, 1, int64_t{1} << 30},
    kOperandType,
};

absl::StatusOr<Graph> BuildCopy(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("copy");
  std::vector<int64_t> sizes = {spec.Integer("dim0"), spec.Integer("dim1")};
  if (spec.Integer("bytes") > 0) {
    TW_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(spec));
    sizes = {elements};
  }
  const OpId x = net.Operand("x", sizes);
  return net.Finish({net.builder.Unary(OpKind::kCopy, x)});
}

}  // namespace

ZooModel CopyModel() { return {"copy", "a memory copy", kCopyParameters, BuildCopy}; }

}  // namespace tilewise
