// The ops that published chains name, as calls with known costs, and what they
// leave of an item.

#pragma once

#include <string>
#include <vector>

#include "accuracy/pipeline_text.h"
#include "base/status.h"

namespace tilewise {

// An item on its way through a chain.
struct ChainItem {
  double bytes = 0;    // as it flows: encoded at first
  double numbers = 0;  // of a decoded item
  double channels = 3, height = 0, width = 0;
  double number_bytes = 1;
  bool decoded = false;
  bool stated = false;  // the row itself says how large its items are
};

// The item as its source stores it, from what the row says of its data or what is
// known of the data set.
absl::StatusOr<ChainItem> ItemOf(const PipelineText& text);

// The calls that a stage stands for; `item` becomes what it leaves. Errors: a
// stage that is no op.
absl::StatusOr<std::vector<std::string>> ApplyOp(const ChainStage& stage,
                                                 const std::string& framework, ChainItem& item);

}  // namespace tilewise
