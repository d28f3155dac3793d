// Edits of a copy of a pipeline, by stages that are found again.

#include "advice/pipeline_change.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"

namespace tilewise {
namespace {

// A stage as the file has it: several calls may stand at one location, as those
// of a function that is called twice.
class StageKey {
 public:
  StageKey(const Pipeline& pipeline, size_t index)
      : kind_(pipeline.stages[index].kind), location_(pipeline.stages[index].location) {
    for (size_t i = 0; i < index; ++i) {
      if (Matches(pipeline.stages[i])) ++earlier_;
    }
  }

  std::optional<size_t> In(const Pipeline& pipeline) const {
    size_t seen = 0;
    for (size_t i = 0; i < pipeline.stages.size(); ++i) {
      if (!Matches(pipeline.stages[i])) continue;
      if (seen++ == earlier_) return i;
    }
    return std::nullopt;
  }

 private:
  bool Matches(const Stage& stage) const {
    return stage.kind == kind_ && stage.location == location_;
  }

  StageKind kind_;
  Location location_;
  size_t earlier_ = 0;
};

// A position between stages: before one, or the end.
class InsertionPoint {
 public:
  InsertionPoint(const Pipeline& pipeline, size_t at) {
    TW_CHECK(at <= pipeline.stages.size());
    if (at < pipeline.stages.size()) before_.emplace(pipeline, at);
  }

  std::optional<size_t> In(const Pipeline& pipeline) const {
    return before_ ? before_->In(pipeline) : pipeline.stages.size();
  }

 private:
  std::optional<StageKey> before_;
};

auto At(std::vector<Stage>& stages, size_t i) {
  return stages.begin() + static_cast<std::ptrdiff_t>(i);
}

void Move(std::vector<Stage>& stages, size_t from, size_t to) {
  if (from < to) {
    std::rotate(At(stages, from), At(stages, from + 1), At(stages, to));
  } else {
    std::rotate(At(stages, to), At(stages, from), At(stages, from + 1));
  }
}

}  // namespace

Pipeline With(Pipeline pipeline, const PipelineChange& change) {
  change(pipeline);
  return pipeline;
}

PipelineChange MovingStage(const Pipeline& pipeline, size_t from, size_t to) {
  TW_CHECK(from < pipeline.stages.size());
  return [stage = StageKey(pipeline, from),
          position = InsertionPoint(pipeline, to)](Pipeline& edited) {
    const std::optional<size_t> now = stage.In(edited);
    const std::optional<size_t> then = position.In(edited);
    if (now && then) Move(edited.stages, *now, *then);
  };
}

PipelineChange InsertingStage(const Pipeline& pipeline, size_t at, Stage stage) {
  return [position = InsertionPoint(pipeline, at), stage = std::move(stage)](Pipeline& edited) {
    const std::optional<size_t> then = position.In(edited);
    if (then) edited.stages.insert(At(edited.stages, *then), stage);
  };
}

PipelineChange RemovingStage(const Pipeline& pipeline, size_t at) {
  TW_CHECK(at < pipeline.stages.size());
  return [stage = StageKey(pipeline, at)](Pipeline& edited) {
    const std::optional<size_t> now = stage.In(edited);
    if (now) edited.stages.erase(At(edited.stages, *now));
  };
}

PipelineChange EditingStage(const Pipeline& pipeline, size_t at, std::function<void(Stage&)> edit) {
  TW_CHECK(at < pipeline.stages.size());
  return [stage = StageKey(pipeline, at), edit = std::move(edit)](Pipeline& edited) {
    const std::optional<size_t> now = stage.In(edited);
    if (now) edit(edited.stages[*now]);
  };
}

PipelineChange InsertingStage(const Pipeline& pipeline, size_t at, StageKind kind) {
  Stage stage;
  stage.kind = kind;
  stage.amount.kind = Count::Kind::kAutotune;
  return InsertingStage(pipeline, at, std::move(stage));
}

PipelineChange EndingInPrefetch(const Pipeline& pipeline) {
  return InsertingStage(pipeline, pipeline.stages.size(), StageKind::kPrefetch);
}

PipelineChange RunningInParallel(const Pipeline& pipeline, size_t at) {
  return EditingStage(
      pipeline, at, [](Stage& stage) { stage.parallel_calls = {.kind = Count::Kind::kAutotune}; });
}

void ChangePipeline(const Facts& facts, const Pipeline& pipeline, PipelineChange change,
                    Finding& found) {
  if (&pipeline != facts.workload.training_pipeline()) return;
  found.change.pipeline = std::move(change);
}

}  // namespace tilewise
