// Keeps a report short where one rule has findings at very many locations.

#include "advice/fold_findings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

// More findings of one rule than this become that many and a summary.
constexpr size_t kMostExpensive = 5;

Seconds TimeOf(const Diagnostic& finding) { return finding.cost.time_per_step.value_or(Seconds{}); }

template <typename T>
void AddPart(const std::optional<T>& part, std::optional<T>& total) {
  if (part) total = total.value_or(T{}) + *part;
}

void AddCost(const Cost& cost, Cost& total) {
  AddPart(cost.time_per_step, total.time_per_step);
  AddPart(cost.share_of_step, total.share_of_step);
  total.of_wall_step = cost.of_wall_step;
  AddPart(cost.bytes, total.bytes);
  AddPart(cost.flops, total.flops);
  AddPart(cost.once_per_run, total.once_per_run);
  if (!cost.unknown.empty()) total.unknown = cost.unknown;
}

// Adds nothing when the changes contradict each other.
void AddChange(const Change& change, Change& total) {
  if (change.empty()) return;
  const std::array both = {std::as_const(total), change};
  const std::array<const Change*, 2> pointers = {&both[0], &both[1]};
  absl::StatusOr<Change> sum = CombineChanges(pointers);
  if (sum.ok()) total = std::move(sum).value();
}

bool BeginsBefore(const TextEdit& a, const TextEdit& b) {
  const Span &x = a.span, &y = b.span;
  return std::tie(x.file, x.cell, x.begin) < std::tie(y.file, y.cell, y.begin);
}

// The edits are in the order of their locations.
bool Touch(const TextEdit& a, const TextEdit& b) {
  return a.span.file == b.span.file && a.span.cell == b.span.cell && b.span.begin <= a.span.end;
}

// The edits that fix all of them at once; none where that cannot be.
std::vector<TextEdit> EditsOfAll(std::span<const Diagnostic> findings) {
  std::vector<TextEdit> edits;
  for (const Diagnostic& finding : findings) {
    const Fix& fix = finding.fix;
    if (fix.edits.empty() || fix.applicability != findings.front().fix.applicability) {
      return {};
    }
    edits.insert(edits.end(), fix.edits.begin(), fix.edits.end());
  }
  std::ranges::sort(edits, BeginsBefore);
  if (std::ranges::adjacent_find(edits, Touch) != edits.end()) return {};
  return edits;
}

Finding Summarise(std::vector<Finding> rest) {
  Change change;
  std::string no_saving = rest.front().no_saving;
  std::vector<Diagnostic> places;
  places.reserve(rest.size());
  for (Finding& finding : rest) {
    AddChange(finding.change, change);
    places.push_back(std::move(finding));
  }
  Diagnostic summary = SummaryOf(places);
  return {std::move(summary), std::move(change), std::move(places), std::move(no_saving)};
}

void Fold(std::vector<Finding>& findings) {
  if (findings.size() <= kMostExpensive + 1) return;
  std::ranges::sort(findings, CostsMore);
  const auto rest = findings.begin() + kMostExpensive;
  Finding summary =
      Summarise(std::vector<Finding>(std::move_iterator(rest), std::move_iterator(findings.end())));
  findings.erase(rest, findings.end());
  findings.push_back(std::move(summary));
}

// Whether both fixes edit the files alike.
bool MakeOneChange(const Fix& one, const Fix& other) {
  return !one.edits.empty() &&
         std::ranges::equal(one.edits, other.edits, [](const TextEdit& a, const TextEdit& b) {
           return a.span == b.span && a.replacement == b.replacement;
         });
}

}  // namespace

bool CostsMore(const Diagnostic& a, const Diagnostic& b) {
  if (TimeOf(a) != TimeOf(b)) return TimeOf(a) > TimeOf(b);
  const Bytes a_bytes = a.cost.bytes.value_or(Bytes{});
  const Bytes b_bytes = b.cost.bytes.value_or(Bytes{});
  if (a_bytes != b_bytes) return a_bytes > b_bytes;
  return ReportsBefore(a, b);
}

Diagnostic SummaryOf(std::span<const Diagnostic> findings) {
  Diagnostic summary = findings.front();
  if (findings.size() == 1) return summary;
  summary.cost = {};
  for (const Diagnostic& finding : findings) {
    AddCost(finding.cost, summary.cost);
  }
  summary.fix.edits = EditsOfAll(findings);
  summary.saving.reset();
  summary.related.clear();
  const std::string& from = summary.location.item;
  const bool costed = summary.cost.time_per_step || summary.cost.bytes || summary.cost.once_per_run;
  summary.message =
      fmt::format("the same at {} more locations{} {}", findings.size(),
                  costed ? " that cost less, the most expensive of them" : ", the first",
                  from.empty() ? "here" : from);
  return summary;
}

std::vector<Finding> OncePerLocation(std::vector<Finding> all) {
  std::vector<Finding> kept;
  kept.reserve(all.size());
  for (Finding& finding : all) {
    const auto twin = std::ranges::find_if(kept, [&](const Finding& other) {
      return other.rule == finding.rule && other.location == finding.location &&
             (other.message == finding.message || MakeOneChange(other.fix, finding.fix));
    });
    if (twin == kept.end()) {
      kept.push_back(std::move(finding));
    } else if (twin->message != finding.message) {
      // Two data sets of one function: what costs more speaks for both.
      if (CostsMore(finding, *twin)) *twin = std::move(finding);
    } else {
      AddCost(finding.cost, twin->cost);
      AddChange(finding.change, twin->change);
    }
  }
  return kept;
}

std::vector<Finding> FoldEachRule(std::vector<Finding> all) {
  std::map<std::string, std::vector<Finding>> by_rule;
  for (Finding& finding : all) {
    by_rule[finding.rule].push_back(std::move(finding));
  }
  std::vector<Finding> result;
  result.reserve(all.size());
  for (auto& [rule, findings] : by_rule) {
    std::ranges::stable_sort(findings, ReportsBefore);
    Fold(findings);
    std::ranges::move(findings, std::back_inserter(result));
  }
  return result;
}

}  // namespace tilewise
