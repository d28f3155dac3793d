// Simulates every change by itself, in parallel: the step that it lowers, and
// the loop around it.

#include "advice/saving.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "advice/fold_findings.h"
#include "session/session.h"

namespace tilewise {
namespace {

// Less than this of a step is rounding.
constexpr double kNothing = 1e-9;
constexpr int32_t kOpsLowered = 200'000;  // of forward graphs
constexpr int32_t kFewest = 4;
constexpr int32_t kMost = 64;

Seconds TimeOf(const Finding& finding) { return finding.cost.time_per_step.value_or(Seconds{}); }

bool Lowers(const Change& change) { return change.edits_graph() || change.batch_per_core; }

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
    if (change.empty() || findings[i].saving) continue;
    (Lowers(change) ? lowered : chosen.findings).push_back(i);
  }
  std::ranges::stable_sort(
      lowered, [&](size_t a, size_t b) { return TimeOf(findings[a]) > TimeOf(findings[b]); });
  const auto count = static_cast<int32_t>(lowered.size());
  if (count > most) {
    chosen.left_out = count - most;
    lowered.resize(most);
  }
  chosen.findings.insert(chosen.findings.end(), lowered.begin(), lowered.end());
  return chosen;
}

// What is simulated: the choice is made here, so that results do not depend on
// the order in which threads come to it.
void SimulateAll(const Facts& facts, const Outcome& now, const Chosen& chosen,
                 std::span<Finding> findings, int threads) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(size_t{0}, chosen.findings.size(), [&](size_t i) {
      Finding& finding = findings[chosen.findings[i]];
      const Change* const change = &finding.change;
      const absl::StatusOr<Outcome> then = facts.session.OutcomeOf({&change, 1});
      if (then.ok()) {
        finding.saving = SavingOf(now, *then, *change);
      } else {
        finding.no_saving = Message(then.status());
      }
    });
  });
}

// Empty where there is one, where the cost is not known for the same reason,
// and of fixes that were left out.
std::string WhyNone(const Facts& facts, const Finding& finding) {
  if (finding.saving) return "";
  if (!finding.no_saving.empty()) return finding.no_saving;
  if (!finding.cost.known()) return "";
  if (facts.model == nullptr) return "no model was read";
  return finding.change.empty() ? std::string(finding.no_change) : "";
}

// A reason that several findings of a rule share is said at the most expensive.
void SayWhyNone(const Facts& facts, std::span<Finding> findings) {
  std::vector<Finding*> ordered;
  ordered.reserve(findings.size());
  for (Finding& finding : findings) ordered.push_back(&finding);
  std::ranges::stable_sort(ordered,
                           [](const Finding* a, const Finding* b) { return CostsMore(*a, *b); });
  std::set<std::pair<std::string, std::string>> said;
  for (Finding* const finding : ordered) {
    const std::string why = WhyNone(facts, *finding);
    if (why.empty() || !said.emplace(finding->rule, why).second) continue;
    std::string& text = finding->fix.text;
    text += fmt::format("{}no saving simulated: {}", text.empty() ? "" : "; ", why);
  }
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

std::optional<Saving> SavingAlone(const Facts& facts, const Change& change) {
  const Change* const one = &change;
  const absl::StatusOr<Outcome> now = facts.session.OutcomeOf({});
  const absl::StatusOr<Outcome> then = facts.session.OutcomeOf({&one, 1});
  if (!now.ok() || !then.ok()) return std::nullopt;
  return SavingOf(*now, *then, change);
}

void SetIfItSaves(const Facts& facts, Change change, Finding& found) {
  if (change.empty()) return;
  const std::optional<Saving> saving = SavingAlone(facts, change);
  if (saving && saving->time_per_step <= Seconds{}) {
    found.no_saving = "the step gains nothing from it";
    return;
  }
  found.change = std::move(change);
  found.saving = saving;
}

int32_t AddSavings(const Facts& facts, std::span<Finding> findings, int threads) {
  int32_t left_out = 0;
  if (facts.model != nullptr && facts.source != nullptr) {
    const absl::StatusOr<Outcome> now = facts.session.OutcomeOf({});
    const Chosen chosen = Choose(findings, MostLowered(facts.source->size()));
    if (now.ok()) SimulateAll(facts, *now, chosen, findings, threads);
    left_out = now.ok() ? chosen.left_out : 0;
  }
  SayWhyNone(facts, findings);
  return left_out;
}

}  // namespace tilewise
