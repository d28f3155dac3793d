// What a rule is. A rule reads facts and reports findings; it changes nothing
// and never asks which format the facts came from.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/finding.h"
#include "base/diagnostic.h"
#include "base/status.h"
#include "base/too_small.h"
#include "session/facts.h"

namespace tilewise {

// This says which runs a rule is part of when nothing selects it by name.
enum class RuleSet : uint8_t {
  kDefault,   // every run
  kOptional,  // selected by id, name or family
  kPreview,   // new: selected by id or name, or with --preview
};

// What a rule cannot say anything without: a run leaves it out where one of
// these is missing.
struct Needs {
  bool model = false;     // the simulated step, and the graph it is made of
  bool graph = false;     // that graph alone, which may not have been lowered
  bool training = false;  // the step trains
  bool batch = false;     // something names the batch
  bool script = false;    // source text, of which the workload has facts
  bool or_cpp = false;    // C++ sources may speak where there is no model
};

// A number that a rule compares with; a key of the configuration.
struct Threshold {
  std::string_view name;     // "min-share"
  double value = 0;          // unless the configuration says otherwise
  std::string_view summary;  // "share of the step that is worth saying"
};

// These are the thresholds of one rule, which a RuleInfo can hold as a constant.
class Thresholds {
 public:
  constexpr Thresholds() = default;
  constexpr Thresholds(std::initializer_list<Threshold> list) : count_(list.size()) {
    std::ranges::copy(list, all_.begin());
  }
  constexpr const Threshold* begin() const { return all_.data(); }
  constexpr const Threshold* end() const { return all_.data() + count_; }
  constexpr bool empty() const { return count_ == 0; }

 private:
  std::array<Threshold, 5> all_;
  size_t count_ = 0;
};

struct RuleInfo {
  std::string_view id;                     // "AL001"
  std::string_view name;                   // "tile-pad-waste"
  Severity severity = Severity::kWarning;  // default
  RuleSet set = RuleSet::kDefault;
  Applicability fix = Applicability::kNone;
  bool changes_numerics = false;  // the fix does
  Needs needs = {};
  std::string_view summary;  // one line, for `list rules`
  // This says why nothing is simulated where a finding has no change: a clause for its fix and for
  // the rule's page. Empty: all have one.
  std::string_view no_saving = {};
  // This says why a finding has no cost, where the rule sets none and gives no reason.
  std::string_view no_cost = {};
  std::string_view doc;  // what, why on a TPU, remedy, when to ignore, sources
  Thresholds thresholds = {};
};

// What the configuration changes of rules.
struct RuleSettings {
  std::map<std::string, Severity, std::less<>> severities;  // by id
  std::map<std::string, double, std::less<>> thresholds;    // "AL009.min-ratio"
};

class Sink {
 public:
  // `facts`, and `settings` unless it is null, outlive the sink.
  Sink(const RuleInfo& info, const Facts& facts, const RuleSettings* settings = nullptr)
      : info_(info), facts_(facts), settings_(settings) {}
  // Completed with the rule's id, name, severity, and what its fix is.
  Finding& Report(const Location& location, std::string message);
  // The same about an op of Facts::source, at its location and with its line.
  Finding& ReportOp(OpId op, std::string message) { return ReportDim(op, -1, std::move(message)); }
  // Reports about one dim of the op's shape; -1: about all of it.
  Finding& ReportDim(OpId op, int64_t dim, std::string message);

  template <typename... Args>
  Finding& Report(const Location& location, fmt::format_string<Args...> message, Args&&... args) {
    return Report(location, fmt::format(message, std::forward<Args>(args)...));
  }
  template <typename... Args>
  Finding& ReportOp(OpId op, fmt::format_string<Args...> message, Args&&... args) {
    return ReportDim(op, -1, fmt::format(message, std::forward<Args>(args)...));
  }
  template <typename... Args>
  Finding& ReportDim(OpId op, int64_t dim, fmt::format_string<Args...> message, Args&&... args) {
    return ReportDim(op, dim, fmt::format(message, std::forward<Args>(args)...));
  }

  // The rule's threshold of that name, which its info must have.
  double threshold(std::string_view name) const;
  std::deque<Finding> Take();

 private:
  const RuleInfo& info_;
  const Facts& facts_;
  const RuleSettings* settings_;
  std::deque<Finding> found_;
};

// Time of the device's step, with its share of it where there is a step.
Cost DeviceCost(const Facts& facts, Seconds time, std::optional<Bytes> bytes = std::nullopt);
// Time of `step`, which is one on the wall clock.
Cost WallCost(Seconds time, Seconds step);

struct Rule {
  RuleInfo info;
  // This is called only with facts that it has its needs met by.
  void (*check)(const Facts& facts, Sink& sink);
};

// Makes a finding one that is named beside the others where Facts::WorthSaying() is false for its
// cost.
void MarkUnlessWorthSaying(const Facts& facts, Finding& found);

bool AreMet(const Needs& needs, const Facts& facts);

// Ends a rule's file: makes the rule of the kInfo and Check of its namespace,
// which has the rule's id as its name. rules.def lists the same ids.
#define TW_RULE(id)            \
  extern const Rule kRule##id; \
  const Rule kRule##id = {kInfo, Check};

// Returns all rules, by id; the table is made from rules.def.
std::span<const Rule* const> AllRules();
// The rule by its id ("AL001"), name or both joined; null when unknown.
const Rule* FindRule(std::string_view id_or_name);
// Id and name of every rule, by id: for messages about a word that names none.
std::vector<std::string> RuleWords();

struct RuleSelection {
  // Ids, names, families ("IP") or "ALL". Empty: the default set. A rule of
  // another set runs when its id or name is selected; an optional one also by
  // its family, a preview one also by its family while `preview` is set.
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  bool preview = false;  // preview rules count as the default set
  // Ids of rules that the user named to be selected, besides what `select` has of
  // the default set; empty: all of `select`.
  std::vector<std::string> asked;
};
// Errors: invalid argument, naming the first entry that is neither a rule nor a
// family.
absl::Status CheckSelection(const RuleSelection& selection);
bool IsSelected(const RuleInfo& info, const RuleSelection& selection);

struct RunOptions {
  RuleSettings settings;
  bool savings = true;  // simulate what each fix gains
  // Threads that simulate savings; 0: one per core. Results do not depend on
  // them.
  int threads = 0;
  // Asked once for each finding: those that it is true for are left out before
  // the others are folded and simulated. Empty: none are.
  std::function<bool(const Diagnostic&)> accepted = {};
};

struct RuleRun {
  // The order is: largest saving first, then largest cost, then ReportsBefore.
  std::vector<Diagnostic> findings;
  // What summaries among them stand for, by their index.
  std::map<size_t, std::vector<Diagnostic>> folded = {};
  // There is none without a simulated model, or when savings were not asked for.
  std::optional<Reachable> reachable;
  // These were seen and are too little to be findings; the dearest comes first.
  std::vector<TooSmall> too_small = {};
};

// Leaves out findings whose cause a more specific rule names at the same location
// (rules/precedence.def); that one lists their rules in `related`.
std::vector<Finding> OnePerCause(std::vector<Finding> all);

// Findings of all selected rules, deterministic. Where several rules speak of
// one cause, the most specific one stays and names the others in `related`.
// Savings are simulated on several threads.
RuleRun RunRules(const Facts& facts, const RuleSelection& selection, const RunOptions& options);
// The findings alone, without savings and in the order of their locations.
std::vector<Diagnostic> RunRules(const Facts& facts, const RuleSelection& selection);

}  // namespace tilewise
