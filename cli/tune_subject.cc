// The search space that the options and the files span.

#include "cli/tune_subject.h"

#include "cli/progress.h"

namespace tilewise {

absl::StatusOr<Tuning> TuneSubject(const SearchOptions& options, const Subject& subject) {
  SearchSpace space;
  if (options.max_global_batch > 0) {
    space.max_global_batch = options.max_global_batch;
  }
  ProgressLine progress("trying batch sizes");
  return Tune(*subject.session, space, progress.callback());
}

}  // namespace tilewise
