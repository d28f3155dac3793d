// Flags torch_xla loops in which nothing cuts the graph after a step.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "edit/python.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL010 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL010",
    .name = "torch-xla-sync-missing",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a torch_xla loop never cuts its graph",
    .doc = R"(
What: a loop on an XLA device with backward() and an optimizer's step, whose
examples do not come from MpDeviceLoader and which calls neither
torch_xla.sync() nor xm.mark_step() nor xm.optimizer_step(barrier=True).
Why: torch_xla records ops until something cuts the graph. Without a cut the
steps pile up in one growing graph until a value is read: then a program of
another size is compiled, and nothing runs before.
Remedy: torch_xla.sync() (xm.mark_step() before 2.5) after the optimizer's
step, or a MpDeviceLoader, which cuts at each batch.
Ignore: torch_xla.compile, torch_xla.step() and trainers of a framework cut the
graph themselves.
Numbers: how large the graph grows depends on where a value is read.
Sources: PyTorch/XLA's troubleshooting guide, lightning#15884.)",
};

constexpr std::string_view kCuts[] = {"mark_step",      "sync",       "MpDeviceLoader",
                                      "ParallelLoader", "eager_mode", "DeviceLoader",
                                      "Accelerator",    "Trainer",    "step_closure"};

// Something in the files cuts graphs, or may.
bool Cuts(const SourceFacts& source) {
  for (const SourceCall& call : source.calls) {
    const std::string_view name = LastName(call.name);
    if (IsOneOf(name, kCuts)) return true;
    if (call.name == "torch_xla.compile" || call.name == "torch_xla.step") {
      return true;
    }
    if (name == "optimizer_step") {
      const SourceArgument* barrier = ArgumentOf(call.arguments, "barrier");
      if (barrier != nullptr && barrier->text != "False") return true;
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
    const std::string_view name = LastName(call.name);
    const bool step = name == "step" && Mentions(call.receiver, "opt");
    if (!step && name != "optimizer_step") continue;
    if (IsInside(source, call.context, loop)) return &call;
  }
  return nullptr;
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

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsTorchXla(source) || !UsesDevice(source) || !MakesLoader(source) || Cuts(source)) {
    return;
  }
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const bool model = Imports(source, "torch_xla.core.xla_model");
  const std::string cut = model ? "xm.mark_step()" : "torch_xla.sync()";
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver != StepDriver::kTorchXla) continue;
    const SourceCall* step = OptimizerStep(source, loop.loop);
    if (step == nullptr) continue;
    Finding& found =
        sink.Report(step->location,
                    "nothing cuts the graph after the step of the loop at {}, so that steps pile "
                    "up in one growing graph; expected {} or a MpDeviceLoader",
                    LineText(loop.location, step->location), cut);
    found.cost.unknown = "how large the graph grows depends on where a value is read";
    found.fix.text = fmt::format("call {} after the optimizer's step", cut);
    if (SpellsIt(facts.workload, step->location.file, model)) {
      found.fix.edits = InsertBehind(facts.workload, step->statement, cut);
    }
  }
}

}  // namespace

TW_RULE(HL010)

}  // namespace tilewise::HL010
