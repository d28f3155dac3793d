// Matmuls and convolutions.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {
namespace {

using hlo::HloWindowDim;
using hlo::Instruction;
using hlo::InstructionExtras;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// "[0] x [1]": lists of the left and the right operand.
void ReadPair(const Body& body, const Operation& op, std::string_view name, Dims& lhs, Dims& rhs) {
  const Attribute* pair = op.Find(name);
  if (pair == nullptr || pair->items.size() != 2) return;
  const TypeTable& types = body.file().types;
  lhs = Integers(pair->items[0], types).value_or(Dims());
  rhs = Integers(pair->items[1], types).value_or(Dims());
}

DotDims ReadDotDims(const Body& body, const Operation& op) {
  DotDims dot;
  if (const Attribute* numbers =
          op.FindAny({"dot_dimension_numbers", "ragged_dot_dimension_numbers"})) {
    const std::string_view text = numbers->text;
    dot.lhs_batch = FieldIntegers(text, "lhs_batching_dimensions");
    dot.rhs_batch = FieldIntegers(text, "rhs_batching_dimensions");
    dot.lhs_contract = FieldIntegers(text, "lhs_contracting_dimensions");
    dot.rhs_contract = FieldIntegers(text, "rhs_contracting_dimensions");
    return dot;
  }
  ReadPair(body, op, "batching_dims", dot.lhs_batch, dot.rhs_batch);
  ReadPair(body, op, "contracting_dims", dot.lhs_contract, dot.rhs_contract);
  return dot;
}

// algorithm = <lhs_precision_type = bf16, ..., num_primitive_operations = 3>:
// XLA's name for it.
std::string AlgorithmName(std::string_view text) {
  const std::string_view lhs = FieldWord(text, "lhs_precision_type");
  const std::string_view sum = FieldWord(text, "accumulation_type");
  if (lhs.empty() || sum.empty()) return {};
  const Dims passes = FieldIntegers(text, "num_primitive_operations");
  std::string name = fmt::format("dot_{0}_{0}_{1}", lhs, sum);
  if (!passes.empty() && passes[0] > 1) name += fmt::format("_x{}", passes[0]);
  return name;
}

absl::Status CheckDot(Body& body, const Operation& op, const DotDims& dot, const Dims& lhs,
                      const Dims& rhs) {
  TW_RETURN_IF_ERROR(CheckDims(body, op, dot.lhs_batch, lhs.size()));
  TW_RETURN_IF_ERROR(CheckDims(body, op, dot.lhs_contract, lhs.size()));
  TW_RETURN_IF_ERROR(CheckDims(body, op, dot.rhs_batch, rhs.size()));
  TW_RETURN_IF_ERROR(CheckDims(body, op, dot.rhs_contract, rhs.size()));
  if (dot.lhs_batch.size() != dot.rhs_batch.size() ||
      dot.lhs_contract.size() != dot.rhs_contract.size()) {
    return body.lowering().Error(op, "expected as many dims of both operands");
  }
  return absl::OkStatus();
}

absl::Status FinishDot(Body& body, const Operation& op, Index lhs, Index rhs, DotDims dims) {
  TW_RETURN_IF_ERROR(CheckDot(body, op, dims, body.shape(lhs).dims, body.shape(rhs).dims));
  Instruction dot;
  dot.opcode = Opcode::kDot;
  dot.operands = {lhs, rhs};
  dot.dot = std::move(dims);
  InstructionExtras& extras = dot.Extras();
  ReadPrecision(op, extras);
  if (const Attribute* algorithm = op.Find("algorithm")) {
    std::string name = AlgorithmName(algorithm->text);
    if (!name.empty()) extras.algorithm = body.lowering().Keep(std::move(name));
  }
  return body.Finish(op, std::move(dot));
}

// One list of a convolution's dims, "b, 0, 1, f": where each letter is, and
// where each spatial dim.
struct Labels {
  int64_t first = -1;   // b or i
  int64_t second = -1;  // f or o
  Dims spatial;
  size_t rank = 0;
};

Labels ReadLabels(std::string_view text, char first, char second) {
  Labels labels;
  int64_t at = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == first) labels.first = at++;
    if (c == second) labels.second = at++;
    if (c == '?') ++at;
    if (c >= '0' && c <= '9') {
      const size_t dim = c - '0';
      if (labels.spatial.size() <= dim) labels.spatial.resize(dim + 1, -1);
      labels.spatial[dim] = at++;
    }
  }
  labels.rank = static_cast<size_t>(at);
  return labels;
}

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
bool ReadConvDims(std::string_view text, hlo::ConvDims& conv, size_t& rank) {
  const size_t kernel = text.find('x');
  const size_t output = text.find("->");
  if (kernel == std::string_view::npos || output == std::string_view::npos || kernel > output) {
    return false;
  }
  // The dims are behind the name of the attribute: #stablehlo.conv<[b...
  const size_t begin = text.rfind('[', kernel);
  if (begin == std::string_view::npos) return false;
  const Labels x = ReadLabels(text.substr(begin, kernel - begin), 'b', 'f');
  const Labels k = ReadLabels(text.substr(kernel, output - kernel), 'i', 'o');
  const Labels y = ReadLabels(text.substr(output), 'b', 'f');
  conv.input_batch = x.first;
  conv.input_feature = x.second;
  conv.input_spatial = x.spatial;
  conv.kernel_in = k.first;
  conv.kernel_out = k.second;
  conv.kernel_spatial = k.spatial;
  conv.output_batch = y.first;
  conv.output_feature = y.second;
  conv.output_spatial = y.spatial;
  rank = x.rank;
  return x.rank == k.rank && x.rank == y.rank && x.spatial.size() + 2 == x.rank &&
         k.spatial.size() + 2 == k.rank && y.spatial.size() + 2 == y.rank;
}

// #mhlo.conv<raw input_batch_dimension = 0, ...>
bool ReadRawConvDims(std::string_view text, hlo::ConvDims& conv, size_t& rank) {
  const auto one = [&](std::string_view name) {
    const Dims values = FieldIntegers(text, name);
    return values.empty() ? 0 : values[0];
  };
  conv.input_batch = one("input_batch_dimension");
  conv.input_feature = one("input_feature_dimension");
  conv.input_spatial = FieldIntegers(text, "input_spatial_dimensions");
  conv.kernel_in = one("kernel_input_feature_dimension");
  conv.kernel_out = one("kernel_output_feature_dimension");
  conv.kernel_spatial = FieldIntegers(text, "kernel_spatial_dimensions");
  conv.output_batch = one("output_batch_dimension");
  conv.output_feature = one("output_feature_dimension");
  conv.output_spatial = FieldIntegers(text, "output_spatial_dimensions");
  rank = conv.input_spatial.size() + 2;
  return conv.kernel_spatial.size() + 2 == rank && conv.output_spatial.size() + 2 == rank;
}

absl::Status CheckConvDims(Body& body, const Operation& op, const hlo::ConvDims& conv,
                           size_t rank) {
  for (const Dims* spatial : {&conv.input_spatial, &conv.kernel_spatial, &conv.output_spatial}) {
    TW_RETURN_IF_ERROR(CheckDims(body, op, *spatial, rank));
  }
  return CheckDims(body, op,
                   {conv.input_batch, conv.input_feature, conv.kernel_in, conv.kernel_out,
                    conv.output_batch, conv.output_feature},
                   rank);
}

// A list of the window, by its name in window = {..} or in the generic form.
absl::StatusOr<Dims> WindowList(Body& body, const Operation& op, std::string_view pretty,
                                std::string_view generic, size_t count, int64_t fallback) {
  const Attribute* window = op.Find("window");
  const Attribute* list = window != nullptr ? window->Find(pretty) : op.Find(generic);
  if (list == nullptr) return Dims(count, fallback);
  const auto values = Integers(*list, body.file().types);
  if (!values || values->size() != count) {
    return body.lowering().Error(
        op, fmt::format("found another number of integers in {}, expected {}", pretty, count));
  }
  return *values;
}

absl::Status ReadWindow(Body& body, const Operation& op, const Dims& kernel,
                        InstructionExtras& extras) {
  const Dims& spatial = extras.conv->kernel_spatial;
  const size_t count = spatial.size();
  TW_ASSIGN_OR_RETURN(const Dims stride,
                      WindowList(body, op, "stride", "window_strides", count, 1));
  TW_ASSIGN_OR_RETURN(const Dims pad, WindowList(body, op, "pad", "padding", 2 * count, 0));
  TW_ASSIGN_OR_RETURN(const Dims base,
                      WindowList(body, op, "lhs_dilate", "lhs_dilation", count, 1));
  TW_ASSIGN_OR_RETURN(const Dims dilation,
                      WindowList(body, op, "rhs_dilate", "rhs_dilation", count, 1));
  TW_ASSIGN_OR_RETURN(const Dims reverse,
                      WindowList(body, op, "reverse", "window_reversal", count, 0));
  for (size_t i = 0; i < count; ++i) {
    HloWindowDim dim;
    dim.size = kernel[spatial[i]];
    dim.stride = stride[i];
    dim.pad_low = pad[2 * i];
    dim.pad_high = pad[2 * i + 1];
    dim.base_dilation = base[i];
    dim.window_dilation = dilation[i];
    dim.reversal = reverse[i] != 0;
    constexpr int64_t kMost = int64_t{1} << 30;
    if (dim.stride < 1 || dim.base_dilation < 1 || dim.window_dilation < 1 || dim.size < 0 ||
        std::max({dim.stride, dim.base_dilation, dim.window_dilation, dim.size}) > kMost ||
        std::max(std::abs(dim.pad_low), std::abs(dim.pad_high)) > kMost) {
      return body.lowering().Error(op, "found a window that cannot be");
    }
    extras.window.push_back(dim);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LowerDotGeneral(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index lhs, body.Operand(op, 0));
  TW_ASSIGN_OR_RETURN(const Index rhs, body.Operand(op, 1));
  return FinishDot(body, op, lhs, rhs, ReadDotDims(body, op));
}

// Lowers a dot of vectors and matrices: it sums over the last dim of one and
// the first of the other.
absl::Status LowerDot(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index lhs, body.Operand(op, 0));
  TW_ASSIGN_OR_RETURN(const Index rhs, body.Operand(op, 1));
  DotDims dims;
  dims.lhs_contract = {static_cast<int64_t>(body.shape(lhs).dims.size()) - 1};
  dims.rhs_contract = {0};
  return FinishDot(body, op, lhs, rhs, std::move(dims));
}

// Rows of the left operand in groups, each with a matrix of its own.
absl::Status LowerRaggedDot(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction dot, body.OnOperands(op, Opcode::kRaggedDot));
  if (dot.operands.size() != 3) {
    return body.lowering().Error(op, "expected 3 operands");
  }
  dot.dot = ReadDotDims(body, op);
  TW_RETURN_IF_ERROR(CheckDot(body, op, dot.dot, body.shape(dot.operands[0]).dims,
                              body.shape(dot.operands[1]).dims));
  ReadPrecision(op, dot.Extras());
  return body.Finish(op, std::move(dot));
}

absl::Status LowerConvolution(Body& body, const Operation& op) {
  Instruction convolution;
  convolution.opcode = Opcode::kConvolution;
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  TW_ASSIGN_OR_RETURN(const Index kernel, body.Operand(op, 1));
  InstructionExtras& extras = convolution.Extras();
  const Attribute* numbers = op.FindAny({"dim_numbers", "dimension_numbers"});
  size_t rank = 0;
  const bool read = numbers != nullptr && (numbers->text.find("<raw") != std::string_view::npos
                                               ? ReadRawConvDims(numbers->text, *extras.conv, rank)
                                               : ReadConvDims(numbers->text, *extras.conv, rank));
  if (!read || body.shape(x).dims.size() != rank || body.shape(kernel).dims.size() != rank ||
      body.ResultShape(op).dims.size() != rank) {
    return body.lowering().Error(op,
                                 "expected dim_numbers as [b, 0, f]x[0, i, o]->[b, 0, f], of the "
                                 "rank of the operands");
  }
  TW_RETURN_IF_ERROR(CheckConvDims(body, op, *extras.conv, rank));
  TW_RETURN_IF_ERROR(ReadWindow(body, op, body.shape(kernel).dims, extras));
  if (op.operands.size() > 2) {  // dynamic_conv: the padding is an operand
    TW_ASSIGN_OR_RETURN(const Index padding, body.Operand(op, 2));
    const auto pads = ConstantsOf(body, padding, 2 * extras.window.size());
    if (!pads) return LowerUnknown(body, op);
    for (size_t i = 0; i < extras.window.size(); ++i) {
      extras.window[i].pad_low = (*pads)[2 * i];
      extras.window[i].pad_high = (*pads)[2 * i + 1];
    }
  }
  extras.feature_groups = IntegerOr(op, {"feature_group_count"}, 1);
  extras.batch_groups = IntegerOr(op, {"batch_group_count"}, 1);
  ReadPrecision(op, extras);
  convolution.operands = {x, kernel};
  return body.Finish(op, std::move(convolution));
}

}  // namespace tilewise::mlir
