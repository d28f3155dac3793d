// Each instruction is one line of each text.

#include "tests/formats/xla_program.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "tests/formats/xla_text.h"

namespace tilewise::formats {
namespace {

// Operations of CHLO.
constexpr std::array<std::string_view, 11> kChlo = {
    "erf", "erf-inv", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "tan"};

}  // namespace

Value XlaProgram::Add(Dims dims, const std::string& type, const std::string& hlo,
                      const std::string& mlir) {
  Value value{fmt::format("v{}", next_++), std::move(dims), type};
  hlo_ += fmt::format("  {} = {} {}\n", value.name, HloType(value.dims, type), hlo);
  mlir_ += fmt::format("    %{} = {}\n", value.name, mlir);
  return value;
}

Value XlaProgram::Parameter(const std::string& name, const Dims& dims, const std::string& type,
                            const std::string& op_name) {
  const size_t number = mlir_arguments_.size();
  const Value value{fmt::format("{}_{}", name, number), dims, type};
  hlo_parameters_ += fmt::format("  {} = {} parameter({}), metadata={{op_name=\"{}\"}}\n",
                                 value.name, HloType(dims, type), number, op_name);
  mlir_arguments_.push_back(
      fmt::format("%{}: {} loc(\"{}\")", value.name, MlirType(value), op_name));
  return value;
}

Value XlaProgram::Input(const Value& input) {
  return Parameter(input.name, input.dims, input.type, input.name);
}

Value XlaProgram::Weight(const std::string& name, const Dims& dims) {
  return Parameter("w", dims, "f32", fmt::format("params['{}']", name));
}

Value XlaProgram::Scalar(double number, const std::string& type) {
  const std::string mlir = fmt::format("stablehlo.constant dense<{}> : {}",
                                       NumberText(number, type, true), MlirType({}, type));
  return Add({}, type, fmt::format("constant({})", NumberText(number, type, false)), mlir);
}

Value XlaProgram::Number(double number, const Value& beside) {
  return Broadcast(Scalar(number, beside.type), beside.dims, {});
}

Value XlaProgram::Call(const std::string& op, const std::vector<Value>& given, const Attrs& attrs) {
  std::vector<Value> operands = given;
  Dims dims;
  for (const Value& operand : operands) {
    if (operand.rank() > static_cast<int64_t>(dims.size())) dims = operand.dims;
    if (operand.dims.size() != dims.size()) continue;
    for (size_t i = 0; i < dims.size(); ++i) {
      dims[i] = std::max(dims[i], operand.dims[i]);
    }
  }
  for (Value& operand : operands) {
    if (operand.dims == dims) continue;
    Dims kept, mapping;
    const size_t lead = dims.size() - operand.dims.size();
    for (size_t i = 0; i < operand.dims.size(); ++i) {
      if (operand.dims[i] == 1 && dims[lead + i] != 1) continue;
      kept.push_back(operand.dims[i]);
      mapping.push_back(static_cast<int64_t>(lead + i));
    }
    if (kept != operand.dims) operand = Reshape(operand, kept);
    operand = Broadcast(operand, dims, mapping);
  }
  const std::string hlo = fmt::format("{}({})", op, HloNames(operands));
  if (op == "compare") {
    const std::string& direction = attrs.at("direction");
    return Add(dims, "pred", hlo + ", direction=" + direction,
               fmt::format("stablehlo.compare {}, {}, {} : ({}) -> {}", direction,
                           MlirNames(operands), operands[0].type == "f32" ? "FLOAT" : "SIGNED",
                           MlirTypes(operands), MlirType(dims, "pred")));
  }
  const std::string& type = operands.back().type;
  if (op == "select") {
    return Add(dims, type, hlo,
               fmt::format("stablehlo.select {} : {}, {}", MlirNames(operands),
                           MlirType(operands[0]), MlirType(operands[1])));
  }
  const bool chlo = std::ranges::find(kChlo, op) != kChlo.end();
  if (op == "erf-inv") hlo_says_ = false;
  std::string mlir = fmt::format("{}.{} {} : {}", chlo ? "chlo" : "stablehlo", Underscored(op),
                                 MlirNames(operands), MlirType(dims, type));
  if (chlo) mlir += " -> " + MlirType(dims, type);
  return Add(dims, type, hlo, mlir);
}

Value XlaProgram::Convert(const Value& x, const std::string& type) {
  if (x.type == type) return x;
  return Add(x.dims, type, fmt::format("convert({})", x.name),
             fmt::format("stablehlo.convert %{} : ({}) -> {}", x.name, MlirType(x),
                         MlirType(x.dims, type)));
}

Value XlaProgram::Broadcast(const Value& x, const Dims& dims, const Dims& mapping) {
  if (x.dims == dims) return x;
  return Add(dims, x.type, fmt::format("broadcast({}), dimensions={}", x.name, Braced(mapping)),
             fmt::format("stablehlo.broadcast_in_dim %{}, dims = {} : ({}) -> {}", x.name,
                         Bracketed(mapping), MlirType(x), MlirType(dims, x.type)));
}

Value XlaProgram::Reshape(const Value& x, const Dims& dims) {
  if (x.dims == dims) return x;
  return Add(dims, x.type, fmt::format("reshape({})", x.name),
             fmt::format("stablehlo.reshape %{} : ({}) -> {}", x.name, MlirType(x),
                         MlirType(dims, x.type)));
}

Value XlaProgram::Transpose(const Value& x, const Dims& order) {
  Dims dims;
  for (const int64_t d : order) dims.push_back(x.dims[d]);
  return Add(dims, x.type, fmt::format("transpose({}), dimensions={}", x.name, Braced(order)),
             fmt::format("stablehlo.transpose %{}, dims = {} : ({}) -> {}", x.name,
                         Bracketed(order), MlirType(x), MlirType(dims, x.type)));
}

Value XlaProgram::Reverse(const Value& x, const Dims& dims) {
  return Add(
      x.dims, x.type, fmt::format("reverse({}), dimensions={}", x.name, Braced(dims)),
      fmt::format("stablehlo.reverse %{}, dims = {} : {}", x.name, Bracketed(dims), MlirType(x)));
}

Value XlaProgram::Slice(const Value& x, const Dims& starts, const Dims& sizes) {
  std::string hlo, mlir;
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t end = starts[i] + sizes[i];
    const char* between = i == 0 ? "" : ", ";
    hlo += fmt::format("{}[{}:{}]", between, starts[i], end);
    mlir += fmt::format("{}{}:{}", between, starts[i], end);
  }
  return Add(sizes, x.type, fmt::format("slice({}), slice={{{}}}", x.name, hlo),
             fmt::format("stablehlo.slice %{} [{}] : ({}) -> {}", x.name, mlir, MlirType(x),
                         MlirType(sizes, x.type)));
}

Value XlaProgram::Pad(const Value& x, const Dims& low, const Dims& high) {
  const Value zero = Scalar(0, x.type);
  Dims dims = x.dims;
  for (size_t i = 0; i < dims.size(); ++i) dims[i] += low[i] + high[i];
  return Add(dims, x.type,
             fmt::format("pad({}, {}), padding={}", x.name, zero.name, PadText(low, high)),
             fmt::format("stablehlo.pad %{}, %{}, low = {}, high = {}, "
                         "interior = {} : ({}, {}) -> {}",
                         x.name, zero.name, Bracketed(low), Bracketed(high),
                         Bracketed(Dims(low.size(), 0)), MlirType(x), MlirType(zero),
                         MlirType(dims, x.type)));
}

Value XlaProgram::Concatenate(const std::vector<Value>& parts, int64_t axis) {
  Dims dims = parts[0].dims;
  auto& joint = dims[axis];
  for (size_t i = 1; i < parts.size(); ++i) {
    joint += parts[i].dims[axis];
  }
  return Add(dims, parts[0].type,
             fmt::format("concatenate({}), dimensions={{{}}}", HloNames(parts), axis),
             fmt::format("stablehlo.concatenate {}, dim = {} : ({}) -> {}", MlirNames(parts), axis,
                         MlirTypes(parts), MlirType(dims, parts[0].type)));
}

Value XlaProgram::Iota(const Dims& dims, int64_t axis) {
  return Add(dims, "s32", fmt::format("iota(), iota_dimension={}", axis),
             fmt::format("stablehlo.iota dim = {} : {}", axis, MlirType(dims, "s32")));
}

double XlaProgram::Neutral(const std::string& op) {
  if (op == "multiply") return 1;
  if (op == "maximum") return -std::numeric_limits<double>::infinity();
  return op == "minimum" ? std::numeric_limits<double>::infinity() : 0;
}

std::string XlaProgram::Joiner(const std::string& op, const std::string& type) {
  const std::string name = fmt::format("join_{}_{}", op, type);
  if (std::ranges::find(joiners_, name) != joiners_.end()) return name;
  joiners_.push_back(name);
  const bool compares = op == "LT";
  hlo_computations_ += fmt::format(
      "{0} {{\n  a = {1}[] parameter(0)\n  b = {1}[] parameter(1)\n  ROOT c = "
      "{2}[] {3}\n}}\n\n",
      name, type, compares ? "pred" : type,
      compares ? "compare(a, b), direction=LT" : op + "(a, b)");
  return name;
}

Value XlaProgram::Reduce(const std::string& op, const Value& x, const Dims& over) {
  const Value start = Scalar(Neutral(op), x.type);
  Dims dims;
  for (int64_t d = 0; d < x.rank(); ++d) {
    if (std::ranges::find(over, d) != over.end()) continue;
    dims.push_back(x.dims[d]);
  }
  return Add(dims, x.type,
             fmt::format("reduce({}, {}), dimensions={}, to_apply={}", x.name, start.name,
                         Braced(over), Joiner(op, x.type)),
             fmt::format("stablehlo.reduce(%{} init: %{}) applies stablehlo.{} across "
                         "dimensions = {} : ({}, {}) -> {}",
                         x.name, start.name, op, Bracketed(over), MlirType(x), MlirType(start),
                         MlirType(dims, x.type)));
}

Value XlaProgram::Dot(const Value& x, const Value& y, const Contraction& over) {
  Dims dims;
  for (const int64_t d : over.lhs_batch) {
    dims.push_back(x.dims[d]);
  }
  const auto add_free = [&](const Value& side, const Dims& batch, const Dims& contracted) {
    for (int64_t d = 0; d < side.rank(); ++d) {
      if (std::ranges::find(batch, d) != batch.end()) continue;
      if (std::ranges::find(contracted, d) != contracted.end()) continue;
      dims.push_back(side.dims[d]);
    }
  };
  add_free(x, over.lhs_batch, over.lhs);
  add_free(y, over.rhs_batch, over.rhs);
  std::string hlo = fmt::format("dot({}, {}), ", x.name, y.name);
  std::string mlir = fmt::format("stablehlo.dot_general %{}, %{}, ", x.name, y.name);
  if (!over.lhs_batch.empty()) {
    hlo += fmt::format("lhs_batch_dims={}, ", Braced(over.lhs_batch));
    mlir += fmt::format("batching_dims = {} x {}, ", Bracketed(over.lhs_batch),
                        Bracketed(over.rhs_batch));
  }
  hlo += fmt::format("lhs_contracting_dims={}, ", Braced(over.lhs));
  if (!over.rhs_batch.empty()) {
    hlo += fmt::format("rhs_batch_dims={}, ", Braced(over.rhs_batch));
  }
  hlo += fmt::format("rhs_contracting_dims={}", Braced(over.rhs));
  mlir += fmt::format(
      "contracting_dims = {} x {}, precision = [DEFAULT, "
      "DEFAULT] : ({}, {}) -> {}",
      Bracketed(over.lhs), Bracketed(over.rhs), MlirType(x), MlirType(y), MlirType(dims, "f32"));
  return Add(dims, "f32", hlo, mlir);
}

std::string XlaProgram::Mlir(const Value& result) const {
  return fmt::format(
      "module @jit_model {{\n  func.func public @main({}) -> {} {{\n{}    "
      "return %{} : {}\n  }}\n}}\n",
      fmt::join(mlir_arguments_, ", "), MlirType(result), mlir_, result.name, MlirType(result));
}

std::string XlaProgram::Hlo(const Value& result) const {
  std::string lines = hlo_parameters_ + hlo_;
  lines.insert(lines.find(fmt::format("  {} = ", result.name)) + 2, "ROOT ");
  return fmt::format("HloModule jit_model\n\n{}ENTRY main {{\n{}}}\n", hlo_computations_, lines);
}

}  // namespace tilewise::formats
