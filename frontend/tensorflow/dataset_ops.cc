// The table of tf.data ops.

#include "frontend/tensorflow/dataset_ops.h"

#include <algorithm>
#include <array>

namespace tilewise::tf {
namespace {

using K = StageKind;

constexpr auto kOps = std::to_array<DatasetOp>({
    // Sources.
    {"TensorSliceDataset", K::kFromTensorSlices},
    {"TensorDataset", K::kFromTensorSlices},
    {"SparseTensorSliceDataset", K::kFromTensorSlices},
    {"GeneratorDataset", K::kFromGenerator},
    {"RangeDataset", K::kRange},
    {"RandomDataset", K::kRange},
    {"RandomDatasetV2", K::kRange},
    {"MatchingFilesDataset", K::kListFiles},
    {"TFRecordDataset", K::kRecordFiles},
    {"TFRecordDatasetV2", K::kRecordFiles},
    {"TextLineDataset", K::kRecordFiles},
    {"FixedLengthRecordDataset", K::kRecordFiles},
    {"FixedLengthRecordDatasetV2", K::kRecordFiles},
    {"SSTableDataset", K::kRecordFiles},
    {"CSVDataset", K::kRecordFiles},
    {"CSVDatasetV2", K::kRecordFiles},
    {"SqlDataset", K::kUnknownSource},
    {"LMDBDataset", K::kRecordFiles},
    {"BigtableTableDataset", K::kUnknownSource},
    {"LoadDataset", K::kRecordFiles},
    {"ZipDataset", K::kZip},
    // Transformations.
    {"MapDataset", K::kMap},
    {"ParallelMapDataset", K::kMap, kNone, -1},
    {"ParallelMapDatasetV2", K::kMap, kNone, -1},
    {"ParseExampleDataset", K::kMap, kNone, 1},
    {"ParseExampleDatasetV2", K::kMap, kNone, 1},
    {"FilterDataset", K::kFilter},
    {"ParallelFilterDataset", K::kFilter, kNone, -1},
    {"FilterByLastComponentDataset", K::kFilter},
    {"FlatMapDataset", K::kFlatMap},
    {"InterleaveDataset", K::kInterleave, -2},
    {"ParallelInterleaveDataset", K::kInterleave, -5, -5},
    {"LegacyParallelInterleaveDatasetV2", K::kInterleave, -4, -4},
    {"ParallelInterleaveDatasetV2", K::kInterleave, -3, -1},
    {"ParallelInterleaveDatasetV3", K::kInterleave, -3, -1},
    {"ParallelInterleaveDatasetV4", K::kInterleave, -5, -1},
    {"DirectedInterleaveDataset", K::kInterleave},
    {"BatchDataset", K::kBatch, 1},
    {"BatchDatasetV2", K::kBatch, 1, kNone, 2},
    {"ParallelBatchDataset", K::kBatch, 1, 2, 3},
    {"MapAndBatchDataset", K::kBatch, -3, -2, -1},
    {"NumaMapAndBatchDataset", K::kBatch, -3, -2, -1},
    {"MapAndBatchDatasetV2", K::kBatch, -3, -2, -1},
    {"PaddedBatchDataset", K::kPaddedBatch, 1},
    {"PaddedBatchDatasetV2", K::kPaddedBatch, 1, kNone, -1},
    {"DenseToSparseBatchDataset", K::kBatch, 1},
    {"DenseToRaggedBatchDataset", K::kBatch, 1},
    {"UnbatchDataset", K::kUnbatch},
    {"ShuffleDataset", K::kShuffle, 1},
    {"ShuffleDatasetV2", K::kShuffle, 1},
    {"ShuffleDatasetV3", K::kShuffle, 1},
    {"ShuffleAndRepeatDataset", K::kShuffle, 1},
    {"ShuffleAndRepeatDatasetV2", K::kShuffle, 1},
    {"RepeatDataset", K::kRepeat, 1},
    {"CacheDataset", K::kCache},
    {"CacheDatasetV2", K::kCache},
    {"PrefetchDataset", K::kPrefetch, 1},
    {"TakeDataset", K::kTake, 1},
    {"SkipDataset", K::kSkip, 1},
    {"ShardDataset", K::kShard, 1},
    {"OptionsDataset", K::kWithOptions},
});

constexpr auto kWrappers =
    std::to_array<std::string_view>({"ModelDataset",
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
  for (const DatasetOp& entry : kOps) {
    if (entry.name == op) return &entry;
  }
  static constexpr DatasetOp kOther{"", StageKind::kOther};
  const bool dataset =
      op.find("Dataset") != std::string_view::npos &&
      !op.starts_with("DatasetTo") && !op.starts_with("DatasetCardinality") &&
      !op.starts_with("ReduceDataset") && !op.starts_with("DatasetFromGraph") &&
      op.find("Iterator") == std::string_view::npos;
  return dataset ? &kOther : nullptr;
}

bool IsWrapper(std::string_view op) {
  return std::find(kWrappers.begin(), kWrappers.end(), Modern(op)) !=
         kWrappers.end();
}

}  // namespace tilewise::tf
