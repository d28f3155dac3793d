// Questions about the order of a pipeline's stages, and pipelines with another
// order.

#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "pipeline/pipeline.h"

namespace tilewise {

using StageKinds = std::initializer_list<StageKind>;
bool IsOneOf(StageKind kind, StageKinds kinds);
// Index of the first / last stage of one of these kinds, from `from` on.
std::optional<size_t> FirstOf(const Pipeline& pipeline, StageKinds kinds, size_t from = 0);
std::optional<size_t> LastOf(const Pipeline& pipeline, StageKinds kinds);

// Whether the elements that reach stage `at` are batches.
bool TakesBatches(const Pipeline& pipeline, size_t at);
// Whether the reader of the files makes the batches itself, so that nothing can
// be put before them: image_dataset_from_directory(batch_size=...).
bool IsPreBatched(const Pipeline& pipeline);
// Whether the elements that reach stage `at` are names of files: what an
// interleave or flat_map behind it opens.
bool TakesFileNames(const Pipeline& pipeline, size_t at);
// "map(parse)", "batch", as a message names the stage.
std::string NameOfStage(const Stage& stage);

// The pipeline with stage `from` taken out and put in before the stage that
// stands at `to` now (`to` may be one past the end).
Pipeline Moved(const Pipeline& pipeline, size_t from, size_t to);

// The pipeline with a new stage before the one that stands at `at` now.
Pipeline WithStage(const Pipeline& pipeline, size_t at, StageKind kind);

}  // namespace tilewise
