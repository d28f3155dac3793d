// The stages of a pipeline that a library builds from settings.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/config/setting.h"
#include "pipeline/pipeline.h"
#include "workload/workload.h"

namespace tilewise {

// The stages that all of these libraries make, to be called in the order of the
// pipeline. A stage stands where its setting is written, and keeps the location
// of the value for edits; one that the library adds by itself stands where the
// block of the input is. A setting that is null leaves the amount to the
// library: a default is not the user's to answer for, so it counts as AUTOTUNE.
class ConfiguredInput {
 public:
  ConfiguredInput(const Setting& block, bool training);

  // A data set by its name.
  void Named(std::string_view name);
  // The files that the settings `key` of `holder` name; returns how many.
  std::optional<int64_t> Files(const Setting& holder, std::string_view key);
  // Several files at once, by default in any order.
  Stage& Read(const Setting* readers, std::string_view text);
  // Caches unless there is no setting, or it says no.
  void Cache(const Setting* flag);
  // Shuffles unless there is no setting.
  void Shuffle(const Setting* buffer);
  // Decodes records, in parallel.
  Stage& Parse(std::string_view text, bool random);
  // Makes full batches. Returns null without the setting.
  Stage* Batch(const Setting* size);
  Stage& Prefetch(const Setting* batches);
  // A flag of the last stage: its value, which is `standard` without the
  // setting, and the location of it.
  bool Flag(std::string_view parameter, const Setting* setting, bool standard);

  void SetItems(std::optional<int64_t> items);
  Pipeline Take() && { return std::move(pipeline_); }

 private:
  Stage& Add(StageKind kind, std::string_view text, const Setting* amount,
             std::string_view parameter);

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
Workload ConfiguredWorkload(const InputFile& file, std::string_view format, Framework framework);

// "bfloat16" -> mixed_bfloat16 in the facts, at the setting's location. Without
// the setting no policy is stated, and the location is the block's, where it
// would be.
void TakePrecision(const Setting* type, const Setting& block, Workload& workload);
// The same of a flag that says whether it is bfloat16.
void TakeHalfPrecision(const Setting* flag, const Setting& block, Workload& workload);

}  // namespace tilewise
