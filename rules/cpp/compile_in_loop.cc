// Flags compilations, sessions and models that are made in each round of a loop.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/cpp/api_calls.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::CX001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CX001",
    .name = "compile-in-loop",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a C++ loop compiles, or makes its session or model, in every round",
    .no_cost = "how long a compilation takes is not in the source",
    .doc = R"(
What: in C++, Compile() or CompileAndLoad() of a PjRt or local client, LoadSavedModel(),
NewSession(), ClientSession, torch::jit::load() or PJRT_Client_Compile() in the body of a loop, in a
function of the source that it calls, or in a function that by its name serves one request; a module
of LibTorch that a training loop makes anew in every step; a session that a function with parameters
makes, runs and drops (information).
Why: a compilation for a TPU takes seconds to minutes, a session compiles its graph at its first
run, and a module that is made anew has untrained weights in new buffers.
Remedy: make it once before the loop, or keep it in a map by the shapes that it was compiled for.
Ignore: loops over a handful of shapes that are compiled ahead of time.
Sources: PyTorch/XLA's guide (compile once), XLA's PjRt interface.)",
};

bool ServesRequests(std::string_view function) {
  constexpr std::string_view kWords[] = {"request", "handle", "predict", "serve", "infer"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return Mentions(function, word); });
}

bool Compiles(const SourceCall& call) {
  return IsOfC(call, "PJRT_Client_Compile|PJRT_Client_Create|PJRT_Executable_DeserializeAndLoad") ||
         IsOneOfWords(call.name,
                      "tensorflow.LoadSavedModel|tensorflow.NewSession|tensorflow.ClientSession|"
                      "torch.jit.load|xla.GetTpuClient|xla.GetCApiClient") ||
         IsMethodOf(call, "xla.PjRtClient|xla.LocalClient|xla.Client", "CompileAndLoad") ||
         (!IsByName(call) && IsMethodOf(call, "xla.PjRtClient|xla.LocalClient", "Compile"));
}

bool IsModule(const SourceFacts& facts, const SourceCall& call) {
  if (call.name.starts_with("torch.nn.functional.") || call.name.starts_with("torch.nn.utils.") ||
      call.name.starts_with("torch.nn.init.")) {
    return false;
  }
  if (call.name.starts_with("torch.nn.")) return !LastName(call.name).ends_with("Loss");
  return std::ranges::any_of(facts.contexts, [&](const SourceContext& each) {
    return each.kind == ContextKind::kClass && each.name == call.name &&
           std::ranges::any_of(each.bases, [](const std::string& base) {
             return base.starts_with("torch.nn.Module") || base == "torch.nn.Cloneable";
           });
  });
}

// The session's variable, as it is or in a pointer that owns it; empty: it goes elsewhere.
std::string SessionOf(const SourceFacts& facts, const SourceCall& call) {
  const SourceCall* at = &call;
  while (at->results.empty() && at->outer >= 0) at = &facts.calls[at->outer];
  if (at->results.size() != 1 || Contains(at->results[0], ".")) return "";
  return at->results[0];
}

// Whether a function with parameters makes the session, runs it, and keeps it in no place that
// outlives the call: each call of the function compiles the graph anew.
bool IsDropped(const SourceFacts& facts, const SourceCall& call) {
  if (call.name != "tensorflow.NewSession" && call.name != "tensorflow.ClientSession") return false;
  const int32_t function = Around(facts, call.context, ContextKind::kFunction);
  if (function < 0 || facts.contexts[function].targets.empty()) return false;
  const SourceContext& around = facts.contexts[function];
  const std::string session = SessionOf(facts, call);
  if (session.empty() || around.name == "main" || IsOneOf(session, around.targets)) return false;
  bool runs = false;
  for (const SourceCall& other : facts.calls) {
    if (!IsInside(facts, other.context, function)) continue;
    const bool of_it = IsOneOf(session, other.receiver_names);
    runs =
        runs || (of_it && IsMethodOf(other, "tensorflow.Session|tensorflow.ClientSession", "Run"));
    const bool handed_on = std::ranges::any_of(
        other.arguments,
        [&](const SourceArgument& argument) { return IsOneOf(session, argument.names); });
    if (handed_on) return false;
  }
  return runs;
}

void ReportDropped(const SourceCall& call, Sink& sink) {
  Finding& found = sink.Report(
      call.location,
      "{}() runs in every call of {}(), which runs the session and drops it; expected one session "
      "for all calls",
      LastName(call.name), call.function);
  found.severity = Severity::kInfo;
  found.fix.text = "make the graph and its session once, and hand the session in";
}

void Report(const SourceFacts& facts, const SourceCall& call, int32_t loop, Sink& sink) {
  const std::string where =
      loop >= 0 ? fmt::format("every round of the loop at {}",
                              LineText(facts.contexts[loop].location, call.location))
                : fmt::format("every call of {}()", call.function);
  Finding& found = sink.Report(call.location, "{}() runs in {}{}; expected it once, ahead of it",
                               LastName(call.name), where, ByNameText(call));
  found.fix.text = loop >= 0 ? "move it before the loop, or keep its result in a map by shape"
                             : "make it once when the process starts, and hand it in";
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload)) return;
  const std::vector<StepLoop> steps = StepLoops(source, CompiledFunctions(source));
  for (const SourceCall& call : source.calls) {
    if (Compiles(call) && !IsKept(call)) {
      const int32_t loop = LoopThatReaches(source, call);
      const int32_t function = FunctionAround(source, call.context);
      const bool served = loop < 0 && function >= 0 && ServesRequests(call.function) &&
                          !HasLoop(source, function) &&
                          RunsEachTime(source, call.context, function);
      if (loop >= 0 || served) {
        Report(source, call, loop, sink);
      } else if (IsDropped(source, call)) {
        ReportDropped(call, sink);
      }
      continue;
    }
    const int32_t loop = LoopThatRuns(source, call);
    const bool in_step = loop >= 0 && std::ranges::any_of(steps, [&](const StepLoop& step) {
                           return step.loop == loop && !step.is_function;
                         });
    if (in_step && call.outer < 0 && IsModule(source, call)) Report(source, call, loop, sink);
  }
}

}  // namespace

TW_RULE(CX001)

}  // namespace tilewise::CX001
