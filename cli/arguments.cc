// Each option with the range that makes sense for it.

#include "cli/arguments.h"

#include <fmt/format.h>

#include "cli/argument_kinds.h"
#include "cli/known_words.h"
#include "cli/systolic.h"
#include "frontend/load.h"
#include "graph/training.h"
#include "hardware/default_chip.h"
#include "sim/lowering/lower.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {
namespace {

constexpr int64_t kMaxBatch = int64_t{1} << 24;
constexpr int64_t kMaxCores = 16384;
constexpr int64_t kMaxSlices = 1024;
constexpr int64_t kMaxSteps = 1'000'000'000;
// Parts are lowered one by one.
constexpr int64_t kMaxAccumulationSteps = 64;
constexpr int64_t kMaxStepsPerExecution = 1'000'000;
constexpr int64_t kMaxExamples = 1'000'000'000'000;

constexpr char kTargetGroup[] = "Target";
constexpr char kTrainingGroup[] = "Training";
constexpr char kSearchGroup[] = "Search limits";
constexpr char kLoweringGroup[] = "Lowering";
constexpr char kRulesGroup[] = "Rules";
constexpr char kOutputGroup[] = "Output";

CLI::Validator RematWord() {
  return CLI::Validator(
      [](std::string& text) {
        const auto policy = ParseRematPolicy(text);
        return policy.ok() ? std::string() : Message(policy.status());
      },
      "", "policy");
}

CLI::Validator XlaFlagsText() {
  return CLI::Validator(
      [](std::string& text) {
        const auto flags = ParseXlaFlags(text);
        return flags.ok() ? std::string() : Message(flags.status());
      },
      "", "flags");
}

std::vector<std::string> OptimizerWords() {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(OptimizerKind::kAdafactorMomentum);
       ++i) {
    words.emplace_back(OptimizerName(static_cast<OptimizerKind>(i)));
  }
  return words;
}

std::vector<std::string> InputFormatNames() {
  std::vector<std::string> names;
  for (const InputFormat& format : InputFormats()) {
    names.emplace_back(format.name);
  }
  return names;
}

std::vector<std::string> OptionalPasses() {
  std::vector<std::string> names;
  for (const Pass& pass : LoweringPasses()) {
    if (pass.optional) names.emplace_back(pass.name);
  }
  return names;
}

void SetThreshold(Options& options, const std::string& word) {
  options.fail_on.reset();
  for (const Severity severity :
       {Severity::kInfo, Severity::kWarning, Severity::kError}) {
    if (word == SeverityName(severity)) options.fail_on = severity;
  }
}

std::string CheckMesh(const std::string& text) {
  const absl::StatusOr<Mesh> mesh = ParseMesh(text);
  return mesh.ok() ? "" : Message(mesh.status());
}

void AddMesh(CLI::App& app, Options& options) {
  const auto set = [&options](const std::string& text) {
    const int64_t slices = options.mesh.slices;
    options.mesh = *ParseMesh(text);  // checked
    options.mesh.slices = slices;
  };
  app.add_option_function<std::string>(
         "--mesh", set,
         "how the cores share the work: data=N (copies of the weights), "
         "fsdp=N (parts of them), expert=N (whole experts, to which tokens "
         "move), tensor=N (parts of each matrix product)")
      ->check(CLI::Validator([](std::string& text) { return CheckMesh(text); },
                             "", "mesh"))
      ->type_name("AXIS=N,..")
      ->group(kTargetGroup);
  AddNumber(app, "--slices", options.mesh.slices, kMaxSlices,
            "groups of cores that only the data centre's network joins "
            "(default 1)",
            kTargetGroup);
}

}  // namespace

void AddFiles(CLI::App& app, Options& options) {
  app.add_option("FILE", options.files,
                 "model file or folder that a framework or compiler exported, "
                 "training script (.py), notebook (.ipynb) ('tilewise list "
                 "formats'), or zoo:NAME,parameter=value ('tilewise list "
                 "zoo'); several make one workload")
      ->required()
      ->type_name("");
  app.add_option("--input-format", options.input_format,
                 "read the files as this format, whatever their content looks "
                 "like; 'tilewise list formats'")
      ->type_name("NAME")
      ->check(OneOf(InputFormatNames()));
}

void AddTarget(CLI::App& app, Options& options) {
  options.chip = DefaultChipName();
  app.add_option("--chip", options.chip,
                 fmt::format("TPU generation, or a .txtpb file of your own; "
                             "'tilewise list chips' (default {})",
                             options.chip))
      ->each([&options](const std::string&) { options.chip_given = true; })
      ->type_name("NAME")
      ->group(kTargetGroup);
  AddNumber(app, "--cores", options.cores, kMaxCores,
            "cores, all data parallel unless --mesh says otherwise (default: "
            "those of the mesh, or the chip's smallest slice)",
            kTargetGroup);
  AddMesh(app, options);
  app.add_option("--host", options.host,
                 "machine that feeds the TPU; 'tilewise list hosts' (default: "
                 "the chip's)")
      ->type_name("NAME")
      ->group(kTargetGroup);
}

void AddTables(CLI::App& app, Options& options) {
  app.add_option("FILE", options.files,
                 "table of measurements (.csv); its columns tell its kind. "
                 "None: the tables that come with tilewise")
      ->type_name("");
  app.add_option("--chip", options.chip,
                 "of rows that name none (default: what the kind of table was "
                 "published for)")
      ->type_name("NAME")
      ->group(kTargetGroup);
  AddNumber(app, "--cores", options.cores, kMaxCores,
            "of rows that name none (default: the same)", kTargetGroup);
  app.add_option("--host", options.host,
                 "of rows that name none (default: the same)")
      ->type_name("NAME")
      ->group(kTargetGroup);
}

void AddMeasurements(CLI::App& app, Options& options) {
  app.add_option("--measurements", options.files,
                 "table of measurements (.csv) as 'validate' reads it; several "
                 "are fitted together")
      ->required()
      ->type_name("FILE")
      ->group(kTargetGroup);
  app.add_option("--where", options.where,
                 "fit the rows that meet this, and show how well the others "
                 "are predicted; several: all of them")
      ->type_name("COLUMN<=VALUE")
      ->group(kTargetGroup);
  app.add_option("--only", options.only,
                 "fit just the constants whose names start so")
      ->type_name("NAME")
      ->group(kTargetGroup);
  app.add_option("--chip", options.chip,
                 "whose constants are fitted: a name ('tilewise list chips') "
                 "or a .txtpb file; rows of other chips are left out")
      ->required()
      ->type_name("NAME")
      ->group(kTargetGroup);
  AddNumber(app, "--cores", options.cores, kMaxCores,
            "of rows that name none (default: what the kind of table was "
            "published for)",
            kTargetGroup);
  app.add_option("--host", options.host,
                 "of rows that name none (default: the chip's)")
      ->type_name("NAME")
      ->group(kTargetGroup);
}

void AddBatch(CLI::App& app, Options& options) {
  AddNumber(app, "--batch", options.global_batch, kMaxBatch,
            "global batch of all cores (default: what the files say)",
            kTrainingGroup);
  AddNumber(app, "--batch-per-core", options.batch_per_core, kMaxBatch,
            "the same, per core", kTrainingGroup);
  app.get_option("--batch-per-core")->excludes("--batch");
  app.add_option("--batch-dim", options.batch_dims,
                 "the input's dim that is the batch, where the file has fixed "
                 "sizes and it is not the one that 'inspect --explain-batch' "
                 "shows (repeatable)")
      ->type_name("INPUT:DIM")
      ->allow_extra_args(false)
      ->group(kTrainingGroup);
  app.add_option("--optimizer", options.optimizer,
                 "instead of the one that the files name")
      ->type_name("NAME")
      ->group(kTrainingGroup)
      ->check(OneOf(OptimizerWords()));
  app.add_option("--remat", options.remat,
                 "what the backward pass computes again: none, full (all but "
                 "the inputs of blocks), dots (all but these and results of "
                 "matrix products), or a policy of MaxText "
                 "(qkv_proj_offloaded); exceptions may follow: "
                 "full,query_proj=save,decoder_layer_input=offload")
      ->type_name("POLICY")
      ->group(kTrainingGroup)
      ->check(RematWord());
  app.add_flag("--weight-update-sharding", options.shard_update,
               "data-parallel cores share the optimizer's work and state out")
      ->group(kTrainingGroup);
  AddNumber(app, "--gradient-accumulation", options.accumulation_steps,
            kMaxAccumulationSteps,
            "parts of a core's batch that run one after the other, their "
            "gradients added up for one update",
            kTrainingGroup);
  app.add_option("--xla-flags", options.xla_flags,
                 "flags that the run gives XLA, as in LIBTPU_INIT_ARGS; what "
                 "is read of them: --xla_tpu_decompose_all_gather_einsum=true "
                 "(activations are gathered beside the products they go to); "
                 "--xla_lhs_prioritize_async_depth_over_stall=true (host "
                 "copies) and --xla_tpu_enable_ag_backward_pipelining=true "
                 "(gathers between slices) may run from one trip of a loop "
                 "over layers into the next")
      ->type_name("FLAGS")
      ->group(kTrainingGroup)
      ->check(XlaFlagsText());
  CLI::Option* infer =
      app.add_flag_callback(
             "--infer,--inference", [&options] { options.training = false; },
             "the forward pass only")
          ->group(kTrainingGroup);
  app.add_flag_callback(
         "--train,--training", [&options] { options.training = true; },
         "the training step: forward, backward, update (default, but for "
         "models that were exported to serve)")
      ->group(kTrainingGroup)
      ->excludes(infer);
}

void AddLoop(CLI::App& app, Options& options) {
  AddNumber(app, "--steps-per-execution", options.steps_per_execution,
            kMaxStepsPerExecution, "instead of what compile() says",
            kTrainingGroup);
  AddNumber(app, "--steps-per-epoch", options.steps_per_epoch, kMaxSteps,
            "instead of what fit() says", kTrainingGroup);
  AddNumber(app, "--examples", options.examples, kMaxExamples,
            "examples in an epoch, when the files do not tell", kTrainingGroup);
}

void AddSearch(CLI::App& app, Options& options) {
  options.tries_batches = true;
  AddNumber(app, "--max-global-batch", options.max_global_batch, kMaxBatch,
            "largest global batch that may be recommended", kSearchGroup);
}

void AddPasses(CLI::App& app, Options& options) {
  app.add_option("--disable-pass", options.disabled_passes,
                 "leave this pass of the lowering out; 'tilewise list passes' "
                 "(repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(kLoweringGroup)
      ->check(OneOf(OptionalPasses()));
}

void AddDump(CLI::App& app, Options& options) {
  app.add_option("--dump-lowering", options.dump_folder,
                 "write the program after every pass into this folder; "
                 "simulate and estimate read the last one")
      ->type_name("DIR")
      ->group(kLoweringGroup);
}

void AddTrace(CLI::App& app, Options& options) {
  app.add_option("--trace", options.trace,
                 "write the step and its loop as a trace for Perfetto "
                 "(ui.perfetto.dev) or chrome://tracing")
      ->type_name("FILE")
      ->group(kOutputGroup);
}

void AddArray(CLI::App& app, Options& options) {
  CLI::Option* array =
      app.add_option("--array", options.array,
                     "instead of a chip a bare systolic array, whose cycles "
                     "for each matrix product are those that SCALE-Sim counts")
          ->type_name("RxC")
          ->group(kTargetGroup)
          ->check(CLI::Validator(
              [](std::string& text) {
                const absl::StatusOr<SystolicArray> parsed = ParseArray(text);
                return parsed.ok() ? "" : Message(parsed.status());
              },
              "", "array"));
  app.add_option("--dataflow", options.dataflow,
                 "what stays in that array: ws (weights, the default), os "
                 "(outputs) or is (inputs)")
      ->type_name("NAME")
      ->group(kTargetGroup)
      ->check(OneOf({"ws", "os", "is"}))
      ->needs(array);
}

void AddRules(CLI::App& app, Options& options, const std::string& fail_on) {
  AddList(app, "--select", options.select,
          "only these rules: ids, names, families (IP) or ALL, separated by "
          "commas",
          "RULE,..", kRulesGroup);
  AddList(app, "--ignore", options.ignore, "all but these rules", "RULE,..",
          kRulesGroup);
  SetThreshold(options, fail_on);
  app.add_option_function<std::string>(
         "--fail-on",
         [&options](const std::string& word) { SetThreshold(options, word); },
         fmt::format("exit 1 when a finding is at least this severe: info, "
                     "warning, error, never (default {})",
                     fail_on))
      ->type_name("LEVEL")
      ->group(kRulesGroup)
      ->check(OneOf({"info", "warning", "error", "never"}));
}

void AddOutput(CLI::App& app, Options& options,
               const std::vector<std::string>& formats) {
  options.format = formats.front();
  app.add_option(
         "--format", options.format,
         fmt::format("{} (default {})", Alternatives(formats), formats.front()))
      ->type_name("FORMAT")
      ->group(kOutputGroup)
      ->check(OneOf(formats));
  app.add_option("--output", options.output, "write to this file")
      ->type_name("FILE")
      ->group(kOutputGroup);
  app.add_option("--color", options.color,
                 "auto, always or never (default auto: on a terminal, unless "
                 "NO_COLOR is set)")
      ->type_name("WHEN")
      ->group(kOutputGroup)
      ->check(OneOf({"auto", "always", "never"}));
}

void AddVerbose(CLI::App& app, Options& options) {
  app.add_flag("--verbose", options.verbose,
               "all rows of all tables, numbers with their sources")
      ->group(kOutputGroup);
}

}  // namespace tilewise
