// A loop is one over time when it runs over parts of a tensor or up to one of
// its sizes, and what it calls gets back what it gave.

#include "rules/compile/time_loops.h"

#include <algorithm>
#include <array>

#include "advice/run_length.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

constexpr std::string_view kCells =
    "LSTMCell|GRUCell|RNNCell|OptimizedLSTMCell|SimpleCell|ConvLSTMCell|MGUCell|VanillaRNN|"
    "ConvLSTM";

// "self.cell" of a call of it: C++ calls `cell->forward(x)` what Python calls `cell(x)`.
std::string_view CalledOf(const SourceCall& call) {
  std::string_view name = call.name;
  if (IsCppPath(call.location.file) && name.ends_with(".forward")) {
    name.remove_suffix(std::string_view(".forward").size());
  }
  return name;
}

// What `name` ("self.cell") was made by: "torch.nn.LSTMCell".
std::string_view MakerOf(const SourceFacts& facts, std::string_view name) {
  const std::string_view member = name.starts_with("self.") ? name.substr(5) : "";
  for (const SourceCall& call : facts.calls) {
    if (IsOneOf(name, call.results)) return LastName(call.name);
    // Members of C++ have their own name where they are made, with register_module() around it.
    if (member.empty() || !IsCppPath(call.location.file) || !IsOneOf(member, call.results))
      continue;
    if (call.name != "self.register_module") return LastName(call.name);
    if (call.arguments.size() == 2 && call.arguments[1].call >= 0) {
      return LastName(facts.calls[call.arguments[1].call].name);
    }
  }
  return "";
}

bool RunsOverTensor(const SourceFacts& facts, const SourceContext& loop) {
  if (loop.call < 0) return false;
  const std::string_view last = LastName(facts.calls[loop.call].name);
  return last == "chunk" || last == "unbind" || last == "split" || last == "tensor_split";
}

// range(seq_len), range(x.size(1)), enumerate(x.unbind(1)).
bool CountsTime(const SourceFacts& facts, const SourceContext& loop) {
  constexpr std::array<std::string_view, 13> kWords = {
      "seq_len", "seqlen", "timestep", "time_step", "max_len", "num_steps", "n_steps",
      "length",  "size(",  ".shape[",  "horizon",   "unbind",  "chunk("};
  if (RunsOverTensor(facts, loop)) return true;
  if (IsCppPath(loop.location.file)) {
    // `t < x.size(1)`; size() is the number of entries of a container.
    return loop.kind == ContextKind::kFor && Contains(loop.text, "<") &&
           !Contains(loop.text, "size()") &&
           std::ranges::any_of(kWords,
                               [&](std::string_view word) { return Mentions(loop.text, word); });
  }
  const bool ranges = Contains(loop.text, "range(") || Contains(loop.text, "enumerate(");
  if (!ranges) return false;
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return Mentions(loop.text, word); }) ||
         loop.text == "range(T)" || loop.text == "range(time)" || loop.text == "range(steps)" ||
         loop.text == "range(seq)";
}

// Loops over depth.
bool CountsLayers(const SourceContext& loop) {
  constexpr std::array<std::string_view, 11> kWords = {"layer",    "block",  "depth", "stage",
                                                       "level",    "module", "head",  "scale",
                                                       "num_iter", "zip(",   "len("};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return Mentions(loop.text, word); });
}

bool Rebinds(const SourceCall& call) {
  return std::ranges::any_of(call.results, [&](const std::string& result) {
    return std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
      return argument.text == result || IsOneOf(result, argument.names);
    });
  });
}

// A module, or a function of the program's own.
bool IsOwn(const SourceFacts& facts, const SourceCall& call) {
  const std::string_view called = CalledOf(call);
  if (called.starts_with("self.")) return !Contains(called.substr(5), ".");
  if (!Contains(call.name, ".") && !call.name.empty()) {
    return DefinitionOf(facts, call.name, call.context) >= 0;
  }
  return false;
}

bool IsAround(const SourceFacts& facts, const std::vector<TimeLoop>& found, int32_t loop) {
  return std::ranges::any_of(
      found, [&](const TimeLoop& other) { return IsInside(facts, loop, other.loop); });
}

}  // namespace

std::vector<TimeLoop> TimeLoops(const SourceFacts& facts, const StepCode& code, int64_t least) {
  std::vector<TimeLoop> found;
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const SourceContext& context = facts.contexts[i];
    if (context.kind != ContextKind::kFor) continue;
    TimeLoop loop{.loop = static_cast<int32_t>(i)};
    // Loops of steps train; they are none of the program's.
    if (std::ranges::any_of(code.loops(),
                            [&](const StepLoop& step) { return step.loop == loop.loop; })) {
      continue;
    }
    loop.kind = code.At(loop.loop);
    loop.rounds = RoundsOf(facts, loop.loop).value_or(0);
    if (loop.kind == StepCodeKind::kNone || (loop.rounds > 0 && loop.rounds < least)) continue;
    const bool time = CountsTime(facts, context) || loop.rounds > 0;
    if (IsAround(facts, found, loop.loop)) continue;
    for (const SourceCall& call : facts.calls) {
      if (!IsInside(facts, call.context, loop.loop) || call.name.empty()) continue;
      const bool cell =
          IsOneOfWords(MakerOf(facts, CalledOf(call)), kCells) && !CountsLayers(context);
      const bool carries = time && !CountsLayers(context) && Rebinds(call) && IsOwn(facts, call);
      const std::string called(CalledOf(call));
      if ((cell || carries) && !IsOneOf(called, loop.calls)) loop.calls.push_back(called);
    }
    if (!loop.calls.empty()) found.push_back(std::move(loop));
  }
  return found;
}

}  // namespace tilewise
