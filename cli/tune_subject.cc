// The search space that the options and the files span.

#include "cli/tune_subject.h"

#include "cli/progress.h"

namespace tilewise {
namespace {

SearchSpace SpaceOf(const SearchOptions& options, const Analysis& analysis) {
  SearchSpace space;
  if (!analysis.batch_assumed()) {
    space.current_global_batch = analysis.facts().global_batch;
  }
  space.current_steps_per_execution = analysis.steps_per_execution();
  space.examples_per_epoch = analysis.examples_per_epoch();
  space.steps_per_epoch = analysis.steps_per_epoch();
  if (options.max_global_batch > 0) {
    space.max_global_batch = options.max_global_batch;
  }
  return space;
}

}  // namespace

absl::StatusOr<Tuning> TuneSubject(const SearchOptions& options,
                                   const Subject& subject) {
  ProgressLine progress("trying batch sizes");
  return Tune(subject.workload, SpaceOf(options, *subject.analysis),
              subject.target, subject.analysis->lower_options(),
              progress.callback());
}

}  // namespace tilewise
