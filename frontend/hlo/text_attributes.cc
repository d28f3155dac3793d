// Reads attributes of instructions by name.

#include "frontend/hlo/text_attributes.h"

#include <array>

#include <fmt/format.h>

#include "frontend/hlo/backend_config.h"
#include "frontend/hlo/text_values.h"
#include "frontend/hlo/word_table.h"

namespace tilewise::hlo {
namespace {

// Lists of integers, numbers, words and calls in this order; each group is
// read alike.
enum AttributeWord : size_t {
  kDimensions,
  kDynamicSliceSizes,
  kFftLength,
  kLhsContracting,
  kRhsContracting,
  kLhsBatch,
  kRhsBatch,
  kOffsetDims,
  kUpdateWindowDims,
  kCollapsedSliceDims,
  kInsertedWindowDims,
  kStartIndexMap,
  kScatterDims,
  kOperandBatching,
  kInputBatching,
  kStartIndicesBatching,
  kScatterIndicesBatching,
  kSliceSizes,
  kLastIntegers = kSliceSizes,
  kIndex,
  kIotaDimension,
  kIndexVectorDim,
  kFeatureGroups,
  kBatchGroups,
  kChannelId,
  kK,
  kFeatureIndex,
  kExponentBits,
  kMantissaBits,
  kEpsilon,
  kLastNumber = kEpsilon,
  kIsStable,
  kLargest,
  kUniqueIndices,
  kSortedIndices,
  kDirection,
  kKind,
  kDistribution,
  kAlgorithm,
  kFftType,
  kLastWord = kFftType,
  kToApply,
  kCalls,
  kCondition,
  kBody,
  kTrueComputation,
  kFalseComputation,
  kSelectComputation,
  kScatterComputation,
  kBranchComputations,
  kCalledComputations,
  kLastCall = kCalledComputations,
  kWindow,
  kDimLabels,
  kSlice,
  kPadding,
  kReplicaGroups,
  kSourceTargetPairs,
  kOperandPrecision,
  kSharding,
  kMetadata,
  kBackendConfig,
  kFrontendAttributes,
  kCustomCallTarget,
  kInfeedConfig,
  kAttributes,
};

constexpr auto kNames = std::to_array<std::string_view>({
    "dimensions",
    "dynamic_slice_sizes",
    "fft_length",
    "lhs_contracting_dims",
    "rhs_contracting_dims",
    "lhs_batch_dims",
    "rhs_batch_dims",
    "offset_dims",
    "update_window_dims",
    "collapsed_slice_dims",
    "inserted_window_dims",
    "start_index_map",
    "scatter_dims_to_operand_dims",
    "operand_batching_dims",
    "input_batching_dims",
    "start_indices_batching_dims",
    "scatter_indices_batching_dims",
    "slice_sizes",
    "index",
    "iota_dimension",
    "index_vector_dim",
    "feature_group_count",
    "batch_group_count",
    "channel_id",
    "k",
    "feature_index",
    "exponent_bits",
    "mantissa_bits",
    "epsilon",
    "is_stable",
    "largest",
    "unique_indices",
    "indices_are_sorted",
    "direction",
    "kind",
    "distribution",
    "algorithm",
    "fft_type",
    "to_apply",
    "calls",
    "condition",
    "body",
    "true_computation",
    "false_computation",
    "select",
    "scatter",
    "branch_computations",
    "called_computations",
    "window",
    "dim_labels",
    "slice",
    "padding",
    "replica_groups",
    "source_target_pairs",
    "operand_precision",
    "sharding",
    "metadata",
    "backend_config",
    "frontend_attributes",
    "custom_call_target",
    "infeed_config",
});
static_assert(kNames.size() == kAttributes);
constexpr WordTable<kNames.size()> kAttributeTable(kNames);

}  // namespace

bool AttributeReader::Read(Instruction& instruction, std::vector<CalledName>& called) {
  while (cursor_.Take(',')) {
    const std::string_view name = cursor_.ExpectName("an attribute");
    if (!cursor_.ok() || !cursor_.Expect('=')) return false;
    if (!ReadOne(name, instruction, called)) return false;
  }
  return cursor_.ok();
}

bool AttributeReader::ReadOne(std::string_view name, Instruction& instruction,
                              std::vector<CalledName>& called) {
  const size_t attribute = kAttributeTable.Find(name);
  if (attribute <= kLastIntegers) return ReadIntegers(attribute, instruction);
  if (attribute <= kLastNumber) return ReadNumber(attribute, instruction);
  if (attribute <= kLastWord) return ReadWord(attribute, instruction);
  switch (attribute) {
    case kToApply:
    case kCalls:
    case kCondition:
    case kTrueComputation:
    case kSelectComputation:
      return ReadCalled(0, called);
    case kBody:
    case kFalseComputation:
    case kScatterComputation:
      return ReadCalled(1, called);
    case kBranchComputations:
    case kCalledComputations:
      return ReadCalledList(0, called);
    default:
      return ReadOther(attribute, instruction);
  }
}

bool AttributeReader::ReadIntegers(size_t attribute, Instruction& instruction) {
  switch (attribute) {
    case kDimensions:
      return cursor_.IntegerList(instruction.dims);
    case kDynamicSliceSizes:
      return cursor_.IntegerList(instruction.Extras().slice->sizes);
    case kFftLength:
      return cursor_.IntegerList(instruction.Extras().fft->length);
    case kLhsContracting:
      return cursor_.IntegerList(instruction.dot->lhs_contract);
    case kRhsContracting:
      return cursor_.IntegerList(instruction.dot->rhs_contract);
    case kLhsBatch:
      return cursor_.IntegerList(instruction.dot->lhs_batch);
    case kRhsBatch:
      return cursor_.IntegerList(instruction.dot->rhs_batch);
    default:
      return ReadGatherDims(attribute, *instruction.Extras().gather);
  }
}

bool AttributeReader::ReadGatherDims(size_t attribute, GatherDims& gather) {
  switch (attribute) {
    case kOffsetDims:
    case kUpdateWindowDims:
      return cursor_.IntegerList(gather.offset_dims);
    case kCollapsedSliceDims:
    case kInsertedWindowDims:
      return cursor_.IntegerList(gather.collapsed_dims);
    case kStartIndexMap:
    case kScatterDims:
      return cursor_.IntegerList(gather.start_dims);
    case kOperandBatching:
    case kInputBatching:
      return cursor_.IntegerList(gather.operand_batch);
    case kStartIndicesBatching:
    case kScatterIndicesBatching:
      return cursor_.IntegerList(gather.indices_batch);
    default:
      return cursor_.IntegerList(gather.slice_sizes);
  }
}

bool AttributeReader::ReadNumber(size_t attribute, Instruction& instruction) {
  if (attribute == kIndex) return cursor_.Integer(instruction.index);
  if (attribute == kIotaDimension) {
    instruction.dims.assign(1, 0);
    return cursor_.Integer(instruction.dims[0]);
  }
  InstructionExtras& extras = instruction.Extras();
  switch (attribute) {
    case kIndexVectorDim:
      return cursor_.Integer(extras.gather->index_dim);
    case kFeatureGroups:
      return cursor_.Integer(extras.feature_groups);
    case kBatchGroups:
      return cursor_.Integer(extras.batch_groups);
    case kChannelId:
      return cursor_.Integer(extras.channel_id.emplace());
    case kK:
      return cursor_.Integer(extras.k);
    case kFeatureIndex:
      return cursor_.Integer(extras.feature_index);
    case kExponentBits:
      return cursor_.Integer(extras.exponent_bits);
    case kMantissaBits:
      return cursor_.Integer(extras.mantissa_bits);
    default:
      return cursor_.Real(extras.epsilon);
  }
}

bool AttributeReader::ReadWord(size_t attribute, Instruction& instruction) {
  const std::string_view word = cursor_.ExpectName("a word");
  if (!cursor_.ok()) return false;
  switch (attribute) {
    case kIsStable:
      instruction.is_stable = word == "true";
      return true;
    case kLargest:
      instruction.Extras().largest = word == "true";
      return true;
    case kUniqueIndices:
      instruction.Extras().unique_indices = word == "true";
      return true;
    case kSortedIndices:
      instruction.Extras().sorted_indices = word == "true";
      return true;
    case kDirection:
      for (size_t i = 0; i < kComparisonWords.size(); ++i) {
        if (kComparisonWords[i] != word) continue;
        instruction.comparison = static_cast<Comparison>(i);
        return true;
      }
      return cursor_.Fail(
          fmt::format("found direction {}, expected EQ, NE, LT, LE, GT or GE", word));
    case kKind:
      instruction.Extras().fusion_kind = word;
      return true;
    case kDistribution:
      instruction.Extras().distribution = word;
      return true;
    case kFftType:
      instruction.Extras().fft->type = word;
      return true;
    default:
      instruction.Extras().algorithm = word;
      return true;
  }
}

bool AttributeReader::ReadOther(size_t attribute, Instruction& instruction) {
  switch (attribute) {
    case kWindow:
      return ReadWindow(cursor_, instruction.Extras().window);
    case kDimLabels:
      return ReadDimLabels(cursor_, *instruction.Extras().conv);
    case kSlice:
      return ReadSlice(cursor_, instruction.Extras());
    case kPadding:
      return ReadPadding(cursor_, instruction.Extras());
    case kReplicaGroups:
      return ReadReplicaGroups(cursor_, instruction.Extras());
    case kSourceTargetPairs:
      return ReadPairs(cursor_, instruction.Extras().devices->source_target);
    case kOperandPrecision:
      return ReadPrecision(cursor_, instruction.Extras());
    case kSharding:
      return ReadSharding(cursor_, *instruction.Extras().sharding);
    case kMetadata:
      return ReadMetadata(cursor_, module_, frames_, instruction.metadata);
    case kBackendConfig:
      return ReadBackendConfig(instruction);
    case kFrontendAttributes:
      return ReadFrontendAttributes(cursor_, module_, instruction.Extras().frontend);
    case kCustomCallTarget:
      return ReadString(cursor_, module_, instruction.Extras().custom_call_target);
    case kInfeedConfig:
      return ReadString(cursor_, module_, instruction.Extras().infeed_config);
    default:
      cursor_.SkipValue();
      return cursor_.ok();
  }
}

bool AttributeReader::ReadBackendConfig(Instruction& instruction) {
  std::string_view config;
  if (cursor_.PeekSign() == '"') {
    if (!ReadString(cursor_, module_, config)) return false;
  } else {
    config = cursor_.SkipValue();
    if (!cursor_.ok()) return false;
  }
  instruction.Extras().backend_config = config;
  if (instruction.opcode == Opcode::kWhile) {
    instruction.Extras().trip_count = KnownTripCount(config);
  }
  return true;
}

bool AttributeReader::ReadCalled(size_t slot, std::vector<CalledName>& called) {
  if (cursor_.PeekSign() == '{') return ReadCalledList(slot, called);
  const char* at = cursor_.at();
  const std::string_view name = cursor_.ExpectName("a computation");
  called.push_back({slot, name, at});
  return cursor_.ok();
}

// "{%a, %b}", or the instructions of one computation.
bool AttributeReader::ReadCalledList(size_t slot, std::vector<CalledName>& called) {
  if (cursor_.PeekSign() != '{') return cursor_.FailExpected("'{'");
  const char* start = cursor_.at();
  const size_t first = slot;
  cursor_.Take('{');
  while (cursor_.PeekSign() != '}') {
    const char* at = cursor_.at();
    const std::string_view name = cursor_.ExpectName("a computation");
    if (!cursor_.ok()) return false;
    if (slot == first && (name == "ROOT" || cursor_.PeekSign() == '=')) {
      cursor_.Return(start);
      CalledName& here = called.emplace_back();
      here.slot = slot;
      here.at = start;
      return read_inline_(here.computation);
    }
    called.push_back({slot++, name, at});
    cursor_.Take(',');
  }
  return cursor_.Expect('}');
}

}  // namespace tilewise::hlo
