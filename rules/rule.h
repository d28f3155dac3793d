// What a rule is. A rule reads facts and reports findings; it changes nothing
// and never asks which format the facts came from.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "estimator/estimate.h"
#include "hardware/target.h"
#include "sim/lowering/program.h"
#include "sim/simulate.h"
#include "sim/timeline.h"
#include "workload/workload.h"

namespace tilewise {

struct RuleInfo {
  std::string_view id;                     // "AL001"
  std::string_view name;                   // "tile-pad-waste"
  Severity severity = Severity::kWarning;  // default
  Applicability fix = Applicability::kNone;
  std::string_view summary;  // one line, for `list rules`
  std::string_view doc;  // what, why on a TPU, remedy, when to ignore, sources
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

  // Simulated device time per step of all kernels whose origin is `op`, of the
  // forward graph: forward, backward and update.
  Seconds TimeOf(OpId op) const;
  double ShareOf(OpId op) const;
  Seconds StepTime() const;  // device; zero without a model
  // Share guard: at least 1 % of the step's time, or at least 1 MiB and 1 % of
  // the HBM peak. Some MiB alone are nothing to act on: a large model has them
  // in every layer.
  bool WorthSaying(Seconds time, Bytes bytes) const;
};

class Sink {
 public:
  explicit Sink(const RuleInfo& info) : info_(info) {}
  // Completed with the rule's id, name and default severity.
  Diagnostic& Report(const Location& location, std::string message);
  std::vector<Diagnostic> Take() { return std::move(found_); }

 private:
  const RuleInfo& info_;
  std::vector<Diagnostic> found_;
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

// All rules, by id; the table is made from rules.def.
std::span<const Rule* const> AllRules();
// By id ("AL001"), name or both joined; null when unknown.
const Rule* FindRule(std::string_view id_or_name);

struct RuleSelection {
  std::vector<std::string> select;  // ids, names or families ("IP"); empty: all
  std::vector<std::string> ignore;
};
// Errors: invalid argument, naming the first entry that is neither a rule nor a
// family.
absl::Status CheckSelection(const RuleSelection& selection);
// Findings of all selected rules in report order (ReportsBefore),
// deterministic. Where several rules speak of one cause, the most specific one
// stays and names the others in `related`.
std::vector<Diagnostic> RunRules(const Facts& facts,
                                 const RuleSelection& selection);

}  // namespace tilewise
