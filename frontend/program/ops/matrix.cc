// Products and convolutions.

#include "frontend/onnx/ops/convolution.h"
#include "frontend/program/ops/made.h"
#include "frontend/program/ops/window.h"
#include "library/einsum.h"
#include "library/matmul.h"
#include "library/windows.h"

namespace tilewise::program {
namespace {

// Whether sums are to stay in a wider type than the operands have.
bool IsWide(DType operands, DType result) {
  return BitWidth(result) > BitWidth(operands) && BitWidth(operands) <= 16;
}

void DotGeneralCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  OpId lhs = call.Input(0), rhs = call.Input(1);
  if (!call.ok()) return;
  const DType type = CommonType(b.shape(lhs).dtype, b.shape(rhs).dtype);
  lhs = b.Convert(lhs, type);
  rhs = b.Convert(rhs, type);
  DotAttrs attrs;
  attrs.lhs_contract = DimList(call, "lhs_contract", b.shape(lhs).rank());
  attrs.rhs_contract = DimList(call, "rhs_contract", b.shape(rhs).rank());
  attrs.lhs_batch = DimList(call, "lhs_batch", b.shape(lhs).rank());
  attrs.rhs_batch = DimList(call, "rhs_batch", b.shape(rhs).rank());
  attrs.precision_passes = call.Int("precision_passes", 1);
  const DType result = TypeOf(call, type);
  attrs.wide = IsWide(type, result);
  if (!call.ok()) return;
  call.Set(0, b.Convert(b.DotAs(lhs, rhs, std::move(attrs)), result));
}

void MatMulCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  const OpId x = call.Input(0), y = call.Input(1);
  if (!call.ok()) return;
  const DType type = CommonType(b.shape(x).dtype, b.shape(y).dtype);
  const DType result = TypeOf(call, type);
  MatMulOptions options;
  options.transpose_x = call.Bool("transpose_x", false);
  options.transpose_y = call.Bool("transpose_y", false);
  options.wide = IsWide(type, result);
  options.precision_passes = call.Int("precision_passes", 1);
  call.Set(0, b.Convert(NumpyMatMul(b, x, y, options), result));
}

void EinsumCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  std::vector<OpId> operands = call.Inputs(0, call.num_inputs());
  if (!call.ok() || operands.empty()) return call.Fail("found no operands");
  DType type = b.shape(operands[0]).dtype;
  for (const OpId operand : operands) type = CommonType(type, b.shape(operand).dtype);
  for (OpId& operand : operands) operand = b.Convert(operand, type);
  const OpId y = Einsum(b, call.Text("equation", ""), operands, call.Int("precision_passes", 1));
  call.Set(0, b.Convert(y, TypeOf(call, type)));
}

void TensorDotCall(OpCall& call) {
  const OpId x = call.Input(0), y = call.Input(1);
  if (!call.ok()) return;
  call.Set(0,
           TensorDot(call.builder(), x, y, ListOf(call, "x_dims").value_or(std::vector<int64_t>()),
                     ListOf(call, "y_dims").value_or(std::vector<int64_t>())));
}

// [batch, spatial.., in] and a kernel [spatial.., in / groups, out]; or, with
// channels first, [batch, in, spatial..] and [out, in / groups, spatial..].
void ConvCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  const bool channels_first = call.Bool("channels_first", false);
  const int64_t rank = call.ShapeOf(1).rank();
  OpId x = call.Input(0);
  OpId kernel = channels_first ? call.WeightInput(1, {-1, onnx::KernelOrder(rank)}) : call.Input(1);
  if (!call.ok()) return;
  if (rank < 3 || b.shape(x).rank() != rank) {
    return call.Fail(fmt::format("found {} and kernel {}, expected the same rank, 3 or more",
                                 FormatShape(b.shape(x)), FormatShape(b.shape(kernel))));
  }
  const DType type = CommonType(b.shape(x).dtype, b.shape(kernel).dtype);
  x = b.Convert(x, type);
  kernel = b.Convert(kernel, type);
  std::vector<int64_t> sizes;
  for (int64_t dim = 0; dim < rank - 2; ++dim) sizes.push_back(b.shape(kernel).dims[dim].factor);
  const std::vector<WindowDim> window =
      WindowDimsOf(call, sizes, SpatialSizes(b, x, channels_first));
  if (!call.ok()) return;
  call.Set(0, b.Convolution(x, kernel, window, call.Int("groups", 1), channels_first,
                            call.Int("precision_passes", 1)));
}

constexpr OpEntry kMatrixOps[] = {
    {"dot_general", DotGeneralCall}, {"matmul", MatMulCall}, {"einsum", EinsumCall},
    {"tensordot", TensorDotCall},    {"conv", ConvCall},
};

}  // namespace

std::span<const OpEntry> MatrixOps() { return kMatrixOps; }

}  // namespace tilewise::program
