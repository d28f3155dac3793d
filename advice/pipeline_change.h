// What fixes do to a pipeline, as parts of a Change. They find their stages
// again by what they are and where the author wrote them, not by their index,
// so that several can be made one after the other; a stage that is gone is left
// alone.

#pragma once

#include <cstddef>
#include <functional>

#include "advice/finding.h"
#include "pipeline/pipeline.h"
#include "session/facts.h"

namespace tilewise {

using PipelineChange = std::function<void(Pipeline&)>;

// The pipeline as the change leaves it.
Pipeline With(Pipeline pipeline, const PipelineChange& change);

// Stage `from` taken out and put in before stage `to`, both of `pipeline`; `to`
// may be one past the end.
PipelineChange MovingStage(const Pipeline& pipeline, size_t from, size_t to);

// `stage` put in before stage `at`, which may be one past the end.
PipelineChange InsertingStage(const Pipeline& pipeline, size_t at, Stage stage);

// Stage `at` taken out.
PipelineChange RemovingStage(const Pipeline& pipeline, size_t at);

// `edit` made on stage `at`.
PipelineChange EditingStage(const Pipeline& pipeline, size_t at, std::function<void(Stage&)> edit);

// The same with a new stage that has AUTOTUNE as its amount: a prefetch, a cache.
PipelineChange InsertingStage(const Pipeline& pipeline, size_t at, StageKind kind);
// A prefetch behind all stages.
PipelineChange EndingInPrefetch(const Pipeline& pipeline);

// Stage `at` with AUTOTUNE as its number of parallel calls.
PipelineChange RunningInParallel(const Pipeline& pipeline, size_t at);

// Makes `change` part of what the fix of `found` does, when `pipeline` is the
// one that feeds the simulated step.
void ChangePipeline(const Facts& facts, const Pipeline& pipeline, PipelineChange change,
                    Finding& found);

}  // namespace tilewise
