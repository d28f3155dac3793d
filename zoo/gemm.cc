// One matrix product [m,k] x [k,n], or a batch of them.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kGemmParameters[] = {
    {"m", "1024", "rows of the result"},
    {"n", "1024", "columns of the result"},
    {"k", "1024", "contracted size"},
    {"batch", "1", "products side by side"},
    kOperandType,
    kPrecision,
};

absl::StatusOr<Graph> BuildGemm(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("gemm");
  const int64_t batch = spec.Integer("batch");
  std::vector<int64_t> x = {spec.Integer("m"), spec.Integer("k")};
  std::vector<int64_t> y = {spec.Integer("k"), spec.Integer("n")};
  DotDims dims = {{}, {}, {1}, {0}};
  if (batch > 1) {
    x.insert(x.begin(), batch);
    y.insert(y.begin(), batch);
    dims = {{0}, {0}, {2}, {1}};
  }
  const OpId lhs = net.Operand("x", x);
  const OpId rhs = net.Operand("y", y);
  return net.Finish({net.builder.Dot(lhs, rhs, dims, PrecisionPasses(spec))});
}

}  // namespace

ZooModel GemmModel() { return {"gemm", "one matrix product", kGemmParameters, BuildGemm}; }

}  // namespace tilewise
