// Ops that run on the host: strings, files, tables, parsing of examples. What
// they hand to the device is an input of the step; the rest has no part in it.

#include <algorithm>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostResults = 4096;

std::optional<std::vector<Dim>> DimsOf(const OpContext& ctx, int64_t operand) {
  const std::optional<Shape> shape = ctx.InputShape(operand);
  if (!shape) return std::nullopt;
  return shape->dims;
}

// Strings or a handle.
absl::Status Strings(OpContext& ctx) {
  ctx.SetHost(0, DimsOf(ctx, 0));
  return absl::OkStatus();
}

absl::Status Handle(OpContext& ctx) {
  ctx.SetHost(0);
  return absl::OkStatus();
}

// A status and the keys of what was compiled.
absl::Status Programs(OpContext& ctx) {
  const int64_t keys = std::clamp<int64_t>(ctx.Int("num_computations", 1), 1, kMostResults);
  for (int64_t i = 0; i <= keys; ++i) ctx.SetHost(i);
  return absl::OkStatus();
}

// Result i, of the recorded shape or else of `dims`.
absl::Status Fed(OpContext& ctx, int64_t i, DType dtype,
                 const std::optional<std::vector<Dim>>& dims) {
  if (const auto recorded = ctx.RecordedShape(i, dtype)) {
    ctx.SetFedByHost(i, *recorded);
  } else if (dims && !IsEmpty(*dims)) {
    ctx.SetFedByHost(i, {dtype, *dims});
  } else {
    return InvalidInput("the shape of what the host sends is not known");
  }
  return absl::OkStatus();
}

// A number for each string of operand kOperand.
template <DType kType, int kOperand = 0>
absl::Status NumberEach(OpContext& ctx) {
  DType type = kType;
  for (const std::string_view name : {"out_type", "Tout", "output_type"}) {
    if (const auto stated = ctx.Type(name)) type = *stated;
  }
  return Fed(ctx, 0, type, DimsOf(ctx, kOperand));
}

// Keys -> values, which may be strings.
absl::Status LookUp(OpContext& ctx) {
  const std::optional<DType> type = ctx.Type("Tout");
  if (!type) {
    ctx.SetHost(0, DimsOf(ctx, 1));
    return absl::OkStatus();
  }
  return Fed(ctx, 0, *type, DimsOf(ctx, 1));
}

absl::Status TableSize(OpContext& ctx) {
  ctx.SetFedByHost(0, Shape(DType::kS64, {}));
  return absl::OkStatus();
}

absl::Status Regex(OpContext& ctx) { return Fed(ctx, 0, DType::kPred, DimsOf(ctx, 0)); }

// A part of a tensor of strings as that of one of numbers.
void SetMany(OpContext& ctx, int64_t first, const std::vector<DataType>& types,
             const std::optional<std::vector<Dim>>& dims) {
  for (size_t i = 0; i < types.size(); ++i) {
    const auto result = first + static_cast<int64_t>(i);
    const std::optional<DType> type = ToDType(types[i]);
    if (!type) {
      ctx.SetHost(result, dims);
    } else if (const auto recorded = ctx.RecordedShape(result, *type)) {
      ctx.SetFedByHost(result, *recorded);
    } else if (dims) {
      ctx.SetFedByHost(result, {*type, *dims});
    }
  }
}

// Results: indices, values and shapes of the sparse features, then the dense
// ones, which have the batch in front of `dense_shapes`.
absl::Status ParseExample(OpContext& ctx) {
  const auto sparse_types =
      AttrTypes(ctx.attrs(), "sparse_types").value_or(std::vector<DataType>{});
  const auto dense_types = AttrTypes(ctx.attrs(), "Tdense").value_or(std::vector<DataType>{});
  const auto shapes = AttrShapes(ctx.attrs(), "dense_shapes").value_or(std::vector<TensorShape>{});
  const bool single = ctx.op() == "ParseSingleExample";
  const auto sparse = static_cast<int64_t>(sparse_types.size());
  if (sparse + static_cast<int64_t>(dense_types.size()) > kMostResults) {
    return InvalidInput("found more features than any example has");
  }
  std::vector<Dim> rows;
  if (!single) {
    const auto given = DimsOf(ctx, 0);
    rows = given && given->size() == 1 ? *given : std::vector<Dim>{BatchDim()};
  }
  const Dim values = single ? Dim{1, false} : BatchDim();
  const Dim rank = {static_cast<int64_t>(rows.size()) + 1, false};
  for (int64_t i = 0; i < sparse; ++i) {
    ctx.SetFedByHost(i, {DType::kS64, {values, rank}});
    ctx.SetFedByHost(2 * sparse + i, {DType::kS64, {rank}});
  }
  SetMany(ctx, sparse, sparse_types, std::vector<Dim>{values});
  for (size_t i = 0; i < dense_types.size(); ++i) {
    std::optional<std::vector<Dim>> dims;
    if (i < shapes.size()) dims = OpContext::ToDims(shapes[i]);
    if (dims) dims->insert(dims->begin(), rows.begin(), rows.end());
    SetMany(ctx, 3 * sparse + static_cast<int64_t>(i), {dense_types[i]}, dims);
  }
  if (sparse > 0) {
    ctx.Note("RD002",
             "how many values sparse features have is data: one per example is "
             "taken");
  }
  return absl::OkStatus();
}

absl::Status DecodeRaw(OpContext& ctx) {
  return Fed(ctx, 0, TypeOr(ctx, "out_type", DType::kU8), std::nullopt);
}

absl::Status DecodeImage(OpContext& ctx) {
  return Fed(ctx, 0, TypeOr(ctx, "dtype", DType::kU8), std::nullopt);
}

// Numbers that the host computes of what it holds.
absl::Status PyFunction(OpContext& ctx) {
  const auto types = AttrTypes(ctx.attrs(), "Tout").value_or(std::vector<DataType>{});
  if (static_cast<int64_t>(types.size()) > kMostResults) {
    return InvalidInput("found more results than any function has");
  }
  SetMany(ctx, 0, types, std::nullopt);
  return absl::OkStatus();
}

constexpr OpEntry kHostOps[] = {
    {"AddSparseToTensorsMap", Handle},
    {"AsString", Strings},
    {"AudioSummary", Nothing},
    {"AudioSummaryV2", Nothing},
    {"Base64Decode", Strings},
    {"DecodeBase64", Strings},
    {"DecodeBmp", DecodeImage},
    {"DecodeCompressed", Strings},
    {"DecodeGif", DecodeImage},
    {"DecodeImage", DecodeImage},
    {"DecodeJpeg", DecodeImage},
    {"DecodePng", DecodeImage},
    {"DecodeRaw", DecodeRaw},
    {"DecodePaddedRaw", DecodeRaw},
    {"EagerPyFunc", PyFunction},
    {"EncodeBase64", Strings},
    {"EncodeJpeg", Handle},
    {"EncodePng", Handle},
    {"EncodeProto", Handle},
    {"FlushSummaryWriter", Nothing},
    {"HashTable", Handle},
    {"HashTableV2", Handle},
    {"HistogramSummary", Handle},
    {"ImageSummary", Handle},
    {"ImportEvent", Nothing},
    {"InitializeTable", Nothing},
    {"InitializeTableFromTextFile", Nothing},
    {"InitializeTableFromTextFileV2", Nothing},
    {"InitializeTableV2", Nothing},
    {"LookupTableExport", Nothing},
    {"LookupTableExportV2", Nothing},
    {"LookupTableFind", LookUp},
    {"LookupTableFindV2", LookUp},
    {"LookupTableImport", Nothing},
    {"LookupTableImportV2", Nothing},
    {"LookupTableInsert", Nothing},
    {"LookupTableInsertV2", Nothing},
    {"LookupTableSize", TableSize},
    {"LookupTableSizeV2", TableSize},
    {"MatchingFiles", Handle},
    {"MergeSummary", Handle},
    {"MergeV2Checkpoints", Nothing},
    {"MutableDenseHashTable", Handle},
    {"MutableDenseHashTableV2", Handle},
    {"MutableHashTable", Handle},
    {"MutableHashTableV2", Handle},
    {"ParseExample", ParseExample},
    {"ParseExampleV2", ParseExample},
    {"ParseSingleExample", ParseExample},
    {"PyFunc", PyFunction},
    {"PyFuncStateless", PyFunction},
    {"ReadFile", Handle},
    {"ReduceJoin", Handle},
    {"RegexFullMatch", Regex},
    {"RegexReplace", Strings},
    {"RestoreSlice", Nothing},
    {"RestoreV2", Nothing},
    {"Save", Nothing},
    {"SaveSlices", Nothing},
    {"SaveV2", Nothing},
    {"ScalarSummary", Handle},
    {"SerializeManySparse", Handle},
    {"SerializeSparse", Handle},
    {"SerializeTensor", Handle},
    {"ShardedFilename", Handle},
    {"ShardedFilespec", Handle},
    {"StaticRegexFullMatch", Regex},
    {"StaticRegexReplace", Strings},
    {"StringFormat", Handle},
    {"StringJoin", Strings},
    {"StringLength", NumberEach<DType::kS32>},
    {"StringLower", Strings},
    {"StringStrip", Strings},
    {"StringToHashBucket", NumberEach<DType::kS64>},
    {"StringToHashBucketFast", NumberEach<DType::kS64>},
    {"StringToHashBucketStrong", NumberEach<DType::kS64>},
    {"StringToNumber", NumberEach<DType::kF32>},
    {"StringUpper", Strings},
    {"Substr", Strings},
    {"SummaryWriter", Handle},
    {"TensorSummary", Handle},
    {"TensorSummaryV2", Handle},
    {"UnicodeScript", NumberEach<DType::kS32>},
    {"UnicodeTranscode", Strings},
    {"WriteAudioSummary", Nothing},
    {"WriteFile", Nothing},
    {"WriteGraphSummary", Nothing},
    {"WriteHistogramSummary", Nothing},
    {"WriteImageSummary", Nothing},
    {"WriteRawProtoSummary", Nothing},
    {"WriteScalarSummary", Nothing},
    {"WriteSummary", Nothing},
    {"_TPUCompileMlir", Programs},
};

}  // namespace

std::span<const OpEntry> HostOps() { return kHostOps; }

}  // namespace tilewise::tf
