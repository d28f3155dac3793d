// What a rule is. A rule reads facts and reports findings; it changes nothing
// and never asks which format the facts came from.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "estimator/estimate.h"
#include "hardware/target.h"
#include "rules/change.h"
#include "sim/lowering/program.h"
#include "sim/simulate.h"
#include "sim/timeline.h"
#include "workload/workload.h"

namespace tilewise {

// Which runs a rule is part of when nothing selects it by name.
enum class RuleSet : uint8_t {
  kDefault,   // every run
  kOptional,  // selected by id, name or family
  kPreview,   // new: selected by id or name, or with --preview
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
  std::string_view summary;       // one line, for `list rules`
  // Why nothing is simulated where a finding has no change: a clause for its
  // fix and for the rule's page. Empty: all have one.
  std::string_view no_saving = {};
  std::string_view doc;  // what, why on a TPU, remedy, when to ignore, sources
  std::span<const Threshold> thresholds = {};
};

// A model lowered and simulated at one batch size.
struct Simulated {
  Program program;
  Timeline timeline;
  Estimate estimate;
  // Indices into program.kernels, ascending, by the op of the forward graph
  // they were made for.
  std::vector<std::vector<int32_t>> kernels_of;
  std::vector<KernelSpan> spans;  // by kernel

  std::span<const int32_t> KernelsOf(OpId source_op) const;
};
Simulated Simulate(Program program, const Target& target, int32_t source_ops);

// Everything known. Parts are null when the files did not give them: a rule
// that needs one returns silently.
struct Facts {
  const Workload& workload;
  const Target& target;
  const Graph* source = nullptr;       // forward graph, bound at batch_per_core
  const Simulated* model = nullptr;    // the step at batch_per_core
  const LoopTimeline* loop = nullptr;  // around it
  int64_t batch_per_core = 0;
  int64_t global_batch = 0;
  bool training = true;
  bool batch_assumed = false;  // nothing named a batch: a default stands in
  // The model at another batch per core; null when it cannot be lowered there.
  // Results are kept, so asking twice costs nothing.
  std::function<const Simulated*(int64_t batch_per_core)> at_batch = nullptr;
  // The loop around `step` with other settings.
  std::function<LoopTimeline(const Simulated&, int64_t global_batch,
                             int64_t steps_per_execution)>
      loop_with = nullptr;
  // The loop around `model` fed by another pipeline: one with a fix applied.
  std::function<LoopTimeline(const Pipeline&)> loop_fed_by = nullptr;
  // The step and the loop with changes made, from several threads at once if
  // need be. Errors: no model, changes that do not fit the graph or contradict
  // each other, a graph that cannot be lowered.
  std::function<absl::StatusOr<Outcome>(std::span<const Change* const>)>
      outcome_of = nullptr;
  // The two halves of outcome_of: what is lowered again, and the loop around
  // it, which is cheap. Both are given all changes.
  std::function<absl::StatusOr<ChangedStep>(std::span<const Change* const>)>
      step_with = nullptr;
  std::function<absl::StatusOr<Outcome>(const ChangedStep&,
                                        std::span<const Change* const>)>
      outcome_around = nullptr;
  // Whether the user named dim `dim` of an op, of `source` or of the lowered
  // graph, as one that cannot change; null: none was named.
  std::function<bool(const Op& op, int64_t dim)> fixed_dim = nullptr;

  // Simulated device time per step of all kernels whose origin is `op`, of the
  // forward graph: forward, backward and update.
  Seconds TimeOf(OpId op) const;
  double ShareOf(OpId op) const;
  Seconds StepTime() const;  // device; zero without a model
  // Share guard: at least 1 % of the step's time, or at least 1 MiB and 1 % of
  // the HBM peak. Some MiB alone are nothing to act on: a large model has them
  // in every layer.
  bool WorthSaying(Seconds time, Bytes bytes) const;
  bool IsFixed(const Op& op, int64_t dim) const {
    return fixed_dim != nullptr && fixed_dim(op, dim);
  }
};

// What the configuration changes of rules.
struct RuleSettings {
  std::map<std::string, Severity, std::less<>> severities;  // by id
  std::map<std::string, double, std::less<>> thresholds;    // "AL009.min-ratio"
};

// A diagnostic and its fix as something that can be simulated.
struct Finding : Diagnostic {
  Change change;  // empty: the fix cannot be simulated
  // Of a summary: the findings that it stands for, the dearest first.
  std::vector<Diagnostic> folded = {};
  // Why there is no saving, where it is not for the reason that the rule's info
  // gives.
  std::string no_saving = {};
};

class Sink {
 public:
  // `settings` may be null; else it outlives the sink.
  explicit Sink(const RuleInfo& info, const RuleSettings* settings = nullptr);
  // Completed with the rule's id, name, severity, and what its fix is.
  Finding& Report(const Location& location, std::string message);
  // The same about an op of `graph`, at its location and with its line; `dim`
  // is the dim of its shape that the finding is about, -1: none.
  Finding& ReportOp(const Graph& graph, OpId op, int64_t dim,
                    std::string message);
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
  void (*check)(const Facts& facts, Sink& sink);
};

// Ends a rule's file: makes the rule of its kInfo and Check. rules.def lists
// the same ids.
#define TW_RULE(id)            \
  extern const Rule kRule##id; \
  const Rule kRule##id = {kInfo, Check};

// "conv1: f32[128,7,7,600] convolution(x, conv1/kernel)", marked at dim `dim`
// of the shape; -1: at nothing.
OpLine LineOfOp(const Graph& graph, OpId op, int64_t dim);

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
RuleRun RunRules(const Facts& facts, const RuleSelection& selection,
                 const RunOptions& options);
// The findings alone, without savings and in the order of their places.
std::vector<Diagnostic> RunRules(const Facts& facts,
                                 const RuleSelection& selection);

}  // namespace tilewise
