// Adds fixes up: the largest saving first, each on top of those before it. As
// most fixes have nothing to do with each other, many are tried at once, and
// only a group that reaches less than its parts promise is taken apart.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "advice/saving.h"
#include "session/session.h"

namespace tilewise {
namespace {

constexpr double kEqual = 1e-6;     // of a time
constexpr double kPromised = 0.95;  // of the savings of a group's parts

// A finding's change, and what it saves alone, per example.
struct Candidate {
  int32_t finding = 0;
  const Change* change = nullptr;
  Seconds saved;
  bool of_wall_step = false;
  Bytes freed;  // of the peak
};

Seconds DevicePerExample(const Outcome& outcome) {
  return outcome.step / static_cast<double>(std::max<int64_t>(1, outcome.global_batch));
}

// An order of outcomes: does it fit, time per example, device time per example,
// memory.
class Preference {
 public:
  explicit Preference(const Facts& facts) : available_(facts.model->program.memory.available) {}

  bool Fits(const Outcome& outcome) const {
    return available_ <= Bytes{} || outcome.peak <= available_;
  }
  bool Better(const Outcome& a, const Outcome& b) const {
    if (!Fits(b) && a.peak != b.peak) return a.peak < b.peak;
    if (Fits(b) && !Fits(a)) return false;
    if (Differ(a.per_example, b.per_example)) {
      return a.per_example < b.per_example;
    }
    const Seconds a_device = DevicePerExample(a);
    const Seconds b_device = DevicePerExample(b);
    if (Differ(a_device, b_device)) return a_device < b_device;
    return a.peak < b.peak;
  }

 private:
  static bool Differ(Seconds a, Seconds b) {
    return std::abs((a - b).value) > kEqual * std::max(a.value, b.value);
  }
  Bytes available_;
};

class Reaching {
 public:
  Reaching(const Facts& facts, const Outcome& now)
      : facts_(facts), prefers_(facts), reached_(now) {}

  // Adds candidates in the order of their savings, largest first; what frees
  // memory comes before them while the step does not fit.
  void AddAll(std::vector<Candidate> candidates) {
    const auto rest = std::stable_partition(
        candidates.begin(), candidates.end(),
        [&](const Candidate& c) { return !prefers_.Fits(reached_) && c.freed > Bytes{}; });
    const auto zero = std::find_if(rest, candidates.end(),
                                   [](const Candidate& c) { return c.saved <= Seconds{}; });
    AddEach({candidates.begin(), rest});
    Add({rest, zero});
    AddEach({zero, candidates.end()});
  }

  const Outcome& reached() const { return reached_; }
  std::vector<int32_t> Fixes() const {
    std::vector<int32_t> fixes;
    fixes.reserve(taken_.size());
    for (const Candidate& candidate : taken_) {
      fixes.push_back(candidate.finding);
    }
    return fixes;
  }

 private:
  void AddEach(std::span<const Candidate> candidates) {
    for (const Candidate& candidate : candidates) Add({&candidate, 1});
  }

  void Add(std::span<const Candidate> group) {
    if (group.empty()) return;
    const std::optional<Outcome> with = OutcomeWith(group);
    if (with && Keeps(group, *with)) {
      for (const Candidate& candidate : group) taken_.push_back(candidate);
      reached_ = *with;
      return;
    }
    if (group.size() == 1) return;
    Add(group.first(group.size() / 2));
    Add(group.subspan(group.size() / 2));
  }

  // Keeps a single candidate if it helps, and several if they save together
  // what they do apart.
  bool Keeps(std::span<const Candidate> group, const Outcome& with) const {
    if (!prefers_.Better(with, reached_)) return false;
    if (group.size() == 1) return true;
    Seconds of_wall;
    Seconds of_device;
    for (const Candidate& candidate : group) {
      (candidate.of_wall_step ? of_wall : of_device) += candidate.saved;
    }
    const Seconds wall = reached_.per_example - with.per_example;
    const Seconds device = DevicePerExample(reached_) - DevicePerExample(with);
    return wall >= of_wall * kPromised && device >= of_device * kPromised;
  }

  // The step is lowered again only when what edits it is another set.
  std::optional<Outcome> OutcomeWith(std::span<const Candidate> group) {
    std::vector<const Change*> changes;
    std::vector<int32_t> lowered;
    changes.reserve(taken_.size() + group.size());
    lowered.reserve(taken_.size() + group.size());
    const auto add = [&](std::span<const Candidate> candidates) {
      for (const Candidate& candidate : candidates) {
        changes.push_back(candidate.change);
        const Change& change = *candidate.change;
        if (!change.edits_graph() && !change.batch_per_core) continue;
        lowered.push_back(candidate.finding);
      }
    };
    add(taken_);
    add(group);
    const absl::StatusOr<StepTotals>& step = StepWith(lowered, changes);
    if (!step.ok()) return std::nullopt;
    const absl::StatusOr<Outcome> outcome = facts_.session.OutcomeAround(*step, changes);
    if (!outcome.ok()) return std::nullopt;
    return *outcome;
  }

  const absl::StatusOr<StepTotals>& StepWith(const std::vector<int32_t>& lowered,
                                             std::span<const Change* const> changes) {
    const auto known = steps_.find(lowered);
    if (known != steps_.end()) return known->second;
    return steps_.emplace(lowered, facts_.session.StepWith(changes)).first->second;
  }

  const Facts& facts_;
  Preference prefers_;
  Outcome reached_;
  std::vector<Candidate> taken_;
  std::map<std::vector<int32_t>, absl::StatusOr<StepTotals>> steps_;
};

// Worth trying on top of others: it saves something by itself, makes the step
// fit, or touches only the loop, where the next bottleneck may be another one.
bool MayHelp(const Finding& finding) {
  if (finding.change.empty() || !finding.saving) return false;
  if (finding.saving->time_per_step > Seconds{} || finding.saving_once_fed) return true;
  return finding.saving->hbm > Bytes{} || finding.change.edits_loop();
}

std::vector<Candidate> Candidates(std::span<const Finding> findings, const Outcome& now,
                                  bool only_safe) {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (!MayHelp(finding)) continue;
    const bool safe = finding.fix.applicability == Applicability::kSafe;
    if (only_safe && !safe) continue;
    const Saving& saving = finding.saving_once_fed ? *finding.saving_once_fed : *finding.saving;
    candidates.push_back(
        {static_cast<int32_t>(i), &finding.change,
         saving.time_per_step / static_cast<double>(std::max<int64_t>(1, now.global_batch)),
         saving.of_wall_step, saving.hbm});
  }
  std::ranges::stable_sort(candidates,
                           [](const auto& a, const auto& b) { return a.saved > b.saved; });
  return candidates;
}

}  // namespace

absl::StatusOr<Reachable> Reach(const Facts& facts, std::span<const Finding> findings) {
  if (facts.model == nullptr) {
    return InvalidInput("there is no simulated model");
  }
  Reachable result;
  TW_ASSIGN_OR_RETURN(result.now, facts.session.OutcomeOf({}));
  Reaching safe(facts, result.now);
  safe.AddAll(Candidates(findings, result.now, true));
  result.safe = safe.reached();
  result.safe_fixes = safe.Fixes();
  const std::vector<Candidate> candidates = Candidates(findings, result.now, false);
  Reaching all(facts, result.now);
  all.AddAll(candidates);
  result.all = all.reached();
  result.all_fixes = all.Fixes();
  for (const Candidate& candidate : candidates) {
    if (candidate.saved <= Seconds{}) continue;
    if (std::ranges::find(result.all_fixes, candidate.finding) != result.all_fixes.end()) {
      continue;
    }
    ++result.left_out;
  }
  return result;
}

}  // namespace tilewise
