// Both read names: what a call is given and bound to, what a body reads.

#include "rules/memory/script_state.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/host_loop/step_loops.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

bool IsState(std::string_view name) {
  constexpr std::array<std::string_view, 8> kWords = {"state",     "param", "opt",   "weight",
                                                      "variables", "model", "train", "slots"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return Mentions(name, word); });
}

// Positions of the arguments that the call's results replace.
std::vector<size_t> Rebound(const SourceCall& call) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const SourceArgument& argument = call.arguments[i];
    if (!argument.keyword.empty() || !IsState(argument.text)) continue;
    if (IsOneOf(argument.text, call.results)) positions.push_back(i);
  }
  return positions;
}

bool Donates(const CompiledFunction& function) {
  return std::ranges::any_of(function.options, [](const SourceArgument& option) {
    return option.keyword.starts_with("donate") || option.keyword.empty();
  });
}

// Another name for the state: somebody may read the old one.
bool IsKept(const SourceFacts& source, const StepLoop& loop, const std::string& state) {
  return std::ranges::any_of(source.assignments, [&](const SourceAssignment& assignment) {
    return assignment.name == state && assignment.call < 0 &&
           IsInside(source, assignment.context, loop.loop);
  });
}

std::string Positions(const std::vector<size_t>& positions, size_t offset) {
  std::string text;
  for (const size_t position : positions) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", position + offset);
  }
  return positions.size() == 1 ? text + "," : text;
}

void ReportState(const Facts& facts, const StepLoop& loop, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const SourceCall& call = source.calls[loop.call];
  const CompiledFunction& function = *loop.compiled;
  const std::vector<size_t> positions = Rebound(call);
  if (positions.empty() || call.open || Donates(function)) return;
  const std::string& state = call.arguments[positions[0]].text;
  if (IsKept(source, loop, state)) return;
  // A decorated method counts self.
  const size_t offset = function.decorator && call.name.starts_with("self.") ? 1 : 0;
  const std::string numbers = Positions(positions, offset);
  Finding& found = sink.Report(
      function.location, fmt::format("{}() returns {} anew and its jit does not donate the old "
                                     "one, so that both are in HBM while a step runs; expected "
                                     "donate_argnums=({})",
                                     call.name, state, numbers));
  found.cost.unknown = "how large the state is is not in the script";
  found.fix.text =
      fmt::format("pass donate_argnums=({}) to {}", numbers, CompilerName(function.compiler));
  if (function.called && function.arguments_span.begin < function.arguments_span.end) {
    found.fix.edits = AppendArgument(facts.workload, function.arguments_span,
                                     fmt::format("donate_argnums=({})", numbers));
  }
}

// Bytes of an array that the call makes, where its shape is written down.
Bytes SizeOf(const SourceCall& call) {
  constexpr std::array<std::string_view, 5> kMakers = {"zeros", "ones", "empty", "full", "normal"};
  const std::string_view name = LastName(call.name);
  const bool array = call.name.starts_with("numpy.") || call.name.starts_with("jax.numpy.") ||
                     call.name.starts_with("jax.random.");
  if (!array || std::ranges::find(kMakers, name) == kMakers.end()) return {};
  for (const SourceArgument& argument : call.arguments) {
    if (argument.integers.size() < 2 && argument.keyword != "size") continue;
    int64_t elements = 1;
    for (const int64_t size : argument.integers) {
      constexpr int64_t kMost = int64_t{1} << 40;
      if (size <= 0 || size > kMost || elements > kMost / size) return {};
      elements *= size;
    }
    constexpr int64_t kBytes = 4;  // on the device
    return {elements * kBytes};
  }
  return {};
}

bool Reads(const SourceContext& function, const std::string& name) {
  return IsOneOf(name, function.names) && !IsOneOf(name, function.targets);
}

bool Binds(const SourceFacts& source, int32_t function, const std::string& name) {
  return std::ranges::any_of(source.assignments, [&](const SourceAssignment& assignment) {
    return IsOneOf(name, assignment.targets) && IsInside(source, assignment.context, function);
  });
}

}  // namespace

void ReportUndonatedState(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!facts.training || !IsWritten(source) || !Imports(source, "jax")) return;
  if (Imports(source, "equinox")) return;  // names its option otherwise
  const std::vector<CompiledFunction> compiled = CompiledFunctions(source);
  for (const StepLoop& loop : StepLoops(source, compiled)) {
    if (loop.driver != StepDriver::kCompiled || loop.compiled == nullptr) {
      continue;
    }
    if (IsJax(loop.compiled->compiler)) ReportState(facts, loop, sink);
  }
}

void ReportClosures(const Facts& facts, Bytes least, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !Imports(source, "jax")) return;
  for (const CompiledFunction& function : CompiledFunctions(source)) {
    if (function.function < 0 || !IsJax(function.compiler)) continue;
    const SourceContext& body = source.contexts[function.function];
    for (const SourceCall& call : source.calls) {
      if (call.results.size() != 1) continue;
      const std::string& name = call.results.front();
      const Bytes size = SizeOf(call);
      if (size < least || !Reads(body, name)) continue;
      if (!IsInside(source, body.parent, FunctionAround(source, call.context)) ||
          Binds(source, function.function, name)) {
        continue;
      }
      Finding& found = sink.Report(
          call.location, fmt::format("{} of {} is read in {}(), which is jitted, so that it "
                                     "becomes a constant of the program; expected an argument",
                                     name, FormatBytes(size), body.name));
      found.cost.bytes = size;
      found.fix.text = fmt::format("pass {} to {}() as an argument", name, body.name);
    }
  }
}

}  // namespace tilewise
