// The decoder of a MaxText configuration as a model of the zoo.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "frontend/maxtext/maxtext_values.h"

namespace tilewise {

struct DecoderSpec {
  std::string text;                   // "zoo:decoder,layers=32,..."
  std::vector<std::string> uncosted;  // settings that change the network and have no cost there
};

// Errors: a kind of block that the zoo does not have, or sizes that are not there.
absl::StatusOr<DecoderSpec> DecoderSpecOf(const MaxTextValues& values);

}  // namespace tilewise
