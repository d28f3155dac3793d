// The stages of a pipeline that a library builds from settings.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/config/setting.h"
#include "pipeline/pipeline.h"
#include "workload/workload.h"

namespace tilewise {

// Appends stages to a pipeline. A stage stands where its setting is written;
// one that the library adds by itself, where the block of the input is.
class ConfiguredInput {
 public:
  ConfiguredInput(const Setting& block, PipelineRole role);

  // The files that `paths` names: a scalar or several settings of that key.
  void AddFiles(std::string_view key);
  // `amount` may be null: the library's default, which is not the user's to
  // answer for.
  Stage& Add(StageKind kind, const Setting* amount, std::string_view text);

  const Setting& block() const { return block_; }
  Pipeline Take() && { return std::move(pipeline_); }

 private:
  const Setting& block_;
  Pipeline pipeline_;
};

// The number that a setting has: absent, a value, or not resolvable.
Count CountOf(const Setting* setting);

// How many files a pattern with the number of shards in it names:
// "train-?????-of-00256", "train@256".
std::optional<int64_t> FilesOfPattern(std::string_view pattern);

// A workload without a model: its name, format, text for excerpts, and the loop
// of the framework.
Workload ConfiguredWorkload(const InputFile& file, std::string_view format,
                            Framework framework);

// "bfloat16" -> mixed_bfloat16 in the facts, at the setting's place.
void TakePrecision(const Setting* type, Workload& workload);

}  // namespace tilewise
