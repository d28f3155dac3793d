// The order is that of the help. Words are checked here by the functions that
// read them later; names of machines are looked up when the target is made, so
// that an error says which option or file named it.

#include "cli/options/model_options.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "frontend/load.h"
#include "graph/training.h"
#include "hardware/default_chip.h"
#include "session/measured_input.h"
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

std::string IsAssumption(const std::string& text) {
  const size_t equals = text.find('=');
  const bool fits = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
  return fits ? "" : fmt::format("found '{}', expected NAME=VALUE", text);
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
  arguments.Text({.name = "--model",
                  .help = "the model that this expression makes in the module FILE: "
                          "'resnet50(num_classes=10)', or 'model@66' as it is after line 66; the "
                          "module is not run as a program",
                  .type = "EXPR"},
                 options.program.model);
  arguments.Text({.name = "--input",
                  .help = "shapes of one example for --model, by comma: 3x224x224:f32,seq:s32; "
                          "a word is a size that is not known, taken as 128",
                  .type = "SHAPES"},
                 options.program.inputs);
  arguments.Repeated({.name = "--python-path",
                      .help = "folder in which modules that the program imports are looked for",
                      .type = "DIR"},
                     options.program.python_path);
  arguments.Repeated({.name = "--assume",
                      .help = "NAME=VALUE: what a name is that the program assigns, where files "
                              "that are not here decide it: vocabulary=20000, x=data(1000,32) "
                              "(repeatable)",
                      .type = "NAME=VALUE",
                      .check = IsAssumption},
                     options.program.assume);
  arguments.Repeated({.name = "--program-argument",
                      .help = "an argument of the program's own command line; what follows a "
                              "lone -- is given to it as well: train.py -- --batch_size 256",
                      .type = "ARG"},
                     options.program.arguments);
}

std::string IsMeasured(const std::string& text) {
  const absl::StatusOr<MeasuredInput> input = ParseMeasuredInput({text});
  return input.ok() ? "" : Message(input.status());
}

constexpr int64_t kMaxSlices = 1024;

std::string CheckMesh(const std::string& text) {
  const absl::StatusOr<Mesh> mesh = ParseMesh(text);
  return mesh.ok() ? "" : Message(mesh.status());
}

void AddMesh(Arguments& arguments, Mesh& mesh) {
  Arguments group = arguments.InGroup(kTargetGroup);
  const auto set = [&mesh](const std::string& text) {
    const int64_t slices = mesh.slices;
    mesh = *ParseMesh(text);  // checked
    mesh.slices = slices;
  };
  group.Call({.name = "--mesh",
              .help = "how the cores share the work: data=N (copies of the weights), "
                      "stage=N (some of the layers; with microbatches=N, repeats=N), fsdp=N "
                      "(parts of them), expert=N (whole experts, to which tokens move), context=N "
                      "(positions of each sequence), tensor=N (parts of each matmul)",
              .type = "AXIS=N,..",
              .check = CheckMesh},
             set);
  group.Number({.name = "--slices",
                .help = "groups of cores that only the data centre's network joins (default 1)"},
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

std::string CheckBatchPerDevice(const std::string& text) {
  double batch = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, batch);
  const bool is_number = error == std::errc() && rest == end;
  if (is_number && batch > 0 && batch <= static_cast<double>(kMaxBatch)) return "";
  return fmt::format("found '{}', expected a number above 0", text);
}

void AddBatch(Arguments& arguments, TrainingOptions& options) {
  Arguments group = arguments.InGroup(kTrainingGroup);
  group.Number(
      {.name = "--batch", .help = "global batch of all cores (default: what the files say)"},
      options.global_batch, kMaxBatch);
  group.Number({.name = "--batch-per-core,--batch-per-shard",
                .help = "the same, per shard of the batch: a core, or the group of cores that "
                        "--mesh has on context and tensor",
                .excludes = "--batch"},
               options.batch_per_core, kMaxBatch);
  group.Call({.name = "--batch-per-device",
              .help = "the same, per device of the whole mesh, as MaxText's "
                      "per_device_batch_size; may be a fraction: 0.25",
              .type = "N",
              .check = CheckBatchPerDevice,
              .excludes = "--batch"},
             [&options](const std::string& text) { options.batch_per_device = std::stod(text); });
  group.Repeated({.name = "--batch-dim",
                  .help = "the input's dim that is the batch, where the file has fixed sizes and "
                          "it is not the one that 'inspect --explain-batch' shows (repeatable)",
                  .type = "INPUT:DIM"},
                 options.batch_dims);
}

void AddUpdate(Arguments& arguments, TrainingOptions& options) {
  Arguments group = arguments.InGroup(kTrainingGroup);
  group.Text({.name = "--optimizer",
              .help = "instead of the one that the files name",
              .type = "NAME",
              .check = OneOf(OptimizerWords())},
             options.optimizer);
  group.Text({.name = "--mu-dtype",
              .help = "type of momentum and first moments (default: that of the weights)",
              .type = "TYPE",
              .check = OneOf({"f32", "bf16", "f16"})},
             options.momentum_type);
  group.Text({.name = "--grad-dtype",
              .help = "type in which gradients reach the optimizer (default: that of the weights)",
              .type = "TYPE",
              .check = OneOf({"f32", "bf16", "f16"})},
             options.gradient_type);
  group.Text({.name = "--remat",
              .help = "what the backward pass computes again: none, full (all but the inputs of "
                      "blocks), dots (all but these and results of matrix products), or a policy "
                      "of MaxText (qkv_proj_offloaded); exceptions may follow: "
                      "full,query_proj=save,decoder_layer_input=offload",
              .type = "POLICY",
              .check = CheckRemat},
             options.remat);
  group.Flag({.name = "--weight-update-sharding",
              .help = "data-parallel cores share the optimizer's work and state out"},
             options.shard_update);
  group.Number({.name = "--gradient-accumulation",
                .help = "parts of a core's batch that run one after the other, their "
                        "gradients added up for one update"},
               options.accumulation_steps, kMaxAccumulationSteps);
}

void AddXlaFlags(Arguments& arguments, TrainingOptions& options) {
  Arguments group = arguments.InGroup(kTrainingGroup);
  group.Text(
      {.name = "--xla-flags",
       .help = "flags that the run gives XLA, as in LIBTPU_INIT_ARGS; what is read of them: "
               "--xla_tpu_decompose_all_gather_einsum=true (activations are gathered beside "
               "the products they go to); "
               "--xla_tpu_prefer_async_allgather_to_allreduce=true (gathers on three closed "
               "axes are not made as sums); --xla_lhs_prioritize_async_depth_over_stall=true "
               "(host copies) and --xla_tpu_enable_ag_backward_pipelining=true (gathers "
               "between slices) may run from one trip of a loop over layers into the next; "
               "--xla_tpu_enable_scheduler_memory_pressure_tracking=true, "
               "--xla_tpu_scheduler_percent_shared_memory_limit=N, "
               "--xla_tpu_enable_latency_hiding_layer_scheduler=true and "
               "--xla_tpu_enable_sparse_core_collective_offload_all_reduce=true (what waits "
               "in HBM); --xla_tpu_dvfs_p_state=N (the clock)",
       .type = "FLAGS",
       .check = CheckXlaFlags},
      options.xla_flags);
}

void AddStep(Arguments& arguments, TrainingOptions& options) {
  Arguments group = arguments.InGroup(kTrainingGroup);
  group.Call({.name = "--infer,--inference", .help = "the forward pass only"},
             [&options] { options.training = false; });
  group.Call({.name = "--train,--training",
              .help = "the training step: forward, backward, update (default, but for "
                      "models that were exported to serve)",
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
  Arguments group = arguments.InGroup(kTargetGroup);
  options.chip = DefaultChipName();
  group.Call({.name = "--chip",
              .help = fmt::format(
                  "TPU generation or slice (v3, v5litepod-16), or a .txtpb file of your own; "
                  "'tilewise list chips' (default {})",
                  options.chip),
              .type = "NAME"},
             [&options](const std::string& name) {
               options.chip = name;
               options.chip_given = true;
             });
  group.Number({.name = "--cores",
                .help = "cores, all data parallel unless --mesh says otherwise "
                        "(default: those of the mesh, or the chip's smallest slice)"},
               options.cores, kMaxCores);
  AddMesh(arguments, options.mesh);
  group.Text({.name = "--host",
              .help = "machine that feeds the TPU; 'tilewise list hosts' (default: the chip's)",
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
  Arguments group = arguments.InGroup(kTrainingGroup);
  group.Number({.name = "--steps-per-execution", .help = "instead of what compile() says"},
               options.steps_per_execution, kMaxStepsPerExecution);
  group.Number({.name = "--steps-per-epoch", .help = "instead of what fit() says"},
               options.steps_per_epoch, kMaxSteps);
  group.Number({.name = "--examples", .help = "examples in an epoch, when the files do not tell"},
               options.examples, kMaxExamples);
  group.Repeated({.name = "--pipeline",
                  .help = "measured cost of an input stage, named by its function, its line or "
                          "what it is: augment=850us, train.py:31=1200/s, decode=150kB; of the "
                          "data's store source.stream=80MB/s (repeatable)",
                  .type = "NAME=VALUE",
                  .check = IsMeasured},
                 options.measured);
}

void Add(Arguments& arguments, LoweringOptions& options) {
  Arguments group = arguments.InGroup(kLoweringGroup);
  group.Repeated({.name = "--disable-pass",
                  .help = "leave this pass of the lowering out; 'tilewise "
                          "list passes' (repeatable)",
                  .type = "NAME",
                  .check = OneOf(OptionalPasses())},
                 options.disabled_passes);
}

void AddDump(Arguments& arguments, LoweringOptions& options) {
  Arguments group = arguments.InGroup(kLoweringGroup);
  group.Text({.name = "--dump-lowering",
              .help = "write the program after every pass into this folder; simulate "
                      "and estimate read the last one",
              .type = "DIR"},
             options.dump_folder);
}

constexpr int64_t kMostMargin = 50;
constexpr int64_t kMostTrials = 1'000'000;

void Add(Arguments& arguments, SearchOptions& options) {
  Arguments group = arguments.InGroup("Search limits");
  group.Number(
      {.name = "--max-global-batch", .help = "largest global batch that may be recommended"},
      options.max_global_batch, kMaxBatch);
  group.Number({.name = "--certainty",
                .help = "percent of published programs of this kind that have to fit the HBM where "
                        "a batch is recommended (default 95)",
                .type = "PERCENT"},
               options.certainty_percent, kMostCertainty, kLeastCertainty);
  group.Number({.name = "--margin",
                .help = "percent of the best that the smallest batch may be slower (default 1)",
                .type = "PERCENT"},
               options.margin_percent, kMostMargin);
  group.Repeated({.name = "--search",
                  .help = "something else to try, with the values to try it with where others than "
                          "the usual are meant: remat, cores=8,16, mesh=fsdp=8:tensor=2, chip=all, "
                          "batch=8..4096 (per core) or batch=8..4096:8; 'list knobs' has them all",
                  .type = "KNOB[=VALUES]"},
                 options.knobs);
  group.Text({.name = "--objective",
              .help = "what is to be best: throughput (the default), cost or latency",
              .type = "NAME",
              .check = OneOf({"throughput", "cost", "latency"})},
             options.objective);
  group.Repeated({.name = "--price",
                  .help = "what a chip costs an hour, v5e=1.2; none are built in",
                  .type = "CHIP=N"},
                 options.prices);
  group.Flag({.name = "--exhaustive", .help = "tries everything, also what cannot be the best"},
             options.exhaustive);
  group.Text({.name = "--strategy",
              .help = "how a large space is searched: grid (the default, all that may be the "
                      "best), coordinate, halving or random",
              .type = "NAME",
              .check = OneOf({"grid", "coordinate", "halving", "random"}),
              .excludes = "--exhaustive"},
             options.strategy);
  group.Number({.name = "--trials",
                .help = "most candidates that strategies other than grid try (default 64)",
                .needs = "--strategy"},
               options.trials, kMostTrials);
  group.Number({.name = "--seed", .help = "of --strategy random", .needs = "--strategy"},
               options.seed, kMostTrials);
}

void Add(Arguments& arguments, ModelOptions& options) {
  Add(arguments, options.inputs);
  Add(arguments, options.config);
  Add(arguments, options.target);
  Add(arguments, options.training);
  Add(arguments, options.loop);
}

}  // namespace tilewise
