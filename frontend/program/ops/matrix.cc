// Matmuls and convolutions.

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

// The gradient of a convolution for its input of spatial `sizes`, which is what
// frameworks call a transposed convolution: y, and the kernel of the forward
// convolution, [spatial.., features of the result, features of y].
void ConvInputGradCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  ConvAttrs forward;
  forward.channels_first = call.Bool("channels_first", false);
  const std::vector<int64_t> sizes = ListOf(call, "sizes").value_or(std::vector<int64_t>());
  const OpId y = call.Input(0);
  OpId kernel = call.Input(1);
  if (!call.ok()) return;
  Shape result = b.shape(y);
  const auto spatial = static_cast<size_t>(result.rank() - 2);
  if (spatial < 1 || sizes.size() != spatial ||
      b.shape(kernel).rank() != static_cast<int64_t>(result.rank())) {
    return call.Fail("found sizes that do not fit the operands of a transposed convolution");
  }
  kernel = b.Convert(kernel, result.dtype);
  const Shape& kernel_shape = b.shape(kernel);
  std::vector<int64_t> windows;
  for (size_t i = 0; i < spatial; ++i) windows.push_back(kernel_shape.dims[i].factor);
  forward.window = WindowDimsOf(call, windows, sizes);
  const size_t first = forward.channels_first ? 2 : 1;
  for (size_t i = 0; i < spatial; ++i) result.dims[first + i].factor = sizes[i];
  result.dims[forward.channels_first ? 1 : spatial + 1].factor = kernel_shape.dims[spatial].factor;
  if (!call.ok()) return;
  call.Set(0, b.ConvInputGrad(y, kernel, result, forward));
}

constexpr OpEntry kMatrixOps[] = {
    {"dot_general", DotGeneralCall}, {"matmul", MatMulCall}, {"einsum", EinsumCall},
    {"tensordot", TensorDotCall},    {"conv", ConvCall},     {"conv_input_grad", ConvInputGradCall},
};

}  // namespace

std::span<const OpEntry> MatrixOps() { return kMatrixOps; }

}  // namespace tilewise::program
