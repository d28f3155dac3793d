// The last batch of an epoch, when it is smaller than the others.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/units.h"
#include "pipeline/pipeline.h"

namespace tilewise {

// Index of the batch stage that keeps a partial last batch; none when each
// batch is full, or epochs run into each other before it.
std::optional<size_t> PartialBatchStage(const Pipeline& pipeline);

// Items of an epoch that reach stage `end`; none when unknown.
std::optional<int64_t> ItemsAt(const Pipeline& pipeline, size_t end);

// What the step of a rest of `rest` examples takes above its share of a full
// one of `batch`, spread over the steps of an epoch of `items`.
Seconds WasteOfPartialStep(Seconds partial, Seconds full, int64_t items, int64_t batch);

}  // namespace tilewise
