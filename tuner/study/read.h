// Studies as they stand in a database, for whoever shows them.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "tuner/study/database.h"

namespace tilewise {

struct StoredTrial {
  std::string setting, machine, changes;
  int64_t batch_per_core = 0, global_batch = 0;
  int64_t steps_per_execution = 0;  // 0: no loop was simulated
  bool fits = false, pruned = false, exhaustive = false;
  std::string error;
  double device_step_s = 0;  // of a pruned one: at least
  double step_s = 0, examples_per_second = 0;
  int64_t hbm_peak_bytes = 0, hbm_available_bytes = 0;
  std::string finished_at;
};

struct StoredBest {
  std::string setting, machine, changes;
  int64_t batch_per_core = 0, global_batch = 0, steps_per_execution = 0;
  double step_s = 0, examples_per_second = 0;
  int64_t hbm_peak_bytes = 0;
};

struct StoredStudy {
  std::string key, tilewise, program, target, objective;
  std::string started_at, finished_at;  // the second is empty while it runs
  int64_t trials = 0;
  std::optional<StoredBest> best;  // what `tune` answered
};

// Reads the studies, the latest first.
absl::StatusOr<std::vector<StoredStudy>> ReadStudies(Database& database);
// Reads the trials by setting, then by batch.
absl::StatusOr<std::vector<StoredTrial>> ReadTrials(Database& database, const std::string& study);

// The fastest that fits of those that there are; null: none.
const StoredTrial* FastestOf(std::span<const StoredTrial> trials);

}  // namespace tilewise
