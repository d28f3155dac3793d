// Words are checked here by the functions that read them later.

#include "cli/options/training_options.h"

#include "base/status.h"
#include "graph/training.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {
namespace {

// Parts are lowered one by one.
constexpr int64_t kMaxAccumulationSteps = 64;
constexpr int64_t kMaxSteps = 1'000'000'000;
constexpr int64_t kMaxStepsPerExecution = 1'000'000;
constexpr int64_t kMaxExamples = 1'000'000'000'000;

std::vector<std::string> OptimizerWords() {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(OptimizerKind::kAdafactorMomentum); ++i) {
    words.emplace_back(OptimizerName(static_cast<OptimizerKind>(i)));
  }
  return words;
}

std::string CheckRemat(const std::string& text) {
  const auto policy = ParseRematPolicy(text);
  return policy.ok() ? "" : Message(policy.status());
}

std::string CheckXlaFlags(const std::string& text) {
  const auto flags = ParseXlaFlags(text);
  return flags.ok() ? "" : Message(flags.status());
}

void AddBatch(Arguments& arguments, TrainingOptions& options) {
  arguments.Number({.name = "--batch",
                    .help = "global batch of all cores (default: what the files say)",
                    .group = kTrainingGroup},
                   options.global_batch, kMaxBatch);
  arguments.Number({.name = "--batch-per-core",
                    .help = "the same, per core",
                    .group = kTrainingGroup,
                    .excludes = "--batch"},
                   options.batch_per_core, kMaxBatch);
  arguments.Repeated({.name = "--batch-dim",
                      .help = "the input's dim that is the batch, where the file has fixed "
                              "sizes and it is not the one that 'inspect --explain-batch' "
                              "shows (repeatable)",
                      .group = kTrainingGroup,
                      .type = "INPUT:DIM"},
                     options.batch_dims);
}

void AddUpdate(Arguments& arguments, TrainingOptions& options) {
  arguments.Text({.name = "--optimizer",
                  .help = "instead of the one that the files name",
                  .group = kTrainingGroup,
                  .type = "NAME",
                  .check = OneOf(OptimizerWords())},
                 options.optimizer);
  arguments.Text({.name = "--remat",
                  .help = "what the backward pass computes again: none, full (all but "
                          "the inputs of blocks), dots (all but these and results of "
                          "matrix products), or a policy of MaxText "
                          "(qkv_proj_offloaded); exceptions may follow: "
                          "full,query_proj=save,decoder_layer_input=offload",
                  .group = kTrainingGroup,
                  .type = "POLICY",
                  .check = CheckRemat},
                 options.remat);
  arguments.Flag({.name = "--weight-update-sharding",
                  .help = "data-parallel cores share the optimizer's work and state out",
                  .group = kTrainingGroup},
                 options.shard_update);
  arguments.Number({.name = "--gradient-accumulation",
                    .help = "parts of a core's batch that run one after the other, their "
                            "gradients added up for one update",
                    .group = kTrainingGroup},
                   options.accumulation_steps, kMaxAccumulationSteps);
}

void AddXlaFlags(Arguments& arguments, TrainingOptions& options) {
  arguments.Text({.name = "--xla-flags",
                  .help = "flags that the run gives XLA, as in LIBTPU_INIT_ARGS; what "
                          "is read of them: --xla_tpu_decompose_all_gather_einsum=true "
                          "(activations are gathered beside the products they go to); "
                          "--xla_lhs_prioritize_async_depth_over_stall=true (host "
                          "copies) and --xla_tpu_enable_ag_backward_pipelining=true "
                          "(gathers between slices) may run from one trip of a loop "
                          "over layers into the next",
                  .group = kTrainingGroup,
                  .type = "FLAGS",
                  .check = CheckXlaFlags},
                 options.xla_flags);
}

void AddStep(Arguments& arguments, TrainingOptions& options) {
  arguments.Call(
      {.name = "--infer,--inference", .help = "the forward pass only", .group = kTrainingGroup},
      [&options] { options.training = false; });
  arguments.Call({.name = "--train,--training",
                  .help = "the training step: forward, backward, update (default, but for "
                          "models that were exported to serve)",
                  .group = kTrainingGroup,
                  .excludes = "--infer"},
                 [&options] { options.training = true; });
}

}  // namespace

void Add(Arguments& arguments, TrainingOptions& options) {
  AddBatch(arguments, options);
  AddUpdate(arguments, options);
  AddXlaFlags(arguments, options);
  AddStep(arguments, options);
}

void Add(Arguments& arguments, LoopOptions& options) {
  arguments.Number({.name = "--steps-per-execution",
                    .help = "instead of what compile() says",
                    .group = kTrainingGroup},
                   options.steps_per_execution, kMaxStepsPerExecution);
  arguments.Number(
      {.name = "--steps-per-epoch", .help = "instead of what fit() says", .group = kTrainingGroup},
      options.steps_per_epoch, kMaxSteps);
  arguments.Number({.name = "--examples",
                    .help = "examples in an epoch, when the files do not tell",
                    .group = kTrainingGroup},
                   options.examples, kMaxExamples);
}

}  // namespace tilewise
