// Which pipelines feed training, and what the runtime makes of them.

#include "rules/input/chain.h"

#include <fmt/format.h>

namespace tilewise {

std::vector<const Pipeline*> FeedPipelines(const Facts& facts) {
  std::vector<const Pipeline*> result;
  for (const Pipeline& pipeline : facts.workload.pipelines) {
    if (pipeline.role == PipelineRole::kEvaluation) continue;
    if (pipeline.stages.empty()) continue;
    result.push_back(&pipeline);
  }
  return result;
}

std::optional<RuntimeVersion> RuntimeOf(const Facts& facts, const Pipeline& pipeline) {
  for (const PackageVersion& pin : facts.workload.facts.versions) {
    const bool exact = pin.relation == "==" || pin.relation == "~=";
    if (exact && pin.package == "tensorflow") {
      return RuntimeVersion{pin.major, pin.minor};
    }
  }
  for (const SourceCall& call : facts.workload.facts.calls) {
    // Only the first release has it.
    if (call.name.starts_with("tensorflow.contrib.")) return RuntimeVersion{1};
  }
  return pipeline.runtime;
}

std::optional<bool> Rewrites(const Facts& facts, const Pipeline& pipeline, std::string_view rewrite,
                             int major, int minor) {
  const PipelineOption* all =
      pipeline.option("experimental_optimization.apply_default_optimizations");
  const PipelineOption* own = pipeline.option(fmt::format("experimental_optimization.{}", rewrite));
  if (own != nullptr) return own->value == "True";
  if (all != nullptr && all->value == "False") return false;
  const std::optional<RuntimeVersion> runtime = RuntimeOf(facts, pipeline);
  if (!runtime) return std::nullopt;
  if (runtime->major == major && runtime->minor < 0) return std::nullopt;
  return runtime->AtLeast(major, minor);
}

}  // namespace tilewise
