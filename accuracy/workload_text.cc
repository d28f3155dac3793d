// The order of the readers, and the types and layouts that all share.

#include "accuracy/workload_text.h"

namespace tilewise {

std::string ReadDType(std::string_view text) {
  const TextMatch match(text);
  // What is computed in, not what is kept: "bf16 (f32 weights)". A program of
  // f32 that runs in bf16 passes is one of f32.
  struct Name {
    const char* pattern;
    const char* dtype;
  };
  constexpr Name kNames[] = {{"^(int8|s8)", "s8"},
                             {"^(fp8|float8)", "fp8"},
                             {"^(float16|f16|fp16)", "f16"},
                             {"^(bfloat16|bf16)", "bf16"},
                             {"^((?:float32|f32|fp32)/bf16)", "bf16"},
                             {"^(float32|f32|fp32)", "f32"}};
  for (const Name& name : kNames) {
    if (!match.Word(name.pattern).empty()) return name.dtype;
  }
  return "";
}

WorkloadSpec ReadWorkload(const WorkloadWords& words, double devices) {
  WorkloadSpec found = ReadKernelText(words, devices);
  if (found.spec.empty() && found.reason.empty()) {
    found = ReadConvolutionalText(words);
  }
  if (found.spec.empty() && found.reason.empty()) {
    found = ReadTransformerText(words, devices);
  }
  if (found.spec.empty() && found.reason.empty()) {
    found = ReadDenseText(words);
  }
  if (found.spec.empty() && found.reason.empty()) found.reason = "no spec";
  return found;
}

}  // namespace tilewise
