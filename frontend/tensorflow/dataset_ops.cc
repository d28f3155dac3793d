// The table of tf.data ops.

#include "frontend/tensorflow/dataset_ops.h"

#include <algorithm>
#include <array>

namespace tilewise::tf {
namespace {

constexpr auto kDatasetOps = std::to_array<DatasetOp>({
    // Sources.
    {"TensorSliceDataset", StageKind::kFromTensorSlices},
    {"TensorDataset", StageKind::kFromTensorSlices},
    {"SparseTensorSliceDataset", StageKind::kFromTensorSlices},
    {"GeneratorDataset", StageKind::kFromGenerator},
    {"RangeDataset", StageKind::kRange},
    {"RandomDataset", StageKind::kRange},
    {"RandomDatasetV2", StageKind::kRange},
    {"MatchingFilesDataset", StageKind::kListFiles},
    {"TFRecordDataset", StageKind::kRecordFiles},
    {"TFRecordDatasetV2", StageKind::kRecordFiles},
    {"TextLineDataset", StageKind::kRecordFiles},
    {"FixedLengthRecordDataset", StageKind::kRecordFiles},
    {"FixedLengthRecordDatasetV2", StageKind::kRecordFiles},
    {"SSTableDataset", StageKind::kRecordFiles},
    {"CSVDataset", StageKind::kRecordFiles},
    {"CSVDatasetV2", StageKind::kRecordFiles},
    {"SqlDataset", StageKind::kUnknownSource},
    {"LMDBDataset", StageKind::kRecordFiles},
    {"BigtableTableDataset", StageKind::kUnknownSource},
    {"LoadDataset", StageKind::kRecordFiles},
    {"ZipDataset", StageKind::kZip},
    // Transformations.
    {"MapDataset", StageKind::kMap},
    {"ParallelMapDataset", StageKind::kMap, kNoOperand, -1},
    {"ParallelMapDatasetV2", StageKind::kMap, kNoOperand, -1},
    {"ParseExampleDataset", StageKind::kMap, kNoOperand, 1},
    {"ParseExampleDatasetV2", StageKind::kMap, kNoOperand, 1},
    {"FilterDataset", StageKind::kFilter},
    {"ParallelFilterDataset", StageKind::kFilter, kNoOperand, -1},
    {"FilterByLastComponentDataset", StageKind::kFilter},
    {"FlatMapDataset", StageKind::kFlatMap},
    {"InterleaveDataset", StageKind::kInterleave, -2},
    {"ParallelInterleaveDataset", StageKind::kInterleave, -5, -5},
    {"LegacyParallelInterleaveDatasetV2", StageKind::kInterleave, -4, -4},
    {"ParallelInterleaveDatasetV2", StageKind::kInterleave, -3, -1},
    {"ParallelInterleaveDatasetV3", StageKind::kInterleave, -3, -1},
    {"ParallelInterleaveDatasetV4", StageKind::kInterleave, -5, -1},
    {"DirectedInterleaveDataset", StageKind::kInterleave},
    {"BatchDataset", StageKind::kBatch, 1},
    {"BatchDatasetV2", StageKind::kBatch, 1, kNoOperand, 2},
    {"ParallelBatchDataset", StageKind::kBatch, 1, 2, 3},
    {"MapAndBatchDataset", StageKind::kBatch, -3, -2, -1},
    {"NumaMapAndBatchDataset", StageKind::kBatch, -3, -2, -1},
    {"MapAndBatchDatasetV2", StageKind::kBatch, -3, -2, -1},
    {"PaddedBatchDataset", StageKind::kPaddedBatch, 1},
    {"PaddedBatchDatasetV2", StageKind::kPaddedBatch, 1, kNoOperand, -1},
    {"DenseToSparseBatchDataset", StageKind::kBatch, 1},
    {"DenseToRaggedBatchDataset", StageKind::kBatch, 1},
    {"UnbatchDataset", StageKind::kUnbatch},
    {"ShuffleDataset", StageKind::kShuffle, 1},
    {"ShuffleDatasetV2", StageKind::kShuffle, 1},
    {"ShuffleDatasetV3", StageKind::kShuffle, 1},
    {"ShuffleAndRepeatDataset", StageKind::kShuffle, 1},
    {"ShuffleAndRepeatDatasetV2", StageKind::kShuffle, 1},
    {"RepeatDataset", StageKind::kRepeat, 1},
    {"CacheDataset", StageKind::kCache},
    {"CacheDatasetV2", StageKind::kCache},
    {"PrefetchDataset", StageKind::kPrefetch, 1},
    {"TakeDataset", StageKind::kTake, 1},
    {"SkipDataset", StageKind::kSkip, 1},
    {"ShardDataset", StageKind::kShard, 1},
    {"OptionsDataset", StageKind::kWithOptions},
});

constexpr auto kWrappers = std::to_array<std::string_view>({"ModelDataset",
                                                            "OptimizeDataset",
                                                            "OptimizeDatasetV2",
                                                            "AutoShardDataset",
                                                            "RebatchDataset",
                                                            "RebatchDatasetV2",
                                                            "MaxIntraOpParallelismDataset",
                                                            "PrivateThreadPoolDataset",
                                                            "ThreadPoolDataset",
                                                            "NonSerializableDataset",
                                                            "AssertCardinalityDataset",
                                                            "SetStatsAggregatorDataset",
                                                            "LatencyStatsDataset",
                                                            "BytesProducedStatsDataset",
                                                            "SleepDataset",
                                                            "WrapDatasetVariant",
                                                            "UnwrapDatasetVariant",
                                                            "FinalizeDataset",
                                                            "AssertNextDataset",
                                                            "IgnoreErrorsDataset",
                                                            "IgnoreErrorsDatasetV2"});

std::string_view Modern(std::string_view op) {
  constexpr std::string_view kExperimental = "Experimental";
  if (op.starts_with(kExperimental)) op.remove_prefix(kExperimental.size());
  return op;
}

}  // namespace

const DatasetOp* FindDatasetOp(std::string_view op) {
  op = Modern(op);
  for (const DatasetOp& entry : kDatasetOps) {
    if (entry.name == op) return &entry;
  }
  static constexpr DatasetOp kOther{"", StageKind::kOther};
  const bool dataset = op.find("Dataset") != std::string_view::npos &&
                       !op.starts_with("DatasetTo") && !op.starts_with("DatasetCardinality") &&
                       !op.starts_with("ReduceDataset") && !op.starts_with("DatasetFromGraph") &&
                       op.find("Iterator") == std::string_view::npos;
  return dataset ? &kOther : nullptr;
}

bool IsWrapper(std::string_view op) {
  return std::find(kWrappers.begin(), kWrappers.end(), Modern(op)) != kWrappers.end();
}

}  // namespace tilewise::tf
