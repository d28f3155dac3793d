// One result element from the elements at the same index.

#include "frontend/onnx/op_table.h"
#include "frontend/program/ops/made.h"
#include "library/activations.h"
#include "library/elementary.h"

namespace tilewise::program {
namespace {

using OfX = OpId (*)(GraphBuilder&, OpId);
using OfXAndY = OpId (*)(GraphBuilder&, OpId, OpId);

template <OpKind kKind>
OpId One(GraphBuilder& b, OpId x) {
  return b.Unary(kKind, x);
}
template <OpKind kKind>
OpId Two(GraphBuilder& b, OpId x, OpId y) {
  return BinaryOf(b, kKind, x, y);
}

OpId ExactGelu(GraphBuilder& b, OpId x) { return b.Gelu(x, false); }
OpId TanhGelu(GraphBuilder& b, OpId x) { return b.Gelu(x, true); }
OpId Silu(GraphBuilder& b, OpId x) { return Swish(b, x); }
OpId EluOfOne(GraphBuilder& b, OpId x) { return Elu(b, x); }
OpId SeluOfOne(GraphBuilder& b, OpId x) { return Selu(b, x); }
OpId QuickGelu(GraphBuilder& b, OpId x) { return Swish(b, x, 1.702); }
OpId HardSigmoidOfOne(GraphBuilder& b, OpId x) { return HardSigmoid(b, x, 1.0 / 6, 0.5); }

constexpr std::array<std::pair<std::string_view, OfX>, 49> kUnary = {{
    {"exp", One<OpKind::kExp>},
    {"sin", One<OpKind::kSine>},
    {"cos", One<OpKind::kCosine>},
    {"neg", One<OpKind::kNegate>},
    {"round", One<OpKind::kRoundNearestEven>},
    {"log1p", One<OpKind::kLogPlusOne>},
    {"expm1", One<OpKind::kExpMinusOne>},
    {"sigmoid", One<OpKind::kLogistic>},
    {"is_finite", One<OpKind::kIsFinite>},
    {"clz", One<OpKind::kClz>},
    {"square", Square},
    {"reciprocal", Reciprocal},
    {"sinh", Sinh},
    {"cosh", Cosh},
    {"asin", Asin},
    {"acos", Acos},
    {"atan", Atan},
    {"asinh", Asinh},
    {"acosh", Acosh},
    {"atanh", Atanh},
    {"erfc", Erfc},
    {"erfinv", Erfinv},
    {"ndtri", Ndtri},
    {"is_nan", IsNan},
    {"is_inf", IsInf},
    {"real", RealPart},
    {"imag", ImaginaryPart},
    {"conj", Conjugate},
    {"angle", Angle},
    {"logical_not", [](GraphBuilder& b, OpId x) { return b.Unary(OpKind::kNot, AsPred(b, x)); }},
    {"relu", Relu},
    {"relu6", Relu6},
    {"gelu", ExactGelu},
    {"gelu_tanh", TanhGelu},
    {"quick_gelu", QuickGelu},
    {"silu", Silu},
    {"swish", Silu},
    {"elu", EluOfOne},
    {"selu", SeluOfOne},
    {"softplus", Softplus},
    {"log_sigmoid", LogSigmoid},
    {"softsign", Softsign},
    {"mish", Mish},
    {"hard_sigmoid", HardSigmoidOfOne},
    {"hard_swish", HardSwish},
    {"hard_silu", HardSwish},
    {"complex_abs", ComplexAbs},
    {"hard_tanh", [](GraphBuilder& b, OpId x) { return Clamp(b, x, -1, 1); }},
    {"expit", One<OpKind::kLogistic>},
}};

constexpr std::array<std::pair<std::string_view, OfXAndY>, 9> kBinary = {{
    {"pow", Two<OpKind::kPower>},
    {"floor_divide", FloorDivide},
    {"floor_modulo", FloorModulo},
    {"mod", FloorModulo},
    {"shift_left", Two<OpKind::kShiftLeft>},
    {"shift_right", Two<OpKind::kShiftRightArithmetic>},
    {"shift_right_logical", Two<OpKind::kShiftRightLogical>},
    {"max", Two<OpKind::kMaximum>},
    {"min", Two<OpKind::kMinimum>},
}};

constexpr std::array<std::pair<std::string_view, Comparison>, 6> kDirections = {{
    {"EQ", Comparison::kEq},
    {"NE", Comparison::kNe},
    {"LT", Comparison::kLt},
    {"LE", Comparison::kLe},
    {"GT", Comparison::kGt},
    {"GE", Comparison::kGe},
}};

// The elementwise kind that the graph's text calls `name`.
std::optional<OpKind> KindOf(std::string_view name) {
  constexpr std::pair<std::string_view, OpKind> kKinds[] = {
#define TW_OP(enumerator, name, op_class) {name, OpKind::enumerator},
#include "graph/op_kinds.def"
#undef TW_OP
  };
  for (const auto& [its_name, kind] : kKinds) {
    if (its_name == name && ClassOf(kind) == OpClass::kElementwise) return kind;
  }
  return std::nullopt;
}

void UnknownKind(OpCall& call) {
  call.Fail(fmt::format("found kind '{}', which is not known", call.Text("kind", "")));
}

void UnaryCall(OpCall& call) {
  const std::string_view kind = call.Text("kind", "");
  const OpId x = call.AnyInput(0);
  if (const OfX* make = FindNamed(kUnary, kind)) return call.Set(0, (*make)(call.builder(), x));
  const std::optional<OpKind> found = KindOf(kind);
  if (!found || found == OpKind::kConvert) return UnknownKind(call);
  call.Set(0, call.builder().Unary(*found, x));
}

// Powers that are known are written as products and roots: ONNX's rule.
void PowerCall(OpCall& call) { onnx::FindOp(onnx::kStandard, "Pow")(call); }

void BinaryCall(OpCall& call) {
  const std::string_view kind = call.Text("kind", "");
  if (kind == "power" || kind == "pow") return PowerCall(call);
  const OpId x = call.AnyInput(0), y = call.AnyInput(1);
  if (const OfXAndY* make = FindNamed(kBinary, kind)) {
    return call.Set(0, (*make)(call.builder(), x, y));
  }
  const std::optional<OpKind> found = KindOf(kind);
  if (!found || found == OpKind::kCompare) return UnknownKind(call);
  call.Set(0, BinaryOf(call.builder(), *found, x, y));
}

void CompareCall(OpCall& call) {
  const std::string_view direction = call.Text("direction", "");
  const Comparison* found = FindNamed(kDirections, direction);
  if (found == nullptr) return call.Fail(fmt::format("found direction '{}'", direction));
  const OpId x = call.AnyInput(0);
  call.Set(0, CompareOf(call.builder(), *found, x, call.AnyInput(1)));
}

// Bounds are attributes, or operands 1 and 2.
void ClampCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  OpId x = call.AnyInput(0);
  const auto bound = [&](std::string_view name, int64_t operand, OpKind kind) {
    if (call.Find(name) != nullptr) {
      x = WithScalar(b, kind, x, call.Float(name, 0));
    } else if (const std::optional<double> known = call.KnownNumber(operand)) {
      x = WithScalar(b, kind, x, *known);
    } else if (call.Has(operand)) {
      x = BinaryOf(b, kind, x, b.Convert(call.Input(operand), b.shape(x).dtype));
    }
  };
  bound("min", 1, OpKind::kMaximum);
  bound("max", 2, OpKind::kMinimum);
  call.Set(0, x);
}

void ConvertCall(OpCall& call) {
  const Shape from = call.ShapeOf(0);
  const DType dtype = TypeOf(call, from.dtype);
  if (call.IsTensor(0) && from.dtype == dtype) return call.Forward(0, 0);
  GraphBuilder& b = call.builder();
  OpId x = call.AnyInput(0);
  if (!IsComplex(dtype) && IsComplex(from.dtype)) x = RealPart(b, x);
  call.Set(0, dtype == DType::kPred ? AsPred(b, x) : b.Convert(x, dtype));
}

// A narrower type adds a last dim of the parts, a wider one takes it away.
void BitcastCall(OpCall& call) {
  const Shape from = call.ShapeOf(0);
  Shape to = from.WithType(TypeOf(call, from.dtype));
  const int64_t had = BitWidth(from.dtype);
  const int64_t has = BitWidth(to.dtype);
  if (had > has) to.dims.push_back({had / has});
  if (had < has && !to.dims.empty()) to.dims.pop_back();
  call.Set(0, call.builder().BitcastConvert(call.Input(0), to));
}

constexpr OpEntry kElementwiseOps[] = {
    {"unary", UnaryCall},
    {"binary", BinaryCall},
    {"compare", CompareCall},
    {"select", SelectOp},
    {"clamp", ClampCall},
    {"convert", ConvertCall},
    {"bitcast", BitcastCall},
    {"complex", BinaryOp<OpKind::kComplex>},
    {"leaky_relu", Row<LeakyRelu, Operand<0>, RealAttr<"alpha", 0.01>>},
    {"elu", Row<Elu, Operand<0>, RealAttr<"alpha", 1.0>>},
    {"celu", Row<Celu, Operand<0>, RealAttr<"alpha", 1.0>>},
    {"prelu", OfTwo<Prelu>},
};

}  // namespace

std::span<const OpEntry> ElementwiseOps() { return kElementwiseOps; }

}  // namespace tilewise::program
