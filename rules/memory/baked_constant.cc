// Flags large arrays that are written into the program instead of passed to it.

#include <algorithm>

#include <fmt/format.h>

#include "rules/host_loop/compiled_functions.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::ME003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME003",
    .name = "baked-constant",
    .fix = Applicability::kShow,
    .summary = "a large array is a constant of the program",
    .no_saving = "the step reads the array either way",
    .doc = R"(
What: a constant of min-mib MiB or more in a compiled program, or weights that a
model file holds twice.
Why: the constant is copied into the module, hashed, folded and shipped with
every compilation, and stays in HBM beside the array it was made of. Each new
value is a new program. In training it is usually an array that a jitted
function closes over by accident.
Remedy: pass it as an argument; in a model file, let both places share one
initialiser.
Ignore: models that are exported to be run, whose weights are meant to be in the
file: their constants are info, said once; of frozen files only copies are.
Numbers: bytes without padding.
Sources: jax#27541, jax#28157, jax#10596.)",
    .thresholds = {{"min-mib", 16, "MiB of a constant from which on it is reported"}},
};

Bytes SizeOf(const Facts& facts, const WrittenConstant& constant) {
  if (constant.op < 0 || constant.op >= facts.source->size()) return {};
  return facts.source->op(constant.op).shape.unpadded_bytes();
}

Bytes SizeOfConstants(const Facts& facts) {
  Bytes total;
  for (const WrittenConstant& constant : facts.workload.module.constants) {
    total += SizeOf(facts, constant);
  }
  return total;
}

Bytes SizeOfVariables(const Facts& facts) {
  Bytes total;
  for (const Op& op : facts.source->ops()) {
    if (op.kind == OpKind::kVariable) total += op.shape.unpadded_bytes();
  }
  return total;
}

// Most weights stand in the program: it was exported with them, to be run.
bool IsExported(const Facts& facts) {
  if (facts.workload.step == StepKind::kTrainingStep) return false;
  return 2 * SizeOfConstants(facts).value > SizeOfVariables(facts).value;
}

void ReportCopy(const Facts& facts, const WrittenConstant& constant, Sink& sink) {
  const Graph& graph = *facts.source;
  const Bytes size = SizeOf(facts, constant);
  Finding& found = sink.ReportOp(
      constant.op, "{} holds the same {} as {}, expected one array that both uses share",
      graph.op(constant.op).name, FormatBytes(size), graph.op(constant.same_as).name);
  found.cost.bytes = size;
  found.fix.text =
      fmt::format("use {} in both places and drop the copy", graph.op(constant.same_as).name);
}

void ReportConstant(const Facts& facts, const WrittenConstant& constant, Sink& sink) {
  const Graph& graph = *facts.source;
  const Op& op = graph.op(constant.op);
  const Bytes size = SizeOf(facts, constant);
  Finding& found =
      sink.ReportOp(op.id, "{} of {} is a constant of the program, expected an argument",
                    FormatShape(op.shape), FormatBytes(size));
  found.cost.bytes = size;
  found.fix.text =
      "pass the array to the compiled function as an argument instead of closing over it";
}

void ReportExport(const Facts& facts, const WrittenConstant& largest, Sink& sink) {
  const auto count = static_cast<int64_t>(facts.workload.module.constants.size());
  const Bytes total = SizeOfConstants(facts);
  Finding& found = sink.ReportOp(largest.op,
                                 "{} constants of {} are written into the program, the largest {}, "
                                 "expected arguments where more than one set of weights is served",
                                 FormatCount(count), FormatBytes(total),
                                 FormatShape(facts.source->op(largest.op).shape));
  found.severity = Severity::kInfo;
  found.cost.bytes = total;
  found.fix.text = "export the program with its weights as arguments";
}

// Bytes of an array that the call makes, where its shape is written down.
Bytes SizeOf(const SourceCall& call) {
  constexpr std::string_view kMakers[] = {"zeros", "ones", "empty", "full", "normal"};
  const std::string_view name = LastName(call.name);
  const bool array = call.name.starts_with("numpy.") || call.name.starts_with("jax.numpy.") ||
                     call.name.starts_with("jax.random.");
  if (!array || !IsOneOf(name, kMakers)) return {};
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

// Arrays of at least `least` whose size the text tells, made outside a jitted
// function and read inside.
void CheckClosures(const Facts& facts, Bytes least, Sink& sink) {
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
      Finding& found = sink.Report(call.location,
                                   "{} of {} is read in {}(), which is jitted, so that it becomes "
                                   "a constant of the program; expected an argument",
                                   name, FormatBytes(size), body.name);
      found.cost.bytes = size;
      found.fix.text = fmt::format("pass {} to {}() as an argument", name, body.name);
    }
  }
}

void Check(const Facts& facts, Sink& sink) {
  const auto least = static_cast<int64_t>(sink.threshold("min-mib") * (1 << 20));
  CheckClosures(facts, {least}, sink);
  if (facts.source == nullptr) return;
  const ModuleFacts& module = facts.workload.module;
  const bool exported = IsExported(facts);
  const WrittenConstant* largest = nullptr;
  for (const WrittenConstant& constant : module.constants) {
    if (SizeOf(facts, constant).value < least) continue;
    if (constant.same_as != kNoOp) {
      ReportCopy(facts, constant, sink);
    } else if (!module.frozen && !exported) {
      ReportConstant(facts, constant, sink);
    } else if (largest == nullptr || SizeOf(facts, constant) > SizeOf(facts, *largest)) {
      largest = &constant;
    }
  }
  if (largest != nullptr && !module.frozen) {
    ReportExport(facts, *largest, sink);
  }
}

}  // namespace

TW_RULE(ME003)

}  // namespace tilewise::ME003
