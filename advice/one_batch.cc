// The finding that saves most speaks for all that want another batch. A batch that does not fit, or
// leaves too few steps, is never advised.

#include "advice/one_batch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "advice/worth_saying.h"
#include "session/session.h"

namespace tilewise {
namespace {

// The order of rules in which they name the cause "the batch per core is too
// small", where they save alike.
constexpr std::array<std::string_view, 8> kBatchRules = {"DI001", "ME006", "AL002", "AL004",
                                                         "AL003", "AL001", "AL005", "DI003"};
// The part of the largest saving from which two count as alike.
constexpr double kAboutAsMuch = 0.9;

int64_t RankOf(const Finding& finding) {
  return std::ranges::find(kBatchRules, finding.rule) - kBatchRules.begin();
}

// A batch that the cores cannot share comes before what another one saves; of those that save about
// most the one whose rule names the cause best.
Finding* SpeakerOf(const std::vector<Finding*>& same) {
  Seconds most;
  for (const Finding* finding : same) most = std::max(most, SavedBy(*finding));
  Finding* speaks = nullptr;
  for (Finding* finding : same) {
    if (StopsTheRun(*finding)) return finding;
    if (SavedBy(*finding) < most * kAboutAsMuch) continue;
    if (speaks == nullptr || RankOf(*finding) < RankOf(*speaks)) speaks = finding;
  }
  return speaks;
}

bool Fits(const Memory& memory, Bytes peak) {
  return memory.available <= Bytes{} || peak <= memory.available;
}

// A larger batch that leaves an epoch next to no steps.
bool TakesWholeEpoch(const Facts& facts, const Finding& finding) {
  constexpr int64_t kFewestSteps = 4;
  if (!WantsBatch(finding) || *finding.change.batch_per_core <= facts.batch_per_core) return false;
  const std::optional<int64_t> examples = facts.session.examples_per_epoch();
  return facts.training && examples &&
         *finding.change.batch_per_core > *examples / kFewestSteps / facts.target.batch_shards();
}

// A batch whose step does not fit, or a larger one where the present step does
// not.
bool DoesNotFit(const Facts& facts, const Finding& finding) {
  if (facts.model == nullptr || !WantsBatch(finding)) return false;
  const Memory& memory = facts.model->program.memory;
  const bool larger = *finding.change.batch_per_core > facts.batch_per_core;
  if (!Fits(memory, memory.peak)) return larger;
  return larger && finding.saving && !Fits(memory, memory.peak - finding.saving->hbm);
}

}  // namespace

bool WantsBatch(const Finding& finding) {
  const Change& change = finding.change;
  return change.batch_per_core.has_value() && !change.edits_graph() && !change.edits_loop();
}

bool SpeaksOfBatch(std::string_view rule) {
  return std::ranges::find(kBatchRules, rule) != kBatchRules.end();
}

void KeepOneBatch(const Facts& facts, std::vector<Finding>& findings) {
  const bool tight = std::ranges::find(findings, "ME001", &Finding::rule) != findings.end();
  std::erase_if(findings, [&](const Finding& finding) {
    const bool larger =
        WantsBatch(finding) && *finding.change.batch_per_core > facts.batch_per_core;
    return DoesNotFit(facts, finding) || TakesWholeEpoch(facts, finding) || (tight && larger);
  });
  std::vector<Finding*> same;
  for (Finding& finding : findings) {
    if (WantsBatch(finding)) same.push_back(&finding);
  }
  if (same.size() < 2) return;
  Finding* const speaks = SpeakerOf(same);
  for (const Finding* const silent : same) {
    if (silent->rule == speaks->rule) continue;
    if (std::ranges::find(speaks->related, silent->rule) != speaks->related.end()) continue;
    speaks->related.push_back(silent->rule);
  }
  const Diagnostic kept = *speaks;
  std::erase_if(findings, [&](const Finding& finding) {
    return WantsBatch(finding) &&
           !(finding.rule == kept.rule && finding.location == kept.location &&
             finding.message == kept.message);
  });
}

}  // namespace tilewise
