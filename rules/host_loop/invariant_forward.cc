// Flags passes of a network that give the same result in every step.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/host_loop/frozen_part.h"
#include "rules/host_loop/step_code.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL016 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL016",
    .name = "invariant-forward",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a network gives the same features in every step or epoch",
    .no_saving = "features that are kept make another program of it",
    .no_cost = "the time of one pass is not known without its ops",
    .doc = R"(
What: in a loop of training steps of PyTorch (Python and C++), under no condition, a
forward pass of a network that is in evaluation mode and that no optimizer of the
file gets, of inputs that nothing in the loop changes. Of a model that is read, the
part between the data and the first weights that are trained, where nothing in it or
in the input pipeline is random and the run has several epochs: at least min-share of
the step.
Why: neither its weights nor its inputs change, so each step, or each epoch, computes
the same features again: content and style in style transfer, a teacher on fixed data,
a pretrained network below a new head. Compilers keep what depends on arguments of the
program in it.
Remedy: call it once before the loop, without gradients, and use the result in each
step; or run it over the data once and keep the features.
Ignore: networks that draw random numbers in evaluation mode; features that take more
room than there is.
Sources: the step that a style transfer takes in PyTorch's tutorials, where the
features of both images are made before the loop; the transfer learning guide of Keras.)",
    .thresholds = {{"min-share", 0.2, "share of the step that a frozen part takes"}},
};

// "model" of `model(x)` and of `model->forward(x)`; empty: no call of an object.
std::string_view CalledObject(const SourceFacts& facts, const SourceCall& call) {
  std::string_view name = call.name;
  constexpr std::string_view kForward = ".forward";
  if (name.ends_with(kForward)) name.remove_suffix(kForward.size());
  if (name.starts_with("self.")) name.remove_prefix(5);
  if (name.empty() || Contains(name, ".")) return "";
  return DefinitionOf(facts, call.name, call.context) < 0 ? name : "";
}

bool Names(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::any_of(names, [&](const std::string& each) {
    return each == name || (each.starts_with("self.") && std::string_view(each).substr(5) == name);
  });
}

// Whether the file puts the object in evaluation mode, by itself or where it is made.
bool IsInEvaluation(const SourceFacts& facts, std::string_view object) {
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    if (LastName(call.name) != "eval" || call.receiver.empty()) return false;
    return Names(call.receiver_names, object) || Names(call.results, object) ||
           CalledObject(facts, call) == object;
  });
}

// Whether an optimizer gets one of the names (its weights, or an input that is trained itself), or
// gradients of it are asked for.
bool IsTrained(const SourceFacts& facts, const std::vector<std::string>& names) {
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    const std::string_view last = LastName(call.name);
    if (last == "requires_grad_" || last == "set_requires_grad") {
      return IsOneOf(call.receiver, names) || HaveCommon(call.results, names);
    }
    return call.name.starts_with("torch.optim.") &&
           std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
             return std::ranges::any_of(
                 names, [&](const std::string& name) { return Names(argument.names, name); });
           });
  });
}

// Whether something in the loop binds one of the names anew, or writes into it.
bool Changes(const SourceFacts& facts, int32_t loop, const std::vector<std::string>& names) {
  const auto any = [&](const std::vector<std::string>& targets) {
    return std::ranges::any_of(targets, [&](const std::string& target) {
      return Names(names, std::string_view(target).substr(0, target.find_first_of("[.-")));
    });
  };
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    if (IsInside(facts, static_cast<int32_t>(i), loop) && any(facts.contexts[i].targets))
      return true;
  }
  for (const SourceAssignment& each : facts.assignments) {
    if (IsInside(facts, each.context, loop) && any(each.targets)) return true;
  }
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    const bool writes = LastName(call.name).ends_with("_") && !call.receiver.empty();
    return writes && IsInside(facts, call.context, loop) && HaveCommon(call.receiver_names, names);
  });
}

// Variables that the pass reads; empty: one of its inputs is made there.
std::vector<std::string> InputsOf(const SourceCall& call) {
  std::vector<std::string> names;
  for (const SourceArgument& argument : call.arguments) {
    if (argument.names.empty() || argument.call >= 0) return {};
    names.insert(names.end(), argument.names.begin(), argument.names.end());
  }
  return names;
}

void Check(const Facts& facts, Sink& sink) {
  ReportFrozenPart(facts, sink);
  const SourceFacts& source = facts.workload.facts;
  if (!IsTorch(source)) return;
  const StepCode code(source);
  for (const StepLoop& step : code.loops()) {
    if (step.driver != StepDriver::kTorch || step.is_function) continue;
    for (const SourceCall& call : source.calls) {
      if (LoopAround(source, call.context) != step.loop) continue;
      if (!RunsEachTime(source, call.context, step.loop)) continue;
      const std::string_view object = CalledObject(source, call);
      std::vector<std::string> names = InputsOf(call);
      if (object.empty() || names.empty() || !IsInEvaluation(source, object)) continue;
      std::vector<std::string> read = names;
      read.emplace_back(object);
      if (IsTrained(source, read) || Changes(source, step.loop, read)) continue;
      Finding& found = sink.Report(
          call.location,
          "{} of {} gives the same result in {}: neither changes there; expected one pass before "
          "the loop",
          object, fmt::join(names, ", "), EachStepOf(source, step, call.location));
      found.fix.text =
          "call it once before the loop, without gradients, and use the result in each step";
    }
  }
}

}  // namespace

TW_RULE(HL016)

}  // namespace tilewise::HL016
