// The columns of the SELECTs are those that the functions take, in order.

#include "tuner/study/read.h"

namespace tilewise {
namespace {

constexpr char kStudies[] =
    "SELECT study, tilewise, program, target, objective, started_at, finished_at, "
    "(SELECT count(*) FROM tilewise_trials WHERE tilewise_trials.study = tilewise_studies.study), "
    "best_setting, best_machine, best_changes, best_batch_per_core, best_global_batch, "
    "best_steps_per_execution, best_step_s, best_examples_per_second, best_hbm_peak_bytes "
    "FROM tilewise_studies ORDER BY started_at DESC, study";
constexpr char kTrials[] =
    "SELECT setting, machine, changes, batch_per_core, global_batch, steps_per_execution, fits, "
    "pruned, exhaustive, error, device_step_s, step_s, examples_per_second, hbm_peak_bytes, "
    "hbm_available_bytes, finished_at FROM tilewise_trials WHERE study = $1 "
    "ORDER BY machine, changes, setting, batch_per_core, exhaustive";

// The values of a row, one after the other.
class Values {
 public:
  explicit Values(const SqlRow& row) : row_(row) {}
  Values& operator>>(std::string& text) { return text = TextOf(row_[at_++]), *this; }
  Values& operator>>(int64_t& number) { return number = IntegerOf(row_[at_++]), *this; }
  Values& operator>>(double& number) { return number = NumberOf(row_[at_++]), *this; }
  Values& operator>>(bool& yes) { return yes = BoolOf(row_[at_++]), *this; }

 private:
  const SqlRow& row_;
  size_t at_ = 0;
};

StoredStudy StudyOf(const SqlRow& row) {
  StoredStudy study;
  StoredBest best;
  Values(row) >> study.key >> study.tilewise >> study.program >> study.target >> study.objective >>
      study.started_at >> study.finished_at >> study.trials >> best.setting >> best.machine >>
      best.changes >> best.batch_per_core >> best.global_batch >> best.steps_per_execution >>
      best.step_s >> best.examples_per_second >> best.hbm_peak_bytes;
  if (best.global_batch > 0) study.best = best;
  return study;
}

StoredTrial TrialOf(const SqlRow& row) {
  StoredTrial trial;
  Values(row) >> trial.setting >> trial.machine >> trial.changes >> trial.batch_per_core >>
      trial.global_batch >> trial.steps_per_execution >> trial.fits >> trial.pruned >>
      trial.exhaustive >> trial.error >> trial.device_step_s >> trial.step_s >>
      trial.examples_per_second >> trial.hbm_peak_bytes >> trial.hbm_available_bytes >>
      trial.finished_at;
  return trial;
}

}  // namespace

absl::StatusOr<std::vector<StoredStudy>> ReadStudies(Database& database) {
  TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows, database.Run(kStudies));
  std::vector<StoredStudy> studies;
  studies.reserve(rows.size());
  for (const SqlRow& row : rows) studies.push_back(StudyOf(row));
  return studies;
}

absl::StatusOr<std::vector<StoredTrial>> ReadTrials(Database& database, const std::string& study) {
  const SqlValue key[] = {study};
  TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows, database.Run(kTrials, key));
  std::vector<StoredTrial> trials;
  trials.reserve(rows.size());
  for (const SqlRow& row : rows) trials.push_back(TrialOf(row));
  return trials;
}

const StoredTrial* FastestOf(std::span<const StoredTrial> trials) {
  const StoredTrial* fastest = nullptr;
  for (const StoredTrial& trial : trials) {
    const bool counts = trial.fits && !trial.pruned && trial.examples_per_second > 0;
    if (!counts) continue;
    if (fastest == nullptr || trial.examples_per_second > fastest->examples_per_second) {
      fastest = &trial;
    }
  }
  return fastest;
}

}  // namespace tilewise
