// A program on a machine under options: all that a simulated step depends on
// but its batch.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hardware/target.h"
#include "session/session.h"

namespace tilewise {

struct SearchSetting {
  std::vector<std::string> changes;  // against the user's own, as flags: "--remat full"
  std::shared_ptr<const Workload> workload;
  Target target;
  SessionOptions options;
  Change edit;  // of the model, the pipeline or the batch
};

// That of a session, which outlives it. The spec and the batch are filled in.
SearchSetting SettingOf(const Session& session);

// "--remat full --mesh fsdp=8"; empty: the user's own.
std::string ChangesInWords(const SearchSetting& setting);

// Each is the setting with one thing changed. Nothing, or an error, where the
// program or the machine does not take it.
SearchSetting WithRemat(SearchSetting setting, const std::string& name, const RematPolicy& policy);
SearchSetting WithAccumulation(SearchSetting setting, int64_t parts);
SearchSetting WithComputeType(SearchSetting setting, DType type);
SearchSetting WithShardedUpdate(SearchSetting setting);
// The same mesh axes, but for the number of copies of the model; the batch per
// core stays. Errors: no such slice.
absl::StatusOr<SearchSetting> WithMachine(SearchSetting setting, const std::string& chip,
                                          int64_t cores, const Mesh& mesh);
std::optional<SearchSetting> WithTiledLogits(SearchSetting setting, int64_t tiles);
std::optional<SearchSetting> WithFlashAttention(SearchSetting setting);

}  // namespace tilewise
