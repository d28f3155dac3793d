// Flags matmuls that run in several passes because a higher precision was
// asked for.

#include <algorithm>

#include "edit/python.h"
#include "graph/op_traits.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::PR005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "PR005",
    .name = "forced-highest-precision",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .changes_numerics = true,
    .summary = "float32 matmuls run in 3 or 6 passes of the matrix unit",
    .doc = R"(
What: dots and convolutions with precision HIGH or HIGHEST whose further passes
take at least 1 % of the step; and jax_default_matmul_precision set for a
whole program.
Why: the matrix unit multiplies bfloat16. A float32 matmul of higher precision
is made of 3 or 6 matmuls of parts of its operands, and takes the matrix unit 3
or 6 times as long.
Remedy: ask for it at the op that needs it, by its precision argument, and leave
the rest at the default.
Ignore: linear solvers, decompositions and physics where the digits count; ops
whose names say so (cholesky, solve, eigh...) are not reported.
Numbers: simulated time of the matrix unit in these kernels that one pass would
not need and that nothing else hides.
Sources: jax#1856, jax#10413.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the further passes take"}},
};

constexpr std::string_view kSolvers[] = {"cholesky", "solve",     "linalg",     "eigh",
                                         "svd",      "lu_factor", "householder"};

bool IsSolver(const Op& op) {
  return std::ranges::any_of(kSolvers, [&](std::string_view word) {
    return op.name.find(word) != std::string::npos ||
           op.location.item.find(word) != std::string::npos;
  });
}

// What one pass would save of the kernels of `op`.
Seconds Avoidable(const Facts& facts, OpId op) {
  Seconds total;
  for (const KernelId index : facts.model->KernelsOf(op)) {
    const int64_t passes = facts.model->program.kernels[index].matrix.passes;
    if (passes <= 1) continue;
    const KernelSpan& span = facts.model->spans[index];
    const double further = static_cast<double>(passes - 1) / static_cast<double>(passes);
    const Seconds exposed =
        span.duration - span.overhead - std::max(span.vector_busy, span.dma_busy);
    total += std::max(Seconds{}, std::min(span.mxu_busy * further, exposed));
  }
  return total;
}

int64_t PassesOf(const Op& op) {
  const int64_t* passes = FindAttribute<int64_t>(op, "precision_passes");
  return passes == nullptr ? 1 : *passes;
}

OpId InOnePass(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  Op same = op;
  *FindAttribute<int64_t>(same, "precision_passes") = 1;
  return builder.Clone(same, {operands.begin(), operands.end()});
}

void CheckOp(const Facts& facts, const Op& op, Sink& sink) {
  const Seconds time = Avoidable(facts, op.id);
  if (time < facts.StepTime() * sink.threshold("min-share")) return;
  const int64_t passes = PassesOf(op);
  Finding& found = sink.ReportOp(op.id,
                                 "{} runs in {} passes because of precision {}, which takes {} a "
                                 "step (simulated on {}), expected 1",
                                 OpName(op.kind), passes, passes > 3 ? "HIGHEST" : "HIGH",
                                 FormatSeconds(time), facts.target.chip.name);
  found.cost = DeviceCost(facts, time);
  found.fix.text =
      "leave the precision of this op at its default, and ask for more only where the result needs "
      "it";
  found.change.replace[op.id] = InOnePass;
}

constexpr std::string_view kHigher[] = {
    "high",        "highest",     "float32",         "tensorfloat32",
    "bfloat16_3x", "F32_F32_F32", "BF16_BF16_F32_X3"};

// What a call sets the precision of all matmuls to; empty: nothing, or the
// default.
std::string GlobalPrecision(const SourceCall& call) {
  if (call.name != "jax.config.update" || call.arguments.size() != 2) return "";
  if (call.arguments[0].string != "jax_default_matmul_precision") return "";
  const std::string said = call.arguments[1].string.value_or("");
  return IsOneOf(said, kHigher) ? said : "";
}

bool HasHigherMatmuls(const Facts& facts) {
  if (facts.source == nullptr) return false;
  return std::ranges::any_of(facts.source->ops(), [](const Op& op) { return PassesOf(op) > 1; });
}

void CheckCalls(const Facts& facts, Sink& sink) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    const std::string precision = GlobalPrecision(call);
    if (precision.empty()) continue;
    Finding& found =
        sink.Report(call.location,
                    "precision \"{}\" is asked for in every matmul of the program, expected the "
                    "default: it takes the matrix unit {} passes instead of 1",
                    precision, precision == "highest" || precision == "float32" ? "6" : "3");
    found.cost.unknown = HasHigherMatmuls(facts)
                             ? "the findings at the matmuls have it"
                             : "the matmuls that it applies to are not in the files";
    found.fix.text =
        "take the line out and give precision= to the matmuls that need it, or wrap them in "
        "jax.default_matmul_precision(...)";
    found.fix.edits = RemoveStatement(facts.workload, call.statement);
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckCalls(facts, sink);
  if (facts.model == nullptr) return;
  for (const Op& op : facts.source->ops()) {
    if (ClassOf(op.kind) != OpClass::kMxu || !op.location.known()) continue;
    if (PassesOf(op) <= 1 || IsSolver(op)) continue;
    CheckOp(facts, op, sink);
  }
}

}  // namespace

TW_RULE(PR005)

}  // namespace tilewise::PR005
