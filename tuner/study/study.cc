// A row is written once and for all, but for a trial that was only bounded by its
// estimate: one that was simulated, or bounded further, takes its place.

#include "tuner/study/study.h"

#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "tuner/study/result_json.h"
#include "tuner/study/schema.h"

namespace tilewise {
namespace {

constexpr char kAddStudy[] =
    "INSERT INTO tilewise_studies (study, tilewise, program, target, objective, started_at) "
    "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
constexpr char kFinishStudy[] =
    "UPDATE tilewise_studies SET finished_at = $1, best_machine = $2, best_changes = $3, "
    "best_setting = $4, best_batch_per_core = $5, best_global_batch = $6, "
    "best_steps_per_execution = $7, best_step_s = $8, best_examples_per_second = $9, "
    "best_hbm_peak_bytes = $10 WHERE study = $11";
constexpr char kFindTrial[] =
    "SELECT pruned, to_beat, result FROM tilewise_trials "
    "WHERE study = $1 AND setting = $2 AND batch_per_core = $3 AND exhaustive = $4";
constexpr char kAddTrial[] =
    "INSERT INTO tilewise_trials (study, setting, machine, changes, batch_per_core, exhaustive, "
    "to_beat, global_batch, steps_per_execution, fits, pruned, error, device_step_s, step_s, "
    "examples_per_second, hbm_peak_bytes, hbm_available_bytes, finished_at, result) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) "
    "ON CONFLICT (study, setting, batch_per_core, exhaustive) DO UPDATE SET "
    "to_beat = excluded.to_beat, steps_per_execution = excluded.steps_per_execution, "
    "fits = excluded.fits, pruned = excluded.pruned, error = excluded.error, "
    "device_step_s = excluded.device_step_s, step_s = excluded.step_s, "
    "examples_per_second = excluded.examples_per_second, "
    "hbm_peak_bytes = excluded.hbm_peak_bytes, finished_at = excluded.finished_at, "
    "result = excluded.result "
    "WHERE (tilewise_trials.pruned OR NOT tilewise_trials.fits) AND "
    "(NOT excluded.pruned OR excluded.to_beat < tilewise_trials.to_beat)";

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

SqlValue NoneIfZero(double value) { return value > 0 ? SqlValue(value) : SqlValue(); }

}  // namespace

absl::StatusOr<std::unique_ptr<Study>> Study::Open(const std::string& where,
                                                   const StudyIdentity& identity) {
  TW_ASSIGN_OR_RETURN(std::unique_ptr<Database> database, OpenStudyDatabase(where, Access::kWrite));
  const SqlValue row[] = {identity.key,    identity.tilewise,  identity.program,
                          identity.target, identity.objective, Now()};
  TW_RETURN_IF_ERROR(database->Run(kAddStudy, row).status());
  return std::unique_ptr<Study>(new Study(std::move(database), identity.key));
}

const std::string& Study::KeyOf(const Space& space, int32_t setting) {
  const auto index = static_cast<size_t>(setting);
  settings_.resize(static_cast<size_t>(space.settings()));
  if (settings_[index].empty()) settings_[index] = SettingKey(space.setting(setting));
  return settings_[index];
}

absl::StatusOr<bool> Study::Claim(const Space& space, const Candidate& candidate) {
  return database_->Claim(ClaimOf(key_, KeyOf(space, candidate.setting), candidate));
}

absl::Status Study::Release(const Space& space, const Candidate& candidate) {
  return database_->Release(ClaimOf(key_, KeyOf(space, candidate.setting), candidate));
}

absl::StatusOr<bool> Study::Find(const Space& space, const Candidate& candidate, Result& result) {
  const SqlValue key[] = {key_, KeyOf(space, candidate.setting), candidate.batch_per_core,
                          candidate.tries_all};
  TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows, database_->Run(kFindTrial, key));
  if (rows.empty()) return false;
  const SqlRow& row = rows.front();
  if (BoolOf(row[0]) && candidate.to_beat < NumberOf(row[1])) return false;
  absl::StatusOr<Result> read = ReadResult(TextOf(row[2]));
  if (!read.ok()) {
    return InvalidInput(
        fmt::format("{}: found a trial (study {}, {} per core) that is damaged, expected a result "
                    "as tilewise writes it: delete its row, or name another file",
                    database_->name(), key_.substr(0, 8), candidate.batch_per_core));
  }
  if (read->trial.peak_is_bound && !candidate.bounds_suffice) return false;
  result = *std::move(read);
  FillIn(space, candidate, result);
  return true;
}

absl::Status Study::Add(const Space& space, const Candidate& candidate, const Result& result) {
  const SearchSetting& setting = space.setting(candidate.setting);
  const Trial& trial = result.trial;
  const bool has_loop = result.error.empty() && IsSimulated(trial);
  const SqlValue row[] = {
      key_,
      KeyOf(space, candidate.setting),
      MachineName(setting.target),
      ChangesInWords(setting),
      candidate.batch_per_core,
      candidate.tries_all,
      candidate.to_beat,
      trial.global_batch > 0 ? SqlValue(trial.global_batch) : SqlValue(),
      has_loop ? SqlValue(trial.steps_per_execution) : SqlValue(),
      trial.fits,
      trial.pruned,
      result.error.empty() ? SqlValue() : SqlValue(result.error),
      NoneIfZero(trial.device_step.value),
      has_loop ? NoneIfZero(trial.loop.step.value) : SqlValue(),
      has_loop ? NoneIfZero(Throughput(trial)) : SqlValue(),
      trial.peak_is_bound ? SqlValue() : SqlValue(trial.hbm_peak.value),
      trial.hbm_available.value,
      Now(),
      WriteResult(result),
  };
  return database_->Run(kAddTrial, row).status();
}

absl::Status Study::Finish(const Tuning& tuning) {
  std::vector<SqlValue> row(11);
  row[0] = Now();
  if (tuning.best) {
    const Trial& best = *tuning.best;
    row[1] = tuning.machine;
    row[2] = tuning.changes;
    row[3] = settings_[static_cast<size_t>(best.setting)];
    row[4] = best.batch_per_core;
    row[5] = best.global_batch;
    row[6] = best.steps_per_execution;
    row[7] = NoneIfZero(best.loop.step.value);
    row[8] = NoneIfZero(Throughput(best));
    row[9] = best.hbm_peak.value;
  }
  row[10] = key_;
  return database_->Run(kFinishStudy, row).status();
}

}  // namespace tilewise
