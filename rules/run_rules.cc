// Runs the selected rules, keeps one finding per cause, and folds what one
// rule says about very many places into its dearest ones and a summary.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "rules/rule.h"
#include "rules/rule_words.h"

namespace tilewise {
namespace {

// Where both speak of one place, the first says more about the cause.
struct Precedence {
  std::string_view speaks;
  std::string_view silent;
};
constexpr std::array kPrecedence = {
    Precedence{"OP002", "AL005"}, Precedence{"OP002", "AL001"},
    Precedence{"AL002", "AL001"}, Precedence{"AL005", "AL001"},
    Precedence{"IP008", "IP009"},
};
// More findings of one rule than this become that many and a summary.
constexpr size_t kDearest = 5;

bool Matches(const RuleInfo& info, std::string_view entry) {
  const bool family = entry.size() == 2 && info.id.substr(0, 2) == entry;
  if (family) return true;
  const Rule* rule = FindRule(entry);
  return rule != nullptr && rule->info.id == info.id;
}

bool Selected(const RuleInfo& info, const RuleSelection& selection) {
  const auto matches = [&info](const std::string& entry) {
    return Matches(info, entry);
  };
  return (selection.select.empty() ||
          std::ranges::any_of(selection.select, matches)) &&
         std::ranges::none_of(selection.ignore, matches);
}

bool Known(std::string_view entry) {
  return std::ranges::any_of(AllRules(), [entry](const Rule* rule) {
    return Matches(rule->info, entry);
  });
}

Seconds TimeOf(const Diagnostic& finding) {
  return finding.cost.time_per_step.value_or(Seconds{});
}

// Dearest first; bytes decide between findings without time.
bool Dearer(const Diagnostic& a, const Diagnostic& b) {
  if (TimeOf(a) != TimeOf(b)) return TimeOf(a) > TimeOf(b);
  const Bytes a_bytes = a.cost.bytes.value_or(Bytes{});
  const Bytes b_bytes = b.cost.bytes.value_or(Bytes{});
  if (a_bytes != b_bytes) return a_bytes > b_bytes;
  return ReportsBefore(a, b);
}

void AddCost(const Cost& cost, Cost& total) {
  if (cost.time_per_step) {
    total.time_per_step =
        total.time_per_step.value_or(Seconds{}) + *cost.time_per_step;
  }
  if (cost.share_of_step) {
    total.share_of_step = total.share_of_step.value_or(0) + *cost.share_of_step;
  }
  total.of_wall_step = cost.of_wall_step;
  if (cost.bytes) total.bytes = total.bytes.value_or(Bytes{}) + *cost.bytes;
  if (cost.flops) total.flops = total.flops.value_or(0) + *cost.flops;
  if (cost.once_per_run) {
    total.once_per_run =
        total.once_per_run.value_or(Seconds{}) + *cost.once_per_run;
  }
  if (!cost.unknown.empty()) total.unknown = cost.unknown;
}

Diagnostic Summarise(const std::vector<Diagnostic>& rest) {
  Diagnostic summary = rest.front();
  Cost total;
  for (const Diagnostic& finding : rest) AddCost(finding.cost, total);
  summary.cost = total;
  summary.fix.edits.clear();
  summary.related.clear();
  const std::string from = rest.front().location.item;
  summary.message = fmt::format(
      "the same at {} more places that cost less, the dearest of them {}",
      rest.size(), from.empty() ? "here" : from);
  return summary;
}

void Fold(std::vector<Diagnostic>& findings) {
  if (findings.size() <= kDearest + 1) return;
  std::ranges::sort(findings, Dearer);
  const std::vector<Diagnostic> rest(findings.begin() + kDearest,
                                     findings.end());
  findings.resize(kDearest);
  findings.push_back(Summarise(rest));
}

const Precedence* Outranked(const Diagnostic& finding,
                            const std::vector<Diagnostic>& all,
                            size_t& speaker) {
  for (const Precedence& row : kPrecedence) {
    if (row.silent != finding.rule) continue;
    for (speaker = 0; speaker < all.size(); ++speaker) {
      const Diagnostic& other = all[speaker];
      if (other.rule == row.speaks && other.location == finding.location) {
        return &row;
      }
    }
  }
  return nullptr;
}

// Removes findings whose cause a more specific rule names at the same place.
std::vector<Diagnostic> OnePerCause(std::vector<Diagnostic> all) {
  std::vector<bool> silent(all.size(), false);
  for (size_t i = 0; i < all.size(); ++i) {
    size_t speaker = 0;
    if (Outranked(all[i], all, speaker) == nullptr) continue;
    silent[i] = true;
    std::vector<std::string>& related = all[speaker].related;
    if (std::ranges::find(related, all[i].rule) == related.end()) {
      related.push_back(all[i].rule);
    }
  }
  std::vector<Diagnostic> kept;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!silent[i]) kept.push_back(std::move(all[i]));
  }
  return kept;
}

// A line without its item: many layers may come from one, in a loop or a
// function.
Location LineOf(Location location) {
  location.item.clear();
  return location;
}

// Names the layer where the line alone does not tell which one it is.
void NameLayers(const Facts& facts, std::vector<Diagnostic>& all) {
  if (facts.source == nullptr) return;
  std::map<Location, std::set<std::string>> layers;
  for (const Op& op : facts.source->ops()) {
    if (op.location.line == 0 || op.location.item.empty()) continue;
    layers[LineOf(op.location)].insert(op.location.item);
  }
  for (Diagnostic& finding : all) {
    const std::string& item = finding.location.item;
    const auto of_line = layers.find(LineOf(finding.location));
    if (item.empty() || of_line == layers.end()) continue;
    if (of_line->second.size() < 2) continue;
    if (finding.message.find(item) != std::string::npos) continue;
    finding.message = fmt::format("{}: {}", item, finding.message);
  }
}

// One layer may hold several equal ops, as both directions of a bidirectional
// one: said once, with the cost of all.
std::vector<Diagnostic> OncePerPlace(std::vector<Diagnostic> all) {
  std::vector<Diagnostic> kept;
  for (Diagnostic& finding : all) {
    const auto twin = std::ranges::find_if(kept, [&](const Diagnostic& other) {
      return other.rule == finding.rule && other.location == finding.location &&
             other.message == finding.message;
    });
    if (twin == kept.end()) {
      kept.push_back(std::move(finding));
    } else {
      AddCost(finding.cost, twin->cost);
    }
  }
  return kept;
}

std::vector<Diagnostic> FoldEachRule(std::vector<Diagnostic> all) {
  std::vector<Diagnostic> result;
  for (const Rule* rule : AllRules()) {
    std::vector<Diagnostic> of_rule;
    for (Diagnostic& finding : all) {
      if (finding.rule == rule->info.id) of_rule.push_back(std::move(finding));
    }
    std::ranges::stable_sort(of_rule, ReportsBefore);
    Fold(of_rule);
    std::ranges::move(of_rule, std::back_inserter(result));
  }
  return result;
}

}  // namespace

absl::Status CheckSelection(const RuleSelection& selection) {
  for (const auto* list : {&selection.select, &selection.ignore}) {
    for (const std::string& entry : *list) {
      if (Known(entry)) continue;
      return InvalidInput(fmt::format(
          "found rule '{}', expected an id (AL001), a name (tile-pad-waste) or "
          "a family (AL), as 'tilewise list rules' shows them{}",
          entry.substr(0, 64), DidYouMean(entry, RuleWords())));
    }
  }
  return absl::OkStatus();
}

std::vector<Diagnostic> RunRules(const Facts& facts,
                                 const RuleSelection& selection) {
  std::vector<Diagnostic> all;
  for (const Rule* rule : AllRules()) {
    if (!Selected(rule->info, selection)) continue;
    Sink sink(rule->info);
    rule->check(facts, sink);
    std::ranges::move(sink.Take(), std::back_inserter(all));
  }
  NameLayers(facts, all);
  std::vector<Diagnostic> result =
      FoldEachRule(OnePerCause(OncePerPlace(std::move(all))));
  std::ranges::stable_sort(result, ReportsBefore);
  return result;
}

}  // namespace tilewise
