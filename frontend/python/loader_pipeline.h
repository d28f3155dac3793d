// Loaders that are no tf.data: DataLoader of PyTorch and of Grain, MapDataset, WebLoader,
// Sequence and PyDataset of Keras, seqio, and make_data_loader of LibTorch. What they do for
// an example is a stage.

#pragma once

#include <optional>

#include "pipeline/pipeline.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// The loader that feeds training; none where there is none or several could.
std::optional<Pipeline> LoaderPipeline(const SourceFacts& facts);

}  // namespace tilewise::python
