// Questions about the order of a pipeline's stages, and pipelines with another
// order.

#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// Pipelines that feed training, or may: all that are not for evaluation.
std::vector<const Pipeline*> FeedPipelines(const Facts& facts);

using StageKinds = std::initializer_list<StageKind>;
bool IsOneOf(StageKind kind, StageKinds kinds);
// Index of the first / last stage of one of these kinds, from `from` on.
std::optional<size_t> FirstOf(const Pipeline& pipeline, StageKinds kinds,
                              size_t from = 0);
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

// The release that the program pins, if any; else what the pipeline's own file
// says. Nothing: one of the last years.
std::optional<RuntimeVersion> RuntimeOf(const Facts& facts,
                                        const Pipeline& pipeline);
// Whether a default rewrite of the runtime that came with release `major.minor`
// acts on this pipeline: nothing when that depends on a release not known.
std::optional<bool> Rewrites(const Facts& facts, const Pipeline& pipeline,
                             std::string_view rewrite, int major, int minor);

// The pipeline with stage `from` taken out and put in before the stage that
// stands at `to` now (`to` may be one past the end).
Pipeline Moved(const Pipeline& pipeline, size_t from, size_t to);

// The pipeline with a new stage before the one that stands at `at` now.
Pipeline WithStage(const Pipeline& pipeline, size_t at, StageKind kind);

}  // namespace tilewise
