// Flags values of the device that decide on the host what runs next.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/host_loop/called_fetch.h"
#include "rules/host_loop/step_code.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::DY006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY006",
    .name = "host-branch-on-tensor",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "the host branches on a value of the device",
    .no_cost =
        "how long the host takes between two steps, while the device waits, is not in the files",
    .doc = R"(
What: `if` or `while` on what a step has computed, in every step of a loop; and
inside a compiled function `if`, float(), int(), .item() or .numpy() on what was
computed there; .item() and .tolist() in what forward() of a PyTorch module runs
in training.
Why: in a loop the host has to wait for the value before it can dispatch the
next step. With torch_xla it also cuts the graph in two, and a value that picks
the ops or their sizes makes a new program each time. Inside a jitted
function there is no value to branch on: it fails when it is traced.
Remedy: jnp.where or lax.cond on the device (tf.where, tf.cond), or look at the
value every N steps.
Ignore: branches behind a condition like `step % 100 == 0`. tf.function makes
graph branches of `if`, so they are not reported.
Numbers: how long the host takes between two steps is not in the files.
Sources: PyTorch/XLA's troubleshooting and recompilation guides,
lightning#15884.)",
};

// Conditions that are known when the step is traced; leaves of a tree are a list of Python.
constexpr std::string_view kStatic[] = {".shape",       ".ndim",        " is None", "isinstance",
                                        "len(",         "hasattr",      ".dtype",   "is not None",
                                        "tree_leaves(", "tree.leaves(", " in ",     "isscalar("};

bool IsStatic(const std::string& text) {
  return std::ranges::any_of(kStatic, [&](std::string_view part) { return Contains(text, part); });
}

// Variables of a function that hold results of JAX calls.
std::vector<std::string> ArraysOf(const SourceFacts& source, int32_t function) {
  constexpr std::string_view kHost =
      "shape|ndim|size|dtype|issubdtype|result_type|axis_index|isscalar|iscomplexobj|isrealobj|"
      "broadcast_shapes|finfo|iinfo|axis_size";
  std::vector<std::string> arrays;
  for (const SourceCall& call : source.calls) {
    if (FunctionAround(source, call.context) != function) continue;
    const bool array = call.name.starts_with("jax.numpy.") || call.name.starts_with("jax.nn.") ||
                       call.name.starts_with("jax.lax.") || call.name.starts_with("jax.random.");
    const std::string_view last = LastName(call.name);
    if (!array || IsOneOfWords(last, kHost)) continue;
    arrays.insert(arrays.end(), call.results.begin(), call.results.end());
  }
  return arrays;
}

void ReportBranches(const SourceFacts& source, const StepLoop& loop,
                    const std::vector<const SourceContext*>& branches, Sink& sink) {
  const SourceContext& branch = *branches.front();
  std::vector<Location> places;
  places.reserve(branches.size());
  for (const SourceContext* each : branches) places.push_back(each->location);
  Finding& found =
      sink.Report(branch.location,
                  "`{}` is decided on the host in {}, which waits for the device; "
                  "expected a choice on the device{}",
                  branch.text, EachStepOf(source, loop, branch.location), OtherLines(places));
  found.fix.text = loop.driver == StepDriver::kTorch
                       ? "use torch.where, or look at the value every N steps"
                       : "make it part of the step (jnp.where, lax.cond, tf.where), or look at "
                         "the value every N steps";
}

void CheckLoops(const SourceFacts& source, const std::vector<StepLoop>& loops, Sink& sink) {
  for (const StepLoop& loop : loops) {
    if (loop.several) continue;
    // The first one waits, whatever the others do: a loop is one cause.
    std::vector<const SourceContext*> branches;
    for (const SourceContext& branch : source.contexts) {
      if (branch.kind != ContextKind::kIf && branch.kind != ContextKind::kWhile) {
        continue;
      }
      if (!IsInside(source, branch.parent, loop.loop) ||
          !RunsEachTime(source, branch.parent, loop.loop)) {
        continue;
      }
      if (IsStatic(branch.text) || Contains(branch.text, "%") || Contains(branch.text, " and ") ||
          !ReadsValue(branch.text, branch.names, loop.on_device)) {
        continue;
      }
      branches.push_back(&branch);
    }
    if (!branches.empty()) ReportBranches(source, loop, branches, sink);
  }
}

// Branches and conversions inside jitted functions.
void CheckTraced(const SourceFacts& source, const TracedFunctions& traced, Sink& sink) {
  for (size_t i = 0; i < source.contexts.size(); ++i) {
    const SourceContext& branch = source.contexts[i];
    const bool decides = branch.kind == ContextKind::kIf || branch.kind == ContextKind::kWhile;
    if (!decides || IsStatic(branch.text) || !traced.Covers(branch.parent)) {
      continue;
    }
    const int32_t function = FunctionAround(source, branch.parent);
    if (!ReadsValue(branch.text, branch.names, ArraysOf(source, function))) continue;
    Finding& found = sink.Report(branch.location,
                                 "`{}` needs a value while {}() is traced, where there is none; "
                                 "expected lax.cond or jnp.where",
                                 branch.text, source.contexts[function].name);
    found.fix.text = branch.kind == ContextKind::kWhile ? "use jax.lax.while_loop"
                                                        : "use jax.lax.cond or jnp.where";
  }
  for (const SourceCall& call : source.calls) {
    if (!IsHostConversion(call) || call.in_dataset_function) continue;
    if (!traced.Covers(call.context)) continue;
    const int32_t function = FunctionAround(source, call.context);
    if (!Fetches(call, ArraysOf(source, function))) continue;
    Finding& found =
        sink.Report(call.location,
                    "{} asks for a value while {}() is traced, where there is none; expected "
                    "arrays throughout the step",
                    LastName(call.name), source.contexts[function].name);
    found.fix.text = "keep the value an array, and convert it after the step";
  }
}

// HL006 speaks of what is read in a loop of steps.
bool IsOfLoop(const StepCode& code, const SourceFacts& source, int32_t context) {
  const int32_t function = FunctionAround(source, context);
  return std::ranges::any_of(code.loops(), [&](const StepLoop& loop) {
    return loop.is_function ? loop.loop == function : FunctionAround(source, loop.loop) == function;
  });
}

// Functions that a loop of steps gives what they read: HL006 names the call.
std::set<int32_t> FetchingFunctions(const SourceFacts& source, const StepCode& code,
                                    const TracedFunctions& traced) {
  std::set<int32_t> functions;
  for (const StepLoop& loop : code.loops()) {
    for (const SourceCall& call : source.calls) {
      if (loop.is_function || !IsInside(source, call.context, loop.loop)) continue;
      const SourceCall* inside = FetchInCalled(source, traced, call, loop.on_device);
      if (inside != nullptr) functions.insert(FunctionAround(source, inside->context));
    }
  }
  return functions;
}

// Values that modules read while they run forward; those of one function are one finding.
void CheckModules(const SourceFacts& source, const TracedFunctions& traced, Sink& sink) {
  const StepCode code(source);
  const std::set<int32_t> fetching = FetchingFunctions(source, code, traced);
  std::vector<std::pair<int32_t, std::vector<const SourceCall*>>> functions;
  for (const SourceCall& call : source.calls) {
    const std::string_view last = LastName(call.name);
    const bool reads =
        !call.receiver.empty() && call.arguments.empty() && (last == "item" || last == "tolist");
    if (!reads || code.At(call.context) != StepCodeKind::kTorch) continue;
    if (IsOfLoop(code, source, call.context) || IsForDebugging(source, call.context)) continue;
    if (IsStatic(call.receiver) || IsOfNumpy(source, call.receiver_names, call.context)) continue;
    if (!code.PlaceOf(call.context, call.location).ends_with("()")) continue;
    const int32_t function = FunctionAround(source, call.context);
    if (fetching.contains(function)) continue;
    if (functions.empty() || functions.back().first != function)
      functions.push_back({function, {}});
    functions.back().second.push_back(&call);
  }
  for (const auto& [function, calls] : functions) {
    const SourceCall& call = *calls.front();
    std::vector<Location> places;
    places.reserve(calls.size());
    for (const SourceCall* each : calls) places.push_back(each->location);
    Finding& found = sink.Report(
        call.location,
        "{}.{}() in {} brings a value to the host in the middle of each step: on XLA the graph is "
        "cut there, the device waits, and what depends on the value is compiled anew for each; "
        "expected tensors throughout{}",
        call.receiver.size() < 40 ? call.receiver : "..", LastName(call.name),
        code.PlaceOf(call.context, call.location), OtherLines(places));
    found.fix.text =
        "keep it a tensor (torch.where, index_select, arange with a comparison), or pass it in as "
        "a Python number that does not change";
  }
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!MayRunOnXla(source)) return;
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  const TracedFunctions traced(source, compiled);
  CheckLoops(source, StepLoops(source, compiled), sink);
  if (IsWritten(source) && IsTorch(source)) CheckModules(source, traced, sink);
  if (Imports(source, "jax")) CheckTraced(source, traced, sink);
}

}  // namespace

TW_RULE(DY006)

}  // namespace tilewise::DY006
