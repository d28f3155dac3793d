// Flags float16 where bfloat16 is the type of the device.

#include <algorithm>

#include <fmt/format.h>

#include "edit/precision.h"
#include "rules/precision/other_type.h"
#include "rules/rule.h"

namespace tilewise::PR003 {
namespace {

constexpr Threshold kThresholds[] = {
    {"min-share", 0.01, "share of the step that float16 matmuls take"},
};

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
Ignore: a program that runs on GPUs only.
Numbers: simulated time that the vector unit converts while the matrix unit and
HBM wait, in the kernels of these matmuls.
Sources: tritonbench#1157, automl#490, Keras mixed precision guide.)",
    .thresholds = kThresholds,
};

bool IsHalfProduct(const Graph& graph, const Op& op) {
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

struct Products {
  int64_t count = 0;
  Seconds time, converting, most;
  const Op* most_expensive = nullptr;
};

Products HalfProducts(const Facts& facts) {
  Products products;
  if (facts.model == nullptr) return products;
  for (const Op& op : facts.source->ops()) {
    if (!IsHalfProduct(*facts.source, op)) continue;
    const Seconds time = facts.TimeOf(op.id);
    ++products.count;
    products.time += time;
    products.converting += Converting(facts, op.id);
    if (!op.location.known()) continue;
    if (products.most_expensive != nullptr && time <= products.most) continue;
    products.most = time;
    products.most_expensive = &op;
  }
  return products;
}

void AddCost(const Facts& facts, const Products& products, Finding& found) {
  if (products.count == 0) {
    found.cost.unknown = facts.model == nullptr ? "the model is not in the files"
                                                : "the model that was read has other types";
    return;
  }
  found.cost.time_per_step = products.converting;
  found.cost.share_of_step = products.converting / facts.StepTime();
  found.change = InOtherType(*facts.source, DType::kF16, DType::kBF16);
}

bool CheckPolicy(const Facts& facts, const Products& products, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const std::string policy = source.precision_policy.value_or("");
  if (policy != "mixed_float16" && policy != "float16") return false;
  if (!source.precision_policy_location.known()) return false;
  Finding& found =
      sink.Report(source.precision_policy_location,
                  fmt::format("the policy is {}, which no TPU computes in, expected {}", policy,
                              policy == "float16" ? "bfloat16" : "mixed_bfloat16"));
  AddCost(facts, products, found);
  found.fix.text = "use mixed_bfloat16 and drop the loss scaling";
  found.fix.edits = UseBFloat16(facts.workload).edits;
  return true;
}

void Check(const Facts& facts, Sink& sink) {
  const Products products = HalfProducts(facts);
  if (CheckPolicy(facts, products, sink)) return;
  if (products.most_expensive == nullptr) return;
  if (products.time < facts.StepTime() * sink.threshold("min-share")) return;
  Finding& found = sink.ReportOp(
      *facts.source, products.most_expensive->id, -1,
      fmt::format("{} {} float16 operands, {} a step, {} of it to convert them "
                  "(simulated on {}), expected bfloat16",
                  products.count,
                  products.count == 1 ? "dot or convolution has" : "dots and convolutions have",
                  FormatSeconds(products.time), FormatSeconds(products.converting),
                  facts.target.chip.name));
  AddCost(facts, products, found);
  found.fix.text = "compute in bfloat16 instead of float16 and drop the loss scaling";
}

}  // namespace

TW_RULE(PR003)

}  // namespace tilewise::PR003
