// The binary forms of SavedModel and MetaGraphDef -> MetaGraph. Texts are views
// into the bytes, which must outlive it.

#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

absl::Status ReadMetaGraph(std::string_view bytes, MetaGraph& meta);
// Reads all graphs of a SavedModel ("serve", "train"...), in the order of the
// file.
absl::Status ReadSavedModel(std::string_view bytes, std::vector<MetaGraph>& graphs);

}  // namespace tilewise::tf
