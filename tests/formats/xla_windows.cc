// Instructions whose StableHLO is in the generic form, or has several results.

#include <fmt/format.h>

#include "tests/formats/xla_program.h"
#include "tests/formats/xla_text.h"

namespace tilewise::formats {
namespace {

// "0, 1"
std::string Counted(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", i);
  }
  return text;
}

std::string Digits(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("{}", i);
  return text;
}

// "^bb0(%a: .., %b: ..): .. return" of two scalars.
std::string Block(const std::string& op, const std::string& type) {
  const std::string scalar = MlirType({}, type);
  if (op == "LT") {
    return fmt::format(
        "({{\n    ^bb0(%a: {0}, %b: {0}):\n      %c = stablehlo.compare LT, "
        "%a, %b, {1} : ({0}, {0}) -> tensor<i1>\n      stablehlo.return %c : "
        "tensor<i1>\n    }})",
        scalar, type == "f32" ? "TOTALORDER" : "SIGNED");
  }
  return fmt::format(
      "({{\n    ^bb0(%a: {0}, %b: {0}):\n      %c = stablehlo.{1} %a, %b : "
      "{0}\n"
      "      stablehlo.return %c : {0}\n    }})",
      scalar, op);
}

}  // namespace

Value XlaProgram::ReduceWindow(const std::string& op, const Value& x, const Window& window) {
  const Value start = Scalar(Neutral(op), x.type);
  Dims dims;
  for (size_t i = 0; i < x.dims.size(); ++i) {
    dims.push_back(
        (x.dims[i] + window.low[i] + window.high[i] - window.sizes[i]) / window.strides[i] + 1);
  }
  return Add(dims, x.type,
             fmt::format("reduce-window({}, {}), {}}}, to_apply={}", x.name, start.name,
                         HloWindow(window), Joiner(op, x.type)),
             fmt::format("\"stablehlo.reduce_window\"(%{}, %{}) <{{padding = dense<{}> : "
                         "tensor<{}x2xi64>, window_dimensions = array<i64: {}>, "
                         "window_strides = array<i64: {}>}}> {} : ({}, {}) -> {}",
                         x.name, start.name, PadPairs(window.low, window.high), x.rank(),
                         Joined(window.sizes, ", "), Joined(window.strides, ", "),
                         Block(op, x.type), MlirType(x), MlirType(start), MlirType(dims, x.type)));
}

Value XlaProgram::Convolution(const Value& x, const Value& kernel, const Window& window,
                              int64_t groups, const Dims& dilated_input, bool out_before_in) {
  const size_t n = window.sizes.size();
  Dims dims = {x.dims[0]};
  for (size_t i = 0; i < n; ++i) {
    const int64_t size =
        (x.dims[i + 1] - 1) * dilated_input[i] + 1 + window.low[i] + window.high[i];
    const int64_t reach = (window.sizes[i] - 1) * window.dilations[i] + 1;
    dims.push_back((size - reach) / window.strides[i] + 1);
  }
  dims.push_back(kernel.dims[out_before_in ? n : n + 1]);
  std::string hlo_window = HloWindow(window);
  if (Elements(dilated_input) > 1) {
    hlo_window += " lhs_dilate=" + Joined(dilated_input, "x");
  }
  const char* features = out_before_in ? "oi" : "io";
  std::string hlo = fmt::format("convolution({}, {}), {}}}, dim_labels=b{}f_{}{}->b{}f", x.name,
                                kernel.name, hlo_window, Digits(n), Digits(n), features, Digits(n));
  if (groups > 1) hlo += fmt::format(", feature_group_count={}", groups);
  const std::string mlir = fmt::format(
      "stablehlo.convolution(%{}, %{}) dim_numbers = [b, {}, f]x[{}, {}]->[b, "
      "{}, f], window = {{stride = {}, pad = {}, lhs_dilate = {}, rhs_dilate = "
      "{}}} {{batch_group_count = 1 : i64, feature_group_count = {} : i64}} : "
      "({}, {}) -> {}",
      x.name, kernel.name, Counted(n), Counted(n), out_before_in ? "o, i" : "i, o", Counted(n),
      Bracketed(window.strides), PadPairs(window.low, window.high), Bracketed(dilated_input),
      Bracketed(window.dilations), groups, MlirType(x), MlirType(kernel), MlirType(dims, "f32"));
  return Add(dims, "f32", hlo, mlir);
}

Value XlaProgram::BatchNormInference(const std::vector<Value>& operands, double epsilon) {
  const Value& x = operands[0];
  return Add(
      x.dims, x.type,
      fmt::format("batch-norm-inference({}), epsilon={}, "
                  "feature_index={}",
                  HloNames(operands), epsilon, x.rank() - 1),
      fmt::format("\"stablehlo.batch_norm_inference\"({}) <{{epsilon = "
                  "{:e} : f32, feature_index = {} : i64}}> : ({}) -> {}",
                  MlirNames(operands), epsilon, x.rank() - 1, MlirTypes(operands), MlirType(x)));
}

Value XlaProgram::TakeRows(const Value& table, const Value& ids) {
  Dims dims = ids.dims;
  const int64_t width = table.dims[1];
  dims.push_back(width);
  return Add(dims, table.type,
             fmt::format("gather({}, {}), offset_dims={{{}}}, "
                         "collapsed_slice_dims={{0}}, start_index_map={{0}}, "
                         "index_vector_dim={}, slice_sizes={{1,{}}}",
                         table.name, ids.name, ids.rank(), ids.rank(), width),
             fmt::format("\"stablehlo.gather\"(%{}, %{}) <{{dimension_numbers = "
                         "#stablehlo.gather<offset_dims = [{}], collapsed_slice_dims = [0], "
                         "start_index_map = [0], index_vector_dim = {}>, indices_are_sorted "
                         "= false, slice_sizes = array<i64: 1, {}>}}> : ({}, {}) -> {}",
                         table.name, ids.name, ids.rank(), ids.rank(), width, MlirType(table),
                         MlirType(ids), MlirType(dims, table.type)));
}

Value XlaProgram::Sort(const Value& x, int64_t axis) {
  return Add(x.dims, x.type,
             fmt::format("sort({}), dimensions={{{}}}, is_stable=true, "
                         "to_apply={}",
                         x.name, axis, Joiner("LT", x.type)),
             fmt::format("\"stablehlo.sort\"(%{}) <{{dimension = {} : i64, "
                         "is_stable = true}}> {} : ({}) -> {}",
                         x.name, axis, Block("LT", x.type), MlirType(x), MlirType(x)));
}

Value XlaProgram::TopK(const Value& x, int64_t k) {
  Dims dims = x.dims;
  dims.back() = k;
  const std::string pair = fmt::format("v{}", next_++);
  hlo_ += fmt::format("  {} = ({}, {}) topk({}), k={}, largest=true\n", pair, HloType(dims, x.type),
                      HloType(dims, "s32"), x.name, k);
  mlir_ += fmt::format("    %{}:2 = chlo.top_k(%{}, k = {}) : {} -> ({}, {})\n", pair, x.name, k,
                       MlirType(x), MlirType(dims, x.type), MlirType(dims, "s32"));
  const Value result{fmt::format("v{}", next_++), dims, x.type};
  hlo_ += fmt::format("  {} = {} get-tuple-element({}), index=0\n", result.name,
                      HloType(dims, x.type), pair);
  // StableHLO names the first result itself.
  mlir_ += fmt::format("    %{} = stablehlo.reshape %{}#0 : ({}) -> {}\n", result.name, pair,
                       MlirType(result), MlirType(result));
  return result;
}

Value XlaProgram::ArgReduce(bool max, const Value& x, int64_t axis) {
  const Value places = Iota(x.dims, axis);
  const Value start = Scalar(Neutral(max ? "maximum" : "minimum"), x.type);
  const Value zero = Scalar(0, "s32");
  Dims dims = x.dims;
  dims.erase(dims.begin() + axis);
  const char* direction = max ? "GT" : "LT";
  const std::string pair = fmt::format("v{}", next_++);
  hlo_computations_ += fmt::format(
      "first_of_{0} {{\n  a = f32[] parameter(0)\n  i = s32[] parameter(1)\n  "
      "b = f32[] parameter(2)\n  j = s32[] parameter(3)\n  better = pred[] "
      "compare(a, b), direction={0}\n  nan = pred[] compare(a, a), "
      "direction=NE\n  wins = pred[] or(better, nan)\n  equal = pred[] "
      "compare(a, b), direction=EQ\n  earlier = pred[] compare(i, j), "
      "direction=LT\n  tie = pred[] and(equal, earlier)\n  place = pred[] "
      "or(wins, tie)\n  value = f32[] select(wins, a, b)\n  index = s32[] "
      "select(place, i, j)\n  ROOT both = (f32[], s32[]) tuple(value, index)\n"
      "}}\n\n",
      direction);
  hlo_ += fmt::format(
      "  {} = ({}, {}) reduce({}, {}, {}, {}), dimensions={{{}}}, "
      "to_apply=first_of_{}\n",
      pair, HloType(dims, x.type), HloType(dims, "s32"), x.name, places.name, start.name, zero.name,
      axis, direction);
  mlir_ += fmt::format(
      "    %{}:2 = stablehlo.reduce(%{} init: %{}), (%{} init: %{}) across "
      "dimensions = [{}] : ({}, {}, {}, {}) -> ({}, {})\n"
      "     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: "
      "tensor<i32>)  {{\n"
      "      %better = stablehlo.compare {}, %a, %b, FLOAT : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n"
      "      %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n"
      "      %wins = stablehlo.or %better, %nan : tensor<i1>\n"
      "      %equal = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n"
      "      %earlier = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, "
      "tensor<i32>) -> tensor<i1>\n"
      "      %tie = stablehlo.and %equal, %earlier : tensor<i1>\n"
      "      %place = stablehlo.or %wins, %tie : tensor<i1>\n"
      "      %value = stablehlo.select %wins, %a, %b : tensor<i1>, "
      "tensor<f32>\n"
      "      %index = stablehlo.select %place, %i, %j : tensor<i1>, "
      "tensor<i32>\n"
      "      stablehlo.return %value, %index : tensor<f32>, tensor<i32>\n"
      "    }}\n",
      pair, x.name, start.name, places.name, zero.name, axis, MlirType(x), MlirType(places),
      MlirType(start), MlirType(zero), MlirType(dims, x.type), MlirType(dims, "s32"), direction);
  const Value result{fmt::format("v{}", next_++), dims, "s32"};
  hlo_ += fmt::format("  {} = {} get-tuple-element({}), index=1\n", result.name,
                      HloType(dims, "s32"), pair);
  mlir_ += fmt::format("    %{} = stablehlo.reshape %{}#1 : ({}) -> {}\n", result.name, pair,
                       MlirType(result), MlirType(result));
  return result;
}

}  // namespace tilewise::formats
