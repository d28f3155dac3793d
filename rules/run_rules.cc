// Runs the selected rules, keeps one finding per cause, simulates what each fix
// gains and puts the largest gain first.

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "advice/fold_findings.h"
#include "advice/one_batch.h"
#include "advice/saving.h"
#include "advice/worth_saying.h"
#include "rules/cpp/written_layers.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

// A line without its item: many layers may come from one, in a loop or a
// function.
Location LineOf(Location location) {
  location.item.clear();
  return location;
}

// Names the layer where the line alone does not tell which one it is.
void NameLayers(const Facts& facts, std::vector<Finding>& all) {
  if (facts.source == nullptr) return;
  std::map<Location, std::set<std::string>> layers;
  for (const Op& op : facts.source->ops()) {
    if (op.location.line == 0 || op.location.item.empty()) continue;
    layers[LineOf(op.location)].insert(op.location.item);
  }
  for (Finding& finding : all) {
    const std::string& item = finding.location.item;
    const auto of_line = layers.find(LineOf(finding.location));
    if (item.empty() || of_line == layers.end()) continue;
    if (of_line->second.size() < 2) continue;
    if (finding.message.find(item) != std::string::npos) continue;
    finding.message = fmt::format("{}: {}", item, finding.message);
  }
}

struct Precedence {
  std::string_view speaks;
  std::string_view silent;
};
constexpr std::array kPrecedence = {
#define TW_PRECEDENCE(speaks, silent) Precedence{#speaks, #silent},
#include "rules/precedence.def"
#undef TW_PRECEDENCE
};

// The finding that speaks for `finding`. One that is silenced itself does too:
// what outranks it is at the same location.
std::optional<size_t> SpeakerFor(const Finding& finding, const std::vector<Finding>& all) {
  for (const Precedence& row : kPrecedence) {
    if (row.silent != finding.rule) continue;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].rule == row.speaks && all[i].location == finding.location) {
        return i;
      }
    }
  }
  return std::nullopt;
}

// What another rule knows of the cost is the cost of the cause that `speaks` names.
void TakeCost(const Finding& silent, Finding& speaks) {
  if (speaks.cost.unknown.empty() || !silent.cost.time_per_step) return;
  speaks.cost = silent.cost;
  speaks.severity = std::max(speaks.severity, silent.severity);
}

void Configure(const RuleSettings& settings, Finding& finding) {
  const auto severity = settings.severities.find(finding.rule);
  if (severity != settings.severities.end()) {
    finding.severity = severity->second;
  }
}

// Less of a model than this costed is no model to judge, and one of sizes that stand in for others
// is another model.
constexpr double kCosted = 0.8;
bool IsOpaque(const Facts& facts) {
  if (facts.model == nullptr) return false;
  return facts.workload.sizes_assumed || HoldsWholeBatch(facts) ||
         SettingOf(facts).costed_share < kCosted;
}

// Whether the user asked for this rule, and not for the default set: then all that it finds is
// shown.
bool IsAskedFor(const RuleInfo& info, const RuleSelection& selection) {
  if (!selection.asked.empty()) {
    return std::ranges::find(selection.asked, info.id) != selection.asked.end();
  }
  return !selection.select.empty() && IsSelected(info, selection);
}

// What the rules say, and what they see and take for too little to say.
struct Checked {
  std::vector<Finding> findings;
  std::vector<Finding> too_small;
};

// Takes out what is too small, one for each cause and place, and of which no finding speaks.
std::vector<Finding> TakeTooSmall(std::vector<Finding>& all) {
  const auto split = std::ranges::stable_partition(
      all, [](const Finding& finding) { return finding.too_small.empty(); });
  std::vector<Finding> small(std::move_iterator(split.begin()), std::move_iterator(split.end()));
  all.erase(split.begin(), split.end());
  std::erase_if(small, [&](const Finding& finding) {
    const bool said = std::ranges::any_of(all, [&](const Finding& other) {
      return other.rule == finding.rule && other.location == finding.location;
    });
    return said || SpeakerFor(finding, all);
  });
  return OnePerCause(OncePerLocation(std::move(small)));
}

Checked Check(const Facts& facts, const RuleSelection& selection, const RunOptions& options) {
  std::vector<Finding> all;
  const bool opaque = IsOpaque(facts);
  for (const Rule* rule : AllRules()) {
    if (!IsSelected(rule->info, selection)) continue;
    if (!AreMet(rule->info.needs, facts)) continue;
    if (opaque && rule->info.needs.model && !IsAskedFor(rule->info, selection)) continue;
    Sink sink(rule->info, facts, &options.settings);
    rule->check(facts, sink);
    for (Finding& found : sink.Take()) {
      Configure(options.settings, found);
      all.push_back(std::move(found));
    }
  }
  NameLayers(facts, all);
  Checked checked;
  checked.too_small = TakeTooSmall(all);
  std::vector<Finding> found = OnePerCause(OncePerLocation(std::move(all)));
  if (options.accepted) {
    std::erase_if(found, options.accepted);
    std::erase_if(checked.too_small, options.accepted);
  }
  checked.findings = FoldEachRule(std::move(found));
  return checked;
}

// What a fix loses counts as nothing gained.
Seconds Gain(const Finding& finding) {
  if (!finding.saving) return {};
  return std::max(Seconds{}, finding.saving->time_per_step);
}

// What does not run comes first, whatever the others gain.
bool GainsMore(const Finding& a, const Finding& b) {
  const bool a_stops = StopsTheRun(a);
  if (a_stops != StopsTheRun(b)) return a_stops;
  if (Gain(a) != Gain(b)) return Gain(a) > Gain(b);
  return CostsMore(a, b);
}

// Forgets the savings that a rule has asked for.
void ForgetSavings(std::vector<Finding>& findings) {
  for (Finding& finding : findings) finding.saving.reset();
}

void Take(std::vector<Finding> findings, RuleRun& run) {
  run.findings.reserve(findings.size());
  for (Finding& finding : findings) {
    if (!finding.folded.empty()) {
      run.folded[run.findings.size()] = std::move(finding.folded);
    }
    run.findings.push_back(std::move(finding));
  }
}

}  // namespace

bool AreMet(const Needs& needs, const Facts& facts) {
  const bool instead = needs.or_cpp && SpeaksWithoutModel(facts);
  return (!needs.model || facts.model != nullptr || instead) &&
         (!needs.graph || facts.source != nullptr || instead) &&
         (!needs.training || facts.training) && (!needs.batch || !facts.batch_assumed || instead) &&
         (!needs.script || IsWritten(facts.workload.facts));
}

std::vector<Finding> OnePerCause(std::vector<Finding> all) {
  std::vector<std::optional<size_t>> speaker;
  speaker.reserve(all.size());
  for (const Finding& finding : all) {
    speaker.push_back(SpeakerFor(finding, all));
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!speaker[i]) continue;
    size_t last = *speaker[i];
    for (size_t hops = 0; speaker[last] && hops < all.size(); ++hops) {
      last = *speaker[last];
    }
    TakeCost(all[i], all[last]);
    std::vector<std::string>& related = all[last].related;
    if (std::ranges::find(related, all[i].rule) == related.end()) {
      related.push_back(all[i].rule);
    }
  }
  std::vector<Finding> kept;
  kept.reserve(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (!speaker[i]) kept.push_back(std::move(all[i]));
  }
  return kept;
}

RuleRun RunRules(const Facts& facts, const RuleSelection& selection, const RunOptions& options) {
  RuleRun run;
  auto [findings, too_small] = Check(facts, selection, options);
  if (options.savings) {
    const int32_t left_out = AddSavings(facts, findings, options.threads);
    KeepOneBatch(facts, findings);
    const auto asked = [&](const Finding& finding) {
      const Rule* const rule = FindRule(finding.rule);
      return rule != nullptr && IsAskedFor(rule->info, selection);
    };
    run.too_small = LeaveOutSmall(facts, asked, findings, too_small);
    std::ranges::stable_sort(run.too_small, CostsMore, &TooSmall::finding);
    std::ranges::stable_sort(findings, GainsMore);
    absl::StatusOr<Reachable> reachable = Reach(facts, findings);
    if (reachable.ok()) {
      reachable->not_simulated = left_out;
      run.reachable = *std::move(reachable);
    }
  } else {
    ForgetSavings(findings);
    std::ranges::stable_sort(findings, GainsMore);
  }
  Take(std::move(findings), run);
  return run;
}

std::vector<Diagnostic> RunRules(const Facts& facts, const RuleSelection& selection) {
  RuleRun run = RunRules(facts, selection, RunOptions{.settings = {}, .savings = false});
  std::ranges::stable_sort(run.findings, ReportsBefore);
  return std::move(run.findings);
}

}  // namespace tilewise
