// Flags training steps that return their new state next to the old one instead
// of writing over it.

#include "advice/locations.h"
#include "edit/python.h"
#include "rules/host_loop/state_bytes.h"
#include "rules/host_loop/step_loops.h"
#include "rules/memory/step_results.h"
#include "workload/blocks.h"

namespace tilewise::ME002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME002",
    .name = "missing-donation",
    .fix = Applicability::kUnsafe,
    .summary = "the old state is kept while the step returns the new one",
    .no_saving = "which buffer a result takes is no part of the graph that is simulated",
    .doc = R"(
What: arguments of a compiled training step for which it returns an array of the
same shape without writing it over the argument (no input_output_alias, no
donated buffer), together at least min-hbm-share of the HBM of a core.
Why: weights and optimizer state are in HBM twice while the step runs, so the
largest batch is smaller than it could be. A donated argument is written over.
Remedy: donate the state: jax.jit(step, donate_argnums=(0,)), or an alias set up
in the module.
Where a call that evaluates runs the whole step only for its loss, it needs a function
of its own first: that one does not donate, and has no gradients to compute.
Ignore: inference, and steps whose caller still reads the old state (averages,
a step that is tried and taken back): a donated array cannot be read again.
Numbers: bytes, without padding, of the arguments that have a result of their shape; of a script
whose model is read, weights and optimizer state of a core.
Sources: jax#2936, elegy#226 (about a third of the memory).)",
    .thresholds = {{"min-hbm-share", 0.05, "share of a core's HBM that is held twice"}},
};

double ShareOfHbm(const Facts& facts, Bytes bytes) {
  const Bytes hbm = facts.target.chip.usable_hbm();
  return static_cast<double>(bytes.value) / static_cast<double>(hbm.value);
}

void MarkIfSmall(const Facts& facts, Bytes held, const Sink& sink, Finding& found) {
  if (ShareOfHbm(facts, held) < sink.threshold("min-hbm-share")) {
    found.too_small = "little of the HBM";
  }
}

// Evidence in the compiled program.
void CheckModule(const Facts& facts, Sink& sink) {
  if (facts.source == nullptr || !facts.workload.module.states_aliases) return;
  if (facts.workload.step != StepKind::kTrainingStep) return;
  const StepResults results = ResultsOf(facts);
  const auto [total, largest] = TotalOf(facts, results.kept);
  const Bytes hbm = facts.target.chip.usable_hbm();
  if (largest == kNoOp) return;
  const Op& op = facts.source->op(largest);
  Finding& found = sink.ReportOp(
      largest,
      "{} arguments of the step are kept although it returns new ones of their shapes, the largest "
      "{} {}: {} of {} HBM held twice, expected results written over them",
      FormatCount(static_cast<int64_t>(results.kept.size())), op.name, FormatShape(op.shape),
      FormatBytes(total), FormatBytes(hbm));
  found.cost.bytes = total;
  MarkIfSmall(facts, total, sink, found);
  found.fix.text =
      "donate the state to the step: jax.jit(step, donate_argnums=...) or an input_output_alias of "
      "the module";
}

bool IsState(std::string_view name) {
  constexpr std::string_view kWords[] = {"state",     "param", "opt",   "weight",
                                         "variables", "model", "train", "slots"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(name, word); });
}

// Positions, as the compiler counts them, of the arguments that the call's results replace. The
// object is the first argument of a method that gives it back anew.
std::vector<size_t> Rebound(const CompiledFunction& function, const SourceCall& call,
                            size_t offset) {
  std::vector<size_t> positions;
  if (IsMethodOfState(function, call)) positions.push_back(0);
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const SourceArgument& argument = call.arguments[i];
    if (!argument.keyword.empty() || !IsState(argument.text)) continue;
    if (IsOneOf(argument.text, call.results)) positions.push_back(i + offset);
  }
  return positions;
}

// Whether the function donates some of the arguments at `positions`, as far as the text tells.
bool Donates(const CompiledFunction& function, const std::vector<size_t>& positions) {
  return std::ranges::any_of(function.options, [&](const SourceArgument& option) {
    if (option.keyword != "donate_argnums" || option.integers.empty())
      return option.keyword.starts_with("donate") || option.keyword.empty();
    return std::ranges::any_of(option.integers, [&](int64_t donated) {
      return donated < 0 || std::ranges::find(positions, donated) != positions.end();
    });
  });
}

// "argument 2, batch": what is donated in the place of the state; empty: nothing is.
std::string DonatedInstead(const CompiledFunction& function, const SourceCall& call,
                           size_t offset) {
  for (const SourceArgument& option : function.options) {
    if (option.keyword != "donate_argnums" || option.integers.empty()) continue;
    const auto donated = static_cast<size_t>(option.integers.front());
    const size_t given = donated - offset;
    if (donated < offset || given >= call.arguments.size()) return "another argument";
    return fmt::format("argument {}, {},", donated, call.arguments[given].text);
  }
  return "";
}

// Another name for the state: somebody may read the old one.
bool IsKept(const SourceFacts& source, const StepLoop& loop, const std::string& state) {
  return std::ranges::any_of(source.assignments, [&](const SourceAssignment& assignment) {
    return assignment.name == state && assignment.call < 0 &&
           IsInside(source, assignment.context, loop.loop);
  });
}

// Other calls of the step that are given the state and do not replace it: what they were given
// would be gone when it is read later.
std::vector<const SourceCall*> CallsThatKeep(const SourceFacts& source, const SourceCall& step,
                                             std::string_view state) {
  std::vector<const SourceCall*> calls;
  for (const SourceCall& call : source.calls) {
    if (call.name != step.name || IsOneOf(state, call.results)) continue;
    const bool given = std::ranges::any_of(
        call.arguments, [&](const SourceArgument& argument) { return argument.text == state; });
    if (given || call.receiver == state) calls.push_back(&call);
  }
  return calls;
}

// Whether the call wants the loss of other data than those of training, by the names of what it
// takes, gives and stands in, and is no step that is tried and taken back.
bool Evaluates(const SourceFacts& source, const SourceCall& call) {
  constexpr std::string_view kWords[] = {"valid", "val_", "eval", "test", "held"};
  const auto names = [&](std::string_view text) {
    return std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(text, word); });
  };
  const int32_t function = FunctionAround(source, call.context);
  return (function >= 0 && names(source.contexts[function].name)) ||
         std::ranges::any_of(call.results, names) ||
         std::ranges::any_of(call.arguments,
                             [&](const SourceArgument& argument) { return names(argument.text); });
}

std::string Positions(const std::vector<size_t>& positions) {
  std::string text;
  for (const size_t position : positions) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", position);
  }
  return positions.size() == 1 ? text + "," : text;
}

void ReportState(const Facts& facts, const StepLoop& loop, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const SourceCall& call = *loop.call;
  const CompiledFunction& function = *loop.compiled;
  // A decorated method counts self.
  const bool of_state = IsMethodOfState(function, call);
  const bool of_self = function.decorator && call.name.starts_with("self.");
  const size_t offset = of_state || of_self ? 1 : 0;
  const std::vector<size_t> positions = Rebound(function, call, offset);
  if (positions.empty() || call.open || Donates(function, positions)) return;
  const std::string& state = of_state ? call.receiver : call.arguments[positions[0] - offset].text;
  if (IsKept(source, loop, state)) return;
  const std::vector<const SourceCall*> keep = CallsThatKeep(source, call, state);
  if (!std::ranges::all_of(keep,
                           [&](const SourceCall* other) { return Evaluates(source, *other); })) {
    return;
  }
  const std::optional<Bytes> held =
      facts.model == nullptr ? std::nullopt : std::optional(StateBytes(facts));
  const bool equinox = Imports(source, "equinox");
  const std::string option =
      equinox ? "donate=\"all\"" : fmt::format("donate_argnums=({})", Positions(positions));
  const std::string instead = DonatedInstead(function, call, offset);
  Finding& found = sink.Report(
      function.location,
      "{}() returns {} anew and its {} {} the old one, so that both are in HBM while a step runs; "
      "expected {}",
      call.name, state, LastName(CompilerName(function.compiler)),
      instead.empty() ? "does not donate" : fmt::format("donates {} and not", instead), option);
  if (held) {
    found.cost.bytes = *held;
    MarkIfSmall(facts, *held, sink, found);
  } else {
    found.cost.unknown = "how large the state is is not in the script";
  }
  found.fix.text = fmt::format("pass {} to {}", option,
                               equinox ? "filter_jit" : CompilerName(function.compiler));
  if (!keep.empty()) {
    found.fix.applicability = Applicability::kShow;
    found.fix.text += fmt::format(
        "; first give the call at {}, which evaluates by a whole step and reads the state "
        "afterwards, a function of its own that computes the loss alone",
        LineText(keep.front()->location, function.location));
    return;
  }
  if (!instead.empty()) {
    found.fix.text = fmt::format("set {}", option);
    return;
  }
  if (equinox) return;  // it donates every argument: what else reads them is not known
  if (function.called && function.arguments_span.begin < function.arguments_span.end) {
    found.fix.edits = AppendArgument(facts.workload, function.arguments_span, option);
  }
}

// Steps of a training loop, compiled by JAX, that get their state back under
// the name it was given by and do not donate it.
void CheckScript(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!facts.training || !IsWritten(source) || !Imports(source, "jax")) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver != StepDriver::kCompiled || loop.compiled == nullptr) {
      continue;
    }
    if (IsJax(loop.compiled->compiler)) ReportState(facts, loop, sink);
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckModule(facts, sink);
  CheckScript(facts, sink);
}

}  // namespace

TW_RULE(ME002)

}  // namespace tilewise::ME002
