// Flags batch normalisation written out of its parts.

#include <array>

#include <fmt/format.h>

#include "rules/operators/source_calls.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP003",
    .name = "unfused-batch-norm",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .summary = "batch normalisation is written out of moments and arithmetic",
    .doc = R"(
What: tf.nn.moments or tf.nn.batch_normalization in the model, instead of the
BatchNormalization layer or the fused op.
Why: the fused form is one op with a known gradient; the parts read the
activations several times where the compiler does not find the pattern.
Remedy: tf.keras.layers.BatchNormalization, or
tf.compat.v1.nn.fused_batch_norm. Its epsilon and its variance estimate differ
slightly, so numbers change.
Ignore: normalisation of small vectors, and preprocessing.
Numbers: none are simulated for Python evidence alone.
Sources: Cloud TPU performance guide.)",
};

constexpr std::array<std::string_view, 2> kNormalises = {
    "nn.batch_normalization", "nn.batch_norm_with_global_normalization"};

const SourceCall* NormalisesIn(const SourceFacts& source,
                               const std::string& function,
                               const std::string& file) {
  for (const SourceCall& call : source.calls) {
    if (call.function != function || call.location.file != file) continue;
    for (const std::string_view name : kNormalises) {
      if (IsCallOf(call, name)) return &call;
    }
  }
  return nullptr;
}

bool HasRsqrt(const SourceFacts& source, const SourceCall& moments) {
  for (const SourceCall& call : source.calls) {
    if (call.function != moments.function) continue;
    if (call.location.file != moments.location.file) continue;
    if (IsCallOf(call, "math.rsqrt") || IsCallOf(call, "rsqrt")) return true;
  }
  return false;
}

void Report(const SourceCall& call, Sink& sink) {
  Diagnostic& found = sink.Report(
      call.location,
      fmt::format("{} normalises in separate ops, expected the fused batch "
                  "normalisation",
                  call.name));
  found.fix.text =
      "use tf.keras.layers.BatchNormalization, or "
      "tf.compat.v1.nn.fused_batch_norm, and compare accuracy";
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceCall& call : source.calls) {
    if (call.in_dataset_function) continue;
    for (const std::string_view name : kNormalises) {
      if (IsCallOf(call, name)) Report(call, sink);
    }
    // Moments count alone only when the division is written out beside them.
    if (IsCallOf(call, "nn.moments") && HasRsqrt(source, call) &&
        NormalisesIn(source, call.function, call.location.file) == nullptr) {
      Report(call, sink);
    }
  }
}

}  // namespace

TW_RULE(OP003)

}  // namespace tilewise
