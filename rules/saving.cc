// Simulates every change by itself, in parallel: the step that it lowers, and
// the loop around it.

#include "rules/saving.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tilewise {
namespace {

// Less than this of a step is rounding.
constexpr double kNothing = 1e-9;
constexpr int32_t kOpsLowered = 200'000;  // of forward graphs
constexpr int32_t kFewest = 4;
constexpr int32_t kMost = 64;

Seconds TimeOf(const Finding& finding) {
  return finding.cost.time_per_step.value_or(Seconds{});
}

bool Lowers(const Change& change) {
  return change.edits_graph() || change.batch_per_core;
}

// Indices of the findings to simulate, and how many were left out.
struct Chosen {
  std::vector<size_t> findings;
  int32_t left_out = 0;
};

Chosen Choose(std::span<const Finding> findings, int32_t most) {
  Chosen chosen;
  std::vector<size_t> lowered;
  for (size_t i = 0; i < findings.size(); ++i) {
    const Change& change = findings[i].change;
    if (change.empty()) continue;
    (Lowers(change) ? lowered : chosen.findings).push_back(i);
  }
  std::ranges::stable_sort(lowered, [&](size_t a, size_t b) {
    return TimeOf(findings[a]) > TimeOf(findings[b]);
  });
  const auto count = static_cast<int32_t>(lowered.size());
  if (count > most) {
    chosen.left_out = count - most;
    lowered.resize(static_cast<size_t>(most));
  }
  chosen.findings.insert(chosen.findings.end(), lowered.begin(), lowered.end());
  return chosen;
}

}  // namespace

int32_t MostLowered(int32_t ops) {
  return std::clamp(kOpsLowered / std::max(1, ops), kFewest, kMost);
}

Saving SavingOf(const Outcome& now, const Outcome& then, const Change& change) {
  Saving saving;
  Seconds before = now.step;
  Seconds after = then.step;
  if (change.edits_loop() || change.batch_per_core) {
    saving.of_wall_step = true;
    const auto examples = static_cast<double>(now.global_batch);
    before = now.per_example * examples;
    after = then.per_example * examples;
  }
  saving.time_per_step = before - after;
  if (before > Seconds{}) {
    saving.share_of_step = saving.time_per_step / before;
    if (std::abs(saving.share_of_step) < kNothing) {
      saving.time_per_step = {};
      saving.share_of_step = 0;
    }
  }
  saving.hbm = now.peak - then.peak;
  return saving;
}

int32_t AddSavings(const Facts& facts, std::span<Finding> findings,
                   int threads) {
  if (facts.model == nullptr || facts.source == nullptr ||
      facts.outcome_of == nullptr) {
    return 0;
  }
  const absl::StatusOr<Outcome> now = facts.outcome_of({});
  if (!now.ok()) return 0;
  const Chosen chosen = Choose(findings, MostLowered(facts.source->size()));
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(size_t{0}, chosen.findings.size(), [&](size_t i) {
      Finding& finding = findings[chosen.findings[i]];
      const Change* const change = &finding.change;
      const absl::StatusOr<Outcome> then = facts.outcome_of({&change, 1});
      if (then.ok()) finding.saving = SavingOf(*now, *then, *change);
    });
  });
  return chosen.left_out;
}

}  // namespace tilewise
