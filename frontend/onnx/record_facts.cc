// What nodes say besides what they compute: strings, sizes that are data, open
// dims of inputs, weights that the file has twice.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "frontend/onnx/graph_reader.h"

namespace tilewise::onnx {
namespace {

constexpr auto kHostOps = std::to_array<std::string_view>(
    {"ImageDecoder", "LabelEncoder", "RegexFullMatch", "StringConcat", "StringNormalizer",
     "StringSplit", "TfIdfVectorizer"});
// How large their results are depends on the values they get.
constexpr auto kDataSized =
    std::to_array<std::string_view>({"Compress", "NonMaxSuppression", "NonZero", "Unique"});

struct SizeOperand {
  std::string_view op;
  size_t operand;
  std::string_view what;
};
constexpr auto kSizeOperands = std::to_array<SizeOperand>({
    {"ConstantOfShape", 0, "its shape"},
    {"Expand", 1, "its shape"},
    {"OneHot", 1, "its depth"},
    {"Pad", 1, "its padding"},
    {"Range", 1, "its limit"},
    {"Reshape", 1, "its shape"},
    {"Resize", 3, "its size"},
    {"Tile", 1, "how often it repeats"},
    {"TopK", 1, "how many it takes"},
    {"Upsample", 1, "its scales"},
});

// What stands in for an operand that is computed rather than known.
bool IsComputed(const Value* value) { return value != nullptr && value->kind == Value::Kind::kOp; }

// Smaller ones are not compared.
constexpr size_t kMinCompared = size_t{1} << 20;

std::string_view BytesOf(const TensorView& tensor) {
  return tensor.raw.empty() ? tensor.packed : tensor.raw;
}

// Bytes that are all alike say nothing: weights that were taken out.
bool HasData(const TensorView& tensor) {
  const std::string_view bytes = BytesOf(tensor);
  return !tensor.external && bytes.size() >= kMinCompared &&
         bytes.substr(1) != bytes.substr(0, bytes.size() - 1);
}

}  // namespace

void GraphReader::RecordFacts(const NodeView& node, const std::vector<const Value*>& inputs,
                              OpId first) {
  if (!node.domain.empty() && node.domain != "ai.onnx.ml") return;
  SourceOp op;
  op.kind = node.op_type;
  op.location.file = settings_.file;
  op.location.item = NameOf(node);
  op.first = first;
  op.end = OpId(builder_.size());
  op.reads_device = std::ranges::any_of(inputs, [this](const Value* value) {
    return IsComputed(value) && ClassOf(builder_.op(value->op).kind) != OpClass::kLeaf;
  });
  const auto add = [&](OpTrait trait, std::string_view detail = {}) {
    op.trait = trait;
    op.detail = detail;
    summary_.facts.ops.push_back(op);
  };
  if (std::ranges::find(kHostOps, node.op_type) != kHostOps.end()) {
    add(OpTrait::kHost);
  }
  if (std::ranges::find(kDataSized, node.op_type) != kDataSized.end()) {
    add(OpTrait::kDataDependentShape);
  }
  if (node.op_type == "LRN") add(OpTrait::kLocalResponseNorm);
  const auto* const size = std::ranges::find(kSizeOperands, node.op_type, &SizeOperand::op);
  if (size == kSizeOperands.end() || size->operand >= inputs.size()) return;
  if (IsComputed(inputs[size->operand])) {
    add(OpTrait::kComputedSize, size->what);
  }
}

void GraphReader::RecordOpenDims(const ValueInfoView& input, OpId parameter) {
  for (size_t i = 0; i < input.type.dims.size(); ++i) {
    const Dim taken = builder_.shape(parameter).dims[i];
    if (!input.type.dims[i].is_open() || taken.per_batch) continue;
    if (i == 0 && !dims_.has_batch()) continue;
    summary_.facts.unknown_dims.push_back(
        {parameter, static_cast<int64_t>(i), taken.factor, false});
  }
}

void GraphReader::RecordConstants(const Scope& scope) {
  // Weights of one shape, in the order of the file.
  std::map<std::pair<int, std::vector<int64_t>>, std::vector<WrittenConstant>> alike;
  std::map<OpId, const TensorView*> tensors;
  for (const TensorView& tensor : model_.graph.initializers) {
    const Value* value = scope.Find(tensor.name);
    if (value == nullptr || value->kind != Value::Kind::kVariable) continue;
    const Weight& weight = weights_[value->variable];
    if (weight.made.empty() || !HasData(tensor)) continue;
    WrittenConstant constant = {weight.made.front().second, kNoOp};
    tensors[constant.op] = &tensor;
    std::vector<WrittenConstant>& others = alike[{static_cast<int>(tensor.data_type), tensor.dims}];
    for (const WrittenConstant& other : others) {
      if (other.same_as != kNoOp) continue;
      if (BytesOf(*tensors[other.op]) != BytesOf(tensor)) continue;
      constant.same_as = other.op;
      break;
    }
    others.push_back(constant);
    summary_.facts.constants.push_back(constant);
  }
  summary_.facts.frozen = true;
}

}  // namespace tilewise::onnx
