// Edits of the text that makes a layer: a constructor in a script, an entry of
// a model's JSON. Layers are named by the location of their ops.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "workload/workload.h"

namespace tilewise {

// What a layer's width is called: units or filters, and the two sizes of a
// table.
enum class LayerSize : uint8_t { kFeatures, kRows };

// Another size for a layer whose weight has `now` of it and is to have `then`:
// an LSTM has four kernels side by side. Nothing where that is not what is
// written, or is written more than once.
std::vector<TextEdit> SetLayerSize(const Workload& workload, const Location& layer, LayerSize size,
                                   int64_t now, int64_t then);

// "MaxPooling2D" and "MaxPool2D" become "AveragePooling2D", for 1, 2 and 3
// dims.
std::vector<TextEdit> PoolByAverage(const Workload& workload, const Location& layer);

}  // namespace tilewise
