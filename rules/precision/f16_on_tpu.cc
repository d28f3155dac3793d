// Flags float16 where bfloat16 is the type of the device.

#include <algorithm>

#include "edit/precision.h"
#include "rules/rewrites.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::PR003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "PR003",
    .name = "f16-on-tpu",
    .severity = Severity::kError,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .summary = "float16 is converted on every use; the device has bfloat16",
    .doc = R"(
What: the mixed_float16 policy, or dots and convolutions on float16 operands.
Why: no TPU has float16 arithmetic. Operands are unpacked to 32 bits before each
matmul and packed again behind it, kernels written for the device refuse the
type, and numbers beyond 65,504 overflow, which is why such a model needs loss
scaling.
Remedy: bfloat16, which has the range of float32: mixed_bfloat16, and no loss
scaling. What has to be precise stays in float32.
Ignore: a program that runs on GPUs only. Nothing is said of one that names
mixed_bfloat16 as well: it chooses by device.
Numbers: simulated time that the vector unit converts while the matrix unit and
HBM wait, in the kernels of these matmuls.
Sources: tritonbench#1157, automl#490, Keras mixed precision guide.)",
    .thresholds = {{"min-share", 0.01, "share of the step that float16 matmuls take"}},
};

bool IsHalfMatmul(const Graph& graph, const Op& op) {
  if (ClassOf(op.kind) != OpClass::kMxu) return false;
  return std::ranges::any_of(op.operands,
                             [&](OpId id) { return graph.op(id).shape.dtype == DType::kF16; });
}

// What the conversion alone costs in the kernels of `op`.
Seconds Converting(const Facts& facts, OpId op) {
  Seconds total;
  for (const KernelId number : facts.model->KernelsOf(op)) {
    const KernelSpan& span = facts.model->spans[number];
    const Seconds hidden = std::max(span.mxu_busy, span.dma_busy);
    total += std::max(Seconds{}, span.vector_busy - hidden);
  }
  return total;
}

struct Matmuls {
  int64_t count = 0;
  Seconds time, converting, most;
  const Op* most_expensive = nullptr;
};

Matmuls HalfMatmuls(const Facts& facts) {
  Matmuls matmuls;
  if (facts.model == nullptr) return matmuls;
  for (const Op& op : facts.source->ops()) {
    if (!IsHalfMatmul(*facts.source, op)) continue;
    const Seconds time = facts.TimeOf(op.id);
    ++matmuls.count;
    matmuls.time += time;
    matmuls.converting += Converting(facts, op.id);
    if (!op.location.known()) continue;
    if (matmuls.most_expensive != nullptr && time <= matmuls.most) continue;
    matmuls.most = time;
    matmuls.most_expensive = &op;
  }
  return matmuls;
}

void AddCost(const Facts& facts, const Matmuls& matmuls, Finding& found) {
  if (matmuls.count == 0) {
    found.cost.unknown = facts.model == nullptr ? "the model is not in the files"
                                                : "the model that was read has other types";
    return;
  }
  found.cost = DeviceCost(facts, matmuls.converting);
  found.change = InOtherType(*facts.source, DType::kF16, DType::kBF16);
}

bool CheckPolicy(const Facts& facts, const Matmuls& matmuls, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const std::string policy = source.precision_policy.value_or("");
  if (policy != "mixed_float16" && policy != "float16") return false;
  if (!source.precision_policy_location.known()) return false;
  Finding& found = sink.Report(source.precision_policy_location,
                               "the policy is {}, which no TPU computes in, expected {}", policy,
                               policy == "float16" ? "bfloat16" : "mixed_bfloat16");
  AddCost(facts, matmuls, found);
  found.fix.text = "use mixed_bfloat16 and drop the loss scaling";
  found.fix.edits = UseBFloat16(facts.workload).edits;
  return true;
}

// A program that names bfloat16 as well takes float16 where it runs on a GPU.
bool ChoosesByDevice(const Facts& facts) {
  return std::ranges::any_of(facts.workload.files, [](const SourceFile& file) {
    return Contains(file.text, "mixed_bfloat16") ||
           std::ranges::any_of(file.cells, [](const std::string& cell) {
             return Contains(cell, "mixed_bfloat16");
           });
  });
}

void Check(const Facts& facts, Sink& sink) {
  if (ChoosesByDevice(facts)) return;
  const Matmuls matmuls = HalfMatmuls(facts);
  if (CheckPolicy(facts, matmuls, sink)) return;
  if (matmuls.most_expensive == nullptr) return;
  Finding& found = sink.ReportOp(
      matmuls.most_expensive->id,
      "{} {} float16 operands, {} a step, {} of it to convert them (simulated on {}), expected "
      "bfloat16",
      matmuls.count, matmuls.count == 1 ? "dot or convolution has" : "dots and convolutions have",
      FormatSeconds(matmuls.time), FormatSeconds(matmuls.converting), facts.target.chip.name);
  AddCost(facts, matmuls, found);
  const double least = sink.threshold("min-share");
  if (matmuls.time < facts.StepTime() * least) found.too_small = kLittleOfStep;
  found.fix.text = "compute in bfloat16 instead of float16 and drop the loss scaling";
}

}  // namespace

TW_RULE(PR003)

}  // namespace tilewise::PR003
