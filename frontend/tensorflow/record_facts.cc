// See record_facts.h. Which ops the bridge to XLA has no kernel for is a list
// here, as nothing in a graph says so.

#include "frontend/tensorflow/record_facts.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "frontend/tensorflow/attr_value.h"

namespace tilewise::tf {
namespace {

// The bridge to XLA has no kernel of these, or one that calls the host.
constexpr auto kOpsOnHost = std::to_array<std::string_view>({
    "AsString",
    "AudioSpectrogram",
    "Barrier",
    "CTCBeamSearchDecoder",
    "CTCGreedyDecoder",
    "CTCLoss",
    "CombinedNonMaxSuppression",
    "CropAndResize",
    "CropAndResizeGradBoxes",
    "CropAndResizeGradImage",
    "DecodeBase64",
    "DecodeBmp",
    "DecodeCSV",
    "DecodeGif",
    "DecodeImage",
    "DecodeJpeg",
    "DecodePng",
    "DecodeRaw",
    "EagerPyFunc",
    "EditDistance",
    "EncodeBase64",
    "EncodeJpeg",
    "EncodePng",
    "FractionalAvgPool",
    "FractionalMaxPool",
    "LookupTableFind",
    "LookupTableFindV2",
    "Mfcc",
    "NonMaxSuppression",
    "NonMaxSuppressionV2",
    "NonMaxSuppressionV5",
    "NonMaxSuppressionWithOverlaps",
    "ParseExample",
    "ParseExampleV2",
    "ParseSingleExample",
    "PyFunc",
    "PyFuncStateless",
    "ReadFile",
    "RegexFullMatch",
    "RegexReplace",
    "SampleDistortedBoundingBox",
    "SampleDistortedBoundingBoxV2",
    "StaticRegexFullMatch",
    "StaticRegexReplace",
    "StringJoin",
    "StringLength",
    "StringLower",
    "StringSplit",
    "StringSplitV2",
    "StringToHashBucket",
    "StringToHashBucketFast",
    "StringToHashBucketStrong",
    "StringToNumber",
    "StringUpper",
    "Substr",
    "UnicodeDecode",
    "UnicodeDecodeWithOffsets",
    "UnicodeTranscode",
});

// How large their results are depends on the values they get.
constexpr auto kDataSized = std::to_array<std::string_view>({
    "DynamicPartition",
    "ListDiff",
    "NonMaxSuppressionV3",
    "SetDiff1D",
    "Unique",
    "UniqueV2",
    "UniqueWithCounts",
    "UniqueWithCountsV2",
    "Where",
});

struct SizeOperand {
  std::string_view op;
  int64_t operand;
  std::string_view what;
};
constexpr auto kSizeOperands = std::to_array<SizeOperand>({
    {"BroadcastTo", 1, "its shape"},
    {"Fill", 0, "its shape"},
    {"LinSpace", 2, "how many numbers it makes"},
    {"MirrorPad", 1, "its padding"},
    {"OneHot", 1, "its depth"},
    {"Pad", 1, "its padding"},
    {"PadV2", 1, "its padding"},
    {"RandomStandardNormal", 0, "its shape"},
    {"RandomUniform", 0, "its shape"},
    {"Range", 1, "its limit"},
    {"Reshape", 1, "its shape"},
    {"ResizeArea", 1, "its size"},
    {"ResizeBicubic", 1, "its size"},
    {"ResizeBilinear", 1, "its size"},
    {"ResizeNearestNeighbor", 1, "its size"},
    {"Slice", 2, "its size"},
    {"Tile", 1, "how often it repeats"},
    {"TopKV2", 1, "how many it takes"},
    {"UnsortedSegmentMax", 2, "its number of segments"},
    {"UnsortedSegmentSum", 2, "its number of segments"},
});
static_assert(std::ranges::is_sorted(kOpsOnHost));
static_assert(std::ranges::is_sorted(kDataSized));
static_assert(std::ranges::is_sorted(kSizeOperands, {}, &SizeOperand::op));

template <size_t kSize>
bool Has(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return std::ranges::binary_search(names, name);
}

const SizeOperand* SizeOf(std::string_view op) {
  const auto* const at = std::ranges::lower_bound(kSizeOperands, op, {}, &SizeOperand::op);
  return at != kSizeOperands.end() && at->op == op ? at : nullptr;
}

bool IsOutside(const NodeDef& node) {
  return FindAttr(node.attrs, "_xla_outside_compilation") != nullptr;
}

std::optional<OpTrait> TraitOf(std::string_view op) {
  if (Has(kOpsOnHost, op)) return OpTrait::kHost;
  if (Has(kDataSized, op)) return OpTrait::kDataDependentShape;
  if (op == "LRN" || op == "LRNGrad") return OpTrait::kLocalResponseNorm;
  return std::nullopt;
}

bool IsLeaf(const GraphState& state, OpId op) {
  return ClassOf(state.builder.op(op).kind) == OpClass::kLeaf;
}

// Whether the device has computed the value.
bool OfDevice(const GraphState& state, const Value& value) {
  if (value.kind == Value::Kind::kList) return value.list()->stacked != kNoOp;
  if (value.kind != Value::Kind::kOp || value.op == kNoOp) return false;
  // What the host hands over may have been moved and cast since.
  OpId at = value.op;
  while (!IsLeaf(state, at) && state.builder.op(at).operands.size() == 1 &&
         (ClassOf(state.builder.op(at).kind) == OpClass::kData ||
          state.builder.op(at).kind == OpKind::kConvert)) {
    at = state.builder.op(at).operands[0];
  }
  return !IsLeaf(state, at);
}

// Whether the value is data of the step: computed, or an input. A variable
// stands for a constant whose numbers are not in the file.
bool IsData(const GraphState& state, const Value& value) {
  if (value.kind != Value::Kind::kOp || value.op == kNoOp) return false;
  const OpKind kind = state.builder.op(value.op).kind;
  return kind != OpKind::kVariable && kind != OpKind::kConstant && kind != OpKind::kIota;
}

void Append(GraphState& state, const NodeDef& node, OpTrait trait, std::string detail,
            bool reads_device, OpId first) {
  SourceOp op;
  op.trait = trait;
  op.kind = node.op;
  op.detail = std::move(detail);
  op.location = state.LocationOf(node.name);
  op.reads_device = reads_device;
  op.first = first;
  op.end = OpId(state.builder.size());
  state.facts.ops.push_back(std::move(op));
}

}  // namespace

bool HasFacts(const NodeDef& node) {
  const bool any = !node.device.empty() || TraitOf(node.op).has_value() ||
                   SizeOf(node.op) != nullptr || IsOutside(node);
  // TensorFlow 1 asks for its uninitialised variables before the first step.
  return any && node.name.find("report_uninitialized_variables") == std::string_view::npos;
}

void RecordFacts(GraphState& state, const NodeDef& node, std::span<const Value> inputs,
                 OpId first) {
  const bool reads_device =
      std::ranges::any_of(inputs, [&](const Value& value) { return OfDevice(state, value); });
  if (!node.device.empty()) {
    for (OpId op = first; op < state.builder.size(); ++op) {
      state.facts.devices.try_emplace(op, node.device);
    }
  }
  if (IsOutside(node)) {
    Append(state, node, OpTrait::kOutsideCompilation, {}, reads_device, first);
  }
  // Where(condition, x, y) of TensorFlow 1 is Select; of Where the result is
  // the indices, whose number is data.
  if (const std::optional<OpTrait> trait = TraitOf(node.op)) {
    Append(state, node, *trait, {}, reads_device, first);
  }
  if (const SizeOperand* size = SizeOf(node.op)) {
    const size_t at = size->operand;
    if (at < inputs.size() && IsData(state, inputs[at])) {
      Append(state, node, OpTrait::kComputedSize, std::string(size->what), reads_device, first);
    }
  }
}

void CloseFacts(GraphState& state, bool training) {
  for (const VariableState& variable : state.variables) {
    if (variable.variable == kNoOp || variable.device.empty()) continue;
    state.facts.devices.insert_or_assign(variable.variable, variable.device);
  }
  state.facts.frozen = !training && state.variables.empty();
}

}  // namespace tilewise::tf
