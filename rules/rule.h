// What a rule is. A rule reads facts and reports findings; it changes nothing
// and never asks which format the facts came from.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advice/finding.h"
#include "base/diagnostic.h"
#include "base/status.h"
#include "session/facts.h"

namespace tilewise {

// Which runs a rule is part of when nothing selects it by name.
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
};

// A number that a rule compares with; a key of the configuration.
struct Threshold {
  std::string_view name;     // "min-share"
  double value = 0;          // unless the configuration says otherwise
  std::string_view summary;  // "share of the step that is worth saying"
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
  // Why nothing is simulated where a finding has no change: a clause for its
  // fix and for the rule's page. Empty: all have one.
  std::string_view no_saving = {};
  std::string_view doc;  // what, why on a TPU, remedy, when to ignore, sources
  std::span<const Threshold> thresholds = {};
};

// What the configuration changes of rules.
struct RuleSettings {
  std::map<std::string, Severity, std::less<>> severities;  // by id
  std::map<std::string, double, std::less<>> thresholds;    // "AL009.min-ratio"
};

class Sink {
 public:
  // `settings` may be null; else it outlives the sink.
  explicit Sink(const RuleInfo& info, const RuleSettings* settings = nullptr);
  // Completed with the rule's id, name, severity, and what its fix is.
  Finding& Report(const Location& location, std::string message);
  // The same about an op of `graph`, at its location and with its line; `dim`
  // is the dim of its shape that the finding is about, -1: none.
  Finding& ReportOp(const Graph& graph, OpId op, int64_t dim, std::string message);
  // The rule's threshold of that name, which its info must have.
  double threshold(std::string_view name) const;
  std::deque<Finding> Take() { return std::move(found_); }

 private:
  const RuleInfo& info_;
  const RuleSettings* settings_;
  std::deque<Finding> found_;
};

struct Rule {
  RuleInfo info;
  // Called only with facts that it has its needs met by.
  void (*check)(const Facts& facts, Sink& sink);
};

bool AreMet(const Needs& needs, const Facts& facts);

// Ends a rule's file: makes the rule of the kInfo and Check of its namespace,
// which has the rule's id as its name. rules.def lists the same ids.
#define TW_RULE(id)            \
  extern const Rule kRule##id; \
  const Rule kRule##id = {kInfo, Check};

// All rules, by id; the table is made from rules.def.
std::span<const Rule* const> AllRules();
// By id ("AL001"), name or both joined; null when unknown.
const Rule* FindRule(std::string_view id_or_name);

struct RuleSelection {
  // Ids, names, families ("IP") or "ALL". Empty: the default set. A rule of
  // another set runs when its id or name is selected; an optional one also by
  // its family, a preview one also by its family while `preview` is set.
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  bool preview = false;  // preview rules count as the default set
};
// Errors: invalid argument, naming the first entry that is neither a rule nor a
// family.
absl::Status CheckSelection(const RuleSelection& selection);

struct RunOptions {
  RuleSettings settings;
  bool savings = true;  // simulate what each fix gains
  // Of the simulations of savings; 0: one per core. Results do not depend on
  // it.
  int threads = 0;
};

struct RuleRun {
  // Largest saving first, then largest cost, then ReportsBefore.
  std::vector<Diagnostic> findings;
  // What summaries among them stand for, by their index.
  std::map<size_t, std::vector<Diagnostic>> folded = {};
  // None without a simulated model, or when savings were not asked for.
  std::optional<Reachable> reachable;
};

// Findings of all selected rules, deterministic. Where several rules speak of
// one cause, the most specific one stays and names the others in `related`.
// Savings are simulated on several threads.
RuleRun RunRules(const Facts& facts, const RuleSelection& selection, const RunOptions& options);
// The findings alone, without savings and in the order of their places.
std::vector<Diagnostic> RunRules(const Facts& facts, const RuleSelection& selection);

}  // namespace tilewise
