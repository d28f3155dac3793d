// Flags shapes that are written in C++ and fit the tiles of a TPU badly, or are 64 bits wide.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "rules/cpp/api_calls.h"
#include "rules/rule.h"
#include "sim/lowering/layout.h"
#include "workload/blocks.h"

namespace tilewise::CX007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CX007",
    .name = "shape-literal",
    .severity = Severity::kInfo,
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a shape in a C++ source is padded or 64 bits wide",
    .doc = R"(
What: ShapeUtil::MakeShape(), or TensorShape or a Variable in a source that builds ops, with
constant sizes that padding to tiles makes larger by a fifth or more, or of F64, S64 or U64; of 1
KiB or more.
Why: the two minor dimensions of an array are stored in tiles of 8 x 128 (32-bit; 16 x 128 and
32 x 128 packed); what is beyond the array's own sizes is padding that is moved and computed with.
There is no 64-bit arithmetic on a TPU: F64 is emulated, S64 is a pair.
Remedy: sizes that are multiples of 128 in the minor dimension and of 8 in the next (AL001); F32 and
S32 (PR002).
Ignore: arrays of the host alone; arguments whose layout the compiler is free to choose.
Numbers: padding in the default layout, minor dimension last; of a graph of TensorFlow, in the
layout that pads least.
Sources: Cloud TPU performance guide; AL001 and PR002 for models that are read.)",
    .thresholds = {{"min-padding", 1.2, "padded over real bytes that is worth saying"}},
};

constexpr int64_t kSmallest = 1024;  // bytes

struct NamedType {
  std::string_view name;
  DType type;
};
constexpr NamedType kTypes[] = {
    {"PRED", DType::kPred},    {"S8", DType::kS8},        {"S16", DType::kS16},
    {"S32", DType::kS32},      {"S64", DType::kS64},      {"U8", DType::kU8},
    {"U16", DType::kU16},      {"U32", DType::kU32},      {"U64", DType::kU64},
    {"F16", DType::kF16},      {"F32", DType::kF32},      {"BF16", DType::kBF16},
    {"F64", DType::kF64},      {"DT_FLOAT", DType::kF32}, {"DT_DOUBLE", DType::kF64},
    {"DT_INT32", DType::kS32}, {"DT_INT64", DType::kS64}, {"DT_BFLOAT16", DType::kBF16},
    {"DT_HALF", DType::kF16}};

std::optional<DType> TypeOf(const SourceArgument& argument) {
  const std::string_view name = LastName(argument.name);
  const auto* const found = std::ranges::find(kTypes, name, &NamedType::name);
  return found == std::end(kTypes) ? std::nullopt : std::optional<DType>(found->type);
}

bool IsWide(DType type) {
  return type == DType::kF64 || type == DType::kS64 || type == DType::kU64;
}

bool BuildsProgram(const SourceFacts& facts) {
  return std::ranges::any_of(facts.calls, [](const SourceCall& call) {
    return call.name == "xla.XlaBuilder" || call.name == "xla.Parameter" ||
           call.name.starts_with("tensorflow.nn.") || call.name.starts_with("tensorflow.ops.") ||
           call.name == "tensorflow.linalg.matmul";
  });
}

// The shape that the call states; nothing where part of it is not known.
std::optional<Shape> StatedShape(const SourceFacts& facts, const SourceCall& call) {
  const bool xla = LastName(call.name) == "MakeShape" && call.arguments.size() >= 2;
  if (xla) {
    const std::optional<DType> type = TypeOf(call.arguments[0]);
    const std::vector<int64_t>& sizes = call.arguments[1].sizes;
    if (!type || sizes.empty()) return std::nullopt;
    return Shape::Of(*type, sizes);
  }
  if (call.name == "tensorflow.ops.Variable" && call.arguments.size() == 3) {
    const std::optional<DType> type = TypeOf(call.arguments[2]);
    const std::vector<int64_t>& sizes = call.arguments[1].sizes;
    if (!type || sizes.empty()) return std::nullopt;
    return Shape::Of(*type, sizes);
  }
  if (call.name != "tensorflow.TensorShape" || call.arguments.empty()) return std::nullopt;
  // `Tensor t(DT_FLOAT, TensorShape({..}))` has the type.
  DType type = DType::kF32;
  if (call.outer >= 0 && !facts.calls[call.outer].arguments.empty()) {
    type = TypeOf(facts.calls[call.outer].arguments[0]).value_or(type);
  }
  const std::vector<int64_t>& sizes = call.arguments[0].sizes;
  if (sizes.empty()) return std::nullopt;
  return Shape::Of(type, sizes);
}

// The bytes in tiles: minor dimension last, and of a graph of TensorFlow, whose layouts the
// compiler chooses, with the two dimensions in the tile that pad least.
Bytes InTiles(const Shape& shape, bool chosen, const Chip& chip) {
  const auto padded = [&](const Shape& of) {
    return PaddedBytes(of, DefaultLayout(of, chip), chip);
  };
  Bytes least = padded(shape);
  for (size_t minor = 0; chosen && minor < shape.dims.size(); ++minor) {
    for (size_t next = 0; next < shape.dims.size(); ++next) {
      if (next == minor) continue;
      Shape other = shape;
      std::swap(other.dims[minor], other.dims.back());
      const size_t moved = next + 1 == shape.dims.size() ? minor : next;
      std::swap(other.dims[moved], other.dims[other.dims.size() - 2]);
      least = std::min(least, padded(other));
    }
  }
  return least;
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload) || !BuildsProgram(source)) return;
  for (const SourceCall& call : source.calls) {
    const std::optional<Shape> shape = StatedShape(source, call);
    if (!shape) continue;
    if (std::ranges::any_of(shape->dims, [](const Dim& dim) { return dim.factor < 1; })) continue;
    const Bytes real = shape->unpadded_bytes();
    if (real.value < kSmallest) continue;
    const bool chosen = call.name.starts_with("tensorflow.");
    const Bytes padded = InTiles(*shape, chosen, facts.target.chip);
    const double ratio = static_cast<double>(padded.value) / static_cast<double>(real.value);
    if (IsWide(shape->dtype)) {
      Finding& found =
          sink.Report(call.location, "this shape is {}, 64 bits wide, expected 32 bits on a TPU",
                      FormatShape(*shape));
      found.severity = Severity::kWarning;
      found.cost.bytes = Bytes{real.value / 2};
      found.fix.text = "make it F32 or S32, and compute what needs 64 bits on the host";
    } else if (ratio >= sink.threshold("min-padding")) {
      Finding& found = sink.Report(
          call.location, "{} takes {:.1f} times its {} in tiles, expected sizes that fill them",
          FormatShape(*shape), ratio, FormatBytes(real));
      found.cost.bytes = Bytes{padded.value - real.value};
      found.fix.text =
          "make the minor dimension a multiple of 128 and the next one of 8, or put the larger "
          "ones "
          "there";
    }
  }
}

}  // namespace

TW_RULE(CX007)

}  // namespace tilewise::CX007
