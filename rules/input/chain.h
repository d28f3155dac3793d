// Which pipelines feed training, and what the runtime makes of them.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "pipeline/chain.h"
#include "rules/rule.h"

namespace tilewise {

// Pipelines that feed training, or may: all that are not for evaluation.
std::vector<const Pipeline*> FeedPipelines(const Facts& facts);

// The release that the program pins, if any; else what the pipeline's own file
// says. Nothing: one of the last years.
std::optional<RuntimeVersion> RuntimeOf(const Facts& facts, const Pipeline& pipeline);
// Whether a default rewrite of the runtime that came with release `major.minor`
// acts on this pipeline: nothing when that depends on a release not known.
std::optional<bool> Rewrites(const Facts& facts, const Pipeline& pipeline, std::string_view rewrite,
                             int major, int minor);

}  // namespace tilewise
