// Runs the passes in order, times each and verifies what it leaves.

#include "sim/lowering/lower.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "sim/lowering/compiled.h"
#include "sim/lowering/partition/share_stages.h"
#include "sim/lowering/partitioned_steps.h"
#include "sim/lowering/repeats/fold.h"
#include "sim/lowering/repeats/unfold.h"
#include "sim/lowering/verify.h"

namespace tilewise {
namespace {

absl::Status CheckDisabled(const std::vector<std::string>& disabled) {
  const std::span<const Pass> passes = LoweringPasses();
  for (const std::string& name : disabled) {
    const auto pass =
        std::find_if(passes.begin(), passes.end(), [&](const Pass& p) { return p.name == name; });
    if (pass != passes.end() && pass->optional) continue;
    std::vector<std::string_view> optional;
    for (const Pass& p : passes) {
      if (p.optional) optional.push_back(p.name);
    }
    return InvalidInput(fmt::format("found {} pass '{}' to disable, expected one of {}",
                                    pass == passes.end() ? "unknown" : "mandatory", name,
                                    fmt::join(optional, ", ")));
  }
  return absl::OkStatus();
}

// Layouts belong to the ops of one graph: once they are chosen, no pass changes
// it, and there is nothing new to verify.
absl::Status RunPass(const Pass& pass, Program& program, const LoweringContext& context) {
  const bool may_rewrite = program.layouts.empty();
  const auto start = std::chrono::steady_clock::now();
  TW_RETURN_IF_ERROR(Annotate(pass.run(program, context), pass.name));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  if (may_rewrite) {
    TW_RETURN_IF_ERROR(Annotate(VerifyGraph(program.graph), pass.name));
  }
  program.passes.push_back({std::string(pass.name), Seconds{wall.count()}, program.graph.size(),
                            static_cast<int32_t>(program.kernels.size())});
  if (context.options.after_pass) {
    context.options.after_pass(pass.name, program);
  }
  return absl::OkStatus();
}

class Lowering {
 public:
  Lowering(const Graph& forward, int64_t batch_per_core, const Target& target,
           const LowerOptions& options)
      : forward_(forward), batch_per_core_(batch_per_core), target_(target), options_(options) {}

  absl::StatusOr<Program> Run() const {
    if (options_.compilation != nullptr) return RunCompiled();
    if (!options_.fold_repeats || options_.after_pass) return RunUpTo(false);
    return RunUpTo(true);
  }

 private:
  // Where layers that are alike are not lowered alike, the graph is lowered as it is.
  absl::StatusOr<Program> RunUpTo(bool folds) const {
    Program program;
    TW_ASSIGN_OR_RETURN(const auto step, Partitioned(folds, program));
    const bool is_folded = !step->folded.repeats.empty();
    const LoweringContext context{target_, options_, step->source,
                                  is_folded ? step->folded.graph : forward_,
                                  is_folded ? &step->folded : nullptr};
    TW_RETURN_IF_ERROR(RunPasses(program, context, PassStage::kKernels));
    if (is_folded) {
      const absl::StatusOr<UnfoldPlan> plan = PlanUnfolding(program, step->folded);
      if (!plan.ok()) return RunUpTo(false);
      TW_RETURN_IF_ERROR(CheckWorth(program, plan->HowOften()));
      absl::StatusOr<Program> whole = UnfoldRepeats(program, step->folded, forward_, *plan);
      if (!whole.ok()) return RunUpTo(false);
      program = *std::move(whole);
    } else {
      TW_RETURN_IF_ERROR(
          CheckWorth(program, {.ops = std::vector<int32_t>(program.graph.ops().size(), 1),
                               .kernels = std::vector<int32_t>(program.kernels.size(), 1)}));
    }
    TW_RETURN_IF_ERROR(RunPasses(program, context, PassStage::kWholeStep));
    return program;
  }

  // Runs the passes on the graph, or finds what they left of it; `program` is what they made.
  PartitionedSteps::Step Partitioned(bool folds, Program& program) const {
    const auto make = [&] { return Partition(folds); };
    if (options_.partitioned == nullptr || options_.after_pass) {
      TW_ASSIGN_OR_RETURN(auto step, make());
      program = std::move(step->program);
      return step;
    }
    const PartitionedSteps::Settings settings = {.batch_per_core = batch_per_core_,
                                                 .folds = folds,
                                                 .training = options_.training,
                                                 .shard_update = options_.shard_update,
                                                 .spec = options_.spec,
                                                 .mesh = target_.mesh,
                                                 .cores = target_.cores,
                                                 .disabled_passes = options_.disabled_passes};
    TW_ASSIGN_OR_RETURN(auto step, options_.partitioned->Find(forward_, settings, make));
    program = step->program;
    return step;
  }

  PartitionedSteps::Step Partition(bool folds) const {
    auto step = std::make_shared<PartitionedStep>();
    if (folds) {
      TW_ASSIGN_OR_RETURN(step->folded, FoldRepeats(forward_));
    }
    const bool is_folded = !step->folded.repeats.empty();
    const Graph& forward = is_folded ? step->folded.graph : forward_;
    step->source = forward.Bind(batch_per_core_);
    const LoweringContext context{target_, options_, step->source, forward,
                                  is_folded ? &step->folded : nullptr};
    step->program = Start(step->source);
    TW_RETURN_IF_ERROR(RunPasses(step->program, context, PassStage::kGraph));
    return step;
  }

  absl::Status CheckWorth(const Program& program, const Repetitions& how_often) const {
    if (!options_.is_worth_it || options_.is_worth_it(program, how_often)) return absl::OkStatus();
    return absl::CancelledError("the lowering was given up: its bounds were enough");
  }

  absl::StatusOr<Program> RunCompiled() const {
    const Graph source = forward_.Bind(batch_per_core_);
    const LoweringContext context{target_, options_, source, forward_};
    Program program = Start(source);
    program.training = false;  // what it trains is in it
    program.graph = source;
    TW_RETURN_IF_ERROR(AdoptCompilation(*options_.compilation, target_.chip, program));
    for (const PassStage stage : {PassStage::kGraph, PassStage::kKernels, PassStage::kWholeStep}) {
      TW_RETURN_IF_ERROR(RunPasses(program, context, stage));
    }
    return program;
  }

  Program Start(const Graph& source) const {
    Program program;
    if (!options_.training) program.graph = source;  // else pass 1 makes it
    program.batch_per_core = batch_per_core_;
    program.training = options_.training;
    return program;
  }

  absl::Status RunPasses(Program& program, const LoweringContext& context, PassStage stage) const {
    const std::vector<std::string>& disabled = options_.disabled_passes;
    for (const Pass& pass : LoweringPasses()) {
      if (pass.stage != stage) continue;
      if (pass.adopted && options_.compilation != nullptr) continue;
      if (std::find(disabled.begin(), disabled.end(), pass.name) != disabled.end()) {
        continue;
      }
      TW_RETURN_IF_ERROR(RunPass(pass, program, context));
    }
    return absl::OkStatus();
  }

  const Graph& forward_;
  int64_t batch_per_core_;
  const Target& target_;
  const LowerOptions& options_;
};

// One of the stages of a pipeline. Where a core takes in several parts of its batch,
// the graph is at the size of one.
absl::StatusOr<Program> LowerStage(const Graph& forward, int64_t batch_per_core,
                                   const Target& target, const LowerOptions& options) {
  const int64_t stages = target.extent(MeshAxis::kStage);
  const StageSchedule schedule = {stages, std::max(stages, target.mesh.microbatches),
                                  target.mesh.repeats};
  const int64_t microbatches = schedule.microbatches;
  const int64_t parts = microbatches / stages;
  if (options.compilation != nullptr) {
    return absl::UnimplementedError("mesh axis stage for a compiled module");
  }
  if (parts > 1 && (forward.is_static() || batch_per_core % parts != 0)) {
    return InvalidInput(
        fmt::format("found {} microbatches of a batch of {} per {}, expected a "
                    "divisor of that of all {} stages",
                    microbatches, batch_per_core, target.device(), stages));
  }
  TW_ASSIGN_OR_RETURN(const StagedGraph staged, ShareStages(forward, schedule));
  LowerOptions of_stage = options;
  of_stage.partitioned = nullptr;  // the graph of a stage ends here
  TW_ASSIGN_OR_RETURN(Program program,
                      Lowering(staged.graph, batch_per_core / parts, target, of_stage).Run());
  program.batch_per_core = batch_per_core;
  program.graph.MapOrigins(staged.origins);
  // In the first and last rounds of a stage nothing of a batch is there to work on.
  const double busy =
      static_cast<double>(schedule.repeats * microbatches) / static_cast<double>(schedule.rounds());
  for (Kernel& kernel : program.kernels) {
    if (kernel.origin == kNoOp) continue;
    kernel.origin = staged.origins[kernel.origin];
    const bool is_in_rounds =
        kernel.origin >= staged.layers.begin && kernel.origin < staged.layers.end();
    if (is_in_rounds) kernel.matrix.useful_flops *= busy;
  }
  return program;
}

}  // namespace

absl::StatusOr<Program> Lower(const Graph& forward, int64_t batch_per_core, const Target& target,
                              const LowerOptions& options) {
  TW_RETURN_IF_ERROR(CheckDisabled(options.disabled_passes));
  TW_RETURN_IF_ERROR(CheckBindable(forward, batch_per_core));
  if (target.extent(MeshAxis::kStage) > 1) {
    return LowerStage(forward, batch_per_core, target, options);
  }
  return Lowering(forward, batch_per_core, target, options).Run();
}

}  // namespace tilewise
