// Flags runs of equal blocks that are written out one after the other.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "advice/run_length.h"
#include "graph/op_traits.h"
#include "rules/compile/time_loops.h"
#include "rules/cpp/written_layers.h"
#include "rules/rule.h"
#include "session/compile_time.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise::CO001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO001",
    .name = "unrolled-repeat",
    .fix = Applicability::kShow,
    .summary = "eight or more equal blocks are compiled one by one",
    .no_saving = "compilation is paid once per run and is no part of a step",
    .doc = R"(
What: at least 8 consecutive blocks with the same ops and shapes, in a model
whose lowered step has 2,000 ops or more; a Python loop over the steps of a
sequence, in forward() or in what JAX traces, that calls a recurrent cell or
another module in each round, and such a loop of C++. In C++ also a loop that adds
a While to one program of XLA in each round.
Why: each copy is optimised, laid out and scheduled again, so compile time and
program size grow with depth. A loop body is compiled once. Measured: a network
of 1,019 layers compiled for 410 s on a TPU and then hung.
Remedy: stack the weights of the blocks and run one block in a loop (lax.scan,
tf.while_loop, torch_xla.experimental.scan and scan_layers). Over time: lax.scan,
nn.RNN or nn.scan of Flax, torch_xla.experimental.scan, or chunks of the sequence
with a cut between them.
Ignore: when compile time does not matter; a loop may run slightly slower than
the unrolled blocks because nothing is fused across its iterations.
Numbers: the blocks' share of the ops, all but one, times the lower of the two
rates of compilation that are published (pytorch/xla#1155).
Sources: jax#2777, pytorch/xla#1196, #8824.)",
};

constexpr int64_t kMinBlocks = 8;
constexpr int64_t kMinLoweredOps = 2'000;
constexpr size_t kLongestBlock = 1'000;  // ops; bounds the search

size_t Combine(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

// Returns a number that is equal for ops of the same kind, shape and main
// attributes. Operands are left out: a block's first input comes from outside
// it.
size_t Signature(const Op& op) {
  size_t hash = static_cast<size_t>(op.kind);
  hash = Combine(hash, static_cast<size_t>(op.shape.dtype));
  for (const Dim& dim : op.shape.dims) {
    hash = Combine(hash, dim.factor);
  }
  hash = Combine(hash, op.operands.size());
  if (const auto* groups = FindAttribute<int64_t>(op, "groups")) {
    hash = Combine(hash, *groups);
  }
  if (const auto* window = FindAttribute<std::vector<WindowDim>>(op, "window")) {
    for (const WindowDim& dim : *window) {
      hash = Combine(hash, dim.size * 64 + dim.stride);
    }
  }
  if (const auto* dims = FindAttribute<std::vector<int64_t>>(op, "dims")) {
    for (const int64_t dim : *dims) hash = Combine(hash, dim);
  }
  return hash;
}

struct Run {
  size_t begin = 0;
  size_t period = 0;  // ops of a block
  size_t length = 0;  // ops of all blocks
  int64_t blocks() const { return period == 0 ? 0 : static_cast<int64_t>(length / period); }
};

// The longest run that repeats every `period` ops.
Run LongestRun(const std::vector<size_t>& signatures, size_t period) {
  Run best{.period = period};
  size_t equal = 0;
  for (size_t i = 0; i + period < signatures.size(); ++i) {
    equal = signatures[i] == signatures[i + period] ? equal + 1 : 0;
    if (equal > 0 && equal + period > best.length) {
      best.length = equal + period;
      best.begin = i + 1 - equal;
    }
  }
  return best;
}

bool HasMatrixOp(const Graph& graph, const Run& run) {
  for (size_t i = run.begin; i < run.begin + run.period; ++i) {
    const OpKind kind = graph.ops()[i].kind;
    if (ClassOf(kind) == OpClass::kMxu) return true;
  }
  return false;
}

// The run of at least kMinBlocks blocks that covers most ops; of equals the
// one with the shortest block.
Run BestRun(const Graph& graph) {
  std::vector<size_t> signatures;
  for (const Op& op : graph.ops()) signatures.push_back(Signature(op));
  Run best;
  const size_t longest = std::min(kLongestBlock, signatures.size() / kMinBlocks);
  for (size_t period = 1; period <= longest; ++period) {
    const Run run = LongestRun(signatures, period);
    if (run.blocks() < kMinBlocks || run.length <= best.length) continue;
    if (HasMatrixOp(graph, run)) best = run;
  }
  return best;
}

// Compilation of all blocks but one, as their share of the forward graph: the
// least that is published for so many ops.
Seconds TimeOfCopies(const Graph& graph, const Run& run, int64_t lowered) {
  const auto copies = static_cast<double>(run.length - run.period);
  const double share = copies / static_cast<double>(graph.size());
  return CompileTimeOf(lowered).least * share;
}

std::string Calls(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < 3; ++i) {
    text += fmt::format("{}{}()", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  }
  return text + (names.size() > 3 ? " and more" : "");
}

std::string_view RemedyOf(bool torch, const Location& loop) {
  if (IsCppPath(loop.file)) {
    return "compute what does not depend on the round before for all rounds at once, or cut the "
           "sequence into chunks that run one by one";
  }
  return torch ? "run the rounds with torch_xla.experimental.scan (one round is compiled), or cut "
                 "the sequence into chunks with torch_xla.sync() between them"
               : "use jax.lax.scan over time (nn.scan or nn.RNN of Flax, hk.dynamic_unroll)";
}

void CheckLoops(const SourceFacts& source, const std::vector<TimeLoop>& loops, const StepCode& code,
                Sink& sink) {
  for (const TimeLoop& each : loops) {
    const SourceContext& loop = source.contexts[each.loop];
    const std::string rounds =
        each.rounds > 0 ? FormatCount(each.rounds) + " times" : "once for each round of it";
    const bool torch = each.kind == StepCodeKind::kTorch;
    Finding& found = sink.Report(
        loop.location,
        "the loop over {} in {} is unrolled: {} {} in one {}, forward and backward, and compile "
        "time grows faster than that; expected a scan, which compiles one round",
        loop.text, code.PlaceOf(loop.parent, loop.location), Calls(each.calls),
        each.calls.size() == 1 ? "is there " + rounds : "are there " + rounds,
        torch ? "graph on XLA" : "program");
    found.cost.unknown = "how long one round compiles is not known without the model";
    found.fix.text = RemedyOf(torch, loop.location);
  }
}

// The call that adds a loop to a program of XLA, at the innermost loop of C++ around it, which does
// not start a program itself; -1: none.
int32_t LoopThatAdds(const SourceFacts& source, const SourceCall& call) {
  if (!IsOneOfWords(call.name, "xla.While|xla.WhileLoopHelper|xla.ForEachIndex")) return -1;
  const int32_t loop = LoopAround(source, call.context);
  const bool anew =
      loop >= 0 && std::ranges::any_of(source.calls, [&](const SourceCall& other) {
        return other.name == "xla.XlaBuilder" && IsInside(source, other.context, loop);
      });
  return anew ? -1 : loop;
}

void CheckBuilders(const SourceFacts& source, Sink& sink) {
  for (const SourceCall& call : source.calls) {
    const int32_t loop = LoopThatAdds(source, call);
    if (loop < 0 || RoundsOf(source, loop).value_or(kMinBlocks) < kMinBlocks) continue;
    Finding& found = sink.Report(
        call.location,
        "{}() is added to the program in each round of the loop at {}, so that the program has as "
        "many loops, which run one after the other; expected one for all rounds",
        LastName(call.name), LineText(source.contexts[loop].location, call.location));
    found.cost.unknown = "how long one round compiles is not known without the model";
    found.fix.text =
        "build one While over all rounds, or work on all of them at once (gather the rows and add "
        "them by segment)";
  }
}

bool SpeaksOf(const SourceFacts& source, const std::vector<TimeLoop>& loops, const Location& op) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return call.location.file == op.file && call.location.cell == op.cell &&
           call.location.line == op.line && std::ranges::any_of(loops, [&](const TimeLoop& loop) {
             return IsInside(source, call.context, loop.loop);
           });
  });
}

// The program asks for a loop there, which the reader of it wrote out.
bool IsScanned(const SourceFacts& source, const Location& op) {
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return call.location.file == op.file && call.location.cell == op.cell &&
           call.location.line == op.line &&
           IsOneOfWords(LastName(call.name), "scan|dynamic_unroll|fori_loop|while_loop|RNN");
  });
}

void CheckScript(const Facts& facts, std::vector<TimeLoop>& loops, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || (!IsTorch(source) && !Imports(source, "jax"))) return;
  const StepCode code(source);
  loops = TimeLoops(source, code, kMinBlocks);
  CheckLoops(source, loops, code, sink);
}

// How a framework says that layers run in a loop.
std::string_view LoopIn(const SourceFacts& source) {
  if (IsTorch(source)) return "torch_xla.experimental.scan_layers";
  return Imports(source, "jax") ? "lax.scan" : "lax.scan or tf.while_loop";
}

void Check(const Facts& facts, Sink& sink) {
  std::vector<TimeLoop> loops;
  CheckScript(facts, loops, sink);
  if (SpeaksWithoutModel(facts)) CheckBuilders(facts.workload.facts, sink);
  if (facts.model == nullptr) return;
  const int64_t lowered = CompiledOps(facts.model->program.graph);
  if (lowered < kMinLoweredOps) return;
  const Run run = BestRun(*facts.source);
  if (run.blocks() < kMinBlocks) return;
  const Op& first = facts.source->ops()[run.begin];
  // They run in a loop as it is; what stands before it may look like the end of a block.
  if (facts.source->ops()[run.begin + run.period].loop.is_one_trip()) return;
  if (SpeaksOf(facts.workload.facts, loops, first.location)) return;
  if (IsScanned(facts.workload.facts, first.location)) return;
  Diagnostic& found =
      sink.Report(first.location,
                  "{} equal blocks of {} ops stand one after the other, expected one block in a "
                  "loop; each is compiled again in a step of {} ops (measured elsewhere: 1,019 "
                  "layers compiled for 410 s and hung)",
                  FormatCount(run.blocks()), FormatCount(static_cast<int64_t>(run.period)),
                  FormatCount(lowered));
  found.cost.once_per_run = TimeOfCopies(*facts.source, run, lowered);
  found.fix.text =
      fmt::format("stack the weights of the {} blocks and run one block in a loop ({})",
                  FormatCount(run.blocks()), LoopIn(facts.workload.facts));
}

}  // namespace

TW_RULE(CO001)

}  // namespace tilewise::CO001
