// What the batch alone pads: one cause of many tensors.

#pragma once

#include <cstdint>
#include <optional>

#include "rules/alignment/padding_waste.h"

namespace tilewise {

// The batch of the model's tensors; one that is written into a graph is found
// by following its inputs. 0: not found.
int64_t BatchInTensors(const Facts& facts);

// Requests one by one: their batch stays what it is.
bool AreSingleExamples(const Facts& facts, int64_t batch);

// AL002 speaks of a batch that the program chooses.
bool IsBatchOfOtherRule(const Facts& facts, int64_t batch);

// What the batch is padded to, where no dim is padded more.
struct PaddedBatch {
  int64_t size = 0;
  bool alone = true;  // no other dim is padded
};
std::optional<PaddedBatch> FindPaddedBatch(const Program& program, OpId value, int64_t batch);

// Layers with one cause.
struct PaddedLayers {
  PaddingWaste waste;
  int64_t count = 0;
};
void ReportPaddedBatch(const Facts& facts, int64_t batch, int64_t padded,
                       const PaddedLayers& layers, Sink& sink);

}  // namespace tilewise
