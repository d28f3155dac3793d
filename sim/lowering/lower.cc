// Runs the passes in order, times each and verifies what it leaves.

#include "sim/lowering/lower.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "sim/lowering/compiled.h"
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
    if (options_.fold_repeats && !options_.after_pass) {
      TW_ASSIGN_OR_RETURN(const FoldedGraph folded, FoldRepeats(forward_));
      if (!folded.repeats.empty()) return RunFolded(folded);
    }
    return RunWhole();
  }

 private:
  absl::StatusOr<Program> RunWhole() const {
    const Graph source = forward_.Bind(batch_per_core_);
    const LoweringContext context{target_, options_, source, forward_};
    Program program = Start(source);
    TW_RETURN_IF_ERROR(RunPasses(program, context, false));
    TW_RETURN_IF_ERROR(RunPasses(program, context, true));
    return program;
  }

  absl::StatusOr<Program> RunCompiled() const {
    const Graph source = forward_.Bind(batch_per_core_);
    const LoweringContext context{target_, options_, source, forward_};
    Program program = Start(source);
    program.training = false;  // what it trains is in it
    program.graph = source;
    TW_RETURN_IF_ERROR(AdoptCompilation(*options_.compilation, target_.chip, program));
    TW_RETURN_IF_ERROR(RunPasses(program, context, false));
    TW_RETURN_IF_ERROR(RunPasses(program, context, true));
    return program;
  }

  absl::StatusOr<Program> RunFolded(const FoldedGraph& folded) const {
    const Graph source = folded.graph.Bind(batch_per_core_);
    const LoweringContext context{target_, options_, source, folded.graph, &folded};
    Program few = Start(source);
    TW_RETURN_IF_ERROR(RunPasses(few, context, false));
    absl::StatusOr<Program> program = UnfoldRepeats(few, folded, forward_);
    if (!program.ok()) return RunWhole();
    TW_RETURN_IF_ERROR(RunPasses(*program, context, true));
    return program;
  }

  Program Start(const Graph& source) const {
    Program program;
    if (!options_.training) program.graph = source;  // else pass 1 makes it
    program.batch_per_core = batch_per_core_;
    program.training = options_.training;
    return program;
  }

  // Runs the passes that work on the whole step, or those before.
  absl::Status RunPasses(Program& program, const LoweringContext& context, bool whole) const {
    const std::vector<std::string>& disabled = options_.disabled_passes;
    for (const Pass& pass : LoweringPasses()) {
      if (pass.whole != whole) continue;
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

}  // namespace

absl::StatusOr<Program> Lower(const Graph& forward, int64_t batch_per_core, const Target& target,
                              const LowerOptions& options) {
  TW_RETURN_IF_ERROR(CheckDisabled(options.disabled_passes));
  TW_RETURN_IF_ERROR(CheckBindable(forward, batch_per_core));
  return Lowering(forward, batch_per_core, target, options).Run();
}

}  // namespace tilewise
