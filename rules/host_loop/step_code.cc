// Starts from modules, loops and compiled functions, and follows calls by name.

#include "rules/host_loop/step_code.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "advice/locations.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

// Functions that no step of training runs.
bool IsAside(std::string_view name) {
  constexpr std::array<std::string_view, 22> kWords = {
      "eval",         "valid",       "test",   "predict", "generat",  "sample",  "infer", "plot",
      "visual",       "show",        "export", "save",    "load",     "collate", "init",  "decode",
      "post_process", "postprocess", "nms",    "metric",  "accuracy", "display"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(name, word); });
}

bool IsTorchEntry(std::string_view name) {
  return name == "forward" || name == "training_step" || name == "compute_loss";
}

constexpr std::string_view kTorchPackages = "torch|pytorch_lightning|lightning|fairseq";
constexpr std::string_view kJaxPackages = "flax|haiku|equinox";

// Conditions under which no training runs.
bool IsOfInference(const SourceContext& branch) {
  const bool training = Mentions(branch.text, "training") || Mentions(branch.text, "train");
  const bool negated = Contains(branch.text, "not ") || Contains(branch.text, "False");
  if (branch.kind == ContextKind::kIf) {
    return (training && negated) || Mentions(branch.text, "eval") ||
           Mentions(branch.text, "infer") || Mentions(branch.text, "debug") ||
           Mentions(branch.text, "tracing") || Mentions(branch.text, "scripting");
  }
  if (branch.kind == ContextKind::kElse) return training && !negated;
  return false;
}

// Returns whether the code is behind a condition like `step % 100 == 0`.
bool IsNowAndThen(const SourceFacts& facts, int32_t context, int32_t outer) {
  for (; context != outer && context >= 0; context = facts.contexts[context].parent) {
    if (Contains(facts.contexts[context].text, "%")) return true;
  }
  return false;
}

// torch.no_grad() and the like: no function of a step, or one of its updates.
bool IsWithoutGradients(const SourceContext& function) {
  return std::ranges::any_of(function.decorators, [](const SourceDecorator& decorator) {
    const std::string_view name = LastName(decorator.name);
    return name == "no_grad" || name == "inference_mode";
  });
}

}  // namespace

bool IsModuleClass(const SourceFacts& facts, int32_t context, std::string_view packages) {
  std::vector<std::string> bases = facts.contexts[context].bases;
  for (size_t i = 0; i < bases.size() && i < 16; ++i) {
    const std::string& base = bases[i];
    if (IsOneOfWords(std::string_view(base).substr(0, base.find('.')), packages)) {
      return LastName(base).ends_with("Module") || Contains(base, ".nn.");
    }
    for (const SourceContext& other : facts.contexts) {
      if (other.kind != ContextKind::kClass || other.name != base) continue;
      bases.insert(bases.end(), other.bases.begin(), other.bases.end());
      break;
    }
  }
  return false;
}

StepCode::StepCode(const SourceFacts& facts)
    : facts_(facts),
      compiled_(CompiledFunctions(facts)),
      traced_(facts, compiled_),
      loops_(StepLoops(facts, compiled_)) {
  AddModules();
  if (IsTorch(facts)) AddLoops();
  while (!pending_.empty()) {
    const int32_t next = pending_.back();
    pending_.pop_back();
    Follow(next);
  }
}

void StepCode::AddModules() {
  for (size_t i = 0; i < facts_.contexts.size(); ++i) {
    const SourceContext& function = facts_.contexts[i];
    if (function.kind != ContextKind::kFunction || function.parent < 0) continue;
    if (facts_.contexts[function.parent].kind != ContextKind::kClass) continue;
    const auto index = static_cast<int32_t>(i);
    if (IsTorchEntry(function.name) && IsModuleClass(facts_, function.parent, kTorchPackages)) {
      Add(index);
    }
    if (function.name == "__call__" && IsModuleClass(facts_, function.parent, kJaxPackages)) {
      traced_modules_.insert(index);
    }
  }
}

void StepCode::AddLoops() {
  for (const StepLoop& loop : loops_) {
    if (loop.driver == StepDriver::kTorch) Add(loop.loop);
  }
}

void StepCode::Add(int32_t function) {
  if (function < 0) return;
  if (torch_.insert(function).second) pending_.push_back(function);
}

void StepCode::Follow(int32_t context) {
  for (const SourceCall& call : facts_.calls) {
    if (!IsInside(facts_, call.context, context) || IsSetAside(call.context)) continue;
    if (IsNowAndThen(facts_, call.context, context)) continue;
    const int32_t called = DefinitionOf(facts_, call.name, call.context);
    if (called < 0 || IsAside(facts_.contexts[called].name)) continue;
    if (IsWithoutGradients(facts_.contexts[called])) continue;
    Add(called);
  }
}

// Whether a condition or function around, up to what runs in each step, is of
// something else than training.
bool StepCode::IsSetAside(int32_t context) const {
  for (int32_t at = context; at >= 0; at = facts_.contexts[at].parent) {
    const SourceContext& here = facts_.contexts[at];
    if (IsOfInference(here)) return true;
    if (here.kind == ContextKind::kFunction && IsAside(here.name)) return true;
    if (torch_.contains(at) || traced_modules_.contains(at)) return false;
  }
  return false;
}

StepCodeKind StepCode::At(int32_t context) const {
  if (traced_.Covers(context)) return StepCodeKind::kTraced;
  if (IsSetAside(context)) return StepCodeKind::kNone;
  for (int32_t at = context; at >= 0; at = facts_.contexts[at].parent) {
    if (torch_.contains(at)) return StepCodeKind::kTorch;
    if (traced_modules_.contains(at)) return StepCodeKind::kTraced;
    // What a function makes may be called by others.
    if (facts_.contexts[at].kind == ContextKind::kClass) break;
  }
  return StepCodeKind::kNone;
}

std::string StepCode::PlaceOf(int32_t context, const Location& from) const {
  const int32_t function = Around(facts_, context, ContextKind::kFunction);
  for (const StepLoop& loop : loops_) {
    if (loop.is_function || !IsInside(facts_, context, loop.loop)) continue;
    if (FunctionAround(facts_, loop.loop) != FunctionAround(facts_, context)) continue;
    return fmt::format("the loop at {}", LineText(loop.location, from));
  }
  return function < 0 ? "the step" : fmt::format("{}()", facts_.contexts[function].name);
}

bool IsMask(const SourceFacts& facts, const MaskEvidence& mask, int32_t context) {
  if (mask.sure) return true;
  const int32_t function = FunctionAround(facts, context);
  std::vector<std::string> names = mask.if_any;
  for (size_t i = 0; i < names.size() && i < 32; ++i) {
    const SourceAssignment* bound = nullptr;
    for (const SourceAssignment& assignment : facts.assignments) {
      // Several targets take parts of the value.
      if (assignment.targets.size() != 1 || assignment.targets[0] != names[i]) continue;
      if (assignment.augmented) continue;
      if (FunctionAround(facts, assignment.context) != function) continue;
      bound = &assignment;
      if (assignment.mask.sure) return true;
    }
    if (bound == nullptr) continue;
    for (const std::string& name : bound->mask.if_any) {
      if (!IsOneOf(name, names)) names.push_back(name);
    }
  }
  return false;
}

bool IsOfNumpy(const SourceFacts& facts, const std::vector<std::string>& names, int32_t context) {
  const int32_t function = FunctionAround(facts, context);
  return std::ranges::any_of(facts.assignments, [&](const SourceAssignment& assignment) {
    if (!HaveCommon(assignment.targets, names)) return false;
    if (FunctionAround(facts, assignment.context) != function) return false;
    const std::string name = assignment.call < 0 ? "" : facts.calls[assignment.call].name;
    return name.starts_with("numpy.") || LastName(name) == "numpy" || LastName(name) == "tolist" ||
           Contains(assignment.text, ".numpy()");
  });
}

}  // namespace tilewise
