// The order is that of the help. Words are checked here by the functions that
// read them later; names of machines are looked up when the target is made, so
// that an error says which option or file named it.

#include "cli/options/model_options.h"

#include <utility>

#include <fmt/format.h>

#include "frontend/load.h"
#include "graph/training.h"
#include "hardware/default_chip.h"
#include "sim/lowering/lower.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {
namespace {

constexpr char kLoweringGroup[] = "Lowering";

std::vector<std::string> OptionalPasses() {
  std::vector<std::string> names;
  for (const Pass& pass : LoweringPasses()) {
    if (pass.optional) names.emplace_back(pass.name);
  }
  return names;
}

void AddFormat(Arguments& arguments, InputOptions& options) {
  std::vector<std::string> names;
  for (const InputFormat& format : InputFormats()) {
    names.emplace_back(format.name);
  }
  arguments.Text({.name = "--input-format",
                  .help = "read the files as this format, whatever their "
                          "content looks like; 'tilewise list formats'",
                  .type = "NAME",
                  .check = OneOf(std::move(names))},
                 options.format);
}

constexpr int64_t kMaxSlices = 1024;

std::string CheckMesh(const std::string& text) {
  const absl::StatusOr<Mesh> mesh = ParseMesh(text);
  return mesh.ok() ? "" : Message(mesh.status());
}

void AddMesh(Arguments& arguments, Mesh& mesh) {
  const auto set = [&mesh](const std::string& text) {
    const int64_t slices = mesh.slices;
    mesh = *ParseMesh(text);  // checked
    mesh.slices = slices;
  };
  arguments.Call({.name = "--mesh",
                  .help = "how the cores share the work: data=N (copies of the weights), "
                          "fsdp=N (parts of them), expert=N (whole experts, to which "
                          "tokens move), tensor=N (parts of each matrix product)",
                  .group = kTargetGroup,
                  .type = "AXIS=N,..",
                  .check = CheckMesh},
                 set);
  arguments.Number({.name = "--slices",
                    .help = "groups of cores that only the data centre's "
                            "network joins (default 1)",
                    .group = kTargetGroup},
                   mesh.slices, kMaxSlices);
}

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

void Add(Arguments& arguments, InputOptions& options) {
  arguments.Words({.name = "FILE",
                   .help = "model file or folder that a framework or compiler exported, "
                           "training script (.py), notebook (.ipynb) ('tilewise list "
                           "formats'), or zoo:NAME,parameter=value ('tilewise list zoo'); "
                           "several make one workload",
                   .required = true},
                  options.files);
  AddFormat(arguments, options);
}

void AddOptional(Arguments& arguments, const std::string& help, InputOptions& options) {
  arguments.Words({.name = "FILE", .help = help}, options.files);
  AddFormat(arguments, options);
}

void Add(Arguments& arguments, TargetOptions& options) {
  options.chip = DefaultChipName();
  arguments.Call({.name = "--chip",
                  .help = fmt::format("TPU generation, or a .txtpb file of your own; "
                                      "'tilewise list chips' (default {})",
                                      options.chip),
                  .group = kTargetGroup,
                  .type = "NAME"},
                 [&options](const std::string& name) {
                   options.chip = name;
                   options.chip_given = true;
                 });
  arguments.Number({.name = "--cores",
                    .help = "cores, all data parallel unless --mesh says otherwise "
                            "(default: those of the mesh, or the chip's smallest slice)",
                    .group = kTargetGroup},
                   options.cores, kMaxCores);
  AddMesh(arguments, options.mesh);
  arguments.Text({.name = "--host",
                  .help = "machine that feeds the TPU; 'tilewise list hosts' "
                          "(default: the chip's)",
                  .group = kTargetGroup,
                  .type = "NAME"},
                 options.host);
}

absl::StatusOr<Target> TargetOf(const TargetOptions& options, const Origins& origins) {
  absl::StatusOr<Target> target =
      MakeTarget(options.chip, options.cores, options.host, options.mesh);
  if (target.ok()) return target;
  for (const std::string flag : {"chip", "host"}) {
    const auto origin = origins.find(flag);
    if (origin == origins.end()) continue;
    if (!Message(target.status()).starts_with("found " + flag)) continue;
    return Annotate(target.status(), origin->second.from);
  }
  return target;
}

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

void Add(Arguments& arguments, LoweringOptions& options) {
  arguments.Repeated({.name = "--disable-pass",
                      .help = "leave this pass of the lowering out; 'tilewise "
                              "list passes' (repeatable)",
                      .group = kLoweringGroup,
                      .type = "NAME",
                      .check = OneOf(OptionalPasses())},
                     options.disabled_passes);
}

void AddDump(Arguments& arguments, LoweringOptions& options) {
  arguments.Text({.name = "--dump-lowering",
                  .help = "write the program after every pass into this folder; simulate "
                          "and estimate read the last one",
                  .group = kLoweringGroup,
                  .type = "DIR"},
                 options.dump_folder);
}

void Add(Arguments& arguments, SearchOptions& options) {
  arguments.Number({.name = "--max-global-batch",
                    .help = "largest global batch that may be recommended",
                    .group = "Search limits"},
                   options.max_global_batch, kMaxBatch);
}

void Add(Arguments& arguments, ModelOptions& options) {
  Add(arguments, options.inputs);
  Add(arguments, options.config);
  Add(arguments, options.target);
  Add(arguments, options.training);
  Add(arguments, options.loop);
}

}  // namespace tilewise
