// Flags large arrays that are written into the program instead of passed to it.

#include <algorithm>

#include <fmt/format.h>

#include "rules/host_loop/step_code.h"
#include "rules/memory/quadratic_masks.h"
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
model file holds twice; a mask of T x T that a program makes as an array
(tril(ones((T, T))), or positions compared with each other) outside of its
compiled functions, for T of min-mask-side or more.
Why: the constant is copied into the module, hashed, folded and shipped with
every compilation, and stays in HBM beside the array it was made of. Each new
value is a new program. In training it is usually an array that a jitted
function closes over by accident.
A mask grows with the square of the length, and a kernel of flash attention that
is given one reads it block by block instead of knowing it.
Remedy: pass it as an argument; in a model file, let both uses share one
initialiser. Masks: the lazy mask of the kernel (CausalMask, is_causal=True), or
a comparison of two iotas inside the compiled function, which fuses.
Ignore: models that are exported to be run, whose weights are meant to be in the
file: their constants are info, said once; of frozen files only copies are.
Numbers: bytes without padding.
Sources: jax#27541, jax#28157, jax#10596.)",
    .thresholds = {{"min-mib", 16, "MiB of a constant from which on it is reported"},
                   {"min-mask-side", 2048, "length of a square mask from which on it is"}},
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
      fmt::format("use {} for both and drop the copy", graph.op(constant.same_as).name);
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
    if (argument.sizes.size() < 2 && argument.keyword != "size") continue;
    int64_t elements = 1;
    for (const int64_t size : argument.sizes) {
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

// The jitted function that reads the variable; null: none known.
const SourceContext* JittedReaderOf(const SourceFacts& source, const StepCode& code,
                                    const std::string& name) {
  if (name.empty()) return nullptr;
  for (const CompiledFunction& function : code.compiled()) {
    if (function.function < 0 || !IsJax(function.compiler)) continue;
    const SourceContext& body = source.contexts[function.function];
    if (Reads(body, name)) return &body;
  }
  return nullptr;
}

void ReportMask(const SourceFacts& source, const StepCode& code, const QuadraticMask& mask,
                Sink& sink) {
  const SourceContext* reader = JittedReaderOf(source, code, mask.name);
  const std::string name = mask.name.empty() ? "the mask" : mask.name;
  const std::string end =
      reader != nullptr
          ? fmt::format(
                " and read in {}(), which is jitted, so that it becomes a constant of the "
                "program",
                reader->name)
          : ", which grows with the square of the length";
  Finding& found = sink.Report(mask.location,
                               "{} is a mask of {} x {} made as an array of {}{}; expected one "
                               "that the kernel makes as it goes",
                               name, FormatCount(mask.side), FormatCount(mask.side),
                               FormatBytes(mask.bytes), end);
  found.cost.bytes = mask.bytes;
  found.fix.text =
      IsTorch(source)
          ? "pass is_causal=True to scaled_dot_product_attention, or compare two torch.arange in "
            "forward()"
          : "use the lazy mask of the attention kernel (CausalMask), or compare two iotas inside "
            "the jitted function: jnp.arange(T)[:, None] >= jnp.arange(T)";
}

// Masks that are made outside of compiled code, where they are kept.
void CheckMasks(const Facts& facts, int64_t least, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || (!Imports(source, "jax") && !IsTorch(source))) return;
  const std::vector<QuadraticMask> masks = QuadraticMasks(source, least);
  if (masks.empty()) return;
  const StepCode code(source);
  for (const QuadraticMask& mask : masks) {
    const StepCodeKind kind = code.At(mask.context);
    const bool of_host = mask.call->name.starts_with("numpy.");
    if (kind == StepCodeKind::kNone || of_host) ReportMask(source, code, mask, sink);
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckMasks(facts, static_cast<int64_t>(sink.threshold("min-mask-side")), sink);
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
