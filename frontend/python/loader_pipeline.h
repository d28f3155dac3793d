// Loaders that are no tf.data: DataLoader of PyTorch and of Grain, MapDataset, WebLoader,
// Sequence and PyDataset of Keras, seqio, and make_data_loader of LibTorch. What they do for
// an example is a stage.

#pragma once

#include <optional>
#include <vector>

#include "frontend/program/loader_arguments.h"
#include "pipeline/pipeline.h"
#include "workload/source_facts.h"

namespace tilewise::python {

using Loaders = std::vector<program::LoaderArguments>;

// The loader of these calls that feeds training; none where there is none or several could.
// `loaders`: those that the program made when it ran.
std::optional<Pipeline> LoaderPipeline(const SourceFacts& facts, const Loaders& loaders = {});
// The loader that a step was trained on, wherever its call is.
std::optional<Pipeline> TrainingLoaderPipeline(const Loaders& loaders);

}  // namespace tilewise::python
