// Makes the spec of a workload of the sentence that a table of measurements
// describes it with:
//   "matmul bf16 8192^3, timed from host"
//     -> zoo:gemm,m=8192,n=8192,k=8192,dtype=bf16
//   "ResNet-50 v1.5, ImageNet 224x224" -> zoo:resnet,depth=50,image=224
// Names of models stand for published shapes and nothing else:
// validation/models.csv.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/text_match.h"
#include "sim/lowering/lower.h"

namespace tilewise {

struct WorkloadWords {
  TextMatch text;     // the column `workload`
  TextMatch details;  // workload and notes
  std::string dtype;  // "bf16"; empty: not stated
  bool training = false;
  int64_t global_batch = 0;  // 0: not stated
};

struct WorkloadSpec {
  std::string spec;                  // empty: the text does not say enough
  std::string reason;                // why, where `spec` is empty
  std::vector<std::string> assumed;  // of the spec, that the text does not say
  std::string mesh;                  // "fsdp=64,tensor=8"; empty: data parallel
  int64_t slices = 1;
  std::string remat;  // "full"; empty: none
  // Bytes that a bandwidth counts; 0: not a copy or collective. For
  // collectives over all `devices`: see BytesMoved.
  double moved_bytes = 0;
  std::optional<MatmulCuts> matmul_cuts;  // of a hand-written matmul
};

WorkloadSpec ReadWorkload(const WorkloadWords& words, double devices);

// What a server reads before it answers: the decoder of `decoding` over a prompt
// of so many tokens.
std::string PromptOf(std::string_view decoding, int64_t tokens);

// "f32 (bf16 MXU passes)" -> "f32", "int8" -> "s8"; "" when not known.
std::string ReadDType(std::string_view text);

// The reader of kernels alone; no spec and no reason when the text is about
// something else.
WorkloadSpec ReadKernelText(const WorkloadWords& words, double devices);

}  // namespace tilewise
