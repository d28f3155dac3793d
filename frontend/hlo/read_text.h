// HLO text -> modules: what XLA prints and what its tests write.

#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Reads every module of the text, in order; at least one. A header is not
// needed, and neither is a computation around instructions. Without ENTRY the
// entry is the last computation that no other calls. Names and texts are views
// into `text`. Errors: "line L:C: found X, expected Y".
absl::StatusOr<std::vector<Module>> ReadHloText(std::string_view text);

}  // namespace tilewise::hlo
