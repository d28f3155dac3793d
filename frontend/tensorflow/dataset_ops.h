// tf.data ops: what stage each is and where its parameters stand.

#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/pipeline.h"

namespace tilewise::tf {

// Indices of operands: from the start when 0 or more; from the end when
// negative (-1 is the last); kNoOperand: the op has none.
inline constexpr int kNoOperand = 100;

struct DatasetOp {
  std::string_view name;
  StageKind kind = StageKind::kOther;
  int amount = kNoOperand;
  int parallel_calls = kNoOperand;
  int drop_remainder = kNoOperand;
};

// Null: no dataset. Names of earlier versions ("ExperimentalMapAndBatch...")
// are those of today. Datasets that are not in the table are kOther.
const DatasetOp* FindDatasetOp(std::string_view op);
// Whether the op wraps a dataset without a stage of its own (OptimizeDataset).
bool IsWrapper(std::string_view op);

}  // namespace tilewise::tf
