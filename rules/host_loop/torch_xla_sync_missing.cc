// Flags torch_xla loops in which nothing cuts the graph after a step, or only
// every so many.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "edit/python.h"
#include "rules/host_loop/step_loops.h"
#include "rules/host_loop/torch_steps.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL010 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL010",
    .name = "torch-xla-sync-missing",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a torch_xla loop never cuts its graph, or only every N batches",
    .doc = R"(
What: a loop on an XLA device with backward() and an optimizer's step, whose
examples do not come from MpDeviceLoader and which calls neither
torch_xla.sync() nor xm.mark_step() nor xm.optimizer_step(barrier=True); or one
that calls them only behind `if step % N == 0`, with gradients accumulated.
Why: torch_xla records ops until something cuts the graph. Without a cut the
steps pile up in one growing graph until a value is read: then a program of
another size is compiled, and nothing runs before. A cut every N micro-batches
makes one graph of N forward and backward passes, which takes N times as long to
compile, or longer, and holds N times the ops.
Remedy: torch_xla.sync() (xm.mark_step() before 2.5) after the optimizer's
step, or a MpDeviceLoader, which cuts at each batch; with accumulation after the
backward pass of each micro-batch: gradients stay on the device between graphs.
Ignore: torch_xla.compile, torch_xla.step() and trainers of a framework cut the
graph themselves.
Numbers: how large the graph grows depends on where a value is read.
Sources: PyTorch/XLA's troubleshooting guide, lightning#15884.)",
};

constexpr std::string_view kCutters[] = {"MpDeviceLoader", "ParallelLoader", "eager_mode",
                                         "DeviceLoader",   "Accelerator",    "Trainer"};

// A call that cuts the graph where it stands.
bool CutsHere(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  if (name == "mark_step" || name == "step_closure") return true;
  if (name == "sync") return call.name.starts_with("torch_xla");
  if (name != "optimizer_step") return false;
  const SourceArgument* barrier = ArgumentOf(call, 1, "barrier");
  return barrier != nullptr && barrier->text != "False";
}

// Something in the files cuts all graphs, or may.
bool CutsAll(const SourceFacts& source) {
  for (const SourceCall& call : source.calls) {
    if (IsOneOf(LastName(call.name), kCutters)) return true;
    if (call.name == "torch_xla.compile" || call.name == "torch_xla.step") {
      return true;
    }
  }
  return std::ranges::any_of(source.contexts, [](const SourceContext& context) {
    return std::ranges::any_of(context.decorators, [](const SourceDecorator& decorator) {
      return decorator.name == "torch_xla.compile";
    });
  });
}

bool UsesDevice(const SourceFacts& source) {
  return std::ranges::any_of(source.calls, [](const SourceCall& call) {
    const std::string_view name = LastName(call.name);
    return name == "xla_device" || call.name == "torch_xla.device";
  });
}

// What feeds the loop is made here, so that it is no MpDeviceLoader of another
// file.
bool MakesLoader(const SourceFacts& source) {
  return std::ranges::any_of(
      source.calls, [](const SourceCall& call) { return LastName(call.name) == "DataLoader"; });
}

const SourceCall* OptimizerStep(const SourceFacts& source, int32_t loop) {
  for (const SourceCall& call : source.calls) {
    if (IsOptimizerStep(call) && IsInside(source, call.context, loop)) return &call;
  }
  return nullptr;
}

// What the condition counts rounds by: "8" of `(step + 1) % 8 == 0`; of a name
// that was assigned such, too.
std::string PeriodOf(const SourceFacts& source, const SourceContext& branch) {
  std::string text = branch.text;
  for (const SourceAssignment& assignment : source.assignments) {
    if (HaveCommon(assignment.targets, branch.names) && Contains(assignment.text, "%")) {
      text = assignment.text;
    }
  }
  const size_t at = text.find('%');
  if (at == std::string::npos) return "";
  const size_t begin = text.find_first_not_of(" (", at + 1);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_first_of(" =!<>):,", begin) - begin);
}

// The cut of the loop that comes only every so many rounds, when all do.
struct RareCut {
  const SourceCall* call = nullptr;
  std::string period;
};
RareCut RareCutIn(const SourceFacts& source, int32_t loop) {
  RareCut rare;
  for (const SourceCall& call : source.calls) {
    if (!CutsHere(call)) continue;
    if (!IsInside(source, call.context, loop)) continue;
    std::string period;
    for (int32_t at = call.context; at != loop; at = source.contexts[at].parent) {
      const ContextKind kind = source.contexts[at].kind;
      if (kind != ContextKind::kIf && kind != ContextKind::kElse) continue;
      if (period.empty()) period = PeriodOf(source, source.contexts[at]);
    }
    if (period.empty()) return {};
    if (rare.call == nullptr) rare = {&call, period};
  }
  return rare;
}

// `line` on a line of its own behind a statement, as far in.
std::vector<TextEdit> InsertBehind(const Workload& workload, Span statement,
                                   const std::string& line) {
  if (statement.begin >= statement.end) return {};
  Span before = statement;
  before.begin = 0;
  before.end = statement.begin;
  const std::string_view text = TextOf(workload, before);
  const std::string_view indent = text.substr(text.rfind('\n') + 1);
  if (indent.find_first_not_of(" \t") != std::string_view::npos) return {};
  Span place = statement;
  place.begin = place.end;
  return {{place, fmt::format("\n{}{}", indent, line)}};
}

// The name that the cut has in this file.
bool SpellsIt(const Workload& workload, const std::string& file, bool model) {
  const auto found = std::ranges::find(workload.files, file, &SourceFile::path);
  if (found == workload.files.end()) return false;
  return Contains(found->text, model ? "xla_model as xm" : "import torch_xla\n");
}

void ReportMissing(const Facts& facts, const StepLoop& loop, const SourceCall& step, Sink& sink) {
  const bool model = Imports(facts.workload.facts, "torch_xla.core.xla_model");
  const std::string cut = model ? "xm.mark_step()" : "torch_xla.sync()";
  Finding& found =
      sink.Report(step.location,
                  "nothing cuts the graph after the step of {}, so that steps pile up "
                  "in one growing graph; expected {} or a MpDeviceLoader",
                  loop.is_function ? facts.workload.facts.contexts[loop.loop].name + "()"
                                   : "the loop at " + LineText(loop.location, step.location),
                  cut);
  found.cost.unknown = "how large the graph grows depends on where a value is read";
  found.fix.text = fmt::format("call {} after the optimizer's step", cut);
  if (SpellsIt(facts.workload, step.location.file, model)) {
    found.fix.edits = InsertBehind(facts.workload, step.statement, cut);
  }
}

void ReportRare(const StepLoop& loop, const RareCut& rare, Sink& sink) {
  Finding& found = sink.Report(
      rare.call->location,
      "{} cuts the graph of the loop at {} only every {} micro-batches, so that one graph holds {} "
      "forward and backward passes and takes at least {} times as long to compile; expected a cut "
      "after each",
      LastName(rare.call->name), LineText(loop.location, rare.call->location), rare.period,
      rare.period, rare.period);
  found.cost.unknown = "how long one pass compiles is not known without the model";
  found.fix.text = fmt::format(
      "call {} after each backward pass, and keep only the optimizer's step behind the condition",
      LastName(rare.call->name) == "sync" ? "torch_xla.sync()" : "xm.mark_step()");
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsTorchXla(source) || !UsesDevice(source) || CutsAll(source)) return;
  const bool cuts = !MakesLoader(source) || std::ranges::any_of(source.calls, CutsHere);
  for (const StepLoop& loop : StepLoops(source, CompiledFunctions(source))) {
    if (loop.driver != StepDriver::kTorch) continue;
    if (const RareCut rare = RareCutIn(source, loop.loop); rare.call != nullptr) {
      ReportRare(loop, rare, sink);
    }
    const SourceCall* step = OptimizerStep(source, loop.loop);
    if (step != nullptr && !cuts) ReportMissing(facts, loop, *step, sink);
  }
}

}  // namespace

TW_RULE(HL010)

}  // namespace tilewise::HL010
