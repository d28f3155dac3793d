// Dense layers (matmuls on the last dim), embeddings, and EinsumDense: a matmul
// with a kernel along the letters of an equation such as "abc,cd->abd". The
// sizes of a kernel are not known where an ellipsis stands for dims.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/einsum.h"

namespace tilewise {
namespace {

OpId BuildDense(LayerContext& ctx) {
  const int64_t rank = ctx.rank(ctx.input());
  if (rank < 2) {
    ctx.ExpectRank(ctx.input(), 2);
    return kNoOp;
  }
  const int64_t units = ctx.config.Positive("units");
  const int64_t features = ctx.shape(ctx.input()).dims.back().factor;
  const OpId kernel = ctx.Variable("kernel", {features, units});
  const OpId y = ctx.builder.MatMul(ctx.input(), kernel);
  return ctx.Activate(ctx.AddOwnBias(y, "bias", rank - 1));
}

OpId BuildEmbedding(LayerContext& ctx) {
  const int64_t rows = ctx.config.Positive("input_dim");
  const int64_t width = ctx.config.Positive("output_dim");
  const OpId ids = ctx.builder.Convert(ctx.input(), DType::kS32);
  const OpId table = ctx.RawVariable("embeddings", {rows, width});
  return ctx.builder.Convert(ctx.builder.Gather(table, ids), ctx.compute_type);
}

struct Equation {
  std::string input, kernel, output;  // one letter a dim
};

Equation ReadEquation(const std::string& text) {
  const size_t comma = text.find(',');
  const size_t arrow = text.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || arrow < comma) {
    return {};
  }
  return {text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1), text.substr(arrow + 2)};
}

bool Holds(const std::string& letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

// output_shape holds the result's sizes without the batch; sizes that are the
// input's may be left null.
int64_t SizeOf(LayerContext& ctx, const Equation& e, char letter, const Shape& x) {
  const size_t in_input = e.input.find(letter);
  if (in_input != std::string::npos) return x.dims[in_input].factor;
  const nlohmann::json* sizes = ctx.config.Find("output_shape");
  const size_t at = e.output.find(letter);
  const size_t listed = sizes == nullptr ? 0 : (sizes->is_array() ? sizes->size() : 1);
  const size_t lead = e.output.size() - std::min(listed, e.output.size());
  if (at != std::string::npos && at >= lead && at - lead < listed) {
    const auto size = AsInteger(sizes->is_array() ? (*sizes)[at - lead] : *sizes);
    if (size && *size >= 1) return *size;
  }
  ctx.builder.Fail(fmt::format("output_shape gives no size for \"{}\" of the equation", letter));
  return 1;
}

// One weight for each index of the bias_axes of the result.
OpId AddEinsumBias(LayerContext& ctx, const Equation& e, const Shape& x, OpId y) {
  const std::string axes = ctx.config.Text("bias_axes", "");
  if (axes.empty()) return y;
  std::vector<int64_t> sizes;
  std::vector<int64_t> dims;
  for (const char c : axes) {
    if (!Holds(e.output, c)) ctx.builder.Fail("bias_axes is not of the result");
    sizes.push_back(SizeOf(ctx, e, c, x));
    dims.push_back(static_cast<int64_t>(e.output.find(c)));
  }
  const OpId bias = ctx.builder.Broadcast(ctx.Variable("bias", sizes), ctx.shape(y).dims, dims);
  return ctx.builder.Binary(OpKind::kAdd, y, bias);
}

OpId BuildEinsumDense(LayerContext& ctx) {
  const std::string equation = ctx.config.Text("equation", "");
  const Equation e = ReadEquation(equation);
  const Shape x = ctx.shape(ctx.input());
  if (e.output.empty() || Holds(equation, '.')) {
    return ctx.Opaque(x, "has an equation whose sizes it does not give");
  }
  if (!ctx.ExpectRank(ctx.input(), static_cast<int64_t>(e.input.size()))) {
    return kNoOp;
  }
  std::vector<int64_t> kernel;
  for (const char c : e.kernel) kernel.push_back(SizeOf(ctx, e, c, x));
  const OpId operands[] = {ctx.input(), ctx.Variable("kernel", kernel)};
  const OpId y = Einsum(ctx.builder, equation, operands);
  return ctx.Activate(AddEinsumBias(ctx, e, x, y));
}

constexpr LayerEntry kDenseLayers[] = {
    {"Dense", BuildDense},
    {"Embedding", BuildEmbedding, true},
    {"EinsumDense", BuildEinsumDense},
};

}  // namespace

std::span<const LayerEntry> DenseLayers() { return kDenseLayers; }

}  // namespace tilewise
