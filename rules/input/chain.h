// Questions about the order of a pipeline's stages, and pipelines with another
// order.

#pragma once

#include <initializer_list>
#include <optional>
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

// The pipeline with stage `from` taken out and put in before the stage that
// stands at `to` now (`to` may be one past the end).
Pipeline Moved(const Pipeline& pipeline, size_t from, size_t to);

// The pipeline with a new stage before the one that stands at `at` now.
Pipeline WithStage(const Pipeline& pipeline, size_t at, StageKind kind);

}  // namespace tilewise
